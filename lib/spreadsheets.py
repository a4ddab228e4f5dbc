"""CSV and XLSX exports, streamed and protected against formula injection."""

import csv
import re
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.http import FileResponse, StreamingHttpResponse
from django.utils import timezone

from lib.labels import yes_no

BOM = "\ufeff"  # without it some spreadsheets read UTF-8 as something else
# A cell that begins so is run as a formula; with an apostrophe it is shown as the text it is.
FORMULA_SIGNS = frozenset("=+-@\N{MINUS SIGN}")
CELL_BREAKS = ("\t", "\r", "\n")  # some programs begin a new cell or row here, also inside quotes
# What XML cannot hold; a program that reads CSV may skip it, and then see what stands behind.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
LONGEST_CELL = 32_767  # UTF-16 units, by the format of XLSX
IN_MEMORY = 2 * 1024 * 1024  # a larger workbook goes to the disk
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

Row = Iterable[Any]


def spreadsheet_response(
    suffix: str, name: str, rows: Iterable[Row], *, bom: bool = False
) -> StreamingHttpResponse | FileResponse:
    return xlsx_response(name, rows) if suffix == "xlsx" else csv_response(name, rows, bom=bom)


class _Echo:
    """A file whose `write` returns its argument, so that rows can be streamed."""

    def write(self, line: str) -> str:
        return line


def csv_response(name: str, rows: Iterable[Row], *, bom: bool = False) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_lines(rows, bom=bom), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _lines(rows: Iterable[Row], *, bom: bool) -> Iterator[str]:
    if bom:
        yield BOM
    writer = csv.writer(_Echo())
    for row in rows:
        yield writer.writerow([plain(value) for value in row])


def xlsx_response(name: str, rows: Iterable[Row]) -> FileResponse:
    """Build the whole workbook before sending it: the format ends with an index."""
    from openpyxl import Workbook  # it loads NumPy: 16 MiB that most processes never need
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet(name[:31])
    make_cell = partial(WriteOnlyCell, sheet)
    for row in rows:
        sheet.append([_cell(value, make_cell) for value in row])
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  # the response closes it
    book.save(file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{name}.xlsx", content_type=XLSX)


def _cell(value: Any, make_cell: Callable[[str], Any]) -> Any:
    if value is None or _is_number(value):
        return value
    cell = make_cell(_fitting(_words(value)))
    cell.data_type = "s"  # text, also when it begins with “=”
    return cell


def _fitting(text: str) -> str:
    units = text.encode("utf-16-le")
    return units[: 2 * LONGEST_CELL].decode("utf-16-le", errors="ignore")


def plain(value: Any) -> str:
    """A value for CSV. Numbers stay numbers, also negative ones; text cannot become a formula."""
    if value is None:
        return ""
    if _is_number(value):
        return str(value)
    text = _words(value)
    return f"'{text}" if is_formula(text) else text


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may run the text as a formula, by its first visible character.

    Spreadsheets skip spaces and invisible characters, and read “＝” as “=”.
    """
    if not text or (text[0].isascii() and text[0].isalnum()):
        return False  # nearly all
    if text.startswith(CELL_BREAKS):
        return True
    first = next((sign for sign in text if not _is_invisible(sign)), "")
    return bool(FORMULA_SIGNS.intersection(unicodedata.normalize("NFKC", first)))


def _is_invisible(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign) in ("Cc", "Cf", "Mn")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _words(value: Any) -> str:
    """The value as text that every file can hold."""
    if isinstance(value, bool):
        return yes_no(value)
    if isinstance(value, list | tuple):
        text = ", ".join(str(one) for one in value)
    elif isinstance(value, datetime) and timezone.is_aware(value):
        text = value.isoformat(timespec="seconds")
    else:
        text = str(value)
    return UNPRINTABLE.sub("", text)
