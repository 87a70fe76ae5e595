"""Colours of railroads learned from the legend of a picture: a name, and the sample of its line beside it."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.core.names import fold
from mapkit.drawing.colours.colour import to_hex
from mapkit.formats.pixels import Pixels
from mapkit.formats.recognising.engine import FoundText
from mapkit.kinds.rail.scanning.inks import colour_table, pixels_to_keys

_SAMPLE_START: Final = 0.4
_SAMPLE_END: Final = 3.0
"""Range of the search for a sample beside its name, in heights of the name."""
_COLUMN_HEIGHTS: Final = 12.0
"""Greatest distance between names of one legend column, in heights of the name."""
_INK_DISTANCE: Final = 0.12
"""Least distance of ink from the ground of the sample, in OKLab."""
_MIN_SAMPLE_SHARE: Final = 0.04
_MAX_SAMPLE_SHARE: Final = 0.6
"""Limits of the share of the place beside a name that a sample covers."""
_FULL_ROW_SHARE: Final = 0.3
_MAX_SAMPLE_HEIGHT: Final = 0.5
"""Greatest height of a sample, in heights of the name; letters are higher. Rows with little of its ink do not count."""
_STRONGEST_SHARE: Final = 0.3
_SURE_CONFIDENCE: Final = 0.7


def read_legend_colours(
    pixels: Pixels, texts: Sequence[FoundText], railroads: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Return the colours of the railroads named in the legend.

    A name may also occur elsewhere. Names of a legend form a column: of several places, the one with most other
    railroads' names in its column counts.

    Args:
        pixels: The picture.
        texts: What is written in it.
        railroads: By id, the names under which the legend may have each.
    """
    railroad_by_name = {fold(name): ident for ident, names in railroads.items() for name in names if fold(name)}
    named_samples: list[tuple[str, Floats, str]] = []
    for text in texts:
        ident = railroad_by_name.get(fold(text.text)) if text.confidence >= _SURE_CONFIDENCE else None
        text_box = np.array([text.corners.min(axis=0), text.corners.max(axis=0)], float)
        colour = None if ident is None else _sample_colour(pixels, text_box)
        if ident is not None and colour is not None:
            named_samples.append((ident, text_box, colour))
    best_samples: dict[str, tuple[int, str]] = {}
    for ident, text_box, colour in named_samples:
        name_height = float(text_box[1, 1] - text_box[0, 1])
        column_railroads = {
            other_id
            for other_id, other_box, _ in named_samples
            if other_id != ident
            and abs(other_box[0, 0] - text_box[0, 0]) < name_height
            and abs(other_box[0, 1] - text_box[0, 1]) < _COLUMN_HEIGHTS * name_height
        }
        if column_railroads and len(column_railroads) > best_samples.get(ident, (0, ""))[0]:
            best_samples[ident] = len(column_railroads), colour
    return {ident: colour for ident, (_, colour) in sorted(best_samples.items())}


def _sample_colour(pixels: Pixels, box: Floats) -> str | None:
    """Return the ink of the line beside a name, before it or behind it; None where there is none."""
    (x0, y0), (x1, y1) = box
    name_height = y1 - y0
    for left, right in (
        (x0 - _SAMPLE_END * name_height, x0 - _SAMPLE_START * name_height),
        (x1 + _SAMPLE_START * name_height, x1 + _SAMPLE_END * name_height),
    ):
        beside_pixels = pixels[max(0, int(y0)) : int(y1) + 1, max(0, int(left)) : max(0, int(right))]
        sample_pixels = beside_pixels.reshape(-1, 3)
        if not len(sample_pixels):
            continue
        colour_keys = pixels_to_keys(sample_pixels)
        ground_colour = colour_table()[np.bincount(colour_keys).argmax()]
        ink_off = np.linalg.norm(colour_table()[colour_keys] - ground_colour, axis=1)
        inked_pixels = np.flatnonzero(ink_off > _INK_DISTANCE)
        row_counts = np.bincount(inked_pixels // beside_pixels.shape[1], minlength=len(beside_pixels))
        full_rows = np.flatnonzero(row_counts > _FULL_ROW_SHARE * row_counts.max())
        is_flat = len(full_rows) > 0 and full_rows[-1] - full_rows[0] < _MAX_SAMPLE_HEIGHT * len(beside_pixels)
        if is_flat and _MIN_SAMPLE_SHARE <= len(inked_pixels) / len(sample_pixels) <= _MAX_SAMPLE_SHARE:
            strongest_pixels = inked_pixels[
                np.argsort(-ink_off[inked_pixels], kind="stable")[: max(1, int(len(inked_pixels) * _STRONGEST_SHARE))]
            ]
            return to_hex(sample_pixels[strongest_pixels].mean(axis=0) / 255)
    return None
