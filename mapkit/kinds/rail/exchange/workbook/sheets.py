"""Minimal XLSX writer: values only, inline texts, no compression.

The bytes therefore depend only on the values, not on the time, the version of a library or the implementation of zlib.
A text that begins with `=` remains a text.
"""

from collections.abc import Collection, Mapping, Sequence
from io import BytesIO
from typing import Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from mapkit.formats.xml_text import xml_text

Cell = str | int | float | bool | None
MOST_TEXT: Final = 32_000
"""Longest text of a cell; the format allows 32,767 characters."""

_XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE_NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_LETTERS = 26
_MIN_WIDTH, _MAX_WIDTH = 4, 60
_FROZEN_ROW = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
_FROZEN_CORNER = '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>'
_STYLES = (
    f'<styleSheet xmlns="{_MAIN_NAMESPACE}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/>'
    '<sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/>'
    '<diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
    '</cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1">'
    '<alignment textRotation="90"/></xf></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def workbook_bytes(
    sheets: Mapping[str, Sequence[Sequence[Cell]]],
    *,
    frozen: Collection[str] = (),
    printed: Mapping[str, int] | None = None,
) -> bytes:
    """Return a workbook; the first row of each sheet is bold, frozen, and printed on every page.

    Args:
        sheets: The rows of each sheet.
        frozen: Sheets with a frozen first column as well, and an upright first row, which makes columns narrow.
        printed: Numbers of printed columns of sheets of which only the first columns are printed, all on one page.
    """
    sheet_numbers = range(1, len(sheets) + 1)
    part_texts = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET_TYPE}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_SHEET_TYPE}.styles+xml"/>'
            + "".join(
                f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_SHEET_TYPE}.worksheet+xml"/>'
                for n in sheet_numbers
            )
            + "</Types>"
        ),
        "_rels/.rels": _relations_xml([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_MAIN_NAMESPACE}" xmlns:r="{_OFFICE_NAMESPACE}"><sheets>'
            + "".join(
                f'<sheet name="{xml_text(sheet_name)}" sheetId="{n}" r:id="rId{n}"/>'
                for n, sheet_name in enumerate(sheets, 1)
            )
            + "</sheets><definedNames>"
            + "".join(
                _print_names(n, sheet_name, sheet_rows, (printed or {}).get(sheet_name))
                for n, (sheet_name, sheet_rows) in enumerate(sheets.items())
            )
            + "</definedNames></workbook>"
        ),
        "xl/_rels/workbook.xml.rels": _relations_xml(
            [*(("worksheet", f"worksheets/sheet{n}.xml") for n in sheet_numbers), ("styles", "styles.xml")]
        ),
        "xl/styles.xml": _STYLES,
    }
    for sheet_number, (sheet_name, sheet_rows) in enumerate(sheets.items(), 1):
        part_texts[f"xl/worksheets/sheet{sheet_number}.xml"] = _sheet_xml(sheet_rows, corner=sheet_name in frozen)
    output = BytesIO()
    with ZipFile(output, "w", ZIP_STORED) as archive:
        for part_name, part_text in part_texts.items():
            zip_info = ZipInfo(part_name, (1980, 1, 1, 0, 0, 0))
            zip_info.create_system = 3  # Unix, wherever this runs
            zip_info.external_attr = 0o600 << 16
            archive.writestr(zip_info, (_XML_DECLARATION + part_text).encode())
    return output.getvalue()


def _relations_xml(targets: Sequence[tuple[str, str]]) -> str:
    relation_elements = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE_NAMESPACE}/{relation_type}" Target="{target_path}"/>'
        for n, (relation_type, target_path) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_RELATIONS_NAMESPACE}">{relation_elements}</Relationships>'


def _print_names(number: int, name: str, rows: Sequence[Sequence[Cell]], columns: int | None) -> str:
    """Return the print area of a sheet (its first columns, by default all) and its title row."""
    last_column = _column_letters((columns or max(map(len, rows), default=1)) - 1)
    area_text, titles_text = xml_text(f"'{name}'!$A$1:${last_column}${max(len(rows), 1)}"), xml_text(f"'{name}'!$1:$1")
    return (
        f'<definedName name="_xlnm.Print_Area" localSheetId="{number}">{area_text}</definedName>'
        f'<definedName name="_xlnm.Print_Titles" localSheetId="{number}">{titles_text}</definedName>'
    )


def _column_widths(rows: Sequence[Sequence[Cell]], *, upright: bool) -> str:
    """Return the widths of columns in letters: the longest text, within limits."""
    max_lengths: dict[int, int] = {}
    for sheet_row in rows[1:] if upright else rows:
        for column_index, value in enumerate(sheet_row):
            if value is not None:
                max_lengths[column_index] = max(max_lengths.get(column_index, 0), len(str(value)))
    column_elements = "".join(
        f'<col min="{column_index + 1}" max="{column_index + 1}" '
        f'width="{min(max(length, _MIN_WIDTH), _MAX_WIDTH) + 1}" customWidth="1"/>'
        for column_index, length in sorted(max_lengths.items())
    )
    return f"<cols>{column_elements}</cols>" if column_elements else ""


def _sheet_xml(rows: Sequence[Sequence[Cell]], *, corner: bool) -> str:
    row_elements = [
        f'<row r="{row_number}">'
        + "".join(
            _cell_xml(
                value,
                f"{_column_letters(column_index)}{row_number}",
                style=0 if row_number > 1 else 2 if corner and column_index else 1,
            )
            for column_index, value in enumerate(sheet_row)
        )
        + "</row>"
        for row_number, sheet_row in enumerate(rows, 1)
    ]
    return (
        f'<worksheet xmlns="{_MAIN_NAMESPACE}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>'
        f'<sheetView workbookViewId="0">{_FROZEN_CORNER if corner else _FROZEN_ROW}</sheetView></sheetViews>'
        f"{_column_widths(rows, upright=corner)}"
        f"<sheetData>{''.join(row_elements)}</sheetData>"
        '<pageMargins left="0.4" right="0.4" top="0.4" bottom="0.4" header="0.2" footer="0.2"/>'
        '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>'
    )


def _cell_xml(value: Cell, cell_name: str, *, style: int) -> str:
    style_attribute = f' s="{style}"' if style else ""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return f'<c r="{cell_name}"{style_attribute} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        shortest_number = int(value) if isinstance(value, float) and value.is_integer() else value
        return f'<c r="{cell_name}"{style_attribute}><v>{shortest_number!r}</v></c>'
    return (
        f'<c r="{cell_name}"{style_attribute} t="inlineStr"><is><t xml:space="preserve">{xml_text(value)}</t></is></c>'
    )


def _column_letters(number: int) -> str:
    """Return the letters of a column, counted from 0."""
    letters = ""
    number += 1
    while number:
        number, letter_index = divmod(number - 1, _LETTERS)
        letters = chr(ord("A") + letter_index) + letters
    return letters
