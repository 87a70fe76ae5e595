"""Names of cities that a picture shows and the recogniser misread: the board says which are meant."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mapkit.core.names import edit_distance
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table
from mapkit.formats.marks import looks_like_amount
from mapkit.kinds.rail.sources.city_names import CityNames, Match, key_of, nearly, nearly_cut

_LEAST: Final = 3
"""A line of names has more than this."""
_OFF: Final = 2, 5
"""Letters of a name that may be misread, of how many, where no other name of its line is that city."""


def with_known_names(tables: Sequence[Table], names: CityNames, file: str) -> tuple[list[Table], list[str]]:
    """Correct names read from pictures that are nearly the name of one city of the board, and of no other.

    Args:
        tables: Tables of a chart.
        names: The cities of the board.
        file: What to call the file in notes.
    """
    notes: dict[str, str] = {}
    out = []
    for table in tables:
        taken = {cell.text: _meant(cell.text, names) for row in table.rows for cell in row if _is_strange(cell, names)}
        rows = [tuple(cell._replace(text=taken.get(cell.text) or cell.text) for cell in row) for row in table.rows]
        settled = _left_over(rows, names)
        out.append(replace(table, rows=tuple(settled)))
        for old, new in zip(table.rows, settled, strict=True):
            notes |= {
                one.text: f"{file}: {one.text!r} in the picture is taken for {other.text}"
                for one, other in zip(old, new, strict=True)
                if one.text != other.text
            }
    return out, [notes[text] for text in sorted(notes)]


def _is_strange(cell: Cell, names: CityNames) -> bool:
    """Say whether a cell of a picture holds a text that may be a name, and that the board does not have."""
    seen = cell.spot is not None and cell.spot.how == "picture"
    if not seen or not cell.text or looks_like_amount(cell.text) or len(cell.text) > MAX_TEXT:
        return False
    return not names.fit(cell.text) and names.cut(cell.text) is None


def _meant(text: str, names: CityNames) -> str:
    return nearly(text, [names]) or nearly_cut(text, names)


def _left_over(rows: list[tuple[Cell, ...]], names: CityNames) -> list[tuple[Cell, ...]]:
    """Settle names that are farther off by the other names of their row or column, which name each city once."""
    width = max(map(len, rows), default=0)
    columns = [[row[k] for row in rows if k < len(row)] for k in range(width)]
    named = {("row", r): _named(row, names) for r, row in enumerate(rows)}
    named |= {("column", k): _named(column, names) for k, column in enumerate(columns)}
    out = []
    for r, row in enumerate(rows):
        cells = []
        for k, cell in enumerate(row):
            line = max(named["row", r], named["column", k], key=len)
            left = _left(cell.text, line, names) if len(line) > _LEAST and _is_strange(cell, names) else ""
            cells.append(cell._replace(text=left or cell.text))
        out.append(tuple(cells))
    return out


def _named(line: Sequence[Cell], names: CityNames) -> frozenset[str]:
    """Return the cities that a line names; none if it names one twice, as lists of pairs do."""
    found = [_city(cell.text, names) for cell in line if cell.text and not looks_like_amount(cell.text)]
    cities = [city for city in found if city]
    return frozenset(cities) if len(set(cities)) == len(cities) else frozenset()


def _city(text: str, names: CityNames) -> str:
    found = names.find(text)
    match = found if isinstance(found, Match) else names.cut(text)
    return match.city if match is not None else ""


def _left(text: str, line: frozenset[str], names: CityNames) -> str:
    """Return the name of the city that a text is nearest to, if the line lacks it; empty if that is not clear."""
    key = key_of(text)
    near = sorted((edit_distance(key, key_of(city.name)), city.id in line, city.name) for city in names.cities)
    (off, taken, name), (second, _, _) = near[0], near[1]
    letters, of = _OFF
    return name if not taken and off < second and off * of <= letters * len(key) else ""
