"""The CSRF field of a form stands wherever the form is drawn, also inside `only` includes."""

import re

import pytest
from django.template import Context, RequestContext, Template

FORM = "<form method='post'>{% csrf_token %}</form>"


@pytest.mark.parametrize("only", ["", " only"])
def test_an_included_form_has_its_token(rf, only):
    inner = Template(FORM)
    outer = Template("{% include inner with thing=1" + only + " %}")

    drawn = outer.render(RequestContext(rf.get("/"), {"inner": inner}))

    assert 'name="csrfmiddlewaretoken" value="' in drawn


def test_all_forms_of_a_page_carry_the_same_token(rf):
    page = Template(FORM + FORM).render(RequestContext(rf.get("/")))

    assert len(re.findall(r'value="\w+"', page)) == 2
    assert len(set(re.findall(r'value="(\w+)"', page))) == 1


def test_a_form_without_a_request_fails_loudly():
    with pytest.raises(AttributeError):
        Template(FORM).render(Context())
