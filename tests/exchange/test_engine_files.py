"""Engine files hold to their schemas, and the generated types to the board's schema."""

import csv
import json
import math
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import REPOSITORY, Run
from optional import tsc

import mapkit
from mapkit.exchange.typescript import typescript_declarations
from mapkit.kinds.rail.exchange.engine.lookup import (
    SCHEMAS,
    destination_dice,
    payoff_names,
    payoff_square,
    payoff_triples,
)
from mapkit.kinds.rail.exchange.engine.python_types import python_module
from mapkit.kinds.rail.exchange.engine.schemas import NAMES, board_schema, file_schema
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.graphs.graph_json import board_from_graph, board_to_graph
from mapkit.kinds.rail.exchange.registry import get_format
from mapkit.kinds.rail.render.drawn_elements import with_drawn


def files_of(name: str, board: mapkit.Board) -> dict[str, str]:
    made = get_format(name).export(board, ExportOptions()).files
    return {path: text for path, text in made.items() if isinstance(text, str)}


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_each_json_file_holds_to_the_schema_beside_it(name: str) -> None:
    board = mapkit.load(REPOSITORY / "build" / name / "board.json")
    held = 0
    for form in ("engine", "graph", "lookup"):
        files = files_of(form, board)
        for path in files:
            if path.endswith(".json") and ".schema" not in path:
                schema = json.loads(files[path.replace(".json", ".schema.json")])
                jsonschema.Draft202012Validator.check_schema(schema)
                jsonschema.Draft202012Validator(schema).validate(json.loads(files[path]))
                held += 1
    assert held == 5


@pytest.mark.parametrize("name", NAMES)
def test_schemas_refuse_what_is_not_theirs(name: str) -> None:
    assert not jsonschema.Draft202012Validator(file_schema(name)).is_valid({"a": 1})
    assert (REPOSITORY / "docs" / "schema" / f"{name}.schema.json").is_file()


def test_the_python_types_load_the_board_whole(tmp_path: Path, tiny: mapkit.Board) -> None:
    for path, text in files_of("engine", tiny).items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    code = (
        "import dataclasses, json, board_types\n"
        "board = board_types.load('board.json')\n"
        "print(json.dumps(dataclasses.asdict(board)))\n"
        "try:\n    board_types.from_plain(board_types.City, {'id': 'a', 'name': 'b', 'region': 3, 'milepost': 'c'})\n"
        "except TypeError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    plain, refusal = done.stdout.splitlines()
    assert mapkit.Board.model_validate_json(plain) == tiny
    assert refusal == "3 is no <class 'str'>"


def test_the_typescript_declares_every_field_of_every_definition() -> None:
    schema = board_schema()
    text = typescript_declarations(schema)
    declared = dict(re.findall(r"export interface (\w+) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    definitions = {**schema["$defs"], "Board": schema}
    assert set(declared) == {name for name, one in definitions.items() if "properties" in one}
    for name, body in declared.items():
        found = re.findall(r"^  readonly (\w+)(\??): (.+);$", body, re.MULTILINE)
        one = definitions[name]
        assert {field for field, _, _ in found} == set(one["properties"])
        assert {field for field, mark, _ in found if not mark} == set(one.get("required", ()))
    used = set(re.findall(r"\b[A-Z]\w+\b", re.sub(r"/\*.*?\*/|//.*|\"[^\"]*\"", "", text, flags=re.DOTALL)))
    assert used <= set(definitions)
    assert "  readonly frame: readonly [number, number, number, number];" in declared["Page"]
    assert "  readonly thousands: readonly (readonly (number | null)[])[];" in declared["Payoffs"]
    assert "  readonly destinations: { readonly [key: string]: DestinationChart };" in declared["Board"]


def test_the_schema_of_what_is_written_requires_all_settings() -> None:
    """A field may be missing only where mapkit leaves it out; what mapkit accepts needs less."""
    written: Any = mapkit.schema("board")
    accepted: Any = mapkit.schema("board-accepted")
    optional = {
        f"{name}.{field}"
        for name, one in {**written["$defs"], "Board": written}.items()
        for field in {*one.get("properties", ())} - {*one.get("required", ())}
    }
    assert optional == {
        "Board.boxes", "Board.declared", "Board.drawing", "Board.layers", "BoardBox.content", "City.mark",
        "DrawingSettings.compass",
        "DrawingSettings.graticule", "DrawingSettings.language", "DrawingSettings.relief",
        "DrawingSettings.relief_strength", "DrawingSettings.water_names", "Origin.feature", "OwnLayers.labels",
        "OwnLayers.mountains", "Page.extent", "Projection.plane", "TraceNote.row",
    }  # fmt: skip
    assert "required" not in accepted["$defs"]["Auction"]
    assert (written["$id"], accepted["$id"]) == ("urn:mapkit:schema:board", "urn:mapkit:schema:board-accepted")
    for path in (REPOSITORY / "build").glob("*/board.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        kind = "board-hex" if "hexes" in data else "board" if "segments" in data else "board-cards"
        if path.parent.name in ("portugal", "portugal-hex", "barons"):
            jsonschema.Draft202012Validator(mapkit.schema(kind)).validate(data)


def test_typescript_of_each_kind_is_printed(run: Run) -> None:
    done = run("schema", "board-hex", "--typescript")
    assert done.code == 0
    assert "export interface HexBoard {" in done.out


@pytest.mark.parametrize("make", [typescript_declarations, python_module])
def test_what_no_rule_covers_is_no_guess(make: Any) -> None:
    schema = {"title": "X", "type": "object", "properties": {"a": {"not": {}}}}
    with pytest.raises(ValueError, match=r"no (TypeScript|Python) type for"):
        make(schema)


def test_the_graph_has_junctions_and_shared_edges(tiny: mapkit.Board) -> None:
    graph = board_to_graph(tiny)
    kinds = {node["id"]: node["kind"] for node in graph["nodes"]}
    assert kinds["blue--j"] == "junction"
    assert [n for n, kind in kinds.items() if kind == "dot"] == ["birch", "cedar", "hill"]
    owners = {(edge["a"], edge["b"]): edge["railroads"] for edge in graph["edges"]}
    assert owners["cedar", "dale"] == ["blue", "red"]
    assert len(graph["edges"]) == len(owners) == 11
    gum = next(node for node in graph["nodes"] if node["id"] == "fir-gum")
    assert [city["name"] for city in gum["cities"]] == ["Fir", "Gum"]


def test_an_edge_has_the_drawn_path_of_each_railroad_from_its_first_end_to_its_second(tiny: mapkit.Board) -> None:
    graph = board_to_graph(tiny)
    at = {node["id"]: (node["drawn_x"], node["drawn_y"]) for node in graph["nodes"]}
    drawn = {(p.railroad, *sorted((p.a, p.b))): p.drawn_path for p in with_drawn(tiny).pieces}
    for edge in graph["edges"]:
        assert list(edge["drawn_path"]) == edge["railroads"]
        for railroad, path in edge["drawn_path"].items():
            assert sorted(path) == sorted(drawn[railroad, edge["a"], edge["b"]])
            assert math.dist(path[0], at[edge["a"]]) < math.dist(path[0], at[edge["b"]])
    without = {**graph, "edges": [{k: v for k, v in edge.items() if k != "drawn_path"} for edge in graph["edges"]]}
    assert board_from_graph(without, file="x") == board_from_graph(graph, file="x")


def test_lookup_tables_in_whole_money(tiny: mapkit.Board) -> None:
    assert payoff_square(tiny)[0] == ["", "Ash", "Dale", "Elm", "Fir", "Gum"]
    assert payoff_square(tiny)[2] == ["Dale", 4500, 0, 5500, 1500, 1500]
    assert payoff_names(tiny)["Elm"] == {"Ash": 1500, "Dale": 5500, "Fir": 4500, "Gum": 4500}
    triples = payoff_triples(tiny)
    assert len(triples) == 10
    assert triples[-1] == ("Fir", "Gum", 0)
    dice = destination_dice(tiny)
    assert dice["regions"]["odd"][:3] == ["West", "East", "West"]
    assert dice["cities"]["East"]["even"] == ["Dale", "Fir", "Gum"] * 3 + ["Dale", "Fir"]
    files = files_of("lookup", tiny)
    assert set(SCHEMAS) == {path.removesuffix(".schema.json") for path in files if path.endswith(".schema.json")}
    rows = list(csv.reader(StringIO(files["destination-dice.csv"])))
    assert rows[0] == ["chart", "parity", *map(str, range(2, 13))]
    assert len(rows) == 7
    assert next(csv.reader(StringIO(files["payoff-triples.csv"]))) == ["from", "to", "amount"]


BOARDS = (
    ("engine", "portugal", "board", "Board"),
    ("json", "portugal-hex", "portugal-hex", "HexBoard"),
    ("json", "barons", "barons", "CardGame"),
)
"""Format, board, stem of its file, and its type."""


def test_types_and_schemas_are_true_of_what_is_written(tmp_path: Path) -> None:
    """The schema beside each file holds, all rules are required, and `tsc --strict` takes the file as its type."""
    compiler = tsc(REPOSITORY / "mapkit" / "editor" / "web", "npm ci --prefix mapkit/editor/web")
    for form, name, stem, kind in BOARDS:
        folder = tmp_path / name
        mapkit.export(name, to=form, out=folder, workspace=REPOSITORY)
        text = (folder / f"{stem}.json").read_text(encoding="utf-8")
        schema = json.loads((folder / f"{stem}.schema.json").read_text(encoding="utf-8"))
        jsonschema.validate(json.loads(text), schema)
        assert schema["$id"].startswith("urn:mapkit:schema:board")
        rules = schema["$defs"][{"HexBoard": "HexRules", "CardGame": "CardRules"}.get(kind, "Rules")]
        assert set(rules["required"]) == set(rules["properties"])
        (folder / "use.ts").write_text(
            f'import type {{ {kind} }} from "./{stem}";\nexport const board: {kind} = {text};\n', encoding="utf-8"
        )
    paths = [tmp_path / name / "use.ts" for _, name, _, _ in BOARDS]
    done = subprocess.run(
        [*compiler, "--noEmit", "--strict", "--pretty", "false", *paths],
        capture_output=True, text=True, check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[:2000]
