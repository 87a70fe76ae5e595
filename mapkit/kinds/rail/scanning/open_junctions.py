"""Junctions off symbols where links of one railroad part, and the links through them.

Ways from one symbol run side by side on one line until they part. If they part well away from the symbol, the board
has a junction there, and the far ends of the ways are joined through it as well (RB-C10).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Ints32
from mapkit.kinds.rail.scanning.junctions import LineCourse, reverse_way
from mapkit.kinds.rail.scanning.links import Link, sharpest_turn_deg

_PARTING_ANGLES: Final = ((2, 110.0), (4, 60.0), (12, 30.0))
"""Least shared pixels outside the symbol (half-size picture) and least angle in degrees of ways parting at a junction.
Lines that leave a dot separately never touch, nor do lines side by side."""
_MIN_SHARED_PIXELS: Final = 8
"""Shared stretches of at least this many pixels are drawn once, with a junction or without."""
_MAX_DRAWN_APART: Final = 1
"""Greatest distance in pixels between ways on a line that is drawn once."""
_MAX_APART: Final = 2
"""The same in the search for junctions: ways cut corners on either side of a line."""
_TURNING_PIXELS: Final = 6
"""Pixels before the visible parting in which ways begin to turn."""
_SLACK_PIXELS: Final = 20
_CHUNK_PIXELS: Final = 256
_SAME_WAY_RATIO: Final = 1.5
"""Length ratio up to which two ways between the same symbols may be the same."""
_MAX_ROUNDS: Final = 3
_MIN_JOINING_CONFIDENCE: Final = 0.7
"""Links less sure than this join nothing."""
_ANGLE_PIXELS: Final = 14


def add_links_through_junctions(links: Sequence[Link], inside: Bools) -> list[Link]:
    """Return the links of a railroad, followed by those through junctions.

    Args:
        links: Links between neighbouring symbols, in order.
        inside: Where symbols are.
    """
    all_links = list(links)
    for _ in range(_MAX_ROUNDS):
        new_links = list(_links_through_junctions(all_links, inside))
        if not new_links:
            break
        all_links += new_links
    return all_links


def ease_turns_at_junctions(links: Sequence[Link], inside: Bools) -> list[Link]:
    """Return links of a railroad; sharp turns count half where another link parts from them (RB-C10).

    Args:
        links: Links between symbols and rings.
        inside: Where symbols are.
    """
    eased_links = list(links)
    for arms in _arms_by_symbol(links).values():
        for (i, first_arm), (j, second_arm) in combinations(arms, 2):
            shared_first, shared_second = _count_shared(first_arm, second_arm)
            if i != j and _part_at_junction(first_arm, shared_first, second_arm, shared_second, inside):
                eased_links[i] = _ease_turn(eased_links[i], first_arm, shared_first, inside)
                eased_links[j] = _ease_turn(eased_links[j], second_arm, shared_second, inside)
    return eased_links


def _ease_turn(link: Link, way: Link, parting: int, inside: Bools) -> Link:
    """Return a link with half the turn at the parting, if all of the link is visible."""
    evidence = link.evidence
    if evidence.gap or evidence.covered:
        return link
    is_outside = ~inside[way.rows, way.columns]
    parting_index = int(is_outside[:parting].sum())
    rows, columns = way.rows[is_outside], way.columns[is_outside]
    part_before, part_after = slice(0, max(parting_index - _TURNING_PIXELS, 0)), slice(parting_index, None)
    other_bend = max(sharpest_turn_deg(rows[way_part], columns[way_part]) for way_part in (part_before, part_after))
    return replace(link, evidence=replace(evidence, bend=min(evidence.bend, (way.evidence.bend + other_bend) / 2)))


def _links_through_junctions(links: Sequence[Link], inside: Bools) -> Iterable[Link]:
    """Yield the links that junctions add."""
    known_lengths: dict[tuple[int, int], list[int]] = defaultdict(list)
    for link in links:
        known_lengths[link.a, link.b].append(len(link.rows))
    for end, arms in sorted(_arms_by_symbol(links).items()):
        for first_arm, second_arm in combinations(
            (arm for _, arm in arms if arm.confidence >= _MIN_JOINING_CONFIDENCE), 2
        ):
            first_count, other_count = _count_shared(first_arm, second_arm)
            if first_arm.b in (second_arm.b, end) or not _part_at_junction(
                first_arm, first_count, second_arm, other_count, inside
            ):
                continue
            rows = np.concatenate((first_arm.rows[: first_count - 1 : -1], second_arm.rows[other_count - 1 :]))
            columns = np.concatenate((first_arm.columns[: first_count - 1 : -1], second_arm.columns[other_count - 1 :]))
            a, b = first_arm.b, second_arm.b
            if a > b:
                a, b, rows, columns = b, a, rows[::-1], columns[::-1]
            if any(len(rows) <= _SAME_WAY_RATIO * length + 2 for length in known_lengths[a, b]):
                continue
            known_lengths[a, b].append(len(rows))
            weaker_link = min(first_arm, second_arm, key=lambda link: link.confidence)
            yield Link(a, b, rows, columns, weaker_link.evidence, weaker_link.confidence)


def _arms_by_symbol(links: Sequence[Link]) -> dict[int, list[tuple[int, Link]]]:
    """Return the links at each symbol with their indices in the list, all seen from there."""
    arms_by_symbol: dict[int, list[tuple[int, Link]]] = defaultdict(list)
    for i, link in enumerate(links):
        arms_by_symbol[link.a].append((i, link))
        arms_by_symbol[link.b].append((i, reverse_way(link)))
    return arms_by_symbol


def _count_shared(one: Link, other: Link, beside: int = _MAX_APART) -> tuple[int, int]:
    """Return the number of initial pixels of two ways from one symbol that run side by side, of each way."""
    compared_count = min(len(one.rows), len(other.rows)) + _SLACK_PIXELS
    compared_length = min(compared_count, len(one.rows))

    def off(start: int, end: int) -> Ints32:
        row_distance = np.abs(one.rows[start:end, None] - other.rows[None, :compared_count])
        column_distance = np.abs(one.columns[start:end, None] - other.columns[None, :compared_count])
        return np.asarray(np.maximum(row_distance, column_distance))

    first_apart = compared_length
    for start in range(0, compared_length, _CHUNK_PIXELS):  # long ways mostly part soon
        is_apart = off(start, min(start + _CHUNK_PIXELS, compared_length)).min(axis=1) > beside
        if is_apart.any():
            first_apart = start + int(is_apart.argmax())
            break
    return first_apart, int(off(first_apart - 1, first_apart).argmin()) + 1 if first_apart else 0


def _part_at_junction(one: Link, shared: int, other: Link, of_other: int, inside: Bools) -> bool:
    """Return whether two ways part at a junction, at the end of their shared pixels."""
    shared_outside = _count_outside(one, shared, inside)
    if shared_outside < _PARTING_ANGLES[0][0]:
        return False

    def ahead(link: Link, start: int) -> tuple[int, int]:
        end = min(start + _ANGLE_PIXELS, len(link.rows) - 1)
        return int(link.columns[end] - link.columns[start - 1]), int(link.rows[end] - link.rows[start - 1])

    (x, y), (u, v) = ahead(one, shared), ahead(other, of_other)
    length_product = math.hypot(x, y) * math.hypot(u, v)
    parting_angle = (
        math.degrees(math.acos(max(-1.0, min(1.0, (x * u + y * v) / length_product)))) if length_product else 0.0
    )
    return any(shared_outside >= min_shared and parting_angle >= min_angle for min_shared, min_angle in _PARTING_ANGLES)


def _count_outside(link: Link, shared: int, inside: Bools) -> int:
    return int((~inside[link.rows[:shared], link.columns[:shared]]).sum())


def draw_courses(links: Sequence[Link], inside: Bools) -> list[LineCourse]:
    """Return lines that draw links, each shared stretch only once."""
    courses: list[LineCourse] = []
    drawn_links: dict[int, list[Link]] = defaultdict(list)
    for link in sorted(links, key=lambda link: (-link.confidence, link.a, link.b, len(link.rows))):
        back = reverse_way(link)
        cut_pixels = [_first_drawn_pixel(seen_link, drawn_links[seen_link.a], inside) for seen_link in (link, back)]
        drawn_links[link.a].append(link)
        drawn_links[link.b].append(back)
        first_pixel, last_pixel = cut_pixels[0], len(link.rows) - cut_pixels[1]
        rows, columns = link.rows[first_pixel:last_pixel], link.columns[first_pixel:last_pixel]
        if len(rows) > 1:
            if first_pixel and cut_pixels[1]:
                courses.append(LineCourse(-1, None, rows, columns, link.confidence))
            elif first_pixel:
                courses.append(LineCourse(link.b, None, rows[::-1], columns[::-1], link.confidence))
            else:
                courses.append(LineCourse(link.a, None if cut_pixels[1] else link.b, rows, columns, link.confidence))
    return courses


def _first_drawn_pixel(link: Link, others: Sequence[Link], inside: Bools) -> int:
    """Return the first pixel of a way to draw: 0, or that of the junction where it leaves another."""
    most_shared = 0
    for other_link in others:
        shared_pixels, of_other = _count_shared(link, other_link, _MAX_DRAWN_APART)
        if shared_pixels > most_shared and (
            _count_outside(link, shared_pixels, inside) >= _MIN_SHARED_PIXELS
            or _part_at_junction(link, shared_pixels, other_link, of_other, inside)
        ):
            most_shared = shared_pixels
    return max(most_shared - 1, 0)
