"""Line breaks of a template that only its reader needs: taken out once, when it is loaded.

A line break with its indentation is one space between words and between the attributes of a tag.
It is nothing after an opening tag, before a closing one, and next to a block element; from
`{% spaceless %}` to `{% endspaceless %}` it is nothing next to any tag.
What is written on one line stays as it is, and so does all text in `KEPT`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Next to these a browser draws no space.
BLOCKS = words(
    "address article aside base blockquote body br caption col colgroup dd details dialog div dl dt"
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li"
    " link main menu meta nav ol optgroup option p pre script search section style summary table"
    " tbody td template tfoot th thead title tr ul"
)
VOID = words("area base br col embed hr img input link meta source track wbr")
# The break after these is nothing. Each turn of a loop keeps the break at its end.
OPENERS = words(
    "block cache elif else empty extends for if ifchanged load localize partialdef with"
)
CLOSERS = words("elif else endblock endcache endif endlocalize endpartialdef endwith")
SPACELESS = ("spaceless", "endspaceless")
# Between attributes these bring the space they need: `{% if large %} data-large{% endif %}`.
IN_TAGS = words("if elif else endif for endfor with endwith")

_LOGIC = r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}"
_QUOTED = rf""""(?>{_LOGIC}|[^"])*+"|'(?>{_LOGIC}|[^'])*+'"""
# Text that people or programs read as it is written.
KEPT = (
    r"\{%\s*(?P<tag>blocktranslate|comment|verbatim)\b.*?\{%\s*end(?P=tag)\s*%\}"
    r"|<(?P<element>pre|textarea|script|style)\b.*?</(?P=element)>"
    r"|<!--.*?-->"
)
START = rf"<[a-zA-Z][\w:-]*(?>{_LOGIC}|{_QUOTED}|[^>\"'])*+>"
TOKEN = re.compile(
    rf"(?P<kept>{KEPT})|(?P<logic>{_LOGIC})|(?P<start>{START})|(?P<end></[^>]*>)|(?P<break>\s*\n\s*)",
    re.S,
)
IN_TAG = re.compile(r"\s*\n\s*(?P<next>\{%\s*\w+|/?>)?")
KINDS = ("kept", "logic", "start", "end", "break")


class TemplatePart(NamedTuple):
    kind: str
    text: str

    @property
    def name(self) -> str:
        """The name of an element or of a template tag."""
        found = re.match(r"(?:</?|\{%\s*)([\w-]+)", self.text)
        return found[1].lower() if found else ""


def tighten(source: str) -> str:
    parts = [TemplatePart("text", ""), *split(source), TemplatePart("text", "")]
    drawn, is_spaceless = [], False
    for before, part, after in zip(parts, parts[1:], parts[2:], strict=False):
        if part.kind == "logic" and part.name in SPACELESS:
            is_spaceless = part.name == "spaceless"
        elif part.kind == "break":
            drawn.append("" if is_nothing(before, after, is_spaceless) else " ")
        else:
            drawn.append(in_one_line(part))
    return "".join(drawn)


def split(source: str) -> Iterator[TemplatePart]:
    """Tags, line breaks, and the text between them."""
    end = 0
    for match in TOKEN.finditer(source):
        if match.start() > end:
            yield TemplatePart("text", source[end : match.start()])
        yield TemplatePart(next(kind for kind in KINDS if match[kind] is not None), match[0])
        end = match.end()
    if end < len(source):
        yield TemplatePart("text", source[end:])


def in_one_line(part: TemplatePart) -> str:
    tag = re.match(START, part.text, re.S)
    if tag is None:
        return part.text
    return IN_TAG.sub(space_before, tag[0]) + part.text[tag.end() :]


def space_before(match: re.Match[str]) -> str:
    following = match["next"] or ""
    is_glued = following.endswith(">") or TemplatePart("logic", following).name in IN_TAGS
    return following if is_glued else f" {following}"


def is_nothing(before: TemplatePart, after: TemplatePart, is_spaceless: bool = False) -> bool:
    if is_spaceless and {before.kind, after.kind} != {"text"}:
        return True
    if before.name in SPACELESS or after.name in SPACELESS:
        return True
    return opens(before) or closes(after) or is_block(before) or is_block(after)


def opens(part: TemplatePart) -> bool:
    if part.kind == "logic":
        return part.name in OPENERS or part.text.startswith("{#") or is_silent(part)
    return part.kind == "start" and part.name not in VOID


def is_silent(part: TemplatePart) -> bool:
    """It names a value and draws nothing: `{% url … as address %}`."""
    return bool(re.search(r"\sas\s+\w+\s*%\}$", part.text))


def closes(part: TemplatePart) -> bool:
    return part.kind == "end" or (part.kind == "logic" and part.name in CLOSERS)


def is_block(part: TemplatePart) -> bool:
    return part.text.startswith("<") and part.name in BLOCKS
