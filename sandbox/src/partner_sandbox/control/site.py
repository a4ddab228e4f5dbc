"""Everything outside the three hosts of the service: page, OpenAPI document and /_sandbox/."""

from pathlib import Path
from urllib.parse import urlsplit

from partner_sandbox.control.description import openapi_document
from partner_sandbox.control.params import BadParams, read_params
from partner_sandbox.control.scripts import HANDLERS
from partner_sandbox.http.message import JSON, SandboxRequest, SandboxResponse, json_response
from partner_sandbox.service import SandboxService

PAGE = Path(__file__).parent.parent / "page"
FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
}
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
SAFE = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        " img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
]


class Site:
    def __init__(self, service: SandboxService, *, any_host: bool = False) -> None:
        self.service = service
        self.any_host = any_host

    def __call__(self, request: SandboxRequest) -> SandboxResponse:
        response = self._answer(request)
        response.headers += SAFE
        return response

    def _answer(self, request: SandboxRequest) -> SandboxResponse:
        refusal = self._refusal(request)
        if refusal:
            return json_response({"problem": refusal}, 403)
        first, *rest = request.segments
        if first == "_sandbox" and rest:
            return self._control(request, rest)
        if request.method in ("GET", "HEAD") and not rest:
            return self._file(first)
        return _nothing_here()

    def _file(self, name: str) -> SandboxResponse:
        if name == "openapi.yaml":
            document = openapi_document(self.service.origin)
            return SandboxResponse(body=document, content_type="application/yaml")
        if name in FILES:
            file, kind = FILES[name]
            return SandboxResponse(body=(PAGE / file).read_bytes(), content_type=kind)
        return _nothing_here()

    def _refusal(self, request: SandboxRequest) -> str:
        """Keep foreign web pages out: neither a rebound name nor a cross-site form may enter."""
        if self.any_host:
            return ""
        if _host_name(request.headers.get("host", "")) not in LOOPBACK:
            return "The control interface answers to loopback names only (see --any-host)."
        origin = request.headers.get("origin")
        if origin and _host_name(urlsplit(origin).netloc) not in LOOPBACK:
            return "Requests from other web sites are not accepted."
        if request.method == "POST" and request.body and request.media_type != JSON:
            return "The control interface takes application/json."
        return ""

    def _control(self, request: SandboxRequest, words: list[str]) -> SandboxResponse:
        handler = HANDLERS.get((request.method, words[0], len(words) - 1))
        if handler is None:
            return json_response({"problem": "There is no such control."}, 404)
        try:
            return json_response(handler(self.service, read_params(request, words[1:])))
        except BadParams as problem:
            return json_response({"problem": str(problem)}, problem.status)


def _nothing_here() -> SandboxResponse:
    return json_response({"problem": "There is nothing here."}, 404)


def _host_name(netloc: str) -> str:
    return urlsplit(f"//{netloc}").hostname or ""
