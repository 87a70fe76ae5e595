"""What a board from a file must hold beyond its form, so that nothing that is made of it stops halfway."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.core.characters import describe_character, find_character
from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.formats.degrees import LAST_LAT, outside_world
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board

MOST_PRICE: Final = 10_000_000
"""Of a railroad, in currency units, as in `railroads.csv`."""
MOST_THOUSANDS: Final = 10_000
"""Of a payoff."""
MOST_MM: Final = 100_000
"""How far from its corner a page has anything."""
LONGEST_NAME: Final = 200
_MOST_SCALE: Final = 1000.0  # as large as life
_MOST_MILES: Final = 25_000  # around the Earth
_MOST_LON: Final = 360.0  # lines may go on beyond 180
_FEWEST: Final = 2
_SHOWN: Final = 20
_BREAKS: Final = frozenset("\t\n\r")


def validate_board(board: Board, file: str) -> None:
    """Refuse a board that a person or a program edited into one that cannot be drawn, played or exported.

    Args:
        board: As it was read.
        file: What messages call its file.

    Raises:
        SourceError: A projection that nothing can be projected with, a name without letters, a price or an amount out
            of bounds, places off the world or the page, segments whose pieces do not lead from end to end, a cell of a
            chart that names nothing, or a payoff chart that is not square.
    """
    found = [f"{file}: {problem}" for problem in _problems(board)]
    if found:
        more = [f"{file}: and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        raise SourceError([*found[:_SHOWN], *more])


def _problems(board: Board) -> Iterator[str]:
    yield from _of_page(board)
    yield from _of_names(board)
    yield from _of_prices(board)
    yield from _of_places(board)
    yield from _of_track(board)
    yield from _of_destinations(board)
    yield from _of_declared(board)
    yield from _of_payoffs(board)


def _of_page(board: Board) -> Iterator[str]:
    projection, page = board.projection, board.page
    try:
        if not heavy.pyproj.CRS.from_user_input(projection.crs).is_projected:
            yield f"projection.crs is {projection.crs!r}, which gives no metres; write it as it was"
    except heavy.pyproj.exceptions.CRSError:
        yield f"projection.crs is {projection.crs!r}, which PROJ does not know; write it as it was"
    if not 0 < projection.scale_mm_per_m <= _MOST_SCALE:
        yield f"projection.scale_mm_per_m is {projection.scale_mm_per_m:g}; write a number above 0, as it was"
    for name, size in (("width", page.width), ("height", page.height)):
        if not 1 <= size <= MOST_MM:
            yield f"page.{name} is {size:g}; write 1 to {MOST_MM} millimetres"
    left, top, right, bottom = page.frame
    if not (-MOST_MM <= left < right <= MOST_MM and -MOST_MM <= top < bottom <= MOST_MM):
        yield f"page.frame is {list(page.frame)}; write left, top, right and bottom on the page"


def _of_names(board: Board) -> Iterator[str]:
    named = [("title", board.title), ("units.symbol", board.units.symbol)]
    shown = [("licence", board.provenance.licence), *(("credits", credit) for credit in board.provenance.credits)]
    for kind in ("regions", "mileposts", "cities", "railroads"):
        for part in getattr(board, kind):
            named.append((f"{kind}: {part.id}: name", part.name))
            if hasattr(part, "short"):
                named.append((f"{kind}: {part.id}: short", part.short))
    for where, text in (*named, *shown):
        if (character := find_character(text)) is not None:
            yield f"{where} is {text!r}, which holds {describe_character(character)}; delete it"
    for where, text in named:
        if not text.strip():
            yield f"{where} is empty; write a name"
        elif len(text) > LONGEST_NAME:
            yield f"{where} has {len(text)} characters; write {LONGEST_NAME} at most"
        elif not _BREAKS.isdisjoint(text):
            yield f"{where} is {text!r}, which holds a tab or a line break; replace it by a space"


def _of_prices(board: Board) -> Iterator[str]:
    for railroad in board.railroads:
        if not 0 <= railroad.price <= MOST_PRICE:
            yield f"railroads: {railroad.id}: price is {railroad.price}; write an amount from 0 to {MOST_PRICE}"
    if board.units.payoff > MOST_PRICE:
        yield f"units.payoff is {board.units.payoff}; write {MOST_PRICE} at most"


def _of_places(board: Board) -> Iterator[str]:
    for kind in ("mileposts", "junctions"):
        for part in getattr(board, kind):
            yield from _in_the_world(f"{kind}: {part.id}", ((part.lon, part.lat),))
            yield from _on_a_page(f"{kind}: {part.id}", ((part.x, part.y),))


def _of_track(board: Board) -> Iterator[str]:
    pieces = {piece.id: piece for piece in board.pieces}
    for piece in board.pieces:
        where = f"pieces: {piece.id}"
        yield from _miles(where, piece.miles)
        for name, line in (("line", piece.line), ("path", piece.path)):
            if len(line) < _FEWEST:
                yield f"{where}: {name} has {counted(len(line), 'point')}; write two or more"
        yield from _in_the_world(where, piece.line)
        yield from _on_a_page(where, piece.path)
    for segment in board.segments:
        where = f"segments: {segment.id}"
        yield from _miles(where, segment.miles)
        yield from _on_a_page(where, segment.path)
        at: str | None = segment.a
        for ident in segment.pieces:
            used = pieces.get(ident)
            if used is None:
                break  # said with all that names what is not there
            at = used.b if at == used.a else used.a if at == used.b else None
            if used.railroad != segment.railroad:
                yield f"{where}: its piece {ident} is of {used.railroad}; name pieces of {segment.railroad}"
        if at != segment.b and all(ident in pieces for ident in segment.pieces):
            yield f"{where}: its pieces do not lead from {segment.a} to {segment.b}; correct pieces, or a and b"


def _miles(where: str, miles: float) -> Iterator[str]:
    if not 0 <= miles <= _MOST_MILES:
        yield f"{where}: miles is {miles:g}; write 0 to {_MOST_MILES}"


def _in_the_world(where: str, line: Iterable[Point]) -> Iterator[str]:
    for lon, lat in line:
        if abs(lon) > _MOST_LON or abs(lat) > LAST_LAT:
            yield f"{where}: {outside_world(lon, lat, cure='write degrees')}"
            return


def _on_a_page(where: str, path: Iterable[Point]) -> Iterator[str]:
    for x, y in path:
        if abs(x) > MOST_MM or abs(y) > MOST_MM:
            yield f"{where}: x and y are {x:g}, {y:g}; write millimetres on the page"
            return


def _of_destinations(board: Board) -> Iterator[str]:
    regions = {region.id for region in board.regions}
    cities = {city.id for city in board.cities}
    for name in (REGIONS, *(region.id for region in board.regions)):
        if name not in board.destinations:
            yield f"destinations: the chart {name} is missing; add it, with null in empty cells"
    for name, chart in board.destinations.items():
        if name != REGIONS and name not in regions:
            yield f"destinations: {name} is not a region; leave the chart out"
            continue
        known = regions if name == REGIONS else cities
        for side, column in (("odd", chart.odd), ("even", chart.even)):
            if column.keys() != set(SUMS):
                yield f"destinations: {name}: {side} has the sums {', '.join(column)}; write one cell for each, 2 to 12"
            for total, item in column.items():
                if item is not None and item not in known:
                    what = "region" if name == REGIONS else "city"
                    yield f"destinations: {name}: {side} {total} is {item!r}, which is not a {what}; correct it"


def _of_declared(board: Board) -> Iterator[str]:
    regions = {region.id for region in board.regions}
    for name, odds in board.declared.items():
        if name != REGIONS and name not in regions:
            yield f"declared: {name} is not a region; leave the chart out"
        for item, share in odds.items():
            try:
                sensible = 0 <= Fraction(share) <= 1
            except (ValueError, ZeroDivisionError):
                sensible = False
            if not sensible:
                yield f"declared: {name}: {item} is {share!r}; write a fraction of 1, such as 5/72"


def _of_payoffs(board: Board) -> Iterator[str]:
    cities, rows = board.payoffs.cities, board.payoffs.thousands
    known = {city.id for city in board.cities}
    for at, city in enumerate(cities):
        if city not in known:
            yield f"payoffs: cities: {city!r} is not a city of the board; correct it"
        elif city in cities[:at]:
            yield f"payoffs: cities: {city!r} is there twice; leave one out with its row"
    if len(rows) != len(cities):
        says = f"{counted(len(rows), 'row')} for {counted(len(cities), 'city', 'cities')}"
        yield f"payoffs: {says}; write one row for each city"
    for city, row in zip(cities, rows, strict=False):
        if len(row) != len(cities):
            says = f"{counted(len(row), 'amount')} for {counted(len(cities), 'city', 'cities')}"
            yield f"payoffs: row {city}: {says}; write null for one that is missing"
        for other, amount in zip(cities, row, strict=False):
            if amount is not None and not 0 <= amount <= MOST_THOUSANDS:
                yield f"payoffs: {city} to {other} is {amount:g}; write an amount of 0 or more, up to {MOST_THOUSANDS}"
