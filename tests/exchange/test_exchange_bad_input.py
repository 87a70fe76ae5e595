"""Files that are damaged, hostile or edited into nonsense are refused with their name, and nothing else happens."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from openpyxl import load_workbook

import mapkit
from mapkit.errors import ExportError, MapkitError, SourceError
from mapkit.exchange.form import ExportOptions, ReadingFormat
from mapkit.exchange.geojson import board_of_geojson, geojson_text
from mapkit.exchange.registry import get_format

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
    return board_of_geojson(data, file="x.geojson")


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
        (set_in("segments", "pieces", "nothing"), "its pieces do not lead from"),
        (set_in("mileposts", "kind", "town"), "mileposts: 'ash': kind: Input should be 'city' or 'dot'"),
        (set_in("regions", "colour", "red"), "regions: 'west': colour"),
        (set_in("mileposts", "id", "birch"), "a second 'birch'"),
        (set_in("pieces", "layer", "lines"), "its layer is 'lines'"),
        (lambda data: data["mapkit"].pop("projection"), "projection is missing or wrong"),
        (lambda data: data["mapkit"].update(rules={"x": 1}), "rules.x"),
        (lambda data: data["mapkit"].update(drawn={"pieces": {"red--ash--birch": 3}}), "'drawn' holds no paths"),
        (lambda data: data["features"][-1]["geometry"].update(coordinates=[1e400, 0]), "no degree"),
        (lambda data: data["features"][-1]["geometry"].update(coordinates="x"), "malformed"),
    ],
)
def test_nonsense_is_told_with_its_place(tiny: mapkit.Board, change: Callable[[Any], None], said: str) -> None:
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
        ("payoffs", "C2", "much", "payoffs row 2: 'much' is no amount"),
        ("payoffs", "A2", "Ashh", "'Ashh' is unknown (did you mean 'Ash'?)"),
        ("destinations", "C2", "Wset", "'Wset' is unknown (did you mean 'West'?)"),
        ("destinations", "B2", 13, "sum '13' is none of 2 to 12"),
        ("railroads", "D2", "cheap", "railroads row 2: price 'cheap' is no number"),
        ("board", "B2", "one", "board row 2: part is no number"),
    ],
)
def test_a_workbook_edited_into_nonsense_is_told(  # noqa: PLR0913, PLR0917 - a case each
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


def test_a_name_like_a_formula_stays_a_text(tiny: mapkit.Board, tmp_path: Path) -> None:
    named = tiny.model_copy(update={"cities": (tiny.cities[0].model_copy(update={"name": "=1+1"}), *tiny.cities[1:])})
    form, path = file_of("xlsx", named, tmp_path)
    assert load_workbook(path)["cities"]["B2"].data_type != "f"
    assert form.read(path) == named


@pytest.mark.parametrize("name", ["kml", "graphml", "gexf", "xlsx"])
def test_a_character_that_xml_cannot_hold_is_told(name: str, tiny: mapkit.Board) -> None:
    bad = tiny.model_copy(
        update={"mileposts": (tiny.mileposts[0].model_copy(update={"name": "A\x0b"}), *tiny.mileposts[1:])}
    )
    with pytest.raises(ExportError, match="which XML cannot"):
        get_format(name).export(bad, ExportOptions())
