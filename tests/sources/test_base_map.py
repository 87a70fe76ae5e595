"""The shipped base map: three levels that agree with themselves, and the one that a page gets."""

from hashlib import sha256
from importlib.resources import files

import pytest
import shapely

from mapkit.core.errors import UnknownNameError
from mapkit.geography.backdrop import load_backdrop
from mapkit.geography.basemap import LAYERS, LEVELS, Level, level_for, load_layer
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection

NEAGH = shapely.Point(-6.4, 54.6)
"""In the largest lake of Ireland."""


def corners(name: str, level: Level) -> int:
    return int(shapely.get_num_coordinates(load_layer(name, level).parts).sum())


def mercator(one_to: float) -> Projection:
    """Return a page whose middle, 100 mm from its edges, lies at 54 degrees north, 8 west."""
    crs = "+proj=tmerc +lat_0=54 +lon_0=-8 +datum=WGS84 +units=m"
    return Projection(name="t", crs=crs, scale_mm_per_m=1000 / one_to, offset_x_mm=100, offset_y_mm=100)


@pytest.mark.parametrize("name", ["countries", "lakes", "land", "us-states"])
def test_a_finer_level_has_more_corners(name: str) -> None:
    coarse, medium, fine = (corners(name, level) for level in LEVELS)
    assert coarse * 1.5 < medium < fine / 1.5


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_on_the_grid_and_valid(name: str, level: Level) -> None:
    layer = load_layer(name, level)
    points = shapely.get_coordinates(layer.parts) * 1000
    assert abs(points - points.round()).max() < 1e-6
    assert shapely.is_valid(layer.parts).mean() > 0.99
    assert len(layer.names) == len(layer.codes) == len(layer.over_water) == len(layer.shapes)
    assert shapely.get_dimensions(layer.parts).tolist() == [layer.dimension] * len(layer.parts)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_land_and_borders_meet(level: Level) -> None:
    """Borders lie on land, so that they cut it into countries; the states are those of the union, with districts."""
    borders = shapely.union_all(load_layer("countries", level).parts)
    land = load_layer("land", level).shapes[0].buffer(0.002)
    assert borders.difference(land).length < 0.01 * borders.length
    assert {"CA", "TX", "NY", "DC", "AK", "HI"} <= set(load_layer("us-states", level).codes)
    assert load_layer("us-states", level).names == tuple(sorted(load_layer("us-states", level).names))


def test_lakes_of_a_small_country_are_on_the_finest_level_alone() -> None:
    seen = {level: sum(lake.covers(NEAGH) for lake in load_layer("lakes", level).parts) for level in LEVELS}
    assert seen == {"110m": 0, "50m": 1, "10m": 1}
    window = (-10.6, 51.4, -5.4, 55.4)
    ireland = [sum(not lake.is_empty for lake in load_layer("lakes", level).near(window)) for level in LEVELS]
    assert ireland[2] > ireland[1] >= 1 > ireland[0]


def test_rivers_at_the_finest_level_are_those_at_the_middle_one() -> None:
    assert corners("rivers", "10m") == corners("rivers", "50m") > corners("rivers", "110m") > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one_to", "level"),
    [
        (905_000, "10m"),
        (4_000_000, "10m"),
        (4_000_001, "50m"),
        (4_651_000, "50m"),
        (40_000_000, "50m"),
        (40_000_001, "110m"),
    ],
)
def test_the_scale_of_the_page_chooses(one_to: float, level: Level) -> None:
    assert level_for(1000 / one_to) == level
    page = mercator(one_to)
    area = (0.0, 0.0, 200.0, 200.0)
    assert load_backdrop(page, area).land.equals(load_backdrop(page, area, level=level).land)
    other = LEVELS[LEVELS.index(level) - 1]
    assert not load_backdrop(page, area).land.equals(load_backdrop(page, area, level=other).land)


def test_an_unknown_layer_is_named() -> None:
    with pytest.raises(
        UnknownNameError, match=r"no base-map layer is named 'lake' \(did you mean 'lakes'\?\); there are:"
    ):
        load_layer("lake")


def test_files_are_those_that_their_provenance_lists() -> None:
    folder = files("mapkit.geography") / "layers"
    said = (folder / "PROVENANCE.md").read_text(encoding="utf-8")
    found = [(level, file) for level in LEVELS for file in (folder / level).iterdir()]
    assert len(found) == 3 * len(LAYERS) - 1
    for level, file in found:
        data = file.read_bytes()
        assert f"`{level}/{file.name}` | {len(data)} | `{sha256(data).hexdigest()}`" in said


def test_land_at_longitude_180_is_whole() -> None:
    """Taveuni lies on both sides of it: 20 mm around its middle there is no coast along the meridian."""
    crs = "+proj=laea +lat_0=-16.85 +lon_0=180 +datum=WGS84 +units=m"
    page = Projection(name="t", crs=crs, scale_mm_per_m=1 / 1000, offset_x_mm=100, offset_y_mm=100)
    land = load_backdrop(page, (0, 0, 200, 200)).land
    middle = shapely.Point(100, 100)
    assert land.covers(middle)
    assert land.boundary.distance(middle) > 2


def test_land_is_drawn_on_both_sides_of_longitude_180() -> None:
    """Chukotka: a plane around longitude 180 folds the west of Eurasia, which is out of sight."""
    crs = "+proj=tmerc +lat_0=66 +lon_0=-178 +ellps=WGS84 +units=m"
    projection = Projection(name="", crs=crs, scale_mm_per_m=0.0002, offset_x_mm=200, offset_y_mm=150)
    backdrop = load_backdrop(projection, (0, 0, 400, 300))
    to_page = PageMap(projection).to_page
    spots = shapely.points(to_page([(173.0, 67.0), (179.99, 67.5), (-180.0, 67.5), (-175.0, 66.5), (-179.0, 72.0)]))
    assert shapely.contains(backdrop.land, spots).tolist() == [True, True, True, True, False]
