"""Which element of one board is which of another: by id first, then by what it does under another name."""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import cos, hypot, radians
from typing import Final

from mapkit.core.base import Point
from mapkit.kinds.rail.model.board import Board, Junction, Milepost, Segment

SAME_PLACE_MILES: Final = 0.25
"""Two mileposts so near each other are one, whatever their names."""
NEARBY_MILES: Final = 40.0
"""A milepost between the same neighbours may be this far off and still be the old one, renamed and moved."""
BETWEEN_MILES: Final = 120.0
"""One whose neighbours are all the same, or one of its two, may be this far off: maps differ most along long lines."""
ALONE_MILES: Final = 15.0
"""A milepost without another near it may be this far off, whatever its neighbours are."""
_ALONE: Final = 1.5
_MILES_PER_DEGREE: Final = 69.1
_HALF: Final = 0.5
_ON_A_LINE: Final = 2


@dataclass(frozen=True)
class Matching:
    """A's id -> B's id of every element that both boards have."""

    regions: Mapping[str, str]
    mileposts: Mapping[str, str]
    cities: Mapping[str, str]
    railroads: Mapping[str, str]
    junctions: Mapping[str, str]
    segments: Mapping[str, str]

    def translated(self, segment: Segment) -> Segment:
        """Return a segment of A with its ends and railroad by B's ids."""
        ends = {"a": self.mileposts.get(segment.a, segment.a), "b": self.mileposts.get(segment.b, segment.b)}
        railroad = self.railroads.get(segment.railroad, segment.railroad)
        return segment.model_copy(update={**ends, "railroad": railroad})


def match_boards(a: Board, b: Board) -> Matching:
    """Match the elements of two boards.

    Equal ids match. What is left over matches by what it does: a milepost at the same place, nearby between the same
    neighbours, or alone nearby; a railroad of the same name, or with at least half of its segments in common; a city of
    the same name, or the only one at its milepost; a region of the same name, or with at least half of its cities; a
    segment between the same mileposts, of the same railroad or else of another (it was reassigned).
    """
    mileposts = _mileposts(a, b)
    railroads = _railroads(a, b, mileposts)
    cities = _cities(a, b, mileposts)
    return Matching(
        regions=_regions(a, b, cities),
        mileposts=mileposts,
        cities=cities,
        railroads=railroads,
        junctions=_junctions(a, b, railroads),
        segments=_segments(a, b, mileposts, railroads),
    )


def near_miles(one: Point, other: Point) -> float:
    """Return the distance of two points of `(lon, lat)` in miles, good to a percent where they are near."""
    dlon = (one[0] - other[0] + 180) % 360 - 180
    return _MILES_PER_DEGREE * hypot(dlon * cos(radians((one[1] + other[1]) / 2)), one[1] - other[1])


def _by_id(a: Sequence[str], b: Sequence[str]) -> tuple[dict[str, str], list[str], list[str]]:
    """Return the ids that both have, and those that only one has."""
    here, there = set(a), set(b)
    return {i: i for i in a if i in there}, [i for i in a if i not in there], [i for i in b if i not in here]


def _neighbours(board: Board) -> dict[str, set[str]]:
    out: dict[str, set[str]] = defaultdict(set)
    for segment in board.segments:
        out[segment.a].add(segment.b)
        out[segment.b].add(segment.a)
    return out


def _mileposts(a: Board, b: Board) -> dict[str, str]:
    spots_a, spots_b = {m.id: m for m in a.mileposts}, {m.id: m for m in b.mileposts}
    found, left_a, left_b = _by_id(list(spots_a), list(spots_b))
    near_a, near_b = _neighbours(a), _neighbours(b)
    pairs = _near_pairs([spots_a[one] for one in left_a], [spots_b[other] for other in left_b])

    def rank(one: str, other: str) -> _Rank | None:
        return _milepost_rank(spots_a[one], spots_b[other], near_a[one], near_b[other], found, pairs[one, other])

    ranks = {pair: known for pair in pairs if (known := rank(*pair)) is not None}
    while True:
        # One at a time: each match makes its neighbours easier to match.
        while ranks:
            _, _, one, other = min(ranks.values())
            found[one] = other
            pairs = {pair: miles for pair, miles in pairs.items() if pair[0] != one and pair[1] != other}
            ranks = {pair: known for pair, known in ranks.items() if pair in pairs}
            for pair in ((x, y) for x in near_a[one] for y in near_b[other] if (x, y) in pairs):
                known = rank(*pair)
                if known is not None:
                    ranks[pair] = known
        beside = {(one, other) for one, other in pairs if any(found.get(near) in near_b[other] for near in near_a[one])}
        alone = _nearest(pairs, spots_a, spots_b, beside)
        if alone is None:
            return found
        ranks = {alone: (0.0, pairs[alone], *alone)}


def _near_pairs(a: Sequence[Milepost], b: Sequence[Milepost]) -> dict[tuple[str, str], float]:
    """Return the pairs of mileposts that are near enough to be one, by ids, and the miles between them."""
    cells: dict[int, list[Milepost]] = defaultdict(list)
    for other in b:
        cells[int(other.lat // 1)].append(other)
    out: dict[tuple[str, str], float] = {}
    for one in a:
        row = int(one.lat // 1)
        for other in chain.from_iterable(cells[row + step] for step in (-2, -1, 0, 1, 2)):
            miles = near_miles((one.lon, one.lat), (other.lon, other.lat))
            if miles <= BETWEEN_MILES:
                out[one.id, other.id] = round(miles, 6)
    return out


def _nearest(
    pairs: Mapping[tuple[str, str], float],
    a: Mapping[str, Milepost],
    b: Mapping[str, Milepost],
    beside: Collection[tuple[str, str]],
) -> tuple[str, str] | None:
    """Return the nearest pair left that is alone: neither has another half as near again, and both are of one kind.

    Those of `beside`, which have a neighbour in common, may be as far apart as neighbours of both sides allow.
    """
    best: dict[str, list[float]] = defaultdict(list)
    for (one, other), miles in pairs.items():
        best[f"a {one}"].append(miles)
        best[f"b {other}"].append(miles)
    second = {key: sorted(found)[1] if len(found) > 1 else NEARBY_MILES * 2 for key, found in best.items()}
    alone = [
        (miles, one, other)
        for (one, other), miles in pairs.items()
        if miles <= (NEARBY_MILES if (one, other) in beside else ALONE_MILES)
        and a[one].kind == b[other].kind
        and min(second[f"a {one}"], second[f"b {other}"]) > miles * _ALONE
    ]
    return min(alone)[1:] if alone else None


_Rank = tuple[float, float, str, str]


def _milepost_rank(
    one: Milepost, other: Milepost, near_a: set[str], near_b: set[str], found: Mapping[str, str], miles: float
) -> _Rank | None:
    """Return how well two mileposts fit (least is best), or None if they are not the same."""
    shared = len({found[n] for n in near_a if n in found} & near_b) / max(len(near_a), len(near_b), 1)
    between = len(near_a) > 1 and (shared == 1.0 or (shared >= _HALF and len(near_a) == len(near_b) == _ON_A_LINE))
    if miles > NEARBY_MILES and not between:
        return None
    if miles <= SAME_PLACE_MILES:
        return -1.0 - shared, miles, one.id, other.id
    if shared >= _HALF and one.kind == other.kind:
        return -shared, miles, one.id, other.id
    return None


def _leftovers(found: dict[str, str], a: Iterable[tuple[str, Hashable]], b: Iterable[tuple[str, Hashable]]) -> None:
    """Match what is left over, `(id, key)`, where a key occurs once on either side; None matches nothing."""
    taken = set(found.values())
    ones: dict[Hashable, list[str]] = defaultdict(list)
    others: dict[Hashable, list[str]] = defaultdict(list)
    for ident, key in a:
        if ident not in found:
            ones[key].append(ident)
    for ident, key in b:
        if ident not in taken:
            others[key].append(ident)
    for key, members in ones.items():
        if key is not None and len(members) == len(others.get(key, ())) == 1:
            found[members[0]] = others[key][0]


def _by_share(found: dict[str, str], a: Mapping[str, set[Hashable]], b: Mapping[str, set[Hashable]]) -> None:
    """Match what is left over by what it holds: at least half of all that either holds."""
    taken = set(found.values())
    ranked = sorted(
        (-share, one, other)
        for one, held in a.items()
        for other, holds in b.items()
        if one not in found and other not in taken and (share := len(held & holds) / max(len(held | holds), 1)) >= _HALF
    )
    for _, one, other in ranked:
        if one not in found and other not in taken:
            found[one] = other
            taken.add(other)


def _ends(segment: Segment, mileposts: Mapping[str, str] | None) -> frozenset[str] | None:
    """Return the ends of a segment in B's ids, None if B has not both."""
    if mileposts is None:
        return frozenset((segment.a, segment.b))
    one, other = mileposts.get(segment.a), mileposts.get(segment.b)
    return None if one is None or other is None else frozenset((one, other))


def _railroads(a: Board, b: Board, mileposts: Mapping[str, str]) -> dict[str, str]:
    found, _, _ = _by_id([r.id for r in a.railroads], [r.id for r in b.railroads])
    _leftovers(found, *(((r.id, r.name.casefold()) for r in board.railroads) for board in (a, b)))
    held: tuple[dict[str, set[Hashable]], dict[str, set[Hashable]]] = ({}, {})
    for board, own, places in ((a, held[0], mileposts), (b, held[1], None)):
        for segment in board.segments:
            ends = _ends(segment, places)
            own.setdefault(segment.railroad, set()).add(ends if ends is not None else ("A", segment.id))
    _by_share(found, *held)
    return found


def _cities(a: Board, b: Board, mileposts: Mapping[str, str]) -> dict[str, str]:
    found, _, _ = _by_id([c.id for c in a.cities], [c.id for c in b.cities])
    _leftovers(found, *(((c.id, c.name.casefold()) for c in board.cities) for board in (a, b)))
    _leftovers(
        found,
        ((c.id, mileposts.get(c.milepost)) for c in a.cities),
        ((c.id, c.milepost) for c in b.cities),
    )
    return found


def _regions(a: Board, b: Board, cities: Mapping[str, str]) -> dict[str, str]:
    found, _, _ = _by_id([r.id for r in a.regions], [r.id for r in b.regions])
    _leftovers(found, *(((r.id, r.name.casefold()) for r in board.regions) for board in (a, b)))
    held: dict[str, set[Hashable]] = {}
    holds: dict[str, set[Hashable]] = {}
    for city in a.cities:
        held.setdefault(city.region, set()).add(cities.get(city.id, ("A", city.id)))
    for city in b.cities:
        holds.setdefault(city.region, set()).add(city.id)
    _by_share(found, held, holds)
    return found


def _junctions(a: Board, b: Board, railroads: Mapping[str, str]) -> dict[str, str]:
    found, _, _ = _by_id([j.id for j in a.junctions], [j.id for j in b.junctions])
    _leftovers(
        found,
        ((j.id, railroads.get(j.railroad) and (railroads[j.railroad], *_spot(j))) for j in a.junctions),
        ((j.id, (j.railroad, *_spot(j))) for j in b.junctions),
    )
    return found


def _spot(junction: Junction) -> tuple[float, float]:
    return round(junction.lon, 3), round(junction.lat, 3)


def _segments(a: Board, b: Board, mileposts: Mapping[str, str], railroads: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    there: dict[tuple[str, frozenset[str] | None], list[str]] = defaultdict(list)
    for segment in b.segments:
        there[segment.railroad, _ends(segment, None)].append(segment.id)
    rest: list[Segment] = []
    for second in (False, True):  # equal ids first, then their parallels in order
        for segment in a.segments if not second else tuple(rest):
            ends, railroad = _ends(segment, mileposts), railroads.get(segment.railroad)
            own = there.get((railroad, ends), []) if railroad is not None and ends is not None else []
            if own and (second or segment.id in own):
                found[segment.id] = segment.id if segment.id in own else own[0]
                own.remove(found[segment.id])
            elif not second:
                rest.append(segment)
    _reassigned(a, b, mileposts, found)
    return found


def _reassigned(a: Board, b: Board, mileposts: Mapping[str, str], found: dict[str, str]) -> None:
    """Match segments that now belong to another railroad; the railroad that took most of them comes first."""
    taken = set(found.values())
    there: dict[frozenset[str] | None, list[Segment]] = defaultdict(list)
    for segment in b.segments:
        if segment.id not in taken:
            there[_ends(segment, None)].append(segment)
    mine = [s for s in a.segments if s.id not in found and _ends(s, mileposts) is not None]
    pairs = [(segment, other) for segment in mine for other in there[_ends(segment, mileposts)]]
    votes = Counter((segment.railroad, other.railroad) for segment, other in pairs)

    def rank(pair: tuple[Segment, Segment]) -> tuple[int, float, list[str]]:
        segment, other = pair  # the same whichever of the two boards comes first
        return (
            -votes[segment.railroad, other.railroad],
            abs(other.miles - segment.miles),
            sorted((segment.id, other.id)),
        )

    for segment, other in sorted(pairs, key=rank):
        if segment.id not in found and other.id not in taken:
            found[segment.id] = other.id
            taken.add(other.id)
