"""Which country land on a page belongs to, by the places of the gazetteer that lie on it."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.base import Area
from mapkit.geography.basemap import Geometries
from mapkit.geography.gazetteer_table import PER_DEGREE, shipped_table
from mapkit.geography.projection import Projection
from mapkit.geography.region import middle_longitude

_GRID: Final = 9
"""Points along each side of the page, of which the degrees say what may lie on it."""
_AROUND_DEG: Final = 1.0
_HALF_TURN: Final = 180.0


@dataclass(frozen=True, eq=False)
class LandOf:
    """The places of the gazetteer on a page: where they lie, millimetres, and the countries of them."""

    tree: shapely.STRtree
    countries: NDArray[np.str_]

    def shapes(self, shapes: Geometries) -> list[str]:
        """Return the country (ISO 3166 alpha-2) of most places on each shape; of the nearest place where it has none.

        Of countries with as many places there the first by code counts; where the page has no places, it is empty.

        Args:
            shapes: In page millimetres.
        """
        held: list[Counter[str]] = [Counter() for _ in shapes]
        shape, place = self.tree.query(shapes, predicate="intersects")
        for one, code in zip(shape.tolist(), self.countries[place].tolist(), strict=True):
            held[one][code] += 1
        return [
            min(found, key=lambda code, of=found: (-of[code], code)) if found else self._nearest(one)  # type: ignore[misc]
            for found, one in zip(held, shapes, strict=True)
        ]

    def _nearest(self, shape: BaseGeometry) -> str:
        return str(self.countries[self.tree.nearest(shape)]) if len(self.countries) else ""


@lru_cache(maxsize=4)
def land_of(projection: Projection, area: Area) -> LandOf:
    """Return the places that lie on a page or just beside it.

    Args:
        projection: That of the page.
        area: Of the page, millimetres.
    """
    transformer = heavy.pyproj.Transformer.from_crs("EPSG:4326", projection.crs, always_xy=True)
    scale, left, top = projection.scale_mm_per_m, projection.offset_x_mm, projection.offset_y_mm
    x, y = (side.ravel() for side in np.meshgrid(np.linspace(*area[::2], _GRID), np.linspace(*area[1::2], _GRID)))
    seen = np.column_stack(transformer.transform((x - left) / scale, (top - y) / scale, direction="INVERSE"))
    seen = seen[np.isfinite(seen).all(axis=1)]
    table = shipped_table()
    lon, lat = (np.asarray(column) / PER_DEGREE for column in table.columns()[:2])
    middle = middle_longitude(seen[:, 0].tolist())
    reach = np.abs(_turned(seen[:, 0], middle)).max() + _AROUND_DEG
    rows = np.flatnonzero(
        (np.abs(_turned(lon, middle)) <= reach)
        & (lat >= seen[:, 1].min() - _AROUND_DEG)
        & (lat <= seen[:, 1].max() + _AROUND_DEG)
    )
    east, north = transformer.transform(lon[rows], lat[rows])
    at = np.column_stack((left + scale * east, top - scale * north))
    there = np.isfinite(at).all(axis=1)
    codes = np.array([table.country(row) for row in rows[there].tolist()], dtype=np.str_)
    return LandOf(shapely.STRtree(shapely.points(at[there])), codes)


def _turned(lon: NDArray[np.float64], middle: float) -> NDArray[np.float64]:
    """Return degrees east of a longitude, from -180 to 180."""
    turned: NDArray[np.float64] = (lon - middle + _HALF_TURN) % (2 * _HALF_TURN) - _HALF_TURN
    return turned
