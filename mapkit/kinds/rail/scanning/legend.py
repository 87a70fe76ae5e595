"""Colours of railroads learned from the legend of a picture: a name, and the sample of its line beside it."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.core.names import fold
from mapkit.drawing.colours.colour import to_hex
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.engine import TextFound
from mapkit.kinds.rail.scanning.inks import colour_table, keys_of

_NEAR: Final = 0.4
_FAR: Final = 3.0
"""From where to where beside a name its sample is looked for, in heights of the name."""
_COLUMN: Final = 12.0
"""How far names of one legend are above each other, in heights of the name."""
_INK: Final = 0.12
"""How far ink is from the ground of the sample, in OKLab."""
_LEAST: Final = 0.04
_MOST: Final = 0.6
"""Shares of the place beside a name that a sample covers."""
_FULL: Final = 0.3
_FLAT: Final = 0.5
"""A sample is at most so high, in heights of the name; letters are higher. Rows with little of its ink do not count."""
_STRONGEST: Final = 0.3
_SURE: Final = 0.7


def legend_colours(
    pixels: Pixels, texts: Sequence[TextFound], railroads: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Return the colours of those railroads that the legend names.

    A name may stand elsewhere, too. Names of a legend stand above each other: of several places, the one counts that
    has most other railroads' names in its column.

    Args:
        pixels: The picture.
        texts: What is written in it.
        railroads: By id, the names under which the legend may have each.
    """
    wanted = {fold(name): ident for ident, names in railroads.items() for name in names if fold(name)}
    found: list[tuple[str, Floats, str]] = []
    for text in texts:
        ident = wanted.get(fold(text.text)) if text.confidence >= _SURE else None
        box = np.array([text.corners.min(axis=0), text.corners.max(axis=0)], float)
        colour = None if ident is None else _sample(pixels, box)
        if ident is not None and colour is not None:
            found.append((ident, box, colour))
    best: dict[str, tuple[int, str]] = {}
    for ident, box, colour in found:
        high = float(box[1, 1] - box[0, 1])
        column = {
            other
            for other, there, _ in found
            if other != ident and abs(there[0, 0] - box[0, 0]) < high and abs(there[0, 1] - box[0, 1]) < _COLUMN * high
        }
        if column and len(column) > best.get(ident, (0, ""))[0]:
            best[ident] = len(column), colour
    return {ident: colour for ident, (_, colour) in sorted(best.items())}


def _sample(pixels: Pixels, box: Floats) -> str | None:
    """Return the ink of the line beside a name, before it or behind it; None where there is none."""
    (x0, y0), (x1, y1) = box
    high = y1 - y0
    for left, right in ((x0 - _FAR * high, x0 - _NEAR * high), (x1 + _NEAR * high, x1 + _FAR * high)):
        seen = pixels[max(0, int(y0)) : int(y1) + 1, max(0, int(left)) : max(0, int(right))]
        part = seen.reshape(-1, 3)
        if not len(part):
            continue
        keys = keys_of(part)
        ground = colour_table()[np.bincount(keys).argmax()]
        off = np.linalg.norm(colour_table()[keys] - ground, axis=1)
        inked = np.flatnonzero(off > _INK)
        rows = np.bincount(inked // seen.shape[1], minlength=len(seen))
        tall = np.flatnonzero(rows > _FULL * rows.max())
        flat = len(tall) > 0 and tall[-1] - tall[0] < _FLAT * len(seen)
        if flat and _LEAST <= len(inked) / len(part) <= _MOST:
            strongest = inked[np.argsort(-off[inked], kind="stable")[: max(1, int(len(inked) * _STRONGEST))]]
            return to_hex(part[strongest].mean(axis=0) / 255)
    return None
