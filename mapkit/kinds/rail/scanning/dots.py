"""Dots and squares of a picture of a board, in the colour that has most of them."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely

from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import colours_seen
from mapkit.kinds.rail.scanning.inks import colour_lab, distances, keys_of
from mapkit.kinds.rail.scanning.symbols import Sizes, Symbol, find_symbols

SMALLEST_DOT: Final = 2.5
"""Half the width of the smallest dot that is found."""
_FEWEST: Final = 2
_CLEAR: Final = 0.8
"""How sure a dot or square is that has the very shape of one."""
_BOARD: Final = 0.5
"""Part of the dots and squares of a board that have it at least; it is 0.95 on boards that mapkit draws, also worn."""
_GOOD: Final = 0.9
"""Likewise of a board that needs no warning, and of one on which dots have the colour of the ground."""
_ALIKE: Final = 0.115
"""Part of the patches in their ink that are dots or squares: up to 0.10 on a page of text, 0.13 or more on boards."""
_LINED: Final = 0.1
"""Part of the dots that stand on lines as letters and patterns do, from which on they are those; on boards 0.02."""
_LEVEL: Final = 0.3
_NEAR: Final = 20
"""Halves of a dot: letters of a line are at most this far apart, up or down and along it."""
_OTHERS: Final = 2
_SAME: Final = 0.05
_GROUND: Final = 0.3
"""Part of the picture that a ground covers."""


def clearest_symbols(pixels: Pixels, colours: Sequence[str]) -> tuple[str, tuple[Symbol, ...], Sizes]:
    """Return the colour of dots and squares, these from top to bottom, and their sizes.

    Args:
        pixels: The picture.
        colours: What they may be filled with, `#rrggbb`; of several, the one with most that have the very shape and do
            not stand on lines as letters do.
    """
    found = [(colour, *find_symbols(pixels, colour_lab(colour))) for colour in colours]

    def worth(one: tuple[str, tuple[Symbol, ...], Sizes]) -> tuple[bool, int, int]:
        _, symbols, _ = one
        return len(symbols) >= _FEWEST and not _lined(symbols), _clear(symbols), len(symbols)

    return max(found, key=worth, default=("", (), Sizes(0, 0)))


def found_symbols(pixels: Pixels, colours: Sequence[str]) -> tuple[str, tuple[Symbol, ...], Sizes]:
    """Return the same as `clearest_symbols`, of a picture of a board.

    Raises:
        SourceError: The picture has no dots or squares of these colours, or what it has does not look like those of a
            board.
    """
    colour, symbols, sizes = clearest_symbols(pixels, colours)
    found = counted(len(symbols), "dot or square", "dots and squares")
    if len(symbols) < _FEWEST or (sizes.dot or sizes.square) < SMALLEST_DOT:
        said = f"{found} of colour {' or '.join(colours)} and of one size"
    elif len(symbols) < _ALIKE * sizes.patches:
        said = (
            f"of {sizes.patches:,} spots of colour {colour}, such as parts of letters, {len(symbols)} are of one size"
        )
    elif _lined(symbols):
        said = f"of {len(symbols)} spots of colour {colour}, {_on_lines(symbols)} stand on lines as letters do"
    elif _clear(symbols) < _needed(pixels, colour) * len(symbols):
        said = f"of {len(symbols)} spots of colour {colour} and of one size, {_clear(symbols)} are round or square"
    else:
        return colour, symbols, sizes
    raise SourceError(
        f"no board found in this picture: {said}. Seen: {colours_seen(pixels)}. Give the colour of dots, "
        f"and a picture in which a dot is at least {2 * SMALLEST_DOT:.0f} pixels wide"
    )


def doubt_of_symbols(symbols: Sequence[Symbol]) -> str:
    """Return a warning if many dots and squares are not quite round or square; else nothing."""
    clear = _clear(symbols)
    if clear >= _GOOD * len(symbols):
        return ""
    return (
        f"of {len(symbols)} dots and squares, {len(symbols) - clear} are not quite round or square: is this a board, "
        "and is their colour right?"
    )


def _clear(symbols: Sequence[Symbol]) -> int:
    return sum(symbol.sure >= _CLEAR for symbol in symbols)


def _lined(symbols: Sequence[Symbol]) -> bool:
    return len(symbols) > 0 and _on_lines(symbols) > _LINED * len(symbols)


def _on_lines(symbols: Sequence[Symbol]) -> int:
    """Return how many have several others beside them, at exactly the same height."""
    x, y, half = np.array([(symbol.x, symbol.y, symbol.half) for symbol in symbols]).T
    across, down = _NEAR * half, _LEVEL * half
    beside = shapely.STRtree(shapely.points(x, y)).query(shapely.box(x - across, y - down, x + across, y + down))[0]
    return int((np.bincount(beside, minlength=len(symbols)) > _OTHERS).sum())


def _needed(pixels: Pixels, colour: str) -> float:
    """Return which part of dots and squares must have the very shape: more if their colour is that of the ground."""
    near = distances(colour_lab(colour)) < _SAME
    return _GOOD if float(near[keys_of(pixels)].mean()) > _GROUND else _BOARD
