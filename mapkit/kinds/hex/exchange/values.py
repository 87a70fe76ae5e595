"""Checked values of foreign files."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.kinds.hex.grid.grid import MOST_HEXES, HexGrid

_LARGEST_NUMBER = 1_000_000


def read_whole_number(data: Any, key: str, where: str, most: int = _LARGEST_NUMBER) -> int:  # noqa: ANN401 - data of a foreign file
    """Return a whole number of an object.

    Raises:
        SourceError: It is missing, or something else.
    """
    value = data.get(key) if isinstance(data, Mapping) else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > most:
        raise SourceError(f"{where}: {key} is {value!r}; write a whole number")
    return value


def make_grid(file: str, **values: Any) -> HexGrid:  # noqa: ANN401 - as above
    """Return a grid of values.

    Raises:
        SourceError: It is too large, or a value does not fit.
    """
    columns, rows = values["columns"], values["rows"]
    if columns * rows > MOST_HEXES:
        raise SourceError(
            f"{file}: {columns:,} by {rows:,} are {columns * rows:,} hexagons; a board has at most {MOST_HEXES:,}"
        )
    try:
        return HexGrid.model_validate(values)
    except ValidationError as error:
        first_error = error.errors()[0]
        raise SourceError(
            f"{file}: grid.{'.'.join(str(part) for part in first_error['loc'])}: {invalid_value_message(first_error)}"
        ) from error
