"""Writing XLSX by hand: values only, texts inside the cells, nothing compressed.

So the bytes depend on nothing but the values: no time, no version of a library, no implementation of zlib. A text that
begins with `=` stays a text.
"""

from collections.abc import Collection, Mapping, Sequence
from io import BytesIO
from typing import Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from mapkit.formats.xml_text import xml_text

Cell = str | int | float | bool | None
MOST_TEXT: Final = 32_000
"""A cell holds 32,767 characters."""

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_LETTERS = 26
_NARROWEST, _WIDEST = 4, 60
_HEAD_ROW = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
_CORNER = '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>'
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/>'
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
    """Return a workbook; the first row of each sheet is bold, stays on the screen, and is printed on every page.

    Args:
        sheets: The rows of each sheet.
        frozen: Sheets of which the first column stays too, and the first row is upright, so that columns are narrow.
        printed: Sheets of which only the first columns are printed, and how many; a page is as wide as all of them.
    """
    count = range(1, len(sheets) + 1)
    parts = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_SHEET}.styles+xml"/>'
            + "".join(
                f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_SHEET}.worksheet+xml"/>'
                for n in count
            )
            + "</Types>"
        ),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
            + "".join(
                f'<sheet name="{xml_text(name)}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(sheets, 1)
            )
            + "</sheets><definedNames>"
            + "".join(
                _printed(n, name, rows, (printed or {}).get(name)) for n, (name, rows) in enumerate(sheets.items())
            )
            + "</definedNames></workbook>"
        ),
        "xl/_rels/workbook.xml.rels": _relations(
            [*(("worksheet", f"worksheets/sheet{n}.xml") for n in count), ("styles", "styles.xml")]
        ),
        "xl/styles.xml": _STYLES,
    }
    for number, (name, rows) in enumerate(sheets.items(), 1):
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(rows, corner=name in frozen)
    out = BytesIO()
    with ZipFile(out, "w", ZIP_STORED) as archive:
        for name, text in parts.items():
            member = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # Unix, wherever this runs
            member.external_attr = 0o600 << 16
            archive.writestr(member, (_HEAD + text).encode())
    return out.getvalue()


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    inner = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_RELATIONS}">{inner}</Relationships>'


def _printed(number: int, name: str, rows: Sequence[Sequence[Cell]], columns: int | None) -> str:
    """Return what of a sheet is printed: its first columns, all by default, the first row on every page."""
    last = _column((columns or max(map(len, rows), default=1)) - 1)
    area, titles = xml_text(f"'{name}'!$A$1:${last}${max(len(rows), 1)}"), xml_text(f"'{name}'!$1:$1")
    return (
        f'<definedName name="_xlnm.Print_Area" localSheetId="{number}">{area}</definedName>'
        f'<definedName name="_xlnm.Print_Titles" localSheetId="{number}">{titles}</definedName>'
    )


def _style(row: int, column: int, *, corner: bool) -> int:
    """Return the style of a cell: plain, bold in the first row, upright there in a sheet whose corner is frozen."""
    return 0 if row > 1 else 2 if corner and column else 1


def _widths(rows: Sequence[Sequence[Cell]], *, upright: bool) -> str:
    """Return the widths of columns, in letters: that of the longest text, within limits."""
    widest: dict[int, int] = {}
    for row in rows[1:] if upright else rows:
        for k, value in enumerate(row):
            if value is not None:
                widest[k] = max(widest.get(k, 0), len(str(value)))
    columns = "".join(
        f'<col min="{k + 1}" max="{k + 1}" width="{min(max(length, _NARROWEST), _WIDEST) + 1}" customWidth="1"/>'
        for k, length in sorted(widest.items())
    )
    return f"<cols>{columns}</cols>" if columns else ""


def _sheet(rows: Sequence[Sequence[Cell]], *, corner: bool) -> str:
    lines = [
        f'<row r="{number}">'
        + "".join(
            _cell(value, f"{_column(k)}{number}", style=_style(number, k, corner=corner)) for k, value in enumerate(row)
        )
        + "</row>"
        for number, row in enumerate(rows, 1)
    ]
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>'
        f'<sheetView workbookViewId="0">{_CORNER if corner else _HEAD_ROW}</sheetView></sheetViews>'
        f"{_widths(rows, upright=corner)}"
        f"<sheetData>{''.join(lines)}</sheetData>"
        '<pageMargins left="0.4" right="0.4" top="0.4" bottom="0.4" header="0.2" footer="0.2"/>'
        '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>'
    )


def _cell(value: Cell, at: str, *, style: int) -> str:
    styled = f' s="{style}"' if style else ""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return f'<c r="{at}"{styled} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        whole = int(value) if isinstance(value, float) and value.is_integer() else value
        return f'<c r="{at}"{styled}><v>{whole!r}</v></c>'
    return f'<c r="{at}"{styled} t="inlineStr"><is><t xml:space="preserve">{xml_text(value)}</t></is></c>'


def _column(number: int) -> str:
    """Return the letters of a column, counted from 0."""
    out = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, _LETTERS)
        out = chr(ord("A") + rest) + out
    return out
