"""What of a board an RB3 file does not hold, a phrase each, only what this board has."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.core.plurals import counted
from mapkit.kinds.rail.exchange.rb3.cities import PENS, MergedCities, sign_code
from mapkit.kinds.rail.exchange.rb3.frame import EXTENSION, RB3Frame
from mapkit.kinds.rail.exchange.rb3.lines import MOST_APART, Edge
from mapkit.kinds.rail.exchange.rb3.model import RATIO, RB3File
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.rules.rules import Rules

_STRAIGHT = 2
_SHOWN = 5


def losses(
    board: Board,
    rb3: RB3File,
    frame: RB3Frame,
    cities: Sequence[MergedCities],
    edges: Sequence[frozenset[Edge]],
    *,
    straight: bool,
) -> tuple[str, ...]:
    """Return what is lost of a board.

    Args:
        board: The board.
        rb3: What it became.
        frame: Where that lies.
        cities: Its cities, twins merged.
        edges: The pairs of dots that each railroad joins.
        straight: Whether segments were written as one step, without junctions.
    """
    return (
        *_charts(board, cities),
        *_places(board, rb3, frame),
        *_track(board, edges, straight=straight),
        *_railroads(board),
        *_rest(board),
    )


def _charts(board: Board, cities: Sequence[MergedCities]) -> Iterator[str]:
    yield "cells of the destination charts: only the chances are kept"
    at = {city: row for row, city in enumerate(board.payoffs.cities)}
    chart = board.payoffs.thousands
    twins = [city for city in cities if len(city.cities) > 1]
    if twins:
        yield f"twins become one city each: {_listed([city.name for city in twins])}"
    others = [city.at for city in cities]
    differ = [
        twin.name
        for city in twins
        for twin in city.cities[1:]
        if any(chart[at[twin.id]][row] != chart[city.at][row] for row in others if row != city.at)
    ]
    if differ:
        yield f"payoffs of the second of twins, where they differ: {_listed(differ)}"
    inside = [city.name for city in twins for twin in city.cities for o in city.cities if chart[at[twin.id]][at[o.id]]]
    own = [board.payoffs.cities[row] for row in range(len(chart)) if chart[row][row]]
    if inside or own:
        yield f"payoffs between twins and of a city to itself: {_listed(sorted({*inside, *own}))}"
    if board.declared:
        yield "declared odds"


def _places(board: Board, rb3: RB3File, frame: RB3Frame) -> Iterator[str]:
    across = frame.unit / METRES_PER_MILE
    yield f"exact places: map units of {across:.3g} miles across and {across * RATIO:.3g} down"
    spots = Counter((dot.x, dot.y) for dots in rb3.dots for dot in dots.dots)
    together = sum(count for count in spots.values() if count > 1)
    if together:
        yield f"{together} dots lie on others in map units"
    dots = sum(milepost.kind == "dot" for milepost in board.mileposts)
    if dots:
        yield f"names of {dots} mileposts that are not cities"
    yield "ids of everything"


def _track(board: Board, edges: Sequence[frozenset[Edge]], *, straight: bool) -> Iterator[str]:
    bent = sum(len(piece.line) > _STRAIGHT for piece in board.pieces)
    if bent:
        yield f"bends of {bent} track pieces"
    if board.junctions and straight:
        yield f"{counted(len(board.junctions), 'junction')}, and that segments through them share track"
    elif board.junctions:
        free = counted(len(board.junctions), "junction is", "junctions are")
        yield f"that {free} free, for programs that do not know dots of colour 13"
    track = board.segments if straight else board.pieces
    loops = [t.id for t in track if t.a == t.b]
    if loops:
        yield f"track that leads back to where it began: {_listed(loops)}"
    seen: set[tuple[str, str, str]] = set()
    doubles: list[str] = []
    for t in track:
        key = (t.railroad, min(t.a, t.b), max(t.a, t.b))
        if key in seen and t.a != t.b:
            doubles.append(t.id)
        seen.add(key)
    if doubles:
        yield f"second track of a railroad between the same two dots: {_listed(doubles)}"
    crowded = sum(count > MOST_APART for count in Counter(pair for own in edges for pair in own).values())
    if crowded:
        yield f"drawing apart more than {MOST_APART} railroads between the same two dots: {crowded} places"
    if any(t.miles for t in track):
        yield "miles of track"


def _railroads(board: Board) -> Iterator[str]:
    public = [r.short for r in board.railroads if r.public]
    if public:
        yield f"that railroads are never sold: {_listed(public)}"
    patterns = sorted({r.style.pattern for r in board.railroads if r.style.pattern not in PENS})
    if patterns:
        yield f"line patterns, drawn solid: {', '.join(patterns)}"


def _rest(board: Board) -> Iterator[str]:
    yield "colours of regions"
    yield "rivers, borders of states, and the exact places of names"
    sign = "" if sign_code(board.units.symbol) else f" and its sign {board.units.symbol!r}"
    yield f"the currency {board.units.currency}{sign}"
    if board.rules != Rules():
        yield "rules that differ from the standard ones"
    extensions = [name for name in board.extensions if name != EXTENSION]
    if extensions:
        yield f"extensions: {_listed(extensions)}"
    if board.variants:
        yield f"the names of variants: {', '.join(board.variants)}"
    yield "the page, and where each element came from"
    if board.provenance.accepted:
        yield f"accepted findings: {len(board.provenance.accepted)}, which check names again"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
