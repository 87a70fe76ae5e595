"""Drafting of a board: from a region to a plan, stage by stage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from random import Random
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area
from mapkit.core.errors import ChoiceError
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.core.names import fold, slug
from mapkit.core.progress import Progress, quiet
from mapkit.geography.basemap import Level, level_for, load_layer
from mapkit.geography.gazetteer_table import PER_DEGREE, GazetteerPlace, shipped_table
from mapkit.geography.region import LAST_LATITUDE, NamedRegion, places_in
from mapkit.kinds.rail.drafting import amounts
from mapkit.kinds.rail.drafting import regions as grouping
from mapkit.kinds.rail.drafting.cities import ChosenCity, CityWishes, choose_cities
from mapkit.kinds.rail.drafting.city_paths import find_hops
from mapkit.kinds.rail.drafting.companies import divide_corridors
from mapkit.kinds.rail.drafting.corridors import Corridor, join_links, lay_corridors, measure_corridors
from mapkit.kinds.rail.drafting.ground import Ground, lay_ground
from mapkit.kinds.rail.drafting.options import FEWEST_CITIES, DraftAsked
from mapkit.kinds.rail.drafting.package import LEGEND_MM, MARGIN_MM, choose_sheet
from mapkit.kinds.rail.drafting.plan import Plan, PlannedCity, PlannedRailroad, PlannedRegion
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Plane, Shapes
from mapkit.kinds.rail.drafting.second_lines import with_second_lines
from mapkit.kinds.rail.drafting.stations import (
    StationNames,
    choose_gap,
    make_station_lists,
    mean_trip_steps,
    place_stations,
    wanted_trip_steps,
)
from mapkit.kinds.rail.drafting.stops import Stops, filter_usable_places, lay_stops, split_far_places
from mapkit.kinds.rail.drafting.user_lines import UserLines, lay_user_lines
from mapkit.kinds.rail.drafting.ways import WayNet, lay_net

# Extent of the land that the page of a draft shows: whole islands and the countries of its cities.

_REACH_SHARE: Final = 0.45
"""How far beyond the track the page may show land, as a share of the longer side of the track; islands that the edge
of the page would cut may lie twice as far off."""
_ROOM_SHARE: Final = 0.02
"""Water around the land, as a share of the longer side."""
_BLEED_MM: Final = MARGIN_MM / 2 + 2.0
"""How far the map of a draft goes on beyond its frame, and a little more."""
_PAGE_MM: Final = 700.0
"""About what the longer side is on the page, for the level of detail of the base map."""
_BORDER_MI: Final = 0.5
_HALF_TURN: Final = 180.0


def find_land_extent(
    plane: Plane, track: Floats, countries: Sequence[str], frame_of: Callable[[float, float], tuple[float, float]]
) -> tuple[Area, Area]:
    """Return what the page shows, in miles of the plane, and as west, south, east, north in degrees.

    Args:
        plane: The plane of the draft.
        track: Its stations on the plane, shape (n, 2).
        countries: Of the region; their land around the track is shown whole.
        frame_of: Returns width and height of the map on the page, in millimetres, from those of what it shows.
    """
    low, high = track.min(axis=0), track.max(axis=0)
    longer_mi = max(float((high - low).max()), 1.0)
    limit, outer_limit = (
        shapely.box(*(low - share * longer_mi), *(high + share * longer_mi))
        for share in (_REACH_SHARE, 2 * _REACH_SHARE)
    )
    window = _degree_window(plane, outer_limit)
    parts, has_border = _divide_land(plane, window, level_for(_PAGE_MM / (longer_mi * METRES_PER_MILE)))
    balance = _weigh_places(plane, parts, window, countries)
    home_parts = shapely.intersection(parts[_has_track(parts, track) & (balance > 0)], limit)
    shown = shapely.union_all([shapely.MultiPoint(track), *home_parts])
    islands = parts[shapely.covers(outer_limit, parts) & ~has_border & (balance >= 0)]  # none of other countries
    while True:
        extent = _degree_window(plane, shapely.buffer(shown, _ROOM_SHARE * longer_mi, quad_segs=2))
        outline = shapely.segmentize(shapely.box(*extent), 0.5)
        left, bottom, right, top = shapely.transform(outline, plane.to_plane).bounds
        is_near = shapely.intersects(islands, _grow_to_page((left, bottom, right, top), frame_of))
        if not is_near.any():
            break
        shown, islands = shapely.union_all([shown, *islands[is_near]]), islands[~is_near]
    west, south, east, north = (round(side, 2) for side in extent)
    return (left, bottom, right, top), (_wrap(west), max(south, -90.0), _wrap(east), min(north, 90.0))


def _wrap(lon: float) -> float:
    """Return a longitude between -180 and 180."""
    return round((lon + _HALF_TURN) % (2 * _HALF_TURN) - _HALF_TURN, 2)


def _grow_to_page(area: Area, frame_of: Callable[[float, float], tuple[float, float]]) -> BaseGeometry:
    """Return what a page shows of an area in its middle: more on two sides, and the bleed around it."""
    left, bottom, right, top = area
    frame = frame_of(right - left, top - bottom)
    mi_per_mm = max((right - left) / frame[0], (top - bottom) / frame[1])
    half_width, half_height = (side * mi_per_mm / 2 + _BLEED_MM * mi_per_mm for side in frame)
    x, y = (left + right) / 2, (bottom + top) / 2
    return shapely.box(x - half_width, y - half_height, x + half_width, y + half_height)


def _degree_window(plane: Plane, area: BaseGeometry) -> Area:
    """Return west, south, east and north of an area of the plane, longitudes unwrapped around the plane's middle."""
    longer_mi = max(area.bounds[2] - area.bounds[0], area.bounds[3] - area.bounds[1])
    degrees = plane.to_degrees(shapely.get_coordinates(shapely.segmentize(area, longer_mi / 16 or 1.0)))
    lons = plane.turned(degrees[:, 0])
    return float(lons.min()), float(degrees[:, 1].min()), float(lons.max()), float(degrees[:, 1].max())


def _divide_land(plane: Plane, window: Area, level: Level) -> tuple[Shapes, Flags]:
    """Return the parts of the land in a window, between coasts and borders, and which of them have a border."""
    land = plane.shapes_in(load_layer("land", level).parts, window)
    # Parts that longitude 180 cuts are one again.
    whole_land = shapely.buffer(shapely.buffer(land, _BORDER_MI, join_style="mitre"), -_BORDER_MI, join_style="mitre")
    borders = shapely.buffer(plane.shapes_in(load_layer("countries", level).parts, window), _BORDER_MI)
    parts = np.asarray(shapely.get_parts(shapely.difference(whole_land, borders)))
    return parts, np.asarray(shapely.dwithin(parts, borders, _BORDER_MI))


def _weigh_places(plane: Plane, parts: Shapes, window: Area, countries: Sequence[str]) -> Floats:
    """Return how many more places of the countries than of others lie on each part of land."""
    table = shipped_table()
    lon, lat, _ = (np.asarray(column) for column in table.columns())
    lon, lat = plane.turned(lon / PER_DEGREE), lat / PER_DEGREE
    west, south, east, north = window
    rows = np.flatnonzero((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north))
    is_home = np.array([table.country(row) in countries for row in rows.tolist()], dtype=np.int64)
    place_points = np.array(shapely.points(plane.to_plane(np.column_stack((lon[rows], lat[rows])))), dtype=object)
    part_index, place_index = shapely.STRtree(place_points).query(parts, predicate="intersects")
    return np.bincount(part_index, weights=2.0 * is_home[place_index] - 1.0, minlength=len(parts)).astype(np.float64)


def _has_track(parts: Shapes, track: Floats) -> Flags:
    """Return a mask of the parts of land with track."""
    track_tree = shapely.STRtree(np.array(shapely.points(track), dtype=object))
    has_track = np.zeros(len(parts), np.bool_)
    has_track[track_tree.query(parts, predicate="dwithin", distance=_BORDER_MI)[0]] = True
    return has_track


# Names of railroads in the manner of their country: two of their cities.

_NAME_FORMS: Final[Mapping[str, str]] = {
    "AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE": "Ferrocarril {} - {}",
    "AT CH DE LI": "Eisenbahn {} - {}",
    "AO CV GW MZ PT ST TL": "Caminho de Ferro {} - {}",
    "BA HR ME RS": "Željeznica {} - {}",
    "BE BF BJ CD CF CG CI CM DJ DZ FR GA GN HT KM LU MA MC MG ML NC NE PF RE SN TD TG TN": "Chemin de fer {} - {}",
    "BR": "Estrada de Ferro {} - {}",
    "CA US": "{} and {} Railroad",
    "CZ SK": "Dráha {} - {}",
    "DK": "{} - {} Jernbane",
    "EE": "{} - {} Raudtee",
    "FI": "{} - {} Rautatie",
    "HU": "{} - {} Vasút",
    "IT SM": "Ferrovia {} - {}",
    "LT": "{} - {} Geležinkelis",
    "LV": "{} - {} Dzelzceļš",
    "NL SR": "Spoorweg {} - {}",
    "NO": "{} - {} Jernbane",
    "PL": "Kolej {} - {}",
    "RO MD": "Calea Ferată {} - {}",
    "SE": "{} - {} Järnväg",
    "SI": "Železnica {} - {}",
    "TR": "{} - {} Demiryolu",
}
"""Forms by country codes."""
_ENGLISH_FORM: Final = "{} and {} Railway"
_LONGEST_CITY_NAME: Final = 16


def name_railroads(cities: Sequence[Sequence[tuple[str, str]]]) -> tuple[tuple[str, str], ...]:
    """Return a name and a mark for each railroad, all different.

    Args:
        cities: Names and country codes of the cities of each railroad, those that it is best called after first.
    """
    used_cities: set[str] = set()
    used_marks: set[str] = set()
    used_names: set[str] = set()
    names_and_marks = []
    for served in cities:
        country_by_name = dict(served)
        names = sorted(country_by_name, key=lambda name: (len(name) > _LONGEST_CITY_NAME, name in used_cities))
        first, second = [*names, "Coast"][:2]
        form = next((form for codes, form in _NAME_FORMS.items() if country_by_name[first] in codes), _ENGLISH_FORM)
        used_cities |= {first, second}
        name = form.format(first, second)
        if name in used_names:
            name = next(f"{name} {n}" for n in range(2, 1000) if f"{name} {n}" not in used_names)
        mark = _choose_mark((first, second, form.replace("{}", "").split()[-1]), used_marks)
        used_names.add(name)
        used_marks.add(mark)
        names_and_marks.append((name, mark))
    return tuple(names_and_marks)


def _choose_mark(words: Sequence[str], taken: set[str]) -> str:
    """Return initials of two cities and a word as a mark, with more letters where they are taken."""
    first, second, kind = ((slug(word).replace("-", "") or "x").upper() for word in words)
    initials = first[0] + second[0]
    marks = (initials, initials + kind[0], first[:2] + second[0], first[:2] + second[:2], first[:3] + second[0])
    numbered = (f"{initials}{number}" for number in range(2, 1000))
    return next(mark for mark in (*marks, *numbered) if mark not in taken)


_NEAR_JUNCTION_STOPS: Final = 2.4
"""Distances of stops within which a junction is put into a city, or into another junction."""
_PALETTE: Final = (
    "#932a41", "#2f74bb", "#5f8d33", "#e2671f", "#8555a6", "#00838f", "#7c4a1c", "#c2187a", "#5f6a72", "#b18406",
    "#092e96", "#1e7d4f",
)  # fmt: skip
_MM2_A_MILEPOST: Final = 1450
"""Of the page for each milepost: 1,310 to 1,850 on the shipped boards."""
_SMALLEST_MM: Final = 280
_LARGEST_MM: Final = 1_300
_LEAST_SIDE_RATIO: Final = 0.55
"""The narrower side of the page through the wider one, at the least."""


@dataclass(frozen=True)
class LaidRegion:
    """Region with its ways and cities.

    Attributes:
        region: The region.
        plane: The plane.
        ground: The ground.
        stops: Where lines may run.
        net: Ways between them.
        cities: The cities.
        far: Places that are left out, for they lie far from all others.
        cut: Places that are left out, for no line reaches them.
    """

    region: NamedRegion
    plane: Plane
    ground: Ground
    stops: Stops
    net: WayNet
    cities: tuple[ChosenCity, ...]
    far: tuple[GazetteerPlace, ...]
    cut: tuple[GazetteerPlace, ...]


def plan_board(
    asked: DraftAsked,
    region: NamedRegion,
    *,
    title: str,
    command: str,
    given: UserLines | None = None,
    progress: Progress = quiet,
) -> Plan:
    """Plan a board of a region.

    Args:
        asked: What is asked.
        region: Its region, found.
        title: Of the board.
        command: What drafts it again.
        given: Lines to use; made up if None.
        progress: Called with what is being done.

    Raises:
        ChoiceError: The region cannot give what is asked.
    """
    asked.refuse_numbers()
    luck = Random(f"mapkit draft {asked.seed}")  # noqa: S311 - no secrets
    progress("finding cities")
    laid = lay_region(asked, region, given)
    progress("laying corridors")
    city_stops = [city.stop for city in laid.cities]
    near_mi = laid.stops.apart * _NEAR_JUNCTION_STOPS
    network = with_second_lines(lay_corridors(laid.net, city_stops, near_mi), laid.net, city_stops, near_mi)
    links = measure_corridors(network.links, laid.stops.at)
    progress("dividing them into railroads")
    weights = _weights_by_stop(laid.cities)
    mean_weight = sum(weights.values()) / len(weights)
    companies = divide_corridors(
        links, {stop: weight / mean_weight for stop, weight in weights.items()}, laid.stops.at, asked.companies, luck
    )
    links, companies = _keep_used_links(links, companies, set(city_stops))
    return _assemble_plan(asked, laid, links, companies, title=title, command=command)


def lay_region(asked: DraftAsked, region: NamedRegion, given: UserLines | None = None) -> LaidRegion:
    """Return a region with its ways and cities.

    Raises:
        ChoiceError: It has too few places, or no line of those given.
    """
    usable_places = filter_usable_places([place for place in places_in(region) if abs(place.lat) <= LAST_LATITUDE])
    if len(usable_places) < FEWEST_CITIES:
        place_count = {0: "no place", 1: "one place"}.get(len(usable_places), f"{len(usable_places)} places")
        raise ChoiceError(
            f"{region.name}: the gazetteer has {place_count} of 500 people or more there, and a draft takes "
            f"{FEWEST_CITIES}; name a larger region on land, not beyond {LAST_LATITUDE:g} degrees of latitude"
        )
    near_places, far_places = split_far_places(usable_places)
    plane = Plane.around([(place.lon, place.lat) for place in near_places])
    ground = lay_ground(plane, region, near_places)
    stops = lay_stops(plane, ground, near_places)
    region_name = region.name
    if given is None:
        net = lay_net(ground, stops)
    else:
        stops, net = lay_user_lines(given, plane, ground, near_places, stops.apart, region.name)
        region_name += f", at the lines of {given.file}"
    cities = choose_cities(
        stops, net.reached, asked.cities, plane, near_places, region_name, CityWishes(asked.include, asked.leave_out)
    )
    twins = {city.twin for city in cities if city.twin is not None}
    stops = replace(stops, places=tuple(None if place in twins else place for place in stops.places))
    unreached_places = [
        place for stop_number, place in enumerate(stops.places) if place is not None and stop_number not in net.reached
    ]
    if given is not None:  # most places lie at no line
        unreached_places = []
    return LaidRegion(region, plane, ground, stops, net, cities, tuple(far_places), tuple(unreached_places))


def _population(place: GazetteerPlace | None) -> int:
    return 0 if place is None else max(place.population, 1)


def _weights_by_stop(cities: Sequence[ChosenCity]) -> dict[int, float]:
    """Return the weights of cities by stop, those of twins added."""
    all_places = [place for city in cities for place in _city_places(city)]
    weight_by_place = dict(
        zip(all_places, amounts.city_weights([place.population for place in all_places]), strict=True)
    )
    return {city.stop: float(sum(weight_by_place[place] for place in _city_places(city))) for city in cities}


def _city_places(city: ChosenCity) -> tuple[GazetteerPlace, ...]:
    return (city.place,) if city.twin is None else (city.place, city.twin)


def _keep_used_links(
    links: Sequence[Corridor], companies: Sequence[frozenset[int]], cities: set[int]
) -> tuple[tuple[Corridor, ...], tuple[frozenset[int], ...]]:
    """Return the corridors that railroads use, joined where only two are left, and the corridors of each railroad.

    A junction at which railroads part stays, so a corridor has the same railroads from end to end.
    """
    railroads_by_link = {
        n: frozenset(k for k, link_numbers in enumerate(companies) if n in link_numbers) for n in range(len(links))
    }
    parting_nodes = {
        end
        for n, link in enumerate(links)
        for end in link.ends
        if any(
            railroads_by_link[n] and railroads_by_link[m] and railroads_by_link[n] != railroads_by_link[m]
            for m, other in enumerate(links)
            if end in other.ends
        )
    }
    kept_links = join_links([link for n, link in enumerate(links) if railroads_by_link[n]], cities | parting_nodes)
    railroads_by_ends = {
        frozenset(pair): railroads_by_link[n] for n, link in enumerate(links) for pair in pairwise(link.stops)
    }
    railroads_of_kept = [railroads_by_ends[frozenset(link.stops[:2])] for link in kept_links]
    return kept_links, tuple(
        frozenset(n for n, railroads in enumerate(railroads_of_kept) if k in railroads) for k in range(len(companies))
    )


def _assemble_plan(
    asked: DraftAsked,
    laid: LaidRegion,
    links: tuple[Corridor, ...],
    companies: tuple[frozenset[int], ...],
    *,
    title: str,
    command: str,
) -> Plan:
    at = laid.stops.at
    weights = _weights_by_stop(laid.cities)
    gap = choose_gap(links, weights)
    stations = [place_stations(link, at, lambda stop: _population(laid.stops.places[stop]), gap) for link in links]
    names_by_stop = _choose_city_names(laid.cities)
    station_names = StationNames(
        laid.plane,
        laid.stops,
        {stop: city_names[0] for stop, city_names in names_by_stop.items()},
        list(chain(*names_by_stop.values())),
        laid.ground.is_dry,
    )
    regions, region_by_stop = _plan_regions(asked, laid, links, weights, names_by_stop)
    railroad_lines = [
        make_station_lists(sorted(link_numbers), links, stations, station_names, at) for link_numbers in companies
    ]
    chances = {str(stop): weight / sum(weights.values()) for stop, weight in weights.items()}
    cities_served = [
        sorted({str(end) for n in link_numbers for end in links[n].ends} & chances.keys()) for link_numbers in companies
    ]
    trip_payoff = amounts.PAYOFF_A_MILEPOST * mean_trip_steps(links, weights, gap)
    prices = amounts.railroad_prices(amounts.railroad_worths(cities_served, chances), trip_payoff)
    cities_by_weight = [sorted(served, key=lambda c: (-weights[int(c)], int(c))) for served in cities_served]
    country_by_stop = {city.stop: city.place.country for city in laid.cities}
    names_and_marks = name_railroads(
        [[(names_by_stop[int(stop)][0], country_by_stop[int(stop)]) for stop in served] for served in cities_by_weight]
    )
    railroads = tuple(
        PlannedRailroad(
            id=slug(mark),
            name=name,
            short=mark,
            price=price,
            colour=_PALETTE[k % len(_PALETTE)],
            pattern="solid",
            lines=own_lines,
        )
        for k, ((name, mark), price, own_lines) in enumerate(zip(names_and_marks, prices, railroad_lines, strict=True))
    )
    station_points = np.array([station.at for link_stations in stations for station in link_stations])
    countries = tuple(
        sorted(laid.region.countries or {place.country for c in laid.cities for place in _city_places(c)})
    )
    milepost_count = len({station.at for link_stations in stations for station in link_stations if station.milepost})

    def frame_of(width: float, height: float) -> tuple[float, float]:
        page = (
            choose_sheet(asked.sheet, (width, height)) if asked.sheet else _page_size_mm(width, height, milepost_count)
        )
        return page[0] - 2 * MARGIN_MM, page[1] - 2 * MARGIN_MM - LEGEND_MM

    (left, bottom, right, top), extent = find_land_extent(laid.plane, station_points, countries, frame_of)
    width_mi, height_mi = right - left, top - bottom
    return Plan(
        title=title,
        countries=countries,
        lon_0=laid.plane.lon_0,
        lat_0=laid.plane.lat_0,
        extent=extent,
        size=(round(width_mi, 1), round(height_mi, 1)),
        page=_page_size_mm(width_mi, height_mi, milepost_count),
        sheet=asked.sheet,
        regions=regions,
        cities=_plan_cities(laid.cities, names_by_stop, region_by_stop),
        places=tuple(sorted(station_names.places, key=lambda place: fold(place.name))),
        railroads=railroads,
        gap=gap,
        rate=float(f"{amounts.PAYOFF_A_MILEPOST * 100 / gap:.3g}"),
        cash=amounts.cash_to_win(prices, trip_payoff),
        assumed=_list_assumptions(asked, laid, links),
        command=command,
        options=asked.options(),
    )


def _choose_city_names(cities: Sequence[ChosenCity]) -> dict[int, tuple[str, ...]]:
    """Return the names of each city by stop, those of twins together, all different."""
    taken_names: set[str] = set()
    names_by_stop: dict[int, tuple[str, ...]] = {}
    for city in cities:
        city_names = []
        for place in _city_places(city):
            name_candidates = (place.name, place.printed_name)
            name = next(
                (candidate for candidate in name_candidates if fold(candidate) not in taken_names),
                f"{place.name} {len(taken_names)}",
            )
            taken_names.add(fold(name))
            city_names.append(name)
        names_by_stop[city.stop] = tuple(city_names)
    return names_by_stop


def _plan_regions(
    asked: DraftAsked,
    laid: LaidRegion,
    links: Sequence[Corridor],
    weights: Mapping[int, float],
    called: Mapping[int, tuple[str, ...]],
) -> tuple[tuple[PlannedRegion, ...], dict[int, str]]:
    """Return the regions, and the region id of each city by stop."""
    neighbours = {city: [hop.b for hop in city_hops] for city, city_hops in find_hops(links, set(weights)).items()}
    region_count = asked.regions or grouping.usual_region_count(len(weights))
    divisions = {
        stop: f"{place.country} {place.division}"
        for stop, place in enumerate(laid.stops.places)
        if stop in weights and place is not None and place.division
    }
    groups = grouping.group_cities(neighbours, weights, laid.stops.at, region_count, divisions)
    largest = [called[max(group_cities, key=lambda city: (weights[city], -city))][0] for group_cities in groups]
    names = grouping.name_regions(groups, laid.stops.at, largest)
    planned = [
        PlannedRegion(
            id=slug(name),
            name=name,
            short=grouping.SHORT.get(name, name[:3].upper()),
            colour=grouping.COLOURS[k % len(grouping.COLOURS)],
        )
        for k, name in enumerate(names)
    ]
    return tuple(planned), {city: planned[k].id for k, group_cities in enumerate(groups) for city in group_cities}


def _plan_cities(
    cities: Sequence[ChosenCity],
    called: Mapping[int, tuple[str, ...]],
    of: Mapping[int, str],
) -> tuple[PlannedCity, ...]:
    all_places = [place for city in cities for place in _city_places(city)]
    weight_by_place = dict(
        zip(all_places, amounts.city_weights([place.population for place in all_places]), strict=True)
    )
    rows = [
        PlannedCity(
            id=slug(name),
            name=name,
            region=of[city.stop],
            lon=place.lon,
            lat=place.lat,
            milepost="/".join(called[city.stop]) if city.twin is not None else "",
            weight=weight_by_place[place],
            people=place.population,
        )
        for city in cities
        for name, place in zip(called[city.stop], _city_places(city), strict=True)
    ]
    region_order = {region: number for number, region in enumerate(dict.fromkeys(of.values()))}
    return tuple(sorted(rows, key=lambda row: (region_order[row.region], -row.weight, row.id)))


def _page_size_mm(width: float, height: float, mileposts: int) -> tuple[int, int]:
    """Return the size of the page in millimetres, to the centimetre."""
    aspect_ratio = min(max(width / max(height, 1e-6), _LEAST_SIDE_RATIO), 1 / _LEAST_SIDE_RATIO)
    inner_side_mm = (mileposts * _MM2_A_MILEPOST) ** 0.5
    width_mm, height_mm = (
        inner_side_mm * aspect_ratio**0.5 + 2 * MARGIN_MM,
        inner_side_mm / aspect_ratio**0.5 + 2 * MARGIN_MM + LEGEND_MM,
    )
    smallest_mm, largest_mm = _SMALLEST_MM, _LARGEST_MM
    return (
        round(min(max(width_mm, smallest_mm), largest_mm) / 10) * 10,
        round(min(max(height_mm, smallest_mm), largest_mm) / 10) * 10,
    )


def _list_assumptions(asked: DraftAsked, laid: LaidRegion, links: Sequence[Corridor]) -> tuple[str, ...]:
    """Return sentences on assumptions that the author should know."""
    sentences = [
        f"{asked.cities} cities: the largest places of {laid.region.name}, but spread over the land",
        f"lines: those of {asked.lines} that are needed, simplified; which railroad runs on them is made up"
        if asked.lines
        else "lines: made up; they run over land from place to place, the shorter and flatter the better",
        "names and marks of railroads: made up",
        (
            f"mileposts: so that a trip takes about {wanted_trip_steps(asked.cities):.3g} steps, "
            "at places of the gazetteer where there are any"
        ),
        "odds: people, damped; payoffs: by rail; prices: by the odds of the cities that a railroad serves",
    ]
    ferries = sum(link.ferries for link in links)
    if ferries:
        sentences.append(f"crossings of open water (ferries, bridges or tunnels): {ferries}")
    for skipped_places, reason in ((laid.far, "they are far from all others"), (laid.cut, "no line reaches them")):
        if skipped_places:
            shown_names = ", ".join(place.name for place in skipped_places[:3])
            more_text = f" and {len(skipped_places) - 3} more" if len(skipped_places) > 3 else ""  # noqa: PLR2004
            sentences.append(f"left out, for {reason}: {shown_names}{more_text}")
    return tuple(sentences)
