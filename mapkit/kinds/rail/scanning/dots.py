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
"""Half the width of the smallest recognised dot."""
_MIN_SYMBOLS: Final = 2
_CLEAR_SURENESS: Final = 0.8
"""Least confidence of a dot or square that counts as clearly shaped."""
_BOARD_SHARE: Final = 0.5
"""Least share of clearly shaped symbols on a board; boards drawn by mapkit have 0.95, also worn ones."""
_GOOD_SHARE: Final = 0.9
"""The same for a board without a warning, and for one with dots in the colour of the ground."""
_MIN_SYMBOL_SHARE: Final = 0.115
"""Least share of dots and squares among the patches in their ink: text has up to 0.10, boards 0.13 or more."""
_MAX_LINED_SHARE: Final = 0.1
"""Share of dots on horizontal lines above which they are letters or a pattern; boards have 0.02."""
_LEVEL_HALVES: Final = 0.3
_NEAR_HALVES: Final = 20
"""In halves of a dot: greatest distance between letters of a line, up or down and along it."""
_MAX_NEIGHBOURS: Final = 2
_SAME_COLOUR: Final = 0.05
_GROUND_SHARE: Final = 0.3
"""Share of the picture that makes a colour a ground."""


def clearest_symbols(pixels: Pixels, colours: Sequence[str]) -> tuple[str, tuple[Symbol, ...], Sizes]:
    """Return the colour of dots and squares, these from top to bottom, and their sizes.

    Args:
        pixels: The picture.
        colours: What they may be filled with, `#rrggbb`; of several, the one with most that have the very shape and do
            not stand on lines as letters do.
    """
    symbols_by_colour = [(colour, *find_symbols(pixels, colour_lab(colour))) for colour in colours]

    def worth(one: tuple[str, tuple[Symbol, ...], Sizes]) -> tuple[bool, int, int]:
        _, symbols, _ = one
        return len(symbols) >= _MIN_SYMBOLS and not _is_lined(symbols), _count_clear(symbols), len(symbols)

    return max(symbols_by_colour, key=worth, default=("", (), Sizes(0, 0)))


def found_symbols(pixels: Pixels, colours: Sequence[str]) -> tuple[str, tuple[Symbol, ...], Sizes]:
    """Return the same as `clearest_symbols`, for a picture of a board.

    Raises:
        SourceError: The picture has no dots or squares of these colours, or what it has does not look like those of a
            board.
    """
    colour, symbols, sizes = clearest_symbols(pixels, colours)
    count_text = counted(len(symbols), "dot or square", "dots and squares")
    if len(symbols) < _MIN_SYMBOLS or (sizes.dot or sizes.square) < SMALLEST_DOT:
        problem_text = f"{count_text} of colour {' or '.join(colours)} and of one size"
    elif len(symbols) < _MIN_SYMBOL_SHARE * sizes.patches:
        problem_text = (
            f"of {sizes.patches:,} spots of colour {colour}, such as parts of letters, {len(symbols)} are of one size"
        )
    elif _is_lined(symbols):
        problem_text = (
            f"of {len(symbols)} spots of colour {colour}, {_count_on_lines(symbols)} stand on lines as letters do"
        )
    elif _count_clear(symbols) < _required_share(pixels, colour) * len(symbols):
        problem_text = (
            f"of {len(symbols)} spots of colour {colour} and of one size, {_count_clear(symbols)} are round or square"
        )
    else:
        return colour, symbols, sizes
    raise SourceError(
        f"no board found in this picture: {problem_text}. Seen: {colours_seen(pixels)}. Give the colour of dots, "
        f"and a picture in which a dot is at least {2 * SMALLEST_DOT:.0f} pixels wide"
    )


def doubt_of_symbols(symbols: Sequence[Symbol]) -> str:
    """Return a warning if many dots and squares are not quite round or square, else ""."""
    clear_count = _count_clear(symbols)
    if clear_count >= _GOOD_SHARE * len(symbols):
        return ""
    return (
        f"of {len(symbols)} dots and squares, {len(symbols) - clear_count} are not quite round or square: is this a "
        "board, and is their colour right?"
    )


def _count_clear(symbols: Sequence[Symbol]) -> int:
    return sum(symbol.sure >= _CLEAR_SURENESS for symbol in symbols)


def _is_lined(symbols: Sequence[Symbol]) -> bool:
    return len(symbols) > 0 and _count_on_lines(symbols) > _MAX_LINED_SHARE * len(symbols)


def _count_on_lines(symbols: Sequence[Symbol]) -> int:
    """Count the symbols with several others beside them at exactly the same height."""
    x, y, half = np.array([(symbol.x, symbol.y, symbol.half) for symbol in symbols]).T
    reach_across, reach_down = _NEAR_HALVES * half, _LEVEL_HALVES * half
    symbol_beside = shapely.STRtree(shapely.points(x, y)).query(
        shapely.box(x - reach_across, y - reach_down, x + reach_across, y + reach_down)
    )[0]
    return int((np.bincount(symbol_beside, minlength=len(symbols)) > _MAX_NEIGHBOURS).sum())


def _required_share(pixels: Pixels, colour: str) -> float:
    """Return the required share of round or square symbols: more if their colour is that of the ground."""
    is_near = distances(colour_lab(colour)) < _SAME_COLOUR
    return _GOOD_SHARE if float(is_near[keys_of(pixels)].mean()) > _GROUND_SHARE else _BOARD_SHARE
