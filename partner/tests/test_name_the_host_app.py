"""The app in which restaurants work with the service has a name, which sentences use."""

import pytest
from django.template import Context, Template
from django.utils import translation

from partner import testing
from partner.tests.test_show_connection import GOOD, page, post
from partner.wording import words
from partner.wording.names import HOST_APP_NAMES, OPENS_SETUP, host_app

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(cast, signed_in):
    return signed_in(cast.dora)


def next_step():
    return str(words.BY_CODE["CANCELLATION_ERROR"].next_step)


def test_it_works(admin):
    testing.connection()
    post(admin, "save", {**GOOD, "host_app_name": "Tableside"})

    assert next_step() == "Open it in Tableside."
    assert 'value="Tableside"' in page(admin).content.decode()


def test_without_a_name_a_neutral_phrase_is_used():
    assert next_step() == "Open it in the reservation app."
    with translation.override("fr"):
        assert next_step() == "Ouvrez-la dans l’application de réservation."


def test_a_template_names_and_escapes_it():
    testing.connection(host_app_name="<Tableside>")
    HOST_APP_NAMES.clear()
    written = "{% blocktranslate trimmed %}Open {{ app }}{% endblocktranslate %}"
    written = "{% load i18n service_words %}{% host_app as app %}" + written

    assert Template(written).render(Context()) == "Open &lt;Tableside&gt;"


@pytest.mark.parametrize(
    ("opens_setup", "words_of_it"), [(True, "Setup → Connection"), (False, "whoever set up")]
)
def test_nobody_is_sent_to_a_set_up_that_they_cannot_open(opens_setup, words_of_it):
    token = OPENS_SETUP.set(lambda: opens_setup)
    try:
        assert words_of_it in words.next_step("", kind="missing_scope")
    finally:
        OPENS_SETUP.reset(token)


def test_it_costs_no_query_twice(django_assert_num_queries):
    HOST_APP_NAMES.clear()

    with django_assert_num_queries(1):
        host_app()
        host_app()
