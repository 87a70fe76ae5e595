"""Semantic validation of a board from a file, so that no later step fails halfway."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.core.characters import broken_name_message, describe_character, find_character
from mapkit.core.errors import SourceError
from mapkit.core.plurals import count_noun
from mapkit.formats.degrees import LAST_LAT, judge_place
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board

MOST_PRICE: Final = 10_000_000
"""Highest price of a railroad in currency units, as in `railroads.csv`."""
MOST_THOUSANDS: Final = 10_000
"""Highest payoff in thousands."""
MOST_MM: Final = 100_000
"""Largest distance from the corner of a page."""
LONGEST_NAME: Final = 200
_MAX_SCALE: Final = 1000.0  # life size
_MAX_MILES: Final = 25_000  # around the Earth
_MAX_LON: Final = 360.0  # lines may continue beyond 180
_MIN_POINTS: Final = 2
_MAX_SHOWN: Final = 20
_PAGE_TOLERANCE_MM: Final = 0.5


def validate_board(board: Board, file: str) -> None:
    """Raise SourceError for a board that cannot be drawn, played or exported.

    Args:
        board: The board that was read.
        file: Name of its file in messages.

    Raises:
        SourceError: The projection is unusable, a name is empty, a price or an amount is out of bounds, a place is off
            the world or the page, the pieces of a segment do not lead from end to end, a cell of a chart has an unknown
            name, or the payoff chart is not square.
    """
    problem_lines = [f"{file}: {problem}" for problem in _list_problems(board)]
    if problem_lines:
        more_lines = [f"{file}: and {len(problem_lines) - _MAX_SHOWN} more"] if len(problem_lines) > _MAX_SHOWN else []
        raise SourceError([*problem_lines[:_MAX_SHOWN], *more_lines])


def refuse_moved_points(board: Board, file: str) -> None:
    """Raise an error if x and y of a milepost or junction are not where the projection puts its lon and lat.

    Raises:
        SourceError: The error names the first.
    """
    for table_name in ("mileposts", "junctions"):
        elements = getattr(board, table_name)
        page_points = PageMap(board.projection).to_page([(element.lon, element.lat) for element in elements])
        for element, (x, y) in zip(elements, page_points, strict=True):
            if max(abs(element.x - x), abs(element.y - y)) > _PAGE_TOLERANCE_MM:
                raise SourceError(
                    f"{file}: {table_name}: {element.id}: x and y are {element.x:g}, {element.y:g}, but lon "
                    f"{element.lon:g}, lat {element.lat:g} is at {x:g}, {y:g} on the page; correct one of the two"
                )


def _list_problems(board: Board) -> Iterator[str]:
    projection, page = board.projection, board.page
    try:
        if not heavy.pyproj.CRS.from_user_input(projection.crs).is_projected:
            yield f"projection.crs is {projection.crs!r}, which gives no metres; write it as it was"
    except heavy.pyproj.exceptions.CRSError:
        yield f"projection.crs is {projection.crs!r}, which PROJ does not know; write it as it was"
    if not 0 < projection.scale_mm_per_m <= _MAX_SCALE:
        yield f"projection.scale_mm_per_m is {projection.scale_mm_per_m:g}; write a number above 0, as it was"
    for size_name, size_mm in (("width", page.width), ("height", page.height)):
        if not 1 <= size_mm <= MOST_MM:
            yield f"page.{size_name} is {size_mm:g}; write 1 to {MOST_MM} millimetres"
    left, top, right, bottom = page.frame
    if not (-MOST_MM <= left < right <= MOST_MM and -MOST_MM <= top < bottom <= MOST_MM):
        yield f"page.frame is {list(page.frame)}; write left, top, right and bottom on the page"
    yield from _check_names(board)
    for railroad in board.railroads:
        if not 0 <= railroad.price <= MOST_PRICE:
            yield f"railroads: {railroad.id}: price is {railroad.price}; write an amount from 0 to {MOST_PRICE}"
    if board.units.payoff > MOST_PRICE:
        yield f"units.payoff is {board.units.payoff}; write {MOST_PRICE} at most"
    yield from _check_places(board)
    yield from _check_track(board)
    yield from _check_destinations(board)
    yield from _check_declared(board)
    yield from _check_payoffs(board)


def _check_names(board: Board) -> Iterator[str]:
    named_texts = [("title", board.title), ("units.symbol", board.units.symbol)]
    printed_texts = [
        ("licence", board.provenance.licence),
        *(("credits", credit) for credit in board.provenance.credits),
    ]
    for table_name in ("regions", "mileposts", "cities", "railroads"):
        for element in getattr(board, table_name):
            named_texts.append((f"{table_name}: {element.id}: name", element.name))
            if hasattr(element, "short"):
                named_texts.append((f"{table_name}: {element.id}: short", element.short))
    for where, text in (*named_texts, *printed_texts):
        if (character := find_character(text)) is not None:
            yield f"{where} is {text!r}, which holds {describe_character(character)}; delete it"
    for where, text in named_texts:
        if not text.strip():
            yield f"{where} is empty; write a name"
        elif len(text) > LONGEST_NAME:
            yield f"{where} has {len(text)} characters; write {LONGEST_NAME} at most"
        elif message := broken_name_message(where, text):
            yield message


def _check_places(board: Board) -> Iterator[str]:
    for table_name in ("mileposts", "junctions"):
        for element in getattr(board, table_name):
            yield from _check_degrees(f"{table_name}: {element.id}", ((element.lon, element.lat),))
            yield from _check_page_points(f"{table_name}: {element.id}", ((element.x, element.y),))


def _check_track(board: Board) -> Iterator[str]:
    piece_by_id = {piece.id: piece for piece in board.pieces}
    for piece in board.pieces:
        where = f"pieces: {piece.id}"
        yield from _check_miles(where, piece.miles)
        for field_name, line in (("line", piece.line), ("path", piece.path)):
            if len(line) < _MIN_POINTS:
                yield f"{where}: {field_name} has {count_noun(len(line), 'point')}; write two or more"
        yield from _check_degrees(where, piece.line)
        yield from _check_page_points(where, piece.path)
    for segment in board.segments:
        where = f"segments: {segment.id}"
        yield from _check_miles(where, segment.miles)
        yield from _check_page_points(where, segment.path)
        current_node: str | None = segment.a
        for piece_id in segment.pieces:
            used_piece = piece_by_id.get(piece_id)
            if used_piece is None:
                break  # reported with all other missing references
            current_node = (
                used_piece.b if current_node == used_piece.a else used_piece.a if current_node == used_piece.b else None
            )
            if used_piece.railroad != segment.railroad:
                yield f"{where}: its piece {piece_id} is of {used_piece.railroad}; name pieces of {segment.railroad}"
        if current_node != segment.b and all(piece_id in piece_by_id for piece_id in segment.pieces):
            yield f"{where}: its pieces do not lead from {segment.a} to {segment.b}; correct pieces, or a and b"


def _check_miles(where: str, miles: float) -> Iterator[str]:
    if not 0 <= miles <= _MAX_MILES:
        yield f"{where}: miles is {miles:g}; write 0 to {_MAX_MILES}"


def _check_degrees(where: str, line: Iterable[Point]) -> Iterator[str]:
    for lon, lat in line:
        if abs(lon) > _MAX_LON or abs(lat) > LAST_LAT:
            yield f"{where}: {judge_place(lon, lat, cure='write degrees')}"
            return


def _check_page_points(where: str, path: Iterable[Point]) -> Iterator[str]:
    for x, y in path:
        if abs(x) > MOST_MM or abs(y) > MOST_MM:
            yield f"{where}: x and y are {x:g}, {y:g}; write millimetres on the page"
            return


def _check_destinations(board: Board) -> Iterator[str]:
    region_ids = {region.id for region in board.regions}
    city_ids = {city.id for city in board.cities}
    for chart_id in (REGIONS, *(region.id for region in board.regions)):
        if chart_id not in board.destinations:
            yield f"destinations: the chart {chart_id} is missing; add it, with null in empty cells"
    for chart_id, chart in board.destinations.items():
        if chart_id != REGIONS and chart_id not in region_ids:
            yield f"destinations: {chart_id} is not a region; leave the chart out"
            continue
        target_ids = region_ids if chart_id == REGIONS else city_ids
        for side, side_cells in (("odd", chart.odd), ("even", chart.even)):
            if side_cells.keys() != set(SUMS):
                yield (
                    f"destinations: {chart_id}: {side} has the sums {', '.join(side_cells)}; "
                    "write one cell for each, 2 to 12"
                )
            for dice_sum, target_id in side_cells.items():
                if target_id is not None and target_id not in target_ids:
                    target_kind = "region" if chart_id == REGIONS else "city"
                    yield (
                        f"destinations: {chart_id}: {side} {dice_sum} is {target_id!r}, "
                        f"which is not a {target_kind}; correct it"
                    )


def _check_declared(board: Board) -> Iterator[str]:
    region_ids = {region.id for region in board.regions}
    for chart_id, chart_odds in board.declared.items():
        if chart_id != REGIONS and chart_id not in region_ids:
            yield f"declared: {chart_id} is not a region; leave the chart out"
        for target_id, odds_text in chart_odds.items():
            try:
                is_valid = 0 <= Fraction(odds_text) <= 1
            except (ValueError, ZeroDivisionError):
                is_valid = False
            if not is_valid:
                yield f"declared: {chart_id}: {target_id} is {odds_text!r}; write a fraction of 1, such as 5/72"


def _check_payoffs(board: Board) -> Iterator[str]:
    chart_cities, payoff_rows = board.payoffs.cities, board.payoffs.thousands
    city_ids = {city.id for city in board.cities}
    for city_index, city in enumerate(chart_cities):
        if city not in city_ids:
            yield f"payoffs: cities: {city!r} is not a city of the board; correct it"
        elif city in chart_cities[:city_index]:
            yield f"payoffs: cities: {city!r} is there twice; leave one out with its row"
    if len(payoff_rows) != len(chart_cities):
        count_text = f"{count_noun(len(payoff_rows), 'row')} for {count_noun(len(chart_cities), 'city', 'cities')}"
        yield f"payoffs: {count_text}; write one row for each city"
    for city, payoff_row in zip(chart_cities, payoff_rows, strict=False):
        if len(payoff_row) != len(chart_cities):
            count_text = (
                f"{count_noun(len(payoff_row), 'amount')} for {count_noun(len(chart_cities), 'city', 'cities')}"
            )
            yield f"payoffs: row {city}: {count_text}; write null for one that is missing"
        for other_city, amount in zip(chart_cities, payoff_row, strict=False):
            if amount is not None and not 0 <= amount <= MOST_THOUSANDS:
                yield (
                    f"payoffs: {city} to {other_city} is {amount:g}; write an amount of 0 or more, "
                    f"up to {MOST_THOUSANDS}"
                )
