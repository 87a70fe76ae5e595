"""Filters of features by bounding box and by attribute values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import ChoiceError
from mapkit.formats.degrees import LAST_LAT, LAST_LON, TURN
from mapkit.formats.lines.seam import unwrap_lines


@dataclass(frozen=True)
class Condition:
    """A required or excluded value of an attribute, compared without case."""

    column: str
    value: str
    equal: bool = True


def parse_bbox(text: str) -> tuple[float, float, float, float]:
    """Return west, south, east, north in degrees from a text such as `-10.7,51.3,-5.3,55.5`.

    A box may reach across longitude 180: its west is then larger than its east.

    Raises:
        ChoiceError: It is not four numbers, or not a box on the earth.
    """
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise ChoiceError(f"--bbox {text!r}: write WEST,SOUTH,EAST,NORTH in degrees, as -10.7,51.3,-5.3,55.5") from None
    if not (abs(west) <= LAST_LON and abs(east) <= LAST_LON and -LAST_LAT <= south < north <= LAST_LAT):
        raise ChoiceError(
            f"--bbox {text!r}: not a box on the earth; longitudes lie from -180 to 180, latitudes from -90 to 90, and "
            "the order is WEST,SOUTH,EAST,NORTH"
        )
    return west, south, east, north


def parse_conditions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """Return conditions from texts such as `country=IE` and `service!=siding`.

    Raises:
        ChoiceError: A text has no `=`, or no column before it.
    """
    conditions = []
    for text in texts:
        column, equals, value = text.partition("=")
        equal = not column.endswith("!")
        column = column.removesuffix("!").strip()
        if not equals or not column:
            raise ChoiceError(f"--where {text!r}: write COLUMN=VALUE, or COLUMN!=VALUE for every other value")
        conditions.append(Condition(column, value.strip(), equal))
    return tuple(conditions)


def match_conditions(
    texts: Mapping[str, Sequence[str]], conditions: Sequence[Condition], count: int
) -> NDArray[np.bool_]:
    """Return whether each feature meets the conditions, shape (count,).

    Several required values of one column are alternatives; conditions on different columns must all be met.

    Args:
        texts: The values of each condition's column as text, one a feature.
        conditions: What to look for.
        count: How many features there are.
    """
    wanted_by_column: dict[str, set[str]] = {}
    is_matching = np.ones(count, dtype=np.bool_)
    for condition in conditions:
        if condition.equal:
            wanted_by_column.setdefault(condition.column, set()).add(condition.value.casefold())
        else:
            is_matching &= [text.casefold() != condition.value.casefold() for text in texts[condition.column]]
    for column, values in wanted_by_column.items():
        is_matching &= [text.casefold() in values for text in texts[column]]
    return is_matching


def intersect_box(parts: NDArray[np.object_], bbox: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    """Return whether each geometry, in degrees, intersects a box, shape (n,)."""
    west, south, east, north = bbox
    unwrapped = unwrap_lines(parts)
    is_reaching = np.zeros(len(parts), dtype=np.bool_)
    for turn_degrees in (-TURN, 0.0, TURN):
        east_limit = east + (TURN if west > east else 0.0)
        is_reaching |= shapely.intersects(
            unwrapped, shapely.box(west + turn_degrees, south, east_limit + turn_degrees, north)
        )
    return is_reaching
