"""Line breaks of a template: what of them a browser gets, and what it never gets."""

import pytest

from lib.web.template_engine import Templates
from lib.web.template_whitespace import tighten


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ('<a\n    class="x"\n    href="/">Go</a>', '<a class="x" href="/">Go</a>'),
        ('<a class="x"\n   >Go</a>', '<a class="x">Go</a>'),
        ('<img src="a"\n  />', '<img src="a"/>'),
        ('<i class="{% if b %}b{% endif %}"\n  c>', '<i class="{% if b %}b{% endif %}" c>'),
        ("<i a\n  {% if b %} b{% endif %}\n  c>", "<i a{% if b %} b{% endif %} c>"),
        ("<i a\n  {% if b %}\n    b\n  {% endif %}\n  c>", "<i a{% if b %} b{% endif %} c>"),
        ("<i a\n  {{ attributes }}>", "<i a {{ attributes }}>"),
        ('<pre\n  class="a">\n b</pre>', '<pre class="a">\n b</pre>'),
        ('<i title="a > b"\n  id="c">', '<i title="a > b" id="c">'),
        ('<i href="{% url "x" %}"\n  id="c">', '<i href="{% url "x" %}" id="c">'),
        (
            '<i href="?a\n  {% if b %}&amp;b{% endif %}">',
            '<i href="?a{% if b %}&amp;b{% endif %}">',
        ),
    ],
)
def test_inside_a_tag_a_break_is_one_space_where_one_is_needed(written, drawn):
    assert tighten(written) == drawn


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("<ul>\n  <li>One</li>\n  <li>Two</li>\n</ul>", "<ul><li>One</li><li>Two</li></ul>"),
        ("<b>\n  One\n</b>", "<b>One</b>"),
        ("One\n<p>Two</p>\nThree", "One<p>Two</p>Three"),
        ("{% if a %}\n  1\n{% else %}\n  2\n{% endif %}", "{% if a %}1{% else %}2{% endif %}"),
        ("{% load ui %}\n\n<b>One</b>", "{% load ui %}<b>One</b>"),
        ('{% url "a" as b %}\n{{ b }}', '{% url "a" as b %}{{ b }}'),
        ("{# why #}\nOne", "{# why #}One"),
    ],
)
def test_where_a_browser_draws_no_space_a_break_is_nothing(written, drawn):
    assert tighten(written) == drawn


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("One\n    two", "One two"),
        ("<b>One</b>\n    <b>two</b>", "<b>One</b> <b>two</b>"),
        ("{{ one }}\n  {{ two }}", "{{ one }} {{ two }}"),
        ("<input>\n  One", "<input> One"),
        ("1\n  {% if a %}\n    2\n  {% endif %}\n  3", "1 {% if a %}2{% endif %} 3"),
        ("{% for a in b %}\n  {{ a }}\n{% endfor %}", "{% for a in b %}{{ a }} {% endfor %}"),
    ],
)
def test_between_words_a_break_stays_one_space(written, drawn):
    assert tighten(written) == drawn


@pytest.mark.parametrize(
    "written",
    [
        "<b>One</b> <b>two</b>",
        "<b>One </b>",
        "<p> One {% if a %} two {% endif %}</p>",
        "<pre>\n  One\n    two\n</pre>",
        '<textarea id="a">\n  One\n</textarea>',
        "<script>\n  one()\n</script>",
        "<style>\n  a {}\n</style>",
        "<!-- \n  One > two\n -->",
        "{% blocktranslate %}\n  One\n{% endblocktranslate %}",
        "{% comment %}\n  One\n{% endcomment %}",
        "{% verbatim %}\n  {{ one }}\n{% endverbatim %}",
        "1 < 2 \u00a0and 3 > 2",
    ],
)
def test_what_is_read_as_it_is_written_stays(written):
    assert tighten(written) == written


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        (
            "<b></b>\n{% if a %}\n<i></i>\n{% endif %}\n<b>",
            "<b></b>{% if a %}<i></i>{% endif %}<b>",
        ),
        ("{% for a in b %}\n  {{ a }}\n{% endfor %}", "{% for a in b %}{{ a }}{% endfor %}"),
        ("{{ one }}\n{{ two }}", "{{ one }}{{ two }}"),
        ("One\n  two\n  <b>", "One two<b>"),
        ("<b>One</b> <b>", "<b>One</b> <b>"),
    ],
)
def test_where_no_space_is_wanted_a_break_next_to_a_tag_is_nothing(written, drawn):
    whole = f"<i>0</i>\n{{% spaceless %}}\n{written}\n{{% endspaceless %}}\n<i>9</i>\n<i>"

    assert tighten(whole) == f"<i>0</i>{drawn}<i>9</i> <i>"


def test_a_break_around_a_preformatted_text_is_nothing():
    assert tighten("<p>One</p>\n  <pre>\n two\n</pre>\n") == "<p>One</p><pre>\n two\n</pre>"


def test_the_engine_reads_templates_this_way(tmp_path):
    (tmp_path / "page.html").write_text("<ul>\n  <li\n    id='a'>One</li>\n</ul>\n")
    options = {"loaders": ["lib.web.template_engine.Loader"]}
    engine = {"NAME": "kept", "DIRS": [tmp_path], "APP_DIRS": False, "OPTIONS": options}

    drawn = Templates(engine).get_template("page.html").render()

    assert drawn == "<ul><li id='a'>One</li></ul>"


@pytest.mark.parametrize("name", ["digest.txt", "letter.txt"])
def test_a_letter_keeps_its_lines(tmp_path, name):
    (tmp_path / name).write_text("One\n\n  {% if 1 %}\n  two\n  {% endif %}\n")
    options = {"loaders": ["lib.web.template_engine.Loader"]}
    engine = {"NAME": "kept", "DIRS": [tmp_path], "APP_DIRS": False, "OPTIONS": options}

    assert Templates(engine).get_template(name).render() == "One\n\n  \n  two\n  \n"
