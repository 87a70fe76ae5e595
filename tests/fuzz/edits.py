"""Single edits of files that are right: what a slip of the hand, a spreadsheet or another program makes of them.

Each maker takes the bytes of a good file and a source of chance, and returns the file with one edit. What edits have
in common is `ODD`, the values that people and programs leave behind.
"""

import codecs
import csv
import io
import json
import re
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from xml.dom import minidom

import openpyxl
import pikepdf
import shapely

Plain = Any
ODD: tuple[Plain, ...] = (
    "", " ", "nowhere", "-5", "1e13", "abc", "NaN", "5,5", "é\u0301\u200b", "x" * 3000, "\x07", "../up", "#zz", "1/0",
    None, True, False, 0, -5, 10**13, 10**400, 1.5, -1e-300, 1e308, float("nan"), float("inf"), [], {}, [[]], [None],
    {"a": 1}, [1, 2, 3],
)  # fmt: skip
TEXTS: tuple[str, ...] = (
    "", " ", "nowhere", "-5", "0", "10000000000000", "1e400", "NaN", "inf", "1.5", "abc", "5,5", "5;5", '"', "é\u0301",
    "x" * 3000, "../up", "#zz", "true", "1/0", "-1e-300", "=1+1", "=FALSE()", "2026-11-23", "$5.50", "'", "\t", "…",
)  # fmt: skip
DEEP = 2000


@dataclass(frozen=True)
class Edit:
    """A file with one edit.

    Attributes:
        says: What was done, for people.
        data: The file.
    """

    says: str
    data: bytes


Maker = Callable[[bytes, Random], Edit]


def shown(value: Plain) -> str:
    """Return a value in a line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"


def of_bytes(data: bytes, chance: Random) -> Edit:
    """Cut a file short, change a byte, leave some out, or say them twice."""
    at = chance.randrange(len(data))
    match chance.randrange(5):
        case 0:
            return Edit(f"cut at {at}", data[:at])
        case 1:
            byte = bytes([chance.choice((0, 0xFF, 0xE9, 0x81, 0x80, 0x22, 0x7B))])
            return Edit(f"byte {at} is {byte!r}", data[:at] + byte + data[at + 1 :])
        case 2:
            return Edit(f"without bytes {at} to {at + 9}", data[:at] + data[at + 9 :])
        case 3:
            return Edit(f"bytes {at} to {at + 50} twice", data[:at] + data[at : at + 50] + data[at:])
        case _:
            number = struct.pack("<d", chance.choice((float("nan"), float("inf"), 1e13, -0.0)))
            return Edit(f"bytes {at} to {at + 8} are {number!r}", data[:at] + number + data[at + 8 :])


def encoded(data: bytes, chance: Random) -> Edit:
    """Save a text in another encoding, or with a letter of one."""
    text = data.decode("utf-8", "replace")
    match chance.randrange(4):
        case 0:
            return Edit("UTF-16", text.encode("utf-16"))
        case 1:
            return Edit("with a BOM", codecs.BOM_UTF8 + data)
        case 2:
            letters = [found.start() for found in re.finditer(rb"[a-z]", data)]
            at = chance.choice(letters or [0])
            return Edit(f"byte {at} is Latin-1", data[:at] + b"\xe9" + data[at + 1 :])
        case _:
            return Edit("empty", b"")


def _usually(maker: Maker) -> Maker:
    """Make an edit of the form in most cases, else one of the bytes or of the encoding."""

    def made(data: bytes, chance: Random) -> Edit:
        draw = chance.randrange(12)
        return of_bytes(data, chance) if draw == 0 else encoded(data, chance) if draw == 1 else maker(data, chance)

    return made


def _spots(value: Plain, path: str = "") -> list[tuple[str, Plain, Plain]]:
    """Return `(path, holder, key)` of everything in JSON data; long lists by their first and last items."""
    if isinstance(value, dict):
        keys: list[Plain] = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value))) if len(value) <= 6 else [*range(4), len(value) - 1]
    else:
        return []
    return [
        spot
        for key in keys
        for spot in ((f"{path}.{key}", value, key), *_spots(value[key], f"{path}.{key}"))
    ]  # fmt: skip


def _swapped(value: Plain) -> Plain:
    return value[::-1] if isinstance(value, list) else -value if type(value) in (int, float) else str(value).upper()


@_usually
def of_json(data: bytes, chance: Random) -> Edit:
    """Change, delete, double or nest one value of JSON."""
    whole = json.loads(data)
    depths: dict[int, list[tuple[str, Plain, Plain]]] = {}
    for spot in _spots(whole):
        depths.setdefault(spot[0].count("."), []).append(spot)
    path, holder, key = chance.choice(depths[chance.choice(sorted(depths))])
    match chance.randrange(8):
        case 0:
            del holder[key]
            says = f"without {path}"
        case 1 if isinstance(holder, list):
            holder.insert(key, holder[key])
            says = f"{path} twice"
        case 1:
            holder[f"{key}2"] = holder[key]
            says = f"{path} again as {key}2"
        case 2:
            holder[key] = _swapped(holder[key])
            says = f"{path} turned: {shown(holder[key])}"
        case 3:
            text = json.dumps(whole).replace(json.dumps(holder[key]), "[" * DEEP + "]" * DEEP, 1)
            return Edit(f"{path} nested {DEEP} deep", text.encode())
        case _:
            holder[key] = chance.choice(ODD)
            says = f"{path} = {shown(holder[key])}"
    return Edit(says, json.dumps(whole, ensure_ascii=False).encode("utf-8", "surrogatepass"))


_VALUE = re.compile(r'"[^"\n]*"|(?<==)\s*[-\w.+]+|(?<=[\[,{])\s*[-\w.+]+')


@_usually
def of_toml(data: bytes, chance: Random) -> Edit:
    """Change a value of TOML, or delete, double, move or misspell a line."""
    lines = data.decode().splitlines()
    at = chance.choice([at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")])
    what = chance.randrange(7)
    if what == 0:
        says, lines[at : at + 1] = f"without line {at + 1}", []
    elif what == 1:
        says, lines[at : at + 1] = f"line {at + 1} twice", [lines[at]] * 2
    elif what == 2:
        says, lines[at] = f"line {at + 1} misspelt", lines[at].replace(lines[at].strip()[:3], "zz", 1)
    else:
        values = list(_VALUE.finditer(lines[at]))
        new = chance.choice(
            ('""', '"nowhere"', "-5", "10000000000000", "nan", "inf", "true", "[]", "{}", "[[]]", '" "', "1e400", "0",
             "1979-05-27", f'"{"x" * 3000}"', '"é"', "0x1F", "[" * 500 + "]" * 500, '{a = "b"}', '"1/0"', "[1, 2]",
             "1" * 5000, '"#zz"', "1.5")
        )  # fmt: skip
        if values:
            found = chance.choice(values)
            lines[at] = lines[at][: found.start()] + new + lines[at][found.end() :]
        else:
            lines[at] += new
        says = f"line {at + 1} is now {shown(lines[at])}"
    return Edit(says, "\n".join([*lines, ""]).encode())


def table_edit(rows: list[list[Plain]], chance: Random, values: tuple[Plain, ...]) -> str:  # noqa: C901, PLR0911
    """Make one edit of a table in place, and say what it was."""
    at = chance.randrange(len(rows)) if chance.randrange(5) else 0
    while not rows[at]:
        at = chance.randrange(len(rows))
    column = chance.randrange(len(rows[at]))
    match chance.randrange(12):
        case 0:
            rows[at : at + 1] = []
            return f"without row {at + 1}"
        case 1:
            rows[at : at + 1] = [rows[at], list(rows[at])]
            return f"row {at + 1} twice"
        case 2:
            del rows[at][column]
            return f"row {at + 1} without cell {column + 1}"
        case 3:
            rows[at].insert(column, rows[at][column])
            return f"row {at + 1} with cell {column + 1} twice"
        case 4:
            for row in rows:
                row[column : column + 1] = []
            return f"without column {column + 1}"
        case 5:
            for row in rows:
                row[column:column] = row[column : column + 1]
            return f"column {column + 1} twice"
        case 6:
            other = chance.randrange(len(rows[at]))
            rows[at][column], rows[at][other] = rows[at][other], rows[at][column]
            return f"row {at + 1} with cells {column + 1} and {other + 1} swapped"
        case _:
            rows[at][column] = chance.choice(values)
            return f"row {at + 1} cell {column + 1} = {shown(rows[at][column])}"


@_usually
def of_csv(data: bytes, chance: Random) -> Edit:
    """Edit one cell, row or column of a CSV table."""
    rows: list[list[Plain]] = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    says = table_edit(rows, chance, TEXTS)
    out = io.StringIO()
    if chance.randrange(10):
        csv.writer(out, lineterminator="\n").writerows(rows)
    else:
        says += ", unquoted"
        out.write("\n".join(",".join(row) for row in rows))
    return Edit(says, out.getvalue().encode("utf-8", "replace"))


def of_rb3(data: bytes, chance: Random) -> Edit:
    """Edit one line of an RB3 map, a cell or as a whole."""
    if not chance.randrange(10):
        return of_bytes(data, chance)
    rows: list[list[Plain]] = [line.split(",") for line in data.decode("cp1252").splitlines()]
    says = table_edit(rows, chance, (*TEXTS, "-99", "256", "70000", "1001"))
    return Edit(says, "\r\n".join(",".join(row) for row in rows).encode("cp1252", "replace"))


@_usually
def of_xml(data: bytes, chance: Random) -> Edit:
    """Edit one element, attribute or text of XML."""
    document: Any = minidom.parseString(data)  # noqa: S318 - a file that we wrote
    nodes = [node for node in document.getElementsByTagName("*") if node is not document.documentElement]
    names = sorted({node.tagName for node in nodes})
    name = chance.choice(names)
    node = chance.choice([node for node in nodes if node.tagName == name])
    words = (*TEXTS, "1,2", "NaN,NaN 1,1", "999,999 -999,0", "1,2,3,4", "M0,0", "url(#a)", "matrix(0,0,0,0,0,0)")
    attributes = sorted(node.attributes.keys())
    texts = [child for child in node.childNodes if child.nodeType == child.TEXT_NODE]
    what = chance.randrange(8)
    if what == 0:
        node.parentNode.removeChild(node)
        says = f"without a {name}"
    elif what == 1:
        node.parentNode.insertBefore(node.cloneNode(True), node)  # noqa: FBT003 - minidom's own way
        says = f"a {name} twice"
    elif what == 2:
        says, node.tagName = f"{name} misspelt", f"{name}x"
    elif what == 3:
        for _ in range(300):
            outer = document.createElement("g")
            node.parentNode.replaceChild(outer, node)
            outer.appendChild(node)
        says = f"{name} 300 deep"
    elif attributes and (what in (4, 5) or not texts):
        key = chance.choice(attributes)
        value = chance.choice(words)
        node.setAttribute(key, value)
        if not chance.randrange(4):
            node.removeAttribute(key)
            value = "gone"
        says = f"{name}/@{key} = {shown(value)}"
    elif texts:
        texts[0].data = chance.choice((*words, texts[0].data[:-3], f"{texts[0].data} 5", texts[0].data[::-1]))
        says = f"{name} holds {shown(texts[0].data)}"
    else:
        node.appendChild(document.createTextNode(chance.choice(words)))
        says = f"{name} has a text"
    return Edit(says, document.toxml(encoding="utf-8"))


def _shapes(shape: Any, chance: Random, header: bytes) -> Plain:
    """Return what a geometry may be edited into, as a GeoPackage's blob."""
    good = shapely.to_wkb(shape)
    coordinates = shapely.get_coordinates(shape)
    odd = coordinates.copy()
    odd[0] = chance.choice(((float("nan"), 1.0), (1e13, 1e13), (float("inf"), 0.0), (-200.0, 95.0)))
    if shape.geom_type == "Polygon":
        return chance.choice((None, b"", header, header + good[:-5], "text", 5))
    other = shapely.Polygon([(0, 0), (1, 0), (1, 1)]) if shape.geom_type != "Point" else shapely.MultiPoint(coordinates)
    return chance.choice(
        (None, b"", header, header + good[:-5], header + shapely.to_wkb(shapely.from_wkt("POINT EMPTY")),
         header + shapely.to_wkb(other), header + shapely.to_wkb(shapely.set_coordinates(shape, odd)),
         header + shapely.to_wkb(shapely.set_coordinates(shape, coordinates[:, ::-1])), "text", 5,
         header + shapely.to_wkb(shapely.force_3d(shape)), header + good[:5] + b"\xff\xff\xff\xff" + good[9:],
         header + shapely.to_wkb(shapely.LineString(coordinates[[0, 0]])))
    )  # fmt: skip


def of_geopackage(data: bytes, chance: Random) -> Edit:
    """Edit one value, row, column or table of a GeoPackage, as SQLite sees it."""
    if not chance.randrange(12):
        return of_bytes(data, chance)
    with TemporaryDirectory(prefix="mapkit-fuzz-") as folder:
        path = Path(folder) / "edited.gpkg"
        path.write_bytes(data)
        with closing(sqlite3.connect(path)) as base:
            names = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            own = [name for name in names if not name.startswith(("sqlite", "rtree", "gpkg_extensions"))]
            for (trigger,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                base.execute(f'DROP TRIGGER "{trigger}"')
            says = _database_edit(base, chance.choice(own), chance)
            base.commit()
        return Edit(says, path.read_bytes())


def _database_edit(base: sqlite3.Connection, table: str, chance: Random) -> str:  # noqa: PLR0911
    columns = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
    rows = [row[0] for row in base.execute(f'SELECT rowid FROM "{table}"')]  # noqa: S608
    column = chance.choice(columns)
    what = chance.randrange(14)
    if what == 0:
        base.execute(f'DROP TABLE "{table}"')
        return f"without the table {table}"
    if what == 1:
        base.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "other"')
        return f"{table}.{column} renamed"
    if not rows:
        base.execute(f'ALTER TABLE "{table}" ADD COLUMN "fid2"')
        return f"{table} has a column fid2"
    row = chance.choice(rows)
    if what == 2:
        base.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (row,))  # noqa: S608
        return f"{table} without row {row}"
    if what == 3:
        rest = ", ".join(f'"{name}"' for name in columns if name != "fid")
        try:
            base.execute(f'INSERT INTO "{table}" ({rest}) SELECT {rest} FROM "{table}" WHERE rowid = ?', (row,))  # noqa: S608
        except sqlite3.IntegrityError:
            base.execute(f'DELETE FROM "{table}"')  # noqa: S608
            return f"{table} without rows"
        return f"{table} row {row} twice"
    (old,) = base.execute(f'SELECT "{column}" FROM "{table}" WHERE rowid = ?', (row,)).fetchone()  # noqa: S608
    if isinstance(old, bytes) and old[:2] == b"GP":
        start = 8 + {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}[old[3] >> 1 & 7]
        new = _shapes(shapely.from_wkb(old[start:]), chance, old[:start])
        marker, value = "?", new
    elif isinstance(old, str) and what in (4, 5):
        marker, value = "CAST(? AS TEXT)", b"K\xfcl " + old.encode()[3:]
    else:
        fitting = [v for v in ODD if v is None or isinstance(v, str | float | bool) or (type(v) is int and v < 2**62)]
        marker, value = "?", chance.choice(fitting)
    try:
        base.execute(f'UPDATE "{table}" SET "{column}" = {marker} WHERE rowid = ?', (value, row))  # noqa: S608
    except sqlite3.IntegrityError:
        base.execute(f'UPDATE "{table}" SET "{column}" = -7 WHERE rowid = ?', (row,))  # noqa: S608
        value = -7
    return f"{table}.{column} of row {row} = {shown(value)}"


def in_archive(chosen: str, maker: Maker) -> Maker:
    """Return a maker that edits one of the members of an archive whose names match."""

    def made(data: bytes, chance: Random) -> Edit:
        if not chance.randrange(12):
            return of_bytes(data, chance)
        out = io.BytesIO()
        says = ""
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as new:
            names = archive.namelist()
            member = chance.choice([name for name in names if re.search(chosen, name)])
            gone = not chance.randrange(12)
            for name in names:
                content = archive.read(name)
                if name == member and gone:
                    says = f"without {name}"
                    continue
                if name == member:
                    edit = maker(content, chance)
                    says, content = f"{name}: {edit.says}", edit.data
                new.writestr(zipfile.ZipInfo(name), content)
        return Edit(says, out.getvalue())

    return made


_PDF_NUMBER = re.compile(rb"(?<=[ \[\n])-?\d+(?:\.\d+)?(?=[ \]\n])")
_PDF_NUMBERS = (b"0", b"-1", b"99999999", b"1e9", b"4294967296", b"9" * 400, b"null", b"[1 0 R]", b"/X", b"(")
_CONTENT = re.compile(rb"\([^)]*\)|-?\d+\.\d+|Tj|Tm|BT|ET")
_CONTENTS = (b"(\\033[31m)", b"()", b"(\\377\\376)", b"1e30", b"-1", b"0", b"q", b"Q", b"BI ID EI", b"<" + b"4" * 4001)


def of_pdf(data: bytes, chance: Random) -> Edit:
    """Edit the bytes, the table of objects, a number, the text or the packing of a PDF, or encrypt it."""
    what = chance.randrange(8)
    if what < 3:
        return of_bytes(data, chance)
    if what == 3:
        at = chance.choice([found.end() for found in re.finditer(rb"xref\n", data)])
        return Edit(f"the table at {at} is damaged", data[:at] + b"7" + data[at + chance.randrange(3) :])
    if what == 4:
        found = chance.choice([one for one in _PDF_NUMBER.finditer(data) if data.rfind(b"endobj", 0, one.start()) >= 0])
        new = chance.choice(_PDF_NUMBERS)
        return Edit(
            f"{found[0]!r} at {found.start()} is {new[:9]!r}", data[: found.start()] + new + data[found.end() :]
        )
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as document:
        page = document.pages[0]
        if what == 5:
            document.save(out, encryption=pikepdf.Encryption(owner="a", user=chance.choice(("", "b"))))
            return Edit("encrypted", out.getvalue())
        content = page.Contents.read_bytes()
        if what == 6:
            found = chance.choice(list(_CONTENT.finditer(content)))
            new = chance.choice(_CONTENTS)
            says, content = f"{found[0]!r} is {new[:9]!r}", content[: found.start()] + new + content[found.end() :]
            page.Contents = document.make_stream(content)
        else:
            times = chance.choice((2, 12, 300))
            for _ in range(times):
                content = zlib.compress(content)
            says, filters = f"packed {times} times", pikepdf.Array([pikepdf.Name.FlateDecode] * times)
            page.Contents = document.make_stream(content, Filter=filters)
        document.save(out, object_stream_mode=chance.choice(list(pikepdf.ObjectStreamMode)))
    return Edit(says, out.getvalue())


def of_workbook(data: bytes, chance: Random) -> Edit:
    """Edit one cell, row, column or sheet of a workbook, as a spreadsheet does; or its XML."""
    if not chance.randrange(5):
        return in_archive(r"\.xml$", of_xml)(data, chance)
    book: Any = openpyxl.load_workbook(io.BytesIO(data))
    sheet = chance.choice(book.worksheets)
    if not chance.randrange(12) and len(book.worksheets) > 1:
        says = f"without the sheet {sheet.title}"
        book.remove(sheet)
    elif not chance.randrange(12):
        says = f"{sheet.title} merged"
        sheet.merge_cells("A1:B2")
    else:
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        fitting = tuple(v for v in ODD if not isinstance(v, list | dict) and v not in ("\x07", 10**400))
        dates = (date(2026, 11, 23), "=1+1", "=FALSE()", "#N/A", "=A2")
        says = f"{sheet.title}: {table_edit(rows, chance, (*fitting, *dates))}"
        title, at = sheet.title, book.worksheets.index(sheet)
        book.remove(sheet)
        sheet = book.create_sheet(title, at)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return Edit(says, out.getvalue())


def of_lines(data: bytes, chance: Random) -> Edit:
    """Edit one line of JSON Lines, such as a journal."""
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            return Edit(f"without line {at + 1}", b"".join(lines[:at] + lines[at + 1 :]))
        case 1:
            return Edit(f"line {at + 1} twice", b"".join([*lines[: at + 1], *lines[at:]]))
        case 2:
            return of_bytes(data, chance)
        case _:
            edit = of_json(lines[at], chance)
            return Edit(f"line {at + 1}: {edit.says}", b"".join([*lines[:at], edit.data + b"\n", *lines[at + 1 :]]))
