"""What a page showed is gone with the page; nothing waits for a search for garbage."""

import gc
from weakref import ref

import pytest
from django.template import TemplateDoesNotExist

from lib.web.template_engine import Templates


class Row:
    label = "<Rossi>"


@pytest.fixture
def template(tmp_path):
    def write(text):
        (tmp_path / "page.html").write_text(text)
        options = {"context_processors": ["django.template.context_processors.request"]}
        kept = {"NAME": "kept", "DIRS": [tmp_path], "APP_DIRS": False, "OPTIONS": options}
        return Templates(kept).get_template("page.html")

    return write


@pytest.fixture
def uncollected():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "text", ["{{ row.label }}", "{% with one=row %}{{ one.label }}{% endwith %}"]
)
def test_it_works(template, rf, uncollected, text):
    row = Row()
    shown = ref(row)

    page = template(text).render({"row": row}, rf.get("/"))
    del row

    assert page == "&lt;Rossi&gt;"
    assert shown() is None


def test_what_the_view_says_goes_before_what_every_page_knows(template, rf):
    page = template("{{ request }}").render({"request": "mine"}, rf.get("/"))

    assert page == "mine"


def test_a_page_without_a_request_is_drawn_too(template):
    assert template("{{ row.label }}").render({"row": Row()}) == "&lt;Rossi&gt;"


def test_a_missing_part_is_named(template, rf):
    with pytest.raises(TemplateDoesNotExist, match="nowhere.html"):
        template("{% include 'nowhere.html' %}").render({}, rf.get("/"))
