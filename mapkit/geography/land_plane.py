"""Plane of an invented land: coordinates of its drawing, at a scale.

Within mapkit every position is in degrees. A land that lies nowhere is laid around longitude 0, latitude 0, where an
equal-area projection keeps lengths to 0.1 % within 350 miles of the middle; its author never sees these degrees.
"""

import json
import math
import re
from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final

from mapkit.core import heavy
from mapkit.core.base import Frozen, Point
from mapkit.core.geodesy import METRES_PER_MILE

if TYPE_CHECKING:
    from mapkit.core.arrays import Floats

PLANE: Final = "plane"
"""Name of the projection of an invented land."""
PLANE_CRS: Final = "+proj=laea +lat_0=0 +lon_0=0 +datum=WGS84 +units=m +no_defs"
LAST_MI: Final = 2000.0
"""Farthest that a point may be from the middle, where lengths are 3 % off."""
_DEGREE_DECIMALS: Final = 5
_MOST_DECIMALS: Final = 9
_NUMBER: Final = r"([+-]?\d+(?:\.\d+)?)"
_POSITIONS: Final = tuple(
    re.compile(pattern) for pattern in (rf"@{_NUMBER},{_NUMBER}", rf"\blon {_NUMBER}°?, lat {_NUMBER}°?")
)


@cache
def _transformer() -> "heavy.pyproj.Transformer":
    return heavy.pyproj.Transformer.from_crs("EPSG:4326", PLANE_CRS, always_xy=True)


class LandPlane(Frozen):
    """Coordinates of a drawing, y downward, and the miles of a unit.

    Args:
        scale_mi: Statute miles of a unit.
        middle: The point around which lengths are exact, in units.
    """

    scale_mi: float
    middle: Point = (0.0, 0.0)

    @cached_property
    def _unit_m(self) -> float:
        return self.scale_mi * METRES_PER_MILE

    def to_degrees(self, xy: "Floats") -> "Floats":
        """Convert coordinates of the drawing, shape (n, 2), to `(lon, lat)`; NaN beyond `LAST_MI`."""
        np = heavy.numpy
        metres = (np.asarray(xy, dtype=np.float64).reshape(-1, 2) - self.middle) * (self._unit_m, -self._unit_m)
        metres[np.hypot(*metres.T) > LAST_MI * METRES_PER_MILE] = np.nan
        lonlat = np.column_stack(_transformer().transform(metres[:, 0], metres[:, 1], direction="INVERSE"))
        lonlat[~np.isfinite(metres).all(axis=1)] = np.nan
        return np.round(lonlat, _DEGREE_DECIMALS)

    def from_degrees(self, lonlat: "Floats") -> "Floats":
        """Convert `(lon, lat)`, shape (n, 2), to coordinates of the drawing."""
        np = heavy.numpy
        lonlat = np.asarray(lonlat, dtype=np.float64).reshape(-1, 2)
        metres = np.column_stack(_transformer().transform(lonlat[:, 0], lonlat[:, 1]))
        return np.asarray(metres / (self._unit_m, -self._unit_m) + self.middle, dtype=np.float64)

    def position(self, x: float, y: float) -> Point | None:
        """Return `(lon, lat)` of a point of the drawing; None beyond `LAST_MI`."""
        ((lon, lat),) = self.to_degrees(heavy.numpy.array([[x, y]])).tolist()
        return None if math.isnan(lon) else (lon + 0.0, lat + 0.0)

    def cells(self, lon: float, lat: float) -> tuple[str, str]:
        """Return the shortest texts of x and y that `position` reads as this position again."""
        ((x, y),) = self.from_degrees(heavy.numpy.array([[lon, lat]])).tolist()
        texts = ("", "")
        for decimals in range(_MOST_DECIMALS + 1):
            texts = (_shorten(f"{x:.{decimals}f}"), _shorten(f"{y:.{decimals}f}"))
            if self.position(*map(float, texts)) == (round(lon, _DEGREE_DECIMALS), round(lat, _DEGREE_DECIMALS)):
                break
        return texts

    def describe(self, text: str) -> str:
        """Return a message with every `lon, lat` in it replaced by x and y of the drawing, to a tenth.

        Columns of tables are called x and y too.
        """

        def replace(match: re.Match[str]) -> str:
            ((x, y),) = self.from_degrees(heavy.numpy.array([[float(match[1]), float(match[2])]])).tolist()
            return f"x {x:.1f}, y {y:.1f}"

        for pattern in _POSITIONS:
            text = pattern.sub(replace, text)
        return re.sub(r"\blon\b", "x", re.sub(r"\blat\b", "y", text))

    def geojson_to_degrees(self, data: bytes) -> bytes:
        """Return GeoJSON in coordinates of the drawing as GeoJSON in degrees; other data as it is."""
        return _convert_geojson(data, self.to_degrees)


def _shorten(text: str) -> str:
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _convert_geojson(data: bytes, convert: "Callable[[Floats], Floats]") -> bytes:
    def converted(value: Any) -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            return {
                key: nested(part) if key == "coordinates" else converted(part)
                for key, part in value.items()
                if key != "crs"
            }
        return [converted(part) for part in value] if isinstance(value, list) else value

    def nested(value: Any) -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, list) and value and isinstance(value[0], (int, float)):
            ((lon, lat),) = convert(heavy.numpy.array([value[:2]])).tolist()
            return value if math.isnan(lon) else [lon, lat]
        return [nested(part) for part in value] if isinstance(value, list) else value

    try:
        return json.dumps(converted(json.loads(data))).encode()
    except (ValueError, TypeError, IndexError):  # whoever reads it names what is wrong
        return data
