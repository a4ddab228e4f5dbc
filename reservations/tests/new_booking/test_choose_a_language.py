"""The language of a new guest: any that the contract's `locale` can name, and nothing else."""

import pytest
from django.utils.translation import override

from customers.testing import make_customer
from outbox.models import Intent
from partner.payloads.bodies import locale
from reservations.new_booking.locales import OTHER, USUAL, guest_language_choices
from reservations.tests.new_booking.steps import (
    GUEST,
    MENU,
    address,
    look,
    send,
    text_of,
)
from restaurants.testing import sign_in

pytestmark = pytest.mark.usefixtures("before_dinner")


def every_choice():
    found: list[tuple[str, str]] = []
    for value, label in guest_language_choices():
        found += label if isinstance(label, list) else [(value, label)]
    return [value for value, _label in found if value not in ("", OTHER)]


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_language_in_the_list_may_be_sent(language):
    with override(language):
        assert [locale(code) for code in every_choice()] == every_choice()
        assert len(set(every_choice())) == len(every_choice()) > 90
        assert set(USUAL) < set(every_choice())


@pytest.mark.parametrize("code", ["el", "he", "pt_BR", "es_MX"])
def test_a_language_beyond_the_usual_ones_is_sent(api, bob, quay, code):
    assert send(bob, quay, locale=code).status_code == 302
    assert Intent.objects.get().payload["customer"]["locale"] == code


@pytest.mark.parametrize(
    ("typed", "sent"), [("tl", "tl"), ("pt_AO", "pt_AO"), ("de-at", "de_AT"), (" YO ", "yo")]
)
def test_a_language_without_a_name_is_sent_by_its_code(api, bob, quay, typed, sent):
    assert send(bob, quay, locale=OTHER, locale_code=typed).status_code == 302
    assert Intent.objects.get().payload["customer"]["locale"] == sent


@pytest.mark.parametrize("typed", ["", "greek", "f", "fr_FRA", "1a", "zh-Hans", "él"])
def test_what_is_no_locale_is_not_sent(api, bob, quay, typed):
    answer = send(bob, quay, locale=OTHER, locale_code=typed)

    assert answer.status_code == 422
    assert not Intent.objects.exists()


def test_a_wrong_code_is_explained_beside_it_and_kept(api, bob, quay):
    page = text_of(send(bob, quay, locale=OTHER, locale_code="greek"))

    assert "A language is written like fr or fr_FR." in page
    assert 'value="greek"' in page


def test_a_code_is_looked_at_only_where_no_name_was_chosen(api, bob, quay):
    send(bob, quay, locale="fr_FR", locale_code="greek!")

    assert Intent.objects.get().payload["customer"]["locale"] == "fr_FR"


def test_a_language_that_is_not_in_the_list_is_not_taken_as_a_name(api, bob, quay):
    assert send(bob, quay, locale="klingon").status_code == 422


def test_offers_are_requested_in_the_chosen_language(api, bob, quay):
    api.reply("list_timeslots", (200, []))
    send(bob, quay, locale=OTHER, locale_code="pt-ao", state={"offer": MENU})

    assert "locale=pt_AO" in api.sent("list_offers")[0].path


def test_the_labels_are_in_the_readers_language(api, bob, quay):
    bob.language = "fr"
    bob.save()

    assert '<option value="el">Grec</option>' in text_of(look(bob, quay))


def test_a_known_language_is_not_in_the_form(api, bob, quay, harbour):
    guest = make_customer(harbour, email="m@example.org", locale="el_CY", civility="mrs")
    page = sign_in(bob).post(address(quay), {"guest": guest.uuid})

    assert "id_locale" not in text_of(page)
    send(bob, quay, guest=guest.uuid, **dict.fromkeys(GUEST))
    assert Intent.objects.get().payload["customer"]["locale"] == "el_CY"
