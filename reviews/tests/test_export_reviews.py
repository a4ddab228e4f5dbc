import csv
import io

from auditlog.models import LogEntry

from restaurants.testing import sign_in
from reviews.testing import make_review


def export(user, **address):
    return sign_in(user).get("/reviews/export.csv", address)


def rows_of(response):
    return list(csv.DictReader(io.StringIO(response.getvalue().decode())))


def test_it_works(alice, quay):
    make_review(quay, global_rating="8.5", comment="=nice", comment_status="PUBLISHED")
    (row,) = rows_of(export(alice))

    assert (row["Restaurant"], row["Rating"]) == ("Quay", "8.500")
    assert (row["Comment"], row["Comment status"]) == ("'=nice", "Published")


def test_it_holds_the_restaurants_of_the_screen(alice, quay, loft):
    make_review(quay)
    make_review(loft)

    assert len(rows_of(export(alice, scope=str(loft.uuid)))) == 1


def test_it_hides_other_groups(charlie, quay, cellar):
    make_review(quay)

    assert rows_of(export(charlie)) == []


def test_staff_are_refused(bob):
    assert export(bob).status_code == 403


def test_it_is_written_down(alice, quay):
    export(alice)

    assert LogEntry.objects.get(additional_data__verb="exported reviews").actor == alice
