"""Which ink each pixel is of: colours compared in OKLab, and the pale edges of lines given to the colour beside them.

A scan has few colours that matter: the inks of railroads, that of dots and names, and grounds, which cover most of it.
A table of all colours, 64 steps a channel, says of each how far it is from each of these, so a picture of any size is
one look-up. At the edge of a line ink and ground mix, and the mixture looks like some other, paler ink; so each pixel
takes over the colour of that neighbour which differs most from all grounds. A pixel may be of several inks that are
alike: which railroad a line is of, its whole length decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Floats
from mapkit.drawing.colours.colour import oklab, rgb
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.arrays import Bools, Floats32, neighbours

Keys = NDArray[np.uint32]

_BITS: Final = 6
_STEPS: Final = 1 << _BITS
GROUND_SHARE: Final = 0.001
"""Share of the picture that makes a colour a ground."""
_WIDE_SHARE: Final = 0.02
"""Share of the picture that makes a colour a ground even if it is as light or dark as inks are: a frame is none."""
_MOST_GROUNDS: Final = 80
_APART: Final = 0.03
_FROM_INK: Final = 0.06
"""How far a ground is from any ink, in OKLab."""
SURE: Final = 0.08
FAR: Final = 0.10
"""Distances to an ink's colour within which a pixel is of it, and may hide what lies under it."""
_ALIKE: Final = 0.03
"""How much nearer another ink may be to a pixel that is still taken for an ink's."""
_GROUND_NEAR: Final = 0.05
_STRENGTH: Final = 400.0
_THINNED: Final = (0.15, 0.3, 0.45)
"""Shares of paper in the pixels of lines that are thinner than a pixel or two."""
_THINNED_COST: Final = 0.12


@dataclass(frozen=True)
class Inked:
    """How far each pixel is from some inks.

    Attributes:
        keys: The colour of each pixel, or of that neighbour which differs most from all grounds.
        off: How far each colour of the table is from each ink, OKLab; of shape (inks, colours).
        from_ground: Likewise from the nearest ground.
    """

    keys: Keys
    off: Floats32
    from_ground: Floats32

    @cached_property
    def _nearest(self) -> Floats32:
        return np.asarray(self.off.min(axis=0), np.float32)

    def of(self, number: int) -> Bools:
        """Return which pixels may be of an ink: no other ink is much nearer to them, nor is a ground."""
        off = self.off[number]
        table = (off < SURE) & (off <= self._nearest + _ALIKE) & self._off_ground(off)
        return np.asarray(table[self.keys])

    def of_any(self) -> Bools:
        """Return which pixels are of one of the inks but the last, which is that of symbols."""
        off = self.off[:-1].min(axis=0)
        return np.asarray(((off < FAR) & self._off_ground(off))[self.keys])

    def of_names(self) -> Bools:
        """Return which pixels are of the last ink, that of symbols and names."""
        off = self.off[-1]
        return np.asarray(((off < FAR) & (off <= self._nearest) & self._off_ground(off))[self.keys])

    def _off_ground(self, off: Floats32) -> Bools:
        return np.asarray(self.from_ground > np.minimum(off, _GROUND_NEAR))


@cache
def colour_table() -> Floats:
    """Return OKLab of every colour of the table, by its key."""
    steps = (np.arange(_STEPS) + 0.5) / _STEPS
    return oklab(np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3))


def keys_of(pixels: Pixels) -> Keys:
    """Return each pixel's place in the table of colours."""
    drop = 8 - _BITS
    red, green, blue = ((pixels[..., i] >> drop).astype(np.uint32) for i in range(3))
    return np.asarray((red << (2 * _BITS)) | (green << _BITS) | blue, np.uint32)


def colour_lab(colour: str) -> Floats:
    """Return OKLab of `#rrggbb`."""
    return oklab(rgb(colour))


def distances(colour: Floats) -> Floats:
    """Return how far every colour of the table is from one, in OKLab."""
    return np.asarray(np.linalg.norm(colour_table() - colour, axis=1))


def grounds_of(keys: Keys, inks: Floats, share: float = GROUND_SHARE) -> Floats:
    """Return the colours that cover most of a picture and are not near any ink, the most frequent first."""
    counts = np.bincount(keys.ravel(), minlength=_STEPS**3)
    table = colour_table()
    found: list[Floats] = []
    for key in np.argsort(-counts, kind="stable")[:_MOST_GROUNDS]:
        if counts[key] < keys.size * share:
            break
        colour = table[key]
        if _apart(colour, inks, counts, table) and all(
            float(np.linalg.norm(other - colour)) > _APART for other in found
        ):
            found.append(colour)
    return np.array(found).reshape(-1, 3)


def _apart(colour: Floats, inks: Floats, counts: NDArray[np.int64], table: Floats) -> bool:
    """Return whether a colour is not near any ink, and lighter or darker than all of them unless it covers much."""
    if not len(inks):
        return True
    if float(np.linalg.norm(inks - colour, axis=1).min()) < _FROM_INK:
        return False
    if not inks[:, 0].min() <= colour[0] <= inks[:, 0].max():
        return True
    alike = np.linalg.norm(table - colour, axis=1) < _APART
    return bool(counts[alike].sum() >= _WIDE_SHARE * counts.sum())


def _paper(inks: Floats, grounds: Floats) -> Floats | None:
    """Return the ground that most differs from the inks in lightness: what lies beside thin lines."""
    if not len(grounds):
        return None
    return np.asarray(grounds[int(np.abs(grounds[:, 0] - inks[:, 0].mean()).argmax())])


def _from_ink(ink: Floats, paper: Floats | None) -> Floats:
    """Return how far every colour of the table is from an ink, or from what a thin line of it looks like on paper."""
    out = distances(ink)
    if paper is None:
        return out
    for share in _THINNED:
        out = np.minimum(out, distances(ink + share * (paper - ink)) + _THINNED_COST * share)
    return out


def read_inks(pixels: Pixels, colours: Sequence[Floats]) -> Inked:
    """Return how far each pixel is from some inks; the last is that of symbols and names.

    Args:
        pixels: The picture.
        colours: OKLab of the inks.
    """
    keys = keys_of(pixels)
    inks = np.array(colours).reshape(-1, 3)
    grounds = grounds_of(keys, inks)
    paper = _paper(inks, grounds)
    off = np.stack([_from_ink(colour, paper) for colour in inks]).astype(np.float32)
    empty = np.full(off.shape[1], 1.0)
    from_ground = np.stack([distances(c) for c in grounds], axis=1).min(axis=1) if len(grounds) else empty
    strength = np.minimum(from_ground * _STRENGTH, 255).astype(np.uint8)
    return Inked(_stronger(keys, strength[keys]), off, from_ground.astype(np.float32))


def _stronger(keys: Keys, strength: NDArray[np.uint8]) -> Keys:
    """Give each pixel the colour of its strongest neighbour, if that is stronger than itself."""
    out, best = keys.copy(), strength.copy()
    for here, there in neighbours(*keys.shape):
        more = strength[there] > best[here]
        np.copyto(best[here], strength[there], where=more)
        np.copyto(out[here], keys[there], where=more)
    return out
