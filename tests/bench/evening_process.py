"""The other side of `tests.bench.board` and its like: a long history, in one process.

Reads names from its input: each page is requested a few times, through the whole middleware, and
the median in milliseconds is printed.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NoReturn

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.evening_settings"
django.setup()

from django.db import connection  # noqa: E402 - the settings exist only now
from django.template import engines  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from config.warm import warm as warm_up  # noqa: E402
from reservations.service_day.bookings import COLUMNS  # noqa: E402
from reservations.service_day.day import ServiceDay  # noqa: E402
from restaurants.models import Group, Restaurant  # noqa: E402
from restaurants.testing import make_member, sign_in  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402

WARM, TAKEN = 5, 9
FLAT = engines["django"].from_string("""<table>{% for row in rows %}
<tr id="r-{{ row.uuid }}" data-version="{{ row.version }}"><td>{{ row.local_minutes }}</td>
<td>{{ row.party_size }}</td><th><a href="/reservations/{{ row.uuid }}/">
{{ row.customer__last_name }} {{ row.customer__first_name }}</a>
{% if row.customer__is_vip %}<b>VIP</b>{% endif %}{% if row.is_first %}<b>1st</b>{% endif %}
{% if row.customer__has_diet %}<b>diet</b>{% endif %} {{ row.allergy_tags }}</th>
<td class="{{ row.status }}">{{ row.status }} {{ row.meal_status }}</td>
<td>{{ row.customer_note|slice:":90" }}</td><td>{{ row.reservation_channel }}</td></tr>
{% endfor %}</table>""")
FLAT_PULSE = engines["django"].from_string("""<table>{% for name, cells in rows %}
<tr><th>{{ name }}</th>{% for minutes, covers in cells %}<td class="covers-{{ covers }}">
{% if covers %}<a href="/?slot={{ minutes }}">{{ covers }}</a>{% endif %}</td>{% endfor %}</tr>
{% endfor %}</table>""")
PULSE = """
SELECT r.name, v.local_minutes - v.local_minutes %% 15 AS slot, SUM(v.party_size),
       COUNT(*), SUM(CASE WHEN c.is_vip THEN 1 ELSE 0 END),
       SUM(CASE WHEN c.has_allergies THEN 1 ELSE 0 END)
FROM reservations_reservation v
JOIN restaurants_restaurant r ON r.id = v.restaurant_id
LEFT JOIN customers_customer c ON c.uuid = v.customer_uuid
WHERE v.service_day = %s AND v.presence = 'present' AND v.status = 'RECORDED'
  AND v.restaurant_id IN (SELECT id FROM restaurants_restaurant)
GROUP BY r.name, slot ORDER BY r.name, slot
"""


def main() -> NoReturn:
    pages = dict(all_pages())
    warm_up()
    say({"vendor": connection.vendor, "bytes": len(pages["arrivals"]())})
    warm = set[str]()
    for name in map(str.strip, sys.stdin):
        for _time in range(1 if name in warm else WARM):
            pages[name]()
        warm.add(name)
        say(statistics.median(taken(pages[name]) for _time in range(TAKEN)))
    sys.exit()


def taken(ask: Callable[[], bytes]) -> float:
    began = time.perf_counter()
    ask()
    return 1000 * (time.perf_counter() - began)


def all_pages() -> Iterator[tuple[str, Callable[[], bytes]]]:
    manager = User.objects.create_user(f"manager-{os.getpid()}@example.org")
    make_member(manager, Group.objects.get(), Role.MANAGER)
    owner = User.objects.create_superuser(f"owner-{os.getpid()}@example.org", "a long password")
    make_member(owner, Group.objects.get(), Role.ADMIN)
    day, first = timezone.localdate(), Restaurant.objects.get(name="Table 1")
    board = {"scope": str(first.uuid), "day": str(day), "whole": "1"}
    yield "board, by hand", lambda: flat_board(first)
    yield "pulse, by hand", flat_pulse
    for zoom in ("arrivals", "list"):
        yield zoom, page(manager, "/", **board, zoom=zoom)
    yield "pulse", page(manager, "/", day=str(day), zoom="pulse")
    wanted = {"restaurant": str(first.pk), "service_day": str(day)}
    yield "tables2", page(owner, "/bench/tables2/", **wanted)
    picked = {"restaurant__id__exact": str(first.pk), "service_day__exact": str(day)}
    yield "admin", page(owner, "/admin/reservations/reservation/", **picked)
    yield "pulse by tables2", page(owner, "/bench/tables2/", service_day=str(day))


def page(user: User, address: str, **query: str) -> Callable[[], bytes]:
    client = sign_in(user)

    def ask() -> bytes:
        answer = client.get(address, query)
        assert answer.status_code == 200, (address, answer.status_code)
        return answer.content

    return ask


def flat_board(restaurant: Restaurant) -> bytes:
    """The rows of the board by bare SQL, in one flat template."""
    evening = ServiceDay([restaurant], timezone.localdate(), now=timezone.now())
    rows = evening.reservations.order_by("local_minutes").for_board().values(*COLUMNS)
    found = fetch(*rows.query.sql_with_params())
    return FLAT.render({"rows": [dict(zip(COLUMNS, row, strict=True)) for row in found]}).encode()


def flat_pulse() -> bytes:
    """The cells of the pulse by one GROUP BY, in one flat template."""
    rows = fetch(PULSE, (timezone.localdate(),))
    slots = sorted({row[1] for row in rows})
    table = []
    for name, cells in groupby(rows, key=lambda row: row[0]):
        covers = {row[1]: row[2] for row in cells}
        table.append((name, [(slot, covers.get(slot, 0)) for slot in slots]))
    return FLAT_PULSE.render({"rows": table}).encode()


def fetch(sql: str, params: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


if __name__ == "__main__":
    main()
