"""Which features of a file an author wants: those in a box, and those whose attributes have certain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.formats.degrees import LAST_LAT, LAST_LON, TURN, unwrap_lines

_SIDES: Final = 4


@dataclass(frozen=True)
class Condition:
    """A value that an attribute must have, or must not have, whatever its case."""

    column: str
    value: str
    equal: bool = True


def parse_bbox(text: str) -> tuple[float, float, float, float]:
    """Return west, south, east, north in degrees from a text such as `-10.7,51.3,-5.3,55.5`.

    A box may reach across longitude 180: its west is then larger than its east.

    Raises:
        SourceError: It is not four numbers, or not a box on the earth.
    """
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise SourceError(f"--bbox {text!r}: write WEST,SOUTH,EAST,NORTH in degrees, as -10.7,51.3,-5.3,55.5") from None
    if not (abs(west) <= LAST_LON and abs(east) <= LAST_LON and -LAST_LAT <= south < north <= LAST_LAT):
        raise SourceError(
            f"--bbox {text!r}: not a box on the earth; longitudes lie from -180 to 180, latitudes from -90 to 90, and "
            "the order is WEST,SOUTH,EAST,NORTH"
        )
    return west, south, east, north


def parse_conditions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """Return conditions from texts such as `country=IE` and `service!=siding`.

    Raises:
        SourceError: A text has no `=`, or no column before it.
    """
    out = []
    for text in texts:
        column, equals, value = text.partition("=")
        equal = not column.endswith("!")
        column = column.removesuffix("!").strip()
        if not equals or not column:
            raise SourceError(f"--where {text!r}: write COLUMN=VALUE, or COLUMN!=VALUE for every other value")
        out.append(Condition(column, value.strip(), equal))
    return tuple(out)


def matching(texts: Mapping[str, Sequence[str]], conditions: Sequence[Condition], count: int) -> NDArray[np.bool_]:
    """Return which features meet the conditions, shape (count,).

    Of several values that one column may have, any will do; conditions on different columns must all be met.

    Args:
        texts: The values of each condition's column as text, one a feature.
        conditions: What to look for.
        count: How many features there are.
    """
    wanted: dict[str, set[str]] = {}
    out = np.ones(count, dtype=np.bool_)
    for condition in conditions:
        if condition.equal:
            wanted.setdefault(condition.column, set()).add(condition.value.casefold())
        else:
            out &= [text.casefold() != condition.value.casefold() for text in texts[condition.column]]
    for column, values in wanted.items():
        out &= [text.casefold() in values for text in texts[column]]
    return out


def reaching(parts: NDArray[np.object_], bbox: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    """Return which geometries in degrees lie in a box or reach into it, shape (n,)."""
    west, south, east, north = bbox
    unwrapped = unwrap_lines(parts)
    out = np.zeros(len(parts), dtype=np.bool_)
    for turn in (-TURN, 0.0, TURN):
        right = east + (TURN if west > east else 0.0)
        out |= shapely.intersects(unwrapped, shapely.box(west + turn, south, right + turn, north))
    return out
