"""Region tints and the base map on the page."""

import numpy as np
import pyproj
import pytest
import shapely
from boards import shipped
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from shapely.geometry.base import BaseGeometry

from mapkit.geography.backdrop import Backdrop, load_backdrop
from mapkit.geography.basemap import load_layer
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.render.ground.region_ground import RegionGround, _make_cells, lay_ground, region_tints
from mapkit.kinds.rail.render.ground.taut_lines import shorten_lines
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.lines.polyline import to_shapely_points
from mapkit.kinds.rail.render.page_areas import divide_page

AREA = (0.0, 0.0, 390.0, 260.0)
NONE = shapely.MultiLineString()


@pytest.fixture(scope="module")
def base(usa: Board) -> Backdrop:
    return load_backdrop(usa.projection, divide_page(usa)[0])


@pytest.fixture(scope="module")
def ground(usa: Board, base: Backdrop) -> RegionGround:
    return lay_ground(usa, base)


def test_the_base_map_fills_the_area_and_no_more(usa: Board, base: Backdrop) -> None:
    area = shapely.box(*divide_page(usa)[0])
    assert {s.code for s in base.states} >= {"NY", "CA", "KS", "TX"}
    assert not {"AK", "HI"} & {s.code for s in base.states}
    assert all(area.buffer(0.01).covers(s.shape) for s in base.states)
    assert 0.5 < base.land.area / area.area < 0.95
    assert all(lake.is_valid for lake in base.lakes)


def test_a_milepost_belongs_to_its_city_or_the_nearest(usa: Board) -> None:
    where = {c.milepost: c.region for c in usa.cities}
    found = find_regions(usa)
    assert {ident: found[ident] for ident in where} == where
    assert set(found) == {m.id for m in usa.mileposts}
    assert find_regions(usa)["st-thomas-on"] == "north-central"  # Detroit is nearer than Buffalo
    assert find_regions(usa)["altoona-pa"] == "northeast"


def test_of_two_cities_as_near_the_region_first_in_the_alphabet_counts(tiny: Board) -> None:
    """A dot on the meridian between two cities of the equator."""
    ash, dale = (c for c in tiny.cities if c.id in {"ash", "dale"})
    west, east = (m for m in tiny.mileposts if m.id in {ash.milepost, dale.milepost})
    dot = next(m for m in tiny.mileposts if m.kind == "dot")
    moved = (
        west.model_copy(update={"lon": -1.0, "lat": 0.0}),
        east.model_copy(update={"lon": 1.0, "lat": 0.0}),
        dot.model_copy(update={"lon": 0.0, "lat": 0.5}),
    )
    board = tiny.model_copy(update={"mileposts": moved, "cities": (ash, dale)})
    assert {ash.region, dale.region} == {"west", "east"}
    assert find_regions(board)[dot.id] == "east"


ONTARIO = {"blenheim-on", "st-thomas-on"}
"""Mileposts of the United States board in an untinted country."""


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_every_milepost_is_drawn_on_its_regions_ground(name: str) -> None:
    board = shipped(name)
    layout = lay_out(board)
    tints = lay_ground(board, load_backdrop(board.projection, layout.area, layout.warp), layout.spots).tints
    regions = find_regions(board)
    for milepost in board.mileposts:
        spot = shapely.Point(layout.spots[milepost.id])
        own = [] if milepost.id in ONTARIO else [regions[milepost.id]]
        assert [r for r, tint in tints.items() if tint.covers(spot)] == own, milepost.id


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_tints_do_not_overlap_and_keep_to_the_land(name: str) -> None:
    board = shipped(name)
    laid = lay_ground(board, load_backdrop(board.projection, divide_page(board)[0]))
    tints = list(laid.tints.values())
    total = shapely.union_all(tints).area
    assert sum(t.area for t in tints) == pytest.approx(total, rel=1e-6)
    assert shapely.difference(shapely.union_all(tints), shapely.buffer(laid.backdrop.land, 0.1)).area < 1e-3 * total


def test_tints_cover_every_state_once(base: Backdrop, ground: RegionGround) -> None:
    states = shapely.union_all([s.shape for s in base.states])
    tints = shapely.union_all(list(ground.tints.values()))
    assert shapely.difference(states, tints).area < 0.002 * states.area
    assert tints.area == pytest.approx(states.area, rel=0.002), "no ground in Ontario"


def test_borders_are_smooth(ground: RegionGround) -> None:
    """No border turns by more than 35 degrees at a vertex, where the cells' own turn by up to 90."""
    sharpest = 0.0
    for part in shapely.get_parts(shapely.line_merge(ground.edges)):
        xy = shapely.get_coordinates(part)
        way = np.arctan2(*np.diff(xy, axis=0).T)
        turn = np.abs((np.diff(way) + np.pi) % (2 * np.pi) - np.pi)
        sharpest = max(sharpest, float(np.degrees(turn).max(initial=0)))
    assert sharpest < SHARPEST


SHARPEST = 50


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=2, max_size=40, unique=True),
    st.lists(st.floats(0, 100), min_size=3, max_size=12),
)
@settings(max_examples=examples(60))
def test_a_taut_line_leaves_every_point_on_its_side(spots: list[tuple[float, float]], heights: list[float]) -> None:
    """Closed to an area by the frame, it holds the same points before and after."""
    xs = np.linspace(0, 100, len(heights))
    line = shapely.LineString(np.round(np.column_stack((xs, heights)), 3))
    points = to_shapely_points(np.array(spots))
    points = points[shapely.distance(points, line) > 0.01]
    (after,) = shorten_lines([line], points, 30)
    assert after.coords[0] == line.coords[0]
    assert after.coords[-1] == line.coords[-1]
    assert after.length <= line.length + 1e-6

    def above(border: BaseGeometry) -> list[bool]:
        area = shapely.make_valid(shapely.Polygon([*border.coords, (100, -50), (0, -50)]))
        return list(shapely.contains(area, points))

    assert above(after) == above(line)


def test_without_rounds_a_line_stays() -> None:
    line = shapely.LineString([(0, 0), (5, 9), (10, 0)])
    assert shorten_lines([line], to_shapely_points(np.array([(5.0, 20.0)])), 0) == [line]


def test_without_states_the_land_is_divided_between_the_mileposts(tiny: Board) -> None:
    base = Backdrop(AREA, shapely.box(*AREA), (), (), NONE, NONE)
    tints = region_tints(tiny, base)
    spots = {m.id: shapely.Point(m.x, m.y) for m in tiny.mileposts}
    regions = find_regions(tiny)
    assert all(tints[regions[ident]].covers(spot) for ident, spot in spots.items())
    assert tints["west"].intersection(tints["east"]).area < 1e-6


def test_cells_of_places_in_a_grid_are_valid() -> None:
    """Four of these lie on a circle; from them GEOS makes a cell that overlaps all others."""
    places = np.array([(251.89, 165.88), (251.72, 161.63), (249.39, 165.98), (249.22, 161.73), (247.05, 170.33)])
    box = shapely.box(0, 0, 600, 500)
    cells = _make_cells(places, box)
    assert shapely.is_valid(cells).all()
    assert shapely.union_all(cells).buffer(1e-6).covers(box)
    assert abs(shapely.union_all(cells).area - shapely.area(cells).sum()) < 1e-6


def test_a_milepost_in_the_sea_or_a_lake_gets_ground(tiny: Board) -> None:
    spots = {m.id: shapely.Point(m.x, m.y) for m in tiny.mileposts}
    wet = next(m.id for m in tiny.mileposts if m.kind == "city")
    lake = spots[wet].buffer(5)
    box = shapely.MultiPoint(list(spots.values())).envelope
    land = shapely.intersection(box.buffer(10), shapely.box(box.bounds[0] + 4, 0, 400, 300))
    at_sea = [ident for ident, spot in spots.items() if not land.contains(spot)]
    assert at_sea
    laid = lay_ground(tiny, Backdrop(AREA, land, (lake,), (), NONE, NONE))
    regions = find_regions(tiny)
    assert all(laid.tints[regions[ident]].covers(spot) for ident, spot in spots.items())
    assert all(laid.backdrop.land.covers(spots[ident]) for ident in at_sea)
    assert not any(shape.intersects(spots[wet]) for shape in laid.backdrop.lakes)


def test_a_dot_far_from_a_fine_coast_stays_at_sea(tiny: Board) -> None:
    spots = {m.id: (20.0 + 10 * at, 40.0 + 3 * (at % 3)) for at, m in enumerate(tiny.mileposts)}
    ship = next(m.id for m in tiny.mileposts if m.kind == "dot")
    spots[ship] = (100.0, 112.0)  # 12 mm off the coast
    base = Backdrop(AREA, shapely.box(0, 0, 390, 100), (), (), NONE, NONE)
    spot = shapely.Point(spots[ship])
    for scale, ashore in ((1e-5, True), (1e-3, False)):
        board = tiny.model_copy(update={"projection": tiny.projection.model_copy(update={"scale_mm_per_m": scale})})
        assert lay_ground(board, base, spots).backdrop.land.covers(spot) is ashore


@pytest.mark.parametrize("border", [NONE, shapely.MultiLineString([[(10, 255), (20, 255)]])])
def test_a_coast_without_cities_that_the_page_cuts_off_is_another_countrys(tiny: Board, border: BaseGeometry) -> None:
    spots = {m.id: (20.0 + 10 * at, 40.0 + 3 * (at % 3)) for at, m in enumerate(tiny.mileposts)}
    last = max(x for x, _ in spots.values())
    own, coast = shapely.box(0, 0, last + 5, 80), shapely.box(last + 16, 0, 390, 60)
    island = shapely.box(last + 8, 35, last + 13, 45)
    base = Backdrop(AREA, shapely.MultiPolygon([own, coast, island]), (), (), border, NONE)
    tinted = shapely.union_all(list(lay_ground(tiny, base, spots).tints.values()))
    assert tinted.intersection(coast).area == pytest.approx(0, abs=1e-6)
    assert tinted.covers(island.buffer(-1))


@pytest.mark.parametrize(
    ("name", "place", "ground"),
    [
        ("germany", (13.43, 54.42), "tinted"),  # Rügen
        ("germany", (10.39, 55.30), "left"),  # Fyn: an island of Denmark, in which no city is
        ("germany", (8.72, 47.45), "left"),  # Winterthur: lines cross Switzerland, but its one city lies at the border
        ("great-britain", (-4.55, 54.20), "left"),  # the Isle of Man
        ("great-britain", (-5.77, 57.55), "tinted"),  # Applecross
        ("japan", (128.62, 34.87), "left"),  # Geoje, of Korea
        ("mexico", (-97.34, 27.0), "left"),  # Padre Island, of Texas
    ],
)
def test_only_land_of_countries_with_cities_is_tinted(name: str, place: tuple[float, float], ground: str) -> None:
    board = shipped(name)
    to_page = pyproj.Transformer.from_crs("EPSG:4326", board.projection.crs, always_xy=True)
    east, north = to_page.transform(*place)
    page = board.projection
    spot = shapely.Point(
        page.offset_x_mm + page.scale_mm_per_m * east, page.offset_y_mm - page.scale_mm_per_m * north
    ).buffer(1.5)
    base = load_backdrop(page, divide_page(board)[0], own=board.layers)
    assert base.land.intersects(spot)
    tinted = shapely.union_all(list(region_tints(board, base).values()))
    assert ("tinted" if tinted.intersects(spot) else "left") == ground


def test_a_tint_that_ends_inland_has_a_line_there(tiny: Board) -> None:
    """The drawn area of a region ends in the middle of the land, at a border and at the coast."""
    own, other, land = shapely.box(10, 10, 200, 200), shapely.box(250, 10, 300, 200), shapely.box(10, 0, 390, 260)
    border = shapely.MultiLineString([[(10, 200), (390, 200)]])
    base = Backdrop(AREA, land, (), (), border, NONE, regions=dict(zip(("west", "east"), (own, other), strict=True)))
    spots = {m.id: (30.0 + 10 * at, 50.0 + 3 * (at % 3)) for at, m in enumerate(tiny.mileposts)}
    edges = lay_ground(tiny, base, spots).edges
    assert shapely.covers(edges.buffer(0.4), shapely.LineString([(11, 10), (200, 10), (200, 199)]))
    assert edges.distance(shapely.Point(100, 200)) > 1, "the border has a line of its own"
    assert edges.distance(shapely.Point(10, 100)) > 1, "so has the coast"


def test_a_small_country_with_a_city_is_tinted_and_one_with_dots_is_not(tiny: Board) -> None:
    """Maseru lies at the border of Lesotho, two cities in South Africa, and the dots in Swaziland."""
    crs = "+proj=laea +lat_0=-28.5 +lon_0=28.5 +datum=WGS84"
    page = tiny.projection.model_copy(
        update={"crs": crs, "scale_mm_per_m": 3e-4, "offset_x_mm": 195.0, "offset_y_mm": 130.0}
    )
    towns = PageMap(page).to_page([(27.48, -29.32), (26.21, -29.12), (28.05, -26.2)])
    abroad = PageMap(page).to_page([(31.4, -26.5)])[0]
    cities = {city.milepost: towns[at % 3] for at, city in enumerate(tiny.cities)}
    moved = tuple(m.model_copy(update=dict(zip("xy", cities.get(m.id, abroad), strict=True))) for m in tiny.mileposts)
    board = tiny.model_copy(update={"projection": page, "mileposts": moved})
    for warp in (None, lambda points: points + np.array([0.0, 20.0])):
        spots = {m.id: (m.x, m.y + (20.0 if warp else 0.0)) for m in moved}
        tinted = shapely.union_all(list(region_tints(board, load_backdrop(page, AREA, warp), spots).values()))
        for lon, lat, is_tinted in ((28.6, -29.6, True), (31.5, -26.5, False), (32.4, -26.3, False)):
            x, y = PageMap(page).to_page([(lon, lat)])[0]
            assert tinted.contains(shapely.Point(x, y + (20.0 if warp else 0.0))) is is_tinted, (lon, lat)


def test_of_the_states_around_only_those_between_mileposts_are_tinted(usa: Board, base: Backdrop) -> None:
    far = {city.milepost for city in usa.cities if city.region in {"northwest", "southwest"}}
    kept = tuple(city for city in usa.cities if city.milepost in far)
    ids = find_regions(usa)
    dots = tuple(m for m in usa.mileposts if ids[m.id] in {"northwest", "southwest"})
    west = usa.model_copy(update={"cities": kept, "mileposts": dots})
    tinted = shapely.union_all(list(region_tints(west, base).values()))
    share = {one.code: tinted.intersection(one.shape).area / one.shape.area for one in base.states}
    assert {code for code, of in share.items() if of > 0.9} >= {"CA", "OR", "WA", "NV", "UT", "AZ"}
    assert {code for code, of in share.items() if of > 0.01} & {"ME", "NY", "OH", "GA", "FL"} == set()


def test_mileposts_on_one_straight_line_have_their_ground(tiny: Board) -> None:
    spots = {m.id: (20.0 + 30 * at, 30.0 + 20 * at) for at, m in enumerate(tiny.mileposts)}
    tints = lay_ground(tiny, Backdrop(AREA, shapely.box(*AREA), (), (), NONE, NONE), spots).tints
    regions = find_regions(tiny)
    assert all(tints[regions[ident]].covers(shapely.Point(spot)) for ident, spot in spots.items())


def test_a_board_without_cities_has_no_tints(tiny: Board) -> None:
    board = tiny.model_copy(update={"cities": ()})
    laid = lay_ground(board, Backdrop(AREA, shapely.box(*AREA), (), (), NONE, NONE))
    assert all(tint.is_empty for tint in laid.tints.values())


def test_main_rivers_are_on_the_map(usa: Board, base: Backdrop) -> None:
    """The Mississippi passes within 3 mm of Memphis, the Tagus within 5 mm of Vila Velha de Rodao."""
    at = {m.id: shapely.Point(m.x, m.y) for m in usa.mileposts}
    assert base.rivers.distance(at["memphis"]) < 3
    assert base.rivers.length > 5 * (AREA[2] - AREA[0])
    assert {part.geom_type for part in load_layer("rivers").parts} == {"LineString"}


def test_the_same_board_has_the_same_ground(usa: Board, base: Backdrop, ground: RegionGround) -> None:
    again = lay_ground(usa, base)
    assert {k: v.wkb for k, v in again.tints.items()} == {k: v.wkb for k, v in ground.tints.items()}


def test_no_region_reaches_over_a_border_into_a_country_without_a_milepost_of_it() -> None:
    """Malin Head lies nearer to Coleraine than to Buncrana, but not in its country."""
    ireland = shipped("ireland")
    laid = lay_ground(ireland, load_backdrop(ireland.projection, divide_page(ireland)[0], own=ireland.layers))
    malin_head = shapely.Point(PageMap(ireland.projection).to_page([(-7.25, 55.30)])[0])
    assert [region for region, tint in laid.tints.items() if tint.contains(malin_head)] == ["west-ulster"]
