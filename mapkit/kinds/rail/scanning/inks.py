"""Which ink each pixel is of: colours compared in OKLab, and the pale edges of lines given to the ink beside them.

A scan has few colours that matter: the inks of railroads, that of dots and names, and grounds, which cover most of it.
A table of all colours, 64 steps a channel, says of each which of these it is most like, so a picture of any size is one
look-up. At the edge of a line ink and ground mix, and the mixture looks like some other, paler ink; so each pixel takes
over the ink of that neighbour which differs most from all grounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Floats
from mapkit.drawing.colours.colour import oklab, rgb
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.arrays import neighbours

Labels = NDArray[np.uint8]
Keys = NDArray[np.uint32]

_BITS: Final = 6
_STEPS: Final = 1 << _BITS
GROUND_SHARE: Final = 0.001
"""Share of the picture that makes a colour a ground."""
_MOST_GROUNDS: Final = 80
_APART: Final = 0.03
_FROM_INK: Final = 0.06
"""How far a ground is from any ink, in OKLab."""
NEAR: Final = 0.04
FAR: Final = 0.10
"""Distances to an ink's colour within which a pixel is of it for sure, and at all."""
_GROUND_NEAR: Final = 0.05
_STRENGTH: Final = 400.0
_THINNED: Final = (0.15, 0.3, 0.45)
"""Shares of paper in the pixels of lines that are thinner than a pixel or two."""
_THINNED_COST: Final = 0.12


@dataclass(frozen=True)
class Inked:
    """Which ink each pixel is of.

    Attributes:
        labels: The number of the ink; `ground` or `other` where nobody asked for it.
        quality: How near its colour is to that ink's, 0 to 255.
        ground: The number that means ground.
    """

    labels: Labels
    quality: Labels
    ground: int

    @property
    def other(self) -> int:
        """The number that means an ink that nobody named."""
        return self.ground + 1


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
        apart = len(inks) == 0 or float(np.linalg.norm(inks - colour, axis=1).min()) >= _FROM_INK
        if apart and all(float(np.linalg.norm(other - colour)) > _APART for other in found):
            found.append(colour)
    return np.array(found).reshape(-1, 3)


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
    """Return which of some inks each pixel is of.

    Args:
        pixels: The picture.
        colours: OKLab of the inks.
    """
    keys = keys_of(pixels)
    inks = np.array(colours).reshape(-1, 3)
    grounds = grounds_of(keys, inks)
    far = np.stack([_from_ink(colour, _paper(inks, grounds)) for colour in inks], axis=1)
    nearest, off = far.argmin(axis=1), far.min(axis=1)
    empty = np.full(len(off), 1.0)
    from_ground = np.stack([distances(c) for c in grounds], axis=1).min(axis=1) if len(grounds) else empty
    ground, other = len(inks), len(inks) + 1
    label = np.where(off < FAR, nearest, other)
    label = np.where(from_ground <= np.minimum(off, _GROUND_NEAR), ground, label).astype(np.uint8)
    quality = (np.clip((FAR - off) / (FAR - NEAR), 0.0, 1.0) * 255).astype(np.uint8)
    quality[label >= ground] = 0
    strength = np.minimum(from_ground * _STRENGTH, 255).astype(np.uint8)
    labels, kept = label[keys], quality[keys]
    _take_stronger(labels, kept, strength[keys])
    return Inked(labels, kept, ground)


def _take_stronger(labels: Labels, quality: Labels, strength: Labels) -> None:
    """Give each pixel the ink of its strongest neighbour, if that is stronger than itself."""
    old_labels, old_quality, best = labels.copy(), quality.copy(), strength.copy()
    for here, there in neighbours(*labels.shape):
        more = strength[there] > best[here]
        np.copyto(best[here], strength[there], where=more)
        np.copyto(labels[here], old_labels[there], where=more)
        np.copyto(quality[here], old_quality[there], where=more)
