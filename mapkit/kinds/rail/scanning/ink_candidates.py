"""What each railroad claims of a picture, and whose it is: lines between symbols, in two rounds.

In the first round every railroad claims the ink that may be its own. Inks that are alike are claimed by several, and
then symbols and shortcuts that belong to another are in the way. The lines that are surely of one railroad take their
ink away from all others, which then claim again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, Ints32, blurred, halved, widened
from mapkit.kinds.rail.scanning.courses import line_of
from mapkit.kinds.rail.scanning.graph import turned_at_junctions
from mapkit.kinds.rail.scanning.ink_assignment import Claim, Verdict, claim_of
from mapkit.kinds.rail.scanning.ink_paths import ways_along
from mapkit.kinds.rail.scanning.inks import Inked, Keys
from mapkit.kinds.rail.scanning.junctions import each_once, sharp_rings, without_slack_rings
from mapkit.kinds.rail.scanning.links import INKED, SURE, Link, contested, judged, promise_of
from mapkit.kinds.rail.scanning.places import SymbolMap, served
from mapkit.kinds.rail.scanning.rings import Spot, find_rings, marked
from mapkit.kinds.rail.scanning.through_lines import past_symbols

LEAST: Final = 0.1
"""Links less sure than this are none."""
_REACH: Final = 4
_HIDES: Final = 0.3
_HIDES_AS_NAME: Final = 0.2
_AHEAD: Final = 0.04
"""How much less than any other railroad's a line must look like to be its own railroad's for sure, in OKLab."""
_SHARED: Final = 0.35
"""Share of a link that may lie on another railroad's without doubt, as at crossings."""
_SHARED_DOUBT: Final = 0.15
_DRAWN: Final = 0.5
"""Links as sure as this take their ink."""
_WIDE: Final = 0.5
"""Share of the usual density of a link's ink that pixels beside its way have if they are of the line, too."""
_THIN: Final = 0.6
"""Share of the usual density of a railroad's ink that the middle of its lines has at least."""
_FEWEST: Final = 3
"""So many sure links say how far before symbols lines end."""
_MOST_ENDS: Final = 90
"""Percentile of the gaps before symbols that says how wide they may be; names hide some ends of lines."""
_MORE: Final = 9.0
"""How much wider still such a gap may be, pixels."""
_TAKEN: Final = 4
"""How far from the middle of a sure line its ink reaches, pixels."""


@dataclass(frozen=True)
class ScanSheet:
    """The picture in which lines are followed: inks, symbols, and both in half the size."""

    inked: Inked
    places: SymbolMap
    symbol: Ints32
    covered: Bools
    dot: float

    @classmethod
    def of(cls, inked: Inked, places: SymbolMap, dot: float) -> "ScanSheet":
        """Return the sheet of a picture; `dot` is half the width of a dot, pixels."""
        height, width = (side // 2 * 2 for side in places.inside.shape)
        corners = [places.inside[y:height:2, x:width:2] for y in (0, 1) for x in (0, 1)]
        lines = halved(inked.of_any()) > _HIDES
        names = halved(inked.of_names()) > _HIDES_AS_NAME
        return cls(inked, places, np.maximum.reduce(corners), widened(lines | names, 1), dot)


@dataclass(frozen=True)
class Claimed:
    """What one railroad claims: links between symbols and rings, the rings, and how dense its ink is.

    Rings are numbered on from the last symbol.
    """

    links: list[Link]
    rings: list[Spot]
    ink: Floats32


@dataclass(frozen=True)
class Known:
    """What the first round says of a railroad.

    Attributes:
        others: The ink that is surely of other railroads.
        density: How dense the ink of its own lines is, in the picture of half the size; 0 if no line is surely its own.
        gap: How far before a symbol its lines may end, pixels.
    """

    others: Bools
    density: float
    gap: float


def claimed(sheet: ScanSheet, number: int, known: Known | None = None) -> Claimed:
    """Return what one railroad's ink may be.

    Args:
        sheet: The picture.
        number: The railroad's.
        known: In the second round, what the first one says. Junctions count in this round only.
    """
    mine = sheet.inked.of(number) & (sheet.places.inside < 0)
    rings: list[Spot] = []
    if known is not None:
        mine &= ~known.others
        rings = find_rings(mine, sheet.dot)
        stops = served(sheet.places, mine, sheet.dot, known.gap, _dense(mine, _THIN * known.density))
    else:
        stops = served(sheet.places, mine, sheet.dot)
    ink: Floats32 = blurred(halved(mine), 1.0)
    count = len(sheet.places.symbols)
    while True:
        symbol = marked(sheet.symbol, rings, sheet.dot, count)
        every = np.concatenate((stops, np.ones(len(rings), np.bool_)))
        ways = ways_along(ink, sheet.covered, symbol, every, _REACH)
        ways = past_symbols(ways, ink, sheet.covered, symbol >= 0, sheet.places.symbols)
        ways = each_once(without_slack_rings(ways, count))
        wrong = sharp_rings(ways, count)
        if not wrong:
            inside = symbol >= 0
            links = turned_at_junctions(judged(ways, ink, sheet.covered, inside), inside)
            return Claimed(links, rings, ink)
        used = {end for way in ways for end in (way.a, way.b)}
        rings = [ring for i, ring in enumerate(rings, count) if i in used and i not in wrong]


def claims_of(sheet: ScanSheet, keys: Keys, everyone: Sequence[Claimed]) -> list[Claim]:
    """Return all links with their cross-sections, railroad by railroad."""
    inside = sheet.places.inside >= 0
    return [
        claim_of(
            number,
            line_of(link.rows, link.columns, one.ink),
            keys,
            sheet.inked,
            inside,
            good=promise_of(link),
            hidden=link.evidence.covered,
        )
        for number, one in enumerate(everyone)
        for link in one.links
    ]


def heard(everyone: Sequence[Claimed], verdicts: Sequence[Verdict]) -> list[list[tuple[Link, Verdict]]]:
    """Return each railroad's links, and whose each looks like."""
    said = iter(verdicts)
    return [[(link, next(said)) for link in one.links] for one in everyone]


def settled(
    sheet: ScanSheet, found: Sequence[Sequence[tuple[Link, Verdict]]], inks: Sequence[Floats32]
) -> list[list[Link]]:
    """Return the links that each railroad keeps, after others that claim the same ink were heard.

    The surest links, and of these those that look least like another's, are drawn first. One that lies on what others
    have drawn is less sure.

    Args:
        sheet: The picture.
        found: Links of each railroad, and whose each looks like.
        inks: How dense the ink of each railroad is.
    """
    every = [
        (contested(link, verdict), verdict.rival - verdict.own, number)
        for number, links in enumerate(found)
        for link, verdict in links
    ]
    inside = sheet.symbol >= 0
    owner = np.full(sheet.symbol.shape, -1, np.int16)
    kept: list[list[tuple[int, Link]]] = [[] for _ in found]
    order = sorted(range(len(every)), key=lambda i: (-min(every[i][0].confidence, SURE), -every[i][1], i))
    for i in order:
        link, _, number = every[i]
        out = ~inside[link.rows, link.columns]
        spots = link.rows[out], link.columns[out]
        there = owner[spots]
        shared = float(((there >= 0) & (there != number)).mean()) if len(there) else 0.0
        sure = link.confidence * float(np.exp(-max(0.0, shared - _SHARED) / _SHARED_DOUBT))
        if sure >= LEAST:
            kept[number].append((i, replace(link, confidence=sure)))
        if sure >= _DRAWN:
            _draw(owner, spots, number, inks[number] >= _WIDE * link.evidence.density)
    return [[link for _, link in sorted(links, key=lambda one: one[0])] for links in kept]


def _draw(owner: NDArray[np.int16], spots: tuple[Ints32, Ints32], number: int, inked: Bools) -> None:
    """Note whose pixels are, and those beside them that are inked, where they are nobody's."""
    height, width = owner.shape
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            at = np.clip(spots[0] + dy, 0, height - 1), np.clip(spots[1] + dx, 0, width - 1)
            free = (owner[at] < 0) & (inked[at] if dy or dx else True)
            owner[at] = np.where(free, number, owner[at])


def _dense(mine: Bools, density: float) -> Bools:
    """Return where ink is as dense as this in the picture of half the size."""
    half = blurred(halved(mine), 1.0) >= density
    out = np.zeros(mine.shape, np.bool_)
    height, width = (side // 2 * 2 for side in mine.shape)
    for y in (0, 1):
        for x in (0, 1):
            out[y:height:2, x:width:2] = half
    return out


def known_of(
    sheet: ScanSheet, found: Sequence[Sequence[tuple[Link, Verdict]]], inks: Sequence[Floats32]
) -> list[Known]:
    """Return, for each railroad, what its links and those of others say after the first round.

    Ink is surely of others if it is not surely its own, too.

    Args:
        sheet: The picture.
        found: Links of each railroad, and whose each looks like.
        inks: How dense the ink of each railroad is.
    """
    sure = [
        [
            link
            for link, verdict in links
            if contested(link, verdict).confidence >= SURE and verdict.rival - verdict.own >= _AHEAD
        ]
        for links in found
    ]
    own: list[Bools] = []
    for links in sure:
        mask = np.zeros(sheet.places.inside.shape, np.bool_)
        for link in links:
            mask[link.rows * 2, link.columns * 2] = True
        own.append(widened(mask, _TAKEN))
    counts = np.sum(own, axis=0, dtype=np.int16)
    return [
        Known((counts > 0) & ~mask, _density(links), _end_gap(links, ink, sheet.symbol >= 0))
        for mask, links, ink in zip(own, sure, inks, strict=True)
    ]


def _density(links: Sequence[Link]) -> float:
    return float(np.median([link.evidence.density for link in links])) if links else 0.0


def _end_gap(links: Sequence[Link], ink: Floats32, inside: Bools) -> float:
    """Return how far before symbols lines end at most, pixels of the picture, as most of some do."""
    if len(links) < _FEWEST:
        return np.inf
    gaps: list[int] = []
    for link in links:
        inked = (ink[link.rows, link.columns] > INKED)[~inside[link.rows, link.columns]]
        gaps += [int(inked.argmax()), int(inked[::-1].argmax())]
    return 2 * float(np.percentile(gaps, _MOST_ENDS)) + _MORE
