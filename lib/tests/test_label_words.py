import pytest
from django.utils.translation import override

from lib.labels import (
    as_locale,
    label_of,
    language_choices,
    language_label,
    readable,
    value_label,
)


def test_it_works():
    assert label_of("BILL", {"BILL": "Bill"}) == "Bill"


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("VERY_NEW", "Very new"),
        ("very_new", "Very new"),
        ("veryNew", "Very new"),
        ("Walk-in", "Walk-in"),
        ("Cross Sell", "Cross sell"),
        ("", ""),
        ("__", "__"),
    ],
)
def test_a_word_without_a_label_is_made_readable(word, shown):
    assert label_of(word, {}) == readable(word) == shown


@pytest.mark.parametrize(
    ("locale", "language", "shown"),
    [
        ("pt_BR", "en", "Brazilian Portuguese"),
        ("pt_BR", "fr", "Portugais brésilien"),
        ("pt_BR", "es", "Portugués de Brasil"),
        ("fr_CA", "en", "French"),
        ("zh", "fr", "Chinois"),
        ("fil_PH", "es", "Filipino"),
        ("xx_XX", "en", "Other language (xx)"),
        ("", "en", ""),
    ],
)
def test_a_locale_is_the_name_of_its_language(locale, language, shown):
    with override(language):
        assert language_label(locale) == shown


@pytest.mark.parametrize(
    ("code", "locale"),
    [("pt-br", "pt_BR"), (" PT_br ", "pt_BR"), ("EL", "el"), ("fr_FR", "fr_FR"), ("", "")],
)
def test_a_code_is_written_as_the_service_writes_it(code, locale):
    assert as_locale(code) == locale


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_language_with_a_name_can_be_chosen_once(language):
    with override(language):
        found = language_choices(with_countries=True)
        labels = dict(found)

        assert len(found) > 90
        assert len(set(labels.values())) == len(labels) == len(found)
        assert {"el", "he", "tl", "pt_BR", "no"} <= set(labels)
        assert labels["pt_BR"] == language_label("pt_BR")
        assert {code for code, _label in language_choices()} == {
            code for code in labels if "_" not in code
        }


def test_languages_are_in_the_order_of_the_readers_words():
    with override("fr"):
        codes = [code for code, _label in language_choices()]

        assert codes.index("de") < codes.index("en") < codes.index("el")  # Allemand, Anglais, Grec
        assert "Norvégien" in dict(language_choices()).values()


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [
        (True, "boolean", "Oui"),
        (False, "boolean", "Non"),
        ("false", "boolean", "Non"),
        ("false", "string", "false"),
        (12.0, "integer", "12"),
        (0, "integer", "0"),
        (2.5, "integer", "2,5"),
        (None, "string", ""),
        (["a", True], "string", '["a", true]'),
    ],
)
def test_a_custom_field_speaks_the_readers_language(value, kind, shown):
    with override("fr"):
        assert value_label(value, kind=kind) == shown
