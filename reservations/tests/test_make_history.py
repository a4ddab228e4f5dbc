from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from customers.models import Customer
from reservations.models import Reservation
from restaurants.models import Restaurant


@pytest.fixture(autouse=True)
def _bench(settings):
    settings.BENCH = True


def make(*, reservations=600, **options):
    call_command("make_history", reservations=reservations, restaurants=3, verbosity=0, **options)


@pytest.mark.django_db
def test_it_works(capsys):
    make()

    assert Reservation.objects.count() == 600
    assert Customer.objects.count() == 180
    assert "600 reservations and 180 guests" in capsys.readouterr().out


@pytest.mark.django_db
def test_the_rows_are_as_the_mirror_would_have_filed_them():
    make()

    for row in Reservation.objects.select_related("restaurant")[:50]:
        known = (row.service_day, row.local_minutes)
        row.set_service_day()
        assert (row.service_day, row.local_minutes) == known


@pytest.mark.django_db
def test_the_busy_day_is_today_and_the_same_however_long_the_history():
    make(reservations=12_000, customers=10)
    today = Reservation.objects.for_day(timezone.localdate())

    first = Restaurant.objects.get(name="Table 1")
    assert today.for_restaurants([first.pk]).count() == 300
    assert today.count() == 300 + 2 * 195


@pytest.mark.django_db
def test_the_history_reaches_two_years_back():
    make()
    two_years_ago = timezone.localdate() - timedelta(days=720)

    assert Reservation.objects.filter(service_day__lt=two_years_ago).exists()


@pytest.mark.django_db
def test_another_seed_adds_more():
    make()
    make(seed=2)

    assert Reservation.objects.count() == 1200
    assert Restaurant.objects.count() == 3


@pytest.mark.django_db
def test_it_is_refused_in_production(settings):
    settings.BENCH = settings.DEBUG = False

    with pytest.raises(CommandError):
        make()
