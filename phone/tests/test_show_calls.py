"""The log of calls, and the card of a caller on every screen."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone

from customers.testing import make_customer
from outbox.models import Intent
from phone.calls.pages import PER_PAGE
from phone.calls.views import MOST_CARDS
from phone.models import Call
from phone.testing import EVENING, NUMBER, make_call, make_system
from reservations.testing import make_intent
from restaurants.testing import make_member, make_restaurant, make_user, sign_in


@pytest.fixture
def get(alice):
    client = sign_in(alice)
    return lambda path="": client.get(f"/phone/{path}").content.decode()


class TestCounter:
    """Missed calls beside the menus, on every screen of those who may see calls."""

    @pytest.fixture
    def missed(self, quay):
        def missed(restaurant=quay, **fields):
            began = timezone.now() - timedelta(hours=2)
            return make_call(restaurant, **{"began_at": began, "missed_at": began} | fields)

        return missed

    def count(self, user, address="/"):
        waiting = sign_in(user).get(address).context["shell"].queues
        return {str(one.queue.label): one.count for one in waiting}.get("Missed calls", 0)

    def test_it_works(self, alice, missed, get):
        missed()

        assert self.count(alice) == 1
        assert 'href="/phone/?outcome=missed"' in get()

    def test_a_caller_who_rings_thrice_waits_once(self, alice, missed):
        for _time in range(3):
            missed()

        assert self.count(alice) == 1

    def test_spoken_to_they_wait_no_more(self, alice, missed, quay):
        missed()
        now = timezone.now()
        make_call(quay, began_at=now, answered_at=now)

        assert self.count(alice) == 0

    def test_any_restaurant_of_the_group_may_have_spoken_to_them(self, alice, missed, loft):
        missed()
        now = timezone.now()
        make_call(loft, began_at=now, answered_at=now)

        assert self.count(alice) == 0

    def test_a_talk_with_another_group_is_no_answer(self, alice, missed, cellar):
        missed()
        now = timezone.now()
        make_call(cellar, began_at=now, answered_at=now)

        assert self.count(alice) == 1

    def test_an_earlier_talk_is_no_answer(self, alice, missed, quay):
        before = timezone.now() - timedelta(hours=3)
        make_call(quay, began_at=before, answered_at=before)
        missed()

        assert self.count(alice) == 1

    def test_what_nobody_can_call_back_is_left_out(self, alice, missed):
        missed(number="")
        missed(began_at=timezone.now() - timedelta(days=1))

        assert self.count(alice) == 0

    def test_it_is_of_the_screen_s_restaurants(self, alice, charlie, missed, loft):
        missed(loft)

        assert self.count(alice, f"/?scope={loft.uuid}") == 1
        assert self.count(alice, f"/?scope={loft.group.restaurants.get(name='Quay').uuid}") == 0
        assert self.count(charlie) == 0

    def test_it_is_for_those_who_may_see_calls(self, bob, missed, without_right):
        missed()
        without_right("phone.view_call")

        assert self.count(bob) == 0


class TestSeveralZones:
    """Beside each other local times say neither when nor in what order."""

    @pytest.fixture
    def places(self, quay, harbour):
        zones = ["Asia/Tokyo", "Pacific/Honolulu", "Asia/Kolkata"]
        return [quay, *(make_restaurant(harbour, name=zone, timezone=zone) for zone in zones)]

    def test_each_time_has_its_zone_and_a_day_that_differs(self, get, places):
        for place in places:
            make_call(place)
        times = re.findall(r'<time class="call-row__time[^>]*>(.*?)</time>', get(), re.DOTALL)

        assert sorted(" ".join(re.sub("<.*?>", " ", one).split()) for one in times) == [
            "08:00 UTC\N{MINUS SIGN}10",
            "19:00 UTC+1",
            "23:30 UTC+5:30",
            "Sun 03:00 UTC+9",
        ]

    def test_the_dates_do_not_go_back_and_forth(self, get, places):
        for minute, place in enumerate([*places[:2]] * 3):
            make_call(place, began_at=EVENING - minute * MINUTE)

        assert re.findall(r'"log__day">(.*?)<', get()) == ["Saturday 17 January"]

    def test_a_line_that_is_read_anew_keeps_them(self, get, places):
        call = make_call(places[1])
        make_call(places[0])
        (address,) = re.findall(rf'data-live-url="/phone/(calls/{call.uuid}/[^"]*)"', get())
        row = get(unescape(address))

        assert "UTC+9" in row
        assert "Sun" in row

    def test_zones_that_agree_today_may_have_differed_then(self, hill):
        """Denver's summer time ends in November; Phoenix has none."""
        alex = make_user("alex@example.org")
        make_member(alex, hill, "manager")
        hill.restaurants.update(timezone="America/Denver")
        phoenix = make_restaurant(hill, name="Phoenix", timezone="America/Phoenix")
        make_call(phoenix, began_at=datetime(2025, 10, 31, 6, 35, tzinfo=UTC))
        page = str(sign_in(alex).get("/phone/").content.decode())

        assert "UTC\N{MINUS SIGN}7" in page

    def test_one_zone_needs_no_name(self, get, quay):
        make_call(quay)
        page = get(f"?scope={quay.uuid}")

        assert "19:00" in page
        assert "call-row__zone" not in page


class TestShowLog:
    def test_it_works(self, get, quay, harbour):
        make_customer(harbour, first_name="Jo", last_name="Martin", phone_e164=NUMBER)
        began = make_call(quay).began_at
        Call.objects.update(
            answered_at=began + timedelta(seconds=5),
            ended_at=began + timedelta(seconds=130),
            answered_by="Léa",
        )
        html = get()

        assert "Jo Martin" in html
        assert "+33 1 99 00 12 34" in html
        assert "Léa" in html
        assert "Answered" in html
        assert "2:05" in html
        assert "19:00" in html

    @pytest.mark.parametrize(("language", "word"), [("fr", "Manqué"), ("es", "Perdida")])
    def test_one_missed_call_is_one(self, alice, quay, language, word):
        """The filter is of several: “Manqués”, “Perdidas”."""
        make_call(quay, missed_at=timezone.now())
        page = sign_in(alice).get("/phone/", headers={"Accept-Language": language}).text

        assert f">{word}</span>" in page

    def test_it_is_empty_in_words(self, get):
        assert "No telephone system is connected" in get()
        make_system()
        assert "No calls yet" in get()

    def test_a_hidden_number_has_a_name(self, get, quay):
        make_call(quay, number="", caller_id="")

        assert "Hidden number" in get()

    def test_it_can_show_the_missed_ones(self, get, quay):
        now = timezone.now()
        make_call(quay, caller_id="picked-up", number="", answered_at=now, missed_at=now)
        make_call(quay, caller_id="lost", number="", missed_at=now)
        html = get("?outcome=missed")

        assert "lost" in html
        assert "picked-up" not in html

    def test_a_call_without_an_end_is_not_called_answered(self, get, quay):
        make_call(quay)
        page = get("?outcome=missed")

        assert "picked up" not in page
        assert "has reported no call that went unanswered" in page

    def test_a_ring_without_an_end_does_not_ring_for_ever(self, get, quay):
        make_call(quay)

        assert "End not reported" in get()

    def test_the_scope_narrows_it(self, get, quay, loft):
        make_call(quay, number="", caller_id="at the quay")
        make_call(loft, number="", caller_id="at the loft")
        html = get(f"?scope={quay.uuid}")

        assert "at the quay" in html
        assert "at the loft" not in html

    def test_it_hides_other_groups(self, get, cellar):
        make_call(cellar, number="", caller_id="elsewhere")

        assert "elsewhere" not in get()
        assert "elsewhere" not in get("ringing/")

    def test_the_past_is_a_page_away(self, get, quay):
        now = timezone.now()
        for minute in range(51):
            make_call(quay, number="", caller_id=f"no{minute}.", began_at=now - minute * MINUTE)
        oldest = Call.objects.get(caller_id="no49.")

        assert "no50." not in get()
        assert f"before={oldest.pk}" in get()
        assert "no50." in get(f"?before={oldest.pk}")

    def test_calls_of_one_moment_are_on_one_page_each(self, get, quay):
        calls = [make_call(quay, number="", caller_id=f"no{n}.") for n in range(PER_PAGE + 3)]
        pages = get() + get(f"?before={calls[3].pk}")

        assert [pages.count(call.caller_id) for call in calls] == [1] * len(calls)

    def test_it_takes_few_queries(self, get, quay, harbour, django_assert_max_num_queries):
        for _time in range(20):
            make_customer(harbour, phone_e164=NUMBER)
            make_call(quay)

        with django_assert_max_num_queries(15):
            get()

    def test_it_needs_its_right(self, alice, without_right):
        without_right("phone.view_call")

        assert sign_in(alice).get("/phone/").status_code == 403


MINUTE = timedelta(minutes=1)


class TestShowRow:
    def test_it_works(self, get, quay):
        call = make_call(quay)

        assert f'data-live="call:{call.uuid}"' in get(f"calls/{call.uuid}/")

    def test_it_names_the_restaurant_where_the_log_has_several(self, get, quay):
        """A phone has no space for a name that is the same in every row."""
        call = make_call(quay)

        assert "Quay" in get(f"calls/{call.uuid}/?many=1")
        assert "Quay" not in get(f"calls/{call.uuid}/")
        assert f"/phone/calls/{call.uuid}/?many=1" in get()
        assert "?many=1" not in get(f"?scope={quay.uuid}")

    def test_an_outsider_finds_nothing(self, charlie, quay):
        call = make_call(quay)

        assert sign_in(charlie).get(f"/phone/calls/{call.uuid}/").status_code == 404

    def test_a_colleague_of_another_restaurant_finds_nothing(self, bob, loft):
        call = make_call(loft)

        assert sign_in(bob).get(f"/phone/calls/{call.uuid}/").status_code == 404


class TestShowRinging:
    def test_it_works(self, get, quay, harbour):
        make_customer(harbour, first_name="Jo", last_name="Martin", phone_e164=NUMBER, is_vip=True)
        make_call(quay, began_at=timezone.now())
        html = get("ringing/")

        assert "Jo Martin" in html
        assert "VIP" in html
        assert "<html" not in html

    def test_the_callers_below_the_first_have_the_names_of_the_boards(self, get, quay, harbour):
        """Their lines may be cut, and a guest without a name has a card too."""
        now = timezone.now()
        make_customer(harbour, first_name="Jo", last_name="Martin", phone_e164=NUMBER)
        make_customer(harbour, first_name="", last_name="", phone_e164="+33199001235")
        make_call(quay, began_at=now - timedelta(seconds=3))
        make_call(quay, began_at=now - timedelta(seconds=2), number="+33199001235")
        make_call(quay, began_at=now, number="+33199001236")
        html = get("ringing/")

        assert "Martin J." in html
        assert "No name" in html

    def test_it_is_empty_when_nothing_rings(self, get, quay):
        now = timezone.now()
        make_call(quay, began_at=now, ended_at=now)
        make_call(quay, began_at=now, missed_at=now)
        make_call(quay)

        assert "toast" not in get("ringing/")

    def test_who_talks_stays_for_a_moment(self, get, quay):
        now = timezone.now()
        make_call(quay, began_at=now, answered_at=now, answered_by="Léa")

        assert "On the line" in get("ringing/")

    def test_a_stranger_is_shown_by_number(self, get, quay):
        make_call(quay, began_at=timezone.now())

        html = get("ringing/")

        assert "+33 1 99 00 12 34" in html
        assert "Nobody in our copy has this number" in html

    def test_what_the_service_confirms_is_no_stranger(self, get, quay):
        make_call(quay, began_at=timezone.now(), service=Call.Service.KNOWN)
        html = get("ringing/")

        assert "confirmed by the service" in html
        assert "Nobody in our copy" not in html

    @pytest.mark.parametrize(("calls", "words"), [(4, "and 1 more call"), (5, "and 2 more calls")])
    def test_what_has_no_card_is_counted(self, get, quay, calls, words):
        for line in range(calls):
            make_call(quay, began_at=timezone.now(), number="", caller_id=f"line {line}")
        html = get("ringing/")

        assert html.count("<article") == MOST_CARDS
        assert words in html

    @pytest.mark.parametrize("path", ["/phone/", "/phone/?outcome=missed", "/phone/look-up/"])
    def test_the_page_of_the_calls_shows_every_one(self, alice, quay, path):
        for line in range(5):
            make_call(quay, began_at=timezone.now(), number="", caller_id=f"line {line}")
        around = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{path}"}
        html = sign_in(alice).get("/phone/ringing/", headers=around).content.decode()

        assert html.count("<article") == 5
        assert "more call" not in html

    def test_a_card_that_was_closed_stays_away(self, alice, quay):
        """Also when the next call rings, and on the next page."""
        closed = make_call(quay, began_at=timezone.now(), number="", caller_id="line 1")
        client = sign_in(alice)
        client.post(f"/phone/ringing/{closed.uuid}/close/", headers={"HX-Request": "true"})
        make_call(quay, began_at=timezone.now(), number="", caller_id="line 2")
        html = client.get("/phone/ringing/").content.decode()

        assert html.count("<article") == 1
        assert str(closed.uuid) not in html

    def test_it_is_closed_in_this_browser_alone(self, alice, quay):
        call = make_call(quay, began_at=timezone.now())
        here, there = sign_in(alice), sign_in(alice)
        here.post(f"/phone/ringing/{call.uuid}/close/")

        assert str(call.uuid) not in here.get("/phone/ringing/").content.decode()
        assert str(call.uuid) in there.get("/phone/ringing/").content.decode()

    def test_a_hidden_number_is_shown_as_one(self, get, quay):
        make_call(quay, began_at=timezone.now(), number="", caller_id="")

        assert "Hidden number" in get("ringing/")


class TestForgetCalls:
    def test_it_works(self, quay, settings):
        settings.CALL_KEEP_DAYS = 30
        now = timezone.now()
        old = make_call(quay, began_at=now - timedelta(days=31))
        kept = make_call(quay, began_at=now - timedelta(days=29))
        for call in (old, kept):
            make_intent(quay, action="phone.call", kind="call", uuid=call.uuid, state="done")

        assert Call.objects.delete_old(now=now) == 1
        assert list(Call.objects.all()) == [kept]
        assert Intent.objects.get().uuid == kept.uuid
