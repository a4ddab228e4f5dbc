import pytest
from django.test import Client
from django.urls import reverse

from live.announcements import announce
from live.testing import make_line
from restaurants.testing import sign_in

URL = reverse("live:changes")


@pytest.fixture
def lines(quay, loft):
    return announce([make_line(quay, version=1), make_line(loft, version=2)])


@pytest.fixture
def tablet(bob):
    return sign_in(bob)


class TestChanges:
    def test_it_works(self, tablet, lines, quay):
        answer = tablet.get(URL, {"since": lines[0].pk - 1}).json()

        assert answer["cursor"] == lines[1].pk
        assert answer["complete"] is True
        assert [change["restaurant"] for change in answer["changes"]] == [str(quay.uuid)]

    def test_it_hides_other_groups(self, charlie, lines):
        answer = sign_in(charlie).get(URL, {"since": lines[0].pk - 1}).json()

        assert answer["changes"] == []

    def test_it_tells_a_page_what_it_may_have_missed(self, tablet, lines):
        answer = tablet.get(URL, {"age": "800"}).json()

        assert [change["version"] for change in answer["changes"]] == [1]

    def test_it_answers_304_when_nothing_is_new(self, tablet, lines):
        params = {"since": lines[1].pk}
        first = tablet.get(URL, params)
        again = tablet.get(URL, params, headers={"If-None-Match": first["ETag"]})

        assert (again.status_code, again.content) == (304, b"")

    def test_it_answers_in_full_when_something_is_new(self, tablet, lines, quay):
        params = {"since": lines[1].pk}
        first = tablet.get(URL, params)
        announce([make_line(quay)])
        again = tablet.get(URL, params, headers={"If-None-Match": first["ETag"]})

        assert (again.status_code, len(again.json()["changes"])) == (200, 1)

    def test_it_stays_out_of_shared_caches(self, tablet, lines):
        assert tablet.get(URL)["Cache-Control"] == "private, no-cache"

    @pytest.mark.parametrize("since", ["-1", "soon", "9" * 30])
    def test_it_gives_up_on_a_cursor_that_is_none(self, tablet, lines, since):
        answer = tablet.get(URL, {"since": since}).json()

        assert (answer["complete"], answer["changes"]) == (False, [])

    def test_it_costs_a_handful_of_queries(self, tablet, lines, django_assert_max_num_queries):
        with django_assert_max_num_queries(8):
            tablet.get(URL, {"since": lines[0].pk})

    def test_it_asks_people_to_sign_in(self, db):
        assert Client().get(URL).status_code == 302

    def test_it_answers_get_only(self, tablet):
        assert tablet.post(URL).status_code == 405
