"""What is wrong with a reply before it leaves."""

import pytest

from reviews.reply.checks import KnownTexts, check, compare

KNOWN = KnownTexts(own_names=("Jo Martin", "Quay"), other_names=("Maria Rossi", "Al Li"))


def codes(text, known=KNOWN):
    return [(finding.code, finding.blocks) for finding in check(text, known)]


def test_it_works():
    assert codes("Dear Jo, thank you for your kind words. See you soon at the Quay!") == []


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("", ("empty", True)),
        (" \n", ("empty", True)),
        ("Dear {first_name}, thank you.", ("variable", True)),
        ("THANK YOU SO VERY MUCH", ("capitals", True)),
        ("Dear Maria, thank you.", ("name", False)),
        ("Write to boss@example.org, please.", ("private", False)),
        ("See www.example.org for more.", ("private", False)),
        ("Call +33 1 99 00 12 34, please.", ("private", False)),
    ],
)
def test_each_mistake_is_found(text, finding):
    assert codes(text) == [finding]


@pytest.mark.parametrize(
    "text",
    [
        "THANKS!",  # too short to be a shout
        "See you on 12.11.2026 at 20:30.",
        "Dear Martin, thank you.",  # the guest's own name
        "The al dente pasta was ours.",  # a short name, and no capital
        "A rossi by another name",
    ],
)
def test_what_only_looks_like_one_passes(text):
    assert codes(text) == []


def test_the_same_text_again_is_only_a_warning():
    known = KNOWN._replace(earlier=("Thank you!", "Thank  you!", "Bye."))

    assert check("Thank you!", known)[0].sentence == (
        "The same text was sent 2 times before by this restaurant."
    )
    assert codes("Thank you!", known) == [("same", False)]


def test_the_text_that_was_sent_back_is_not_sent_again():
    assert codes("Call us.", KNOWN._replace(sent_back="Call  us.")) == [("sent-back", True)]


def test_a_reply_that_is_there_already_is_not_sent_again():
    assert codes("Thanks.", KNOWN._replace(current="Thanks.")) == [("unchanged", True)]


def test_what_blocks_comes_first():
    assert codes("Dear Maria {name}") == [("variable", True), ("name", False)]


def test_a_change_is_shown_word_by_word():
    pieces = compare("Thank you, see you soon.", "Thank you, see you on Monday.")

    assert [(p.kind, p.text) for p in pieces if p.kind != "same"] == [
        ("del", "soon."),
        ("ins", "on Monday."),
    ]
