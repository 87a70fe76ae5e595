"""Preview of a spreadsheet block before it is pasted into the payoff chart."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError
from mapkit.document.document import sort_rows
from mapkit.formats.cells.table import MAX_TEXT, Cell
from mapkit.formats.marks import looks_like_amount
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.sources.amounts import THOUSAND, Amounts, read_amounts
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity
from mapkit.kinds.rail.sources.payoffs.chart_frame import drop_counts, drop_edges, frame_chart
from mapkit.kinds.rail.sources.payoffs.file_content import name_functions
from mapkit.kinds.rail.tables import Payoff, RailDocument, payoff_key

MAX_CELLS = 250_000
MOST_LISTED = 500
_PAIR = 3
_MOST = 0.5

Ids = tuple[str, ...]


class Pasted(Frozen):
    """Block of text, its target cell, and the user's options.

    `rows` and `columns` are the cities from the chosen cell on, in the order in which the page shows them; a block
    with names goes where its names say. `accept` gives cities for names that are not known, empty to leave one out.
    """

    text: str = Field(max_length=4_000_000)
    rows: Ids = Field(max_length=2000)
    columns: Ids = Field(max_length=2000)
    accept: dict[str, str] = Field(default={}, max_length=2000)
    unit: Literal["auto", "thousands", "whole"] = "auto"
    decimal: Literal["auto", ".", ","] = "auto"
    halves: Literal["leave", "upper", "lower"] = "leave"
    clear: bool = Field(default=False, description="Empty cells of the block empty those of the chart")


class NearCity(Frozen):
    """City with a name close to an unknown one."""

    id: str
    name: str


class UnknownName(Frozen):
    """A heading that is not a city of the chart, and cities that it may mean."""

    typed: str
    near: tuple[NearCity, ...]


class MatchedName(Frozen):
    """A heading that was matched loosely, and how."""

    typed: str
    city: str
    how: str


class UnreadCell(Frozen):
    """A cell that is not an amount: the cities of its row and column, where it is in the block, its text, and why."""

    row: str | None
    column: str | None
    where: str
    text: str
    why: str


class TwoHalves(Frozen):
    """Pair with different amounts in its two cells of the block."""

    a: str
    b: str
    upper: float | None
    lower: float | None


class OnDiagonal(Frozen):
    """An amount from a city to itself."""

    city: str
    value: float


class Beyond(Frozen):
    """How many rows and columns of the block do not fit."""

    rows: int
    columns: int


class _PasteChanges(QueryResult):
    cells: tuple[tuple[str, str, float | None], ...]
    was: tuple[float | None, ...]
    same: int
    empty: int
    halves: tuple[TwoHalves, ...]


class PasteRead(_PasteChanges):
    """Reading of a block: the `cells` that would change, `[a, b, thousands]`, each with its present amount.

    `same` is how many pairs say what the chart says, `empty` how many say nothing. `unit` and `decimal` are how amounts
    were read; `note` is a doubt about that.
    """

    layout: str
    unread: tuple[UnreadCell, ...]
    unread_count: int
    names: tuple[UnknownName, ...]
    matched: tuple[MatchedName, ...]
    diagonal: tuple[OnDiagonal, ...]
    beyond: Beyond
    unit: str
    decimal: str
    note: str


@dataclass(frozen=True)
class _Block:
    """Cells with the city that each heading names: None is unknown, left out or beyond the chart."""

    layout: str
    cells: tuple[tuple[str | None, str | None, Cell], ...]
    beyond: tuple[int, int] = (0, 0)


@dataclass
class _Names:
    """Finder of cities in headings, with a list of unknown names."""

    known: CityNames
    names: Mapping[str, str]
    accept: Mapping[str, str]
    unknown: dict[str, UnknownName] = field(default_factory=dict)
    loose: dict[str, MatchedName] = field(default_factory=dict)

    def city(self, typed: str) -> str | None:
        if typed in self.accept:
            return self.accept[typed] or None
        found = self.known.find(typed)
        found = self.known.cut(typed) or found if isinstance(found, str) else found
        if isinstance(found, str):
            near = tuple(NearCity(id=c.id, name=c.name) for _, c in self.known.nearest(typed, self.known.cities))
            self.unknown.setdefault(typed, UnknownName(typed=typed[:MAX_TEXT], near=near))
            return None
        if found.how not in ("exact", "spelling"):
            self.loose.setdefault(typed, MatchedName(typed=typed, city=found.city, how=found.how))
        return found.city or None


@question("payoff-paste", Pasted, PasteRead)
def paste(ask: Pasted, asked: Asked) -> PasteRead:
    """Return the cells that would change, and all that cannot be taken."""
    document = asked.document
    names = _names(document, ask.accept)
    table, left_out = _chart_within(_table(ask.text), names)
    block = _laid(table, ask, names)
    amounts, note = _amounts([cell for _, _, cell in block.cells], ask, asked.live.board.units.payoff)
    order = {city: k for k, city in enumerate(key for key, _ in sort_rows(document.payoff_cities))}
    unread, diagonal = [], []
    readings: dict[tuple[str, str], dict[str, float | None]] = {}
    for (row, col, cell), value, why in zip(block.cells, amounts.values, amounts.why_not, strict=True):
        if why:
            unread.append(_unread(row, col, cell, why))
        if why or row is None or col is None:
            continue
        if row == col:
            if value:
                diagonal.append(OnDiagonal(city=row, value=value))
            continue
        upper = order[row] < order[col]
        pair = (row, col) if upper else (col, row)
        sides = readings.setdefault(pair, {})
        side = "upper" if upper else "lower"
        if value is None:
            sides.setdefault(side, None)
        elif sides.get(side) not in (None, value):
            unread.append(_unread(row, col, cell, f"given twice; {sides[side]:g} is taken"))
        else:
            sides[side] = value
    return PasteRead(
        **dict(_changes(document, readings, ask)),
        layout=block.layout,
        unread=tuple(unread[:MOST_LISTED]),
        unread_count=len(unread),
        names=tuple(names.unknown.values())[:MOST_LISTED],
        matched=tuple(names.loose.values())[:MOST_LISTED],
        diagonal=tuple(diagonal[:MOST_LISTED]),
        beyond=Beyond(rows=block.beyond[0], columns=block.beyond[1]),
        unit="thousands" if amounts.unit == THOUSAND else "whole" if amounts.unit == 1 else f"{amounts.unit}",
        decimal=amounts.decimal,
        note="; ".join([note] * bool(note) + left_out),
    )


def _unread(row: str | None, column: str | None, cell: Cell, why: str) -> UnreadCell:
    return UnreadCell(row=row, column=column, where=cell.where, text=cell.text[:MAX_TEXT], why=why)


def _names(document: RailDocument, accept: Mapping[str, str]) -> _Names:
    for typed, city in accept.items():
        if city and city not in document.payoff_cities:
            raise QueryError(f"{typed!r} cannot be {city!r}: the payoff chart has no such city")
    rows = document.cities
    known = [
        KnownCity(key, rows[key].name if key in rows else key, rows[key].milepost if key in rows else "")
        for key, _ in sort_rows(document.payoff_cities)
    ]
    if not known:
        raise QueryError("the board has no payoff chart yet; start one")
    return _Names(CityNames("the payoff chart", known), {c.id: c.name for c in known}, accept)


def _chart_within(table: list[list[Cell]], names: _Names) -> tuple[list[list[Cell]], list[str]]:
    """Return a table with names above and beside its amounts, without its surroundings, and the parts left out."""
    rows = [tuple(row) for row in table]
    cities = [[names.known.fit(cell.text) > 0 for cell in row] for row in rows]
    beside = Counter(k for row in cities for k, fits in enumerate(row) if fits)
    if max(map(sum, cities)) <= 1 or max(beside.values()) <= 1 or _pairs(table, names) is not None:
        return table, []
    known = name_functions(names.known)
    inner, notes = drop_edges(rows, known)
    inner, counts = drop_counts(inner, known)
    frame = frame_chart(inner, known)
    return [list(row) for row in frame.rows], [*notes, *counts, *frame.notes]


def _table(text: str) -> list[list[Cell]]:
    first = text.lstrip("\n\r").partition("\n")[0]
    sign = "\t" if "\t" in text else ";" if ";" in text else ","
    lettered = any(part.strip() and not looks_like_amount(part.strip()) for part in first.split(","))
    if sign == "," and first.count(",") < 2 and not lettered:  # noqa: PLR2004 - "14,5" is one amount
        sign = "\t"
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=sign)]
    except csv.Error as error:
        raise QueryError(f"this is not a table: {error}; copy cells out of a spreadsheet") from error
    while rows and not any(rows[-1]):
        rows.pop()
    while rows and not any(rows[0]):
        rows.pop(0)
    if not rows:
        raise QueryError("there is nothing to paste; copy cells out of a spreadsheet first")
    if sum(map(len, rows)) > MAX_CELLS:
        raise QueryError(f"these are {sum(map(len, rows)):,} cells; paste at most {MAX_CELLS:,} at once")
    return [
        [Cell(text, f"row {r}, column {c}") for c, text in enumerate(row, start=1)]
        for r, row in enumerate(rows, start=1)
    ]


def _heading(cells: Sequence[Cell], names: _Names) -> bool:
    """Say whether cells are names rather than amounts; a single one must be a city's."""
    typed = [cell.text for cell in cells if cell.text]
    words = [text for text in typed if not looks_like_amount(text)]
    return len(words) > _MOST * len(typed) and (len(words) > 1 or names.known.fit(words[0]) > 0)


def _laid(table: list[list[Cell]], ask: Pasted, names: _Names) -> _Block:
    pairs = _pairs(table, names)
    if pairs is not None:
        return pairs
    width = max(map(len, table))
    table = [row + [Cell("", row[0].where)] * (width - len(row)) for row in table]
    top = _heading(table[0][1:], names) or (width == 1 and len(table) > 1 and _heading(table[0], names))
    body = table[1:] if top else table
    side = width > 1 and bool(body) and _heading([row[0] for row in body], names)
    left = 1 if side else 0
    columns = [names.city(cell.text) if cell.text else None for cell in table[0][left:]] if top else list(ask.columns)
    rows = [names.city(row[0].text) if row[0].text else None for row in body] if side else list(ask.rows)
    wide, tall = width - left, len(body)
    beyond = (0 if side else max(0, tall - len(rows)), 0 if top else max(0, wide - len(columns)))
    cells = tuple(
        (rows[r], columns[c], row[left + c])
        for r, row in enumerate(body[: len(rows)])
        for c in range(min(wide, len(columns)))
    )
    named = " and ".join(word for word, there in (("a row", top), ("a column", side)) if there)
    return _Block(f"{tall} x {wide}" + (f", with {named} of names" if named else ""), cells, beyond)


def _pairs(table: list[list[Cell]], names: _Names) -> _Block | None:
    """Return a list of pairs, `from, to, amount`; None if the table is not one."""

    def fits(row: Sequence[Cell]) -> bool:
        return (
            len(row) >= _PAIR and all(names.known.fit(c.text) > 0 for c in row[:2]) and looks_like_amount(row[2].text)
        )

    body = table if fits(table[0]) else table[1:]
    if not body or max(len(row) for row in table) != _PAIR or sum(map(fits, body)) <= _MOST * len(body):
        return None
    cells = tuple(
        (names.city(row[0].text), names.city(row[1].text), row[2]._replace(where=row[2].where.partition(",")[0]))
        for row in body
        if len(row) == _PAIR and any(cell.text for cell in row)
    )
    return _Block(f"{len(body)} pairs of cities", cells)


def _amounts(cells: list[Cell], ask: Pasted, payoff_unit: int) -> tuple[Amounts, str]:
    """Return the amounts; where block and user leave the unit open, they are taken as the chart's own."""
    unit = {"auto": None, "thousands": THOUSAND, "whole": 1}[ask.unit]
    decimal = None if ask.decimal == "auto" else ask.decimal
    tries: list[tuple[int | None, str | None]] = [(unit, decimal)]
    tries += [(unit or payoff_unit, decimal), (unit or payoff_unit, decimal or ".")]
    for one, sign in tries:
        try:
            found = read_amounts(cells, file="the block", unit=one, decimal=sign, payoff_unit=payoff_unit)
        except SourceError:
            continue
        doubt = "The block does not say its unit or decimal sign; check that the amounts are right."
        return found, "" if (one, sign) == tries[0] else doubt
    raise QueryError("no amount of the block can be read; copy cells out of a spreadsheet")


def _changes(
    document: RailDocument, readings: Mapping[tuple[str, str], Mapping[str, float | None]], ask: Pasted
) -> _PasteChanges:
    cells: list[tuple[str, str, float | None]] = []
    was: list[float | None] = []
    halves = []
    same = empty = 0
    for (a, b), sides in readings.items():
        values = [value for value in sides.values() if value is not None]
        if not values and not ask.clear:
            empty += 1
            continue
        if len(set(values)) > 1:
            halves.append(TwoHalves(a=a, b=b, upper=sides["upper"], lower=sides["lower"]))
            if ask.halves == "leave":
                continue
        value = sides[ask.halves] if len(set(values)) > 1 else values[0] if values else None
        now = document.payoffs.get(payoff_key(a, b), Payoff())
        if now.thousands == value and now.below in ("same", value):
            same += 1
            continue
        cells.append((a, b, value))
        was.append(now.thousands)
    return _PasteChanges(cells=tuple(cells), was=tuple(was), same=same, empty=empty, halves=tuple(halves[:MOST_LISTED]))
