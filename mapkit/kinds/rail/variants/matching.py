"""Matching of elements of two boards: by id first, then by function."""

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
_ISOLATION_RATIO: Final = 1.5
_MILES_PER_DEGREE: Final = 69.1
_HALF: Final = 0.5
_NEIGHBOURS_ON_A_LINE: Final = 2


@dataclass(frozen=True)
class Matching:
    """A's id -> B's id of all elements of both boards."""

    regions: Mapping[str, str]
    mileposts: Mapping[str, str]
    cities: Mapping[str, str]
    railroads: Mapping[str, str]
    junctions: Mapping[str, str]
    segments: Mapping[str, str]

    def translated(self, segment: Segment) -> Segment:
        """Return a segment of A with B's ids of its ends and railroad."""
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
    mileposts = _match_mileposts(a, b)
    railroads, _, _ = _match_by_id([r.id for r in a.railroads], [r.id for r in b.railroads])
    _match_unique_keys(railroads, *(((r.id, r.name.casefold()) for r in board.railroads) for board in (a, b)))
    members: tuple[dict[str, set[Hashable]], dict[str, set[Hashable]]] = ({}, {})
    for board, board_members, places in ((a, members[0], mileposts), (b, members[1], None)):
        for segment in board.segments:
            ends = _translate_ends(segment, places)
            board_members.setdefault(segment.railroad, set()).add(ends if ends is not None else ("A", segment.id))
    _match_by_share(railroads, *members)
    cities, _, _ = _match_by_id([c.id for c in a.cities], [c.id for c in b.cities])
    _match_unique_keys(cities, *(((c.id, c.name.casefold()) for c in board.cities) for board in (a, b)))
    _match_unique_keys(
        cities,
        ((c.id, mileposts.get(c.milepost)) for c in a.cities),
        ((c.id, c.milepost) for c in b.cities),
    )
    return Matching(
        regions=_match_regions(a, b, cities),
        mileposts=mileposts,
        cities=cities,
        railroads=railroads,
        junctions=_match_junctions(a, b, railroads),
        segments=_match_segments(a, b, mileposts, railroads),
    )


def near_miles(one: Point, other: Point) -> float:
    """Return the approximate distance of two points of `(lon, lat)` in miles, good to a percent for near points."""
    lon_difference = (one[0] - other[0] + 180) % 360 - 180
    return _MILES_PER_DEGREE * hypot(lon_difference * cos(radians((one[1] + other[1]) / 2)), one[1] - other[1])


def _match_by_id(a: Sequence[str], b: Sequence[str]) -> tuple[dict[str, str], list[str], list[str]]:
    """Return the ids in both sequences, and the ids in only one of them."""
    ids_a, ids_b = set(a), set(b)
    return {i: i for i in a if i in ids_b}, [i for i in a if i not in ids_b], [i for i in b if i not in ids_a]


def _neighbours(board: Board) -> dict[str, set[str]]:
    neighbours_by_id: dict[str, set[str]] = defaultdict(set)
    for segment in board.segments:
        neighbours_by_id[segment.a].add(segment.b)
        neighbours_by_id[segment.b].add(segment.a)
    return neighbours_by_id


def _match_mileposts(a: Board, b: Board) -> dict[str, str]:
    milepost_by_id_a, milepost_by_id_b = {m.id: m for m in a.mileposts}, {m.id: m for m in b.mileposts}
    matched_ids, left_a, left_b = _match_by_id(list(milepost_by_id_a), list(milepost_by_id_b))
    near_a, near_b = _neighbours(a), _neighbours(b)
    near_pairs = _near_pairs([milepost_by_id_a[id_a] for id_a in left_a], [milepost_by_id_b[id_b] for id_b in left_b])

    def rank(one: str, other: str) -> _Rank | None:
        return _milepost_rank(
            milepost_by_id_a[one],
            milepost_by_id_b[other],
            near_a[one],
            near_b[other],
            matched_ids,
            near_pairs[one, other],
        )

    rank_by_pair = {pair: pair_rank for pair in near_pairs if (pair_rank := rank(*pair)) is not None}
    while True:
        # One at a time: each match makes its neighbours easier to match.
        while rank_by_pair:
            _, _, id_a, id_b = min(rank_by_pair.values())
            matched_ids[id_a] = id_b
            near_pairs = {pair: miles for pair, miles in near_pairs.items() if pair[0] != id_a and pair[1] != id_b}
            rank_by_pair = {pair: pair_rank for pair, pair_rank in rank_by_pair.items() if pair in near_pairs}
            for pair in ((x, y) for x in near_a[id_a] for y in near_b[id_b] if (x, y) in near_pairs):
                pair_rank = rank(*pair)
                if pair_rank is not None:
                    rank_by_pair[pair] = pair_rank
        pairs_with_common_neighbour = {
            (id_a, id_b)
            for id_a, id_b in near_pairs
            if any(matched_ids.get(neighbour) in near_b[id_b] for neighbour in near_a[id_a])
        }
        isolated_pair = _find_isolated_pair(near_pairs, milepost_by_id_a, milepost_by_id_b, pairs_with_common_neighbour)
        if isolated_pair is None:
            return matched_ids
        rank_by_pair = {isolated_pair: (0.0, near_pairs[isolated_pair], *isolated_pair)}


def _near_pairs(a: Sequence[Milepost], b: Sequence[Milepost]) -> dict[tuple[str, str], float]:
    """Return the pairs of mileposts near enough to match, by ids, and the miles between them."""
    mileposts_by_lat: dict[int, list[Milepost]] = defaultdict(list)
    for milepost_b in b:
        mileposts_by_lat[int(milepost_b.lat // 1)].append(milepost_b)
    miles_by_pair: dict[tuple[str, str], float] = {}
    for milepost_a in a:
        lat_row = int(milepost_a.lat // 1)
        for milepost_b in chain.from_iterable(mileposts_by_lat[lat_row + step] for step in (-2, -1, 0, 1, 2)):
            miles = near_miles((milepost_a.lon, milepost_a.lat), (milepost_b.lon, milepost_b.lat))
            if miles <= BETWEEN_MILES:
                miles_by_pair[milepost_a.id, milepost_b.id] = round(miles, 6)
    return miles_by_pair


def _find_isolated_pair(
    pairs: Mapping[tuple[str, str], float],
    a: Mapping[str, Milepost],
    b: Mapping[str, Milepost],
    beside: Collection[tuple[str, str]],
) -> tuple[str, str] | None:
    """Return the nearest isolated pair: no second candidate is nearly as near, and both are of one kind.

    Those of `beside`, which have a neighbour in common, may be as far apart as neighbours of both sides allow.
    """
    miles_by_end: dict[str, list[float]] = defaultdict(list)
    for (one, other), miles in pairs.items():
        miles_by_end[f"a {one}"].append(miles)
        miles_by_end[f"b {other}"].append(miles)
    second_miles = {
        key: sorted(end_miles)[1] if len(end_miles) > 1 else NEARBY_MILES * 2 for key, end_miles in miles_by_end.items()
    }
    isolated_pairs = [
        (miles, one, other)
        for (one, other), miles in pairs.items()
        if miles <= (NEARBY_MILES if (one, other) in beside else ALONE_MILES)
        and a[one].kind == b[other].kind
        and min(second_miles[f"a {one}"], second_miles[f"b {other}"]) > miles * _ISOLATION_RATIO
    ]
    return min(isolated_pairs)[1:] if isolated_pairs else None


_Rank = tuple[float, float, str, str]


def _milepost_rank(
    one: Milepost, other: Milepost, near_a: set[str], near_b: set[str], found: Mapping[str, str], miles: float
) -> _Rank | None:
    """Return the rank of a match of two mileposts (least is best), or None if they do not match."""
    shared_ratio = len({found[n] for n in near_a if n in found} & near_b) / max(len(near_a), len(near_b), 1)
    is_between_same = len(near_a) > 1 and (
        shared_ratio == 1.0 or (shared_ratio >= _HALF and len(near_a) == len(near_b) == _NEIGHBOURS_ON_A_LINE)
    )
    if miles > NEARBY_MILES and not is_between_same:
        return None
    if miles <= SAME_PLACE_MILES:
        return -1.0 - shared_ratio, miles, one.id, other.id
    if shared_ratio >= _HALF and one.kind == other.kind:
        return -shared_ratio, miles, one.id, other.id
    return None


def _match_unique_keys(
    found: dict[str, str], a: Iterable[tuple[str, Hashable]], b: Iterable[tuple[str, Hashable]]
) -> None:
    """Match remaining elements, `(id, key)`, with a key that occurs once on each side; None matches nothing."""
    matched_b_ids = set(found.values())
    a_ids_by_key: dict[Hashable, list[str]] = defaultdict(list)
    b_ids_by_key: dict[Hashable, list[str]] = defaultdict(list)
    for element_id, key in a:
        if element_id not in found:
            a_ids_by_key[key].append(element_id)
    for element_id, key in b:
        if element_id not in matched_b_ids:
            b_ids_by_key[key].append(element_id)
    for key, members in a_ids_by_key.items():
        if key is not None and len(members) == len(b_ids_by_key.get(key, ())) == 1:
            found[members[0]] = b_ids_by_key[key][0]


def _match_by_share(found: dict[str, str], a: Mapping[str, set[Hashable]], b: Mapping[str, set[Hashable]]) -> None:
    """Match remaining elements that share at least half of all their members."""
    matched_b_ids = set(found.values())
    ranked_pairs = sorted(
        (-share, id_a, id_b)
        for id_a, members_a in a.items()
        for id_b, members_b in b.items()
        if id_a not in found
        and id_b not in matched_b_ids
        and (share := len(members_a & members_b) / max(len(members_a | members_b), 1)) >= _HALF
    )
    for _, id_a, id_b in ranked_pairs:
        if id_a not in found and id_b not in matched_b_ids:
            found[id_a] = id_b
            matched_b_ids.add(id_b)


def _translate_ends(segment: Segment, mileposts: Mapping[str, str] | None) -> frozenset[str] | None:
    """Return the ends of a segment in B's ids, None if B does not have both."""
    if mileposts is None:
        return frozenset((segment.a, segment.b))
    first_end, second_end = mileposts.get(segment.a), mileposts.get(segment.b)
    return None if first_end is None or second_end is None else frozenset((first_end, second_end))


def _match_regions(a: Board, b: Board, cities: Mapping[str, str]) -> dict[str, str]:
    matched_ids, _, _ = _match_by_id([r.id for r in a.regions], [r.id for r in b.regions])
    _match_unique_keys(matched_ids, *(((r.id, r.name.casefold()) for r in board.regions) for board in (a, b)))
    cities_a: dict[str, set[Hashable]] = {}
    cities_b: dict[str, set[Hashable]] = {}
    for city in a.cities:
        cities_a.setdefault(city.region, set()).add(cities.get(city.id, ("A", city.id)))
    for city in b.cities:
        cities_b.setdefault(city.region, set()).add(city.id)
    _match_by_share(matched_ids, cities_a, cities_b)
    return matched_ids


def _match_junctions(a: Board, b: Board, railroads: Mapping[str, str]) -> dict[str, str]:
    matched_ids, _, _ = _match_by_id([j.id for j in a.junctions], [j.id for j in b.junctions])
    _match_unique_keys(
        matched_ids,
        ((j.id, railroads.get(j.railroad) and (railroads[j.railroad], *_rounded_position(j))) for j in a.junctions),
        ((j.id, (j.railroad, *_rounded_position(j))) for j in b.junctions),
    )
    return matched_ids


def _rounded_position(junction: Junction) -> tuple[float, float]:
    return round(junction.lon, 3), round(junction.lat, 3)


def _match_segments(a: Board, b: Board, mileposts: Mapping[str, str], railroads: Mapping[str, str]) -> dict[str, str]:
    matched_ids: dict[str, str] = {}
    b_ids_by_track: dict[tuple[str, frozenset[str] | None], list[str]] = defaultdict(list)
    for segment in b.segments:
        b_ids_by_track[segment.railroad, _translate_ends(segment, None)].append(segment.id)
    unmatched_segments: list[Segment] = []
    for is_second_pass in (False, True):  # equal ids first, then their parallels in order
        for segment in a.segments if not is_second_pass else tuple(unmatched_segments):
            ends, railroad = _translate_ends(segment, mileposts), railroads.get(segment.railroad)
            candidate_ids = (
                b_ids_by_track.get((railroad, ends), []) if railroad is not None and ends is not None else []
            )
            if candidate_ids and (is_second_pass or segment.id in candidate_ids):
                matched_ids[segment.id] = segment.id if segment.id in candidate_ids else candidate_ids[0]
                candidate_ids.remove(matched_ids[segment.id])
            elif not is_second_pass:
                unmatched_segments.append(segment)
    _match_reassigned_segments(a, b, mileposts, matched_ids)
    return matched_ids


def _match_reassigned_segments(a: Board, b: Board, mileposts: Mapping[str, str], found: dict[str, str]) -> None:
    """Match segments that now belong to another railroad; the railroad that took most of them comes first."""
    matched_b_ids = set(found.values())
    b_segments_by_ends: dict[frozenset[str] | None, list[Segment]] = defaultdict(list)
    for segment in b.segments:
        if segment.id not in matched_b_ids:
            b_segments_by_ends[_translate_ends(segment, None)].append(segment)
    unmatched_segments = [s for s in a.segments if s.id not in found and _translate_ends(s, mileposts) is not None]
    candidate_pairs = [
        (segment, candidate)
        for segment in unmatched_segments
        for candidate in b_segments_by_ends[_translate_ends(segment, mileposts)]
    ]
    votes_by_railroads = Counter((segment.railroad, candidate.railroad) for segment, candidate in candidate_pairs)

    def rank(pair: tuple[Segment, Segment]) -> tuple[int, float, list[str]]:
        segment, candidate = pair  # the same whichever of the two boards comes first
        return (
            -votes_by_railroads[segment.railroad, candidate.railroad],
            abs(candidate.miles - segment.miles),
            sorted((segment.id, candidate.id)),
        )

    for segment, candidate in sorted(candidate_pairs, key=rank):
        if segment.id not in found and candidate.id not in matched_b_ids:
            found[segment.id] = candidate.id
            matched_b_ids.add(candidate.id)
