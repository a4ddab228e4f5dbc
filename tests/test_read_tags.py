"""The reader of tags finds what Python's own finds: the walks of all pages rely on it."""

from html.parser import HTMLParser
from typing import Any

import pytest

from restaurants.testing import sign_in
from tests.tags import TagReader

ODD = """<!doctype html><html lang=fr><!-- <b>no tag</b> --><title>R&amp;D &lt;3</title>
<style>a > b { color: red }</style><script nonce="x">if (a < b && "</b>") { c("<i>") }</script>
<INPUT Name='a"b' value="it's > that" required><br/><path d="M0 0"/><a href=/x?a=1&amp;b=2>&eacute;
</a ><p data-empty="" title='é &quot;'>one<em>two</em>three &nbsp; 1 < 2</p>
<textarea>
&lt;b&gt; words</textarea>the end"""


class Notes:
    """Everything that a reader calls, in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append(("start", tag, [(name, value or "") for name, value in attrs]))

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.found.append(("both", tag, [(name, value or "") for name, value in attrs]))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("end", tag))

    def handle_data(self, data: str) -> None:
        self.found.append(("text", data))


class Quick(Notes, TagReader):
    pass


class Pythons(Notes, HTMLParser):
    def close(self) -> None:
        super().close()
        self.found = joined(self.found)


def joined(found: list[Any]) -> list[Any]:
    """A text in one piece, as the other reader finds it."""
    whole: list[Any] = []
    for kind, *more in found:
        if kind == "text" and whole and whole[-1][0] == "text":
            whole[-1] = ("text", whole[-1][1] + more[0])
        else:
            whole.append((kind, *more))
    return whole


def both_read(html: str) -> tuple[list[Any], list[Any]]:
    quick, pythons = Quick(), Pythons()
    quick.feed(html)
    pythons.feed(html)
    pythons.close()
    return joined(quick.found), pythons.found


def test_it_works():
    quick, pythons = both_read(ODD)

    assert quick == pythons
    assert len(quick) == 30


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/?zoom=list", "/styleguide/", "/setup/people/"])
def test_it_reads_our_pages(dora, path):
    quick, pythons = both_read(sign_in(dora).get(path).content.decode())

    assert quick == pythons
    assert len(quick) > 200
