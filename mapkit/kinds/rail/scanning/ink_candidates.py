"""Lines between symbols that each printed ink claims, and the settlement of these claims, in two rounds.

An ink is that of one railroad, or of several that `line_patterns` tells apart. In the first round every ink claims the
pixels that may be its own. Similar inks claim the same pixels, so that symbols and shortcuts of one are in the way of
another. Lines that are surely of one ink then remove their pixels from all others, which claim again in the second
round.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
import shapely

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32, blur_values, dilate_mask, halve_mask
from mapkit.kinds.rail.scanning.ink_assignment import LineClaim, Verdict, make_claim
from mapkit.kinds.rail.scanning.ink_paths import InkWay, find_ways_along
from mapkit.kinds.rail.scanning.inks import InkDistances, Keys
from mapkit.kinds.rail.scanning.junctions import drop_repeated_ways, find_sharp_rings, merge_slack_rings, reverse_way
from mapkit.kinds.rail.scanning.links import INKED, SURE, Link, confidence_by_evidence, ways_to_links, weigh_verdict
from mapkit.kinds.rail.scanning.open_junctions import ease_turns_at_junctions
from mapkit.kinds.rail.scanning.places import SymbolMap, find_served_symbols
from mapkit.kinds.rail.scanning.rings import Spot, find_rings, mark_rings
from mapkit.kinds.rail.scanning.symbols import Symbol

# Centre lines of ink: pixels smoothed, moved to the middle of the ink under them, and simplified.

_SMOOTHING_REACH: Final = 3
_CENTRING_REACH: Final = 3.0
_CENTRING_STEPS: Final = 13
_SIMPLIFY_TOLERANCE: Final = 0.4
"""Tolerance of line simplification, pixels of the picture."""
_MEETING_REACH: Final = 4.0
"""Greatest distance of a loose end from the line that it joins, pixels of the picture."""
_SAME_SPOT: Final = 0.05


def trace_centre_line(rows: Ints32, columns: Ints32, ink: Floats32) -> Floats:
    """Return the points of a line in pixels of the picture, x and y, from pixels of the half-size one."""
    half_xy = np.stack((columns, rows), axis=1).astype(float)
    half_xy = _smooth_points(_centre_points(_smooth_points(half_xy), ink))
    full_xy = half_xy * 2 + 0.5
    return np.asarray(shapely.get_coordinates(shapely.simplify(shapely.LineString(full_xy), _SIMPLIFY_TOLERANCE)))


def join_loose_ends(lines: Sequence[Floats], loose: Sequence[tuple[bool, bool]]) -> list[Floats]:
    """Extend the loose ends of a railroad's lines onto the nearest other line, and add a vertex there.

    Args:
        lines: Points, x and y in pixels.
        loose: Whether the first and the last point of each is a junction on another line.
    """
    extended_lines = list(lines)
    for i, loose_ends in enumerate(loose):
        for end_index, is_loose in zip((0, -1), loose_ends, strict=True):
            if is_loose:
                _extend_end(extended_lines, i, end_index)
    return extended_lines


def _extend_end(lines: list[Floats], i: int, at: int) -> None:
    """Move one end of a line onto the nearest other line, if that is near."""
    other_numbers = [j for j, line in enumerate(lines) if j != i and len(line) > 1]
    end_point = shapely.Point(lines[i][at])
    line_distances = shapely.distance(end_point, [shapely.LineString(lines[j]) for j in other_numbers])
    if not other_numbers or line_distances.min() > _MEETING_REACH:
        return
    j = other_numbers[int(line_distances.argmin())]
    other_line = shapely.LineString(lines[j])
    distance_along = float(shapely.line_locate_point(other_line, end_point))
    meeting_xy = shapely.get_coordinates(shapely.line_interpolate_point(other_line, distance_along))
    lines[i] = np.concatenate((meeting_xy, lines[i][1:]) if at == 0 else (lines[i][:-1], meeting_xy))
    vertex_distances = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(lines[j], axis=0).T))))
    if np.abs(vertex_distances - distance_along).min() >= _SAME_SPOT:
        lines[j] = np.insert(lines[j], int(np.searchsorted(vertex_distances, distance_along)), meeting_xy[0], axis=0)


def _smooth_points(spots: Floats) -> Floats:
    """Replace each point by the mean of those around it; the ends stay."""
    point_count = len(spots)
    if point_count < 2 * _SMOOTHING_REACH:
        return spots
    running_sums = np.concatenate((np.zeros((1, 2)), np.cumsum(spots, axis=0)))
    point_index = np.arange(point_count)
    window_reach = np.minimum(np.minimum(point_index, point_count - 1 - point_index), _SMOOTHING_REACH)
    return np.asarray(
        (running_sums[point_index + window_reach + 1] - running_sums[point_index - window_reach])
        / (2 * window_reach + 1)[:, None]
    )


def _centre_points(spots: Floats, ink: Floats32) -> Floats:
    """Move points across the line to the middle of the ink."""
    if len(spots) < 2:  # noqa: PLR2004 - a line has two ends
        return spots
    directions = np.gradient(spots, axis=0)
    normals = (
        np.stack((-directions[:, 1], directions[:, 0]), axis=1) / np.maximum(np.hypot(*directions.T), 1e-9)[:, None]
    )
    offset_steps = np.linspace(-_CENTRING_REACH, _CENTRING_REACH, _CENTRING_STEPS)
    sample_xy = spots[:, None] + normals[:, None] * offset_steps[None, :, None]
    height, width = ink.shape
    x = np.clip(np.rint(sample_xy[..., 0]).astype(int), 0, width - 1)
    y = np.clip(np.rint(sample_xy[..., 1]).astype(int), 0, height - 1)
    ink_weights = ink[y, x] * np.exp(-((offset_steps / _CENTRING_REACH) ** 2))
    weight_sums = ink_weights.sum(axis=1)
    mean_offset = (ink_weights * offset_steps).sum(axis=1) / np.maximum(weight_sums, 1e-9)
    normal_shift = np.where(weight_sums > 0.5, mean_offset, 0.0)  # noqa: PLR2004 - some ink
    return np.asarray(spots + normals * normal_shift[:, None])


# Lines that pass a symbol so close that they touch it: two ways that continue each other become one.
#
# A line that stops at a dot has all of its ink there. A passing line leaves a pale gap, and its ink continues beside
# the dot. If a name hides it there, its two halves still miss the dot on the same side.

_MIN_BRIDGE: Final = 2
_MAX_BRIDGE: Final = 9
"""Range of the distance from a symbol at which the halves of a passing line are joined, half-size pixels."""
_MAX_HIDDEN_BRIDGE: Final = 5
"""Greatest such distance if something hides the line between them."""
_DIRECTION_PIXELS: Final = 8
_STRAIGHT_COSINE: Final = math.cos(math.radians(135))
"""A passing line is nearly straight: its halves leave at this angle or a larger one."""
_WHOLE_DENSITY: Final = 0.6
"""Least density of a passing line beside the symbol, as a share of the usual density of the two ways."""
_PALE_DENSITY: Final = 0.6
"""Greatest density between a passing line and the symbol, as such a share."""
_EDGE_PIXELS: Final = 2
_MIN_MISS: Final = 0.5
"""Least distance of a passing line from a symbol's edge, half-size pixels."""


@dataclass(frozen=True)
class _Bridge:
    """Connection of two ways: the first pixels that they keep, and those between."""

    first: int
    last: int
    rows: Ints32
    columns: Ints32


@dataclass(frozen=True)
class _HalfSheet:
    """Half-size picture: ink density, hidden pixels, and symbols."""

    ink: Floats32
    covered: Bools
    inside: Bools


def join_passing_ways(
    ways: Sequence[InkWay], ink: Floats32, covered: Bools, inside: Bools, symbols: Sequence[Symbol]
) -> list[InkWay]:
    """Join ways at symbols that their line only passes.

    Args:
        ways: Ways between symbols.
        ink: How dense their ink is.
        covered: Where something else lies that may hide it.
        inside: Where symbols are.
        symbols: Those, in pixels of the picture; higher numbers are rings, in which lines meet.
    """
    sheet = _HalfSheet(ink, covered, inside)
    remaining_ways = list(ways)
    for number in sorted({end for way in ways for end in (way.a, way.b) if end < len(symbols)}):
        arm_numbers = [i for i, way in enumerate(remaining_ways) if number in (way.a, way.b)]
        bridges = {
            (i, j): bridge
            for i, j in combinations(arm_numbers, 2)
            if (
                bridge := _find_bridge(
                    _seen_from(remaining_ways[i], number), _seen_from(remaining_ways[j], number), symbols[number], sheet
                )
            )
            is not None
        }
        joined_arms: set[int] = set()
        for i, j in sorted(bridges):
            if i in joined_arms or j in joined_arms:
                continue
            one = _seen_from(remaining_ways[i], number)
            other = _seen_from(remaining_ways[j], number)
            way_bridge = bridges[i, j]
            rows = np.concatenate(
                (one.rows[: way_bridge.first : -1], way_bridge.rows, other.rows[way_bridge.last + 1 :])
            )
            columns = np.concatenate(
                (one.columns[: way_bridge.first : -1], way_bridge.columns, other.columns[way_bridge.last + 1 :])
            )
            spliced_way = InkWay(one.b, other.b, rows, columns)
            spliced_way = spliced_way if spliced_way.a <= spliced_way.b else reverse_way(spliced_way)
            if spliced_way.a != spliced_way.b:
                joined_arms |= {i, j}
                remaining_ways.append(spliced_way)
        remaining_ways = [way for i, way in enumerate(remaining_ways) if i not in joined_arms]
    return remaining_ways


def _seen_from(way: InkWay, symbol: int) -> InkWay:
    return way if way.a == symbol else reverse_way(way)


def _find_bridge(one: InkWay, other: InkWay, symbol: Symbol, sheet: _HalfSheet) -> _Bridge | None:
    """Return the bridge between two ways from a symbol if they are one line that passes it, else None."""
    ink, inside = sheet.ink, sheet.inside
    i, j = (int((~inside[way.rows, way.columns]).argmax()) for way in (one, other))
    way_ends = ((one, i), (other, j))
    usual_density = float(np.median(np.concatenate([ink[way.rows[k:], way.columns[k:]] for way, k in way_ends])))
    edge_densities = [
        float(ink[way.rows[k : k + _EDGE_PIXELS], way.columns[k : k + _EDGE_PIXELS]].min()) for way, k in way_ends
    ]
    if min(edge_densities) >= _PALE_DENSITY * usual_density:
        return None
    for bridge_reach in range(_MIN_BRIDGE, _MAX_BRIDGE):
        first_pixel, last_pixel = i + bridge_reach, j + bridge_reach
        if first_pixel + _DIRECTION_PIXELS > len(one.rows) or last_pixel + _DIRECTION_PIXELS > len(other.rows):
            return None
        y, x = int(one.rows[first_pixel]), int(one.columns[first_pixel])
        v, u = int(other.rows[last_pixel]), int(other.columns[last_pixel])
        line_shares = np.linspace(0.0, 1.0, max(abs(v - y), abs(u - x)) + 1)
        rows = np.rint(y + (v - y) * line_shares).astype(np.int32)
        columns = np.rint(x + (u - x) * line_shares).astype(np.int32)
        if inside[rows, columns].any() or _angle_cosine(one, first_pixel, other, last_pixel) > _STRAIGHT_COSINE:
            continue
        is_whole = ink[rows, columns] >= _WHOLE_DENSITY * usual_density
        if (
            not is_whole.all()
            and bridge_reach < _MAX_HIDDEN_BRIDGE
            and _is_missed(one, first_pixel, other, last_pixel, symbol)
        ):
            is_whole |= sheet.covered[rows, columns]
        if is_whole.all():
            return _Bridge(first_pixel, last_pixel, rows, columns)
    return None


def _is_missed(one: InkWay, i: int, other: InkWay, j: int, symbol: Symbol) -> bool:
    """Return whether both of two ways, seen from some pixels on, aim past a symbol on the same side."""
    first_off, other_off = _signed_distance(one, i, symbol), _signed_distance(other, j, symbol)
    return first_off * other_off < 0 and min(abs(first_off), abs(other_off)) >= symbol.half / 2 + _MIN_MISS


def _signed_distance(way: InkWay, i: int, symbol: Symbol) -> float:
    """Return the distance of a symbol's middle from the line through a way's pixels; below 0 on the left."""
    x, y = (float(v[i : i + _DIRECTION_PIXELS].mean()) for v in (way.columns, way.rows))
    u, v = (
        int(way.columns[i + _DIRECTION_PIXELS - 1] - way.columns[i]),
        int(way.rows[i + _DIRECTION_PIXELS - 1] - way.rows[i]),
    )
    symbol_vector = (symbol.x + 0.5) / 2 - 0.5 - x, (symbol.y + 0.5) / 2 - 0.5 - y
    return (u * symbol_vector[1] - v * symbol_vector[0]) / max(math.hypot(u, v), 1e-9)


def _angle_cosine(one: InkWay, i: int, other: InkWay, j: int) -> float:
    """Return the cosine of the angle between two ways from some pixels on."""
    x, y = (
        int(one.columns[i + _DIRECTION_PIXELS - 1] - one.columns[i]),
        int(one.rows[i + _DIRECTION_PIXELS - 1] - one.rows[i]),
    )
    u, v = (
        int(other.columns[j + _DIRECTION_PIXELS - 1] - other.columns[j]),
        int(other.rows[j + _DIRECTION_PIXELS - 1] - other.rows[j]),
    )
    return (x * u + y * v) / max(math.hypot(x, y) * math.hypot(u, v), 1e-9)


LEAST: Final = 0.1
"""Least confidence of a link."""
_BAND_REACH: Final = 4
_HIDING_SHARE: Final = 0.3
_HIDING_NAME_SHARE: Final = 0.2
_SURE_LEAD: Final = 0.04
"""Lead in OKLab over the nearest other ink by which a line is surely of its own."""
_MAX_SHARED: Final = 0.35
"""Share of a link that may coincide with one of another ink, as at crossings, without loss of confidence."""
_SHARED_SCALE: Final = 0.15
_MIN_DRAWN: Final = 0.5
"""Confidence from which links take their ink."""
_BESIDE_DENSITY: Final = 0.5
"""Least density of pixels beside a way that belong to its line, as a share of the link's density."""
_MIN_DENSITY: Final = 0.6
"""Least density in the middle of an ink's lines, as a share of its usual density."""
_MIN_SURE_LINKS: Final = 3
"""Fewest sure links that show the usual gap before symbols."""
_GAP_PERCENTILE: Final = 90
"""Percentile of the gaps before symbols that limits their width; names hide some ends of lines."""
_GAP_MARGIN: Final = 9.0
"""Margin added to that limit, pixels."""
_PASSING_GAP: Final = 3.0
"""Distance from a symbol, in pixels, up to which a line serves it in passing where railroads share inks: a dot lies on
one of two lines side by side, and blur hides the ink beside it."""
_TAKEN_REACH: Final = 4
"""Reach of a sure line's ink from its middle, pixels."""


@dataclass(frozen=True)
class ScanSheet:
    """Picture for following lines: inks, symbols, and both in half the size."""

    inked: InkDistances
    places: SymbolMap
    symbol: Ints32
    covered: Bools
    dot: float

    @classmethod
    def of(cls, inked: InkDistances, places: SymbolMap, dot: float) -> "ScanSheet":
        """Return the sheet of a picture; `dot` is half the width of a dot, pixels."""
        height, width = (side // 2 * 2 for side in places.inside.shape)
        half_corners = [places.inside[y:height:2, x:width:2] for y in (0, 1) for x in (0, 1)]
        line_mask = halve_mask(inked.of_any()) > _HIDING_SHARE
        name_mask = halve_mask(inked.of_names()) > _HIDING_NAME_SHARE
        return cls(inked, places, np.maximum.reduce(half_corners), dilate_mask(line_mask | name_mask, 1), dot)


@dataclass(frozen=True)
class InkClaim:
    """Claim of one ink: links between symbols and rings, the rings, and how dense the ink is.

    Rings are numbered after the last symbol.
    """

    links: list[Link]
    rings: list[Spot]
    ink: Floats32


@dataclass(frozen=True)
class FirstRoundResult:
    """Results of the first round for an ink.

    Attributes:
        taken: Pixels that are surely of any ink; the same array for all inks.
        sure_links: Links that are surely its own.
        density: Median density of its own lines in the half-size picture; 0 if no line is surely its own.
        gap: Greatest gap between its lines and a symbol, pixels.
    """

    taken: Bools
    sure_links: Sequence[Link]
    density: float
    gap: float

    def mark_others(self) -> Bools:
        """Return the mask of pixels that are surely of other inks, and not of this one."""
        return self.taken & ~_mark_links(self.sure_links, self.taken.shape)


def claim_ink(sheet: ScanSheet, number: int, known: FirstRoundResult | None = None) -> InkClaim:
    """Return the links along pixels that may be of one ink.

    Args:
        sheet: The picture.
        number: That of the ink.
        known: Result of the first round, in the second one. Junctions count in the second round only.
    """
    own_ink = sheet.inked.of(number) & (sheet.places.inside < 0)
    rings: list[Spot] = []
    if known is not None:
        own_ink &= ~known.mark_others()
        rings = find_rings(own_ink, sheet.dot)
        is_dense_half = blur_values(halve_mask(own_ink), 1.0) >= (_MIN_DENSITY * known.density)
        is_dense_full = np.zeros(own_ink.shape, np.bool_)
        height, width = (side // 2 * 2 for side in own_ink.shape)
        for y in (0, 1):
            for x in (0, 1):
                is_dense_full[y:height:2, x:width:2] = is_dense_half
        passing = 0.0 if sheet.inked.hues is None else _PASSING_GAP
        served_symbols = find_served_symbols(
            sheet.places, own_ink, sheet.dot, known.gap, is_dense_full, passing=passing
        )
    else:
        served_symbols = find_served_symbols(sheet.places, own_ink, sheet.dot)
    ink_density: Floats32 = blur_values(halve_mask(own_ink), 1.0)
    symbol_count = len(sheet.places.symbols)
    while True:
        symbol_map = mark_rings(sheet.symbol, rings, sheet.dot, symbol_count)
        is_served = np.concatenate((served_symbols, np.ones(len(rings), np.bool_)))
        ways = find_ways_along(ink_density, sheet.covered, symbol_map, is_served, _BAND_REACH)
        ways = join_passing_ways(ways, ink_density, sheet.covered, symbol_map >= 0, sheet.places.symbols)
        ways = drop_repeated_ways(merge_slack_rings(ways, symbol_count))
        sharp_ring_numbers = find_sharp_rings(ways, symbol_count)
        if not sharp_ring_numbers:
            inside = symbol_map >= 0
            links = ease_turns_at_junctions(ways_to_links(ways, ink_density, sheet.covered, inside), inside)
            return InkClaim(links, rings, ink_density)
        used_ends = {end for way in ways for end in (way.a, way.b)}
        rings = [ring for i, ring in enumerate(rings, symbol_count) if i in used_ends and i not in sharp_ring_numbers]


def make_claims(sheet: ScanSheet, keys: Keys, everyone: Sequence[InkClaim]) -> list[LineClaim]:
    """Return all links with their cross-sections, ink by ink."""
    inside = sheet.places.inside >= 0
    return [
        make_claim(
            number,
            trace_centre_line(link.rows, link.columns, ink_claim.ink),
            keys,
            sheet.inked,
            inside,
            good=confidence_by_evidence(link),
            hidden=link.evidence.covered,
        )
        for number, ink_claim in enumerate(everyone)
        for link in ink_claim.links
    ]


def pair_with_verdicts(everyone: Sequence[InkClaim], verdicts: Sequence[Verdict]) -> list[list[tuple[Link, Verdict]]]:
    """Return each ink's links with their verdicts."""
    next_verdict = iter(verdicts)
    return [[(link, next(next_verdict)) for link in ink_claim.links] for ink_claim in everyone]


def settle_claims(
    sheet: ScanSheet, found: Sequence[Sequence[tuple[Link, Verdict]]], inks: Sequence[Floats32]
) -> list[list[tuple[int, Link]]]:
    """Return the links that each ink keeps, after comparison with others that claim the same pixels.

    Each has its number among the links of all inks.

    The surest links are drawn first, among equals those least similar to another ink's. A link that coincides with
    links drawn earlier becomes less sure.

    Args:
        sheet: The picture.
        found: Links of each ink, and whose each looks like.
        inks: How dense each ink is.
    """
    ranked_links = [
        (weigh_verdict(link, verdict), verdict.rival - verdict.own, number)
        for number, links in enumerate(found)
        for link, verdict in links
    ]
    inside = sheet.symbol >= 0
    pixel_owner = np.full(sheet.symbol.shape, -1, np.int16)
    kept_links: list[list[tuple[int, Link]]] = [[] for _ in found]
    by_confidence = sorted(
        range(len(ranked_links)), key=lambda i: (-min(ranked_links[i][0].confidence, SURE), -ranked_links[i][1], i)
    )
    for i in by_confidence:
        link, _, number = ranked_links[i]
        is_outside = ~inside[link.rows, link.columns]
        way_pixels = link.rows[is_outside], link.columns[is_outside]
        owner_there = pixel_owner[way_pixels]
        shared_share = float(((owner_there >= 0) & (owner_there != number)).mean()) if len(owner_there) else 0.0
        final_confidence = link.confidence * float(np.exp(-max(0.0, shared_share - _MAX_SHARED) / _SHARED_SCALE))
        if final_confidence >= LEAST:
            kept_links[number].append((i, replace(link, confidence=final_confidence)))
        if final_confidence >= _MIN_DRAWN:
            # Free pixels of the link, and free inked ones beside them, become the ink's.
            inked = inks[number] >= _BESIDE_DENSITY * link.evidence.density
            height, width = sheet.symbol.shape
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    shifted_pixels = (
                        np.clip(way_pixels[0] + dy, 0, height - 1),
                        np.clip(way_pixels[1] + dx, 0, width - 1),
                    )
                    is_free = (pixel_owner[shifted_pixels] < 0) & (inked[shifted_pixels] if dy or dx else True)
                    pixel_owner[shifted_pixels] = np.where(is_free, number, pixel_owner[shifted_pixels])
    return [sorted(links, key=lambda one: one[0]) for links in kept_links]


def summarise_first_round(
    sheet: ScanSheet, found: Sequence[Sequence[tuple[Link, Verdict]]], inks: Sequence[Floats32]
) -> list[FirstRoundResult]:
    """Return the results of the first round for each ink.

    Ink is surely of others if it is not surely its own, too.

    Args:
        sheet: The picture.
        found: Links of each ink, and whose each looks like.
        inks: How dense each ink is.
    """
    sure_links = [
        [
            link
            for link, verdict in links
            if weigh_verdict(link, verdict).confidence >= SURE and verdict.rival - verdict.own >= _SURE_LEAD
        ]
        for links in found
    ]
    taken = np.zeros(sheet.places.inside.shape, np.bool_)
    for links in sure_links:
        taken |= _mark_links(links, taken.shape)
    return [
        FirstRoundResult(
            taken,
            links,
            (float(np.median([link.evidence.density for link in links])) if links else 0.0),
            _end_gap(links, ink, sheet.symbol >= 0),
        )
        for links, ink in zip(sure_links, inks, strict=True)
    ]


def _mark_links(links: Sequence[Link], shape: tuple[int, ...]) -> Bools:
    """Return the mask of pixels in reach of links."""
    link_mask = np.zeros(shape, np.bool_)
    for link in links:
        link_mask[link.rows * 2, link.columns * 2] = True
    return dilate_mask(link_mask, _TAKEN_REACH)


def _end_gap(links: Sequence[Link], ink: Floats32, inside: Bools) -> float:
    """Return the largest usual gap between lines and symbols, pixels of the picture."""
    if len(links) < _MIN_SURE_LINKS:
        return np.inf
    end_gaps: list[int] = []
    for link in links:
        is_inked = (ink[link.rows, link.columns] > INKED)[~inside[link.rows, link.columns]]
        end_gaps += [int(is_inked.argmax()), int(is_inked[::-1].argmax())]
    return 2 * float(np.percentile(end_gaps, _GAP_PERCENTILE)) + _GAP_MARGIN
