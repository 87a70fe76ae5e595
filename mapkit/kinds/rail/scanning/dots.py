"""Dots and squares of a picture of a board, in the colour that has most of them."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import colours_seen
from mapkit.kinds.rail.scanning.inks import colour_lab
from mapkit.kinds.rail.scanning.symbols import Sizes, Symbol, find_symbols

SMALLEST_DOT: Final = 2.5
"""Half the width of the smallest dot that is found."""
_FEWEST: Final = 2


def found_symbols(pixels: Pixels, colours: Sequence[str]) -> tuple[str, tuple[Symbol, ...], Sizes]:
    """Return the colour of dots and squares, these from top to bottom, and their sizes.

    Args:
        pixels: The picture.
        colours: What they may be filled with, `#rrggbb`; of several, the one with most of them.

    Raises:
        SourceError: The picture has no dots or squares of these colours.
    """
    found = [(colour, *find_symbols(pixels, colour_lab(colour))) for colour in colours]
    colour, symbols, sizes = max(found, key=lambda one: len(one[1]))
    if len(symbols) < _FEWEST or (sizes.dot or sizes.square) < SMALLEST_DOT:
        raise SourceError(
            f"no board found in this picture: {counted(len(symbols), 'dot or square', 'dots and squares')} of colour "
            f"{' or '.join(colours)} and of one size. Seen: {colours_seen(pixels)}. Give the colour of dots, "
            f"and a picture in which a dot is at least {2 * SMALLEST_DOT:.0f} pixels wide"
        )
    return colour, symbols, sizes
