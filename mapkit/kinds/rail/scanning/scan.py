"""Recognition of a scanned board: dots and squares, and the lines of each railroad between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from PIL import Image

from mapkit.core.arrays import Floats
from mapkit.core.progress import Progress, quiet
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.courses import line_of, meeting
from mapkit.kinds.rail.scanning.dots import found_symbols
from mapkit.kinds.rail.scanning.graph import courses_of, through_junctions
from mapkit.kinds.rail.scanning.ink_assignment import learned
from mapkit.kinds.rail.scanning.ink_candidates import Claimed, ScanSheet, claimed, claims_of, heard, known_of, settled
from mapkit.kinds.rail.scanning.inks import colour_lab, keys_of, read_inks
from mapkit.kinds.rail.scanning.isolated_links import JOINS, less_sure_alone
from mapkit.kinds.rail.scanning.junctions import through_rings
from mapkit.kinds.rail.scanning.links import Evidence, Link, less_sure_again
from mapkit.kinds.rail.scanning.places import place_symbols
from mapkit.kinds.rail.scanning.symbols import Sizes, Symbol

WORKING_DOT: Final = 4.8
"""Half the width of a dot in the picture for following lines; larger pictures are scaled down."""
_MAX_LARGER: Final = 1.15
_BESIDE_REACH: Final = 22


@dataclass(frozen=True)
class ScannedLink:
    """Link of a railroad between two symbols by their numbers, with its line in pixels of the picture."""

    railroad: str
    a: int
    b: int
    confidence: float
    evidence: Evidence
    line: Floats


@dataclass(frozen=True)
class ScannedLine:
    """Line to draw, from symbol to symbol, or to a junction; each stretch is drawn once."""

    railroad: str
    a: int | None
    b: int | None
    confidence: float
    line: Floats


@dataclass(frozen=True)
class ScannedBoard:
    """Recognised content of a picture of a board.

    Attributes:
        width: Of the picture, pixels.
        height: Likewise.
        sizes: Half the width of dots and squares.
        symbols: Dots and squares that a railroad serves, from top to bottom.
        stray: Dots and squares that no railroad serves, such as the legend's.
        links: Links of all railroads.
        lines: Lines that draw the links.
    """

    width: int
    height: int
    sizes: Sizes
    symbols: tuple[Symbol, ...]
    stray: tuple[Symbol, ...]
    links: tuple[ScannedLink, ...]
    lines: tuple[ScannedLine, ...]


def scan_board(
    pixels: Pixels, railroads: Mapping[str, str], symbol_colours: Sequence[str], *, progress: Progress = quiet
) -> ScannedBoard:
    """Recognise the board in a picture.

    Args:
        pixels: The picture.
        railroads: The colour of each railroad's line in the picture, `#rrggbb`, by its id.
        symbol_colours: The colour that dots and squares are filled with; of several, the one with most of them.
        progress: Called with what is done next.

    Raises:
        SourceError: The picture has no dots or squares of this colour.
    """
    progress("finding dots and squares")
    symbol_colour, symbols, sizes = found_symbols(pixels, symbol_colours)
    height, width = pixels.shape[:2]
    half = _dot_size(sizes)
    scale = WORKING_DOT / half if half > WORKING_DOT * _MAX_LARGER else 1.0
    small_pixels = _resize_picture(pixels, scale)
    scaled_symbols = [_scale_symbol(symbol, scale) for symbol in symbols]
    progress("telling inks apart")
    railroad_ids = sorted(railroads)
    ink_colours = [*(colour_lab(railroads[ident]) for ident in railroad_ids), colour_lab(symbol_colour)]
    sheet = ScanSheet.of(
        read_inks(small_pixels, ink_colours),
        place_symbols(scaled_symbols, small_pixels.shape[:2], _BESIDE_REACH),
        _dot_size(sizes) * scale,
    )
    colour_keys, railroad_inks = keys_of(small_pixels), np.array(ink_colours[:-1])
    everyone: list[Claimed] = []
    for number, ident in enumerate(railroad_ids):
        progress(f"following {ident}")
        everyone.append(claimed(sheet, number))
    progress("telling railroads apart")
    claims = claims_of(sheet, colour_keys, everyone)
    vocabulary = learned(claims, railroad_inks)
    first_results = known_of(
        sheet, heard(everyone, vocabulary.verdicts(claims)), [railroad_claim.ink for railroad_claim in everyone]
    )
    for number, ident in enumerate(railroad_ids):
        progress(f"following {ident} again")
        everyone[number] = claimed(sheet, number, first_results[number])
    progress("telling railroads apart again")
    judged_links = heard(everyone, vocabulary.verdicts(claims_of(sheet, colour_keys, everyone)))
    settled_links = settled(sheet, judged_links, [railroad_claim.ink for railroad_claim in everyone])
    all_links: list[ScannedLink] = []
    all_lines: list[ScannedLine] = []
    for ident, railroad_links, railroad_claim in zip(railroad_ids, settled_links, everyone, strict=True):
        own_links, own_lines = less_sure_alone(*_follow_railroad(sheet, ident, railroad_links, railroad_claim))
        all_links += own_links
        all_lines += own_lines
    all_links = [replace(link, line=_scale_back(link.line, scale)) for link in all_links]
    all_lines = [replace(line, line=_scale_back(line.line, scale)) for line in all_lines]
    return _number_symbols(ScannedBoard(width, height, sizes, symbols, (), tuple(all_links), tuple(all_lines)))


def _dot_size(sizes: Sizes) -> float:
    return sizes.dot or sizes.square / 2


def _resize_picture(pixels: Pixels, scale: float) -> Pixels:
    if scale == 1.0:
        return pixels
    new_size = max(2, round(pixels.shape[1] * scale)), max(2, round(pixels.shape[0] * scale))
    return np.asarray(Image.fromarray(pixels).resize(new_size, Image.Resampling.BOX), dtype=np.uint8)


def _scale_symbol(symbol: Symbol, scale: float) -> Symbol:
    def moved(value: float) -> float:
        return (value + 0.5) * scale - 0.5

    spots = tuple((moved(x), moved(y)) for x, y in symbol.spots)
    return replace(symbol, x=moved(symbol.x), y=moved(symbol.y), half=symbol.half * scale, spots=spots)


def _scale_back(line: Floats, scale: float) -> Floats:
    return (line + 0.5) / scale - 0.5


def _follow_railroad(
    sheet: ScanSheet, ident: str, links: Sequence[Link], claim: Claimed
) -> tuple[list[ScannedLink], list[ScannedLine]]:
    """Return the links and lines of one railroad, in pixels of the sheet."""
    ink = claim.ink
    plain_links, ring_links, ring_courses = through_rings(links, len(sheet.places.symbols))
    inside = sheet.symbol >= 0
    complete_links = less_sure_again([*through_junctions(plain_links, inside), *ring_links])
    courses = courses_of(complete_links[: len(plain_links)], inside) + ring_courses
    symbols = sheet.places.symbols
    scanned_links = [
        ScannedLink(
            ident,
            link.a,
            link.b,
            link.confidence,
            link.evidence,
            _add_symbol_ends(line_of(link.rows, link.columns, ink), symbols, link.a, link.b),
        )
        for link in complete_links
    ]
    course_ends = [(c.a if c.a >= 0 else None, c.b) for c in courses]
    drawn_lines = [
        _add_symbol_ends(line_of(c.rows, c.columns, ink), symbols, *e)
        for c, e in zip(courses, course_ends, strict=True)
    ]
    drawn_lines = meeting(drawn_lines, [(a is None, b is None) for a, b in course_ends])
    scanned_lines = [
        ScannedLine(ident, *e, c.confidence, line) for c, e, line in zip(courses, course_ends, drawn_lines, strict=True)
    ]
    return scanned_links, scanned_lines


def _add_symbol_ends(line: Floats, symbols: Sequence[Symbol], a: int | None, b: int | None) -> Floats:
    """Return a line that begins and ends in the middle of its symbols."""
    line_parts = [line]
    if a is not None:
        end_symbol = symbols[a]
        line_parts[0] = _drop_inside(line_parts[0], end_symbol)
        line_parts.insert(0, np.array([[end_symbol.x, end_symbol.y]]))
    if b is not None:
        end_symbol = symbols[b]
        line_parts[-1] = _drop_inside(line_parts[-1], end_symbol)
        line_parts.append(np.array([[end_symbol.x, end_symbol.y]]))
    return np.concatenate(line_parts)


def _drop_inside(line: Floats, symbol: Symbol) -> Floats:
    """Return the vertices of a line that lie outside a symbol."""
    symbol_xy = np.array(symbol.spots or ((symbol.x, symbol.y),))
    spot_distances = np.abs(line[:, None] - symbol_xy).max(axis=2).min(axis=1)
    return np.asarray(line[spot_distances > symbol.half])


def _number_symbols(board: ScannedBoard) -> ScannedBoard:
    """Return a board with stray symbols apart: those without a link that is rather there than not."""
    used_symbols = sorted({end for link in board.links if link.confidence >= JOINS for end in (link.a, link.b)})
    new_numbers = {old_number: new_number for new_number, old_number in enumerate(used_symbols)}
    return replace(
        board,
        symbols=tuple(board.symbols[old_number] for old_number in used_symbols),
        stray=tuple(symbol for old_number, symbol in enumerate(board.symbols) if old_number not in new_numbers),
        links=tuple(
            replace(link, a=new_numbers[link.a], b=new_numbers[link.b])
            for link in board.links
            if link.a in new_numbers and link.b in new_numbers
        ),
        lines=tuple(
            replace(
                line,
                a=None if line.a is None else new_numbers[line.a],
                b=None if line.b is None else new_numbers[line.b],
            )
            for line in board.lines
            if all(end is None or end in new_numbers for end in (line.a, line.b))
        ),
    )
