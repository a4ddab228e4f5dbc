"""Which words of the contract stand in a text as the service spells them."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import override
from openpyxl import load_workbook

from partner.wording import vocabulary
from tests.tags import TagReader
from tests.test_label_every_word import ENUMS

# Elements whose text is not read, or is shown as what it is: a raw answer, an address, a key.
MACHINE = frozenset({"script", "style", "template", "pre", "code"})
SHOWN_ATTRIBUTES = frozenset({"title", "aria-label", "alt", "placeholder", "label"})
LOCALE = re.compile(r"\b[a-z]{2,3}_[A-Z]{2}\b")
# 4.5 and 1,234.50; no version, address of a network or date. French and Spanish write 4,5.
ENGLISH_DECIMAL = re.compile(r"(?<![\d.])\d+\.\d{1,2}(?![\d.])")
PYTHON = ("True", "False", "None")
# Calendar programs read these lines themselves; the others are for people.
READ_BY_PEOPLE = ("SUMMARY", "DESCRIPTION", "LOCATION", "X-WR-CALNAME", "NAME")
UNLABELLED = (*vocabulary.FIELD_TYPES, *vocabulary.CALL_STATUSES)


class RawWords:
    """The words that must not be met by a reader of one language.

    One that no person writes (`NO_SHOW`, `presetMenu`) is looked for everywhere, any other (`mr`,
    `gold`) where it stands alone: in a cell, between two tags. A word that is its own label in
    this language (Marketplace) is no raw one.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        with override(language):
            labelled = {
                word
                for words, labels in ENUMS.values()
                for word in words
                if str(labels[word]) != word
            }
        self.words = labelled | set(UNLABELLED)
        unwritten = sorted(filter(is_unwritten, self.words), key=len, reverse=True)
        self.unwritten = re.compile(r"(?<![\w-])(" + "|".join(unwritten) + r")(?![\w-])")

    def in_texts(self, texts: Iterable[str]) -> set[str]:
        return {word for text in texts for word in self.in_text(text)}

    def in_text(self, text: str) -> Iterator[str]:
        alone = text.strip()
        if alone in self.words or alone in PYTHON:
            yield alone
        yield from self.unwritten.findall(text)
        yield from LOCALE.findall(text)
        if self.language != "en":  # where none of the three begins a sentence
            yield from re.findall(r"\b(True|False|None)\b", text)
            yield from ENGLISH_DECIMAL.findall(text)


def is_unwritten(word: str) -> bool:
    """Whether nobody writes a word so: with an underscore, in capitals, a capital inside."""
    return bool(re.search(r"_|^[A-Z]{4,}$|[a-z][A-Z]", word))


class Reader(TagReader):
    """The texts of a page, one between two tags, and the attributes that are read out or shown."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.machine: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str]]) -> None:
        if tag in MACHINE:
            self.machine.append(tag)
        self.texts += [value for name, value in attrs if name in SHOWN_ATTRIBUTES and value]

    def handle_endtag(self, tag: str) -> None:
        if self.machine and tag == self.machine[-1]:
            self.machine.pop()

    def handle_data(self, data: str) -> None:
        if not self.machine:
            self.texts.append(data)


def texts_of_page(html: str) -> Iterator[str]:
    reader = Reader()
    reader.feed(html)
    yield from reader.texts


def texts_of(kind: str, body: bytes) -> Iterator[str]:
    """The texts of an answer for people, by its content type; of one for machines nothing."""
    kind = kind.partition(";")[0]
    readers = {
        "text/html": lambda: texts_of_page(body.decode()),
        "text/csv": lambda: cells(csv.reader(io.StringIO(body.decode()))),
        "text/calendar": lambda: texts_of_calendar(body.decode()),
        "application/zip": lambda: texts_of_archive(body),
    }
    if kind.endswith("spreadsheetml.sheet"):
        return (text for sheet in load_workbook(io.BytesIO(body)) for text in cells(sheet.values))
    return readers[kind]() if kind in readers else iter(())


def cells(rows: Any) -> Iterator[str]:
    """Those with a number alone are left out: programs read a file's numbers."""
    texts = ("" if value is None else str(value) for row in rows for value in row)
    return (text for text in texts if not ENGLISH_DECIMAL.fullmatch(text.lstrip("-")))


def texts_of_calendar(text: str) -> Iterator[str]:
    for line in text.replace("\r\n ", "").splitlines():
        name, _, value = line.partition(":")
        if name.partition(";")[0] in READ_BY_PEOPLE:
            yield value


def texts_of_archive(body: bytes) -> Iterator[str]:
    """The readable page of a guest's export; the JSON beside it is for machines."""
    with zipfile.ZipFile(io.BytesIO(body)) as file:
        yield from texts_of_page(file.read("guest.html").decode())
