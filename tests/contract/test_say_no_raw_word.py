"""No page, fragment or export shows a word as the service spells it, in any language.

The sandbox's small world holds every enum word and odd form of the contract. What holds them is
read through the real client, and every address is walked with it.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.translation import override

from accounts import audit
from customers.models import Customer
from insights.questions import QUESTIONS
from insights.sums import recount
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Drift, Priority, SyncRequest
from mirror.queue import sync_requests
from mirror.queue.retry_schedule import PARKED
from outbox.models import Intent
from partner.wording import vocabulary
from partner_sandbox.store import Store
from partner_sandbox.vocabulary import IN_ANSWERS
from partner_sandbox.world.answers import Answers, answers, values_at
from phone.actions import REPORT_CALL
from phone.models import Event
from reservations.day_board.forms import FILTERS, ZOOMS
from reservations.models import Feed, Reservation
from reservations.testing import make_intent
from reservations.words import STATUSES
from restaurants.audit_trail.words import VERBS
from restaurants.models import Restaurant
from restaurants.testing import make_root, sign_in
from reviews.models import InboxQueue, Review
from tests.addresses import all_addresses, may_be_a_page
from tests.contract.places import make_places, read_what_changed
from tests.raw_words import RawWords, texts_of
from tests.url_examples import example
from webhooks.events import KNOWN
from webhooks.models import Delivery
from webhooks.testing import delivery, payload

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.once]

LANGUAGES = [code for code, _name in settings.LANGUAGES]
# Beside the enum words: what stands in a column of its own and would be shown as Python spells it.
FORMS: dict[str, tuple[Any, ...]] = {
    "customer.locale": ("pt_BR", "zh_CN", "he_IL", "fr"),
    "customer.isVip": (True, False),
    "customer.customFields.value": (True, False, ""),
    "reservation.customFields.value": (True, False),
    "reservation.mealDate": (None,),
    "reservation.offerDetails.name": (None,),
    "review.isValid": (True, False),
    "review.comment": (None,),
}
WORDS = {name: words for name, words in IN_ANSWERS.items() if not name.startswith("timeslot.")}


def holders(world: Answers) -> Iterator[tuple[str, UUID]]:
    """For each word two entities that hold it, the first and the last that are found."""
    for name, words in [*WORDS.items(), *FORMS.items()]:
        kind, *path = name.split(".")
        for word in words:
            for rows in (world[kind], reversed(world[kind])):
                found = (one for one in rows if word in list(values_at(one, path)))
                yield kind, UUID(next(found)[f"{kind}Uuid"])


@pytest.fixture
def world(sandbox) -> Answers:
    store = Store(next(sandbox.folder.glob("*.sqlite3")))
    found = answers(store)
    store.close()
    return found


@pytest.fixture
def held(connect, sandbox, world, cast) -> dict[str, list[UUID]]:
    """Every word of the contract in the database, by way of the client and the mirror."""
    connect("full")
    make_places(sandbox.world)
    place = EntityLocation(UUID(sandbox.world["groups"][0]["uuid"]), None)
    wanted = list(dict.fromkeys(holders(world)))
    sync_requests.request(
        [EntityRef(kind, uuid, place) for kind, uuid in wanted],
        priority=Priority.PERSON,
        now=timezone.now(),
    )
    read_what_changed()
    for restaurant in Restaurant.objects.all():
        recount.rebuild(restaurant, now=timezone.now())
    for words in KNOWN.values():
        for word in words:
            delivery(payload(word))
    make_what_admins_read(cast)
    return {kind: [uuid for k, uuid in wanted if k == kind] for kind in IN_ONE_APP}


def make_what_admins_read(cast: Any) -> None:
    """Sent changes in every state, events and failed reads for every reason, the whole trail."""
    place = Restaurant.objects.get(name="Chez Mirabeau")
    booking = Reservation.objects.filter(restaurant=place).first()
    for state in Intent.State.values:
        make_intent(place, uuid=booking and booking.pk, state=state)
    for status in Event.values:
        make_intent(place, action=REPORT_CALL, kind="call", payload={"status": status})
    for reason in Delivery.Reason.values:
        delivery(b"{}", state=Delivery.State.ODD, reason=reason)
    location = EntityLocation(place.group.uuid, place.uuid)
    refs = [EntityRef("review", uuid4(), location) for _problem in PARKED.values()]
    sync_requests.request(refs, priority=Priority.EVENT, now=timezone.now())
    for ref, problem in zip(refs, PARKED.values(), strict=True):
        rows = SyncRequest.objects.filter(uuid=ref.uuid)
        rows.update(state=SyncRequest.State.PARKED, problem=problem)
    details: dict[str, Any] = {"role": "manager", "as": "csv", "mark": "on-the-way", "end": "sent"}
    for verb in VERBS:
        audit.record(cast.dora, verb, place, details)


IN_ONE_APP = {"customer": "customers", "reservation": "reservations", "review": "reviews"}


STORED: dict[Any, dict[str, Collection[str]]] = {
    Customer: {"civility": vocabulary.CIVILITIES, "rank": vocabulary.RANKS},
    Reservation: {
        "status": vocabulary.STATUSES,
        "meal_status": vocabulary.MEAL_STATUSES,
        "reservation_channel": vocabulary.CHANNELS,
        "offer_type": vocabulary.OFFER_TYPES,
        "offer_menu_type": vocabulary.MENU_TYPES,
    },
    Review: {
        "price_evaluation": vocabulary.PRICES,
        "waiting_time_evaluation": vocabulary.WAITING_TIMES,
        "noise_level_evaluation": vocabulary.NOISE_LEVELS,
        "occasion": vocabulary.OCCASIONS,
        "comment_status": vocabulary.PUBLICATION_STATUSES,
        "comment_moderation_reason": vocabulary.COMMENT_REASONS,
        "reply_status": vocabulary.PUBLICATION_STATUSES,
        "reply_moderation_reason": vocabulary.REPLY_REASONS,
    },
}


def test_the_world_brings_every_word_that_the_product_knows_and_no_other(held):
    for model, columns in STORED.items():
        for column, words in columns.items():
            stored = set(model.objects.values_list(column, flat=True))
            assert stored - {""} == set(words), column

    assert not Drift.objects.exists()


def addresses(cast: Any, held: dict[str, list[UUID]]) -> Iterator[str]:
    """Every address: of an entity for each that was read, of anything else for one example."""
    apps = {IN_ONE_APP[kind]: uuids for kind, uuids in held.items()}
    for address in all_addresses():
        if not address.is_ours:
            continue
        paths = [address.path(lambda view, word: example(view, word, cast=cast))]
        if address.kwargs == ("uuid",) and address.name in OF_AN_ENTITY:
            paths = [reverse(address.name, args=[uuid]) for uuid in apps[address.app]]
        yield from filter(may_be_a_page, paths)


OF_AN_ENTITY = {"customers:show", "reservations:show", "reviews:show", "reviews:row"}


def boards() -> Iterator[str]:
    """Every zoom of the days on which something was read, and the export of each."""
    days = Counter(Reservation.objects.values_list("service_day", flat=True))
    del days[None]
    for day in days:
        yield f"/?day={day}&zoom=list"
        yield f"{reverse('reservations:export_csv')}?day={day}"
    busiest = days.most_common(1)[0][0]
    for zoom in ZOOMS:
        yield f"/?day={busiest}&zoom={zoom}"
    for key in FILTERS:
        yield f"/?day={busiest}&zoom=list&show={key}"
    yield f"{reverse('reservations:export_xlsx')}?day={busiest}"
    yield f"{reverse('reservations:brief')}?day={busiest}"


def queries(place: Restaurant) -> Iterator[str]:
    """Pages that show more by a parameter."""
    yield f"{reverse('customers:index')}?language=pt&columns=language&columns=email&size=200"
    yield f"{reverse('customers:save_view')}?language=pt&columns=language"
    for one in InboxQueue.values:
        yield f"{reverse('reviews:index')}?lane={one}"
    for slug in QUESTIONS:
        for view in ("show", "export_csv", "export_xlsx"):
            yield reverse(f"insights:{view}", args=[slug])
    columns = "&".join(f"columns={one}" for one in ("language", "email", "vip", "tags", "visits"))
    for view in ("export_csv", "export_xlsx"):
        yield f"{reverse(f'customers:{view}')}?{columns}"
    yield f"{reverse('people:audit')}?before=999999"
    yield f"{reverse('reservations:offers')}?scope={place.uuid}"
    for ahead in range(1, 8):
        day = timezone.now().date() + timedelta(days=ahead)
        yield f"{reverse('reservations:new')}?scope={place.uuid}&day={day}&size=2"


def feed_of(restaurant: Restaurant, language: str, user: Any) -> str:
    feed = Feed.make(restaurant, by=user, now=timezone.now())
    Feed.objects.filter(pk=feed.pk).update(language=language)
    return f"{reverse('reservations:feed', args=[restaurant.uuid])}?token={feed.token}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_and_no_export_shows_a_raw_word(held, cast, language):
    root = make_root(language=language)
    place = Restaurant.objects.get(name="Chez Mirabeau")
    paths = [
        *addresses(cast, held),
        *boards(),
        *queries(place),
        feed_of(place, language, root),
    ]
    client, raw = sign_in(root), RawWords(language)

    found: dict[str, set[str]] = {}
    read: list[str] = []
    for path in dict.fromkeys(paths):
        texts = texts_of_answer(client.get(path))
        read += [path] if texts else []
        if words := raw.in_texts(texts):
            found[path] = words

    assert found == {}
    assert len(read) > 300
    assert exports_left_out(read) == set()


def exports_left_out(read: list[str]) -> set[str]:
    """Addresses of files that the walk did not read, or read no cell of."""
    names = {resolve(path.partition("?")[0]).view_name for path in read}
    return {one.name for one in all_addresses() if is_export(one.name)} - names


def is_export(name: str) -> bool:
    return name.endswith(("csv", "xlsx"))


def texts_of_answer(answer: Any) -> list[str]:
    body = answer.getvalue() if answer.streaming else answer.content
    return list(texts_of(answer.get("Content-Type", ""), body))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_service_says_of_a_caller_has_no_raw_word(held, world, language):
    client = sign_in(make_root(language=language))
    found = [one for one in world["reservation"] if is_found_by_phone(one, world)]
    expected = max(found, key=lambda one: one["mealDate"])  # those of today may be over
    number = phone_of(expected, world)

    data = {"number": number, "restaurant": expected["restaurantUuid"]}
    texts = [
        text
        for view in ("phone:look_up", "phone:ask")
        for text in texts_of_answer(client.post(reverse(view), data))
    ]

    with override(language):
        assert any(str(STATUSES["REQUESTED"]) in text for text in texts)
    assert RawWords(language).in_texts(texts) == set()


def is_found_by_phone(booking: Any, world: Answers) -> bool:
    return booking["status"] == "REQUESTED" and phone_of(booking, world).startswith("+33199")


def phone_of(booking: Any, world: Answers) -> str:
    guests = (one for one in world["customer"] if one["customerUuid"] == booking["customerUuid"])
    return str(next(guests, {"phone": ""})["phone"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guests_export_has_no_raw_word_in_its_readable_part(held, language):
    client = sign_in(make_root(language=language))
    raw = RawWords(language)

    for uuid in held["customer"]:
        answer = client.post(reverse("customers:take_away", args=[uuid]))
        assert raw.in_texts(texts_of_answer(answer)) == set()
