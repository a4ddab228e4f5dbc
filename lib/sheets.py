"""Rows as CSV or XLSX: streamed, and harmless when a spreadsheet opens them."""

import csv
import re
import tempfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.http import FileResponse, StreamingHttpResponse
from django.utils import timezone
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

BOM = "\ufeff"  # without it some spreadsheets read UTF-8 as something else
# A cell that begins so is run as a formula; quoted, it is shown as the text it is.
FORMULA = re.compile(r"^\s*[=+\-@\t\r]")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
LONGEST_CELL = 32_767  # characters, by the format of XLSX
IN_MEMORY = 2 * 1024 * 1024  # a larger workbook goes to the disk
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

Row = Iterable[Any]


def sheet_response(
    suffix: str, name: str, rows: Iterable[Row], *, bom: bool = False
) -> StreamingHttpResponse | FileResponse:
    return xlsx_response(name, rows) if suffix == "xlsx" else csv_response(name, rows, bom=bom)


class _Echo:
    """A file that hands back what is written, so that the writer can be a generator."""

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
    """The workbook is complete before the first byte leaves: its format wants an index."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(name[:31])
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  # the response closes it
    book.save(file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{name}.xlsx", content_type=XLSX)


def _cell(sheet: Any, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | Decimal):
        return value
    cell = WriteOnlyCell(sheet, UNPRINTABLE.sub("", _words(value))[:LONGEST_CELL])
    cell.data_type = "s"  # text, also when it begins with “=”
    return cell


def plain(value: Any) -> str:
    """A value for CSV. Numbers stay numbers, also negative ones; text cannot become a formula."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float | Decimal):
        return str(value)
    text = _words(value)
    return f"'{text}" if FORMULA.match(text) else text


def _words(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value)
    if isinstance(value, datetime) and timezone.is_aware(value):
        return value.isoformat(timespec="seconds")
    return str(value)
