"""Links between symbols along one ink, each with a confidence from what lies under it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32
from mapkit.kinds.rail.scanning.ink_assignment import Verdict
from mapkit.kinds.rail.scanning.ink_paths import Way

INKED: Final = 0.25
"""Ink that is as dense as this is there."""
_LEAST_LENGTH: Final = 10
_CLEAR: Final = 0.6
_TURN: Final = 7
_BENT: Final = 60
_SHARPEST: Final = 105
_SEEN: Final = 0.45
"""Of a line that is rather there so much is seen, a share of its length."""
_DRAWN: Final = 0.6
"""A way of which enough is seen makes no link less sure than this, however doubtful it is by itself."""
_AS_DENSE: Final = 0.7
"""Share of the density of a line that another one between the same symbols has at least: letters have less."""
_SEEN_WELL: Final = 24
"""A way as long as this shows enough of its line, pixels of the half-size picture."""
_AGAIN: Final = 0.55
"""What is left of how sure a link is if its railroad has another between the same symbols, which is rare."""
SURE: Final = 0.9
"""Links less sure than this are doubtful."""


@dataclass(frozen=True)
class Evidence:
    """What lies under a way: its length outside symbols, shares of it, the longest gap, and how dense its ink is.

    `alone` says that no sure link of its railroad is joined to it.
    """

    length: int
    ink: float
    gap: float
    covered: float
    longest_gap: int
    longest_hidden: int
    density: float
    bend: float
    alone: bool = False


@dataclass(frozen=True)
class Link:
    """A link between two symbols by their numbers, along pixels of the half-size picture."""

    a: int
    b: int
    rows: Ints32
    columns: Ints32
    evidence: Evidence
    confidence: float


@dataclass(frozen=True)
class Habit:
    """What is usual for a railroad's ink: its gaps, and how dense it is."""

    gap: float
    longest_gap: float
    density: float


def evidence_of(way: Way, ink: Floats32, covered: Bools, inside: Bools) -> Evidence:
    """Return what lies under a way."""
    spots = way.rows, way.columns
    out = ~inside[spots]
    density = ink[spots][out]
    inked = density > INKED
    hidden = covered[spots][out] & ~inked
    gap = ~inked & ~hidden
    count = max(len(density), 1)
    return Evidence(
        length=len(density),
        ink=float(inked.sum()) / count,
        gap=float(gap.sum()) / count,
        covered=float(hidden.sum()) / count,
        longest_gap=_longest(gap),
        longest_hidden=_longest(~inked),
        density=float(np.median(density[inked])) if inked.any() else 0.0,
        bend=bend_of(way.rows[out], way.columns[out]),
    )


def bend_of(rows: Ints32, columns: Ints32) -> float:
    """Return the sharpest turn of a way within a few pixels, in degrees; 180 turns back."""
    spots = np.stack((columns, rows), axis=1).astype(float)
    if len(spots) <= 2 * _TURN:
        return 0.0
    before, after = spots[_TURN:-_TURN] - spots[: -2 * _TURN], spots[2 * _TURN :] - spots[_TURN:-_TURN]
    sizes = np.maximum(np.hypot(*before.T) * np.hypot(*after.T), 1e-9)
    return float(np.degrees(np.arccos(np.clip((before * after).sum(axis=1) / sizes, -1, 1))).max())


def _longest(flags: Bools) -> int:
    """Return the length of the longest run of true."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return int((edges[1::2] - edges[::2]).max()) if len(edges) else 0


def habit_of(found: Sequence[Evidence]) -> Habit:
    """Return what is usual: the middle of the ways that are surely of this ink."""
    clear = [e for e in found if e.ink > _CLEAR and e.length >= _LEAST_LENGTH]
    if not clear:
        return Habit(0.0, 0.0, 0.5)
    gap, longest, density = (np.array(v) for v in zip(*((e.gap, e.longest_gap, e.density) for e in clear), strict=True))
    return Habit(float(np.median(gap)), float(np.median(longest)), float(np.median(density)))


def confidence_of(e: Evidence, usual: Habit) -> float:
    """Return how sure a link is, 0 to 1: 1 where its ink is as usual, less for each thing that is not."""
    doubts = (
        max(0.0, e.gap - 1.5 * usual.gap - 0.03) / 0.10,
        max(0.0, e.longest_gap - 2 * usual.longest_gap - 2) / 6,
        max(0.0, e.covered - 0.30) / 0.30,
        max(0.0, _SEEN - e.ink) / 0.20,
        max(0.0, 0.75 * usual.density - e.density) / 0.20,
        max(0.0, e.bend - _SHARPEST) / 15,
    )
    return float(np.exp(-sum(doubts)))


def judged(ways: Sequence[Way], ink: Floats32, covered: Bools, inside: Bools) -> list[Link]:
    """Return the ways of one railroad as links; beside a line with much denser ink, one between the same is none."""
    found = [evidence_of(way, ink, covered, inside) for way in ways]
    usual = habit_of(found)
    densest: dict[tuple[int, int], float] = {}
    for way, evidence in zip(ways, found, strict=True):
        densest[way.a, way.b] = max(densest.get((way.a, way.b), 0.0), evidence.density)
    return [
        Link(way.a, way.b, way.rows, way.columns, evidence, confidence_of(evidence, usual))
        for way, evidence in zip(ways, found, strict=True)
        if evidence.density >= _AS_DENSE * densest[way.a, way.b]
    ]


def contested(link: Link, heard: Verdict) -> Link:
    """Return a link whose confidence weighs what lies under it against whose its line looks like.

    The weights are those of a logistic regression on the links that five pictures of three boards offered, clean and
    worn, rounded; gaps weigh more, as most false links jump one. Of a short line little is seen, so it may look less
    usual. A way that is doubtful by itself remains so.
    """
    e = link.evidence
    short = max(0.0, 1 - e.length / _SEEN_WELL)
    unlike = min(max(heard.own - heard.usual, 0.0), 0.2)
    ahead = heard.rival - heard.own
    lead = (
        4.8
        + 1.5 * short
        - sum(
            (
                0.5 * _doubt(link),
                0.1 * _bent(e),
                5.0 * e.covered,
                28.0 * e.gap,
                34.0 * min(max(0.06 - ahead, 0.0), 0.15) + 30.0 * min(max(-ahead, 0.0), 0.1),
                (26.0 - 14.0 * short) * unlike,
                3.0 * min(heard.faint, 1.5),
            )
        )
    )
    most = max(link.confidence, _DRAWN) if e.ink >= _SEEN else link.confidence
    return replace(link, confidence=min(most, 1 / (1 + math.exp(-lead))))


def less_sure_again(links: Sequence[Link]) -> list[Link]:
    """Return links of a railroad; of those between the same two symbols all but the surest are less sure."""
    surest: dict[tuple[int, int], Link] = {}
    for link in links:
        best = surest.setdefault((link.a, link.b), link)
        if link.confidence > best.confidence:
            surest[link.a, link.b] = link
    return [
        link if surest[link.a, link.b] is link else replace(link, confidence=link.confidence * _AGAIN) for link in links
    ]


def promise_of(link: Link) -> float:
    """Return how much a link promises by what lies under it alone, 0 to 1; a short one promises little."""
    e = link.evidence
    lead = 5.0 - sum(
        (
            1.6 * _doubt(link),
            0.107 * _bent(e),
            5.0 * e.covered,
            4.4 * min(max(0.7 - e.density, 0.0), 0.5),
            min(9.0 / max(e.length, 3), 3.0),
        )
    )
    return 1 / (1 + math.exp(-lead))


def _doubt(link: Link) -> float:
    return min(-math.log(max(link.confidence, 1e-4)), 6.0)


def _bent(e: Evidence) -> float:
    """Return by how many degrees a way turns more sharply than lines do."""
    return min(max(e.bend - 42.0, 0.0), 70.0)


def doubts_of(e: Evidence) -> tuple[str, ...]:
    """Return in words what lies under a link that is not surely a line."""
    said = (
        (e.longest_gap > 2, f"{_percent(e.gap)} of it has no ink"),  # noqa: PLR2004 - pixels that anything may lack
        (e.covered > 0.1, f"{_percent(e.covered)} lies under names or other lines"),  # noqa: PLR2004
        (_BENT < e.bend <= _SHARPEST, "it turns sharply"),
        (e.bend > _SHARPEST, "it turns back"),
        (e.alone, "no sure link of its railroad is joined to it"),
    )
    return tuple(text for is_so, text in said if is_so) or (
        "its ink is paler or thinner than the railroad's, or like another's",
    )


def _percent(share: float) -> str:
    return f"{share:.0%}"
