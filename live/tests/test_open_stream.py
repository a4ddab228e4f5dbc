"""The stream as a browser gets it: events and their data, from the real view and poller."""

import json

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.urls import reverse

from live import sse
from live.announcements import announce
from live.testing import make_line, make_screen
from restaurants.testing import sign_in

URL = reverse("live:stream")


@pytest.fixture
def opened(web):
    """Open a stream and read from it, event by event."""
    answers = []

    def open_stream(client, **request):
        answer = client.get(URL, **request)
        answers.append(answer)
        return answer, events(answer)

    yield open_stream
    for answer in answers:
        answer.close()


def events(answer):
    """Yield (event, data, id) of a stream for as long as it lasts."""
    for chunk in answer.streaming_content:
        for block in chunk.decode().strip().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n"))
            if "event" in fields:
                yield fields["event"], json.loads(fields["data"]), fields.get("id")


class TestStream:
    def test_it_works(self, opened, cast):
        announce([make_line(cast.loft)])
        _answer, stream = opened(sign_in(cast.bob))
        assert next(stream)[0] == "beat"
        line = announce([make_line(cast.quay, version=4)])[0]

        assert next(stream) == (
            "change",
            {
                "kind": "reservation",
                "uuid": str(line.uuid),
                "version": 4,
                "restaurant": str(cast.quay.uuid),
            },
            None,
        )
        name, _data, number = next(stream)
        assert (name, number) == ("beat", str(line.pk))

    def test_it_hides_other_groups(self, opened, cast):
        _answer, stream = opened(sign_in(cast.charlie))
        next(stream)
        announce([make_line(cast.quay), make_line(cast.cellar, version=6)])

        assert next(stream)[1]["version"] == 6

    def test_it_resumes_without_a_gap(self, opened, cast):
        lines = announce(make_line(cast.quay, version=version) for version in (1, 2, 3))
        resumed = {"Last-Event-ID": str(lines[0].pk)}
        _answer, stream = opened(sign_in(cast.bob), headers=resumed)

        assert [next(stream)[1]["version"] for _ in range(2)] == [2, 3]
        name, _data, number = next(stream)
        assert (name, number) == ("beat", str(lines[2].pk))

    def test_it_believes_the_browser_more_than_the_address(self, opened, cast):
        lines = announce(make_line(cast.quay, version=version) for version in (1, 2, 3))
        params = {"data": {"since": 0}, "headers": {"Last-Event-ID": str(lines[1].pk)}}
        _answer, stream = opened(sign_in(cast.bob), **params)

        assert next(stream)[1]["version"] == 3

    def test_it_tells_a_new_page_what_it_may_have_missed(self, opened, cast):
        announce([make_line(cast.quay, version=4)])
        _answer, stream = opened(sign_in(cast.bob), data={"age": 900})

        assert next(stream)[1]["version"] == 4

    def test_it_tells_a_screen_that_slept_too_long_to_start_over(self, opened, cast):
        announce([make_line(cast.quay)])
        _answer, stream = opened(sign_in(cast.bob), data={"since": 10**9})

        assert next(stream)[0] == "resync"

    def test_it_is_neither_kept_nor_held_back(self, opened, cast):
        answer, _stream = opened(sign_in(cast.bob))

        assert answer["Content-Type"] == "text/event-stream"
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Accel-Buffering"] == "no"
        assert "Content-Encoding" not in answer

    def test_it_holds_no_database_connection(self, opened, cast):
        _answer, stream = opened(sign_in(cast.bob))
        next(stream)

        assert connection.connection is None

    def test_it_beats_when_nothing_happens(self, opened, cast, monkeypatch):
        monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0)
        _answer, stream = opened(sign_in(cast.bob))

        assert [next(stream)[0] for _ in range(3)] == ["beat", "beat", "beat"]

    def test_it_ends_after_a_while(self, opened, cast, monkeypatch):
        monkeypatch.setattr(sse, "LIFE_SECONDS", 0)
        _answer, stream = opened(sign_in(cast.bob))

        assert [name for name, _data, _id in stream] == ["beat"]

    def test_it_ends_when_the_person_signs_out(self, opened, cast, monkeypatch):
        monkeypatch.setattr(sse, "RECHECK_SECONDS", 0)
        monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0)
        client = sign_in(cast.bob)
        _answer, stream = opened(client)
        assert [next(stream)[0] for _ in range(2)] == ["beat", "beat"]
        client.logout()

        assert [name for name, _data, _id in stream] == ["signed-out"]

    def test_it_ends_when_the_account_is_closed(self, opened, cast, monkeypatch):
        monkeypatch.setattr(sse, "RECHECK_SECONDS", 0)
        _answer, stream = opened(sign_in(cast.bob))
        next(stream)
        get_user_model().objects.filter(pk=cast.bob.pk).update(is_active=False)
        announce([make_line(cast.quay)])

        assert [name for name, _data, _id in stream] == ["signed-out"]

    def test_it_makes_a_page_leave_a_restaurant_that_was_taken_away(
        self, opened, cast, monkeypatch
    ):
        monkeypatch.setattr(sse, "RECHECK_SECONDS", 0)
        _answer, stream = opened(sign_in(cast.bob))
        next(stream)
        cast.bob.memberships.all().delete()
        announce([make_line(cast.quay)])

        assert next(stream)[0] == "resync"  # and each part of the page is refused
        assert next(stream)[0] == "beat"

    def test_it_gives_way_to_the_next_stream_of_the_browser(self, opened, cast):
        client = sign_in(cast.bob)
        _answer, first = opened(client)
        next(first)
        opened(client)

        assert [name for name, _data, _id in first] == ["superseded"]

    def test_it_is_let_go_when_it_is_closed_unread(self, web, opened, cast):
        answer, _stream = opened(sign_in(cast.bob))
        assert len(web) == 1
        answer.close()

        assert len(web) == 0

    def test_it_sends_a_screen_too_many_away_to_poll(self, web, cast, monkeypatch):
        monkeypatch.setattr(web, "capacity", 1)
        web.join(make_screen(cast.alice))

        assert sign_in(cast.bob).get(URL).status_code == 204

    @pytest.mark.django_db
    def test_it_asks_people_to_sign_in(self):
        assert Client().get(URL).status_code == 302

    @pytest.mark.django_db
    def test_it_answers_get_only(self, bob):
        assert sign_in(bob).post(URL).status_code == 405
