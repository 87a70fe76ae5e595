"""Correction of city names that were misread in a picture, by the names of the board."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mapkit.core.names import edit_distance
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table
from mapkit.formats.marks import looks_like_amount
from mapkit.kinds.rail.sources.city_names import CityNames, Match, find_similar_name, find_similar_start, name_to_key

_SWALLOWED_AMOUNT: Final = re.compile(r"[\d.,]{1,5}(?: [\d.,]{1,5})? (\D+)")
_MIN_LINE_NAMES: Final = 3
"""A line of names has more names than this."""
_MAX_ERROR_RATIO: Final = 2, 5
"""Largest number of misread letters, and of how many, in a name of a city that its line lacks."""


def correct_misread_names(tables: Sequence[Table], names: CityNames, file: str) -> tuple[list[Table], list[str]]:
    """Correct names read from pictures that are similar to exactly one city of the board.

    Args:
        tables: Tables of a chart.
        names: The cities of the board.
        file: Name of the file in notes.
    """
    note_by_text: dict[str, str] = {}
    corrected_tables = []
    for table in tables:
        name_by_text = {
            cell.text: (
                _drop_swallowed_amount(cell.text, names)
                or find_similar_name(cell.text, [names])
                or find_similar_start(cell.text, names)
            )
            for row in table.rows
            for cell in row
            if _is_strange(cell, names)
        }
        corrected_rows = [
            tuple(cell._replace(text=name_by_text.get(cell.text) or cell.text) for cell in row) for row in table.rows
        ]
        settled_rows = _correct_by_lines(corrected_rows, names)
        corrected_tables.append(replace(table, rows=tuple(settled_rows)))
        for old_row, new_row in zip(table.rows, settled_rows, strict=True):
            note_by_text |= {
                old_cell.text: f"{file}: {old_cell.text!r} in the picture is taken for {new_cell.text}"
                for old_cell, new_cell in zip(old_row, new_row, strict=True)
                if old_cell.text != new_cell.text
            }
    return corrected_tables, [note_by_text[text] for text in sorted(note_by_text)]


def _drop_swallowed_amount(text: str, names: CityNames) -> str:
    """Return the name behind digits: a standing name that touches the amount below it."""
    name_match = _SWALLOWED_AMOUNT.fullmatch(text)
    return name_match[1] if name_match and names.fit(name_match[1]) > 1 else ""


def _is_strange(cell: Cell, names: CityNames) -> bool:
    """Return whether a cell of a picture may have a name that the board does not have."""
    is_from_picture = cell.spot is not None and cell.spot.how == "picture"
    if not is_from_picture or not cell.text or len(cell.text) > MAX_TEXT:
        return False
    if looks_like_amount(cell.text):  # `595 Washington DC` does, and is a name that touches an amount
        return bool(_drop_swallowed_amount(cell.text, names))
    return not names.fit(cell.text) and names.cut(cell.text) is None


def _correct_by_lines(rows: list[tuple[Cell, ...]], names: CityNames) -> list[tuple[Cell, ...]]:
    """Correct less similar names by the other names of their row or column, because a city occurs once in each."""
    width = max(map(len, rows), default=0)
    table_columns = [[row[k] for row in rows if k < len(row)] for k in range(width)]
    cities_by_line = {("row", r): _cities_of_line(row, names) for r, row in enumerate(rows)}
    cities_by_line |= {("column", k): _cities_of_line(column, names) for k, column in enumerate(table_columns)}
    corrected_rows = []
    for r, row in enumerate(rows):
        corrected_cells = []
        for k, cell in enumerate(row):
            line_cities = max(cities_by_line["row", r], cities_by_line["column", k], key=len)
            missing_city = (
                _nearest_missing_city(cell.text, line_cities, names)
                if len(line_cities) > _MIN_LINE_NAMES and _is_strange(cell, names)
                else ""
            )
            corrected_cells.append(cell._replace(text=missing_city or cell.text))
        corrected_rows.append(tuple(corrected_cells))
    return corrected_rows


def _cities_of_line(line: Sequence[Cell], names: CityNames) -> frozenset[str]:
    """Return the cities of a line; none if it names one twice, as lists of pairs do."""
    matched_cities = [_find_city(cell.text, names) for cell in line if cell.text and not looks_like_amount(cell.text)]
    city_ids = [city for city in matched_cities if city]
    return frozenset(city_ids) if len(set(city_ids)) == len(city_ids) else frozenset()


def _find_city(text: str, names: CityNames) -> str:
    name_match = names.find(text)
    match = name_match if isinstance(name_match, Match) else names.cut(text)
    return match.city if match is not None else ""


def _nearest_missing_city(text: str, line: frozenset[str], names: CityNames) -> str:
    """Return the name of the city nearest to a text, if the line lacks it; empty if the choice is not clear."""
    text_key = name_to_key(text)
    cities_by_distance = sorted(
        (edit_distance(text_key, name_to_key(city.name)), city.id in line, city.name) for city in names.cities
    )
    (distance, is_in_line, name), (second_distance, _, _) = cities_by_distance[0], cities_by_distance[1]
    max_errors, letter_count = _MAX_ERROR_RATIO
    return (
        name
        if not is_in_line and distance < second_distance and distance * letter_count <= max_errors * len(text_key)
        else ""
    )
