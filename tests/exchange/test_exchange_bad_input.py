"""Files that are damaged, hostile or edited into nonsense are refused with their name, and nothing else happens."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from conftest import Run
from openpyxl import load_workbook
from rb3_sample import LAKELAND
from tiny import tiny_board

import mapkit
from mapkit.core.errors import ExportError, MapkitError, SourceError
from mapkit.kinds.rail.exchange.format import EditedFormat, ExportOptions, Format, ReadingFormat
from mapkit.kinds.rail.exchange.gis.geojson import board_from_geojson, geojson_text
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.registry import BUILT_IN, get_format

SAMPLE = LAKELAND.encode()
READING = ("engine", "geojson", "gpkg", "graphml", "kml", "node-link", "topojson", "xlsx")


def file_of(name: str, board: mapkit.Board, folder: Path) -> tuple[ReadingFormat, Path]:
    form = get_format(name)
    assert isinstance(form, ReadingFormat)
    files = {n: c for n, c in form.export(board, ExportOptions()).files.items() if ".schema" not in n}
    [path] = [folder / n for n in files if n.endswith(form.suffixes[0])]
    content = files[path.name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return form, path


@pytest.mark.parametrize("name", READING)
def test_a_truncated_file_is_refused_by_name(name: str, tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of(name, tiny, tmp_path)
    data = path.read_bytes()
    for part in (0.0, 0.02, 0.3, 0.6, 0.97):
        path.write_bytes(data[: int(len(data) * part)])
        with pytest.raises(MapkitError, match=path.name):
            form.read(path)


@pytest.mark.parametrize("name", READING)
def test_a_missing_file_is_an_error_without_traceback(name: str, run: Run, tmp_path: Path) -> None:
    form = get_format(name)
    path = tmp_path / f"none{form.suffixes[0]}"
    done = run("export", path, "--to", "graph", "--out", tmp_path / "out")
    assert done.code == 1
    assert path.name in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["geojson", "node-link", "topojson"])
@pytest.mark.parametrize(
    "text", ["[" * 1000 + "]" * 1000, '{"a": NaN}', "[]", '{"type": 1}', '{"x": 1' + "0" * 5000 + "}"]
)
def test_json_that_is_no_board_is_refused(name: str, text: str, tmp_path: Path) -> None:
    form = get_format(name)
    assert isinstance(form, ReadingFormat)
    path = tmp_path / f"bad{form.suffixes[0]}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=path.name):
        form.read(path)


@pytest.mark.parametrize("name", ["graphml", "kml"])
def test_entities_and_deep_xml_are_refused(name: str, tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of(name, tiny, tmp_path)
    text = path.read_text(encoding="utf-8")
    head, _, body = text.partition("\n")
    for bad in (f'{head}<!DOCTYPE x [<!ENTITY y "z">]>{body}', "<kml>" * 500 + "</kml>" * 500):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(SourceError, match=path.name):
            form.read(path)


def changed(board: mapkit.Board, change: Callable[[Any], None]) -> mapkit.Board:
    data = json.loads(geojson_text(board))
    change(data)
    return board_from_geojson(data, file="x.geojson")


def set_in(layer: str, field: str, value: object) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        row = next(f["properties"] for f in data["features"] if f["properties"]["layer"] == layer)
        row[field] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (set_in("cities", "milepost", "ashh"), "cities: 'ash': milepost 'ashh' is unknown (did you mean 'ash'?)"),
        (set_in("segments", "a", "nowhere"), "segments: 'blue--cedar--dale': a 'nowhere' is unknown"),
        (set_in("segments", "pieces", "nothing"), "its pieces do not start at"),
        (
            set_in("mileposts", "kind", "town"),
            "mileposts: 'ash': kind is 'town': write 'city' or 'dot', or export the board again",
        ),
        (set_in("regions", "colour", "red"), "regions: 'west': colour"),
        (set_in("mileposts", "id", "birch"), "a second 'birch'"),
        (set_in("pieces", "layer", "lines"), "its layer is 'lines'"),
        (set_in("pieces", "layer", {}), "its layer is"),
        (set_in("pieces", "a", {}), "a is not a single value"),
        (set_in("cities", "region", ["west"]), "region is not a single value"),
        (set_in("mileposts", "id", {"x": 1}), "id is not a single value"),
        (lambda data: data["mapkit"].pop("projection"), "projection is missing or wrong"),
        (lambda data: data["mapkit"].update(rules={"x": 1}), "rules.x"),
        (
            lambda data: data["mapkit"].update(own_paths={"pieces": {"red--ash--birch": 3}}),
            "'own_paths' holds no paths",
        ),
        (lambda data: data["mapkit"].update(drawn={"pieces": {"red--ash--birch": 3}}), "'own_paths' holds no paths"),
        (lambda data: data["features"][-1]["geometry"].update(coordinates=[1e400, 0]), "not in degrees"),
        (lambda data: data["features"][-1]["geometry"].update(coordinates="x"), "malformed"),
    ],
)
def test_nonsense_is_reported_with_its_place(tiny: mapkit.Board, change: Callable[[Any], None], said: str) -> None:
    with pytest.raises(SourceError) as found:
        changed(tiny, change)
    assert said in str(found.value)
    assert all(problem.startswith("x.geojson: ") for problem in found.value.problems)


def test_a_hostile_geopackage_runs_nothing(tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of("gpkg", tiny, tmp_path)
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TRIGGER wicked AFTER INSERT ON board BEGIN DELETE FROM mileposts; END")
        base.commit()
    before = path.read_bytes()
    assert form.read(path) == tiny
    assert path.read_bytes() == before
    with closing(sqlite3.connect(path)) as base:
        base.execute("ALTER TABLE railroads RENAME TO real")
        base.execute("CREATE VIEW railroads AS SELECT * FROM real, real AS b, real AS c")
        base.commit()
    with pytest.raises(SourceError, match="railroads is a view, not a table"):
        form.read(path)


def test_a_geopackage_that_is_open_elsewhere_is_refused(tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of("gpkg", tiny, tmp_path)
    path.with_name("tiny.gpkg-wal").write_bytes(b"x")
    with pytest.raises(SourceError, match="close the program that has it open"):
        form.read(path)


@pytest.mark.parametrize(
    ("sheet", "cell", "value", "said"),
    [
        ("payoffs", "C2", "=1+1", "payoffs!C2 holds a formula"),
        ("payoffs", "C2", "much", "payoffs row 2: 'much' is not an amount"),
        ("payoffs", "A2", "Ashh", "'Ashh' is unknown (did you mean 'Ash'?)"),
        ("destinations", "C2", "Wset", "'Wset' is unknown (did you mean 'West'?)"),
        ("destinations", "B2", 13, "sum '13' is not a sum from 2 to 12"),
        ("railroads", "D2", "cheap", "railroads row 2: price 'cheap' is not a number"),
        ("board", "B2", "one", "board row 2: part is not a number"),
    ],
)
def test_a_workbook_edited_into_nonsense_is_reported(
    tiny: mapkit.Board, tmp_path: Path, sheet: str, cell: str, value: object, said: str
) -> None:
    form, path = file_of("xlsx", tiny, tmp_path)
    book: Any = load_workbook(path)
    book[sheet][cell] = value
    book.save(path)
    with pytest.raises(SourceError) as found:
        form.read(path)
    assert said in str(found.value)


def test_what_is_edited_in_a_workbook_comes_back(tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of("xlsx", tiny, tmp_path)
    book: Any = load_workbook(path)
    book["payoffs"]["C2"] = 9.5
    book["railroads"]["D2"] = 7000
    book.save(path)
    board = form.read(path)
    assert board.payoffs.thousands[0][1] == 9.5
    assert board.railroads[0].price == 7000
    book["payoffs"].merge_cells("A2:B3")
    book.save(path)
    with pytest.raises(SourceError, match="are merged; split them"):
        form.read(path)


def test_constant_formulas_are_values(tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of("xlsx", tiny, tmp_path)
    book: Any = load_workbook(path)
    heads = [cell.value for cell in book["railroads"][1]]
    public = heads.index("public") + 1
    for row in range(2, book["railroads"].max_row + 1):
        cell = book["railroads"].cell(row, public)
        cell.value = "=TRUE()" if cell.value else "=FALSE()"
    book["payoffs"]["C2"] = "=9.5"
    book["cities"]["B2"] = f'="{tiny.cities[0].name}"'
    book.save(path)
    board = form.read(path)
    assert board.railroads == tiny.railroads
    assert board.cities == tiny.cities
    assert board.payoffs.thousands[0][1] == 9.5


def test_a_workbook_is_laid_out_for_screen_and_paper(tiny: mapkit.Board, tmp_path: Path) -> None:
    _, path = file_of("xlsx", tiny, tmp_path)
    book: Any = load_workbook(path)
    sheet = book["payoffs"]
    assert (sheet.freeze_panes, book["cities"].freeze_panes) == ("B2", "A2")
    assert sheet.column_dimensions["B"].width == 5  # narrow, for the names above are upright
    assert sheet["B1"].alignment.textRotation == 90
    for one in book.worksheets:
        assert one.print_title_rows == "$1:$1"
        assert (one.page_setup.orientation, one.page_setup.fitToHeight) == ("landscape", 0)
        assert one.sheet_properties.pageSetUpPr.fitToPage
    assert book["pieces"].print_area.startswith("'pieces'!$A$1:$E$")


def test_a_name_like_a_formula_stays_a_text(tiny: mapkit.Board, tmp_path: Path) -> None:
    named = tiny.model_copy(update={"cities": (tiny.cities[0].model_copy(update={"name": "=1+1"}), *tiny.cities[1:])})
    form, path = file_of("xlsx", named, tmp_path)
    assert load_workbook(path)["cities"]["B2"].data_type != "f"
    assert form.read(path) == named


@pytest.mark.parametrize("name", ["kml", "graphml", "gexf", "xlsx"])
def test_a_character_that_xml_cannot_hold_is_reported(name: str, tiny: mapkit.Board) -> None:
    bad = tiny.model_copy(
        update={"mileposts": (tiny.mileposts[0].model_copy(update={"name": "A\x0b"}), *tiny.mileposts[1:])}
    )
    with pytest.raises(ExportError, match="which XML cannot"):
        get_format(name).export(bad, ExportOptions())


def test_rb3_cut_off_anywhere_is_refused_or_says_less() -> None:
    """A file that ends too early never passes for the whole one, and never ends in anything but a message."""
    whole = read_rb3(SAMPLE)
    ends = [read_or_refusal(SAMPLE[:end]) for end in range(len(SAMPLE))]
    assert all(end == whole or (isinstance(end, str) and end.startswith("x.rb3:")) for end in ends)
    assert sum(end == whole for end in ends) <= 2  # the last line's end, and nothing before it


def read_or_refusal(data: bytes) -> object:
    try:
        return read_rb3(data, file="x.rb3")
    except SourceError as error:
        return str(error)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("'[city]\n4", "'[city]\n5", "[city] says 5 but has 4"),
        ("'[regn]\n2", "'[regn]\n3", "[regn] says 3 but has 2"),
        ("'[rr]\n2", "'[rr]\n1", "[rr] says 1 but has 2"),
        ("'[rr]\n2", "'[rr]\n99999999", "its first line is a count from 1 to"),
        ("9/#4/mapkit/D\ns,10", "9/#999999999/mapkit/D\ns,10", "[re1] says 999999999 dots but has 4"),
        ("cities= 4", "cities= 40", "the header says cities=40"),
        ("Gamma,SO", "Gamma,SX", "no region has the code 'SX'"),
        ("1,1, 1,2,3, 0,0", "1,1, 1,2,9, 0,0", "9 is not a dot of region 1"),
        ("1,1, 1,2,3, 0,0", "3,1, 2, 0,0", "3 is not a region"),
        ("1,1, 1,2,3, 0,0", "1,1, 1,2,3,", "is not a list of whole numbers"),
        ("Delta,SO,50,4,4", "Delta,SO,50,4,2", "is disabled"),
        ("Delta,SO,50,4,4", "Delta,SO,50,4,400", "SO has no dot 400"),
        ("2,4,5", "2,4,5,6", "with 4 cities it needs 3"),
        ("2,4,5", "2,nan,5", "row 1 of [pay] has 2 amounts in 3 cells"),
        ("Alpha", "Al\x00pha", "control character 0x00"),
        ("Alpha", "A" * 70_000, "a line of 70010 characters"),
    ],
)
def test_rb3_that_lies_is_reported_with_its_line(old: str, new: str, said: str) -> None:
    assert LAKELAND.count(old) == 1
    with pytest.raises(SourceError) as found:
        read_rb3(LAKELAND.replace(old, new).encode(), file="x.rb3")
    assert said in str(found.value)


def test_bytes_of_no_encoding_in_rb3() -> None:
    assert read_rb3(SAMPLE.replace(b"Alpha", b"Alph\xff")).cities[0].name == "Alph\xff"  # Windows-1252
    with pytest.raises(SourceError, match=r"x\.rb3:22: byte 0x81 is neither UTF-8 nor Windows-1252"):
        read_rb3(SAMPLE.replace(b"Alpha", b"Alph\x81"), file="x.rb3")
    with pytest.raises(SourceError, match=r"x\.rb3"):
        read_rb3(b"\xff" * 1000, file="x.rb3")


def test_a_line_of_a_hundred_megabytes_is_not_even_read(tmp_path: Path) -> None:
    for name in ("x.rb3", "x.geojson", "x.graphml", "x.gexf", "x.kml", "x.topojson", "x.node-link.json", "x.json"):
        path = tmp_path / name
        with path.open("wb") as stream:
            stream.write(b"'[header]\nname=" if name == "x.rb3" else b"<a>")
            stream.truncate(100 * 2**20)  # zeros that take no room on the disk
        form = next(form for form in map(get_format, BUILT_IN) if path.name.endswith(form.suffixes[0]))
        with pytest.raises(MapkitError, match=name):
            read_any_way(form, path)


def read_any_way(form: Format, path: Path) -> mapkit.Board:
    if isinstance(form, ReadingFormat):
        return form.read(path)
    assert isinstance(form, EditedFormat)
    return form.read_edited(path, tiny_board())


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghij"))
    + "]><x>&j;</x>"
)


@pytest.mark.parametrize("name", ["graphml", "gexf", "kml"])
@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
        "<a>" * 1000 + "</a>" * 1000,
        "<a>",
        "",
        "\x00",
    ],
)
def test_xml_that_explodes_or_reaches_out_is_refused(name: str, text: str, tmp_path: Path) -> None:
    form = get_format(name)
    path = tmp_path / f"bad{form.suffixes[0]}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=path.name):
        read_any_way(form, path)


def packed(path: Path, *, extra: dict[str, bytes], change: Callable[[str, bytes], bytes]) -> Path:
    """Write a workbook again with members changed or added."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    out = path.with_name("bad.xlsx")
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in ({name: change(name, data) for name, data in members.items()} | extra).items():
            archive.writestr(name, data)
    return out


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ({"xl/media/huge.bin": b"\0" * (64 * 2**20)}, "unpacks to more than"),
        ({f"xl/m{n}.bin": b"" for n in range(20_000)}, "files in the archive"),
        ({"xl/evil.xml": b'<!DOCTYPE x [<!ENTITY a "b">]><x/>'}, "declares XML entities"),
    ],
)
def test_an_archive_that_explodes_is_refused(
    tiny: mapkit.Board, tmp_path: Path, extra: dict[str, bytes], said: str
) -> None:
    form, path = file_of("xlsx", tiny, tmp_path)
    bad = packed(path, extra=extra, change=lambda _, data: data)
    with pytest.raises(SourceError, match=said):
        form.read(bad)


def test_macros_and_names_that_lead_out_of_an_archive_do_nothing(tiny: mapkit.Board, tmp_path: Path) -> None:
    """Nothing is unpacked to the disk, and nothing but cells is looked at."""
    folder = tmp_path / "in" / "here"
    folder.mkdir(parents=True)
    form, path = file_of("xlsx", tiny, folder)
    extra = {"../../escaped.txt": b"x", "/tmp/mapkit-escaped.txt": b"x", "xl/vbaProject.bin": b"\xd0\xcf\x11\xe0macro"}  # noqa: S108
    bad = packed(path, extra=extra, change=lambda _, data: data)
    assert form.read(bad) == tiny
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["bad.xlsx", "tiny.xlsx"]
    assert not Path("/tmp/mapkit-escaped.txt").exists()  # noqa: S108


def test_a_sheet_that_claims_to_be_endless_is_refused(tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of("xlsx", tiny, tmp_path)
    cell = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    bad = packed(path, extra={}, change=lambda _, data: data.replace(b"</sheetData>", cell))
    with pytest.raises(SourceError, match="the limit is"):
        form.read(bad)


def test_an_endless_geopackage_is_stopped(tiny: mapkit.Board, tmp_path: Path) -> None:
    form, path = file_of("gpkg", tiny, tmp_path)
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE many (id TEXT)")
        base.execute(
            "INSERT INTO many WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200001) "
            "SELECT i FROM n"
        )
        base.execute("DROP TABLE railroads")
        base.execute("ALTER TABLE many RENAME TO railroads")
        base.commit()
    with pytest.raises(SourceError, match="more than 200000 rows in railroads"):
        form.read(path)
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE gpkg_geometry_columns SET srs_id = 3857 WHERE table_name = 'mileposts'")
        base.execute("DELETE FROM railroads")
        base.commit()
    with pytest.raises(SourceError, match="mileposts is in the CRS 3857"):
        form.read(path)
    path.write_bytes(b"SQLite format 3\0" + b"\0" * 5000)
    with pytest.raises(SourceError, match=path.name):
        form.read(path)


@pytest.mark.parametrize(
    "change",
    [
        {"segments": [], "pieces": [{"id": "x"}]},
        {"cities": [{"id": "ash", "name": "Ash", "region": "nowhere", "milepost": "ash"}]},
        {"junctions": []},
        {"mileposts": []},
    ],
)
def test_a_board_file_that_names_what_is_not_there_is_refused(
    change: dict[str, Any], tiny: mapkit.Board, run: Run, tmp_path: Path
) -> None:
    _, path = file_of("engine", tiny, tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    for command in (("export", path, "--to", "all", "--out", tmp_path / "out"), ("import", path, "--into", "copy")):
        done = run(*command, "--workspace", tmp_path)
        assert done.code == 1
        assert "Traceback" not in done.err
        assert "board.json" in done.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["board.json"]


@pytest.mark.parametrize("text", ["[" * 1000 + "]" * 1000, '{"a": ' * 1000 + "1" + "}" * 1000, "{", "[]", "null", "{}"])
def test_a_board_file_of_nonsense_is_refused(text: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text(text, encoding="utf-8")
    done = run("export", "board.json", "--to", "gpkg", "--out", tmp_path / "out", "--workspace", tmp_path)
    assert (done.code, (tmp_path / "out").exists()) == (1, False)
    assert "board.json" in done.err
