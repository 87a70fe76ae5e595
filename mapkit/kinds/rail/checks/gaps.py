"""Checks on track that seems to be missing: ends that face a city or their own line, cities that lines pass by.

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
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.checks import Found
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.kinds.rail.checks.check import Checked, Link, Links, listed
from mapkit.kinds.rail.checks.nearness import line_ends
from mapkit.kinds.rail.trace.naming import in_space

Floats = NDArray[np.float64]

_NEAR_STEPS: Final = 2.0
_GAP_STEPS: Final = 2.0
_AHEAD: Final = 0.25
"""Cosine: a city that an end faces lies within 75 degrees of its direction."""
_FACING: Final = 0.5
"""Cosine: two ends that face each other do within 60 degrees."""
_DETOUR_STEPS: Final = 6
"""So many steps lie between the sides of a gap on the railroad's own track, or none leads across."""
_WELL_SERVED: Final = 2
_BESIDE_STEPS: Final = 0.5
_FEW: Final = 3.0


@dataclass(frozen=True)
class _End:
    """Where a railroad ends: the milepost, and the direction of its last piece of track (unit vector)."""

    railroad: str
    at: str
    ahead: Floats


class _Ground:
    """What the checks of this module look at: mileposts in space, ends, and who serves what."""

    def __init__(self, c: Checked) -> None:
        self.c = c
        self.ids = sorted(c.names)
        self.number = {ident: number for number, ident in enumerate(self.ids)}
        posts = [c.mileposts[ident] for ident in self.ids]
        self.xyz = in_space(np.array([m.lon for m in posts]), np.array([m.lat for m in posts])) / METRES_PER_MILE
        self.serves: dict[str, set[str]] = defaultdict(set)
        for railroad, links in c.links_by_railroad.items():
            for link in links:
                self.serves[link.a].add(railroad)
                self.serves[link.b].add(railroad)

    @cached_property
    def step(self) -> float:
        """The median length of a segment, straight, in miles."""
        ends = {(link.a, link.b) for links in self.c.links_by_railroad.values() for link in links if link.a != link.b}
        pairs = np.array([(self.number[a], self.number[b]) for a, b in sorted(ends)], dtype=np.int64).reshape(-1, 2)
        if not len(pairs):
            return 0.0
        return median(np.linalg.norm(self.xyz[pairs[:, 0]] - self.xyz[pairs[:, 1]], axis=1))

    @cached_property
    def ends(self) -> list[_End]:
        """The ends of all railroads at mileposts, also those that one piece joins to a junction."""
        out: list[_End] = []
        for railroad, found in sorted(self.c.of_ties(_last_ties).items()):
            for at, before in found:
                if at not in self.number:
                    continue  # a junction
                way = self._place(at) - self._place(before)
                length = float(np.linalg.norm(way))
                if length > 0:
                    out.append(_End(railroad, at, way / length))
        return out

    @cached_property
    def _junctions(self) -> Mapping[str, Floats]:
        found = self.c.board.junctions
        xyz = in_space(np.array([j.lon for j in found]), np.array([j.lat for j in found])) / METRES_PER_MILE
        return {junction.id: at for junction, at in zip(found, xyz, strict=True)}

    def _place(self, node: str) -> Floats:
        number = self.number.get(node)
        return self._junctions[node] if number is None else self.xyz[number]

    def seen_from(self, end: _End) -> tuple[Floats, Floats]:
        """Return how far each milepost is from an end, in miles, and the cosine of its direction against the end's."""
        way = self.xyz - self.xyz[self.number[end.at]]
        miles = np.linalg.norm(way, axis=1)
        return miles, way @ end.ahead / np.where(miles > 0, miles, 1.0)


def _last_ties(ties: Links) -> list[tuple[str, str]]:
    """Return where a railroad ends, each with the node before."""
    ends = set(line_ends([tie for tie in ties if tie.a != tie.b]))
    return sorted(
        (end, other) for tie in ties if tie.a != tie.b for end, other in ((tie.a, tie.b), (tie.b, tie.a)) if end in ends
    )


def _short_of_city(c: Checked) -> Iterator[Found]:
    """An end of a railroad off any city that faces a city within two steps, straight, that others serve.

    The line probably led there. N05 has the ends one step short along any track.
    """
    ground = _Ground(c)
    cities = np.array([number for ident, number in ground.number.items() if ident in c.cities_at], dtype=np.int64)
    for end in ground.ends:
        if end.at in c.cities_at or not len(cities):
            continue
        miles, ahead = (values[cities] for values in ground.seen_from(end))
        for at in np.lexsort((cities, miles)):
            city = ground.ids[int(cities[at])]
            others = ground.serves.get(city, set())
            if miles[at] > _NEAR_STEPS * ground.step:
                break
            if ahead[at] < _AHEAD or end.railroad in others or len(others) < _WELL_SERVED:
                continue
            if not _next_to(c, end.at, city):
                yield Found(
                    f"{c.short[end.railroad]} ends at {c.names[end.at]}, {miles[at]:,.0f} miles short of "
                    f"{c.names[city]}, which {len(others)} others serve; extend it, or accept this "
                    "if the printed map has it so",
                    (end.railroad, end.at, city),
                    c.place("mileposts", end.at),
                    {"miles": round(float(miles[at]), 1)},
                )
            break


def _next_to(c: Checked, one: str, other: str) -> bool:
    return any(other in (link.a, link.b) for link in c.links_at.get(one, ()))


def _gap_in_line(c: Checked) -> Iterator[Found]:
    """Two ends of one railroad that face each other within two steps, or an end off any city that faces its own line.

    Between them there is no track of the railroad, or a long way round. Most often one link is missing. Of links taken
    at random from the United States board, ten at a time, 95.7 % are named by N01 to N05 and N16 to N18, and 92.0 % of
    those that lead from a dot to a city of three railroads or more, with 0.02 and 0.07 other findings a trial
    (`tests/bench/bench_gaps.py`).
    """
    ground = _Ground(c)
    by_railroad: dict[str, list[_End]] = defaultdict(list)
    for end in ground.ends:
        by_railroad[end.railroad].append(end)
    for railroad, ends in sorted(by_railroad.items()):
        own = c.links_by_railroad.get(railroad, ())
        seen: set[frozenset[str]] = set()
        for end in ends:
            found = _across(c, ground, end, ends, own)
            if found is None or frozenset((end.at, found[0])) in seen:
                continue
            other, miles = found
            seen.add(frozenset((end.at, other)))
            yield Found(
                f"{c.short[railroad]} ends at {c.names[end.at]} and goes on at {c.names[other]}, {miles:,.0f} miles "
                "away; join them, or accept this if the printed map has it so",
                (railroad, end.at, other),
                c.place("mileposts", end.at),
                {"miles": round(miles, 1)},
            )


def _across(c: Checked, ground: _Ground, end: _End, ends: list[_End], own: Links) -> tuple[str, float] | None:
    """Return the nearest place of the railroad beyond a gap that an end faces, and the miles; None if there is none."""
    facing = {other.at: other for other in ends}
    steps = _steps_from(end.at, own)
    miles, ahead = ground.seen_from(end)
    near = np.flatnonzero((miles <= _GAP_STEPS * ground.step) & (ahead >= _FACING))
    for number in near[np.lexsort((near, miles[near]))]:
        ident = ground.ids[int(number)]
        if end.railroad not in ground.serves.get(ident, ()) or steps.get(ident, _DETOUR_STEPS) < _DETOUR_STEPS:
            continue
        other = facing.get(ident)
        if other is not None:
            way = ground.xyz[ground.number[end.at]] - ground.xyz[number]
            meets = float(way @ other.ahead) >= _FACING * float(miles[number])
        else:
            meets = False
        if meets or end.at not in c.cities_at:
            return ident, float(miles[number])
    return None


def _steps_from(start: str, links: Links) -> dict[str, int]:
    """Return how many steps each milepost is away on the railroad's own track, up to the number of a detour."""
    beside: dict[str, list[str]] = defaultdict(list)
    for link in links:
        beside[link.a].append(link.b)
        beside[link.b].append(link.a)
    steps, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if steps[here] == _DETOUR_STEPS:
            break
        for other in beside[here]:
            if other not in steps:
                steps[other] = steps[here] + 1
                queue.append(other)
    return steps


def _passed_by(c: Checked) -> Iterator[Found]:
    """A city that at least two railroads pass within half a step, and three times as many as serve it.

    Their lines probably run through it, and were drawn beside it.
    """
    ground = _Ground(c)
    if not c.cities_at:
        return
    near = _passing(c, ground, _BESIDE_STEPS * ground.step)
    for milepost in sorted(c.cities_at):
        own = ground.serves.get(milepost, set())
        past = near.get(milepost, set()) - own
        if own and len(past) >= _WELL_SERVED and len(past) >= _FEW * len(own):
            yield Found(
                f"{len(past)} railroads pass {c.names[milepost]} within {_BESIDE_STEPS * ground.step:,.0f} miles and "
                f"do not serve it ({', '.join(sorted(c.short[r] for r in past))}), {len(own)} "
                f"{'does' if len(own) == 1 else 'do'}; lead them through it, or accept this if the "
                "printed map has it so",
                (milepost,),
                c.place("mileposts", milepost),
            )


def _passing(c: Checked, ground: _Ground, reach: float) -> dict[str, set[str]]:
    """Return the railroads whose steps, taken as straight, come within a reach of each city's milepost."""
    links: list[Link] = list(chain.from_iterable(c.links_by_railroad.values()))
    if not links:
        return {}
    a, b = (ground.xyz[[ground.number[getattr(link, end)] for link in links]] for end in ("a", "b"))
    way = b - a
    square = np.maximum(np.einsum("ij,ij->i", way, way), 1e-12)
    out: dict[str, set[str]] = {}
    for milepost in c.cities_at:
        gone = ground.xyz[ground.number[milepost]] - a
        share = np.clip(np.einsum("ij,ij->i", gone, way) / square, 0.0, 1.0)
        off = np.linalg.norm(gone - share[:, None] * way, axis=1)
        out[milepost] = {links[int(number)].railroad for number in np.flatnonzero(off <= reach)}
    return out


CHECKS = (
    listed("N16", _short_of_city),
    listed("N17", _gap_in_line),
    listed("N18", _passed_by),
)
