"""Region tints and the base map on the page."""

import pytest
import shapely

from mapkit.model.board import Board
from mapkit.render.backdrop import Backdrop, State, load_backdrop
from mapkit.render.page_areas import page_areas
from mapkit.render.tints import region_tints

AREA = (0.0, 0.0, 390.0, 260.0)


@pytest.fixture(scope="module")
def ground(usa: Board) -> Backdrop:
    return load_backdrop(usa.projection, page_areas(usa)[0])


def test_the_base_map_fills_the_area_and_no_more(usa: Board, ground: Backdrop) -> None:
    area = shapely.box(*page_areas(usa)[0])
    assert {s.code for s in ground.states} >= {"NY", "CA", "KS", "TX"}
    assert not {"AK", "HI"} & {s.code for s in ground.states}
    assert all(area.buffer(0.01).covers(s.shape) for s in ground.states)
    assert 0.5 < ground.land.area / area.area < 0.95
    assert all(lake.is_valid for lake in ground.lakes)


def test_every_city_lies_in_its_regions_tint(usa: Board, ground: Backdrop) -> None:
    tints = region_tints(usa, ground)
    spots = {m.id: shapely.Point(m.x, m.y) for m in usa.mileposts}
    assert [c.id for c in usa.cities if tints[c.region].distance(spots[c.milepost]) > 3] == []


def test_tints_cover_every_state_once(usa: Board, ground: Backdrop) -> None:
    tints = list(region_tints(usa, ground).values())
    states = shapely.union_all([s.shape for s in ground.states])
    assert shapely.union_all(tints).area == pytest.approx(states.area, rel=0.01)
    assert sum(t.area for t in tints) == pytest.approx(states.area, rel=0.01)


def test_states_whole_divided_and_empty(tiny: Board) -> None:
    r"""Ash, Elm (west) in one state; Dale, Fir/Gum (east) with an Elm's neighbour; a state without cities."""
    area = AREA
    at = {m.id: m for m in tiny.mileposts}
    left, top, right, bottom = area
    split = (at["birch"].x + at["cedar"].x) / 2
    whole = shapely.box(left, top, split, bottom - 40)
    east = shapely.box(split, top, right, bottom - 40)
    empty = shapely.box(left, bottom - 40, left + 60, bottom)
    land = shapely.box(*area)
    none = shapely.MultiLineString()
    states = (State("AA", "A", whole), State("BB", "B", east), State("CC", "C", empty))
    ground = Backdrop(area, land, (), states, none, none)
    tints = region_tints(tiny, ground)
    assert tints["west"].area == pytest.approx(whole.area + empty.area, rel=0.01)
    assert tints["east"].area == pytest.approx(east.area, rel=0.01)
    one = Backdrop(area, land, (), (State("AA", "A", land),), none, none)
    both = region_tints(tiny, one)
    middle = (at["ash"].x + at["dale"].x) / 2
    assert both["west"].covers(shapely.Point(middle - 10, at["ash"].y))
    assert both["east"].covers(shapely.Point(middle + 10, at["ash"].y))


def test_without_states_the_land_is_divided_by_the_nearest_city(tiny: Board) -> None:
    area = AREA
    none = shapely.MultiLineString()
    ground = Backdrop(area, shapely.box(*area), (), (), none, none)
    tints = region_tints(tiny, ground)
    spots = {m.id: shapely.Point(m.x, m.y) for m in tiny.mileposts}
    assert all(tints[c.region].covers(spots[c.milepost]) for c in tiny.cities)
    assert tints["west"].intersection(tints["east"]).area < 20
