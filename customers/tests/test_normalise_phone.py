import pytest

from customers.phones import normalise


@pytest.mark.parametrize(
    ("written", "countries", "number"),
    [
        ("+33612345678", [], "+33612345678"),
        ("+33 6 12 34 56 78", [], "+33612345678"),
        ("+33 (0)6 12 34 56 78", [], "+33612345678"),
        ("0033612345678", [], "+33612345678"),
        ("06 12 34 56 78", ["FR"], "+33612345678"),
        ("06.12.34.56.78", ["US", "FR"], "+33612345678"),
        ("(415) 555-2671", ["US"], "+14155552671"),
        ("٠٦١٢٣٤٥٦٧٨", ["FR"], "+33612345678"),
    ],
)
def test_it_works(written, countries, number):
    assert normalise(written, countries=countries) == number


@pytest.mark.parametrize("written", ["", "call the concierge", "+", "12", "+33 12", "-" * 100_000])
def test_it_gives_up_on_what_is_no_number(written):
    assert normalise(written, countries=["FR", "US"]) == ""


def test_it_survives_a_country_that_does_not_exist():
    assert normalise("06 12 34 56 78", countries=["XX", "", "FR"]) == "+33612345678"
