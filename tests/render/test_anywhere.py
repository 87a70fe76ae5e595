"""The base map of any place on earth, and boards away from the United States."""

import math
from itertools import pairwise
from pathlib import Path

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from svg_client import read_board_svg

import mapkit
from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.model.source import PageConfig, ProjectionConfig
from mapkit.kinds.rail.trace.page import fit_page

NAMES = ("albers", "lambert", "mercator", "transverse-mercator", "plate-carree")


@given(st.floats(-179, 179), st.floats(-70, 70), st.floats(0.5, 20), st.sampled_from(NAMES))
@settings(max_examples=examples(60))
def test_every_window_of_the_world_has_a_valid_base_map(lon: float, lat: float, half: float, name: str) -> None:
    first = min(max(lat - half, -79), 75)
    config = ProjectionConfig.model_validate(
        {"name": name, "lon_0": lon, "lat_0": lat, "lat_1": first, "lat_2": first + half + 1}
    )
    corners = [(max(lon - half, -180), lat - half / 2), (min(lon + half, 180), lat + half / 2)]
    projection, page = fit_page(config, PageConfig(width=300, height=200), corners)
    found = load_backdrop(projection, page.frame)
    window = shapely.box(*page.frame)
    for shape in (found.land, *found.lakes, *(state.shape for state in found.states)):
        assert shapely.is_valid(shape)
        assert shapely.area(shapely.difference(shape, window)) < 1e-6


@pytest.mark.parametrize(
    ("change", "shift", "north"),
    [
        ({"lon_0": 3, "lat_0": 48, "lat_1": 46, "lat_2": 49}, 75, 5),
        ({"lon_0": 180, "lat_0": 33, "lat_1": 31, "lat_2": 34}, 252, -10),
        ({"name": "plate-carree", "lon_0": 0}, 252, -10),
        ({"lon_0": 0, "lat_0": 33, "lat_1": 31, "lat_2": 34}, 252, -10),
        ({"name": "crs", "crs": "EPSG:3857"}, 20, -60),
    ],
    ids=["France", "date line", "date line, cut", "date line, cut cone", "south"],
)
def test_a_board_anywhere(example: Path, change: dict[str, object], shift: float, north: float) -> None:
    """The example moved elsewhere keeps its network and can be read back from its drawing."""
    at_home = mapkit.load(example)
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8")
    head, rest = text.split("[projection]\n")
    _, page = rest.split("\n# millimetres")
    values = {"name": "albers"} | change
    table = "".join(f"{key} = {value!r}\n".replace("'", '"') for key, value in values.items())
    config.write_text(f"{head}[projection]\n{table}\n# millimetres{page}", encoding="utf-8")

    def moved(lon: float, lat: float) -> str:
        return f"{(lon + shift + 180) % 360 - 180:.4f},{lat + north:.4f}"

    rows = (example / "cities.csv").read_text(encoding="utf-8").splitlines()
    cities = [row.split(",") for row in rows[1:]]
    lines = [f"{i},{name},{region},{moved(float(lon), float(lat))},," for i, name, region, lon, lat, *_ in cities]
    (example / "cities.csv").write_text("\n".join([rows[0], *lines]), encoding="utf-8")
    dots = [f"{m.name},{moved(m.lon, m.lat)}" for m in at_home.mileposts if m.kind == "dot"]
    vias = {"Newburyport MA": (-70.88, 42.81), "Vergennes VT": (-73.25, 44.17), "Bennington VT": (-73.2, 42.88)}
    dots += [f"{name},{moved(*point)}" for name, point in vias.items()]
    (example / "places.csv").write_text("\n".join(["place,lon,lat", *dots]), encoding="utf-8")
    for path in (example / "lines").glob("*.csv"):
        names = path.read_text(encoding="utf-8")
        for milepost in at_home.mileposts:
            for state in ("NH", "MA", "RI", "CT", "VT"):
                names = names.replace(f"{milepost.name} {state},milepost", f"{milepost.name},milepost")
        path.write_text(names, encoding="utf-8")

    board = mapkit.load(example)
    assert [(s.railroad, s.a.split("-")[0], s.b.split("-")[0]) for s in board.segments] == [
        (s.railroad, s.a.split("-")[0], s.b.split("-")[0]) for s in at_home.segments
    ]
    drawn = read_board_svg(mapkit.render_board(board))
    assert [s.id for s in drawn.segments] == [s.id for s in board.segments]
    seam_notes = [note.message for note in board.provenance.notes if note.kind == "seam"]
    is_cut = shift > 180 and values.get("lon_0") == 0
    assert [text.partition(" puts")[0] for text in seam_notes] == ["lon_0 = 0"] * is_cut
    longest = max(math.dist(start, end) for piece in board.pieces for start, end in pairwise(piece.path))
    assert longest < board.page.width / 2
    left, top, right, bottom = board.page.frame
    assert all(left - 0.1 <= m.x <= right + 0.1 and top - 0.1 <= m.y <= bottom + 0.1 for m in board.mileposts)


def test_a_board_without_legend_or_margin(example: Path) -> None:
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8").replace("legend = 70", "legend = 0").replace("margin = 40", "margin = 0")
    config.write_text(text, encoding="utf-8")
    board = mapkit.load(example)
    assert len(read_board_svg(mapkit.render_board(board)).segments) == len(board.segments)
