"""What assumed stays are taken from, in words."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reservations.service_clock import SIZE_CLASSES, Lengths, StayLength


def learnt_parties(lengths: Lengths) -> int:
    """All parties that the stays of a restaurant were learnt from."""
    return sum(
        lengths[cell][2] for cell in (f"..{size}" for size in SIZE_CLASSES) if cell in lengths
    )


def words_of(length: StayLength) -> str:
    """“learnt from 412 parties”, or “as configured”."""
    if not length.parties:
        return _("as configured")
    words = ngettext("learnt from %(n)s party", "learnt from %(n)s parties", length.parties)
    return words % {"n": length.parties}


def source_words(every: Collection[Lengths]) -> str:
    """“learnt from 412 parties”, for the restaurants of a screen."""
    counts = [learnt_parties(lengths) for lengths in every]
    learnt = words_of(StayLength(0, parties=sum(counts)))
    return (
        learnt
        if all(counts) or not any(counts)
        else _("%(learnt)s, elsewhere as configured") % {"learnt": learnt}
    )
