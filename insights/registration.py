"""What insights add to the mirror."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts import audit
from customers.note_decisions.deciding import FOLLOWERS
from insights.expected import pace
from insights.models import Counter, Digest, ForecastRun
from insights.questions import QUESTIONS
from insights.sums import recount
from lib.registration import Registration
from mirror.kinds import WATCHERS, Watcher
from mirror.processes.clock_jumps import MOMENTS, Moments
from restaurants.shell import DAY_LINES, MENU_SECTIONS, NOTICES, MenuSection

EXPORTS = [
    audit.VerbLabels(
        f"exported insights {one.slug}",
        {},
        title=format_lazy("{} – {}", _("Exported insights"), one.title),
    )
    for one in QUESTIONS.values()
]

REGISTRATION = Registration(
    audit.LABELS.add(*EXPORTS),
    WATCHERS.add(
        Watcher("reservation", recount.mark),
        Watcher("review", recount.mark),
        Watcher("customer", recount.mark_guests),
    ),
    FOLLOWERS.add(recount.mark_decision),
    MOMENTS.add(
        Moments(Counter, ("counted_at", "reading_changed_at")),
        Moments(ForecastRun, ("made_at", "lease_until")),
        Moments(Digest, ("claimed_at", "sent_at")),
    ),
    DAY_LINES.add(pace.day_lines),
    NOTICES.add(pace.notice),
    MENU_SECTIONS.add(
        MenuSection(
            place=40,
            name="insights",
            label=_("Insights"),
            icon="insights",
            keys="g a",
            rights=("insights.view_insights",),
        )
    ),
)
