"""Opens every page, submits every form on it, and rolls each one back before the next."""

import re
from collections import Counter, deque
from collections.abc import Collection, Iterator
from copy import deepcopy
from functools import lru_cache, partial
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.conf import settings
from django.core.cache import caches
from django.core.signals import request_finished
from django.db import close_old_connections, transaction
from django.template import engines
from django.template.backends.django import DjangoTemplates
from django.template.loaders.filesystem import Loader
from django.test import Client
from django.urls import NoReverseMatch, Resolver404, resolve, reverse

from lib.processes import short_cache
from restaurants import directory
from restaurants.testing import Cast
from tests.addresses import Address, all_addresses, may_be_a_page
from tests.form_states import Objects
from tests.page_forms import MARK, Submission, headers_of, parse, submissions
from tests.url_examples import example

TEMPLATES = Path(settings.BASE_DIR) / "templates"
# A form, or another element that htmx sends: where its tag begins.
SENDS = re.compile(r"<form\b|\shx-(?:post|put|patch|delete)=")
IS_GET = re.compile(r"""<form\b[^>]*\smethod=["']get""", re.I)
MARKS = re.compile(f'{MARK}="([^"]+)"')
BODY = re.compile(r"<body\b[^>]*>")
LINKS = re.compile(r'\s(href|hx-get)="([^"]+)"')
MOST_LINKS = 1  # of a kind to one view, each with other words in its address
# Forms that stand on every page.
FRAME = tuple(f"components/{name}.html:" for name in ("preferences", "rail", "user_menu"))
DEEPEST = 6  # forms of the answer to a form of the answer …
WHOLE = re.compile(r"\s*<!doctype html", re.I)


# Which form is which


def marks_of(text: str, name: str) -> dict[int, str]:
    """The positions and names of a template's elements that send a request."""
    places = set()
    for match in SENDS.finditer(text):
        start = text.rfind("<", 0, match.start() + 1)
        if not IS_GET.match(text, start):
            places.add(start)
    return {
        place: f"{name}:{text.count(chr(10), 0, place) + 1}:{n}"
        for n, place in enumerate(sorted(places), 1)
    }


def marked(text: str, name: str) -> str:
    """The template with a mark on each element that sends a request."""
    for place, mark in sorted(marks_of(text, name).items(), reverse=True):
        end = re.compile(r"<\w+").match(text, place).end()  # type: ignore[union-attr]  # a tag
        text = f'{text[:end]} {MARK}="{mark}"{text[end:]}'
    return text


def all_marks() -> set[str]:
    """Every element of every template that sends something."""
    found: set[str] = set()
    for path in TEMPLATES.rglob("*.html"):
        found |= set(marks_of(path.read_text(), str(path.relative_to(TEMPLATES))).values())
    return found


def mark_templates(patch: Any) -> None:
    """Load every template with its marks, as long as `patch` lasts."""
    read = Loader.get_contents

    def get_contents(self: Loader, origin: Any) -> str:
        return marked(str(read(self, origin)), origin.template_name)

    patch.setattr(Loader, "get_contents", get_contents)
    # The client would copy the context of every template, for tests that look into it.
    patch.setattr("django.test.client.store_rendered_templates", lambda *_args, **_kwargs: None)
    forget_templates()


def forget_templates() -> None:
    """Clear the caches of templates and of rendered parts of pages."""
    caches["template_fragments"].clear()
    backend = engines["django"]
    assert isinstance(backend, DjangoTemplates)
    for loader in backend.engine.template_loaders:
        loader.reset()


# The walk


class Walk:
    """The walk of one user over one set of data. `faults` are sentences; `shown` are marks."""

    def __init__(
        self,
        client: Client,
        cast: Cast,
        objects: Objects,
        *,
        who: str,
        views: tuple[str, ...] = ("",),
        is_thorough: bool = False,
        specimens: Collection[str] = (),
    ) -> None:
        """`views` are the first letters of the names of the views that are opened.

        A thorough walk sends a form for each thing that it is about, any other once a page.
        `specimens` are pages that only show what a form looks like.
        """
        self.is_thorough = is_thorough
        self.specimens = specimens
        self.client = client
        self.views = views
        self.cast = cast
        self.objects = objects
        self.who = who
        self.faults: dict[str, str] = {}
        self.shown: set[str] = set()
        self.sent: set[tuple[Any, ...]] = set()
        self.links_seen: set[tuple[str, str]] = set()
        self.links: Counter[tuple[Any, ...]] = Counter()
        self.to_open: deque[tuple[str, dict[str, str]]] = deque()
        self.posted_only: set[str] = set()
        self.count = Counter[str]()
        client.raise_request_exception = False

    def over_all(self) -> None:
        """Open the page of every view, and all pages that they link to."""
        paths = (*self.paths(), *self.objects.get("paths", ()))
        self.to_open.extend((path, {}) for path in paths)
        while self.to_open:
            self.open(*self.to_open.popleft())

    def paths(self) -> Iterator[str]:
        for address in all_addresses():
            if not address.name.startswith(self.views):
                continue
            for path in self.paths_of(address):
                if may_be_a_page(path):
                    yield path

    def paths_of(self, address: Address) -> Iterator[str]:
        known = [self.of_word(address, word) for word in address.kwargs]
        for values in product(*known):
            try:
                yield reverse(address.name, kwargs=dict(zip(address.kwargs, values, strict=True)))
            except NoReverseMatch:
                continue

    def of_word(self, address: Address, word: str) -> list[Any]:
        for key in (f"{address.name}.{word}", f"{address.app}.{word}"):
            if key in self.objects:
                return self.objects[key]
        return [partial(example, cast=self.cast)(address.name, word)]

    def open(self, path: str, headers: dict[str, str]) -> None:
        view = view_of(path)
        if view in self.posted_only or path in self.specimens:
            return
        answer = read_whole(self.client.get(path, headers=headers))
        if answer.status_code == 405:
            self.posted_only.add(view)
        self.count["opened"] += 1
        if answer.status_code >= 500:
            self.faults[f"{self.who} opens {path}"] = str(answer.status_code)
        if is_html(answer) and answer.status_code < 400:
            self.read(answer, path, page_headers=headers, depth=0)

    def read(self, answer: Any, here: str, *, page_headers: dict[str, str], depth: int) -> None:
        """Submit the forms of a page, and note its links."""
        text = answer.content.decode()
        if depth == 0:
            self.note_links(text, here)
        if MARK not in text:
            return
        root = parse(self.without_frame(text))
        inherited = {k: v for k, v in page_headers.items() if k == "X-CSRFToken"}
        for submission in submissions(root, here=here, page_headers=inherited):
            self.shown.add(submission.source)
            self.go_on(submission, here, depth=depth)

    def without_frame(self, text: str) -> str:
        """A page without what stands on each, once that has been met. It is half of the page."""
        body, start, end = BODY.search(text), text.find("<main"), text.find("</main>")
        if body is None or end < start or start < 0:
            return text
        around = text[:start] + text[end:]
        is_known = all(mark in self.shown for mark in MARKS.findall(around))
        return body[0] + text[start:end] if is_known else text

    def go_on(self, submission: Submission, here: str, *, depth: int) -> None:
        """Follow a form to its end where a page first shows it; then send it once a thing."""
        names = tuple(sorted({name for name, _value in submission.data}))
        is_framed = submission.source.startswith(FRAME)
        where = str(depth > 0) if is_framed else view_of(here)
        way = (submission.source, submission.way, view_of(submission.path), names, where)
        thing = (submission.source, submission.path.split("?")[0])
        if way not in self.sent:
            self.sent |= {way, thing}
            self.send(submission, here, depth=depth)
        elif self.is_thorough and thing not in self.sent and not is_framed and depth == 0:
            self.sent.add(thing)
            self.send(submission, here, depth=DEEPEST, follow=False)

    def note_links(self, text: str, here: str) -> None:
        body = BODY.search(text)
        page_headers = headers_of(parse(body[0]).children[0], {}) if body else {}
        as_htmx = page_headers | {"HX-Request": "true"}
        for kind, found in set(LINKS.findall(text)) - self.links_seen:
            self.links_seen.add((kind, found))
            path = urljoin(here, unescape(found)).split("#")[0]
            if not path.startswith("/") or not may_be_a_page(path):
                continue
            view, words = view_of(path), sorted(dict(parse_qsl(urlsplit(path).query)))
            key = (kind, view, *words)
            if not view or not view.startswith(self.views):
                continue
            if key not in self.sent and self.links[kind, view] < MOST_LINKS:
                self.links[kind, view] += 1
                self.sent.add(key)
                self.to_open.append((path, as_htmx if kind == "hx-get" else {}))

    def send(self, submission: Submission, here: str, *, depth: int, follow: bool = True) -> None:
        """Submit a form, check the answer, continue with the forms in it, and roll back."""
        cookies = deepcopy(self.client.cookies)
        with as_a_test_does():
            answer = self.answer_to(submission, follow=follow)
            self.count[submission.way] += 1
            if fault := fault_of(submission, answer):
                name = f"{self.who} at {here}: {submission.way} {submission.source}"
                self.faults[f"{name} to {submission.path}"] = fault
            elif depth < DEEPEST and is_html(answer):
                at = f"{answer.request['PATH_INFO']}?{answer.request['QUERY_STRING']}"
                self.read(answer, at, page_headers=submission.headers, depth=depth + 1)
            transaction.set_rollback(True)
        self.client.cookies = cookies
        directory.clear()
        for cache in short_cache.every:
            cache.assume_usual()

    def answer_to(self, submission: Submission, *, follow: bool) -> Any:
        """The answer, and where it redirects to: a browser goes there with the same headers."""
        data: dict[str, list[str]] = {}
        for name, value in submission.data:
            data.setdefault(name, []).append(value)
        send = getattr(self.client, submission.verb.lower())
        headers = submission.headers
        answer = read_whole(send(submission.path, data, headers=headers))
        for _hop in range(4):
            if not follow or answer.status_code not in MOVED:
                break
            path = urljoin(submission.path, answer.headers["Location"])
            answer = read_whole(self.client.get(path, headers=headers))
        return answer


MOVED = (301, 302, 303)


def fault_of(submission: Submission, answer: Any) -> str:
    """The fault of an answer to a form of a page, or ""."""
    status = answer.status_code
    if status in MOVED:  # not followed
        return ""
    if status not in (200, 204, 410, 422):
        return str(status)
    is_whole = bool(WHOLE.match(body_of(answer)))
    is_file = "attachment" in answer.headers.get("Content-Disposition", "")
    if submission.way != "htmx" and not (is_whole or is_file):
        return f"{status}: a part of a page, where a whole one is needed"
    is_selected = "HX-Reselect" in answer.headers or submission.headers.get("HX-Boosted")
    if submission.swaps_part and is_whole and not is_selected:
        return f"{status}: a whole page, swapped into a part of one"
    return ""


def as_a_test_does() -> transaction.Atomic:
    """A transaction that durable ones may be nested in: it stands for the test's own."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # as Django marks its own
    return block


def read_whole(answer: Any) -> Any:
    """Read a file to its end: the test client closes it then, and not the database with it."""
    if answer.streaming:
        for _chunk in answer.streaming_content:
            pass
        request_finished.disconnect(close_old_connections)
        answer.close()
        request_finished.connect(close_old_connections)
    return answer


def body_of(answer: Any) -> str:
    return answer.getvalue().decode(errors="replace") if is_html(answer) else ""


def is_html(answer: Any) -> bool:
    return str(answer.headers.get("Content-Type", "")).startswith("text/html")


def view_of(path: str) -> str:
    return _view_of(path.split("?")[0])


@lru_cache(maxsize=4096)
def _view_of(path: str) -> str:
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""
