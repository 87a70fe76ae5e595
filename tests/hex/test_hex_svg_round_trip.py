"""The SVG of a board of hexagons holds the board: from the data of its elements alone it is made again."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from test_hex_exchange import BOARDS, boards, shipped

from mapkit.kinds.hex.model.board import Hex, HexBoard, HexCity, HexEdge, MajorLine, PrintedLink, TrackSpace
from mapkit.kinds.hex.render.board import draw_board

pytestmark = pytest.mark.slow

Data = dict[str, str]
PARTS = ("hexes", "edges", "cities", "links", "lines", "track")


def elements(svg: str, key: str) -> list[Data]:
    """Return the `data-` attributes of all elements of a sort, in the order of the drawing."""
    found = []
    for element in ET.fromstring(svg).iter():  # noqa: S314 - drawn by the test
        data = {name.removeprefix("data-"): text for name, text in element.attrib.items() if name.startswith("data-")}
        if key in data and element.get("id") == f"{key}-{data[key]}":
            found.append(data)
    return found


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def rebuilt(svg: str) -> dict[str, list[Any]]:
    """Return the parts of a board, from its drawing alone."""
    hexes = [Hex(id=d["hex"], terrain=d["terrain"], art=d.get("art", "")) for d in elements(svg, "hex")]
    edges = [
        HexEdge.model_validate(
            {"id": d["edge"], "hexes": d["edge"].split("--"), "kinds": words(d["kinds"]), "cost": int(d["cost"])}
        )
        for d in elements(svg, "edge")
    ]
    cities = [HexCity.model_validate(_city(d)) for d in elements(svg, "city")]
    links = [
        PrintedLink.model_validate(
            {
                "id": d["link"],
                "a": d["a"],
                "b": d.get("b") or None,
                "name": d.get("name", ""),
                "cost": int(d["cost"]),
                "owner": d["owner"],
                "colours": words(d.get("colours", "")),
            }
        )
        for d in elements(svg, "link")
    ]
    lines = [
        MajorLine(id=d["line"], name=d["name"], points=int(d["points"]), cities=words(d["cities"]))
        for d in elements(svg, "line")
    ]
    track = [TrackSpace(points=int(d["space"]), income=int(d["income"])) for d in elements(svg, "space")]
    return {"hexes": hexes, "edges": edges, "cities": cities, "links": links, "lines": lines, "track": track}


def _city(d: Data) -> dict[str, Any]:
    by_players = dict(part.split(":") for part in words(d.get("cubes-by-players", "")))
    return {
        "id": d["city"],
        "name": d["name"],
        "hex": d["hex"],
        "colours": words(d["colours"]),
        "cubes": int(d["cubes"]),
        "cubes_by_players": {int(players): int(cubes) for players, cubes in by_players.items()},
        "rotor": d["rotor"] == "true",
        "start": d.get("start") or None,
        "wheel": words(d.get("wheel", "")),
        "twins": d.get("twins", ""),
        "port": d["port"] == "true",
    }


def wanted(board: HexBoard) -> dict[str, list[Any]]:
    """Return the parts of a board, as they are to come back; labels follow from the grid."""
    parts: dict[str, list[Any]] = {part: list(getattr(board, part)) for part in PARTS}
    parts["hexes"] = [one.model_copy(update={"label": ""}) for one in parts["hexes"]]
    return parts


def same(board: HexBoard) -> None:
    svg = draw_board(board)
    found = rebuilt(svg)
    for part, elements_ in wanted(board).items():
        assert sorted(found[part], key=repr) == sorted(elements_, key=repr), part
    head = re.search(r"<svg[^>]*>", svg)
    assert head is not None
    grid = board.grid
    for key, value in (
        ("columns", grid.columns),
        ("rows", grid.rows),
        ("offset", grid.offset),
        ("labels", grid.labels),
    ):
        assert f'data-{key}="{value}"' in head[0]


@pytest.mark.parametrize("name", BOARDS)
def test_shipped_boards_come_back_from_their_pictures(name: str) -> None:
    same(shipped(name))


@settings(max_examples=40, deadline=None)
@given(boards())
def test_random_boards_come_back_from_their_pictures(board: HexBoard) -> None:
    more: dict[str, Any] = {"track": (TrackSpace(points=0, income=0), TrackSpace(points=1, income=3))}
    if len(board.cities) > 1:
        more["lines"] = (MajorLine(id="main", name="Main & Son", points=4, cities=("city-0", "city-1")),)
    same(board.model_copy(update=more))
