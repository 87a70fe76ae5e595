"""Relief, graticule, compass and names of water of railroad boards."""

import base64
import io
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pyproj
import pytest
import shapely
from boards import shipped
from numpy.typing import NDArray
from PIL import Image

import mapkit
from mapkit.core.errors import ChoiceError
from mapkit.drawing.colours.colour import contrast, mix_colours
from mapkit.drawing.theme.theme import CLASSIC, DARK, THEMES, Theme
from mapkit.geography.land_plane import LandPlane
from mapkit.geography.relief_tiles import ELEVATION, FLAT, SHADING, TileSet, elevation_code
from mapkit.geography.water_names import load_water_bodies
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.boxes import BoardBox
from mapkit.kinds.rail.operations import RailDrawing
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.colours.railroad_styles import visible_tint
from mapkit.kinds.rail.render.ground import relief_picture
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.sources.config import read_config

SVG = "{http://www.w3.org/2000/svg}"
LATS = np.linspace(46, 47, 30, dtype=np.float32)
LETTER = re.compile(r"rotate\((\S+) (\S+) (\S+)\)")


@pytest.fixture(scope="module")
def portugal() -> Board:
    return shipped("portugal")


def set_drawing(board: Board, **settings: object) -> Board:
    return board.model_copy(update={"drawing": board.drawing.model_copy(update=settings)})


def values(tiles: TileSet, *places: tuple[float, float], step_deg: float = 0.01) -> list[float]:
    lon, lat = np.array(places, np.float32).T
    return [float(value) for value in tiles.sample(lon, lat, step_deg)]


def picture_of(svg: str) -> Image.Image:
    (data,) = re.findall(r'"data:image/png;base64,([^"]+)"', svg)
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA")


def test_elevations_are_those_of_the_earth() -> None:
    everest, altiplano, denver, holland, atlantic = values(
        ELEVATION, (86.9, 27.9), (-68.0, -19.0), (-104.9, 39.7), (5.0, 52.4), (-40.0, 30.0)
    )
    limits = [float(code) for code in elevation_code(np.array([100.0, 1300.0, 2000.0, 3400.0, 4600.0, 5000.0]))]
    assert holland < limits[0]
    assert limits[1] < denver < limits[2]
    assert limits[3] < altiplano < limits[4]
    assert everest > limits[5]
    assert atlantic == 0


def test_shading_is_level_at_sea_and_on_plains_and_not_in_mountains() -> None:
    def spread(west: float, south: float) -> float:
        lon, lat = np.meshgrid(np.linspace(west, west + 1, 60), np.linspace(south, south + 1, 60))
        grid = SHADING.sample(lon.astype(np.float32), lat.astype(np.float32), 1 / 60)
        assert abs(float(grid.mean()) - FLAT) < 6  # no tints of lowland or desert are left
        return float(grid.std())

    assert spread(-30, 40) < 0.5
    assert spread(-98, 45) < 10  # Dakota
    assert spread(7.5, 46) > 20  # Alps
    assert spread(-116, 44) > 20  # Idaho


@pytest.mark.parametrize("tiles", [SHADING, ELEVATION])
def test_grids_go_on_across_longitude_180(tiles: TileSet) -> None:
    east = values(tiles, *((lon, 68.0) for lon in np.arange(178, 182, 0.05)))
    west = values(tiles, *((lon - 360, 68.0) for lon in np.arange(178, 182, 0.05)))
    assert east == pytest.approx(west, abs=0.05)
    whole = values(tiles, *((lon, lat) for lon in (-179.99, 179.99) for lat in (-89.9, 0.0, 89.9)))
    assert np.isfinite(whole).all()


def test_coarse_pixels_take_the_mean_of_cells() -> None:
    fine, coarse = (
        SHADING.sample(*np.meshgrid(np.linspace(8, 9, count, dtype=np.float32), LATS), 1 / count) for count in (30, 5)
    )
    assert coarse.std() < 0.7 * fine.std()


@pytest.mark.parametrize("name", ["portugal", "japan"])
def test_the_picture_lies_where_the_ground_is_drawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = lay_out(shipped(name))
    places: list[NDArray[np.float32]] = []

    def sample(_: TileSet, lon: NDArray[np.float32], lat: NDArray[np.float32], step_deg: float) -> NDArray[np.float32]:
        assert step_deg > 0
        places.extend((lon, lat))
        return np.full_like(lon, FLAT)

    monkeypatch.setattr(TileSet, "sample", sample)
    left, top, right, bottom = layout.area
    light, band = relief_picture.sample_relief(layout.board.projection, layout.area, layout.warp, is_tinted=False)
    assert set(light.ravel().tolist()) == {12}
    assert not band.any()
    lon, lat = places
    rows, columns = light.shape
    pixel_mm = (right - left) / columns
    to_page = pyproj.Transformer.from_crs("EPSG:4326", layout.board.projection.crs, always_xy=True)
    p = layout.board.projection
    for milepost in layout.board.mileposts:
        x, y = layout.warp(np.array([(milepost.x, milepost.y)]))[0]
        column, row = (
            int((v - low) / (high - low) * n) for v, low, high, n in ((x, left, right, columns), (y, top, bottom, rows))
        )
        east, north = to_page.transform(float(lon[row, column]), float(lat[row, column]))
        there = (p.offset_x_mm + p.scale_mm_per_m * east, p.offset_y_mm - p.scale_mm_per_m * north)
        assert np.hypot(there[0] - milepost.x, there[1] - milepost.y) < 2 * pixel_mm + 0.5, milepost.id


def test_a_board_without_settings_is_drawn_as_before(portugal: Board) -> None:
    plain = render_board(portugal)
    assert not re.search('class="(relief|graticule|compass|water-names)"', plain)
    assert render_board(set_drawing(portugal, relief_strength=0.9)) == plain
    assert render_board(set_drawing(portugal, relief="plain", relief_strength=0.0)) == plain
    assert "relief" not in portugal.model_dump(mode="json").get("drawing", {})


def test_relief_is_one_picture_in_strengths(portugal: Board) -> None:
    weak, strong = (
        np.asarray(picture_of(render_board(set_drawing(portugal, relief="plain", relief_strength=strength))))
        for strength in (0.3, 0.9)
    )
    assert weak.shape == strong.shape
    assert weak.shape[0] * weak.shape[1] <= 5_000_000
    assert 2 < strong[..., 3].mean() / weak[..., 3].mean() < 4
    assert set(np.unique(strong[strong[..., 3] > 0][:, :3])) == {0, 255}  # shade and light alone keep tints


def test_tints_by_height_are_darker_on_dark_land() -> None:
    light, dark = (relief_picture.make_palette(theme, [], 0.5, 1.0, is_tinted=True) for theme in (CLASSIC, DARK))
    assert len(light) == len(dark) == 250
    assert (dark[:, :3].mean() + 40) < light[:, :3].mean()
    for theme in THEMES.values():
        assert not relief_picture.make_palette(theme, [], 0.5, 1.0, is_tinted=False)[12].any()  # level land


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("is_tinted", [False, True])
def test_names_can_be_read_on_every_slope(theme: Theme, is_tinted: bool) -> None:  # noqa: FBT001 - a parameter
    tints = [visible_tint(region, theme) for region in shipped("usa").regions]
    for strength in (0.2, 0.5, 1.0):
        for red, green, blue, alpha in relief_picture.make_palette(
            theme, tints, strength, 1.0, is_tinted=is_tinted
        ).tolist():
            over = f"#{red:02x}{green:02x}{blue:02x}"
            for ground in (theme.land, *tints):
                assert contrast(theme.ink, mix_colours(over, ground, alpha / 255)) >= 4.5


def water_letters(svg: str) -> dict[str, list[tuple[float, float, float]]]:
    """Return by name the middle of each letter and its size."""
    letters: dict[str, list[tuple[float, float, float]]] = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):  # noqa: S314 - written here
        if "water-name " in group.get("class", ""):
            size = float(group.get("font-size", ""))
            for text in group.iter(f"{SVG}text"):
                angle, x, y = (float(part) for part in LETTER.findall(text.get("transform", ""))[0])
                up = 0.35 * size * np.array([np.sin(np.radians(angle)), -np.cos(np.radians(angle))])
                letters.setdefault(group.get("data-name", ""), []).append((x + up[0], y + up[1], size))
    return letters


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("usa", {"Atlantic Ocean", "Pacific Ocean", "Gulf of Mexico", "Lake Michigan", "Mississippi", "Missouri"}),
        ("portugal", {"Oceano Atlântico"}),
        ("japan", {"Sea of Japan", "Pacific Ocean"}),
    ],
)
def test_names_of_water_lie_on_their_water_off_track_and_names(name: str, expected: set[str]) -> None:
    board = set_drawing(shipped(name), water_names=True)
    layout: Layout = lay_out(board)
    letters = water_letters(render_board(board))
    assert expected <= set(letters)
    kinds = {names: body.kind for body in load_water_bodies() for names in body.names.values()}
    land, lakes = layout.ground.backdrop.land, shapely.union_all(layout.ground.backdrop.lakes)
    rivers = layout.ground.backdrop.rivers
    track = shapely.union_all([shapely.LineString(line) for line in layout.lines.values()])
    boxes = [name.box for name in layout.names] + [name.box for name in layout.region_names]
    names = shapely.union_all([shapely.box(*box) for box in boxes])
    frame = shapely.box(*layout.area)
    for text, places in letters.items():
        for x, y, size in places:
            ink = shapely.Point(x, y).buffer(0.3 * size)
            assert frame.contains(ink), text
            assert not ink.intersects(track), text
            assert not ink.intersects(names), text
            if kinds[text] == "sea":
                assert not ink.intersects(land), text
            elif kinds[text] == "lake":
                assert lakes.contains(ink), text
            else:
                assert shapely.Point(x, y).distance(rivers) < 3 * size, text
    spots = [shapely.Point(x, y).buffer(0.3 * size) for places in letters.values() for x, y, size in places]
    owners = [text for text, places in letters.items() for _ in places]
    for a, b in zip(*shapely.STRtree(spots).query(spots, predicate="intersects"), strict=True):
        assert owners[a] == owners[b], (owners[a], owners[b])


def test_names_of_water_and_the_compass_keep_off_boxes() -> None:
    """Without the box, the North Sea's name and the compass lie there."""
    bare = set_drawing(shipped("great-britain"), water_names=True, compass=True)
    board = bare.model_copy(update={"boxes": {"key": BoardBox.model_validate({"kind": "legend", "size": (200, 300)})}})
    (area,) = lay_out(board).boxes.areas.values()

    def find_covered(drawn: Board) -> list[str]:
        svg = render_board(drawn)
        rose = re.search(r'class="compass".*?cx="([\d.]+)" cy="([\d.]+)"', svg, re.DOTALL)
        assert rose is not None
        places = [(text, x, y) for text, letters in water_letters(svg).items() for x, y, _ in letters]
        places.append(("compass", float(rose[1]), float(rose[2])))
        return sorted({text for text, x, y in places if area[0] < x < area[2] and area[1] < y < area[3]})

    assert find_covered(bare) == ["North Sea", "compass"]
    assert find_covered(board) == []


def test_each_course_runs_to_the_east_and_each_sea_has_names_in_three_languages() -> None:
    for body in load_water_bodies():
        assert body.kind in ("sea", "lake", "river")
        assert set(body.names) == {"en", "es", "pt"}
        if body.kind != "river":
            assert len(body.course) == 3, body
            assert body.course[0] != body.course[2]
    assert len({(body.names["en"], body.course) for body in load_water_bodies()}) == len(load_water_bodies())


def test_graticule_runs_through_the_degrees(portugal: Board) -> None:
    board = set_drawing(portugal, graticule=2.0)
    svg = ET.fromstring(render_board(board))  # noqa: S314 - written here
    (path,) = [one for one in svg.iter(f"{SVG}path") if one.get("class") == "graticule"]
    lines = shapely.MultiLineString(
        [
            [tuple(map(float, pair.split(","))) for pair in re.split("[ L]+", part.strip("L "))]
            for part in path.get("d", "").split("M")
            if part
        ]
    )
    p = board.projection
    to_page = pyproj.Transformer.from_crs("EPSG:4326", p.crs, always_xy=True)
    layout = lay_out(board)
    for lon, lat in ((-8.0, 40.0), (-8.0, 38.0)):
        east, north = to_page.transform(lon, lat)
        spot = layout.warp(
            np.array([(p.offset_x_mm + p.scale_mm_per_m * east, p.offset_y_mm - p.scale_mm_per_m * north)])
        )
        assert lines.distance(shapely.Point(spot[0])) < 0.3
    words = {text.text for text in svg.iter(f"{SVG}text")}
    assert {"40°N", "38°N", "8°O"} <= words


def test_the_compass_is_on_water_and_points_north() -> None:
    board = set_drawing(shipped("usa"), compass=True)
    svg = ET.fromstring(render_board(board))  # noqa: S314 - written here
    (rose,) = [group for group in svg.iter(f"{SVG}g") if group.get("class") == "compass"]
    circle = next(rose.iter(f"{SVG}circle"))
    middle = np.array([float(circle.get("cx", "")), float(circle.get("cy", ""))])
    layout = lay_out(board)
    assert shapely.Point(middle).buffer(float(circle.get("r", ""))).disjoint(layout.ground.backdrop.land)
    (letter,) = rose.iter(f"{SVG}text")
    angle, x, y = (float(part) for part in LETTER.findall(letter.get("transform", ""))[0])
    assert np.degrees(np.arctan2(x - middle[0], middle[1] - y)) == pytest.approx(angle, abs=0.5)
    assert 5 < angle < 30  # on a conic projection north leans to the right in the west


def test_wrong_settings_are_refused(portugal: Board) -> None:
    with pytest.raises(ChoiceError, match=r"relief is 'steep'.*'none', 'plain' or 'hypsometric'"):
        RailDrawing(relief="steep").apply_to(portugal)
    with pytest.raises(ChoiceError, match="graticule is 90"):
        RailDrawing(graticule=90).apply_to(portugal)
    invented = portugal.model_copy(
        update={"projection": portugal.projection.model_copy(update={"plane": LandPlane(scale_mi=1.0)})}
    )
    with pytest.raises(ChoiceError, match=r"relief, compass: an invented land .* draw it without"):
        RailDrawing(relief="plain", compass=True).apply_to(invented)
    assert RailDrawing().apply_to(invented) is invented


def test_an_invented_land_has_no_relief_in_its_file() -> None:
    text = (
        Path(str(mapkit.__file__))
        .parent.joinpath("kinds", "rail", "sources", "template", "board.toml")
        .read_text("utf-8")
    )
    plane = re.sub(r"\[projection\][^\[]*", '[projection]\nname = "plane"\nscale_mi = 1.0\n\n', text)
    plane = plane.replace("[projection]", '[drawing]\nrelief = "plain"\ngraticule = 5\n\n[projection]')
    problems = [problem for _, problem in read_config(plane).problems]
    assert any("drawing.relief: an invented land" in problem and "take it out" in problem for problem in problems)
    assert any("drawing.graticule" in problem for problem in problems)
