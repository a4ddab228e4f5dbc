"""What a host or a cook reads of a note: the sentence, its words, and how certain it is."""

import re
import tomllib
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import strip_tags

from customers.allergies import mentions
from customers.allergies.kitchen_names import IN_CATALOGUES, kitchen_name, tag_name
from customers.allergies.labels import ALLERGENS, DIETS, name_of
from customers.allergies.lexicon import FOLDER, LANGUAGES
from customers.allergies.mentions import Source, mentions_in, of_fields_and_tags


def read(text, label="Team note"):
    return mentions_in([Source(label, text)])


def marked(mention):
    return [part.text for part in mention.parts if part.is_marked]


def drawn(mention):
    page = render_to_string("components/note_mentions.html", {"mentions": [mention]})
    (title,) = re.findall(r'notice__title">(.*?)</p>', page, re.DOTALL)
    return " ".join(unescape(strip_tags(title)).split())  # also at spaces that do not break


def test_it_works():
    (mention,) = read("Window table. My wife is allergic to nuts! Thanks")

    assert mention.names == ["Nuts"]
    assert mention.is_stated
    assert "".join(part.text for part in mention.parts) == "My wife is allergic to nuts!"
    assert "nuts" in marked(mention)[0]


def test_a_note_without_any_says_nothing():
    assert read("No allergies. Window table please") == []


def test_a_long_sentence_stands_whole_only_once():
    long = "We come from far away for the birthday of my mother, who is 80 and happy to come, "
    first, second = read(f"{long}I am allergic to nuts, and no onions please, {long}thank you")

    assert "".join(part.text for part in first.parts).count("far away") == 2
    words = "".join(part.text for part in second.parts)
    assert "onions" in words
    assert len(words) < 120


def test_what_is_stated_is_never_mixed_with_a_hint():
    stated, hint = read("Allergic to peanuts, no onions please")

    assert (stated.certainty, stated.names) == ("stated", ["Peanuts"])
    assert (hint.certainty, hint.names) == ("maybe", ["Onion"])


def test_the_severe_comes_first():
    texts = [
        "no onions please",
        "lactose intolerant",
        "Anaphylaxis to prawns, carries an EpiPen",
    ]
    first, *others = mentions_in([Source("Note", text) for text in texts])

    assert first.is_severe
    assert not any(one.is_severe for one in others)
    assert [one.is_stated for one in others] == sorted(
        (one.is_stated for one in others), reverse=True
    )


def test_it_says_for_how_many():
    (mention,) = read("2 of us are vegan")

    assert drawn(mention) == "In a note: Vegan · 2 people"


def test_each_name_has_a_number_of_its_own():
    (mention,) = read("1 vegan, 1 kosher, severe sesame allergy")

    assert drawn(mention) == "In a note: Sesame seeds, Vegan ×1, Kosher ×1 severe"


def test_names_are_in_the_language_of_the_reader():
    with translation.override("fr"):
        (mention,) = read("allergic to nuts")

        assert mention.names == ["Fruits à coque"]


def test_a_field_of_the_group_is_read_with_its_label():
    fields = [
        {"label": "Allergy", "value": "nuts"},
        {"label": "Stairs", "value": True},
        {"label": "", "value": None},
    ]
    (mention,) = mentions_in(of_fields_and_tags(fields))

    assert (mention.source, mention.names) == ("Allergy", ["Nuts"])


@pytest.mark.parametrize("tag", ["Nut allergy", "  Allergique aux noix  ", "卵アレルギー"])
def test_of_a_tag_nothing_but_its_own_words_is_quoted(tag):
    (mention,) = mentions_in(of_fields_and_tags([tag]))

    assert "".join(part.text for part in mention.parts).strip() == tag.strip()
    assert "Tag" not in marked(mention)[0]


@pytest.mark.parametrize(
    ("label", "value", "names"),
    [
        ("Nut allergy", True, ["Nuts"]),
        ("Nut allergy", False, []),
        ("Allergic to nuts", False, []),
        ("Nut allergy?", True, ["Nuts"]),
        ("Shellfish", True, ["Crustaceans", "Molluscs"]),
        ("Vegetarians", 2, ["Vegetarian"]),
        ("Vegetarians", 2.0, ["Vegetarian"]),
        ("Vegetarians", 0, []),
        ("Coeliac", "no", []),
        ("Coeliac", "", []),
        ("Coeliac", 10**399, ["Cereals containing gluten", "Gluten-free"]),
    ],
)
def test_a_field_with_a_tick_or_a_number_is_an_answer(label, value, names):
    found = mentions_in(of_fields_and_tags([{"label": label, "value": value}]))

    assert sorted(name for mention in found for name in mention.names) == names


def test_a_note_on_which_the_reader_fails_is_a_hint(monkeypatch):
    """Its booking stands on the boards, and somebody reads the note."""

    def fail(_text):
        raise IndexError

    monkeypatch.setattr(mentions, "read_note", fail)
    [mention] = mentions_in([Source("Note", "some note of which nobody knows")])

    assert [one.code for one in mention.findings] == ["unspecified"]
    assert (mention.certainty, mention.parts[-1].text) == (
        "maybe",
        "some note of which nobody knows",
    )


def test_a_favourite_is_no_hint():
    (mention,) = mentions_in(
        [
            Source("Favourite food", "Aubergine", is_of_favourites=True),
            Source("Favourite food", "Aubergine, allergic to nuts", is_of_favourites=True),
        ]
    )

    assert (mention.is_stated, mention.names) == (True, ["Nuts"])


@pytest.mark.parametrize("text", ["", " ", "\n", "🥜🚫", "allergic to nuts" + " and so on" * 3000])
def test_odd_texts_keep_all_their_words(text):
    for mention in read(text):
        words = "".join(part.text for part in mention.parts)
        assert words in text
        assert len(words) < 600


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_fourteen_have_the_names_of_the_word_lists(language):
    listed = tomllib.loads((FOLDER / f"{language}.toml").read_text())["names"]

    with translation.override(language):
        assert {code: name_of(code) for code in listed} == listed


def test_every_code_of_the_word_lists_has_a_name():
    for language in LANGUAGES:
        listed = tomllib.loads((FOLDER / f"{language}.toml").read_text())
        assert set(listed["allergens"]) <= set(ALLERGENS)
        assert set(listed["diets"]) <= set(DIETS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_kitchen_has_a_name_for_every_code(language):
    named = {code: kitchen_name(code, language) for code in (*ALLERGENS, *DIETS)}

    assert all(named.values())
    if language not in IN_CATALOGUES:
        listed = tomllib.loads((FOLDER / f"{language}.toml").read_text())["names"]
        assert named == listed


@pytest.mark.parametrize(
    ("tag", "named"),
    [
        ("Soy", "Soja (Soy)"),
        ("Low salt", "Pauvre en sel (Low salt)"),
        ("Shellfish", "Crustacés, Mollusques (Shellfish)"),
        ("Nuts and fish", "Nuts and fish"),
        ("No pork", "No pork"),  # “Porc” would say the opposite
        ("Nut free", "Nut free"),
        ("Grandma's diet", "Grandma's diet"),
        ("Halal", "Halal"),
    ],
)
def test_a_tag_is_named_without_changing_what_it_says(tag: str, named: str):
    assert tag_name(tag, "fr") == named
