"""Exports of hexagon boards, read by the packages that others read such files with."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import REPOSITORY
from optional import lacking, program

from mapkit.core import heavy
from mapkit.kinds.hex.exchange.format import HexExport
from mapkit.kinds.hex.exchange.registry import get_format
from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.grid.grid import HexGrid, Offset
from mapkit.kinds.hex.model.board import HexBoard

BOARDS: Final = ("eastern-us-hex", "great-britain-hex", "mexico-hex", "portugal-hex", "western-us-hex")
CLIENTS: Final = Path(__file__).parent / "clients"


@cache
def shipped(name: str) -> HexBoard:
    return HexBoard.model_validate_json((REPOSITORY / "build" / name / "board.json").read_text(encoding="utf-8"))


def small(offset: Offset, columns: int, rows: int) -> HexBoard:
    grid = HexGrid(offset=offset, columns=columns, rows=rows, size_mm=20.0)
    hexes = [{"id": grid.hex_id(cube), "terrain": "plains"} for cube in grid.cubes]
    base = {"id": "small", "title": "Small", "terrains": [one.model_dump() for one in shipped("portugal-hex").terrains]}
    return HexBoard.model_validate({**base, "grid": grid.model_dump(), "hexes": hexes})


def exported(board: HexBoard, form: str, folder: Path) -> Path:
    found = get_format(form)
    for name, data in found.write(board, HexExport()).files.items():
        folder.joinpath(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return folder / f"{board.id}{found.suffixes[0]}"


def read_by(what: str, file: Path) -> Any:
    if not (CLIENTS / "node_modules").is_dir():
        lacking("the packages of tests/hex/clients are not installed: npm ci --prefix tests/hex/clients")
    node = program("node", "apt-get install nodejs")
    done = subprocess.run(
        [node, CLIENTS / "read.mjs", what, file], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["portugal-hex", "western-us-hex"])
def test_18xx_maker_takes_the_game(name: str, tmp_path: Path) -> None:
    """The JSON Schema that is published with it."""
    path = exported(shipped(name), "18xx-maker", tmp_path)
    assert read_by("18xx-maker", path) == {"valid": True, "errors": None}
    assert json.loads(path.read_text(encoding="utf-8"))["map"]["title"] is False, "it would cover hexagons"


@pytest.mark.parametrize(("offset", "rows"), [("odd-r", 4), ("even-r", 4), ("odd-r", 3), ("even-r", 5)])
def test_hexjson_is_drawn_where_we_draw(offset: Offset, rows: int, tmp_path: Path) -> None:
    """By d3-hexjson, on rows that are shifted; it shifts columns down, against the description of the format."""
    board = small(offset, 3, rows)
    drawn = read_by("hexjson", exported(board, "hexjson", tmp_path))
    grid = board.grid
    ours = {grid.hex_id(cube): grid.centre(cube) for cube in grid.cubes}
    (x0, y0), (x1, _) = drawn["1-1"], drawn["2-1"]
    scale = grid.size_mm / (x1 - x0)
    for name, (x, y) in drawn.items():
        assert ((x - x0) * scale, (y - y0) * scale) == pytest.approx(
            (ours[name][0] - ours["1-1"][0], ours[name][1] - ours["1-1"][1])
        )


@pytest.mark.parametrize("offset", ["odd-r", "even-r", "odd-q", "even-q"])
def test_honeycomb_has_the_same_coordinates_places_and_neighbours(offset: Offset, tmp_path: Path) -> None:
    board = small(offset, 5, 4)
    grid = board.grid
    found = read_by("honeycomb", exported(board, "json", tmp_path))
    assert len(found) == grid.count
    first = grid.centre(grid.cubes[0])
    x0, y0 = found[0]["x"], found[0]["y"]
    for one in found:
        cube = grid.hex_of(one["id"])
        assert cube is not None
        assert (one["q"], one["r"]) == (cube.q, cube.r)
        x, y = grid.centre(cube)
        assert (abs(one["x"] - x0), abs(one["y"] - y0)) == pytest.approx((abs(x - first[0]), abs(y - first[1])))
        assert one["around"] == sorted(grid.hex_id(other) for other in grid.neighbours(cube))


@pytest.mark.parametrize("form", ["tiled", "tiled-json"])
def test_pytiled_parser_reads_the_map(form: str, tmp_path: Path) -> None:
    pytiled = pytest.importorskip("pytiled_parser", reason="pytiled-parser is not installed: pip install -e .[dev]")
    board = shipped("portugal-hex")
    found = pytiled.parse_map(exported(board, form, tmp_path))
    assert (found.map_size.width, found.map_size.height) == (board.grid.columns, board.grid.rows)
    assert (found.stagger_axis, found.stagger_index, found.hex_side_length) == ("x", "odd", 32)
    layers = {layer.name: layer for layer in found.layers}
    numbers = [number for row in layers["terrain"].data for number in row]
    tiles = found.tilesets[1].tiles
    assert [tiles[number - 1].properties["terrain"] for number in numbers] == [one.terrain for one in board.hexes]
    cities = {one.properties["city"]: one for one in layers["cities"].tiled_objects}
    layout = TiledLayout.of(board.grid)
    for city in board.cities:
        cube = board.grid.hex_of(city.hex)
        assert cube is not None
        one = cities[city.id]
        assert (one.name, one.properties["cubes"]) == (city.name, city.cubes)
        assert (one.coordinates.x, one.coordinates.y) == layout.centre(cube)
    edges = [one.properties for one in layers["edges"].tiled_objects]
    assert edges == [{"kinds": " ".join(edge.kinds), "cost": edge.cost} for edge in board.edges]
    assert (tmp_path / found.tilesets[1].image.name).is_file()


def test_a_gis_reads_the_layers(tmp_path: Path) -> None:
    """By GDAL: shapes in metres of the board's projection; hexagons of 20 km, cities where the gazetteer has them."""
    board = shipped("portugal-hex")
    file = exported(board, "gpkg", tmp_path)
    hexes = heavy.geopandas.read_file(file, layer="hexes")
    assert len(hexes) == 589
    assert hexes.crs is not None
    assert hexes.geometry.area.to_numpy() == pytest.approx(20_000**2 * 3**0.5 / 2, rel=1e-4)
    cities = heavy.geopandas.read_file(file, layer="cities").to_crs("EPSG:4326").set_index("id")
    assert (cities.loc["lisbon"].geometry.x, cities.loc["lisbon"].geometry.y) == pytest.approx((-9.14, 38.72), abs=0.15)
    edges = heavy.geopandas.read_file(file, layer="edges")
    assert edges.geometry.length.to_numpy() == pytest.approx(20_000 / 3**0.5, rel=1e-4)
    names = set(heavy.pyogrio.list_layers(file)[:, 0])
    assert {"hexes", "edges", "cities", "lines", "track", "components", "links_off_the_board"} <= names
