"""Template engine that breaks the reference cycle of each context after rendering.

Its loader takes out line breaks that only a reader of the template needs.

The context of a template refers to itself. What a view hands over, hundreds of rows on a long
page, would wait for a search for garbage, and that stops some later page for 30 ms.
"""

from typing import Any

from django.http import HttpRequest
from django.template import Origin, RequestContext
from django.template.backends import django as backend
from django.template.loaders import filesystem

from lib.web.template_whitespace import tighten


class Template(backend.Template):
    def render(
        self, context: dict[Any, Any] | None = None, request: HttpRequest | None = None
    ) -> str:
        if request is None:
            return super().render(context)
        whole = RequestContext(request, autoescape=self.backend.engine.autoescape)
        with whole.push(context or {}):
            return self.template.render(whole)


class Templates(backend.DjangoTemplates):
    def get_template(self, template_name: str) -> Template:
        return Template(super().get_template(template_name).template, self)


class Loader(filesystem.Loader):
    """Reads a template without the line breaks that only its reader needs."""

    def get_contents(self, origin: Origin) -> str:
        source = super().get_contents(origin)
        return tighten(source) if origin.name.endswith(".html") else source
