"""Finding the dots and squares of scans of boards."""

from pathlib import Path
from typing import Annotated

from mapkit.core.errors import SourceError
from mapkit.core.progress import Progress, quiet
from mapkit.formats.pixels import read_pixels
from mapkit.kinds.rail.model.board_scan import SymbolFound, SymbolsFound
from mapkit.kinds.rail.scanning.colours import check_colour, guess_symbol_colours
from mapkit.kinds.rail.scanning.dots import find_board_symbols, warn_of_symbols
from mapkit.operations.options import Argument, Flag


def find_dots(
    picture: Annotated[str | Path, Argument("", "PICTURE", "A scan of a board: PNG, JPEG, WebP or TIFF.")],
    *,
    symbols: Annotated[
        str | None, Flag("", "#RRGGBB", "What dots and squares are filled with; found by default.")
    ] = None,
    progress: Progress = quiet,
) -> SymbolsFound:
    """Find the dots and squares of a scan of a board.

    Lists each with its kind, its middle and its width in pixels, and how sure it is, from top to bottom. The editor
    proposes them for mileposts and cities: Find dots and squares, in the panel Background.

    Raises:
        SourceError: The picture cannot be read, or has no dots and squares.
    """
    path = Path(picture)
    filled = (check_colour(symbols),) if symbols is not None else None
    progress("reading the picture")
    pixels = read_pixels(path)
    progress("finding dots and squares")
    try:
        colour, found, sizes = find_board_symbols(pixels, filled or guess_symbol_colours(pixels))
    except SourceError as error:
        raise SourceError(f"{path.name}: {error}") from error
    height, width = pixels.shape[:2]
    return SymbolsFound(
        picture=path.name,
        width=width,
        height=height,
        colour=colour,
        dot_width=round(2 * sizes.dot, 1),
        square_width=round(2 * sizes.square, 1),
        symbols=tuple(
            SymbolFound(
                kind=symbol.kind,
                x=round(symbol.x, 1),
                y=round(symbol.y, 1),
                width=round(2 * symbol.half, 1),
                confidence=round(symbol.sure, 2),
            )
            for symbol in found
        ),
        warnings=tuple(filter(None, [warn_of_symbols(found)])),
    )
