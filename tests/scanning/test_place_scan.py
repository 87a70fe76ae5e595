"""`mapkit scan place`: names beside symbols, the places that agree, and what it writes and refuses."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from PIL import Image
from scanned import SPOTS, drawn

from mapkit.core.arrays import Floats
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.engine import FoundText
from mapkit.kinds.rail.scanning import lettering
from mapkit.kinds.rail.scanning.control_point_proposals import NamedSpot, propose_control_points
from mapkit.kinds.rail.scanning.lettering import SymbolName, read_names
from mapkit.kinds.rail.scanning.symbols import Symbol

CITIES = {
    "A": "Denver CO",
    "B": "Omaha NE",
    "C": "Chicago IL",
    "D": "Albuquerque NM",
    "E": "Dallas TX",
    "F": "Birmingham AL",
    "G": "New Orleans LA",
}


def page(lon: float, lat: float) -> tuple[float, float]:
    """Return where a map of ten pixels a degree, alike at 40 degrees north, has a place."""
    return 1500 + 10 * (lon + 90) * 0.766, 1000 - 10 * (lat - 40)


def names(wrong: int) -> list[NamedSpot]:
    """Return 30 names, each with its place and two far away, and some with places far away only."""
    random = np.random.default_rng(4)
    out = []
    for i in range(30):
        lon, lat = random.uniform(-94, -86), random.uniform(37, 43)
        far = random.uniform((-120, 30), (-70, 48), (2, 2))
        x, y = page(lon, lat)
        if i < wrong:
            x, y = random.uniform(1400, 1600), random.uniform(950, 1050)
        places: Floats = np.array([far[0], (lon, lat), far[1]])
        out.append(NamedSpot(x, y, f"N{i}", places))
    return out


def test_names_that_agree_say_where_a_picture_lies() -> None:
    given = names(wrong=6)
    points = propose_control_points(given, diagonal=150.0)
    assert len(points) >= 10
    for point in points:
        assert page(point.lon, point.lat) == pytest.approx((point.x, point.y), abs=3)
        assert int(point.name[1:]) >= 6


def test_the_same_names_give_the_same_points() -> None:
    assert propose_control_points(names(6), 150.0) == propose_control_points(names(6), 150.0)


@pytest.mark.parametrize("given", [[], names(0)[:5], names(30)])
def test_names_that_do_not_agree_give_nothing(given: list[NamedSpot]) -> None:
    assert propose_control_points(given, 150.0) == []


def test_names_are_read_in_tiles_and_belong_to_the_symbol_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A white page with marks; the reader says what stands at each, with the corner of the tile in sight."""
    marks = {(100, 100): "Springfield", (1000, 300): "SaltLake City", (500, 500): "lost", (130, 120): "Nearby"}
    symbols = [Symbol("dot", 90, 100, 6, 1.0), Symbol("square", 990, 320, 9, 1.0)]
    pixels: Pixels = np.full((700, 1200, 3), 255, np.uint8)
    for x, y in marks:
        pixels[y, x] = 0

    def find(tile: Pixels) -> list[FoundText]:
        found = []
        for y, x in np.argwhere(tile[..., 0] == 0):
            text = next(said for (u, v), said in marks.items() if (u - x, v - y) in {(0, 0), (800, 0)})
            box = np.array(((x, y), (x + 60, y), (x + 60, y + 12), (x, y + 12)), np.float32)
            found.append(FoundText(text, 0.99, box))
        return found

    monkeypatch.setattr(lettering, "find_texts", find)
    assert read_names(pixels, symbols) == [SymbolName("Springfield", 0), SymbolName("Salt Lake City", 1)]


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A workspace with a board of the United States and a picture; names are as the map beside it says."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "ink", "--from", "usa").code == 0
    Image.fromarray(drawn()).save(tmp_path / "old.png")

    def read(_: Pixels, symbols: tuple[Symbol, ...], **__: object) -> list[SymbolName]:
        def name(symbol: Symbol) -> str:
            return min(SPOTS, key=lambda n: abs(SPOTS[n][0] - symbol.x) + abs(SPOTS[n][1] - symbol.y))

        return [SymbolName(CITIES[name(s)], i) for i, s in enumerate(symbols) if name(s) in CITIES]

    monkeypatch.setattr("mapkit.kinds.rail.api.scans.placing.read_names", read)
    monkeypatch.setattr("mapkit.kinds.rail.api.scans.placing.require_recogniser", lambda _: None)
    return tmp_path / "sources" / "ink"


def test_names_that_disagree_are_refused_and_nothing_is_written(space: Path, run: Run) -> None:
    before = sorted(space.rglob("*"))
    ran = run("place-scan", "old.png", "--board", "ink")
    assert ran.code == 1
    assert "old.png: 8 dots and squares, 7 names beside them, 7 in the gazetteer of" in ran.err
    assert "fewer than 6 of these agree on where the picture lies" in ran.err
    assert sorted(space.rglob("*")) == before


def test_a_file_that_is_there_is_spared(space: Path, run: Run) -> None:
    (space / "control_points.csv").write_text("x,y,lon,lat,note\n", encoding="utf-8")
    ran = run("place-scan", "old.png", "--board", "ink")
    assert ran.code == 1
    assert "control_points.csv already exists; overwrite it with --replace" in ran.err


@pytest.mark.slow
def test_points_are_written_with_what_each_is_off(space: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {n: (-105 + 0.04 * x, 42 - 0.03 * y) for n, (x, y) in SPOTS.items()}

    def where(name: str, *_: object) -> Floats:
        return np.array([places[next(n for n, city in CITIES.items() if city == name)]])

    monkeypatch.setattr("mapkit.kinds.rail.api.scans.placing.find_places_of", where)
    ran = run("place-scan", "old.png", "--board", "ink", "--dry-run", "--json")
    assert ran.code == 0
    assert not (space / "control_points.csv").exists()
    found = json.loads(ran.out)
    assert (found["symbols"], found["names"], found["known"], found["written"]) == (8, 7, 7, "")
    ran = run("place-scan", "old.png", "--board", "ink")
    assert ran.code == 0
    assert "old.png: 8 dots and squares, 7 names read beside them, 7 known" in ran.out
    assert "written: control_points.csv" in ran.err
    written = (space / "control_points.csv").read_text(encoding="utf-8").splitlines()
    assert written[0] == "x,y,lon,lat,note"
    assert {line.rsplit(",", 1)[1] for line in written[1:]} <= set(CITIES.values())
    assert len(written) == 1 + len(found["placed"]["points"])
    assert run("georeference", "ink").code == 0
