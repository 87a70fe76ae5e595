"""Formats of hexagon boards: what goes out comes back exactly, and what others made is taken."""

import base64
import json
import math
import re
import struct
import zlib
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import REPOSITORY, Run
from defusedxml import ElementTree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mapkit.api.former import import_hexes
from mapkit.core.errors import BoardError, SourceError
from mapkit.document.document import document_of_rows
from mapkit.document.workspace import Workspace
from mapkit.kinds.hex.compiler import compile_hexes
from mapkit.kinds.hex.exchange.board_rows import rows_of_board
from mapkit.kinds.hex.exchange.eighteen.coordinates import (
    corner_at,
    edge_of_corners,
    games_edge,
    maker_direction,
    maker_points,
    maker_side,
)
from mapkit.kinds.hex.exchange.eighteen.games import games_map
from mapkit.kinds.hex.exchange.format import HexExport
from mapkit.kinds.hex.exchange.hexjson import hexjson
from mapkit.kinds.hex.exchange.joining import compiled_file
from mapkit.kinds.hex.exchange.registry import FORMATS, get_format, reader_for
from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.grid.cubes import SIDES
from mapkit.kinds.hex.grid.grid import HexGrid, Offset
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard, HexCity, HexEdge
from mapkit.kinds.hex.model.terrain import built_in_terrains, known_terrains
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.kinds.hex.rules.settings import HexRules
from mapkit.kinds.hex.tables import HexDocument

BOARDS: Final = ("eastern-us-hex", "great-britain-hex", "mexico-hex", "portugal-hex", "western-us-hex")
OFFSETS: Final[tuple[Offset, ...]] = ("odd-r", "even-r", "odd-q", "even-q")
READ: Final = tuple(name for name in FORMATS.names() if get_format(name).read is not None)


def shipped(name: str) -> HexBoard:
    return HexBoard.model_validate_json((REPOSITORY / "build" / name / "board.json").read_text(encoding="utf-8"))


def written(board: HexBoard, form: str, folder: Path) -> Path:
    """Write a board, and return the file that is read."""
    form_ = get_format(form)
    for name, data in form_.write(board, HexExport()).files.items():
        folder.joinpath(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return folder / f"{board.id}{form_.suffixes[0]}"


def read_back(path: Path, board_id: str) -> HexBoard:
    read = reader_for(path).read
    assert read is not None
    compiled = compiled_file(read(path), board_id)
    assert compiled.problems == ()
    return compiled.board


@st.composite
def boards(draw: st.DrawFn) -> HexBoard:
    """Small boards with any offset, terrain of their own, edges, cities and links."""
    grid = HexGrid(
        offset=draw(st.sampled_from(OFFSETS)),
        columns=draw(st.integers(1, 6)),
        rows=draw(st.integers(1, 6)),
        size_mm=draw(st.sampled_from((15.0, 22.0, 30.5))),
        labels=draw(st.sampled_from(("none", "A1", "18xx", "01.01"))),
    )
    terrains = [*known_terrains(), "bog"]
    names = [grid.hex_id(cube) for cube in grid.cubes]
    hexes = [
        {"id": name, "terrain": draw(st.sampled_from(terrains)), "label": grid.label(cube)}
        | ({"art": "hills"} if draw(st.booleans()) else {})
        for name, cube in zip(names, grid.cubes, strict=True)
    ]
    edges = [
        HexEdge(
            id=grid.edge_id(edge),
            hexes=tuple(grid.edge_id(edge).split("--")),
            kinds=tuple(draw(st.permutations(("ridge", "river", "impassable", "ferry")))[: draw(st.integers(1, 3))]),
            cost=draw(st.sampled_from((0, 1000, 4000))),
        )
        for edge in (draw(st.lists(st.sampled_from(grid.edges), unique=True, max_size=8)) if grid.edges else [])
    ]
    homes = draw(st.lists(st.sampled_from(names), unique=True, max_size=4))
    cities = [
        HexCity(
            id=f"city-{number}",
            name=draw(st.sampled_from(("Évora", "São Brás", 'Quote "d"', "A & B"))) + f" {number}",
            hex=home,
            colours=tuple(draw(st.lists(st.sampled_from(GOODS), unique=True, min_size=1, max_size=2))),
            cubes=draw(st.integers(0, 5)),
            rotor=draw(st.booleans()),
            twins="pair" if draw(st.booleans()) else "",
        )
        for number, home in enumerate(homes)
    ]
    rules = HexRules()
    data = {
        "id": "small",
        "title": "Small",
        "grid": grid.model_dump(),
        "earth": draw(
            st.sampled_from((None, {"crs": "EPSG:3035", "metres_per_mm": 900.0, "left": 1.5, "top": 2.5, "turn": 30.0}))
        ),
        "terrains": [
            *(one.model_dump() for one in built_in_terrains(rules.track)),
            {"id": "bog", "name": "bog", "cost": 3500, "colour": "#887755", "wet": True},
        ],
        "hexes": hexes,
        "edges": [edge.model_dump() for edge in edges],
        "cities": [city.model_dump() for city in cities],
        "links": [
            {"id": "first", "a": "city-0", "b": "city-1", "name": "Boat", "cost": 2000, "owner": "bank"},
            {"id": "off", "a": "city-0", "b": None, "name": "Away", "cost": 0, "owner": "nobody", "colours": ["red"]},
        ][: draw(st.integers(0, 2))]
        if len(cities) > 1
        else [],
    }
    return HexBoard.model_validate(data)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("form", READ)
def test_shipped_boards_come_back_exactly(name: str, form: str, tmp_path: Path) -> None:
    board = shipped(name)
    assert read_back(written(board, form, tmp_path), name) == board


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(board=boards())
def test_any_board_comes_back_exactly(board: HexBoard, tmp_path: Path) -> None:
    assert compile_hexes(document_of_rows(HexDocument, rows_of_board(board)), board_id="small").board == board
    for form in READ:
        assert read_back(written(board, form, tmp_path), "small") == board, form


@pytest.mark.slow
def test_the_same_board_gives_the_same_bytes() -> None:
    board = shipped("portugal-hex")
    for name in FORMATS.names():
        form = get_format(name)
        assert form.write(board, HexExport()).files == form.write(board, HexExport()).files, name


@pytest.mark.parametrize("offset", OFFSETS)
def test_hexjson_shifts_lines_as_it_is_described(offset: Offset) -> None:
    """By the description: rows count upwards; odd or even rows shift right, odd or even columns up, by half."""
    grid = HexGrid(offset=offset, columns=4, rows=5)
    empty = {"edges": (), "cities": (), "links": (), "lines": (), "operations": (), "barons": ()}
    hexes = [{"id": grid.hex_id(cube), "terrain": "plains"} for cube in grid.cubes]
    data = shipped("portugal-hex").model_dump() | {"grid": grid.model_dump(), "hexes": hexes} | empty
    found = hexjson(HexBoard.model_validate(data))
    first = None
    for cube in grid.cubes:
        one = found["hexes"][grid.hex_id(cube)]
        x, y = _hexjson_place(one["q"], one["r"], found["layout"])
        ours = (grid.centre(cube)[0] / grid.size_mm, grid.centre(cube)[1] / grid.size_mm)
        away = (ours[0] - x, ours[1] - y)
        first = first or away
        assert away == pytest.approx(first)


def _hexjson_place(q: int, r: int, layout: str) -> tuple[float, float]:
    """Return the centre of a hexagon of HexJSON with y downward, a hexagon being 1 from side to side."""
    odd = 1 if layout.startswith("odd") else 0
    lean = 3**0.5 / 2
    if layout.endswith("r"):
        return q + (0.5 if r % 2 == odd else 0), -r * lean
    return q * lean, -(r + (0.5 if q % 2 == odd else 0))


def test_hexjson_of_others_keeps_its_names(tmp_path: Path) -> None:
    """A cartogram as people publish them: only q, r and n, from any numbers; what is not there is sea."""
    hexes = {
        "E1": {"q": -3, "r": -11, "n": "Aldershot"},
        "E2": {"q": -3, "r": -9, "n": "Ely"},
        "E3": {"q": -2, "r": -10},
    }
    path = tmp_path / "cartogram.hexjson"
    path.write_text(json.dumps({"layout": "odd-r", "hexes": hexes}), encoding="utf-8")
    read = reader_for(path).read
    assert read is not None
    found = read(path)
    board = compiled_file(found, "cartogram").board
    assert (board.grid.columns, board.grid.rows) == (2, 3)
    assert {one.id: (one.terrain, one.art) for one in board.hexes} == {
        "1-1": ("plains", "Ely"),
        "2-1": ("sea", ""),
        "1-2": ("sea", ""),
        "2-2": ("plains", ""),
        "1-3": ("plains", "Aldershot"),
        "2-3": ("sea", ""),
    }
    assert found.notes == ("2 names of hexagons became hints of art; set cities where you want them",)


def _tmx(data: str, extra: str = "", head: str = 'infinite="0"') -> str:
    return (
        '<?xml version="1.0"?><map orientation="hexagonal" width="3" height="2" tilewidth="60" tileheight="60" '
        f'hexsidelength="30" staggeraxis="x" staggerindex="odd" {head}>'
        '<tileset firstgid="1" name="t" tilewidth="60" tileheight="60" tilecount="3" columns="3">'
        '<tile id="0" type="Grass"/><tile id="1"><properties><property name="terrain" value="mountain"/></properties>'
        f'</tile></tileset><layer name="ground" width="3" height="2">{data}</layer>{extra}</map>'
    )


NUMBERS: Final = (1, 2, 3, 0, 1, 0x80000001)


def _packed(data: bytes) -> str:
    return base64.b64encode(data).decode()


RAW: Final = struct.pack("<6I", *NUMBERS)
STORED: Final = {
    "csv": f'<data encoding="csv">{",".join(map(str, NUMBERS))}</data>',
    "base64": f'<data encoding="base64">{_packed(RAW)}</data>',
    "zlib": f'<data encoding="base64" compression="zlib">{_packed(zlib.compress(RAW))}</data>',
    "tiles": "<data>" + "".join(f'<tile gid="{number}"/>' for number in NUMBERS) + "</data>",
}


@pytest.mark.parametrize("data", STORED.values(), ids=STORED)
def test_a_tiled_map_of_others(data: str, tmp_path: Path) -> None:
    """Tiles by name, by property and unknown; a flipped tile is the same one; an edge and a city as objects."""
    objects = (
        '<objectgroup name="Edges"><object id="1" x="60" y="30"><polyline points="0,0 -15,30"/></object></objectgroup>'
        '<objectgroup name="Cities"><object id="2" name="Lagos" x="30" y="85"><point/></object></objectgroup>'
    )
    path = tmp_path / "other.tmx"
    path.write_text(_tmx(data, objects), encoding="utf-8")
    read = reader_for(path).read
    assert read is not None
    found = read(path)
    board = compiled_file(found, "other").board
    assert [one.terrain for one in board.hexes] == ["plains", "mountain", "tile-3", "sea", "plains", "plains"]
    assert board.grid.offset == "odd-q"
    assert [(city.name, city.hex) for city in board.cities] == [("Lagos", "1-2")]
    assert found.notes[0].startswith("tile 3 became the terrain 'tile-3' at the cost of plains")
    assert [(edge.id, edge.kinds) for edge in board.edges] == [("1-1--2-1", ("ridge",))]


BAD_MAPS: Final[dict[str, tuple[str, str]]] = {
    "entities": (
        '<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "aaaa">]><map orientation="hexagonal">&a;</map>',
        "entit",
    ),
    "infinite": (_tmx("<data/>", head='infinite="1"'), "the map is infinite; give it a size in Tiled"),
    "square": (_tmx("<data/>").replace("hexagonal", "orthogonal"), "orientation is 'orthogonal'; mapkit reads hexag"),
    "million": (_tmx("<data/>").replace('width="3"', 'width="1000000"', 1), "2,000,000 hexagons; a board has at most"),
    "few tiles": (_tmx('<data encoding="csv">1,2</data>'), "layer 'ground': 2 tiles, and the map has 6 places"),
    "bomb": (
        _tmx(
            '<data encoding="base64" compression="zlib">'
            + base64.b64encode(zlib.compress(b"\0" * 10_000_000)).decode()
            + "</data>"
        ),
        "layer 'ground': more or less than 6 tiles",
    ),
    "zstd": (_tmx('<data encoding="base64" compression="zstd">AAAA</data>'), "compression is 'zstd'; choose CSV"),
    "words": (_tmx('<data encoding="csv">1,2,three,4,5,6</data>'), "holds more than numbers and commas"),
    "edge of nothing": (
        _tmx(
            '<data encoding="csv">1,1,1,1,1,1</data>',
            '<objectgroup name="edges"><object id="7" name="hill" x="30" y="30"/></objectgroup>',
        ),
        "object 7 (hill): its middle is at 30, 30, where no edge is; draw it along one edge",
    ),
    "city off the map": (
        _tmx(
            '<data encoding="csv">1,1,1,1,1,1</data>',
            '<objectgroup name="cities"><object id="8" name="Faro" x="900" y="30"/></objectgroup>',
        ),
        "object 8 (Faro): 900, 30 is off the map; move it onto it",
    ),
}


@pytest.mark.parametrize("case", BAD_MAPS)
def test_a_bad_map_is_refused_with_its_place(case: str, tmp_path: Path) -> None:
    text, message = BAD_MAPS[case]
    path = tmp_path / "bad.tmx"
    path.write_text(text, encoding="utf-8")
    read = reader_for(path).read
    assert read is not None
    with pytest.raises(SourceError, match=re.escape(message)) as caught:
        read(path)
    assert "bad.tmx" in str(caught.value)


BAD_JSON: Final[dict[str, tuple[str, Any, str]]] = {
    "layout": ("a.hexjson", {"layout": "odd-z", "hexes": {"a": {"q": 0, "r": 0}}}, "layout is 'odd-z'; write one of"),
    "no hexes": ("a.hexjson", {"layout": "odd-r"}, "there are no hexes"),
    "a list": ("a.hexjson", [], "there are no hexes"),
    "no place": ("a.hexjson", {"layout": "odd-r", "hexes": {"a": {"q": "x", "r": 0}}}, "hexes.a: q is 'x'; write a wh"),
    "same place": (
        "a.hexjson",
        {"layout": "odd-r", "hexes": {"a": {"q": 0, "r": 0}, "b": {"q": 0, "r": 0}}},
        "hexes.b is at q 0, r 0, where a is; move one",
    ),
    "a million": (
        "a.hexjson",
        {"layout": "odd-r", "hexes": {"a": {"q": 0, "r": 0}, "b": {"q": 1000, "r": 1000}}},
        "1,001 by 1,001 are 1,002,001 hexagons; a board has at most 20,000",
    ),
    "no edge": (
        "a.hexjson",
        {"layout": "odd-r", "hexes": {"a": {"q": 0, "r": 0}, "b": {"q": 2, "r": 0}}, "edges": {"a--b": {}}},
        "edges.a--b: 'a' and 'b' share no edge",
    ),
    "offset kind": (
        "a.18xx-maker.json",
        {"info": {"title": "x"}, "map": {"hexes": [{"hexes": ["A1", "B2", "B3"]}]}},
        "map.hexes[0]: B3 lies half a hexagon off A1",
    ),
    "coordinate": (
        "a.18xx-maker.json",
        {"info": {"title": "x"}, "map": {"hexes": [{"hexes": ["12"]}]}},
        "map.hexes[0]: '12' is not a coordinate; write letters and a number, such as B12",
    ),
    "no map": ("a.18xx-maker.json", {"info": {"title": "x"}}, "has no map with hexes"),
    "ridge that is no edge": (
        "a.18xx-maker.json",
        {
            "info": {"title": "x"},
            "map": {"hexes": [{"hexes": ["A1", "A3"]}], "borders": [{"color": "brown", "coords": ["A1p1", "A1p3"]}]},
        },
        "map.borders[0]: no edge joins these two points; name the ends of one edge",
    ),
    "rim": (
        "a.18xx-maker.json",
        {
            "info": {"title": "x"},
            "map": {"hexes": [{"hexes": ["A1", "A3"]}], "borders": [{"color": "brown", "coords": ["A1p2", "A1p3"]}]},
        },
        "map.borders[0]: lies on the rim of the map",
    ),
    "board file": ("a.json", {"kind": "hex", "id": "a", "title": 5}, "a.json: title: "),
    "something else": ("a.json", {"some": "thing"}, "is not a board of hexagons that mapkit reads; it reads"),
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_bad_json_is_refused_with_its_place(case: str, tmp_path: Path) -> None:
    name, data, message = BAD_JSON[case]
    path = tmp_path / name
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises((SourceError, BoardError), match=re.escape(message)) as caught:
        import_hexes(path, into="mine", workspace=tmp_path)
    assert name in str(caught.value)
    assert not (tmp_path / "sources").exists()


def test_what_a_board_does_not_take_of_18xx_maker_is_listed(tmp_path: Path) -> None:
    hexes = [
        {"color": "plain", "hexes": ["A1"], "towns": [{"name": {"name": "Dit"}}, {"name": {"name": "Dat"}}]},
        {"color": "plain", "hexes": ["A3"], "terrain": [{"type": "hill", "cost": 60}, {"type": "river"}]},
        {"color": "offboard", "hexes": ["B2"], "offBoardRevenue": {"revenues": [{"value": 30}, {"value": 50}]}},
        {"color": "plain", "hexes": ["B4"], "cities": [{"size": 2, "name": {"name": "Twin"}}, {"size": 1}]},
        {"color": "plain", "hexes": ["C1"], "cities": [{}], "names": [{"name": "X"}], "values": [{"value": 20}]},
        {"copy": "A3", "hexes": ["C3"]},
    ]
    game = {"info": {}, "trains": [], "map": [{"hexes": hexes, "lines": []}, {"hexes": []}]}
    path = tmp_path / "18XX.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    read = reader_for(path).read
    assert read is not None
    found = read(path)
    assert found.notes == (
        "colours of cities and rules are not in the file; set them",
        "not taken from hexagons: towns: Dit, Dat (A1)",
        "not taken from hexagons: terrain: river (A3); river (C3)",
        "not taken from hexagons: costs of terrain: 60 (A3); 60 (C3)",
        "not taken from hexagons: offBoardRevenue: 30, 50 (B2)",
        "not taken from hexagons: cities: 1 (B4)",
        "not taken from hexagons: size of cities: 2 (B4)",
        "not taken from hexagons: values: 20 (C1)",
        "not taken from the file: map.lines, trains",
        "taken: the first of 2 maps",
    )
    terrains = {one.label: one.terrain for one in compiled_file(found, "eighteen").board.hexes}
    assert terrains["C3"] == terrains["A3"] != "plains"


def test_a_game_of_18xx_maker_by_others(tmp_path: Path) -> None:
    """A flat map whose letters begin at B: terrain with costs, a city with a name, a border, a cost on a side."""
    hexes = [
        {"color": "plain", "hexes": ["B2", "B4"]},
        {"color": "plain", "terrain": [{"type": "mountain", "cost": 120}], "hexes": ["C3"]},
        {"color": "plain", "terrain": [{"type": "forest", "cost": 40}], "hexes": ["C5"]},
        {"color": "yellow", "cities": [{}], "names": [{"name": "Kotohira"}], "hexes": ["D4"]},
        {"color": "water", "hexes": ["D2"]},
        {"color": "gray", "hexes": ["D6"]},
    ]
    drawn = {
        "hexes": hexes,
        "borders": [{"color": "blue", "coords": ["C3p1", "C3p2"]}],
        "borderTexts": [{"coord": "C3s4", "cost": 20}],
    }
    path = tmp_path / "18XX.json"
    path.write_text(
        json.dumps({"info": {"title": "Eighteen", "orientation": "horizontal"}, "map": drawn}), encoding="utf-8"
    )
    read = reader_for(path).read
    assert read is not None
    board = compiled_file(read(path), "eighteen").board
    assert (board.title, board.grid.offset, board.grid.columns, board.grid.rows) == ("Eighteen", "odd-q", 4, 3)
    assert {one.label: one.terrain for one in board.hexes if one.terrain != "sea"} == {
        "B2": "plains",
        "B4": "plains",
        "C3": "mountain",
        "C5": "forest",
        "D4": "plains",
        "D6": "blocked",
    }
    assert next(one.cost for one in board.terrains if one.id == "forest") == 40
    assert [(city.id, city.name, city.hex) for city in board.cities] == [("kotohira", "Kotohira", "4-2")]
    assert {edge.id: (edge.kinds, edge.cost) for edge in board.edges} == {
        "2-1--3-2": (("river",), 0),
        "3-1--3-2": (("river",), 20),
    }


@pytest.mark.parametrize("offset", ["odd-q", "even-q", "odd-r", "even-r"])
def test_sides_and_points_of_18xx_maker_are_where_they_are(offset: Offset) -> None:
    """Side 1 is west of a pointed hexagon and south of a flat one, and sides go clockwise; so do points."""
    grid = HexGrid(offset=offset, columns=3, rows=3)
    middle = grid.cubes[4]
    x, y = grid.centre(middle)
    for direction in range(SIDES):
        side = maker_side(grid, direction)
        assert maker_direction(grid, side) == direction
        ox, oy = grid.centre(middle.neighbour(direction))
        turn = 60 * (side - 1) + (90 if not grid.flat else 0)
        assert (ox - x, oy - y) == pytest.approx(_towards(turn, grid.size_mm))
        one, other = (
            corner_at(grid, f"{grid.label(middle, '18xx')}p{n}", "here") for n in maker_points(grid, direction)
        )
        edge = edge_of_corners(grid, one, other, "here")
        assert set(edge.hexes) == {middle, middle.neighbour(direction)}
        dx, dy = {0: (0, 2), 1: (-1, 1), 2: (-1, -1), 3: (0, -2), 4: (1, -1), 5: (1, 1)}[games_edge(grid, direction)]
        if not grid.flat:
            dx, dy = {0: (-1, 1), 1: (-2, 0), 2: (-1, -1), 3: (1, -1), 4: (2, 0), 5: (1, 1)}[
                games_edge(grid, direction)
            ]
        across, down = (grid.size_mm * 3**0.5 / 2, 0.5 * grid.size_mm) if grid.flat else (0.5 * grid.size_mm, 0.0)
        down = down or grid.size_mm * 3**0.5 / 2
        assert (ox - x, oy - y) == pytest.approx((dx * across, dy * down))


def _towards(degrees: float, far: float) -> tuple[float, float]:
    return -far * math.sin(math.radians(degrees)), far * math.cos(math.radians(degrees))


def test_the_map_text_of_18xx_games() -> None:
    board = shipped("portugal-hex")
    text = games_map(board)
    assert text.startswith("# frozen_string_literal: true\n\nmodule Map\n  LAYOUT = :flat\n")
    lisbon = next(city for city in board.cities if city.id == "lisbon")
    place = board.grid.label(board.grid.hex_of(lisbon.hex), "18xx")  # type: ignore[arg-type]
    assert f"    '{place}' => 'Lisbon'," in text
    named = re.findall(r"'([A-Z]+\d+)'", text.partition("HEXES")[2])
    land = {one.id for one in board.hexes if one.terrain != "sea"} | {city.hex for city in board.cities}
    assert sorted(named) == sorted(
        board.grid.label(cube, "18xx") for cube in board.grid.cubes if board.grid.hex_id(cube) in land
    )
    assert len(re.findall(r"border=edge:\d,type:mountain,cost:4", text)) >= 1
    assert sum(
        line.count("border=") * (line.count("'") // 2 - 1) for line in text.splitlines() if "border=" in line
    ) == (len(board.edges))


def test_places_in_tiled_are_those_of_tiled() -> None:
    """Tiled's formula for staggered maps: a column every (tile + side) / 2 pixels, odd columns half a tile lower."""
    layout = TiledLayout.of(HexGrid(offset="odd-q", columns=3, rows=2))
    places = {layout.grid.place(cube): layout.centre(cube) for cube in layout.grid.cubes}
    assert places == {
        (0, 0): (32, 28),
        (1, 0): (80, 56),
        (2, 0): (128, 28),
        (0, 1): (32, 84),
        (1, 1): (80, 112),
        (2, 1): (128, 84),
    }
    for cube in layout.grid.cubes:
        assert layout.hex_at(layout.centre(cube)) == cube
    for edge in layout.grid.edges:
        (x1, y1), (x2, y2) = layout.ends(edge)
        assert layout.edge_at(((x1 + x2) / 2, (y1 + y2) / 2)) == edge


def _repainted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tile = re.search(r'<data encoding="csv">\n(\d+)', text)
    assert tile is not None
    path.write_text(text.replace(tile[0], tile[0][: -len(tile[1])] + "3"), encoding="utf-8")


def test_an_edit_in_tiled_is_one_step_that_can_be_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine", "--from", "portugal-hex").code == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "sources" / "mine").glob("*.*")}
    assert run("export", "mine", "--to", "tiled", "--out", "out").code == 0
    path = tmp_path / "out" / "mine.tmx"
    same = run("import", str(path), "--into", "mine")
    assert (same.code, "0 rows changed" in same.err) == (0, True), same.err
    _repainted(path)
    tried = run("import", str(path), "--into", "mine", "--dry-run")
    assert "1 rows would change" in tried.err
    changed = run("import", str(path), "--into", "mine", "--json")
    assert (changed.code, json.loads(changed.out)["changed"]) == (0, 1)
    compiled = HEX.load(Workspace(tmp_path), "mine", ())[0]
    assert compiled.board.hexes[0].terrain == "mountain"
    assert run("undo", "mine").code == 0
    after = {path.name: path.read_bytes() for path in (tmp_path / "sources" / "mine").glob("*.*")}
    assert after == before


def test_the_program_exports_lists_and_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("export", "portugal-hex", "--to", "json,hexjson", "--out", "out", "--json")
    assert (done.code, json.loads(done.out)["losses"]) == (0, {"json": [], "hexjson": []})
    wrong = run("export", "portugal-hex", "--to", "hexjsn", "--out", "other")
    assert (wrong.code, "did you mean 'hexjson'" in wrong.err, (tmp_path / "other").exists()) == (2, True, False)
    listed = json.loads(run("formats", "portugal-hex", "--json").out)
    assert [one["name"] for one in listed] == list(FORMATS.names())
    made = run("import", "out/hexjson/portugal-hex.hexjson", "--into", "lusitania")
    assert made.code == 0, made.err
    assert HEX.load(Workspace(tmp_path), "lusitania", ())[0].board.model_copy(update={"id": "portugal-hex"}) == shipped(
        "portugal-hex"
    )
    looked = run("import", "out/json/portugal-hex.json")
    assert "Portugal: 589 hexagons, 20 cities" in looked.out
    assert "nothing written; give --into BOARD" in looked.err


def test_what_others_draw_from_our_xml_is_whole() -> None:
    """Tiled's own reader is a program; the text is held against its description: attributes, counts, numbers."""
    files = get_format("tiled").write(shipped("portugal-hex"), HexExport()).files
    root = ElementTree.fromstring(files["portugal-hex.tmx"])
    assert root.get("orientation") == "hexagonal"
    data = root.find("layer/data")
    assert data is not None
    assert len(str(data.text).replace("\n", "").split(",")) == 19 * 31
    named = {one.get("type") for one in root.iter("object") if one.get("name")}
    assert named == {"city"}, "Tiled writes names of edges across those of cities"
    ids = [one.get("id") for one in root.iter("object")]
    assert ids == [str(number) for number in range(1, len(ids) + 1)]
    picture = files["portugal-hex-terrain.png"]
    assert isinstance(picture, bytes)
    assert struct.unpack(">II", picture[16:24]) == (64 * 5, 56)
