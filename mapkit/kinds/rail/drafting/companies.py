"""Railroads of a draft: each in one piece, of different sizes, overlapping where they compete.

All grow at once, hop by hop, each towards as many cities as it is to serve. A hop is worth more where it reaches a
large city that few serve, where nobody runs yet, and where it goes straight on.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np

from mapkit.kinds.rail.drafting.city_paths import Hop, find_hops, merge_groups
from mapkit.kinds.rail.drafting.corridors import Corridor
from mapkit.kinds.rail.drafting.plane import Floats

RAILROADS_A_CITY: Final = 2.9
"""Wanted: the United States board has 2.97."""
_SMALLEST_SIZE: Final = 0.4
"""The smallest railroad, in mean ones, by cities; the greatest has so much more: the classic board has 0.3 to 1.9."""
_LARGEST_CITY_SHARE: Final = 0.62
"""The share of the cities that one railroad serves at the most, where there are more than a few railroads."""
_FEWEST_RAILROADS_A_CITY: Final = 2.25
"""Railroads a city at the least, wanted."""
_WORTH_BY_RAILROADS: Final = (1.0, 0.75, 0.45, 0.2, 0.05, -0.1)
"""What a city is worth to one more railroad, by how many serve it."""
_NEW_TRACK_WORTH: Final = 0.9
_STRAIGHT_WORTH: Final = 0.5
_BRANCH_WORTH: Final = -0.3
_LENGTH_COST: Final = 0.35
_LUCK_WORTH: Final = 0.35
_LARGEST_ALONE_SHARE: Final = 0.15
"""The share of the cities that one railroad alone serves at the most."""


@dataclass
class GrowingRailroad:
    """Railroad that is still growing.

    Attributes:
        target: How many cities it is to serve.
        links: The corridors that it takes, by number.
        cities: The cities that it serves.
        ends: City -> where its hops lead from there, for going straight on.
    """

    target: int
    links: set[int] = field(default_factory=set)
    cities: set[int] = field(default_factory=set)
    ends: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def take(self, hop: Hop) -> None:
        """Add a hop."""
        self.links.update(hop.links)
        self.cities.update((hop.a, hop.b))
        self.ends[hop.a].append(hop.b)
        self.ends[hop.b].append(hop.a)


def divide_corridors(
    links: Sequence[Corridor], weights: Mapping[int, float], at: Floats, count: int, luck: Random
) -> tuple[frozenset[int], ...]:
    """Divide corridors among railroads, the largest railroad first.

    Args:
        links: The corridors, in one piece.
        weights: How large each city is, by stop; the mean is 1.
        at: Where stops are.
        count: How many railroads.
        luck: Random numbers.
    """
    growth = _Growth(links, weights, at, luck)
    companies = [GrowingRailroad(target) for target in city_targets(len(weights), count)]
    for company in companies:
        growth.begin(company)
    while True:
        unfinished_companies = [candidate for candidate in companies if len(candidate.cities) < candidate.target]
        if not unfinished_companies:
            break
        company = min(unfinished_companies, key=lambda one: (len(one.cities) / one.target, -one.target))
        if not growth.extend(company):
            company.target = len(company.cities)
    growth.finish(companies)
    return tuple(frozenset(candidate.links) for candidate in companies)


def city_targets(cities: int, count: int) -> list[int]:
    """Return the number of cities that each railroad should serve, the most first."""
    largest_share = min(max(_LARGEST_CITY_SHARE, _FEWEST_RAILROADS_A_CITY / count), 1.0)
    mean_cities = min(RAILROADS_A_CITY * cities / count, largest_share * cities)
    most_cities = max(2, round(min(largest_share * 1.15, 1.0) * cities))
    relative_sizes = (
        [1.0] if count == 1 else [2 - _SMALLEST_SIZE - (2 - 2 * _SMALLEST_SIZE) * k / (count - 1) for k in range(count)]
    )
    if count == 1:
        return [cities]
    return [min(max(2, round(relative_size * mean_cities)), most_cities) for relative_size in relative_sizes]


class _Growth:
    """State of growing railroads, with the worth of their next hops."""

    def __init__(self, links: Sequence[Corridor], weights: Mapping[int, float], at: Floats, luck: Random) -> None:
        self.links, self.weights, self.at, self.luck = links, weights, at, luck
        self.hops = find_hops(links, set(weights))
        self.served: Counter[int] = Counter()
        self.taken: Counter[int] = Counter()
        hop_miles = [hop.miles for city_hops in self.hops.values() for hop in city_hops]
        self.usual = max(float(np.median(hop_miles)), 1e-6)

    def begin(self, company: GrowingRailroad) -> None:
        """Take the first hop of a railroad: at a large city that few railroads serve."""
        best_hop = max(
            (hop for city_hops in self.hops.values() for hop in city_hops if hop.a < hop.b),
            key=lambda hop: (self._first(hop), -hop.a, -hop.b),
        )
        self._take(company, best_hop)

    def _first(self, hop: Hop) -> float:
        city_worth: float = sum(self.weights[city] ** 0.5 / (1 + 2 * self.served[city]) for city in (hop.a, hop.b))
        return (
            city_worth
            + _NEW_TRACK_WORTH * self._new(hop)
            - _LENGTH_COST * hop.miles / self.usual
            + self.luck.random() * _LUCK_WORTH
        )

    def extend(self, company: GrowingRailroad) -> bool:
        """Take the best hop to a city that a railroad does not serve; return whether there is one."""
        open_hops = [hop for city in sorted(company.cities) for hop in self.hops[city] if hop.b not in company.cities]
        if not open_hops:
            return False
        self._take(company, max(open_hops, key=lambda hop: (self._value(company, hop), -hop.a, -hop.b)))
        return True

    def _value(self, company: GrowingRailroad, hop: Hop) -> float:
        city_worth: float = _WORTH_BY_RAILROADS[min(self.served[hop.b], len(_WORTH_BY_RAILROADS) - 1)] * (
            0.4 + 0.6 * self.weights[hop.b] ** 0.5
        )
        return (
            city_worth
            + _NEW_TRACK_WORTH * self._new(hop)
            + self._straight(company, hop)
            - _LENGTH_COST * hop.miles / self.usual
            + self.luck.random() * _LUCK_WORTH
        )

    def _new(self, hop: Hop) -> float:
        """Return the share of a hop that no railroad has taken."""
        miles_by_link = {number: self.links[number].miles for number in hop.links}
        return sum(link_miles for number, link_miles in miles_by_link.items() if not self.taken[number]) / max(
            sum(miles_by_link.values()), 1e-9
        )

    def _straight(self, company: GrowingRailroad, hop: Hop) -> float:
        earlier_cities = company.ends.get(hop.a, [])
        if len(earlier_cities) != 1:
            return _BRANCH_WORTH
        outward_vector, arrival_vector = self.at[hop.b] - self.at[hop.a], self.at[hop.a] - self.at[earlier_cities[0]]
        length_product = float(np.hypot(*outward_vector) * np.hypot(*arrival_vector))
        return _STRAIGHT_WORTH * float(outward_vector @ arrival_vector) / length_product if length_product else 0.0

    def _take(self, company: GrowingRailroad, hop: Hop) -> None:
        for city in {hop.a, hop.b} - company.cities:
            self.served[city] += 1
        for number in set(hop.links) - company.links:
            self.taken[number] += 1
        company.take(hop)

    def finish(self, companies: Sequence[GrowingRailroad]) -> None:
        """Serve every city, few by a single railroad, cover every corridor, and connect the network."""
        for city in sorted(set(self.weights) - {city for one in companies for city in one.cities}):
            self._reach(companies, city)
        self._join(companies)
        for number in range(len(self.links)):
            if not self.taken[number]:
                # Give it to the railroad with the most room; a corridor on no hop stays unused
                found = [
                    (len(candidate.cities | {hop.b}) / candidate.target, k, hop)
                    for found in self.hops.values()
                    for hop in found
                    if number in hop.links
                    for k, candidate in enumerate(companies)
                    if hop.a in candidate.cities
                ]
                if found:
                    _, k, hop = min(found, key=lambda row: (round(row[0], 6), row[1], row[2].a, row[2].b))
                    self._take(companies[k], hop)
        cities_served_once = sorted(
            (city for city in self.weights if self.served[city] == 1), key=lambda c: (-self.weights[c], c)
        )
        for city in cities_served_once[
            : max(0, len(cities_served_once) - round(_LARGEST_ALONE_SHARE * len(self.weights)))
        ]:
            self._reach(companies, city)

    def _reach(self, companies: Sequence[GrowingRailroad], city: int) -> None:
        """Extend the railroad with the most room to a city."""
        candidate_hops = [
            (
                len(candidate.cities) / candidate.target + 0.5 * hop.miles / self.usual,
                k,
                Hop(hop.b, hop.a, hop.links[::-1], hop.miles),
            )
            for hop in self.hops[city]
            for k, candidate in enumerate(companies)
            if hop.b in candidate.cities and city not in candidate.cities
        ]
        if candidate_hops:
            _, k, hop = min(candidate_hops, key=lambda row: (row[0], row[1], row[2].a))
            self._take(companies[k], hop)
        elif not self.served[city]:  # its neighbours are not served either, so far
            nearest_hop = min(self.hops[city], key=lambda hop: hop.miles)
            self._reach(companies, nearest_hop.b)
            self._reach(companies, city)

    def _join(self, companies: Sequence[GrowingRailroad]) -> None:
        """Connect the parts of the network."""
        while len(network_parts := merge_groups(candidate.cities for candidate in companies)) > 1:
            main_part = network_parts[0]
            hop = min(
                (hop for city in sorted(main_part) for hop in self.hops[city] if hop.b not in main_part),
                key=lambda hop: (hop.miles, hop.a, hop.b),
            )
            company = min(
                (candidate for candidate in companies if hop.a in candidate.cities),
                key=lambda one: len(one.cities) / one.target,
            )
            self._take(company, hop)
