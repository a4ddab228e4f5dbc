"""The tour of the demo: only there, left and resumed, one step after the other."""

import pytest

from restaurants.testing import sign_in
from restaurants.tour.pages import Tour
from restaurants.tour.steps import TOUR_STEPS

AWAY = "http://127.0.0.1:9"  # nothing listens there


def tour(*played: str, is_on: bool = True) -> Tour:
    return Tour({"tour": {"is_on": is_on, "played": {name: ["", ""] for name in played}}})


def test_it_works():
    names = [step.name for step in TOUR_STEPS]

    assert names == ["late-party", "angry-review", "outage"]
    assert tour().following == TOUR_STEPS.named("late-party")


def test_it_goes_on_where_it_was_left():
    begun = tour("late-party")

    assert begun.last == TOUR_STEPS.named("late-party")
    assert (begun.number, begun.following) == (1, TOUR_STEPS.named("angry-review"))
    assert tour("late-party", "angry-review", "outage").following is None


def test_a_step_that_is_played_again_is_the_last_one(quay):
    again = tour("late-party", "angry-review").with_played(TOUR_STEPS.named("late-party"), "", quay)

    assert Tour({"tour": again}).last == TOUR_STEPS.named("late-party")


@pytest.mark.parametrize("path", ["/tour/", "/tour/end/", "/tour/outage/"])
def test_outside_the_demo_there_is_none(alice, path):
    assert sign_in(alice).get(path).status_code == 404
    assert sign_in(alice).post("/tour/outage/play/").status_code == 404


class TestInTheDemo:
    @pytest.fixture
    def client(self, alice, settings):
        settings.DEMO_SANDBOX = AWAY
        return sign_in(alice)

    def test_its_steps_and_its_end_are_shown(self, client):
        assert "Make a party of 8 arrive late" in client.get("/tour/").content.decode()
        assert "make start" in client.get("/tour/end/").content.decode()
        assert "A tour of five minutes" in client.get("/reviews/").content.decode()

    def test_a_sandbox_that_does_not_answer_is_reported(self, client):
        page = client.post("/tour/outage/play/", follow=True).content.decode()

        assert "The sandbox does not answer" in page

    def test_a_step_that_was_not_played_shows_the_list(self, client):
        assert client.get("/tour/outage/").headers["Location"] == "/tour/"

    def test_it_is_left(self, client):
        session = client.session
        session["tour"] = {"is_on": True, "played": {"outage": ["", ""]}}
        session.save()
        assert "Leave the tour" in client.get("/reviews/").content.decode()

        client.post("/tour/leave/")

        assert "Leave the tour" not in client.get("/reviews/").content.decode()
