"""Guests from the service to rows."""

from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from customers import phones
from customers.allergies.mentions import reading_of, sources_of_guest
from customers.models import Customer
from lib import coerce
from mirror.jobs.windows import utc_days
from mirror.kinds import EntityLocation, Unplaceable
from restaurants.directory import find_group, find_restaurant, restaurants_of
from restaurants.models import Group, Restaurant

# The columns whose differences are listed as changes, and their words.
CHANGE_LABELS = {
    "email": _lazy("e-mail"),
    "first_name": _lazy("first name"),
    "last_name": _lazy("last name"),
    "phone": _lazy("phone"),
    "secondary_phone": _lazy("second phone"),
    "birth_date": _lazy("birth date"),
    "locale": _lazy("language"),
    "civility": _lazy("civility"),
    "rank": _lazy("rank"),
    "computed_rank": _lazy("computed rank"),
    "is_vip": _lazy("VIP"),
    "allergies_and_intolerances": _lazy("allergies"),
    "dietary_restrictions": _lazy("diet"),
    "risk_level": _lazy("risk"),
    "other_tags": _lazy("other tags"),
    "notes": _lazy("notes"),
    "fav_food": _lazy("favourite food"),
    "fav_drinks": _lazy("favourite drinks"),
    "custom_fields": _lazy("custom fields"),
    "restaurant_newsletter": _lazy("newsletter"),
}


def fetch(client: Any, uuid: UUID) -> Any:
    return client.customer(uuid)


def list_uuids(
    client: Any, location: EntityLocation, start: date, end: date, by: str
) -> Iterator[UUID]:
    """The uuids of guests created or updated on these calendar days, both included."""
    yield from client.customer_uuids(group=location.group_uuid, start=start, end=end)


def held(location: EntityLocation, start: date, end: date, _by: str) -> QuerySet[Any]:
    """The guests of the copy that a listing of these days must name."""
    begin, stop = utc_days(start, end)
    rows = Customer.objects.present().filter(group=find_group(location.group_uuid))
    changed = rows.filter(last_update_date__gte=begin, last_update_date__lt=stop)
    return changed.values_list("uuid", flat=True)


def look_up(client: Any, restaurant: Restaurant, number: str) -> UUID | None:
    """The guest with exactly this number in the service's form. Raises `PartnerError`."""
    match = client.customer_by_phone(restaurant.uuid, number).entity
    return match.customer_uuid if match else None


def build(answer: Any, location: EntityLocation, existing: Customer | None) -> Customer:
    """The row of an answer. Raises `Unplaceable` when its group is unknown."""
    entity = answer.entity
    origin = find_restaurant(entity.origin_restaurant_uuid)
    row = Customer(
        group=_group_of(origin, location, existing),
        email=coerce.text(entity.email),
        first_name=coerce.text(entity.first_name),
        last_name=coerce.text(entity.last_name),
        phone=coerce.text(entity.phone),
        secondary_phone=coerce.text(entity.secondary_phone),
        birth_date=coerce.day(entity.birth_date),
        locale=coerce.word(entity.locale),
        civility=coerce.word(entity.civility),
        rank=coerce.word(entity.rank),
        computed_rank=coerce.word(entity.computed_rank),
        is_vip=entity.is_vip,
        is_promoter=entity.is_promoter,
        address=coerce.text(entity.address),
        country=coerce.word(entity.country),
        city=coerce.text(entity.city),
        zipcode=coerce.text(entity.zipcode),
        allergies_and_intolerances=coerce.words(entity.allergies_and_intolerances),
        dietary_restrictions=coerce.words(entity.dietary_restrictions),
        spending_behaviour=coerce.words(entity.spending_behaviour),
        customer_relationship=coerce.words(entity.customer_relationship),
        risk_level=coerce.words(entity.risk_level),
        other_tags=coerce.words(entity.other_tags),
        fav_food=coerce.text(entity.fav_food),
        fav_drinks=coerce.text(entity.fav_drinks),
        fav_seating=coerce.text(entity.fav_seating),
        notes=coerce.text(entity.notes),
        origin_restaurant_uuid=entity.origin_restaurant_uuid,
        origin_restaurant_name=coerce.text(entity.origin_restaurant_name),
        creation_date=coerce.instant(entity.creation_date),
        last_update_date=coerce.instant(entity.last_update_date),
        restaurant_newsletter=entity.optins and entity.optins.restaurant_newsletter,
        custom_fields=coerce.custom_fields(entity.custom_fields),
    )
    _normalise_phones(row, origin)
    row.derive()
    row.notes_read_by, row.notes_tell = reading_of(sources_of_guest(row))
    return row


def _group_of(
    origin: Restaurant | None, location: EntityLocation, existing: Customer | None
) -> Group:
    """Return the group, which no answer names: that of the restaurant of origin, else of the stored
    row, else of the event, the least trusted source, because its sender only shares a secret."""
    if origin is not None:
        return origin.group
    if existing is not None:
        return existing.group
    restaurant = find_restaurant(location.restaurant_uuid)
    group = restaurant.group if restaurant is not None else find_group(location.group_uuid)
    if group is None:
        raise Unplaceable(
            _("The guest belongs to the group %(uuid)s, which is not set up here.")
            % {"uuid": location.group_uuid or _("(not named)")}
        )
    return group


def _normalise_phones(row: Customer, origin: Restaurant | None) -> None:
    row.phone_e164 = phones.normalise(row.phone, countries=_countries(row, origin))
    second = row.secondary_phone
    row.secondary_phone_e164 = phones.normalise(second, countries=_countries(row, origin))


def _countries(row: Customer, origin: Restaurant | None) -> Iterator[str]:
    """Countries to try for a number without one, that of the restaurant first.

    Lazy, because most numbers name their country.
    """
    seen = [origin.country] if origin is not None else []
    seen.append(row.country[:2].upper())
    seen += [restaurant.country for restaurant in restaurants_of(row.group)]
    yield from filter(None, dict.fromkeys(seen))
