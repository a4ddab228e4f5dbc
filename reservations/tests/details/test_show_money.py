"""A bill is shown with all its decimals, wherever it is shown."""

import csv
import io
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from openpyxl import load_workbook

from customers.testing import make_customer
from mirror.models import Change
from reservations.testing import DINNER, make_reservation
from reservations.tests.test_sync_reservations import build, stored
from restaurants.testing import sign_in

BILLS = [
    (87.455, "TND", "87.455"),
    (87.4, "TND", "87.400"),
    (12, "KWD", "12.000"),
    (87.455, "EUR", "87.455"),
    (186.4, "EUR", "186.40"),
    (1200, "JPY", "1,200"),
    (1200.0, "JPY", "1,200"),
]


@pytest.fixture(autouse=True)
def _next_day():
    with time_machine.travel(DINNER + timedelta(days=1), tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, is_promoter=True)


@pytest.fixture
def read_booking(quay, guest):
    """Store a booking with a bill as a read of the service would have."""

    def read_booking(total, currency):
        bill = {"totalPrice": total, "currency": currency}
        return stored(build(quay, customerUuid=str(guest.pk), billAmount=bill))

    return read_booking


def page(user, address, **query):
    response = sign_in(user).get(address, query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(("total", "currency", "amount"), BILLS)
def test_a_bill_is_shown_with_all_its_decimals(alice, read_booking, total, currency, amount):
    row = read_booking(total, currency)
    words = f"{amount} {currency}"
    guest = page(alice, f"/customers/{row.customer_id}/")

    assert f">{words}<" in page(alice, row.get_absolute_url())
    assert guest.count(f">{words}<") == 2  # among the visits, and in the months of a promoter
    assert words in page(alice, "/reservations/open-past/")


@pytest.mark.parametrize(
    ("bills", "currency", "mean"),
    [((10, 10.001), "TND", "10.001"), ((10, 15), "JPY", "13"), ((10, 15.5), "EUR", "12.75")],
)
def test_a_mean_has_the_decimals_of_its_currency(alice, read_booking, bills, currency, mean):
    for bill in bills:
        row = read_booking(bill, currency)

    assert f">{mean}<" in page(alice, f"/customers/{row.customer_id}/")
    assert f"{mean} {currency}" in page(alice, "/customers/")


@pytest.mark.parametrize(("total", "currency", "amount"), BILLS)
def test_a_sheet_holds_all_its_decimals(alice, read_booking, total, currency, amount):
    read_booking(total, currency)
    ungrouped = amount.replace(",", "")
    client = sign_in(alice)
    text = client.get("/reservations/export.csv", {"day": "2026-01-17"}).getvalue().decode()
    (line,) = csv.DictReader(io.StringIO(text, newline=""))
    book = client.get("/reservations/export.xlsx", {"day": "2026-01-17"})
    header, cells = load_workbook(io.BytesIO(book.getvalue())).active.iter_rows(values_only=True)

    assert (line["Bill"], line["Currency"]) == (ungrouped, currency)
    assert Decimal(str(cells[header.index("Bill")])) == Decimal(ungrouped)


def test_the_history_of_a_bill_has_its_decimals(alice, quay, read_booking):
    row = read_booking(87.455, "TND")
    known = {"uuid": row.uuid, "kind": "reservation", "seen_at": DINNER, "version": 2}
    Change.objects.create(field="bill_amount", before="80.000", after="87.455", **known)

    html = page(alice, row.get_absolute_url())
    assert "<del>80.000 TND</del>" in html
    assert "<ins>87.455 TND</ins>" in html


def test_the_price_of_an_offer_has_its_decimals(alice, quay):
    row = make_reservation(
        quay, offer_type="presetMenu", offer_price=Decimal("48.750"), offer_currency="TND"
    )

    assert "48.750 TND" in page(alice, row.get_absolute_url())
