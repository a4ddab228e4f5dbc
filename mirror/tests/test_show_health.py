"""The health page: who may see it, what it says, and what can be done about what is parked."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from live.models import LatencySample
from mirror import drift
from mirror.health import account_sections, sections
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, Slice, SyncRequest
from mirror.queue import sync_requests
from partner import testing
from partner.http.protocol import DriftItem
from partner.models import Budget, Token
from restaurants.testing import sign_in

INDEX = "/setup/mirror/"
AGAIN = "/setup/mirror/parked/again/"


@pytest.fixture
def dora_client(dora):
    return sign_in(dora)


@pytest.fixture
def parked(db):
    sync_requests.request(
        [EntityRef("reservation", uuid4(), EntityLocation())],
        priority=Priority.EVENT,
        now=timezone.now(),
    )
    row = SyncRequest.objects.get()
    row.state, row.sentence = SyncRequest.State.PARKED, "This booking belongs to somebody else."
    row.evidence = '{"statusCode": 401}'
    row.save()
    return row


def section(name):
    return {part.name: part for part in sections.sections(timezone.now())}[name]


class TestShowHealth:
    def test_it_works(self, dora_client, parked):
        page = dora_client.get(INDEX).content.decode()

        assert "1 record could not be read." in page
        assert "Health, “Needs attention”, says why." in page
        assert "This booking belongs to somebody else." in page
        assert "{&quot;statusCode&quot;: 401}" in page

    @pytest.mark.parametrize(("states", "state"), [("ff", "late"), ("fd", "good"), ("dd", "good")])
    def test_a_comparison_of_which_no_list_of_a_place_came_is_no_good_one(self, db, states, state):
        """It had ended, and nothing else counts what it could not list."""
        now = timezone.now()
        known = {"since": now.date(), "until": now.date()}
        sweep = Job.objects.create(
            **known, purpose="sweep", state="done", started_at=now, ended_at=now,
            connection=(account := testing.connection()),
        )  # fmt: skip
        words = {"f": "failed", "d": "done"}
        for place, word in enumerate(states + "d"):  # the last is listed from the copy
            by = "known" if place == len(states) else "mealDate"
            Slice.objects.create(
                **known, job=sweep, position=place, kind="review", by=by,
                not_before=now, state=words[word],
            )  # fmt: skip

        assert section("sweep").state == state
        assert ("2 lists" in section("sweep").sentence) is (state == "late")

        Token.objects.update_or_create(
            connection=account,
            identity=account.identity,
            defaults={"scopes": "svc-restaurant:reservations"},
        )
        assert section("sweep").state == "good", "a right that is missing is no fault"

    def test_a_booking_of_a_restaurant_that_is_not_set_up_is_no_fault(self, dora_client, parked):
        """While the first of twelve restaurants was set up, 2,950 “could not be read”."""
        testing.connection()
        SyncRequest.objects.update(problem="unplaced")

        queue = section("queue")
        assert (queue.state, queue.facts["failed"], queue.facts["unplaced"]) == ("good", 1, 1)
        page = dora_client.get(INDEX).content.decode()
        assert "could not be read." not in page
        assert "This booking belongs to somebody else." in page  # with what to do

    def test_visitors_are_sent_to_the_sign_in(self, client, db):
        assert client.get(INDEX).status_code == 302

    @pytest.mark.parametrize("url", [INDEX, "/setup/mirror/backfills/"])
    def test_it_needs_the_right(self, alice, bob, url):
        assert sign_in(alice).get(url).status_code == 403
        assert sign_in(bob).get(url).status_code == 403

    def test_without_a_connection_it_says_so(self, dora_client):
        page = dora_client.get(INDEX).content.decode()

        assert "No connection to the service is set up yet." in page
        assert "All good." not in page


class TestQueueSection:
    def test_it_works(self, parked):
        now = timezone.now()
        refs = [EntityRef("reservation", uuid4(), EntityLocation()) for _ in range(4)]
        sync_requests.request(refs, priority=Priority.EVENT, now=now - timedelta(seconds=90))
        held, again, *_unread = sync_requests.claim(limit=2, now=now)
        SyncRequest.objects.filter(pk=again.pk).update(state="waiting", served=again.request_count)
        figures = section("queue").facts

        counts = {name: figures[name] for name in ("waiting", "scheduled", "in_flight", "failed")}
        assert counts == {"waiting": 2, "scheduled": 1, "in_flight": 1, "failed": 1}
        assert 90 <= figures["oldest_age_seconds"] < 100

    def test_it_is_late_by_hours_not_by_14432_seconds(self, db):
        long_ago = timezone.now() - timedelta(hours=4, seconds=32)
        refs = [EntityRef("reservation", uuid4(), EntityLocation())]
        sync_requests.request(refs, priority=Priority.EVENT, now=long_ago)

        assert section("queue").sentence.endswith("has been waiting for 4\xa0hours.")

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="a small table is read whole there")
    def test_it_looks_at_no_settled_row(self, db):
        with CaptureQueriesContext(connection) as queries:
            account_sections.queue_figures(timezone.now())
        with connection.cursor() as cursor:
            plans = [
                cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall()[0][3]
                for query in queries
            ]

        indexes = ("request_waiting", "request_working", "request_parked")
        assert [plan.split("INDEX ")[-1].split()[0] for plan in plans] == list(indexes)


class TestParked:
    def test_one_is_tried_again(self, dora_client, parked):
        dora_client.post(AGAIN, {"row": parked.pk})
        parked.refresh_from_db()

        assert (parked.state, parked.priority) == (SyncRequest.State.WAITING, Priority.PERSON)

    def test_all_are_tried_again(self, dora_client, parked):
        dora_client.post(AGAIN)

        assert not SyncRequest.objects.filter(state=SyncRequest.State.PARKED).exists()

    @pytest.mark.parametrize("row", ["x", "²", "9" * 400, "-1"])
    def test_a_nonsense_row_tries_nothing(self, dora_client, parked, row):
        assert dora_client.post(AGAIN, {"row": row}).status_code == 302
        assert SyncRequest.objects.filter(state=SyncRequest.State.PARKED).exists()

    def test_one_is_given_up(self, dora_client, parked):
        dora_client.post(f"/setup/mirror/parked/{parked.pk}/give-up/")
        parked.refresh_from_db()

        assert (parked.state, parked.sentence) == (
            SyncRequest.State.SETTLED,
            "This booking belongs to somebody else.",
        )

    def test_it_needs_the_right(self, bob, parked):
        bobs = sign_in(bob)

        assert bobs.post(AGAIN).status_code == 403
        assert bobs.post(f"/setup/mirror/parked/{parked.pk}/give-up/").status_code == 403

    def test_looking_changes_nothing(self, dora_client, parked):
        assert dora_client.get(AGAIN).status_code == 405


class TestTokenSection:
    def test_it_works(self, db):
        testing.connection()
        token = Token.objects.get()
        facts = section("token").facts

        assert facts["state"] == "valid"
        assert facts["expires_at"] > timezone.now().isoformat()
        assert "svc-restaurant" in facts["scopes"]
        assert token.access_token not in str(section("token"))

    def test_what_is_down_is_red_and_comes_first(self, dora_client):
        testing.connection()
        Token.objects.update(
            is_refused=True, paused_until=timezone.now() + timedelta(minutes=5), usable_until=None
        )
        page = dora_client.get(INDEX)
        (block,) = page.context["page"].blocks
        states = [part.state for part in block.cards]

        assert (states[0], states[-1]) == ("down", "good")
        assert states.index("good") > max(
            at for at, state in enumerate(states) if state in {"late", "down"}
        )
        assert "notice--bad" in page.text

    def test_a_refused_secret_is_down(self, db):
        testing.connection()
        Token.objects.update(
            is_refused=True, paused_until=timezone.now() + timedelta(minutes=5), usable_until=None
        )

        assert (section("token").state, section("token").facts["state"]) == (
            sections.DOWN,
            "refused",
        )

    def test_no_connection_is_new(self, db):
        assert section("token").state == sections.NEW


class TestApiSection:
    def test_it_works(self, db):
        testing.connection(requests_per_minute=600)

        assert section("api").state == sections.GOOD
        assert section("api").facts["contract_per_minute"] == 600

    def test_an_open_circuit_is_down(self, db):
        connection = testing.connection()
        soon = timezone.now().timestamp() + 30
        Budget.objects.update_or_create(
            connection=connection, defaults={"rate": 5, "open_until": soon}
        )

        assert section("api").state == sections.DOWN

    @pytest.mark.parametrize(
        ("minutes", "is_open", "state", "sentence"),
        [
            (0, True, sections.DOWN, "The service answers with something else"),
            (14, False, sections.LATE, "The service answered with something else"),
            (16, False, sections.GOOD, "The service answers."),
            (16, True, sections.DOWN, "The service is away."),
        ],
    )
    def test_odd_answers_are_reported_until_a_while_after(
        self, db, minutes, is_open, state, sentence
    ):
        now = timezone.now().timestamp()
        facts = {"rate": 5, "odd_at": now - 60 * minutes, "open_until": is_open * (now + 30)}
        Budget.objects.update_or_create(connection=testing.connection(), defaults=facts)

        assert section("api").state == state
        assert section("api").sentence.startswith(sentence)


class TestScreenSection:
    @pytest.mark.parametrize("fault", ["", "refused", "revoked", "away"])
    def test_it_works(self, quay, fault):
        now = timezone.now()
        account = testing.connection()
        soon = now + timedelta(minutes=5)
        faults = {"refused": {"is_refused": True, "paused_until": soon}}
        faults |= {"revoked": {"suspect_since": now}}
        Token.objects.filter(connection=account).update(**faults.get(fault, {}))
        pace = {"rate": 5, "open_until": soon.timestamp() if fault == "away" else 0}
        Budget.objects.update_or_create(connection=account, defaults=pace)
        step = timedelta(milliseconds=10)
        LatencySample.objects.create(
            kind="reservation",
            uuid=uuid4(),
            version=2,
            group_id=quay.group_id,
            restaurant_id=quay.pk,
            received_at=now - 2 * step,
            fetched_at=now - step,
            stored_at=now,
            announced_at=now + step,
            painted_at=now + 2 * step,
        )

        assert section("screen").facts["total"] == {"ways": 1, "p50_ms": 40, "p95_ms": 40}
        assert ("40 ms" in section("screen").sentence) is not bool(fault)
        assert section("screen").state == (sections.PAUSED if fault else sections.GOOD)

    def test_nobody_looking_is_no_fault(self, db):
        assert section("screen").state == sections.NEW


def test_what_differs_from_the_contract_is_named_in_words(dora_client):
    """A time without a zone is listed too, but the contract leaves it open: it is not counted."""
    found = [
        DriftItem("unknown field", "loyalty"),
        DriftItem("unknown word", "reservationChannel", "Booking Agent"),
        DriftItem("naive time", "createdAt"),
    ]
    drift.count_findings(
        [("reservation", one) for one in found], answers={"reservation": 1}, now=timezone.now()
    )

    page = dora_client.get(INDEX).content.decode()

    assert "2 fields or words are not in the contract." in page
    assert "reservation: unknown field: loyalty" in page
    assert "reservation: unknown word: reservationChannel = Booking Agent" in page
    assert "DriftItem" not in page
