"""Dots and squares of a picture of a board, in the colour that has most of them."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.core.plurals import count_noun
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import describe_colours
from mapkit.kinds.rail.scanning.enlarging import resize_picture, scale_symbol
from mapkit.kinds.rail.scanning.inks import colour_lab, distances_from_colour, pixels_to_keys
from mapkit.kinds.rail.scanning.symbols import Sizes, Symbol, find_symbols

SMALLEST_DOT: Final = 1.5
"""Half the width of the smallest recognised dot."""
_SURE_WIDTH: Final = 5
"""Width in pixels from which all dots are found; of dots of four pixels, worn boards lose a sixth."""
_SMALL_DOT: Final = 6.0
"""Half the width of dots that an enlarged picture may show more clearly."""
_FEW_SYMBOLS: Final = 100
"""Fewer symbols may be something else that is large and round, beside dots too small to be found."""
_MAX_ENLARGED_PIXELS: Final = 60_000_000
_MIN_SYMBOLS: Final = 2
_CLEAR_SURENESS: Final = 0.8
"""Least confidence of a dot or square that counts as clearly shaped."""
_DARK_LINE: Final = 0.35
"""OKLab distance of dark lines from the ink of symbols, in the search for dots on them."""
_STABLE_SURENESS: Final = 0.95
"""Greatest confidence of a dot that must be a dot among dark lines as well."""
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
_DARK: Final = 0.5
"""Greatest lightness in OKLab of dots in the ink of names."""
_LETTER_SURENESS: Final = 0.7
"""Greatest confidence of a dot that may be a part of a letter; dots below names are clearer."""
_WORD_DISTANCE: Final = 0.25
"""Greatest distance of the pixels of a name from the colour of dots, in OKLab."""
_WORD_GAP: Final = 1.8
_WORD_REACH: Final = 8.0
_WORD_HEIGHT: Final = 1.8
_LETTER_HEIGHT: Final = 1.7
"""In halves of a dot: where letters beside a dot are looked for, and how tall they are at least."""
_WORD_SHARE: Final = 0.33
"""Share of the columns there that hold letters if the dot is one, too."""
_SAME_COLOUR: Final = 0.05
_GROUND_SHARE: Final = 0.3
"""Share of the picture that makes a colour a ground."""


def find_clearest_symbols(pixels: Pixels, colours: Sequence[str]) -> tuple[str, tuple[Symbol, ...], Sizes]:
    """Return the colour of dots and squares, these from top to bottom, and their sizes.

    Small dots are looked for in the picture enlarged twice as well. True dots keep their shape where the edge of the
    ink is looked for at another depth, parts of letters do not (maximally stable regions, Matas et al. 2002).

    Args:
        pixels: The picture.
        colours: What they may be filled with, `#rrggbb`; of several, the one with most, and the largest share, that
            have the very shape and do not stand on lines as letters do.
    """

    def worth(one: tuple[str, tuple[Symbol, ...], Sizes]) -> tuple[bool, float]:
        _, symbols, _ = one
        clear_count = _count_clear(symbols)
        is_board = len(symbols) >= _MIN_SYMBOLS and not _is_lined(symbols)
        return is_board, clear_count * clear_count / max(len(symbols), 1)

    used_keys, scale = pixels_to_keys(pixels), 1.0
    found_symbols = [(colour, *find_symbols(used_keys, colour_lab(colour))) for colour in colours]
    clearest = max(found_symbols, key=worth, default=("", (), Sizes(0, 0)))
    is_small = clearest[2].dot < _SMALL_DOT or len(clearest[1]) < _FEW_SYMBOLS
    if is_small and 4 * pixels.shape[0] * pixels.shape[1] <= _MAX_ENLARGED_PIXELS:
        large_keys = pixels_to_keys(resize_picture(pixels, 2))
        for colour in colours:
            large_symbols, sizes = find_symbols(large_keys, colour_lab(colour))
            symbols = tuple(scale_symbol(symbol, 0.5) for symbol in large_symbols)
            found_symbols.append((colour, symbols, Sizes(sizes.dot / 2, sizes.square / 2, sizes.patches)))
        clearest = max(found_symbols, key=worth, default=clearest)
        if clearest in found_symbols[len(colours) :]:
            used_keys, scale = large_keys, 0.5
    colour, symbols, sizes = clearest
    if sizes.dot:
        strict_symbols, _ = find_symbols(used_keys, colour_lab(colour), _DARK_LINE)
        symbols = _keep_stable(symbols, [scale_symbol(symbol, scale) for symbol in strict_symbols], sizes.dot)
    return colour, symbols, sizes


def _keep_stable(symbols: Sequence[Symbol], strict: Sequence[Symbol], half: float) -> tuple[Symbol, ...]:
    """Return symbols that are sure or seen among dark lines as well, and clear dots that are only seen there."""
    points, strict_points = (shapely.points([(s.x, s.y) for s in some]) for some in (symbols, strict))
    near, strict_near = shapely.STRtree(strict_points).query(points, predicate="dwithin", distance=2 * half)
    confirmed, known = set(near.tolist()), set(strict_near.tolist())
    stable = [
        symbol
        for number, symbol in enumerate(symbols)
        if symbol.kind == "square" or symbol.sure >= _STABLE_SURENESS or number in confirmed
    ]
    added = [
        replace(symbol, half=half)
        for number, symbol in enumerate(strict)
        if symbol.kind == "dot" and symbol.sure >= _CLEAR_SURENESS and number not in known
    ]
    return tuple(sorted((*stable, *added), key=lambda symbol: (symbol.y, symbol.x)))


def find_board_symbols(pixels: Pixels, colours: Sequence[str]) -> tuple[str, tuple[Symbol, ...], Sizes]:
    """Return the same as `find_clearest_symbols`, for a picture of a board.

    Raises:
        SourceError: The picture has no dots or squares of these colours, or what it has does not look like those of a
            board.
    """
    colour, symbols, sizes = find_clearest_symbols(pixels, colours)
    count_text = count_noun(len(symbols), "dot or square", "dots and squares")
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
        f"no board found in this picture: {problem_text}. Seen: {describe_colours(pixels)}. Give the colour of dots, "
        f"and a picture in which a dot is at least {_SURE_WIDTH} pixels wide"
    )


def warn_of_symbols(symbols: Sequence[Symbol]) -> str:
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


def drop_letters(pixels: Pixels, symbols: Sequence[Symbol], colour: str) -> tuple[Symbol, ...]:
    """Return the symbols except unclear dots in a word, which are parts of its letters."""
    ink = colour_lab(colour)
    if ink[0] > _DARK:
        return tuple(symbols)
    is_inked = (distances_from_colour(ink) < _WORD_DISTANCE)[pixels_to_keys(pixels)]
    return tuple(
        symbol
        for symbol in symbols
        if symbol.kind != "dot" or symbol.sure > _LETTER_SURENESS or not _is_in_word(symbol, is_inked)
    )


def _is_in_word(dot: Symbol, is_inked: NDArray[np.bool_]) -> bool:
    """Return whether many columns beside a dot hold strokes as tall as letters, and the first of them are near."""
    half = dot.half
    top, bottom = max(0, int(dot.y - _WORD_HEIGHT * half)), int(dot.y + _WORD_HEIGHT * half) + 1
    for side in (-1, 1):
        first, last = sorted((dot.x + side * _WORD_GAP * half, dot.x + side * _WORD_REACH * half))
        columns = is_inked[top:bottom, max(0, int(first)) : int(last) + 1].T[::side]
        if not columns.size:
            continue
        tops, bottoms = columns.argmax(axis=1), columns.shape[1] - columns[:, ::-1].argmax(axis=1)
        is_tall = columns.any(axis=1) & (bottoms - tops >= _LETTER_HEIGHT * half)
        if is_tall.mean() > _WORD_SHARE and columns[: math.ceil(half)].any():
            return True
    return False


def _required_share(pixels: Pixels, colour: str) -> float:
    """Return the required share of round or square symbols: more if their colour is that of the ground."""
    is_near = distances_from_colour(colour_lab(colour)) < _SAME_COLOUR
    return _GOOD_SHARE if float(is_near[pixels_to_keys(pixels)].mean()) > _GROUND_SHARE else _BOARD_SHARE
