"""Cells of spreadsheets (XLSX): values only, each with a reason if it is doubtful."""

from contextlib import ExitStack
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from mapkit.core import heavy
from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.formats.cells.formulas import parse_constant
from mapkit.formats.cells.ods import is_ods, read_ods
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, checked_rows
from mapkit.formats.lines.archive import open_archive, read_member

MAX_UNPACKED = 128 * 2**20
_WORKBOOK_PATH = "xl/workbook.xml"
_OTHER_ARCHIVES = {
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation",
    "Index/Document.iwa": "a document of Numbers, Pages or Keynote",
    "mimetype": "an OpenDocument file that is no spreadsheet",
}
_XML_DECLARATIONS = tuple(word.encode(code) for word in ("<!DOCTYPE", "<!ENTITY") for code in ("utf-8", "utf-16-le"))
_DATE_TYPES = (date, datetime, time, timedelta)


def read_xlsx(path: Path, *, file: str, sheet: str | None = None) -> Table:
    """Read the cells of a sheet of an XLSX or ODS workbook: the named one, or the only one with content.

    A formula counts as its saved value. Formulas without one, errors, dates, truth values and merged cells get a
    `problem`.

    Raises:
        SourceError: The file is damaged, encrypted or too large, or no sheet or several could be meant.
    """
    if is_ods(path):
        return read_ods(path, file=file, sheet=sheet)
    refuse_bad_archive(path, file=file)
    with ExitStack() as stack:
        stack.enter_context(catch_warnings())
        simplefilter("ignore")  # openpyxl warns of styles and extensions that it drops
        formula_sheet = _open_sheet(stack, path, file, sheet, data_only=False)
        if formula_sheet.max_row * formula_sheet.max_column > MAX_CELLS:
            raise SourceError(
                f"{file}: sheet {formula_sheet.title!r} reaches to row {formula_sheet.max_row}, "
                f"column {formula_sheet.max_column}; the limit is {MAX_CELLS:,} cells; "
                "delete what stands outside the chart"
            )
        area_by_corner = {
            corner: str(area)
            for area in formula_sheet.merged_cells.ranges
            if area.size["rows"] * area.size["columns"] > 1
            for corner in [(area.min_row, area.min_col)]
        }
        has_formulas = any(cell.data_type == "f" for row in formula_sheet.iter_rows() for cell in row)
        value_sheet = _open_sheet(stack, path, file, formula_sheet.title, data_only=True) if has_formulas else None
        rows = []
        for row_number, row in enumerate(formula_sheet.iter_rows(), start=1):
            cells = [
                _read_cell(cell, value_sheet, f"{file}:{row_number}:{k}", area_by_corner.get((row_number, k)))
                for k, cell in enumerate(row, start=1)
            ]
            while cells and not cells[-1].text and not cells[-1].problem:
                cells.pop()
            rows.append(tuple(cells))
    return Table("xlsx", checked_rows(rows, file=file), placed=True, notes=(f"sheet {formula_sheet.title!r}",))


def refuse_bad_archive(path: Path, *, file: str) -> None:
    """Refuse an archive that is not a workbook, unpacks to too much, or declares XML entities.

    Raises:
        SourceError: The file is one of these.
    """
    with open_archive(path, file=file) as archive:
        names = set(archive.namelist())
        if _WORKBOOK_PATH not in names:
            kind = next((kind for member, kind in _OTHER_ARCHIVES.items() if member in names), "a zip archive")
            raise SourceError(f"{file}: {kind}, but no XLSX workbook; save the chart as XLSX or CSV")
        unpacked_bytes = sum(member.file_size for member in archive.infolist())
        if unpacked_bytes > MAX_UNPACKED:
            raise SourceError(
                f"{file}: unpacks to {unpacked_bytes:,} bytes, the limit is {MAX_UNPACKED:,}; save the chart alone"
            )
        for member_name in sorted(archive.namelist()):
            if member_name.endswith((".xml", ".rels")):
                data = read_member(archive, member_name, file=file)
                if any(word in data for word in _XML_DECLARATIONS):
                    raise SourceError(
                        f"{file}: {member_name[:80]!r} declares XML entities; refused. Save the file again as XLSX"
                    )


def _open_sheet(stack: ExitStack, path: Path, file: str, sheet: str | None, *, data_only: bool) -> Any:  # noqa: ANN401
    """Return a worksheet; openpyxl's types do not tell cells of merged ranges apart."""
    try:
        # From a stream of ours: openpyxl leaves a file that it opened itself open when it fails.
        stream = stack.enter_context(path.open("rb"))
        book = heavy.openpyxl.load_workbook(stream, data_only=data_only, keep_links=False)
    except Exception as error:  # openpyxl passes on any error of its parsers
        raise SourceError(f"{file}: the workbook is damaged; save it again") from error
    stack.callback(book.close)
    sheet_names = [worksheet.title for worksheet in book.worksheets]
    if sheet is None:
        filled_sheets = [
            worksheet for worksheet in book.worksheets if worksheet.max_row > 1 and worksheet.max_column > 1
        ]
        if len(filled_sheets) != 1:
            raise SourceError(f"{file}: it has the sheets {join_some(map(repr, sheet_names))}; choose one with --sheet")
        return filled_sheets[0]
    if sheet not in sheet_names:
        hint = did_you_mean(sheet, sheet_names) or f"; sheets are {join_some(map(repr, sheet_names))}"
        raise ChoiceError(f"{file}: no sheet {sheet!r}{hint}")
    return book[sheet]


def _read_cell(cell: Any, saved: Any, where: str, area: str | None) -> Cell:  # noqa: ANN401 - a cell and a sheet of openpyxl
    value: object = cell.value
    problem = f"merged over {area}; split the cells" if area else ""
    if cell.data_type == "f":
        formula_text = str(getattr(value, "text", value))
        constant_value = parse_constant(formula_text)
        value = (
            constant_value
            if constant_value is not None
            else saved[cell.coordinate].value
            if saved is not None
            else None
        )
        if value is None:
            return Cell(
                formula_text, where, problem="a formula without a saved value; open and save it in a spreadsheet"
            )
    if value is None:
        return Cell("", where, problem=problem)
    if isinstance(value, bool) or cell.data_type == "e" or (isinstance(value, str) and value.startswith("#")):
        return Cell(str(value), where, problem=problem or "no amount, but what a formula or a truth value left")
    if isinstance(value, _DATE_TYPES):
        return Cell(str(value), where, problem="a date; the spreadsheet took the amount for one, type it again")
    if isinstance(value, int | float):
        return Cell(f"{value:.15g}", where, number=float(f"{value:.15g}"), problem=problem)
    return Cell(str(value).strip(), where, problem=problem)
