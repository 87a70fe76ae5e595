"""Phrases for the parts of a board that an RB3 file cannot hold."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.exchange.rb3.cities import PENS, MergedCities, sign_code
from mapkit.kinds.rail.exchange.rb3.frame import EXTENSION, RB3Frame
from mapkit.kinds.rail.exchange.rb3.model import RATIO, RB3File
from mapkit.kinds.rail.exchange.rb3.route_lines import MOST_APART, Edge
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.rules.rules import Rules

_STRAIGHT_POINTS = 2
_MAX_SHOWN = 5


def list_losses(
    board: Board,
    rb3: RB3File,
    frame: RB3Frame,
    cities: Sequence[MergedCities],
    edges: Sequence[frozenset[Edge]],
) -> tuple[str, ...]:
    """Return a phrase for each lost part of a board.

    Args:
        board: The board.
        rb3: The exported file.
        frame: The frame of the file.
        cities: Its cities, twins merged.
        edges: The pairs of dots that each railroad joins.
    """
    return (
        *_chart_losses(board, cities),
        *_place_losses(board, rb3, frame),
        *_track_losses(board, edges),
        *_railroad_losses(board),
        *_other_losses(board),
    )


def _chart_losses(board: Board, cities: Sequence[MergedCities]) -> Iterator[str]:
    yield "cells of the destination charts: only the chances are kept"
    row_by_city = {city: chart_row for chart_row, city in enumerate(board.payoffs.cities)}
    chart_thousands = board.payoffs.thousands
    twins = [city for city in cities if len(city.cities) > 1]
    if twins:
        yield f"twins become one city each: {_join_names([city.name for city in twins])}"
    city_rows = [city.at for city in cities]
    differing_twins = [
        twin.name
        for city in twins
        for twin in city.cities[1:]
        if any(
            chart_thousands[row_by_city[twin.id]][chart_row] != chart_thousands[city.at][chart_row]
            for chart_row in city_rows
            if chart_row != city.at
        )
    ]
    if differing_twins:
        yield f"payoffs of the second of twins, where they differ: {_join_names(differing_twins)}"
    twins_with_payoffs = [
        city.name
        for city in twins
        for twin in city.cities
        for o in city.cities
        if chart_thousands[row_by_city[twin.id]][row_by_city[o.id]]
    ]
    self_paying = [
        board.payoffs.cities[chart_row]
        for chart_row in range(len(chart_thousands))
        if chart_thousands[chart_row][chart_row]
    ]
    if twins_with_payoffs or self_paying:
        yield (
            f"payoffs between twins and of a city to itself: {_join_names(sorted({*twins_with_payoffs, *self_paying}))}"
        )
    if board.declared:
        yield "declared odds"


def _place_losses(board: Board, rb3: RB3File, frame: RB3Frame) -> Iterator[str]:
    unit_miles = frame.unit / METRES_PER_MILE
    yield f"exact places: map units of {unit_miles:.3g} miles across and {unit_miles * RATIO:.3g} down"
    dot_counts = Counter((dot.x, dot.y) for region_dots in rb3.dots for dot in region_dots.dots)
    shared_dots = sum(count for count in dot_counts.values() if count > 1)
    if shared_dots:
        yield f"{shared_dots} dots lie on others in map units"
    dot_mileposts = sum(milepost.kind == "dot" for milepost in board.mileposts)
    if dot_mileposts:
        yield f"names of {dot_mileposts} mileposts that are not cities"
    yield "ids of everything"


def _track_losses(board: Board, edges: Sequence[frozenset[Edge]]) -> Iterator[str]:
    bent_pieces = sum(len(piece.line) > _STRAIGHT_POINTS for piece in board.pieces)
    if bent_pieces:
        yield f"bends of {bent_pieces} track pieces"
    if board.junctions:
        free_junctions = count_noun(len(board.junctions), "junction is", "junctions are")
        yield f"that {free_junctions} free, for programs that do not know dots of colour 13"
    loop_ids = [t.id for t in board.pieces if t.a == t.b]
    if loop_ids:
        yield f"track that leads back to where it began: {_join_names(loop_ids)}"
    seen_pairs: set[tuple[str, str, str]] = set()
    double_ids: list[str] = []
    for t in board.pieces:
        track_key = (t.railroad, min(t.a, t.b), max(t.a, t.b))
        if track_key in seen_pairs and t.a != t.b:
            double_ids.append(t.id)
        seen_pairs.add(track_key)
    if double_ids:
        yield f"second track of a railroad between the same two dots: {_join_names(double_ids)}"
    crowded_pairs = sum(
        count > MOST_APART
        for count in Counter(edge_pair for railroad_edges in edges for edge_pair in railroad_edges).values()
    )
    if crowded_pairs:
        yield f"drawing apart more than {MOST_APART} railroads between the same two dots: {crowded_pairs} places"
    if any(t.miles for t in board.pieces):
        yield "miles of track"


def _railroad_losses(board: Board) -> Iterator[str]:
    public_railroads = [r.short for r in board.railroads if r.public]
    if public_railroads:
        yield f"that railroads are never sold: {_join_names(public_railroads)}"
    lost_patterns = sorted({r.style.pattern for r in board.railroads if r.style.pattern not in PENS})
    if lost_patterns:
        yield f"line patterns, drawn solid: {', '.join(lost_patterns)}"


def _other_losses(board: Board) -> Iterator[str]:
    yield "colours of regions"
    yield "rivers, borders of states, and the exact places of names"
    lost_sign = "" if sign_code(board.units.symbol) else f" and its sign {board.units.symbol!r}"
    yield f"the currency {board.units.currency}{lost_sign}"
    if board.rules != Rules():
        yield "rules that differ from the standard ones"
    lost_extensions = [extension_name for extension_name in board.extensions if extension_name != EXTENSION]
    if lost_extensions:
        yield f"extensions: {_join_names(lost_extensions)}"
    if board.variants:
        yield f"the names of variants: {', '.join(board.variants)}"
    yield "the page, and where each element came from"
    if board.provenance.accepted:
        yield f"accepted findings: {len(board.provenance.accepted)}, which check names again"


def _join_names(names: Sequence[str]) -> str:
    more_text = f" and {len(names) - _MAX_SHOWN} more" if len(names) > _MAX_SHOWN else ""
    return ", ".join(names[:_MAX_SHOWN]) + more_text
