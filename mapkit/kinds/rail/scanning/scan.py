"""A scanned board read: dots and squares, and the lines of each railroad between them."""

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
"""Half the width of a dot in the picture that lines are followed in; a larger picture is made smaller."""
_LARGER: Final = 1.15
_BESIDE: Final = 22


@dataclass(frozen=True)
class ScannedLink:
    """A link of a railroad between two symbols by their numbers, with its line in pixels of the picture."""

    railroad: str
    a: int
    b: int
    confidence: float
    evidence: Evidence
    line: Floats


@dataclass(frozen=True)
class ScannedLine:
    """A line to draw, from symbol to symbol, or to a junction; each stretch is drawn once."""

    railroad: str
    a: int | None
    b: int | None
    confidence: float
    line: Floats


@dataclass(frozen=True)
class ScannedBoard:
    """What a picture of a board shows.

    Attributes:
        width: Of the picture, pixels.
        height: Likewise.
        sizes: Half the width of dots and squares.
        symbols: Dots and squares that a railroad serves, from top to bottom.
        stray: Those that none does, such as the legend's.
        links: Links of all railroads.
        lines: What draws them.
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
    """Read a picture of a board.

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
    scale = _working_scale(sizes)
    small = _resized(pixels, scale)
    placed = [_scaled(symbol, scale) for symbol in symbols]
    progress("telling inks apart")
    ids = sorted(railroads)
    labs = [*(colour_lab(railroads[ident]) for ident in ids), colour_lab(symbol_colour)]
    sheet = ScanSheet.of(read_inks(small, labs), place_symbols(placed, small.shape[:2], _BESIDE), _dot(sizes) * scale)
    keys, inks = keys_of(small), np.array(labs[:-1])
    everyone: list[Claimed] = []
    for number, ident in enumerate(ids):
        progress(f"following {ident}")
        everyone.append(claimed(sheet, number))
    progress("telling railroads apart")
    claims = claims_of(sheet, keys, everyone)
    known = learned(claims, inks)
    first = known_of(sheet, heard(everyone, known.verdicts(claims)), [one.ink for one in everyone])
    for number, ident in enumerate(ids):
        progress(f"following {ident} again")
        everyone[number] = claimed(sheet, number, first[number])
    progress("telling railroads apart again")
    found = heard(everyone, known.verdicts(claims_of(sheet, keys, everyone)))
    whose = settled(sheet, found, [one.ink for one in everyone])
    links: list[ScannedLink] = []
    lines: list[ScannedLine] = []
    for ident, own, one in zip(ids, whose, everyone, strict=True):
        own_links, own_lines = less_sure_alone(*_followed(sheet, ident, own, one))
        links += own_links
        lines += own_lines
    links = [replace(link, line=_back(link.line, scale)) for link in links]
    lines = [replace(line, line=_back(line.line, scale)) for line in lines]
    return _numbered(ScannedBoard(width, height, sizes, symbols, (), tuple(links), tuple(lines)))


def _working_scale(sizes: Sizes) -> float:
    half = _dot(sizes)
    return WORKING_DOT / half if half > WORKING_DOT * _LARGER else 1.0


def _dot(sizes: Sizes) -> float:
    return sizes.dot or sizes.square / 2


def _resized(pixels: Pixels, scale: float) -> Pixels:
    if scale == 1.0:
        return pixels
    size = max(2, round(pixels.shape[1] * scale)), max(2, round(pixels.shape[0] * scale))
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BOX), dtype=np.uint8)


def _scaled(symbol: Symbol, scale: float) -> Symbol:
    def moved(value: float) -> float:
        return (value + 0.5) * scale - 0.5

    spots = tuple((moved(x), moved(y)) for x, y in symbol.spots)
    return replace(symbol, x=moved(symbol.x), y=moved(symbol.y), half=symbol.half * scale, spots=spots)


def _back(line: Floats, scale: float) -> Floats:
    return (line + 0.5) / scale - 0.5


def _followed(
    sheet: ScanSheet, ident: str, links: Sequence[Link], claim: Claimed
) -> tuple[list[ScannedLink], list[ScannedLine]]:
    """Return the links of one railroad, in pixels of the sheet."""
    ink = claim.ink
    plain, joined, arms = through_rings(links, len(sheet.places.symbols))
    inside = sheet.symbol >= 0
    whole = less_sure_again([*through_junctions(plain, inside), *joined])
    courses = courses_of(whole[: len(plain)], inside) + arms
    symbols = sheet.places.symbols
    found = [
        ScannedLink(
            ident,
            link.a,
            link.b,
            link.confidence,
            link.evidence,
            _ended(line_of(link.rows, link.columns, ink), symbols, link.a, link.b),
        )
        for link in whole
    ]
    ends = [(c.a if c.a >= 0 else None, c.b) for c in courses]
    drawn = [_ended(line_of(c.rows, c.columns, ink), symbols, *e) for c, e in zip(courses, ends, strict=True)]
    drawn = meeting(drawn, [(a is None, b is None) for a, b in ends])
    lines = [ScannedLine(ident, *e, c.confidence, line) for c, e, line in zip(courses, ends, drawn, strict=True)]
    return found, lines


def _ended(line: Floats, symbols: Sequence[Symbol], a: int | None, b: int | None) -> Floats:
    """Return a line that begins and ends in the middle of its symbols."""
    parts = [line]
    if a is not None:
        symbol = symbols[a]
        parts[0] = _without(parts[0], symbol)
        parts.insert(0, np.array([[symbol.x, symbol.y]]))
    if b is not None:
        symbol = symbols[b]
        parts[-1] = _without(parts[-1], symbol)
        parts.append(np.array([[symbol.x, symbol.y]]))
    return np.concatenate(parts)


def _without(line: Floats, symbol: Symbol) -> Floats:
    """Return the vertices of a line that lie outside a symbol."""
    spots = np.array(symbol.spots or ((symbol.x, symbol.y),))
    off = np.abs(line[:, None] - spots).max(axis=2).min(axis=1)
    return np.asarray(line[off > symbol.half])


def _numbered(board: ScannedBoard) -> ScannedBoard:
    """Return a board whose stray symbols stand apart: those that no link reaches which is rather there than not."""
    used = sorted({end for link in board.links if link.confidence >= JOINS for end in (link.a, link.b)})
    new = {old: number for number, old in enumerate(used)}
    return replace(
        board,
        symbols=tuple(board.symbols[old] for old in used),
        stray=tuple(symbol for old, symbol in enumerate(board.symbols) if old not in new),
        links=tuple(
            replace(link, a=new[link.a], b=new[link.b]) for link in board.links if link.a in new and link.b in new
        ),
        lines=tuple(
            replace(
                line,
                a=None if line.a is None else new[line.a],
                b=None if line.b is None else new[line.b],
            )
            for line in board.lines
            if all(end is None or end in new for end in (line.a, line.b))
        ),
    )
