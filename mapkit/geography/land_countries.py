"""Countries of land on a page, by the places of the gazetteer on it."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.core.base import Area
from mapkit.formats.degrees import middle_longitude
from mapkit.geography.backdrop import Warp
from mapkit.geography.basemap import Geometries
from mapkit.geography.gazetteer_table import PER_DEGREE, shipped_table
from mapkit.geography.projection import Projection

_GRID_POINTS: Final = 9
"""Points along each side of the page, of which the degrees say what may lie on it."""
_AROUND_DEG: Final = 1.0
_HALF_TURN: Final = 180.0


@dataclass(frozen=True, eq=False)
class PagePlaces:
    """Places of the gazetteer on a page: positions in millimetres, and countries."""

    tree: shapely.STRtree
    countries: NDArray[np.str_]

    def move(self, warp: Warp) -> "PagePlaces":
        """Return the places where a warp of the page moves them."""
        moved_points = warp(shapely.get_coordinates(self.tree.geometries))
        return PagePlaces(shapely.STRtree(np.array(shapely.points(moved_points), dtype=object)), self.countries)

    def shapes(self, shapes: Geometries) -> list[str]:
        """Return the country (ISO 3166 alpha-2) of most places on each shape, or of the nearest place if it has none.

        Ties go to the first country by code; empty if the page has no places.

        Args:
            shapes: In page millimetres.
        """
        counts_by_shape: list[Counter[str]] = [Counter() for _ in shapes]
        shape_indices, place_indices = self.tree.query(shapes, predicate="intersects")
        for shape_index, code in zip(shape_indices.tolist(), self.countries[place_indices].tolist(), strict=True):
            counts_by_shape[shape_index][code] += 1
        return [
            min((-count, code) for code, count in shape_counts.items())[1]
            if shape_counts
            else (str(self.countries[self.tree.nearest(shape_index)]) if len(self.countries) else "")
            for shape_counts, shape_index in zip(counts_by_shape, shapes, strict=True)
        ]


@lru_cache(maxsize=4)
def load_page_places(projection: Projection, area: Area) -> PagePlaces:
    """Return the places on a page or just beside it.

    Args:
        projection: That of the page.
        area: Of the page, millimetres.
    """
    transformer = heavy.pyproj.Transformer.from_crs("EPSG:4326", projection.crs, always_xy=True)
    scale, left, top = projection.scale_mm_per_m, projection.offset_x_mm, projection.offset_y_mm
    x, y = (
        side.ravel()
        for side in np.meshgrid(np.linspace(*area[::2], _GRID_POINTS), np.linspace(*area[1::2], _GRID_POINTS))
    )
    visible_degrees = np.column_stack(transformer.transform((x - left) / scale, (top - y) / scale, direction="INVERSE"))
    visible_degrees = visible_degrees[np.isfinite(visible_degrees).all(axis=1)]
    table = shipped_table()
    lon, lat = (np.asarray(column) / PER_DEGREE for column in table.columns()[:2])
    middle_lon = middle_longitude(visible_degrees[:, 0].tolist())
    reach_deg = np.abs(_degrees_east(visible_degrees[:, 0], middle_lon)).max() + _AROUND_DEG
    near_rows = np.flatnonzero(
        (np.abs(_degrees_east(lon, middle_lon)) <= reach_deg)
        & (lat >= visible_degrees[:, 1].min() - _AROUND_DEG)
        & (lat <= visible_degrees[:, 1].max() + _AROUND_DEG)
    )
    east, north = transformer.transform(lon[near_rows], lat[near_rows])
    page_points = np.column_stack((left + scale * east, top - scale * north))
    is_finite = np.isfinite(page_points).all(axis=1)
    country_codes = np.array([table.country(row) for row in near_rows[is_finite].tolist()], dtype=np.str_)
    return PagePlaces(shapely.STRtree(shapely.points(page_points[is_finite])), country_codes)


def _degrees_east(lon: NDArray[np.float64], middle: float) -> NDArray[np.float64]:
    """Return degrees east of a longitude, from -180 to 180."""
    turned: NDArray[np.float64] = (lon - middle + _HALF_TURN) % (2 * _HALF_TURN) - _HALF_TURN
    return turned
