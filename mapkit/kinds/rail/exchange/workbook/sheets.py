"""Writing XLSX by hand: values only, texts inside the cells, nothing compressed.

So the bytes depend on nothing but the values: no time, no version of a library, no implementation of zlib. A text that
begins with `=` stays a text.
"""

from collections.abc import Mapping, Sequence
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
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/>'
    '<sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/>'
    '<diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
    '</cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def workbook_bytes(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """Return a workbook; the first row of each sheet is bold and stays on the screen."""
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
            + "</sheets></workbook>"
        ),
        "xl/_rels/workbook.xml.rels": _relations(
            [*(("worksheet", f"worksheets/sheet{n}.xml") for n in count), ("styles", "styles.xml")]
        ),
        "xl/styles.xml": _STYLES,
    }
    for number, rows in enumerate(sheets.values(), 1):
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(rows)
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


def _sheet(rows: Sequence[Sequence[Cell]]) -> str:
    lines = [
        f'<row r="{number}">'
        + "".join(_cell(value, f"{_column(k)}{number}", bold=number == 1) for k, value in enumerate(row))
        + "</row>"
        for number, row in enumerate(rows, 1)
    ]
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
        f'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>{"".join(lines)}</sheetData>'
        "</worksheet>"
    )


def _cell(value: Cell, at: str, *, bold: bool) -> str:
    style = ' s="1"' if bold else ""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return f'<c r="{at}"{style} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        whole = int(value) if isinstance(value, float) and value.is_integer() else value
        return f'<c r="{at}"{style}><v>{whole!r}</v></c>'
    return f'<c r="{at}"{style} t="inlineStr"><is><t xml:space="preserve">{xml_text(value)}</t></is></c>'


def _column(number: int) -> str:
    """Return the letters of a column, counted from 0."""
    out = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, _LETTERS)
        out = chr(ord("A") + rest) + out
    return out
