"""Checks for missing track: ends that face a city or their own line, cities that lines pass by.

Distances are straight, in miles and in steps: a step is the median length of the board's segments. An end *faces* a
place that lies ahead of it, by the direction of its last piece of track.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, median
from mapkit.core.checks import Found
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.kinds.rail.checks.check import CheckedRails, Link, Links, make_listed_check
from mapkit.kinds.rail.checks.nearest_track import find_line_ends
from mapkit.kinds.rail.trace.naming import to_geocentric

_CITY_STEPS: Final = 2.0
_GAP_STEPS: Final = 2.0
_CITY_COSINE: Final = 0.25
"""Cosine: a city that an end faces lies within 75 degrees of its direction."""
_FACING_COSINE: Final = 0.5
"""Cosine: two ends that face each other do within 60 degrees."""
_DETOUR_STEPS: Final = 6
"""So many steps lie between the sides of a gap on the railroad's own track, or none leads across."""
_FEWEST_RAILROADS: Final = 2
_BESIDE_STEPS: Final = 0.5
_FEWEST_TIMES: Final = 3.0


@dataclass(frozen=True)
class RailroadEnd:
    """End of a railroad: the milepost, and the direction of its last piece of track (unit vector)."""

    railroad: str
    at: str
    ahead: Floats


class EndSearch:
    """Inputs of the checks of this module: mileposts in space, ends, and railroads at each milepost."""

    def __init__(self, c: CheckedRails) -> None:
        self.c = c
        self.ids = sorted(c.names)
        self.number = {ident: number for number, ident in enumerate(self.ids)}
        sorted_mileposts = [c.mileposts[ident] for ident in self.ids]
        self.xyz = (
            to_geocentric(
                np.array([milepost.lon for milepost in sorted_mileposts]),
                np.array([milepost.lat for milepost in sorted_mileposts]),
            )
            / METRES_PER_MILE
        )
        self.serves: dict[str, set[str]] = defaultdict(set)
        for railroad, links in c.links_by_railroad.items():
            for link in links:
                self.serves[link.a].add(railroad)
                self.serves[link.b].add(railroad)

    @cached_property
    def step(self) -> float:
        """Median length of a segment, straight, in miles."""
        ends = {(link.a, link.b) for links in self.c.links_by_railroad.values() for link in links if link.a != link.b}
        pairs = np.array([(self.number[a], self.number[b]) for a, b in sorted(ends)], dtype=np.int64).reshape(-1, 2)
        if not len(pairs):
            return 0.0
        return median(np.linalg.norm(self.xyz[pairs[:, 0]] - self.xyz[pairs[:, 1]], axis=1))

    @cached_property
    def ends(self) -> list[RailroadEnd]:
        """Ends of all railroads at mileposts, also those that one piece joins to a junction."""
        railroad_ends: list[RailroadEnd] = []
        for railroad, last_ties in sorted(self.c.of_ties(_find_last_ties).items()):
            for end_node, previous_node in last_ties:
                if end_node not in self.number:
                    continue  # a junction
                end_vector = self._point_at(end_node) - self._point_at(previous_node)
                vector_length = float(np.linalg.norm(end_vector))
                if vector_length > 0:
                    railroad_ends.append(RailroadEnd(railroad, end_node, end_vector / vector_length))
        return railroad_ends

    @cached_property
    def _junction_points(self) -> Mapping[str, Floats]:
        board_junctions = self.c.board.junctions
        junction_xyz = (
            to_geocentric(np.array([j.lon for j in board_junctions]), np.array([j.lat for j in board_junctions]))
            / METRES_PER_MILE
        )
        return {
            junction.id: junction_point for junction, junction_point in zip(board_junctions, junction_xyz, strict=True)
        }

    def _point_at(self, node: str) -> Floats:
        number = self.number.get(node)
        return self._junction_points[node] if number is None else self.xyz[number]

    def seen_from(self, end: RailroadEnd) -> tuple[Floats, Floats]:
        """Return the miles from an end to each milepost, and the cosine between its direction and that of the end."""
        milepost_vectors = self.xyz - self.xyz[self.number[end.at]]
        miles = np.linalg.norm(milepost_vectors, axis=1)
        return miles, milepost_vectors @ end.ahead / np.where(miles > 0, miles, 1.0)


def _find_last_ties(ties: Links) -> list[tuple[str, str]]:
    """Return the end nodes of a railroad, each with the node before it."""
    end_nodes = set(find_line_ends([tie for tie in ties if tie.a != tie.b]))
    return sorted(
        (end, other_node)
        for tie in ties
        if tie.a != tie.b
        for end, other_node in ((tie.a, tie.b), (tie.b, tie.a))
        if end in end_nodes
    )


def _find_line_ends_short_of_city(c: CheckedRails) -> Iterator[Found]:
    """An end of a railroad off any city that faces a city within two steps, straight, that others serve.

    The line probably led there. N05 has the ends one step short along any track.
    """
    end_search = EndSearch(c)
    cities = np.array([number for ident, number in end_search.number.items() if ident in c.cities_at], dtype=np.int64)
    for end in end_search.ends:
        if end.at in c.cities_at or not len(cities):
            continue
        city_miles, city_cosines = (milepost_values[cities] for milepost_values in end_search.seen_from(end))
        for city_place in np.lexsort((cities, city_miles)):
            city_milepost = end_search.ids[int(cities[city_place])]
            serving_railroads = end_search.serves.get(city_milepost, set())
            if city_miles[city_place] > _CITY_STEPS * end_search.step:
                break
            if (
                city_cosines[city_place] < _CITY_COSINE
                or end.railroad in serving_railroads
                or len(serving_railroads) < _FEWEST_RAILROADS
            ):
                continue
            if not any(city_milepost in (link.a, link.b) for link in c.links_at.get(end.at, ())):
                yield Found(
                    f"{c.short[end.railroad]} ends at {c.names[end.at]}, {city_miles[city_place]:,.0f} miles short of "
                    f"{c.names[city_milepost]}, which {len(serving_railroads)} others serve; extend it, or accept this "
                    "if its line really ends there",
                    (end.railroad, end.at, city_milepost),
                    c.place("mileposts", end.at),
                    {"miles": round(float(city_miles[city_place]), 1)},
                )
            break


def _find_gap_in_line(c: CheckedRails) -> Iterator[Found]:
    """Two ends of one railroad that face each other within two steps, or an end off any city that faces its own line.

    Between them there is no track of the railroad, or a long way round. Most often one link is missing. Of links taken
    at random from the United States board, ten at a time, 95.7 % are named by N01 to N05 and N16 to N18, and 92.0 % of
    those that lead from a dot to a city of three railroads or more, with 0.02 and 0.07 other findings a trial
    (`tests/bench/bench_gaps.py`).
    """
    end_search = EndSearch(c)
    ends_by_railroad: dict[str, list[RailroadEnd]] = defaultdict(list)
    for end in end_search.ends:
        ends_by_railroad[end.railroad].append(end)
    for railroad, ends in sorted(ends_by_railroad.items()):
        railroad_links = c.links_by_railroad.get(railroad, ())
        reported_pairs: set[frozenset[str]] = set()
        for end in ends:
            gap_side = _find_across_gap(c, end_search, end, ends, railroad_links)
            if gap_side is None or frozenset((end.at, gap_side[0])) in reported_pairs:
                continue
            other_side, miles = gap_side
            reported_pairs.add(frozenset((end.at, other_side)))
            yield Found(
                f"{c.short[railroad]} ends at {c.names[end.at]} and goes on at {c.names[other_side]}, {miles:,.0f} "
                "miles away; join them, or accept this if the line really has this gap",
                (railroad, end.at, other_side),
                c.place("mileposts", end.at),
                {"miles": round(miles, 1)},
            )


def _find_across_gap(
    c: CheckedRails, end_search: EndSearch, end: RailroadEnd, railroad_ends: list[RailroadEnd], railroad_links: Links
) -> tuple[str, float] | None:
    """Return the nearest milepost of the railroad across a gap that an end faces, and the miles; else None."""
    end_at = {facing_end.at: facing_end for facing_end in railroad_ends}
    steps_to = count_steps(end.at, railroad_links)
    miles, end_cosines = end_search.seen_from(end)
    facing_numbers = np.flatnonzero((miles <= _GAP_STEPS * end_search.step) & (end_cosines >= _FACING_COSINE))
    for number in facing_numbers[np.lexsort((facing_numbers, miles[facing_numbers]))]:
        ident = end_search.ids[int(number)]
        if end.railroad not in end_search.serves.get(ident, ()) or steps_to.get(ident, _DETOUR_STEPS) < _DETOUR_STEPS:
            continue
        facing_end = end_at.get(ident)
        if facing_end is not None:
            gap_vector = end_search.xyz[end_search.number[end.at]] - end_search.xyz[number]
            ends_meet = float(gap_vector @ facing_end.ahead) >= _FACING_COSINE * float(miles[number])
        else:
            ends_meet = False
        if ends_meet or end.at not in c.cities_at:
            return ident, float(miles[number])
    return None


def count_steps(start: str, links: Links) -> dict[str, int]:
    """Count the steps to each milepost on the railroad's own track by breadth-first search, up to a detour's."""
    neighbours: dict[str, list[str]] = defaultdict(list)
    for link in links:
        neighbours[link.a].append(link.b)
        neighbours[link.b].append(link.a)
    step_counts, milepost_queue = {start: 0}, deque([start])
    while milepost_queue:
        current_milepost = milepost_queue.popleft()
        if step_counts[current_milepost] == _DETOUR_STEPS:
            break
        for next_milepost in neighbours[current_milepost]:
            if next_milepost not in step_counts:
                step_counts[next_milepost] = step_counts[current_milepost] + 1
                milepost_queue.append(next_milepost)
    return step_counts


def _find_city_passed_by(c: CheckedRails) -> Iterator[Found]:
    """A city that at least two railroads pass within half a step, and three times as many as serve it.

    Their lines probably run through it, and were drawn beside it.
    """
    end_search = EndSearch(c)
    if not c.cities_at:
        return
    passing_railroads = _find_passing_railroads(c, end_search, _BESIDE_STEPS * end_search.step)
    for milepost in sorted(c.cities_at):
        serving_railroads = end_search.serves.get(milepost, set())
        unserving_railroads = passing_railroads.get(milepost, set()) - serving_railroads
        if (
            serving_railroads
            and len(unserving_railroads) >= _FEWEST_RAILROADS
            and len(unserving_railroads) >= _FEWEST_TIMES * len(serving_railroads)
        ):
            yield Found(
                f"{len(unserving_railroads)} railroads pass {c.names[milepost]} within "
                f"{_BESIDE_STEPS * end_search.step:,.0f} miles and do not serve it "
                f"({', '.join(sorted(c.short[r] for r in unserving_railroads))}), {len(serving_railroads)} "
                f"{'does' if len(serving_railroads) == 1 else 'do'}; lead them through it, or accept this if they "
                "really pass it by",
                (milepost,),
                c.place("mileposts", milepost),
            )


def _find_passing_railroads(c: CheckedRails, end_search: EndSearch, reach: float) -> dict[str, set[str]]:
    """Return the railroads with a straight step within a reach of each city's milepost."""
    all_links: list[Link] = list(chain.from_iterable(c.links_by_railroad.values()))
    if not all_links:
        return {}
    a, b = (end_search.xyz[[end_search.number[getattr(link, end)] for link in all_links]] for end in ("a", "b"))
    link_vectors = b - a
    squared_lengths = np.maximum(np.einsum("ij,ij->i", link_vectors, link_vectors), 1e-12)
    railroads_by_city: dict[str, set[str]] = {}
    for milepost in c.cities_at:
        city_vectors = end_search.xyz[end_search.number[milepost]] - a
        clipped_shares = np.clip(np.einsum("ij,ij->i", city_vectors, link_vectors) / squared_lengths, 0.0, 1.0)
        city_distances = np.linalg.norm(city_vectors - clipped_shares[:, None] * link_vectors, axis=1)
        railroads_by_city[milepost] = {
            all_links[int(number)].railroad for number in np.flatnonzero(city_distances <= reach)
        }
    return railroads_by_city


CHECKS = (
    make_listed_check("N16", _find_line_ends_short_of_city),
    make_listed_check("N17", _find_gap_in_line),
    make_listed_check("N18", _find_city_passed_by),
)
