"""Checks of a reply before it is sent: what moderation would refuse, and our own mistakes.

A block prevents sending; a warning asks for confirmation. Pure functions of texts.
"""

import difflib
import re
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lib.text import fold
from reviews.inbox.placement import same_words

VARIABLE = re.compile(r"\{[^{}\n]{0,40}\}")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w{2,}")
LINK = re.compile(r"(https?://|www\.)\S+", re.I)
NUMBER = re.compile(r"\+?\d[\d\s().\-/]{6,}\d")
WORD = re.compile(r"[^\W\d_][\w'’-]*")
SHORTEST_NAME = 3
LETTERS_OF_A_SHOUT = 12
FEWEST_DIGITS = 9  # of a phone number; a date has eight


class ReplyCheck(NamedTuple):
    code: str
    sentence: str
    blocks: bool = False


class KnownTexts(NamedTuple):
    """What a reply is compared with."""

    own_names: tuple[str, ...] = ()
    other_names: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    sent_back: str = ""
    current: str = ""


def check(text: str, known: KnownTexts) -> list[ReplyCheck]:
    """Everything that is wrong, what blocks first."""
    if not text.strip():
        return [ReplyCheck("empty", _("There is nothing written yet."), blocks=True)]
    found = [*_blocks(text, known), *_warnings(text, known)]
    return sorted(found, key=lambda finding: not finding.blocks)


def _blocks(text: str, known: KnownTexts) -> Iterable[ReplyCheck]:
    if open_ones := VARIABLE.findall(text):
        words = _("Fill in or remove: %(what)s") % {"what": ", ".join(dict.fromkeys(open_ones))}
        yield ReplyCheck("variable", words, blocks=True)
    if is_shouted(text):
        yield ReplyCheck(
            "capitals", _("All capitals: moderation sends such replies back."), blocks=True
        )
    if known.sent_back and same_words(text, known.sent_back):
        yield ReplyCheck("sent-back", _("This is the text that was sent back."), blocks=True)
    elif known.current and same_words(text, known.current):
        yield ReplyCheck("unchanged", _("This reply is there already."), blocks=True)


def _warnings(text: str, known: KnownTexts) -> Iterable[ReplyCheck]:
    if has_contact(text):
        yield ReplyCheck(
            "private", _("It holds an address, a number or a link: moderation may send it back.")
        )
    if names := other_names_in(text, known):
        words = _("Another guest's name? %(names)s") % {"names": ", ".join(names)}
        yield ReplyCheck("name", words)
    if used := sum(same_words(text, other) for other in known.earlier):
        words = ngettext(
            "The same text was sent once before by this restaurant.",
            "The same text was sent %(n)s times before by this restaurant.",
            used,
        )
        yield ReplyCheck("same", words % {"n": used})


def is_shouted(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return len(letters) >= LETTERS_OF_A_SHOUT and not any(c.islower() for c in letters)


def has_contact(text: str) -> bool:
    digits = (sum(c.isdigit() for c in found) for found in NUMBER.findall(text))
    return bool(EMAIL.search(text) or LINK.search(text) or any(n >= FEWEST_DIGITS for n in digits))


def other_names_in(text: str, known: KnownTexts) -> list[str]:
    """Names of other guests that are written like names: with a capital letter."""
    own = {fold(part) for name in known.own_names for part in name.split()}
    others = {fold(part) for name in known.other_names for part in name.split()}
    strange = {name for name in others - own if len(name) >= SHORTEST_NAME}
    written = (word for word in WORD.findall(text) if word[0].isupper())
    return list(dict.fromkeys(word for word in written if fold(word) in strange))


class Piece(NamedTuple):
    """A stretch of a comparison: kept, added or taken away."""

    kind: str
    text: str


def compare(before: str, after: str) -> list[Piece]:
    """What would be different, word by word."""
    old, new = re.findall(r"\s+|\S+", before), re.findall(r"\s+|\S+", after)
    pieces = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            pieces.append(Piece("del", "".join(old[a:b])))
        if kind in ("replace", "insert"):
            pieces.append(Piece("ins", "".join(new[c:d])))
        if kind == "equal":
            pieces.append(Piece("same", "".join(old[a:b])))
    return pieces
