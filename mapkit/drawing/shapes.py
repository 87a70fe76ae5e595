"""Geometries as SVG path data."""

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.svg_page import line_path_data

_LEAST_MM2 = 0.2
_FEWEST_RING_POINTS = 4


def shape_path_data(shape: BaseGeometry) -> str:
    """Return path data for areas or lines; specks below a fifth of a square millimetre are left out."""
    path_parts: list[str] = []
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon":
            if part.area >= _LEAST_MM2:
                ring_points = [shapely.get_coordinates(ring) for ring in (part.exterior, *part.interiors)]
                path_parts += [
                    line_path_data(ring, closed=True) for ring in ring_points if len(ring) >= _FEWEST_RING_POINTS
                ]
        elif part.geom_type == "LineString" and not part.is_empty:
            path_parts.append(line_path_data(shapely.get_coordinates(part)))
        elif part.geom_type.startswith(("Multi", "Geometry")):
            path_parts.append(shape_path_data(part))
    return " ".join(word for word in path_parts if word)
