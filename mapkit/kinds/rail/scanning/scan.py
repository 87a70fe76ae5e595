"""Recognition of a scanned board: dots and squares, and the lines of each railroad between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from mapkit.core import heavy
from mapkit.core.arrays import Floats
from mapkit.core.base import Point
from mapkit.core.progress import Progress, quiet
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.arrays import Floats32
from mapkit.kinds.rail.scanning.colours import unite_inks
from mapkit.kinds.rail.scanning.dots import drop_letters, find_board_symbols
from mapkit.kinds.rail.scanning.enlarging import resize_picture, scale_point, scale_symbol
from mapkit.kinds.rail.scanning.ink_assignment import (
    LineClaim,
    judge_by_colour,
    learn_vocabulary,
    measure_ink_directions,
    sample_keys,
    select_sure_lines,
)
from mapkit.kinds.rail.scanning.ink_candidates import (
    InkClaim,
    ScanSheet,
    claim_ink,
    join_loose_ends,
    make_claims,
    pair_with_verdicts,
    settle_claims,
    summarise_first_round,
    trace_centre_line,
)
from mapkit.kinds.rail.scanning.inks import Keys, blend_inks, colour_lab, colour_table, pixels_to_keys, read_inks
from mapkit.kinds.rail.scanning.junctions import link_through_rings, number_rings_apart
from mapkit.kinds.rail.scanning.line_patterns import (
    CLICKED_LENGTH,
    PATTERN_OFFSETS,
    assign_railroads,
    describe_pattern,
    find_clicked_lines,
)
from mapkit.kinds.rail.scanning.links import SURE, Evidence, Link, lower_repeated_confidence
from mapkit.kinds.rail.scanning.open_junctions import add_links_through_junctions, draw_courses
from mapkit.kinds.rail.scanning.places import SymbolMap, place_symbols
from mapkit.kinds.rail.scanning.symbols import Sizes, Symbol

_ISOLATED_FACTOR: Final = 0.5
"""Factor on the confidence of an isolated link or line."""
JOINS: Final = 0.5
"""Least confidence of a link that connects others."""


WORKING_DOT: Final = 4.8
"""Half the width of a dot in the picture for following lines; other pictures are scaled to it."""
_MAX_RATIO: Final = 1.15
_BESIDE_REACH: Final = 22
_OTHER_INK: Final = 2.0
"""Factor on the distance of a click from lines of other inks than that of its railroad."""
_COMPUTED_CONFIDENCES: Final = (0.0, 0.49, 0.5, 0.65, 0.75, 0.85, 1.0)
_RIGHT_SHARES: Final = (0.0, 0.09, 0.5, 0.52, 0.66, 0.87, 0.95)
"""Share of links that are right by their computed confidence, where railroads share inks, on two scans drawn for it."""


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


def lower_isolated_confidence(
    links: Sequence[ScannedLink], lines: Sequence[ScannedLine]
) -> tuple[list[ScannedLink], list[ScannedLine]]:
    """Halve the confidence of links and lines of a railroad that are not connected to a sure link.

    Only links with a confidence of at least `JOINS` connect others. A line that ends at a junction counts as connected.
    A railroad without sure links is unchanged.
    """
    nx = heavy.networkx
    sure_ends = {end for link in links if link.confidence >= SURE for end in (link.a, link.b)}
    link_graph: heavy.networkx.Graph[int] = nx.Graph((link.a, link.b) for link in links if link.confidence >= JOINS)
    joined_ends = {end for part in nx.connected_components(link_graph) if part & sure_ends for end in part}

    def alone(*ends: int | None) -> bool:
        return bool(sure_ends) and not any(end is None or end in joined_ends for end in ends)

    return (
        [
            replace(link, confidence=link.confidence * _ISOLATED_FACTOR, evidence=replace(link.evidence, alone=True))
            if alone(link.a, link.b)
            else link
            for link in links
        ],
        [
            replace(line, confidence=line.confidence * _ISOLATED_FACTOR) if alone(line.a, line.b) else line
            for line in lines
        ],
    )


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
    pixels: Pixels,
    railroads: Mapping[str, str],
    symbol_colours: Sequence[str],
    *,
    clicks: Mapping[str, Point] = MappingProxyType({}),
    progress: Progress = quiet,
) -> ScannedBoard:
    """Recognise the board in a picture.

    Args:
        pixels: The picture.
        railroads: The colour of each railroad's line in the picture, `#rrggbb`, by its id.
        symbol_colours: The colour that dots and squares are filled with; of several, the one with most of them.
        clicks: A pixel on a line of each railroad, by its id; it shows the pattern of railroads printed in one ink.
        progress: Called with what is done next.

    Raises:
        SourceError: The picture has no dots or squares of this colour.
    """
    progress("finding dots and squares")
    symbol_colour, all_symbols, sizes = find_board_symbols(pixels, symbol_colours)
    symbols = drop_letters(pixels, all_symbols, symbol_colour)
    height, width = pixels.shape[:2]
    half = _dot_size(sizes)
    scale = WORKING_DOT / half if not 1 / _MAX_RATIO <= half / WORKING_DOT <= _MAX_RATIO else 1.0
    small_pixels = resize_picture(pixels, scale)
    places = place_symbols([scale_symbol(s, scale) for s in symbols], small_pixels.shape[:2], _BESIDE_REACH)
    scaled_clicks = {ident: scale_point(click, scale) for ident, click in clicks.items()}
    colours = unite_inks(pixels, railroads, clicks, half)
    inks = _follow_inks(colours, clicks, symbol_colour, small_pixels, places, half * scale, progress)
    if inks.is_shared and (sure_lines := select_sure_lines(inks.lines, inks.blends[:-1])):
        new_colours = unite_inks(pixels, railroads, clicks, half, sure_lines, scale)
        if _group_railroads(new_colours) != _group_railroads(colours):
            del inks  # as large as what comes
            inks = _follow_inks(new_colours, clicks, symbol_colour, small_pixels, places, half * scale, progress)
    sheet, printed_inks, everyone = inks.sheet, inks.printed, inks.claims
    judge = (
        partial(judge_by_colour, inks=inks.blends[:-1])
        if inks.is_shared
        else learn_vocabulary(inks.lines, inks.colours).verdicts
    )
    first_results = summarise_first_round(
        sheet, pair_with_verdicts(everyone, judge(inks.lines)), [claim.ink for claim in everyone]
    )
    for number, printed_ink in enumerate(printed_inks):
        progress(f"following {printed_ink.text} again")
        everyone[number] = claim_ink(sheet, number, first_results[number])
    progress("telling inks of lines apart again")
    lines = make_claims(sheet, inks.keys, everyone)
    judged_links = pair_with_verdicts(everyone, judge(lines))
    settled_links = settle_claims(sheet, judged_links, [claim.ink for claim in everyone])
    lines = [lines[number] for links in settled_links for number, _link in links]
    everyone = [
        replace(claim, links=[link for _number, link in links])
        for claim, links in zip(everyone, settled_links, strict=True)
    ]
    if inks.is_shared:
        progress("telling railroads apart by their patterns")
    all_links: list[ScannedLink] = []
    all_lines: list[ScannedLine] = []
    for ident, density, railroad_links in _tell_railroads_apart(
        inks._replace(claims=everyone, lines=lines), scaled_clicks
    ):
        own_links, own_lines = lower_isolated_confidence(*_follow_railroad(sheet, ident, railroad_links, density))
        all_links += own_links
        all_lines += own_lines
    all_links = [replace(link, line=_scale_back(link.line, scale)) for link in all_links]
    all_lines = [replace(line, line=_scale_back(line.line, scale)) for line in all_lines]
    board = _number_symbols(ScannedBoard(width, height, sizes, symbols, (), tuple(all_links), tuple(all_lines)))
    return _calibrate(board) if inks.is_shared else board


class _PrintedInk(NamedTuple):
    """Ink of a picture, and the railroads printed in it."""

    colour: str
    railroads: tuple[str, ...]

    @property
    def text(self) -> str:
        """The railroads for messages."""
        return ", ".join(self.railroads)


class _FollowedInks(NamedTuple):
    """Inks of a picture with the lines along which each was followed.

    `colours` are OKLab of the inks, `blends` their blend coordinates and that of symbols, `keys` those of the picture's
    pixels in the table of colours.
    """

    printed: list[_PrintedInk]
    colours: Floats
    blends: Floats
    keys: Keys
    sheet: ScanSheet
    claims: list[InkClaim]
    lines: list[LineClaim]

    @property
    def is_shared(self) -> bool:
        """Whether several railroads are printed in one ink."""
        return any(len(printed_ink.railroads) > 1 for printed_ink in self.printed)


def _follow_inks(
    colours: Mapping[str, str],
    clicks: Mapping[str, Point],
    symbol_colour: str,
    pixels: Pixels,
    places: SymbolMap,
    dot: float,
    progress: Progress,
) -> _FollowedInks:
    """Follow each ink once."""
    progress("telling inks apart")
    printed_inks = _group_by_ink(colours, clicks)
    is_shared = len(printed_inks) < len(colours)
    ink_colours = [*(colour_lab(printed_ink.colour) for printed_ink in printed_inks), colour_lab(symbol_colour)]
    blends = blend_inks([printed_ink.colour for printed_ink in printed_inks], symbol_colour)
    sheet = ScanSheet.of(read_inks(pixels, ink_colours, blends if is_shared else ()), places, dot)
    claims: list[InkClaim] = []
    for number, printed_ink in enumerate(printed_inks):
        progress(f"following {printed_ink.text}")
        claims.append(claim_ink(sheet, number))
    progress("telling inks of lines apart")
    keys = pixels_to_keys(pixels)
    lines = make_claims(sheet, keys, claims)
    return _FollowedInks(printed_inks, np.array(ink_colours[:-1]), blends, keys, sheet, claims, lines)


def _tell_railroads_apart(
    inks: _FollowedInks, clicks: Mapping[str, Point]
) -> Iterator[tuple[str, Floats32, list[Link]]]:
    """Yield each railroad with the density of its inks and its links.

    Inks all of whose railroads have a click are judged together, as single lines do not show their ink reliably.
    """
    clicked_inks = [n for n, ink in enumerate(inks.printed) if inks.is_shared and set(ink.railroads) <= clicks.keys()]
    for number, printed_ink in enumerate(inks.printed):
        if number not in clicked_inks:
            yield printed_ink.railroads[0], inks.claims[number].ink, list(inks.claims[number].links)
    if not clicked_inks:
        return
    links = number_rings_apart(
        [(number, link) for number in clicked_inks for link in inks.claims[number].links],
        len(inks.sheet.places.symbols),
    )
    lines = [line for line in inks.lines if line.railroad in clicked_inks]
    idents = [ident for number in clicked_inks for ident in inks.printed[number].railroads]
    for ident, own_links in _split_by_pattern(inks, idents, links, lines, clicks).items():
        own_inks = {number for number, _link in own_links}
        if own_inks:
            density = np.maximum.reduce([inks.claims[number].ink for number in sorted(own_inks)])
            yield ident, density, [link for _number, link in own_links]


def _group_by_ink(inks: Mapping[str, str], clicks: Mapping[str, Point]) -> list[_PrintedInk]:
    """Return the inks with their railroads; only clicks distinguish several railroads in one ink."""
    groups: dict[str, list[str]] = {}
    for ident in sorted(inks):
        groups.setdefault(inks[ident] if ident in clicks else ident, []).append(ident)
    return [_PrintedInk(inks[idents[0]], tuple(idents)) for idents in groups.values()]


def _group_railroads(inks: Mapping[str, str]) -> set[frozenset[str]]:
    """Return the railroads of each ink."""
    return {frozenset(ident for ident, other in inks.items() if other == colour) for colour in inks.values()}


def _split_by_pattern(
    inks: _FollowedInks,
    idents: Sequence[str],
    links: Sequence[tuple[int, Link]],
    lines: Sequence[LineClaim],
    clicks: Mapping[str, Point],
) -> dict[str, list[tuple[int, Link]]]:
    """Return the links of each railroad with their inks; their confidence falls with the doubt about their railroad."""
    out: dict[str, list[tuple[int, Link]]] = {ident: [] for ident in idents}
    if not links:
        return out
    is_own = np.array([[ident in inks.printed[line.railroad].railroads for ident in idents] for line in lines])
    distances = np.array([[line.measure_distance(clicks[ident]) for ident in idents] for line in lines])
    seeds = find_clicked_lines(np.where(is_own, distances, _OTHER_INK * distances))
    sections_by_line = [colour_table()[sample_keys(line.xy, line.across, inks.keys, PATTERN_OFFSETS)] for line in lines]
    directions = measure_ink_directions(lines)
    clicked = []
    for ident, seed in zip(idents, seeds.tolist(), strict=True):
        middle = lines[seed].find_step(clicks[ident])
        stretch = sections_by_line[seed][max(0, middle - CLICKED_LENGTH) : middle + CLICKED_LENGTH]
        pattern = describe_pattern(stretch, inks.colours[lines[seed].railroad])
        clicked.append(np.concatenate((pattern, directions[seed])))
    patterns = [
        describe_pattern(sections, inks.colours[line.railroad])
        for sections, line in zip(sections_by_line, lines, strict=True)
    ]
    numbers, likelihoods = assign_railroads(
        np.concatenate((np.array(patterns), directions), axis=1),
        np.array([(link.a, link.b) for _number, link in links]),
        np.array([line.find_end_directions() for line in lines]),
        np.array(clicked),
        seeds,
    )
    for (ink_number, link), number, likelihood in zip(links, numbers.tolist(), likelihoods.tolist(), strict=True):
        out[idents[number]].append((ink_number, replace(link, confidence=link.confidence * likelihood)))
    return out


def _dot_size(sizes: Sizes) -> float:
    return sizes.dot or sizes.square / 2


def _scale_back(line: Floats, scale: float) -> Floats:
    return (line + 0.5) / scale - 0.5


def _follow_railroad(
    sheet: ScanSheet, ident: str, links: Sequence[Link], ink: Floats32
) -> tuple[list[ScannedLink], list[ScannedLine]]:
    """Return the links and lines of one railroad, in pixels of the sheet."""
    plain_links, ring_links, ring_courses = link_through_rings(links, len(sheet.places.symbols))
    inside = sheet.symbol >= 0
    complete_links = lower_repeated_confidence([*add_links_through_junctions(plain_links, inside), *ring_links])
    courses = draw_courses(complete_links[: len(plain_links)], inside) + ring_courses
    symbols = sheet.places.symbols
    scanned_links = [
        ScannedLink(
            ident,
            link.a,
            link.b,
            link.confidence,
            link.evidence,
            _add_symbol_ends(trace_centre_line(link.rows, link.columns, ink), symbols, link.a, link.b),
        )
        for link in complete_links
    ]
    course_ends = [(c.a if c.a >= 0 else None, c.b) for c in courses]
    drawn_lines = [
        _add_symbol_ends(trace_centre_line(c.rows, c.columns, ink), symbols, *e)
        for c, e in zip(courses, course_ends, strict=True)
    ]
    drawn_lines = join_loose_ends(drawn_lines, [(a is None, b is None) for a, b in course_ends])
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


def _calibrate(board: ScannedBoard) -> ScannedBoard:
    """Return a board on which nine of ten links of confidence 0.9 are right."""

    def share(confidence: float) -> float:
        return float(np.interp(confidence, _COMPUTED_CONFIDENCES, _RIGHT_SHARES))

    return replace(
        board,
        links=tuple(replace(link, confidence=share(link.confidence)) for link in board.links),
        lines=tuple(replace(line, confidence=share(line.confidence)) for line in board.lines),
    )


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
