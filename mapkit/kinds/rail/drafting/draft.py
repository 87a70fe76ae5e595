"""Drafting a board: from a region to a plan, stage by stage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from random import Random
from typing import Final

import numpy as np

from mapkit.core.errors import ChoiceError
from mapkit.core.names import fold, slug
from mapkit.core.progress import Progress, quiet
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.geography.region import LAST_LATITUDE, NamedRegion, places_in
from mapkit.kinds.rail.drafting import amounts
from mapkit.kinds.rail.drafting import regions as grouping
from mapkit.kinds.rail.drafting.cities import Chosen, Wishes, choose_cities
from mapkit.kinds.rail.drafting.city_paths import hops_of
from mapkit.kinds.rail.drafting.companies import divide
from mapkit.kinds.rail.drafting.corridors import Corridor, joined, lay_corridors, measured
from mapkit.kinds.rail.drafting.ground import Ground, lay_ground
from mapkit.kinds.rail.drafting.naming import name_railroads
from mapkit.kinds.rail.drafting.options import FEWEST_CITIES, DraftAsked
from mapkit.kinds.rail.drafting.package import LEGEND_MM, MARGIN_MM
from mapkit.kinds.rail.drafting.plan import Plan, PlannedCity, PlannedRailroad, PlannedRegion
from mapkit.kinds.rail.drafting.plane import Plane
from mapkit.kinds.rail.drafting.second_lines import with_second_lines
from mapkit.kinds.rail.drafting.spacing import TRIP, gap_of, space, trip_of
from mapkit.kinds.rail.drafting.stations import StationNames, lines_of
from mapkit.kinds.rail.drafting.stops import Stops, lay_stops, together, usable
from mapkit.kinds.rail.drafting.user_lines import GivenLines, lay_given
from mapkit.kinds.rail.drafting.ways import Net, lay_net

_NEAR_JUNCTION: Final = 2.4
"""Distances of stops within which a junction is put into a city, or into another junction."""
_PALETTE: Final = (
    "#932a41", "#2f74bb", "#5f8d33", "#e2671f", "#8555a6", "#00838f", "#7c4a1c", "#c2187a", "#5f6a72", "#b18406",
    "#092e96", "#1e7d4f",
)  # fmt: skip
_MM2: Final = 1450
"""Of the page for each milepost: 1,310 to 1,850 on the shipped boards."""
_SMALLEST_MM: Final = 280
_LARGEST_MM: Final = 1_300
_SLENDER: Final = 0.55
"""The narrower side of the page through the wider one, at the least."""


@dataclass(frozen=True)
class Laid:
    """A region with its ways and cities.

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
    net: Net
    cities: tuple[Chosen, ...]
    far: tuple[GazetteerPlace, ...]
    cut: tuple[GazetteerPlace, ...]


def plan_board(
    asked: DraftAsked,
    region: NamedRegion,
    *,
    title: str,
    command: str,
    given: GivenLines | None = None,
    progress: Progress = quiet,
) -> Plan:
    """Return the plan of a board of a region.

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
    laid = lay(asked, region, given)
    progress("laying corridors")
    cities = [city.stop for city in laid.cities]
    near = laid.stops.apart * _NEAR_JUNCTION
    network = with_second_lines(lay_corridors(laid.net, cities, near), laid.net, cities, near)
    links = measured(network.links, laid.stops.at)
    progress("dividing them into railroads")
    weights = _weights(laid.cities)
    mean = sum(weights.values()) / len(weights)
    companies = divide(links, {c: w / mean for c, w in weights.items()}, laid.stops.at, asked.companies, luck)
    links, companies = _used(links, companies, set(cities))
    return _planned(asked, laid, links, companies, luck, title=title, command=command)


def lay(asked: DraftAsked, region: NamedRegion, given: GivenLines | None = None) -> Laid:
    """Return a region with its ways and cities.

    Raises:
        ChoiceError: It has too few places, or no line of those given.
    """
    found = usable([place for place in places_in(region) if abs(place.lat) <= LAST_LATITUDE])
    if len(found) < FEWEST_CITIES:
        many = {0: "no place", 1: "one place"}.get(len(found), f"{len(found)} places")
        raise ChoiceError(
            f"{region.name}: the gazetteer has {many} of 500 people or more there, and a draft takes "
            f"{FEWEST_CITIES}; name a larger region on land, not beyond {LAST_LATITUDE:g} degrees of latitude"
        )
    near, far = together(found)
    plane = Plane.around([(place.lon, place.lat) for place in near])
    ground = lay_ground(plane, region, near)
    stops = lay_stops(plane, ground, near)
    called = region.name
    if given is None:
        net = lay_net(ground, stops)
    else:
        stops, net = lay_given(given, plane, ground, near, stops.apart, region.name)
        called += f", at the lines of {given.file}"
    cities = choose_cities(
        stops, net.reached, asked.cities, plane, near, called, Wishes(asked.include, asked.leave_out)
    )
    stops = _without(stops, {city.twin for city in cities if city.twin is not None})
    cut = [place for at, place in enumerate(stops.places) if place is not None and at not in net.reached]
    if given is not None:  # most places lie at no line
        cut = []
    return Laid(region, plane, ground, stops, net, cities, tuple(far), tuple(cut))


def _without(stops: Stops, twins: set[GazetteerPlace]) -> Stops:
    """Return stops without the names of twins, which have another milepost."""
    return replace(stops, places=tuple(None if place in twins else place for place in stops.places))


def _people(place: GazetteerPlace | None) -> int:
    return 0 if place is None else max(place.population, 1)


def _weights(cities: Sequence[Chosen]) -> dict[int, float]:
    """Return the weights of the cities by stop, twins together."""
    every = [place for city in cities for place in _places(city)]
    found = dict(zip(every, amounts.weights_of([place.population for place in every]), strict=True))
    return {city.stop: float(sum(found[place] for place in _places(city))) for city in cities}


def _places(city: Chosen) -> tuple[GazetteerPlace, ...]:
    return (city.place,) if city.twin is None else (city.place, city.twin)


def _used(
    links: Sequence[Corridor], companies: Sequence[frozenset[int]], cities: set[int]
) -> tuple[tuple[Corridor, ...], tuple[frozenset[int], ...]]:
    """Return the corridors that railroads take, joined where only two are left, and what each railroad takes of them.

    A junction at which railroads part stays, so a corridor has the same railroads from end to end.
    """
    takers = {n: frozenset(k for k, own in enumerate(companies) if n in own) for n in range(len(links))}
    parting = {
        end
        for n, link in enumerate(links)
        for end in link.ends
        if any(takers[n] and takers[m] and takers[n] != takers[m] for m, other in enumerate(links) if end in other.ends)
    }
    new = joined([link for n, link in enumerate(links) if takers[n]], cities | parting)
    over = {frozenset(pair): takers[n] for n, link in enumerate(links) for pair in pairwise(link.stops)}
    taken = [over[frozenset(link.stops[:2])] for link in new]
    return new, tuple(frozenset(n for n, by in enumerate(taken) if k in by) for k in range(len(companies)))


def _planned(
    asked: DraftAsked,
    laid: Laid,
    links: tuple[Corridor, ...],
    companies: tuple[frozenset[int], ...],
    luck: Random,
    *,
    title: str,
    command: str,
) -> Plan:
    at = laid.stops.at
    weights = _weights(laid.cities)
    gap = gap_of(links, weights)
    stations = [space(link, at, lambda stop: _people(laid.stops.places[stop]), gap) for link in links]
    called = _city_names(laid.cities)
    names = StationNames(
        laid.plane,
        laid.stops,
        {stop: own[0] for stop, own in called.items()},
        list(chain(*called.values())),
        laid.ground.is_dry,
    )
    regions, of = _regions(asked, laid, links, weights, called)
    lines = [lines_of(sorted(own), links, stations, names, at) for own in companies]
    chances = {str(stop): weight / sum(weights.values()) for stop, weight in weights.items()}
    served = [sorted({str(end) for n in own for end in links[n].ends} & chances.keys()) for own in companies]
    payoff = amounts.A_STEP * trip_of(links, weights, gap)
    prices = amounts.prices_of(amounts.worths(served, chances), payoff)
    labels = [sorted(own, key=lambda c: (-weights[int(c)], int(c))) for own in served]
    marks = name_railroads([[called[int(stop)][0] for stop in own] for own in labels], luck)
    railroads = tuple(
        PlannedRailroad(
            id=slug(mark),
            name=name,
            short=mark,
            price=price,
            colour=_PALETTE[k % len(_PALETTE)],
            pattern="solid",
            lines=own,
        )
        for k, ((name, mark), price, own) in enumerate(zip(marks, prices, lines, strict=True))
    )
    spots = np.array([one.at for found in stations for one in found])
    low, high = spots.min(axis=0), spots.max(axis=0)
    lats = laid.plane.to_degrees(spots)[:, 1]
    mileposts = len({one.at for found in stations for one in found if one.milepost})
    return Plan(
        title=title,
        countries=tuple(sorted(laid.region.countries or {place.country for c in laid.cities for place in _places(c)})),
        lon_0=laid.plane.lon_0,
        lat_0=laid.plane.lat_0,
        parallels=(round(float(lats.min()), 2), round(float(lats.max()), 2)),
        size=(round(float(high[0] - low[0]), 1), round(float(high[1] - low[1]), 1)),
        page=_page(float(high[0] - low[0]), float(high[1] - low[1]), mileposts),
        regions=regions,
        cities=_cities(laid.cities, called, of),
        places=tuple(sorted(names.places, key=lambda place: fold(place.name))),
        railroads=railroads,
        gap=gap,
        rate=float(f"{amounts.A_STEP * 100 / gap:.3g}"),
        cash=amounts.cash_to_win(prices, payoff),
        assumed=_assumed(asked, laid, links),
        command=command,
        options=asked.options(),
    )


def _city_names(cities: Sequence[Chosen]) -> dict[int, tuple[str, ...]]:
    """Return the names of each city by stop, those of twins together; all differ."""
    taken: set[str] = set()
    out: dict[int, tuple[str, ...]] = {}
    for city in cities:
        own = []
        for place in _places(city):
            offers = (place.name, place.full_name, f"{place.name} ({place.country})")
            name = next((one for one in offers if fold(one) not in taken), f"{place.full_name} {len(taken)}")
            taken.add(fold(name))
            own.append(name)
        out[city.stop] = tuple(own)
    return out


def _regions(
    asked: DraftAsked,
    laid: Laid,
    links: Sequence[Corridor],
    weights: Mapping[int, float],
    called: Mapping[int, tuple[str, ...]],
) -> tuple[tuple[PlannedRegion, ...], dict[int, str]]:
    """Return the regions, and the region (id) of each city."""
    beside = {city: [hop.b for hop in found] for city, found in hops_of(links, set(weights)).items()}
    count = asked.regions or grouping.usual_number(len(weights))
    groups = grouping.group(beside, weights, laid.stops.at, count)
    largest = [called[max(own, key=lambda city: (weights[city], -city))][0] for own in groups]
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
    return tuple(planned), {city: planned[k].id for k, own in enumerate(groups) for city in own}


def _cities(
    cities: Sequence[Chosen],
    called: Mapping[int, tuple[str, ...]],
    of: Mapping[int, str],
) -> tuple[PlannedCity, ...]:
    every = [place for city in cities for place in _places(city)]
    own = dict(zip(every, amounts.weights_of([place.population for place in every]), strict=True))
    rows = [
        PlannedCity(
            id=slug(name),
            name=name,
            region=of[city.stop],
            lon=place.lon,
            lat=place.lat,
            milepost="/".join(called[city.stop]) if city.twin is not None else "",
            weight=own[place],
            people=place.population,
        )
        for city in cities
        for name, place in zip(called[city.stop], _places(city), strict=True)
    ]
    order = {region: number for number, region in enumerate(dict.fromkeys(of.values()))}
    return tuple(sorted(rows, key=lambda row: (order[row.region], -row.weight, row.id)))


def _page(width: float, height: float, mileposts: int) -> tuple[int, int]:
    """Return the size of the page in millimetres, to the centimetre."""
    shape = min(max(width / max(height, 1e-6), _SLENDER), 1 / _SLENDER)
    inside = (mileposts * _MM2) ** 0.5
    wide, tall = inside * shape**0.5 + 2 * MARGIN_MM, inside / shape**0.5 + 2 * MARGIN_MM + LEGEND_MM
    low, high = _SMALLEST_MM, _LARGEST_MM
    return (round(min(max(wide, low), high) / 10) * 10, round(min(max(tall, low), high) / 10) * 10)


def _assumed(asked: DraftAsked, laid: Laid, links: Sequence[Corridor]) -> tuple[str, ...]:
    """Return what the author should know."""
    out = [
        f"{asked.cities} cities: the largest places of {laid.region.name}, but spread over the land",
        f"lines: those of {asked.lines} that are needed, simplified; which railroad runs on them is made up"
        if asked.lines
        else "lines: made up; they run over land from place to place, the shorter and flatter the better",
        "names and marks of railroads: made up",
        f"mileposts: so that a trip takes about {TRIP:g} steps, at places of the gazetteer where there are any",
        "odds: people, damped; payoffs: by rail; prices: by the odds of the cities that a railroad serves",
    ]
    ferries = sum(link.ferries for link in links)
    if ferries:
        out.append(f"crossings of open water (ferries, bridges or tunnels): {ferries}")
    for left, why in ((laid.far, "they are far from all others"), (laid.cut, "no line reaches them")):
        if left:
            shown = ", ".join(place.name for place in left[:3])
            more = f" and {len(left) - 3} more" if len(left) > 3 else ""  # noqa: PLR2004
            out.append(f"left out, for {why}: {shown}{more}")
    return tuple(out)
