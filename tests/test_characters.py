"""Characters that no text may hold: refused where text is read, never written, never sent to a terminal."""

import json
from pathlib import Path

import geopandas as gpd
import openpyxl
import pytest
import shapely
from conftest import Run
from pydantic import ValidationError
from tiny import tiny_board

import mapkit
from mapkit.core.characters import describe_character, escape_characters, find_character, refuse_characters
from mapkit.core.errors import ExportError, MapkitError, SourceError
from mapkit.formats.json_reading import parse_json
from mapkit.formats.toml_reading import parse_toml
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.commands.cities import CityFields, EditCity

BAD = [
    "\x00",
    "\x08",
    "\x0b",
    "\x1b",
    "\x7f",
    "\x85",
    "\x9b",
    "\u2028",
    "\u202e",
    "\u2066",
    "\ufdd0",
    "\ufeff",
    "\uffff",
]
GOOD = "Zürich \u00a0 Ōsaka\tЖж\nنزوى \u200c \U0001f682 \ufffd"


@pytest.mark.parametrize("character", [*BAD, "\udfff", "\U0010ffff"])
def test_a_bad_character_is_found_and_escaped(character: str) -> None:
    assert find_character(f"Bad{character}ville") == character
    assert f"U+{ord(character):04X}" in describe_character(character)
    shown = escape_characters(f"Bad{character}ville")
    assert find_character(shown) is None
    assert shown.encode()


def test_letters_of_any_script_are_good() -> None:
    assert find_character(GOOD) is None
    assert escape_characters(GOOD) == GOOD
    assert escape_characters("a\rb\r\n") == "a\\u000db\r\n"


def test_each_row_is_named_once_with_its_first_character() -> None:
    with pytest.raises(SourceError) as error:
        refuse_characters("id,name\na,Bree\x0bField\x0b,x\nb,Good\nc,Al\u202epha\n", file="t.csv")
    assert error.value.problems == (
        "t.csv:2: character 7 is the control character U+000B, in 'Bree\\x0bField\\x0b'; delete it",
        "t.csv:4: character 5 is the invisible character right-to-left override U+202E, in 'Al\\u202epha'; delete it",
    )


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (r'{"a": 1, "b": ' + "\n" + r'"x\u001by"}', 2),
        (r'{"x\u0000y": 1}', 1),
        (r'{"a": "\\\u202e"}', 1),
        (r'{"a": "\ud800"}', 1),
        (r'{"a": "\b"}', 1),
    ],
)
def test_an_escape_in_json_is_found(text: str, row: int) -> None:
    with pytest.raises(SourceError, match=rf"t\.json:{row}: .* is written as an escape"):
        parse_json(text, file="t.json")


def test_other_escapes_are_good() -> None:
    assert parse_json(r'{"a": "\ud83d\ude82 \u00e9 \\u001b \n"}', file="t.json") == {"a": "\U0001f682 é \\u001b \n"}
    assert parse_toml("a = 'C:\\u001b\\backup'\nb = \"\\u00e9\"\n", file="t.toml")["b"] == "é"


def test_an_escape_in_toml_is_found() -> None:
    with pytest.raises(SourceError, match=r"t\.toml:2: the control character U\+001B is written as an escape"):
        parse_toml('a = 1\nb = "x\\u001by"\n', file="t.toml")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "row"),
    [
        ("cities.csv", "Boston", "Bos\x0bton", 3),
        ("railroads.csv", "Shore Line", "Shore\x1b[31m Line", 2),
        ("lines/shore.csv", "Portsmouth NH", "Portsmouth\u202e NH", 3),
        ("charts/destinations.csv", "regions,2", "re\x85gions,2", 2),
        ("charts/payoffs.csv", "Albany", "Al\ufffebany", 1),
        ("board.toml", 'title = "', 'title = "\x7f', 2),
        ("board.toml", 'title = "', 'title = "\\u001b', 2),
    ],
)
def test_one_bad_character_in_a_source_is_one_finding(
    file: str, old: str, new: str, row: int, example: Path, run: Run
) -> None:
    replace(example / file, old, new)
    workspace = example.parents[1]
    checked = run("check", "example", "--json", "--workspace", workspace)
    assert checked.code == 1
    errors = [one for one in json.loads(checked.out)["findings"] if one["severity"] == "error"]
    assert [(one["code"], one["place"]["file"], one["place"]["row"]) for one in errors] == [("S01", file, row)]
    assert "U+" in errors[0]["message"]
    built = run("build", "example", "--workspace", workspace)
    assert built.code == 1
    assert find_character(built.err) is None
    assert not (workspace / "build").exists()


@pytest.mark.parametrize("name", ["cities.csv", "railroads.csv", "lines/shore.csv", "charts/payoffs.csv", "board.toml"])
@pytest.mark.parametrize("damage", ["bytes", "column"])
def test_one_unreadable_table_is_one_error(name: str, damage: str, example: Path, run: Run) -> None:
    text = (example / name).read_text(encoding="utf-8")
    if damage == "bytes":
        (example / name).write_bytes(text.encode() + b"\xe9")
    elif name == "charts/payoffs.csv":
        (example / name).write_text('"' + text, encoding="utf-8")
    else:
        (example / name).write_text("[" + text, encoding="utf-8")
    found = json.loads(run("check", "example", "--json", "--workspace", example.parents[1]).out)["findings"]
    errors = [one for one in found if one["severity"] == "error"]
    assert [(one["code"], one["place"]["file"]) for one in errors] == [("S01", name)]


def test_empty_columns_at_the_end_are_left_out(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    assert run("build", "example", "--workspace", workspace).code == 0
    plain = json.loads((workspace / "build" / "example" / "board.json").read_text(encoding="utf-8"))
    for path in example.rglob("*.csv"):
        rows = path.read_text(encoding="utf-8").splitlines()
        path.write_text("".join(f"{row},, ,\n" for row in rows) + ",,,,\n", encoding="utf-8")
    assert run("build", "example", "--workspace", workspace).code == 0
    board = json.loads((workspace / "build" / "example" / "board.json").read_text(encoding="utf-8"))
    for one in (plain, board):
        del one["provenance"]["sources"]
    assert board == plain


def geojson(name: str) -> str:
    line = {"type": "LineString", "coordinates": [[-71.06, 42.36], [-70.26, 43.66]]}
    feature = {"type": "Feature", "properties": {"railroad": name}, "geometry": line}
    return json.dumps({"type": "FeatureCollection", "features": [feature]})


def layers(folder: Path, name: str) -> dict[str, str]:
    """Write a file of each format with a bad name, and return what the message must hold."""
    (folder / "escape.geojson").write_text(geojson(name), encoding="utf-8")
    (folder / "raw.geojson").write_text(geojson("xyz").replace("xyz", name), encoding="utf-8")
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<g id="{}"><path d="M0 0L9 9"/></g></svg>'
    (folder / "raw.svg").write_text(svg.format(name), encoding="utf-8")
    kml = (
        '<kml xmlns="http://www.opengis.net/kml/2.2"><Folder><name>{}</name>\n<Placemark><LineString><coordinates>'
        "-71,42 -70,43</coordinates></LineString></Placemark></Folder></kml>"
    )
    (folder / "raw.kml").write_text(kml.format(name), encoding="utf-8")
    frame = gpd.GeoDataFrame({"railroad": [name]}, geometry=[shapely.LineString([(-71, 42), (-70, 43)])], crs=4326)
    frame.to_file(folder / "lines.gpkg")
    return {file: file for file in ("escape.geojson", "raw.geojson", "raw.svg", "raw.kml", "lines.gpkg")}


@pytest.mark.parametrize("character", ["\x1b", "\x9b", "\u202e"])
def test_a_bad_character_in_geodata_is_refused(character: str, example: Path, run: Run) -> None:
    workspace = example.parents[1]
    before = {path: path.read_bytes() for path in example.rglob("*") if path.is_file()}
    for file in layers(workspace, f"Shore{character}Line"):
        ran = run("import", workspace / file, "--into", "example", "--new-railroads", "--workspace", workspace)
        assert ran.code == 1, (file, ran)
        assert f"{file}" in ran.err
        assert f"U+{ord(character):04X}" in ran.err, (file, ran.err)
        assert find_character(ran.err) is None
    assert {path: path.read_bytes() for path in example.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("text", [r"Bo\u001bston", "Bo\x1bston", r"Bo\u202eston", r"Bo\ud800ston"])
def test_a_command_with_a_bad_character_is_refused(text: str, example: Path, run: Run) -> None:
    workspace = example.parents[1]
    command = json.dumps({"kind": "edit-city", "id": "boston", "name": "@"}).replace("@", text)
    (workspace / "steps.json").write_text(command, encoding="utf-8", newline="")
    for given in (command, workspace / "steps.json"):
        ran = run("do", "example", given, "--workspace", workspace)
        assert ran.code in (1, 2), ran
        assert "U+" in ran.err
        assert find_character(ran.err) is None
    assert "Boston" in (example / "cities.csv").read_text(encoding="utf-8")
    with pytest.raises(MapkitError, match=r"U\+001B"):
        read_command({"kind": "edit-city", "id": "boston", "name": "Bo\x1bston"})


def test_a_bad_character_in_a_chart_is_named_with_its_cell(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    chart = (example / "charts" / "payoffs.csv").read_text(encoding="utf-8")
    (workspace / "chart.csv").write_text(chart.replace("Boston", "Bo\x1bston", 1), encoding="utf-8")
    (workspace / "chart.json").write_text('[{"from": "Albany", "to": "Bo\\u0085ston", "payoff": 3}]', encoding="utf-8")
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in chart.splitlines():
        sheet.append([cell.replace("Boston", "Bo\u202eston") for cell in row.split(",")])
    book.save(workspace / "chart.xlsx")
    for file, where in (("chart.csv", "1"), ("chart.json", "1"), ("chart.xlsx", "1:3")):
        ran = run("payoffs", "check", workspace / file, "--board", "example", "--workspace", workspace)
        assert ran.code == 1, ran
        assert f"{file}:{where}: " in ran.err
        assert "U+" in ran.err


def test_nothing_that_is_not_xml_is_drawn() -> None:
    """A program can make such a board, which no file can hold."""
    board = tiny_board()
    cities = (board.cities[0].model_copy(update={"name": "Al\x0bpha"}), *board.cities[1:])
    mileposts = tuple(m.model_copy(update={"name": "Al\x0bpha"}) for m in board.mileposts)
    wrong = board.model_copy(update={"cities": cities, "mileposts": mileposts, "title": "Ti\x0btle"})
    with pytest.raises(ExportError, match=r"the control character U\+000B, which XML cannot hold"):
        mapkit.render_board(wrong)


def test_a_control_character_in_an_argument_is_a_usage_error(run: Run) -> None:
    ran = run("check", "no\x1b[31mred")
    assert ran.code == 2
    assert "U+001B" in ran.err
    assert "\x1b" not in ran.err


def test_a_command_made_in_python_holds_no_bad_character() -> None:
    with pytest.raises(ValidationError, match=r"'Bo.*ston' holds the control character U\+001B; delete it"):
        EditCity(id="boston", name="Bo\x1bston")
    with pytest.raises(ValidationError, match=r"U\+202E"):
        EditCity(id="boston", was=CityFields(name="Al\u202epha"))


def test_notes_of_drawings_hold_no_bad_character(example: Path, run: Run) -> None:
    (example / "drawings").mkdir()
    notes = 'kind,what,message,feature,lon,lat\nleft out,hidden,"\x1b[31mred",f1,,\n'
    (example / "drawings" / "notes.csv").write_text(notes, encoding="utf-8")
    ran = run("check", "example", "--json", "--workspace", example.parents[1])
    assert ran.code == 1
    first = json.loads(ran.out)["findings"][0]
    assert (first["code"], first["place"]["file"], first["place"]["row"]) == ("S01", "drawings/notes.csv", 2)
    assert "is the control character U+001B, in " in first["message"]
    assert "\x1b" not in ran.out + ran.err


@pytest.mark.parametrize("how", ["\x1b", r"\u001b"])
@pytest.mark.parametrize("command", ["referee", "playtest replay portugal --log"])
def test_a_log_holds_no_bad_character(how: str, command: str, tmp_path: Path, run: Run) -> None:
    log = tmp_path / "log.jsonl"
    head = '{"board": "tiny", "board_hash": "x", "rules": {"preset": "ici"}, "players": ["An@n", "Ben"]}'
    log.write_text(head.replace("@", how) + '\n{"does": "first", "player": 1}\n', encoding="utf-8")
    ran = run(*command.split(), log)
    assert ran.code == 1
    assert f"{log}:1: " in ran.err
    assert "U+001B" in ran.err
    card = '{"format": "mapkit/card-game-log", "game": "barons"}\n{"player": "A", "move": "of@fer"}\n'
    log.write_text(card.replace("@", how), encoding="utf-8")
    ran = run("referee", log)
    assert ran.code == 1
    assert f"{log}:2: " in ran.err
    assert "U+001B" in ran.err
