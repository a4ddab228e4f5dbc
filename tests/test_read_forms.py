"""What a browser sends of a page: the rules by which the walk over all forms sends it."""

import pytest

from tests.form_walk import marks_of
from tests.page_forms import parse, submissions

PAGE = '<body hx-headers=\'{"X-CSRFToken": "t"}\'>%s</body>'


def sent(html, **page):
    """Way, path and fields of each request that the page offers."""
    root = parse(html)
    found = submissions(root, here="/here/?a=1", **page)
    return [(one.way, one.path, dict(one.data)) for one in found]


def headers_of(html, **page):
    return [one.headers for one in submissions(parse(html), here="/here/", **page)]


def test_a_plain_form_is_sent_to_its_own_page():
    form = '<form method="post"><input name="a" value="1"><button>Go</button></form>'

    assert sent(form) == [("plain", "/here/?a=1", {"a": "1"})]


def test_empty_fields_are_filled_in_once_more():
    form = '<form method="post" action="/x/"><input name="a" type="email"></form>'

    assert sent(form) == [
        ("plain", "/x/", {"a": ""}),
        ("filled", "/x/", {"a": "jo@example.org"}),
    ]


def test_each_button_is_pressed():
    form = """<form method="post" action="/x/"><button name="b" value="1">One</button>
        <button formaction="/y/">Two</button><button type="button">None</button></form>"""

    assert sent(form) == [("plain", "/x/", {"b": "1"}), ("plain", "/y/", {})]


def test_fields_elsewhere_belong_to_the_form_that_they_name():
    form = '<form method="post" id="f" action="/x/"></form><input name="a" value="1" form="f">'

    assert sent(form) == [("plain", "/x/", {"a": "1"})]


def test_what_is_not_ticked_or_is_disabled_is_not_sent():
    form = """<form method="post" action="/x/"><input type="checkbox" name="a" checked>
        <input type="radio" name="c" value="2" checked><input name="d" value="1" disabled>
        <textarea name="e">\nText</textarea><select name="f"><option>1<option selected>2</select>
        </form>"""

    assert sent(form) == [("plain", "/x/", {"a": "on", "c": "2", "e": "Text", "f": "2"})]


def test_with_scripts_the_token_comes_from_the_page():
    form = """<form method="post" action="/x/" hx-post="/x/" hx-target="#y">
        <input type="hidden" name="csrfmiddlewaretoken" value="f"></form>"""
    plain, scripted = headers_of(PAGE % form)

    assert plain == {}
    assert scripted["X-CSRFToken"] == "t"
    assert scripted["HX-Target"] == "y"
    assert sent(PAGE % form) == [
        ("plain", "/x/", {"csrfmiddlewaretoken": "f"}),
        ("htmx", "/x/", {}),
    ]


def test_a_part_inherits_the_token_of_its_page():
    button = '<button hx-post="/x/">Go</button>'

    assert "X-CSRFToken" not in headers_of(button)[0]
    assert headers_of(button, page_headers={"X-CSRFToken": "t"})[0]["X-CSRFToken"] == "t"


def test_an_element_of_htmx_sends_the_form_around_it_and_what_it_includes():
    form = """<form method="post" action="/x/"><input name="a" value="1">
        <div hx-post="/y/" hx-include="#other"></div></form><input id="other" name="b" value="2">"""

    assert ("htmx", "/y/", {"a": "1", "b": "2"}) in sent(form)


def test_a_boosted_form_is_sent_through_htmx():
    form = '<div hx-boost="true"><form method="post" action="/x/"></form></div>'

    assert [way for way, _path, _data in sent(form)] == ["plain", "boosted"]


def test_a_search_changes_nothing_and_is_not_sent():
    assert sent('<form method="get"><button>Go</button></form><form></form>') == []


@pytest.mark.parametrize(
    ("template", "n"),
    [
        ('<form method="post">', 1),
        ('{% if a > b %}<form class="x"\n method="post">{% endif %}', 1),
        ('<div hx-post="/x/"><input hx-trigger="a > b" hx-patch="/y/"></div>', 2),
        ('<form method="get" action="/x/"><a hx-get="/y/">', 0),
        ('<form hx-post="/x/" method="post">', 1),
    ],
)
def test_every_element_that_sends_something_is_found_in_a_template(template, n):
    assert len(marks_of(template, "x.html")) == n
