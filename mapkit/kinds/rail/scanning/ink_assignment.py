"""Whose a line is: several railroads may claim the same ink, and its cross-sections say whose it looks like.

Colours of a scan are noisy, and thin lines are paler than their ink, so single pixels cannot tell inks that are alike.
A whole line can. Cross-sections are cut through each claimed line, pixel by pixel. Those of lines that are a railroad's
for sure, grouped by k-means, are its vocabulary: a solid line has one sort of section, a dashed one two, a sawtooth or
a ladder some more. A line belongs to the railroad whose vocabulary its sections are nearest to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32
from mapkit.kinds.rail.scanning.inks import Inked, Keys, colour_table

_OFFSETS: Final = np.arange(-3.0, 3.01, 1.0)
_SORTS: Final = 6
_ROUNDS: Final = 8
_TURNS: Final = 3
_MOST_STEPS: Final = 4000
_KEPT: Final = 0.75
"""Share of the sections of a line that count, the likeliest: names and lines that cross hide some."""
_STRONGEST: Final = 0.4
"""Share of a line, where it differs most from all grounds, that shows its ink."""
_MOST_OF_ONE: Final = 250
_USUAL: Final = 85
"""Percentile of the lines that a vocabulary is learned from that says what is usual."""
_GOOD: Final = 0.96
"""Lines as sure as this by themselves teach, if there are some: letters of names are crooked."""
_FEW: Final = 3
"""So few lines do not say what is usual."""
_SEEDS: Final = 0.4
"""Share of the lines clearly nearest to an ink that its first vocabulary is learned from, the nearest."""
_SPREAD: Final = 0.015
"""How much farther than usual a line may be and still teach."""
_FEWEST: Final = 6
_UNKNOWN: Final = 9.0
_ALIKE: Final = 0.004
_BESIDE: Final = 2.5
"""How far from the middle of a line its ink is looked for, pixels."""
_BEST: Final = 33
"""Percentile of the distances along a line from its railroad's colour that says how near the line comes to it."""
_FAINT: Final = 1.5
"""A line whose colour is so many times as far from its railroad's as that of the nearest line is faint."""
_SHARP: Final = 0.008
"""Colours nearer than this are the same."""
_CLEARLY: Final = 0.01
"""How much nearer, in OKLab, another ink must be to a line to be a rival of its own."""


@dataclass(frozen=True)
class Claim:
    """A line that a railroad claims, by the railroad's number: its sections, and how far each is from each ink.

    Attributes:
        railroad: The number of the railroad.
        sections: OKLab across the line, of shape (steps, samples * 3).
        ink: OKLab of the line where it is strongest.
        good: How sure the way itself is, 0 to 1.
        off: How far its colour is from the railroad's, OKLab, where it comes nearest.
        hidden: Share of the line that something else hides; there it looks like that.
    """

    railroad: int
    sections: Floats32
    ink: Floats
    good: float
    off: float = 0.0
    hidden: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """Whose a line looks like.

    Attributes:
        own: How far its sections are from those usual for the railroad that claims it.
        usual: What is usual for this railroad's own lines.
        rival: How far they are from those of the likeliest other railroad.
        faint: By how much its colour is farther from the railroad's than that of faint lines begins to be, as a
            logarithm; such are names whose pale edges look like the ink of a railroad.
    """

    own: float
    usual: float
    rival: float
    faint: float = 0.0


def claim_of(
    railroad: int, line: Floats, keys: Keys, inked: Inked, inside: Bools, *, good: float, hidden: float = 0.0
) -> Claim:
    """Return a claim.

    Args:
        railroad: The number of the railroad.
        line: Points of the line, x and y, in pixels of the picture.
        keys: Colours of the picture by their place in the table.
        inked: Inks of the picture.
        inside: Where symbols are.
        good: How sure the way itself is.
        hidden: Share of the line that something else hides.
    """
    spots, across = _steps(line)
    height, width = keys.shape
    at = np.clip(np.rint(spots).astype(int), 0, (width - 1, height - 1))
    out = ~inside[at[:, 1], at[:, 0]]
    spots, across, at = spots[out], across[out], at[out]
    seen = spots[:, None] + across[:, None] * _OFFSETS[None, :, None]
    x = np.clip(np.rint(seen[..., 0]).astype(int), 0, width - 1)
    y = np.clip(np.rint(seen[..., 1]).astype(int), 0, height - 1)
    sections = colour_table()[keys[y, x]].reshape(len(spots), 3 * len(_OFFSETS)).astype(np.float32)
    seen_best = inked.keys[at[:, 1], at[:, 0]]
    mine = inked.off[railroad][seen_best] <= inked.off[-1][seen_best]
    seen_best = seen_best[mine] if mine.any() else seen_best
    strongest = np.argsort(-inked.from_ground[seen_best], kind="stable")[: max(1, int(len(seen_best) * _STRONGEST))]
    ink = colour_table()[seen_best[strongest]]
    best = np.abs(_OFFSETS) <= _BESIDE
    off = inked.off[railroad][keys[y[:, best], x[:, best]]].min(axis=1)
    return Claim(
        railroad,
        sections,
        ink.mean(axis=0) if len(ink) else np.full(3, _UNKNOWN),
        good,
        float(np.percentile(off, _BEST)) if len(off) else _UNKNOWN,
        hidden,
    )


def _steps(line: Floats) -> tuple[Floats, Floats]:
    """Return points a pixel apart along a line, and at each the direction across it."""
    sides = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate(([0.0], np.cumsum(sides)))
    steps = np.arange(0.5, max(along[-1], 1.0), 1.0)
    spots = np.stack([np.interp(steps, along, line[:, i]) for i in (0, 1)], axis=1)
    if len(spots) < 2:  # noqa: PLR2004 - one point has no direction
        return spots, np.tile((1.0, 0.0), (len(spots), 1))
    ahead = np.gradient(spots, axis=0)
    across = np.stack((-ahead[:, 1], ahead[:, 0]), axis=1)
    return spots, across / np.maximum(np.hypot(*ahead.T), 1e-9)[:, None]


@dataclass(frozen=True)
class Vocabulary:
    """What lines of each railroad look like.

    Attributes:
        inks: OKLab of each railroad.
        words: The sorts of cross-sections of each, None where there are too few.
        usual: How far its own lines are from these.
        nearest: How near its lines come to its colour at best.
    """

    inks: Floats
    words: tuple[Floats32 | None, ...]
    usual: Floats
    nearest: Floats

    def verdicts(self, claims: Sequence[Claim]) -> list[Verdict]:
        """Return for each claim whose line it looks like."""
        far = _far(claims, self.inks, self.words)
        own = np.array([claim.railroad for claim in claims], dtype=int)
        rival = _but_own(far, own).min(axis=1, initial=_UNKNOWN)
        faint = _faint(claims, own, self.nearest)
        return [
            Verdict(float(far[i, r]), float(self.usual[r]), float(rival[i]), float(faint[i]))
            for i, r in enumerate(own.tolist())
        ]


def learned(claims: Sequence[Claim], inks: Floats) -> Vocabulary:
    """Return what lines of each railroad look like, from those that are surely its own.

    Args:
        claims: Lines that railroads claim.
        inks: OKLab of each railroad.
    """
    railroads = len(inks)
    own = np.array([claim.railroad for claim in claims], dtype=int)
    good = np.array([claim.good >= _GOOD for claim in claims], dtype=bool)
    offs = [[claim.off for claim in claims if claim.railroad == r] for r in range(railroads)]
    nearest = np.array([min(some, default=_UNKNOWN) for some in offs])
    good &= _faint(claims, own, nearest) == 0
    far = _from_inks(claims, inks)
    usual = np.full(railroads, _UNKNOWN)
    words: list[Floats32 | None] = [None] * railroads
    for turn in range(_TURNS):
        ahead = _but_own(far, own).min(axis=1, initial=_UNKNOWN) - far[np.arange(len(claims)), own]
        taught = []
        for r in range(railroads):
            mine = (own == r) & (far[:, r] <= usual[r] + _SPREAD)
            if (mine & good).any():
                mine &= good
            clear = mine & (ahead > _CLEARLY)
            order = np.flatnonzero(clear if clear.any() else mine & (ahead > -_ALIKE))
            order = order[np.argsort(far[order, r], kind="stable")]
            taught.append(order[: max(_FEW, int(len(order) * (_KEPT if turn else _SEEDS)))])
            words[r] = _vocabulary([claims[i] for i in taught[-1]])
        far = _far(claims, inks, words)
        usual = np.array(
            [np.percentile(far[some, r], _USUAL) if len(some) else _UNKNOWN for r, some in enumerate(taught)]
        )
    return Vocabulary(inks, tuple(words), usual, nearest)


def _faint(claims: Sequence[Claim], own: Ints, nearest: Floats) -> Floats:
    """Return how faint each line is."""
    off = np.array([claim.off for claim in claims])
    ratio = np.maximum(off, _SHARP) / (_FAINT * np.maximum(nearest[own], _SHARP))
    return np.asarray(np.maximum(np.log(ratio), 0.0))


def _from_inks(claims: Sequence[Claim], inks: Floats) -> Floats:
    seen = np.array([claim.ink for claim in claims]).reshape(-1, 3)
    return np.asarray(np.linalg.norm(seen[:, None] - inks[None], axis=2))


def _far(claims: Sequence[Claim], inks: Floats, words: Sequence[Floats32 | None]) -> Floats:
    """Return how far each line is from what each railroad's look like."""
    every = np.concatenate([claim.sections for claim in claims] or [np.zeros((0, 3 * len(_OFFSETS)), np.float32)])
    cuts = np.cumsum([0, *(len(claim.sections) for claim in claims)])
    kept = [_KEPT * (1 - claim.hidden) for claim in claims]
    return np.asarray(_from_words(every, cuts, words, kept) + _from_inks(claims, inks))


def _but_own(far: Floats, own: Ints) -> Floats:
    """Return distances to other railroads."""
    rest = far.copy()
    rest[np.arange(len(far)), own] = _UNKNOWN
    return rest


def _trimmed(values: Floats32, share: float) -> float:
    """Return the mean of this share of the values, the smallest."""
    kept = max(1, int(len(values) * share))
    return float(np.partition(values, kept - 1)[:kept].mean())


def _vocabulary(claims: Sequence[Claim]) -> Floats32 | None:
    """Return the sorts of sections of some lines by k-means, the likeliest lines first; None without lines."""
    parts: list[Floats32] = []
    count = 0
    for claim in claims:
        if count > _MOST_STEPS:
            break
        parts.append(claim.sections[:_MOST_OF_ONE])
        count += len(parts[-1])
    if count < _FEWEST:
        return None
    every = np.concatenate(parts)
    order = np.argsort(every.reshape(count, -1, 3)[:, :, 0].mean(axis=1), kind="stable")
    middles = every[order[np.linspace(0, count - 1, _SORTS).astype(int)]]
    for _ in range(_ROUNDS):
        nearest = _squares(every, middles).argmin(axis=1)
        for sort in range(len(middles)):
            mine = every[nearest == sort]
            if len(mine):
                middles[sort] = mine.mean(axis=0)
    return np.asarray(middles, np.float32)


def _squares(sections: Floats32, middles: Floats32) -> Floats32:
    """Return the mean square distance of sections from middles."""
    off = (sections**2).sum(axis=1)[:, None] + (middles**2).sum(axis=1)[None] - 2 * sections @ middles.T
    return np.asarray(np.maximum(off, 0) / len(_OFFSETS), np.float32)


def _from_words(every: Floats32, cuts: Ints, words: Sequence[Floats32 | None], kept: Sequence[float]) -> Floats:
    """Return how far the sections of each line, from one cut to the next, are from each vocabulary.

    Args:
        every: The sections of all lines.
        cuts: Where each line begins, and the end.
        words: Vocabularies.
        kept: Share of the sections of each line that count, the likeliest.
    """
    out = np.full((len(cuts) - 1, len(words)), _UNKNOWN)
    for number, middles in enumerate(words):
        if middles is None:
            continue
        off = np.sqrt(_squares(every, middles).min(axis=1))
        for i in np.flatnonzero(np.diff(cuts)).tolist():
            out[i, number] = _trimmed(off[cuts[i] : cuts[i + 1]], kept[i])
    return out
