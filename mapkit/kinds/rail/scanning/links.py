"""Links between symbols along one ink, each with a confidence from the pixels under it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32
from mapkit.kinds.rail.scanning.ink_assignment import Verdict
from mapkit.kinds.rail.scanning.ink_paths import InkWay

INKED: Final = 0.25
"""Threshold of density for inked pixels."""
_MIN_LENGTH: Final = 10
_CLEAR_INK_SHARE: Final = 0.6
_TURN_PIXELS: Final = 7
_SHARP_TURN_DEG: Final = 60
_MAX_TURN_DEG: Final = 105
_MIN_INK_SHARE: Final = 0.45
"""Minimum share of inked pixels along a likely line."""
_LEAST_CAP: Final = 0.6
"""Lowest cap on the confidence of a link with enough visible ink, even if its own evidence is weak."""
_MIN_DENSITY_RATIO: Final = 0.7
"""Minimum density of a second way between two symbols, as a share of the densest; letters are less dense."""
_WELL_SEEN_LENGTH: Final = 24
"""Minimum length of a way that shows enough of its line, in pixels of the half-size picture."""
_REPEATED_FACTOR: Final = 0.55
"""Factor on the confidence of a second link of a railroad between the same symbols, which is rare."""
SURE: Final = 0.9
"""Minimum confidence of a sure link; other links are doubtful."""


@dataclass(frozen=True)
class Evidence:
    """Evidence for a way from its pixels outside symbols.

    Attributes:
        length: Number of pixels.
        ink: Share of inked pixels.
        gap: Share of pixels without ink and without cover.
        covered: Share of pixels without ink under names or other lines.
        longest_gap: Longest run of gap pixels.
        density: Median density of inked pixels.
        bend: Sharpest turn, in degrees.
        alone: Whether no sure link of its railroad connects to it.
    """

    length: int
    ink: float
    gap: float
    covered: float
    longest_gap: int
    density: float
    bend: float
    alone: bool = False


@dataclass(frozen=True)
class Link:
    """Link between two symbols by their numbers, along pixels of the half-size picture."""

    a: int
    b: int
    rows: Ints32
    columns: Ints32
    evidence: Evidence
    confidence: float


@dataclass(frozen=True)
class UsualInk:
    """Usual gaps and density of a railroad's ink."""

    gap: float
    longest_gap: float
    density: float


def measure_evidence(way: InkWay, ink: Floats32, covered: Bools, inside: Bools) -> Evidence:
    """Measure the pixels under a way."""
    way_pixels = way.rows, way.columns
    is_outside = ~inside[way_pixels]
    ink_density = ink[way_pixels][is_outside]
    is_inked = ink_density > INKED
    is_hidden = covered[way_pixels][is_outside] & ~is_inked
    is_gap = ~is_inked & ~is_hidden
    pixel_count = max(len(ink_density), 1)
    return Evidence(
        length=len(ink_density),
        ink=float(is_inked.sum()) / pixel_count,
        gap=float(is_gap.sum()) / pixel_count,
        covered=float(is_hidden.sum()) / pixel_count,
        longest_gap=_longest_run(is_gap),
        density=float(np.median(ink_density[is_inked])) if is_inked.any() else 0.0,
        bend=sharpest_turn_deg(way.rows[is_outside], way.columns[is_outside]),
    )


def sharpest_turn_deg(rows: Ints32, columns: Ints32) -> float:
    """Return the sharpest turn of a way within a few pixels, in degrees; 180 is a reversal."""
    way_xy = np.stack((columns, rows), axis=1).astype(float)
    if len(way_xy) <= 2 * _TURN_PIXELS:
        return 0.0
    before, after = (
        way_xy[_TURN_PIXELS:-_TURN_PIXELS] - way_xy[: -2 * _TURN_PIXELS],
        way_xy[2 * _TURN_PIXELS :] - way_xy[_TURN_PIXELS:-_TURN_PIXELS],
    )
    products = np.maximum(np.hypot(*before.T) * np.hypot(*after.T), 1e-9)
    return float(np.degrees(np.arccos(np.clip((before * after).sum(axis=1) / products, -1, 1))).max())


def _longest_run(flags: Bools) -> int:
    """Return the length of the longest run of true."""
    run_edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return int((run_edges[1::2] - run_edges[::2]).max()) if len(run_edges) else 0


def find_usual_ink(found: Sequence[Evidence]) -> UsualInk:
    """Return the usual gaps and density: medians over the ways with clear ink."""
    clear_evidence = [e for e in found if e.ink > _CLEAR_INK_SHARE and e.length >= _MIN_LENGTH]
    if not clear_evidence:
        return UsualInk(0.0, 0.0, 0.5)
    gap_shares, longest_gaps, densities = (
        np.array(v) for v in zip(*((e.gap, e.longest_gap, e.density) for e in clear_evidence), strict=True)
    )
    return UsualInk(float(np.median(gap_shares)), float(np.median(longest_gaps)), float(np.median(densities)))


def compute_confidence(e: Evidence, usual: UsualInk) -> float:
    """Return the confidence of a link, 0 to 1: 1 where its ink is as usual, less for each deviation."""
    doubts = (
        max(0.0, e.gap - 1.5 * usual.gap - 0.03) / 0.10,
        max(0.0, e.longest_gap - 2 * usual.longest_gap - 2) / 6,
        max(0.0, e.covered - 0.30) / 0.30,
        max(0.0, _MIN_INK_SHARE - e.ink) / 0.20,
        max(0.0, 0.75 * usual.density - e.density) / 0.20,
        max(0.0, e.bend - _MAX_TURN_DEG) / 15,
    )
    return float(np.exp(-sum(doubts)))


def ways_to_links(ways: Sequence[InkWay], ink: Floats32, covered: Bools, inside: Bools) -> list[Link]:
    """Return the ways of one railroad as links, except ways much fainter than another between the same symbols."""
    way_evidence = [measure_evidence(way, ink, covered, inside) for way in ways]
    usual_habit = find_usual_ink(way_evidence)
    max_density: dict[tuple[int, int], float] = {}
    for way, evidence in zip(ways, way_evidence, strict=True):
        max_density[way.a, way.b] = max(max_density.get((way.a, way.b), 0.0), evidence.density)
    return [
        Link(way.a, way.b, way.rows, way.columns, evidence, compute_confidence(evidence, usual_habit))
        for way, evidence in zip(ways, way_evidence, strict=True)
        if evidence.density >= _MIN_DENSITY_RATIO * max_density[way.a, way.b]
    ]


def weigh_verdict(link: Link, heard: Verdict) -> Link:
    """Return a link with its confidence computed from its evidence and the verdict on its line.

    The weights come from a logistic regression on the links of five pictures of three boards, clean and worn, and are
    rounded; gaps weigh more, because most false links jump a gap. Short lines may look less usual, because little of
    them is visible. The previous confidence of the link is the upper limit, or `_LEAST_CAP` if that is higher and
    enough ink is visible.
    """
    evidence = link.evidence
    shortness = max(0.0, 1 - evidence.length / _WELL_SEEN_LENGTH)
    unlikeness = min(max(heard.own - heard.usual, 0.0), 0.2)
    rival_lead = heard.rival - heard.own
    log_odds = (
        4.8
        + 1.5 * shortness
        - sum(
            (
                0.5 * _log_doubt(link),
                0.1 * _excess_turn(evidence),
                5.0 * evidence.covered,
                28.0 * evidence.gap,
                34.0 * min(max(0.06 - rival_lead, 0.0), 0.15) + 30.0 * min(max(-rival_lead, 0.0), 0.1),
                (26.0 - 14.0 * shortness) * unlikeness,
                3.0 * min(heard.faint, 1.5),
            )
        )
    )
    max_confidence = max(link.confidence, _LEAST_CAP) if evidence.ink >= _MIN_INK_SHARE else link.confidence
    return replace(link, confidence=min(max_confidence, 1 / (1 + math.exp(-log_odds))))


def lower_repeated_confidence(links: Sequence[Link]) -> list[Link]:
    """Lower the confidence of all but the surest link between the same two symbols."""
    surest_links: dict[tuple[int, int], Link] = {}
    for link in links:
        surest_link = surest_links.setdefault((link.a, link.b), link)
        if link.confidence > surest_link.confidence:
            surest_links[link.a, link.b] = link
    return [
        link if surest_links[link.a, link.b] is link else replace(link, confidence=link.confidence * _REPEATED_FACTOR)
        for link in links
    ]


def confidence_by_evidence(link: Link) -> float:
    """Return the confidence of a link from its evidence alone, 0 to 1; short links score low."""
    evidence = link.evidence
    log_odds = 5.0 - sum(
        (
            1.6 * _log_doubt(link),
            0.107 * _excess_turn(evidence),
            5.0 * evidence.covered,
            4.4 * min(max(0.7 - evidence.density, 0.0), 0.5),
            min(9.0 / max(evidence.length, 3), 3.0),
        )
    )
    return 1 / (1 + math.exp(-log_odds))


def _log_doubt(link: Link) -> float:
    return min(-math.log(max(link.confidence, 1e-4)), 6.0)


def _excess_turn(e: Evidence) -> float:
    """Return the sharpest turn of a way beyond the usual of lines, in degrees, at most 70."""
    return min(max(e.bend - 42.0, 0.0), 70.0)


def describe_doubts(e: Evidence) -> tuple[str, ...]:
    """Describe the evidence against a link in words."""
    doubt_texts = (
        (e.longest_gap > 2, f"{_percent_text(e.gap)} of it has no ink"),  # noqa: PLR2004 - pixels missing by chance
        (e.covered > 0.1, f"{_percent_text(e.covered)} lies under names or other lines"),  # noqa: PLR2004
        (_SHARP_TURN_DEG < e.bend <= _MAX_TURN_DEG, "it turns sharply"),
        (e.bend > _MAX_TURN_DEG, "it turns back"),
        (e.alone, "no sure link of its railroad is joined to it"),
    )
    return tuple(text for is_so, text in doubt_texts if is_so) or (
        "its ink is paler or thinner than the railroad's, or like another's",
    )


def _percent_text(share: float) -> str:
    return f"{share:.0%}"
