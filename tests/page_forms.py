"""The forms of a page, as a browser sends them: with scripts (htmx) and without."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urljoin

from tests.tags import TagReader

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
VERBS = ("hx-post", "hx-put", "hx-patch", "hx-delete")
TOKEN = "csrfmiddlewaretoken"
MARK = "data-source"
# What a person types where a field is empty.
TYPED = {"email": "jo@example.org", "tel": "+33199004321", "date": "2026-01-20", "number": "1"}
TYPED |= {"time": "19:00", "search": "Rossi", "url": "https://example.org"}


class Element:
    """One element of a page, with its attributes, its parent and what stands inside."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Element | None") -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element] = []
        self.text = ""

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def has(self, name: str) -> bool:
        return name in self.attributes

    def self_and_above(self) -> "Iterator[Element]":
        element: Element | None = self
        while element is not None:
            yield element
            element = element.parent

    def inside(self) -> "Iterator[Element]":
        for child in self.children:
            yield child
            yield from child.inside()

    def closest(self, tag: str) -> "Element | None":
        return next((one for one in self.self_and_above() if one.tag == tag), None)

    def inherited(self, name: str) -> "tuple[str, Element] | None":
        """An attribute of the element or of the nearest one around it, and whose it is."""
        return next(((one.get(name), one) for one in self.self_and_above() if one.has(name)), None)


# The fields of each form, in the order of the page.
Owned = defaultdict[Element | None, list[Element]]


class _Builder(TagReader):
    def __init__(self) -> None:
        self.root = self.here = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str]]) -> None:
        element = Element(tag, dict(attrs), self.here)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str]]) -> None:
        self.handle_starttag(tag, attrs)  # HTML knows no `<div/>`; `<input/>` is void anyway

    def handle_endtag(self, tag: str) -> None:
        found = self.here.closest(tag)
        if found is not None and found.parent is not None:
            self.here = found.parent

    def handle_data(self, data: str) -> None:
        self.here.text += data


def parse(text: str) -> Element:
    builder = _Builder()
    builder.feed(text)
    return builder.root


class Submission(NamedTuple):
    """One request that a page lets a person send."""

    source: str  # the template and the number of the form in it
    way: str  # "plain", "htmx", "boosted"; "filled" is plain, with nothing left empty
    verb: str
    path: str
    data: list[tuple[str, str]]
    headers: dict[str, str]
    swaps_part: bool = False  # the answer takes the place of a part of the page
    choices: tuple[tuple[str, str], ...] = ()  # what the fields let a person choose instead


def submissions(
    root: Element, *, here: str, page_headers: dict[str, str] | None = None
) -> Iterator[Submission]:
    """Every request that the forms and the htmx elements of a page or a part of one can send.

    A part is swapped into a page, so it inherits that page's `hx-headers`.
    """
    elements = list(root.inside())
    owned = _owned(elements)
    for element in elements:
        if element.tag == "form" and element.get("method").lower() == "post":
            yield from _of_form(element, owned[element], here, page_headers or {})
        elif any(element.has(verb) for verb in VERBS):
            yield from _of_element(element, elements, owned, here, page_headers or {})


def headers_of(element: Element, page_headers: dict[str, str]) -> dict[str, str]:
    """The headers that htmx adds: `hx-headers` of the element and of all around it."""
    found = dict(page_headers)
    for one in reversed(list(element.self_and_above())):
        found |= json.loads(one.get("hx-headers", "{}"))
    return found


def _of_form(
    form: Element, fields: list[Element], here: str, page_headers: dict[str, str]
) -> Iterator[Submission]:
    buttons: list[Element | None] = [one for one in fields if _submits(one)]
    for button in buttons or [None]:
        path = button.get("formaction") if button and button.has("formaction") else ""
        data = values(fields) + (_own_value(button) if button else [])
        address = urljoin(here, path or form.get("action"))
        plain = Submission(
            form.get(MARK), "plain", "POST", address, data, {}, choices=choices(fields)
        )
        yield plain
        if (filled := values(fields, fill=True)) != values(fields):
            yield plain._replace(way="filled", data=filled + data[len(values(fields)) :])
        # Without scripts there is more to press than with them.
        if button is None or button.closest("noscript") is None:
            yield from _through_scripts(form, plain, path, here, page_headers)


def _through_scripts(
    form: Element, plain: Submission, path: str, here: str, page_headers: dict[str, str]
) -> Iterator[Submission]:
    boosted = form.inherited("hx-boost")
    if verb := next((one for one in VERBS if form.has(one)), ""):
        path = urljoin(here, path or form.get(verb))
        yield _htmx(form, plain._replace(path=path), verb, page_headers)
    elif boosted and boosted[0] == "true":
        boost = _htmx(form, plain, "hx-post", page_headers)
        headers = boost.headers | {"HX-Boosted": "true"}
        yield boost._replace(way="boosted", headers=headers, swaps_part=False)


def _of_element(
    element: Element, elements: list[Element], owned: Owned, here: str, headers: dict[str, str]
) -> Iterator[Submission]:
    verb = next(one for one in VERBS if element.has(one))
    form = element.closest("form")
    data = [] if form is None else values(owned[form])
    own = [pair for pair in _own_value(element) if pair not in data]
    data = data + own + included(element, elements, owned, taken=dict(data + own))
    path = urljoin(here, element.get(verb))
    plain = Submission(element.get(MARK), "htmx", "POST", path, data, {})
    yield _htmx(element, plain, verb, headers)


def _htmx(
    element: Element, plain: Submission, verb: str, page_headers: dict[str, str]
) -> Submission:
    """The same through htmx. Where a header brings the token, the field's is left out."""
    headers = headers_of(element, page_headers)
    data = plain.data
    if "X-CSRFToken" in headers:
        data = [(name, value) for name, value in data if name != TOKEN]
    headers |= {"HX-Request": "true", "HX-Current-URL": plain.path}
    if target := _target(element):
        headers["HX-Target"] = target
    selects = element.inherited("hx-select")
    swap = element.inherited("hx-swap")
    swaps_part = selects is None and not (swap and swap[0].startswith("none"))
    verb = verb.removeprefix("hx-").upper()
    return plain._replace(way="htmx", verb=verb, data=data, headers=headers, swaps_part=swaps_part)


def _target(element: Element) -> str:
    found = element.inherited("hx-target")
    if found is None:
        return element.get("id")
    selector, whose = found
    if selector == "this":
        return whose.get("id")
    return selector.removeprefix("#") if selector.startswith("#") else ""


def included(
    element: Element, elements: list[Element], owned: Owned, *, taken: dict[str, str]
) -> list[tuple[str, str]]:
    """What `hx-include` adds: the form around the element, or an element by its id."""
    found = element.inherited("hx-include")
    if found is None:
        return []
    selector, whose = found
    if selector == "closest form":
        more = values(owned[whose.closest("form")])
    elif selector.startswith("#") and selector[1:].replace("-", "_").isidentifier():
        more = values([one for one in elements if one.get("id") == selector[1:]])
    else:
        raise AssertionError(f"hx-include=“{selector}” is not known to the walk of all forms.")
    return [pair for pair in more if pair[0] not in taken]


def _owned(elements: list[Element]) -> Owned:
    """The fields of each form, and of none: those inside of it and those that name it."""
    forms = {one.get("id"): one for one in reversed(elements) if one.tag == "form"}
    found: Owned = defaultdict(list)
    for element in elements:
        if element.tag in ("input", "select", "textarea", "button"):
            form_id = element.get("form")
            found[forms.get(form_id) if form_id else element.closest("form")].append(element)
    return found


def _submits(element: Element) -> bool:
    kinds = {"button": ("submit", ""), "input": ("submit", "image")}.get(element.tag, ())
    return element.get("type") in kinds and not element.has("disabled")


def _own_value(element: Element) -> list[tuple[str, str]]:
    name = element.get("name")
    return [(name, _value(element))] if name else []


def values(fields: list[Element], *, fill: bool = False) -> list[tuple[str, str]]:
    """What a browser sends of these fields; `fill` types where something must stand."""
    sent = []
    for field in fields:
        kind = field.get("type")
        if field.tag == "button" or kind in ("submit", "image", "button", "reset", "file"):
            continue
        if not field.get("name") or field.has("disabled"):
            continue
        if kind in ("checkbox", "radio") and not field.has("checked") and not fill:
            continue
        if field.has("multiple"):
            sent += [(field.get("name"), value) for value in _chosen(field, fill=fill)]
            continue
        value = _value(field)
        if fill and not value and kind != "hidden" and field.tag != "select":
            value = TYPED.get("search" if field.get("name") == "find" else kind, "Words")
        sent.append((field.get("name"), value))
    return sent


def choices(fields: list[Element]) -> tuple[tuple[str, str], ...]:
    """Each option of a list, and each box and button whether it is chosen or not."""
    found = []
    for field in fields:
        name = field.get("name")
        if field.tag == "select":
            options = [one for one in field.inside() if one.tag == "option"]
            found += [(name, one.get("value", one.text.strip())) for one in options]
        elif field.get("type") in ("checkbox", "radio"):
            found.append((name, _value(field)))
    return tuple(found)


def _value(field: Element) -> str:
    if field.tag == "textarea":
        return field.text.removeprefix("\n")
    if field.tag != "select":
        is_box = field.get("type") in ("checkbox", "radio")
        return field.get("value", "on" if is_box else "")
    return (_chosen(field, fill=True) or [""])[0]


def _chosen(field: Element, *, fill: bool) -> list[str]:
    """The selected options; of none the first, where a browser or a person chooses one."""
    options = [one for one in field.inside() if one.tag == "option" and not one.has("disabled")]
    chosen = [one for one in options if one.has("selected")] or (options[:1] if fill else [])
    return [one.get("value", one.text.strip()) for one in chosen]
