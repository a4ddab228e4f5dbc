"""The cells of the table of the next seven days, as HTML.

Twenty restaurants have hundreds of cells, and a template takes six times as long for each. A page
is drawn again with each booking, and most of its cells are as before: those are cached.
"""

from collections.abc import Iterable
from functools import lru_cache

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from insights.answers import spell
from insights.expected.lines import ExpectedDay


def draw_cells(days: Iterable[ExpectedDay]) -> SafeString:
    language = get_language()
    return SafeString("".join([_cell(one, language) for one in days]))


@lru_cache(maxsize=4096)
def _cell(one: ExpectedDay, _language: str | None) -> str:
    words = [] if one.is_closed else list(_words(one))
    covers = f"<b>{escape(one.spelt)}</b>" if words else "<span>0</span>"
    spans = "".join([f"<span>{escape(each)}</span>" for each in words])
    return f'<td title="{escape(one.words)}">{covers}{spans}</td>'


def _words(one: ExpectedDay) -> Iterable[str]:
    """What stands below the covers that are expected."""
    if shown := one.range:
        yield shown
    yield _("%(n)s booked") % {"n": spell(one.booked, "number")}
    if missing := one.missing_words:
        yield missing
