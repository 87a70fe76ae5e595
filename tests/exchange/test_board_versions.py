"""The versions of the board file: version 2 is written, version 1 is read everywhere and written on demand.

`version-1/` holds what mapkit 0.1.0 made of the small example while version 1 was the only one.
"""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.errors import ExportError, MapkitError
from mapkit.kinds.rail.exchange.board_parts import board_to_parts
from mapkit.kinds.rail.exchange.engine.format import FORMAT
from mapkit.kinds.rail.exchange.engine.schemas import board_schema
from mapkit.kinds.rail.exchange.format import ExportOptions, ReadingFormat
from mapkit.kinds.rail.exchange.registry import BUILT_IN, get_format
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.rules.rules import House, HouseRule, preset
from mapkit.version import __version__

OLD = Path(__file__).with_name("version-1")
OLD_FILE = OLD / "board.json"
EXTENSIONS: dict[str, Any] = {"org.example.game": {"a.b": [1, 2.5, None, {"c": []}]}, "plain": "ä"}
WHOLE = [
    name
    for name in sorted(BUILT_IN)
    if isinstance(get_format(name), ReadingFormat) and get_format(name).loses == "nothing"
]


@pytest.fixture
def example(example: Path) -> Path:
    """The small example as it was then: with the amounts of the old file, and without a table that computes them."""
    was = json.loads(OLD_FILE.read_text(encoding="utf-8"))
    names = {city["id"]: city["name"] for city in was["cities"]}
    cities = [names[city] for city in was["payoffs"]["cities"]]
    rows = [[city, *map(str, row)] for city, row in zip(cities, was["payoffs"]["thousands"], strict=True)]
    text = "".join(",".join(row) + "\n" for row in [["city", *cities], *rows])
    (example / "charts" / "payoffs.csv").write_text(text, encoding="utf-8")
    toml = example / "board.toml"
    before, _, after = toml.read_text(encoding="utf-8").partition("# what a trip pays")
    toml.write_text(f"{before}# Findings{after.partition('# Findings')[2]}", encoding="utf-8")
    return example


def loaded_then(source: Path, **options: Any) -> mapkit.Board:
    """Return a board as mapkit 0.1.0 made it: with its version, and without the rows of regions."""
    board = mapkit.load(source, **options)
    regions = {
        ident: origin.model_copy(update={"row": None}) for ident, origin in board.provenance.elements["regions"].items()
    }
    elements = {**board.provenance.elements, "regions": regions}
    then = board.provenance.model_copy(update={"version": "0.1.0", "elements": elements})
    return board.model_copy(update={"provenance": then})


def version_1(board: mapkit.Board) -> str:
    text = FORMAT.export(board, ExportOptions(board_version=1)).files["board.json"]
    assert isinstance(text, str)
    return text


def extended(board: mapkit.Board) -> mapkit.Board:
    """Return a board with everything that version 1 has not."""
    house = House(words=(HouseRule(title="Ferry", text="Free\non Sundays"),))
    rules = board.rules.model_copy(update={"house": house})
    return board.model_copy(update={"rules": rules, "extensions": EXTENSIONS})


def test_version_1_is_written_as_it_was(example: Path) -> None:
    was = OLD_FILE.read_text(encoding="utf-8")
    assert version_1(loaded_then(example)) == was
    assert version_1(mapkit.load(OLD_FILE)) == was


def test_the_command_writes_version_1_and_says_what_it_lacks(example: Path, run: Run, tmp_path: Path) -> None:
    done = run("export", example, "--to", "engine", "--board-version", "1", "--out", tmp_path / "out")
    assert done.code == 0
    assert "engine does not hold: where elements are drawn" in done.err
    data = json.loads((tmp_path / "out" / "board.json").read_text(encoding="utf-8"))
    schema = json.loads((tmp_path / "out" / "board.schema.json").read_text(encoding="utf-8"))
    assert (data["version"], schema["properties"]["version"]["const"]) == (1, 1)
    jsonschema.Draft202012Validator(schema).validate(data)
    assert "drawn_" not in (tmp_path / "out" / "board.d.ts").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("to", "version", "message"),
    [
        ("graph", 1, "version 1 of the board file is written by the format engine; add it to the formats"),
        ("engine", 3, "no version 3 of the board file; there are 1 and 2"),
    ],
)
def test_what_cannot_be_written_is_refused(
    to: str, version: int, message: str, tiny: mapkit.Board, tmp_path: Path
) -> None:
    with pytest.raises(ExportError, match=message):
        mapkit.export(tiny, to=to, board_version=version, out=tmp_path)
    assert not list(tmp_path.iterdir())


def test_version_1_holds_no_house_rules_extensions_and_features(tiny: mapkit.Board) -> None:
    board = extended(tiny)
    elements = {"mileposts": {"ash": Origin(how="traced", file="lines/a.csv", row=2)}}
    board = board.model_copy(update={"provenance": board.provenance.model_copy(update={"elements": elements})})
    made = FORMAT.export(board, ExportOptions(board_version=1))
    assert made.losses == ("where elements are drawn", "house rules", "extensions: org.example.game, plain")
    jsonschema.Draft202012Validator(board_schema(1)).validate(json.loads(version_1(board)))
    plain = {"extensions": {}, "rules": tiny.rules}
    assert mapkit.Board.model_validate_json(version_1(board)) == board.model_copy(update=plain)


@pytest.mark.parametrize(
    ("settings", "ride", "lost"),
    [
        ({}, "bank-fee", ()),
        ({"preset": "ici"}, "free", ()),
        ({"fees": {"own": 0}}, "free", ()),
        ({"fees": {"own": 500}}, "bank-fee", ("the fee for the seller's ride on an auctioned railroad",)),
        ({"information": {"home": "secret"}}, "bank-fee", ("what players say about homes and cash",)),
    ],
)
def test_version_1_has_rules_that_it_knows(
    settings: dict[str, object], ride: str, lost: tuple[str, ...], tiny: mapkit.Board
) -> None:
    board = tiny.model_copy(update={"rules": mapkit.Rules.model_validate(settings)})
    text = version_1(board)
    written = json.loads(text)["rules"]
    jsonschema.Draft202012Validator(board_schema(1)).validate(json.loads(text))
    assert (written["auction"]["seller_ride"], written["information"].keys()) == (
        ride, {"announce_cash", "announce_when", "announce_times"},
    )  # fmt: skip
    assert FORMAT.export(board, ExportOptions(board_version=1)).losses[1:] == lost
    again = mapkit.Board.model_validate_json(text).rules
    same = board.rules.fees.own in (board.rules.fees.bank, 0) and not lost
    assert (again == board.rules) == (same and board.rules.fees.own == preset(board.rules.preset).fees.own)


def test_version_1_is_read_wherever_a_board_is(example: Path, run: Run, tmp_path: Path) -> None:
    now = loaded_then(example)
    assert mapkit.load(OLD_FILE) == now
    assert mapkit.load(OLD / "example.geojson") == now
    assert mapkit.Board.model_validate_json(OLD_FILE.read_text(encoding="utf-8")) == now
    assert run("check", OLD_FILE).code == 0
    assert mapkit.import_board(OLD_FILE, into="again", workspace=tmp_path).lost[1:] == ()
    assert mapkit.diff_boards(mapkit.load("again", workspace=tmp_path), now).story == ()
    text = FORMAT.export(mapkit.load(OLD_FILE), ExportOptions()).files["board.json"]
    assert text == FORMAT.export(now, ExportOptions()).files["board.json"]


def test_a_variant_goes_on_version_1(example: Path, tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "mine.toml").write_text(
        'name = "mine"\ntitle = "Mine"\nboard = "example"\n\n[[operations]]\nop = "set-rule"\npath = "house.words"\n'
        'value = [{ title = "Ferry", text = "Free." }]\nreason = "We like it"\n',
        encoding="utf-8",
    )
    old = mapkit.load(OLD_FILE, variants=["mine"], workspace=tmp_path)
    assert old == loaded_then(example, variants=["mine"], workspace=tmp_path)
    assert old.rules.house.words == (HouseRule(title="Ferry", text="Free."),)
    assert mapkit.variant_of(mapkit.load(OLD_FILE), old).left == ()


def test_an_edited_file_of_version_1_is_a_variant(example: Path, tmp_path: Path) -> None:
    assert example.is_dir()
    data = json.loads((OLD / "example.geojson").read_text(encoding="utf-8"))
    [springfield] = [
        f for f in data["features"] if f["properties"].get("id") == "springfield" and "kind" in f["properties"]
    ]
    springfield["geometry"]["coordinates"][0] += 0.1
    (tmp_path / "edited.geojson").write_text(json.dumps(data), encoding="utf-8")
    made = mapkit.variant_from(tmp_path / "edited.geojson", "moved", of="example", workspace=tmp_path)
    assert [operation.kind for operation in made.variant.operations] == ["edit-place"]
    assert made.left == ()


@pytest.mark.parametrize("version", [0, 3, "2", None, True, [2]])
def test_an_unknown_version_is_refused_with_what_to_do(version: object, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    path.write_text(
        json.dumps(json.loads(OLD_FILE.read_text(encoding="utf-8")) | {"version": version}), encoding="utf-8"
    )
    done = run("check", path)
    assert done.code == 1
    message = (
        f"a board file of version {version!r}; mapkit {__version__} reads 1 and 2; take a newer mapkit, or have the "
    )
    assert message + "file written with `mapkit export BOARD --to engine --board-version 2`" in done.err.replace(
        "\n", " "
    )


def test_an_unknown_version_in_another_format_is_refused_likewise(tmp_path: Path) -> None:
    data = json.loads((OLD / "example.geojson").read_text(encoding="utf-8"))
    data["mapkit"]["version"] = 3
    (tmp_path / "board.geojson").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(MapkitError, match=r"a board file of version 3; .* take a newer mapkit"):
        mapkit.load("board.geojson", workspace=tmp_path)


@pytest.mark.parametrize("to", WHOLE)
def test_extensions_and_house_rules_come_back_whole(to: str, tiny: mapkit.Board, tmp_path: Path) -> None:
    board = extended(tiny)
    form = get_format(to)
    assert isinstance(form, ReadingFormat)
    made = form.export(board, ExportOptions())
    for name, content in made.files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    [name] = [name for name in made.files if name.endswith(form.suffixes[0]) and ".schema" not in name]
    assert form.read(tmp_path / name) == board


@pytest.mark.parametrize("name", ["", "Big", "a b", "a..b", ".a", "a/b", "é"])
def test_an_extension_needs_a_name(name: str, tiny: mapkit.Board) -> None:
    data = tiny.model_dump(mode="json") | {"extensions": {name: 1}}
    with pytest.raises(ValueError, match="extensions"):
        mapkit.Board.model_validate(data)


def test_extensions_of_board_toml_reach_the_board_file(example: Path, tmp_path: Path, run: Run) -> None:
    toml = example / "board.toml"
    more = '\n[extensions."org.example.game"]\n"a.b" = [1, { c = 2.5 }]\n\n[extensions.plain]\n'
    toml.write_text(toml.read_text(encoding="utf-8") + more, encoding="utf-8")
    board = mapkit.load(example)
    assert board.extensions == {"org.example.game": {"a.b": [1, {"c": 2.5}]}, "plain": {}}
    text = FORMAT.export(board, ExportOptions()).files["board.json"]
    assert isinstance(text, str)
    (tmp_path / "board.json").write_text(text, encoding="utf-8")
    mapkit.import_board(tmp_path / "board.json", into="again", workspace=tmp_path)
    assert mapkit.load("again", workspace=tmp_path).extensions == board.extensions
    done = run("do", example, json.dumps({"kind": "set-setting", "key": "title", "value": "Ours"}), "--save")
    assert done.code == 0, done.err
    assert mapkit.load(example).extensions == board.extensions
    assert more in toml.read_text(encoding="utf-8")


def test_an_extension_that_toml_cannot_say_is_reported(tiny: mapkit.Board, tmp_path: Path) -> None:
    text = FORMAT.export(extended(tiny), ExportOptions()).files["board.json"]
    assert isinstance(text, str)
    (tmp_path / "board.json").write_text(text, encoding="utf-8")
    message = mapkit.import_board(tmp_path / "board.json", into="again", workspace=tmp_path).lost
    assert "extensions with a null in them, which TOML does not know: org.example.game" in message
    again = mapkit.load("again", workspace=tmp_path)
    assert again.extensions == {"plain": "ä"}
    assert again.rules.house == extended(tiny).rules.house


def test_extensions_count_in_a_difference(tiny: mapkit.Board) -> None:
    found = mapkit.diff_boards(tiny, extended(tiny))
    assert {change.path for change in found.values} == {"extensions.org.example.game", "extensions.plain"}
    assert {change.path for change in found.rules} == {"house.words"}


def test_a_board_in_memory_is_not_drawn(tiny: mapkit.Board) -> None:
    drawn = mapkit.with_drawn(tiny)
    assert isinstance(drawn, mapkit.BoardFile)
    text = drawn.model_dump_json()
    assert mapkit.BoardFile.model_validate_json(text) == drawn
    assert mapkit.Board.model_validate_json(text) == tiny
    assert "drawn_x" not in tiny.model_dump_json()
    assert [type(city) for city in drawn.cities] == [type(city) for city in tiny.cities]
    assert {city.drawn_x for city in mapkit.Board.model_validate(drawn.model_dump()).cities} == {None}
    assert None not in {city.drawn_x for city in drawn.cities}
    with pytest.raises(ValueError, match="drawn_x"):
        mapkit.BoardFile.model_validate_json(OLD_FILE.read_text(encoding="utf-8"))


def test_tables_say_where_points_are_drawn(tiny: mapkit.Board) -> None:
    drawn = mapkit.with_drawn(tiny)
    tables = board_to_parts(tiny, drawn=True).tables
    for name, elements in (("mileposts", drawn.mileposts), ("junctions", drawn.junctions), ("cities", drawn.cities)):
        assert [(row["drawn_x"], row["drawn_y"]) for row in tables[name]] == [(e.drawn_x, e.drawn_y) for e in elements]
    assert all("drawn_path" not in row for row in (*tables["pieces"], *tables["segments"]))


def test_a_variant_keeps_what_others_added(tiny: mapkit.Board) -> None:
    changed = mapkit.apply(extended(tiny), ["announce-above"], workspace=REPOSITORY)
    assert changed.variants == ("announce-above",)
    assert (changed.extensions, changed.rules.house) == (EXTENSIONS, extended(tiny).rules.house)
