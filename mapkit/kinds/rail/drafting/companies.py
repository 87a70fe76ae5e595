"""The railroads of a draft: each in one piece, some great and some small, that overlap where they compete.

All grow at once, hop by hop, each towards as many cities as it is to serve. A hop is worth more where it reaches a
large city that few serve, where nobody runs yet, and where it goes straight on.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np

from mapkit.kinds.rail.drafting.city_paths import Hop, hops_of, pieces
from mapkit.kinds.rail.drafting.corridors import Corridor
from mapkit.kinds.rail.drafting.plane import Floats

RAILROADS_A_CITY: Final = 2.9
"""Wanted: the United States board has 2.97."""
_LEAST: Final = 0.4
"""The smallest railroad, in mean ones, by cities; the greatest has so much more: the classic board has 0.3 to 1.9."""
_MOST_OF_ALL: Final = 0.62
"""The share of the cities that one railroad serves at the most, where there are more than a few railroads."""
_FEWEST_A_CITY: Final = 2.25
"""Railroads a city at the least, wanted."""
_WORTH: Final = (1.0, 0.75, 0.45, 0.2, 0.05, -0.1)
"""What a city is worth to one more railroad, by how many serve it."""
_NEW: Final = 0.9
_STRAIGHT: Final = 0.5
_BRANCH: Final = -0.3
_FAR: Final = 0.35
_LUCK: Final = 0.35
_ALONE: Final = 0.15
"""The share of the cities that one railroad alone serves at the most."""


@dataclass
class Company:
    """A railroad while it grows.

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


def divide(
    links: Sequence[Corridor], weights: Mapping[int, float], at: Floats, count: int, luck: Random
) -> tuple[frozenset[int], ...]:
    """Return the corridors of each railroad, by number, the greatest railroad first.

    Args:
        links: The corridors, in one piece.
        weights: How large each city is, by stop; the mean is 1.
        at: Where stops are.
        count: How many railroads.
        luck: Random numbers.
    """
    growth = _Growth(links, weights, at, luck)
    companies = [Company(target) for target in targets(len(weights), count)]
    for company in companies:
        growth.begin(company)
    while True:
        hungry = [one for one in companies if len(one.cities) < one.target]
        if not hungry:
            break
        company = min(hungry, key=lambda one: (len(one.cities) / one.target, -one.target))
        if not growth.extend(company):
            company.target = len(company.cities)
    growth.finish(companies)
    return tuple(frozenset(one.links) for one in companies)


def targets(cities: int, count: int) -> list[int]:
    """Return how many cities each railroad is to serve, the most first."""
    share = min(max(_MOST_OF_ALL, _FEWEST_A_CITY / count), 1.0)
    mean = min(RAILROADS_A_CITY * cities / count, share * cities)
    most = max(2, round(min(share * 1.15, 1.0) * cities))
    shares = [1.0] if count == 1 else [2 - _LEAST - (2 - 2 * _LEAST) * k / (count - 1) for k in range(count)]
    if count == 1:
        return [cities]
    return [min(max(2, round(part * mean)), most) for part in shares]


class _Growth:
    """What railroads have taken so far, and what is best next."""

    def __init__(self, links: Sequence[Corridor], weights: Mapping[int, float], at: Floats, luck: Random) -> None:
        self.links, self.weights, self.at, self.luck = links, weights, at, luck
        self.hops = hops_of(links, set(weights))
        self.served: Counter[int] = Counter()
        self.taken: Counter[int] = Counter()
        every = [hop.miles for found in self.hops.values() for hop in found]
        self.usual = max(float(np.median(every)), 1e-6)

    def begin(self, company: Company) -> None:
        """Take the first hop of a railroad: at a large city where few run."""
        best = max(
            (hop for found in self.hops.values() for hop in found if hop.a < hop.b),
            key=lambda hop: (self._first(hop), -hop.a, -hop.b),
        )
        self._take(company, best)

    def _first(self, hop: Hop) -> float:
        value: float = sum(self.weights[city] ** 0.5 / (1 + 2 * self.served[city]) for city in (hop.a, hop.b))
        return value + _NEW * self._new(hop) - _FAR * hop.miles / self.usual + self.luck.random() * _LUCK

    def extend(self, company: Company) -> bool:
        """Take the best hop to a city that a railroad does not serve; return whether there is one."""
        open_ones = [hop for city in sorted(company.cities) for hop in self.hops[city] if hop.b not in company.cities]
        if not open_ones:
            return False
        self._take(company, max(open_ones, key=lambda hop: (self._value(company, hop), -hop.a, -hop.b)))
        return True

    def _value(self, company: Company, hop: Hop) -> float:
        worth: float = _WORTH[min(self.served[hop.b], len(_WORTH) - 1)] * (0.4 + 0.6 * self.weights[hop.b] ** 0.5)
        return (
            worth
            + _NEW * self._new(hop)
            + self._straight(company, hop)
            - _FAR * hop.miles / self.usual
            + self.luck.random() * _LUCK
        )

    def _new(self, hop: Hop) -> float:
        """Return which share of a hop nobody has taken."""
        miles = {number: self.links[number].miles for number in hop.links}
        return sum(long for number, long in miles.items() if not self.taken[number]) / max(sum(miles.values()), 1e-9)

    def _straight(self, company: Company, hop: Hop) -> float:
        before = company.ends.get(hop.a, [])
        if len(before) != 1:
            return _BRANCH
        there, back = self.at[hop.b] - self.at[hop.a], self.at[hop.a] - self.at[before[0]]
        long = float(np.hypot(*there) * np.hypot(*back))
        return _STRAIGHT * float(there @ back) / long if long else 0.0

    def _take(self, company: Company, hop: Hop) -> None:
        for city in {hop.a, hop.b} - company.cities:
            self.served[city] += 1
        for number in set(hop.links) - company.links:
            self.taken[number] += 1
        company.take(hop)

    def finish(self, companies: Sequence[Company]) -> None:
        """Let every city be served, few by one railroad alone, and the network be in one piece and whole."""
        for city in sorted(set(self.weights) - {city for one in companies for city in one.cities}):
            self._reach(companies, city)
        self._join(companies)
        for number in range(len(self.links)):
            if not self.taken[number]:
                self._cover(companies, number)
        alone = sorted((city for city in self.weights if self.served[city] == 1), key=lambda c: (-self.weights[c], c))
        for city in alone[: max(0, len(alone) - round(_ALONE * len(self.weights)))]:
            self._reach(companies, city)

    def _reach(self, companies: Sequence[Company], city: int) -> None:
        """Let the railroad that has most room come to a city."""
        found = [
            (
                len(one.cities) / one.target + 0.5 * hop.miles / self.usual,
                k,
                Hop(hop.b, hop.a, hop.links[::-1], hop.miles),
            )
            for hop in self.hops[city]
            for k, one in enumerate(companies)
            if hop.b in one.cities and city not in one.cities
        ]
        if found:
            _, k, hop = min(found, key=lambda row: (row[0], row[1], row[2].a))
            self._take(companies[k], hop)
        elif not self.served[city]:  # its neighbours are not served either, so far
            nearest = min(self.hops[city], key=lambda hop: hop.miles)
            self._reach(companies, nearest.b)
            self._reach(companies, city)

    def _join(self, companies: Sequence[Company]) -> None:
        """Join parts of the network."""
        while len(parts := pieces(one.cities for one in companies)) > 1:
            main = parts[0]
            hop = min(
                (hop for city in sorted(main) for hop in self.hops[city] if hop.b not in main),
                key=lambda hop: (hop.miles, hop.a, hop.b),
            )
            company = min(
                (one for one in companies if hop.a in one.cities), key=lambda one: len(one.cities) / one.target
            )
            self._take(company, hop)

    def _cover(self, companies: Sequence[Company], number: int) -> None:
        """Give a corridor that nobody took to the railroad that has most room; one off all hops stays untaken."""
        found = [
            (len(one.cities | {hop.b}) / one.target, k, hop)
            for found in self.hops.values()
            for hop in found
            if number in hop.links
            for k, one in enumerate(companies)
            if hop.a in one.cities
        ]
        if found:
            _, k, hop = min(found, key=lambda row: (round(row[0], 6), row[1], row[2].a, row[2].b))
            self._take(companies[k], hop)
