"""Cells of OpenDocument spreadsheets (ODS): values only, each with a reason if it is doubtful."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ParseError, fromstring
from zipfile import BadZipFile, ZipFile

from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, checked_rows
from mapkit.formats.lines.archive import open_archive, read_member
from mapkit.formats.lines.kml import LimitedHandler, scan_xml

_MEDIA_TYPE: Final = b"application/vnd.oasis.opendocument.spreadsheet"
_CONTENT_PATH: Final = "content.xml"
_MAX_CONTENT: Final = 64 * 2**20
_NAMESPACE: Final = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TABLE: Final = _NAMESPACE % "table"
_OFFICE: Final = _NAMESPACE % "office"
_TEXT: Final = _NAMESPACE % "text"
_NUMBERS: Final = frozenset({"float", "currency", "percentage"})


def is_ods(path: Path) -> bool:
    """Return whether an archive is an OpenDocument spreadsheet."""
    try:
        with ZipFile(path) as archive, archive.open("mimetype") as stream:
            return stream.read(len(_MEDIA_TYPE)) == _MEDIA_TYPE
    except (BadZipFile, KeyError, OSError, RuntimeError, ValueError, NotImplementedError):
        return False


def read_ods(path: Path, *, file: str, sheet: str | None = None) -> Table:
    """Read the cells of a sheet: the named one, or the only one with content.

    A formula counts as its saved value. Dates, truth values and merged cells get a `problem`.

    Raises:
        SourceError: The file is damaged, encrypted or too large, or no sheet or several could be meant.
    """
    with open_archive(path, file=file) as archive:
        if _CONTENT_PATH not in archive.namelist():
            raise SourceError(f"{file}: the workbook is damaged; save it again")
        if archive.getinfo(_CONTENT_PATH).file_size > _MAX_CONTENT:
            raise SourceError(f"{file}: unpacks to more than {_MAX_CONTENT:,} bytes; save the chart alone")
        content = read_member(archive, _CONTENT_PATH, file=file)
    scan_xml(content, LimitedHandler(), file=file)  # refuses entities
    try:
        sheets = {element.get(f"{_TABLE}name", ""): element for element in fromstring(content).iter(f"{_TABLE}table")}  # noqa: S314 - checked above
    except ParseError as error:
        raise SourceError(f"{file}: the workbook is damaged; save it again") from error
    rows_by_sheet = {name: list(_read_rows(element, file)) for name, element in sheets.items() if sheet in (None, name)}
    if not rows_by_sheet:
        hint = did_you_mean(sheet or "", list(sheets)) or f"; sheets are {join_some(map(repr, sheets))}"
        raise ChoiceError(f"{file}: no sheet {sheet!r}{hint}")
    filled_sheets = [name for name, rows in rows_by_sheet.items() if any(map(len, rows))]
    if sheet is None and len(filled_sheets) > 1:
        raise SourceError(f"{file}: it has the sheets {join_some(map(repr, sheets))}; choose one with --sheet")
    chosen_sheet = (filled_sheets or list(rows_by_sheet))[0]
    rows = checked_rows(rows_by_sheet[chosen_sheet], file=file)
    return Table("ods", rows, placed=True, notes=(f"sheet {chosen_sheet!r}",))


def _read_rows(sheet: Element, file: str) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of a sheet up to the last filled one, without empty cells at their ends."""
    row_number, cell_count = 0, 0
    for row in sheet.iter(f"{_TABLE}table-row"):
        repeat_count = _repeats(row, "rows", file)
        filled_elements = _filled_cells(row, file)
        for _ in range(repeat_count if filled_elements else 0):
            row_number += 1
            cell_count += len(filled_elements)
            if cell_count > MAX_CELLS:
                raise SourceError(f"{file}: more than {MAX_CELLS:,} cells; delete what stands outside the chart")
            yield tuple(
                Cell("", where) if element is None else _read_cell(element, where)
                for k, element in enumerate(filled_elements, start=1)
                for where in (f"{file}:{row_number}:{k}",)
            )
        row_number += 0 if filled_elements else repeat_count


def _filled_cells(row: Element, file: str) -> list[Element | None]:
    """Return the cells of a row up to the last filled one; None for empty cells."""
    elements: list[Element | None] = []
    empty_count = 0
    for element in row:
        if element.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        repeat_count = _repeats(element, "columns", file)
        if not _cell_text(element) and element.get(f"{_OFFICE}value-type") is None:
            empty_count += repeat_count
            continue
        if len(elements) + empty_count + repeat_count > MAX_CELLS:
            raise SourceError(f"{file}: more than {MAX_CELLS:,} cells in a row; delete what stands outside the chart")
        elements += [None] * empty_count + [element] * repeat_count
        empty_count = 0
    return elements


def _repeats(element: Element, what: str, file: str) -> int:
    text = element.get(f"{_TABLE}number-{what}-repeated", "1")
    if not (text.isascii() and text.isdigit() and len(text) < len(str(MAX_CELLS)) + 2):
        raise SourceError(f"{file}: the workbook is damaged; save it again")
    return int(text)


def _cell_text(element: Element) -> str:
    return " ".join("".join(paragraph.itertext()) for paragraph in element.findall(f"{_TEXT}p")).strip()


def _read_cell(element: Element, where: str) -> Cell:
    spans = [element.get(f"{_TABLE}number-{what}-spanned", "1") for what in ("rows", "columns")]
    problem = "" if spans == ["1", "1"] else "merged over several cells; split the cells"
    value_type = element.get(f"{_OFFICE}value-type")
    text = _cell_text(element)
    if value_type in _NUMBERS:
        try:
            number = float(f"{float(element.get(f'{_OFFICE}value', '')):.15g}")
        except ValueError:
            return Cell(text, where, problem="no number; type the amount again")
        return Cell(f"{number:.15g}", where, number=number, problem=problem)
    if value_type in ("date", "time"):
        return Cell(text, where, problem="a date; the spreadsheet took the amount for one, type it again")
    if value_type == "boolean" or text.startswith(("#", "Err:")):
        return Cell(text, where, problem="no amount, but what a formula or a truth value left")
    return Cell(text, where, problem=problem)
