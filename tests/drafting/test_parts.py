"""Parts of a draft: regions by name, contracted networks, spacing, amounts."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mapkit.formats.degrees import middle_longitude
from mapkit.geography.region import parse_region, places_in
from mapkit.kinds.rail.drafting import amounts
from mapkit.kinds.rail.drafting.companies import city_targets
from mapkit.kinds.rail.drafting.corridors import Corridor, find_joined_pairs, join_links
from mapkit.kinds.rail.drafting.draft import _divide_land, find_land_extent, name_railroads
from mapkit.kinds.rail.drafting.figures import contract_network
from mapkit.kinds.rail.drafting.plane import Plane
from mapkit.kinds.rail.drafting.regions import find_map_neighbours, group_cities, name_regions
from mapkit.kinds.rail.drafting.stations import choose_gap, mean_trip_steps, place_stations
from mapkit.kinds.rail.drafting.stops import make_drawable
from mapkit.kinds.rail.model.source import PageConfig


def test_regions_by_part_and_box() -> None:
    ulster = places_in(parse_region("GB-NIR"))
    assert ulster[0].name == "Belfast"
    assert {place.division for place in ulster} == {"NIR"}
    both = places_in(parse_region("IE,GB-NIR"))
    assert {place.country for place in both} == {"IE", "GB"}
    across = places_in(parse_region("", bounds=(177.0, -20.0, -178.0, -15.0)))
    assert {place.country for place in across} >= {"FJ"}
    assert all(place.lon >= 177 or place.lon <= -178 for place in across)


@given(st.lists(st.floats(-180, 180), min_size=1, max_size=20), st.floats(-180, 180))
def test_the_middle_longitude_turns_with_the_places(longitudes: list[float], turn: float) -> None:
    """No place is farther from the middle than half of what they span, and the span does not depend on where 0 is."""

    def span(places: list[float]) -> float:
        middle = middle_longitude(places)
        return max(abs((lon - middle + 180) % 360 - 180) for lon in places)

    turned = [(lon + turn + 180) % 360 - 180 for lon in longitudes]
    assert span(longitudes) == pytest.approx(span(turned), abs=1e-3)


def test_fiji_is_in_one_piece() -> None:
    assert abs(middle_longitude([177.3, 179.9, -179.9]) - 178.7) < 0.01


def test_a_contracted_network_has_cities_and_junctions_only() -> None:
    links = {frozenset(pair): 1.0 for pair in ("ab", "bc", "cd", "bx", "xc", "dy")}
    found = contract_network(links, {"a", "d"})
    assert found == {frozenset("ab"): 1.0, frozenset("bc"): 1.0, frozenset("cd"): 1.0} or found == {
        frozenset("ad"): 3.0
    }


def test_links_are_joined_off_cities_and_the_shorter_of_two_stays() -> None:
    links = [Corridor((0, 1), 1.0, 1.0), Corridor((1, 2), 1.0, 1.0), Corridor((0, 2), 5.0, 5.0)]
    assert join_links(links, {0, 2}) == (Corridor((0, 1, 2), 2.0, 2.0),)


def test_gabriel_and_relative_neighbours() -> None:
    """Of the corners of a square and its middle, sides are joined by Gabriel's rule, and diagonals by none."""
    at = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1.0, 1.0]])
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
    assert {(a, b) for a, b in find_joined_pairs(apart, 2.0)} >= {(0, 4), (1, 4), (2, 4), (3, 4)}
    assert (0, 2) not in find_joined_pairs(apart, 2.0)
    assert set(find_joined_pairs(apart, 8.0)) <= set(find_joined_pairs(apart, 2.0))


@given(st.lists(st.floats(20, 400), min_size=2, max_size=8))
def test_mileposts_of_a_corridor_are_spaced_and_its_ends_are_two_of_them(lengths: list[float]) -> None:
    at = np.column_stack((np.concatenate(([0.0], np.cumsum(lengths))), np.zeros(len(lengths) + 1)))
    link = Corridor(tuple(range(len(at))), float(at[-1, 0]), 1.0)
    stations = place_stations(link, at, lambda _: 1000, 50.0)
    posts = [one.at[0] for one in stations if one.milepost]
    steps = max(1, int(link.miles / 50 + 0.5))
    assert len(posts) == steps + 1
    assert posts[0] == 0
    assert posts[-1] == pytest.approx(link.miles, abs=1e-3)
    assert min(np.diff(posts)) >= 0.44 * link.miles / steps


@pytest.mark.parametrize(("cities", "trip"), [(10, 13.5), (55, 18.8)])
def test_the_gap_gives_the_trip_that_is_wanted(cities: int, trip: float) -> None:
    links = [Corridor((k, k + 1), 100.0 + 17 * k, 1.0) for k in range(cities - 1)]
    chances = dict.fromkeys(range(cities), 1 / cities)
    assert mean_trip_steps(links, chances, choose_gap(links, chances)) == pytest.approx(trip, abs=1.5)


@given(st.lists(st.integers(500, 20_000_000), min_size=8, max_size=100))
def test_no_city_is_far_likelier_than_on_boards_of_the_family(people: list[int]) -> None:
    weights = amounts.city_weights(people)
    assert min(weights) >= 1
    limit = max(min(0.09, 2.6 / len(people)), 1.3 / len(people))
    assert max(weights) / sum(weights) <= limit * 1.1


def test_prices_fit_payoffs_and_a_game_is_of_the_usual_length() -> None:
    prices = amounts.railroad_prices((0.1, 0.2, 0.3), 14.0)
    assert prices == (9500, 19000, 28500)
    cash = amounts.cash_to_win(prices, 14.0)
    assert (cash - 20_000 + sum(prices) / 4) / 14_000 == pytest.approx(21.5, abs=0.5)


def test_some_railroads_are_great_and_some_small() -> None:
    found = city_targets(67, 28)
    assert found == sorted(found, reverse=True)
    assert sum(found) / 67 == pytest.approx(2.9, rel=0.05)
    assert found[0] >= 3 * found[-1]


@pytest.mark.parametrize(
    ("name", "drawn"),
    [("Ḩamāh", "Hamāh"), ("shokhaib\u064d", "Shokhaib"), ("Orléans", "Orléans"), ("Сочи", "Сочи"), ("京都", "")],
)
def test_names_are_spelled_in_letters_of_the_font(name: str, drawn: str) -> None:
    assert make_drawable(name) == drawn


def test_names_and_marks_differ() -> None:
    found = name_railroads([[("Cork", "IE"), ("Dublin", "IE")]] * 40)
    assert len({name for name, _ in found}) == 40
    assert len({mark for _, mark in found}) == 40


@pytest.mark.parametrize(
    ("cities", "name", "mark"),
    [
        ([("Cork", "IE"), ("Dublin", "IE")], "Cork and Dublin Railway", "CD"),
        ([("Lima", "PE"), ("Cusco", "PE")], "Ferrocarril Lima - Cusco", "LC"),
        ([("Kraków", "PL"), ("Łódź", "PL")], "Kolej Kraków - Łódź", "KO"),
        ([("San Juan Bautista", "PY"), ("Pilar", "PY"), ("Ayolas", "PY")], "Ferrocarril Pilar - Ayolas", "PA"),
        ([("Reno", "US"), ("Elko", "US")], "Reno and Elko Railroad", "RE"),
        ([("Ho", "GH")], "Ho and Coast Railway", "HC"),
    ],
)
def test_railroads_are_named_in_the_manner_of_their_country(
    cities: list[tuple[str, str]], name: str, mark: str
) -> None:
    assert name_railroads([cities]) == ((name, mark),)


def test_regions_hang_together() -> None:
    """A grid of 4 by 6 cities in four regions."""
    at = np.array([(x, y) for y in range(4) for x in range(6)], dtype=np.float64)
    beside = {k: [j for j in range(24) if abs(at[j] - at[k]).sum() == 1] for k in range(24)}
    groups = group_cities(beside, dict.fromkeys(range(24), 1.0), at, 4)
    assert sorted(city for own in groups for city in own) == list(range(24))
    for own in groups:
        assert 4 <= len(own) <= 8
        reached, waiting = {own[0]}, [own[0]]
        while waiting:
            near = set(beside[waiting.pop()]) & set(own) - reached
            reached |= near
            waiting += near
        assert reached == set(own)


def test_neighbours_on_the_network_count_where_no_third_city_lies_between() -> None:
    """The ends of a row of cities are joined by a line past the others, which makes no region of them alone."""
    at = np.array([(x, 0.1 * (x % 2)) for x in range(4)], dtype=np.float64)
    beside = {0: [1, 3], 1: [0, 2], 2: [1, 3], 3: [0, 2]}
    assert find_map_neighbours(range(4), beside, at) == {0: (1,), 1: (0, 2), 2: (1, 3), 3: (2,)}


def test_the_shortest_ways_past_a_city_count_where_parts_would_be_apart() -> None:
    """Lines join both ends of a row of three to a city far off, and nobody to the middle but one end."""
    at = np.array([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (9.0, 0.0)])
    beside = {0: [2, 3], 1: [2], 2: [0, 1, 3], 3: [0, 2]}
    assert find_map_neighbours(range(4), beside, at) == {0: (2,), 1: (2,), 2: (0, 1, 3), 3: (2,)}


@pytest.mark.parametrize(
    ("count", "names"),
    [
        (2, ("South", "North")),
        (3, ("South", "Centre", "North")),
        (4, ("Far South", "South", "North", "Far North")),
        (5, ("Far South", "South", "Centre", "North", "Far North")),
    ],
)
def test_regions_of_a_slender_land_are_named_in_a_row(count: int, names: tuple[str, ...]) -> None:
    at = np.array([(k % 2, 3.0 * k) for k in range(2 * count)], dtype=np.float64)
    groups = [(2 * k, 2 * k + 1) for k in range(count)]
    assert name_regions(groups, at, [""] * count) == names
    turned = [{"South": "West", "North": "East"}.get(n, n) for n in " ".join(names).split()]
    assert " ".join(name_regions(groups, at[:, ::-1], [""] * count)).split() == turned


def test_regions_of_other_land_are_named_by_their_corner() -> None:
    at = np.array([(0, 0), (0, 1), (9, 9), (9, 8), (0, 9), (1, 9), (9, 0), (8, 0)], dtype=np.float64)
    groups = [(0, 1), (2, 3), (4, 5), (6, 7)]
    assert name_regions(groups, at, [""] * 4) == ("South West", "North East", "North West", "South East")


def test_a_page_shows_whole_islands_across_longitude_180() -> None:
    """Viti Levu alone has track; Vanua Levu and Kadavu near it are whole, and no side is cut at longitude 180."""
    plane = Plane(178.9, -17.2)
    track = plane.to_plane(np.array([(177.4, -17.6), (178.5, -18.1), (179.4, -16.4)]))
    (left, _, _, top), (west, south, east, north) = find_land_extent(
        plane, track, ("FJ",), lambda width, height: (width, height)
    )
    assert left < track[:, 0].min()
    assert top > track[:, 1].max()
    assert (west, south) < (177.3, -18.2)
    assert (-180.0 < east < -179.0) or east > 179.9
    assert north > -16.2
    assert south < -19.15, "Kadavu"


@pytest.mark.parametrize("frame", [(232, 208), (546, 308), (162, 185), (600, 150)])
@pytest.mark.parametrize("cities", [2, 3, 4])
def test_the_edge_of_no_page_cuts_an_island(frame: tuple[float, float], cities: int) -> None:
    """Of any proportions, as far as islands lie within nine tenths of the track's length around it.

    Two millimetres of the bleed are left for rounding.
    """
    plane = Plane(178.9, -17.2)
    places = [(177.4, -17.6), (178.5, -18.1), (179.4, -16.4), (178.8, -17.7)]
    track = plane.to_plane(np.array(places[:cities]))
    (left, bottom, right, top), _ = find_land_extent(plane, track, ("FJ",), lambda _width, _height: frame)
    mi_per_mm = max((right - left) / frame[0], (top - bottom) / frame[1])
    x, y = (left + right) / 2, (bottom + top) / 2
    half_sides = [(side / 2 + 12.0) * mi_per_mm for side in frame]
    edge = shapely.box(x - half_sides[0], y - half_sides[1], x + half_sides[0], y + half_sides[1]).exterior
    islands, _ = _divide_land(plane, (165.0, -30.0, 195.0, -5.0), "10m")
    low, high = track.min(axis=0), track.max(axis=0)
    reach = 0.9 * float((high - low).max())
    near = islands[shapely.covers(shapely.box(*(low - reach), *(high + reach)), islands)]
    assert len(near) > 3
    assert not shapely.intersects(near, edge).any()


@pytest.mark.parametrize(("upright", "size"), [(False, (594, 420)), (True, (420, 594))])
def test_a_standard_sheet_gives_the_page(upright: bool, size: tuple[float, float]) -> None:  # noqa: FBT001 - of the table
    page = PageConfig.model_validate({"sheet": "A2", "upright": upright})
    assert (page.width, page.height) == size
    assert PageConfig.model_validate(page.model_dump()) == page
    with pytest.raises(ValidationError, match=r"a sheet A2 measures .*; delete width and height"):
        PageConfig.model_validate({"sheet": "A2", "upright": upright, "width": 500})


def test_an_extent_may_cross_longitude_180() -> None:
    across = PageConfig.model_validate({"sheet": "A4", "extent": (177, -20, -178, -15)})
    assert across.extent == (177, -20, -178, -15)
    for extent in ((-5, 51, -10, 55), (7, 50, 7, 55), (177, -20, -181, -15)):
        with pytest.raises(ValidationError, match="longitude 180"):
            PageConfig.model_validate({"sheet": "A4", "extent": extent})
