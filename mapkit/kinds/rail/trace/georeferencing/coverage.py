"""Check that control points and a drawing are in the same units.

Control points are in the drawing's own units. Points in other units, such as the pixels of a scan that was scaled into
the drawing, put every line in a wrong place, and no residual shows it, since the points agree with each other. But
they lie off the drawing's page then, or the lines lie far from the points.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.formats.drawn_page import DrawnPage
from mapkit.kinds.rail.model.georeference import DrawingExtent, GeoreferenceWarning
from mapkit.kinds.rail.model.source import ControlPoint

PAGE_MARGIN: Final = 0.02
"""Share of a page's longer side by which a control point may lie beside it: a click on the very edge."""
HULL_MARGIN: Final = 0.1
"""Share of the control points' extent up to which lines outside them are as good as inside: residuals hardly grow."""


@dataclass(frozen=True)
class PixelDrawing:
    """Drawing in its own units, y downward, that control points place.

    Attributes:
        file: Its name.
        page: Its page; None where it gives no size.
        features: The vertices of its lines and points, by feature.
    """

    file: str
    page: DrawnPage | None
    features: Mapping[str, Sequence[Point]]

    @property
    def extent(self) -> DrawingExtent:
        """Page size, and the bounding box of the drawn features to a thousandth of a unit."""
        vertex_xy = np.array([vertex for line in self.features.values() for vertex in line], dtype=np.float64)
        bounding_box = None
        if len(vertex_xy):
            left, top, right, bottom = (
                round(float(v), 3) + 0.0 for v in (*vertex_xy.min(axis=0), *vertex_xy.max(axis=0))
            )
            bounding_box = (left, top, right, bottom)
        return DrawingExtent(file=self.file, page=self.page, drawn=bounding_box)


def check_coverage(points: Sequence[ControlPoint], drawings: Iterable[PixelDrawing]) -> Iterator[GeoreferenceWarning]:
    """Yield a warning for control points off a drawing's page, and one for lines far outside the points.

    Args:
        points: The control points, in the drawings' units.
        drawings: Drawings that they place.
    """
    for drawing in drawings:
        if drawing.page is not None:
            yield from _warn_of_points_off_page(points, drawing.page, drawing.file)
        yield from _warn_of_lines_outside_points(points, drawing)


def _warn_of_points_off_page(
    points: Sequence[ControlPoint], page: DrawnPage, file: str
) -> Iterator[GeoreferenceWarning]:
    left, top, right, bottom = page.corners
    margin = PAGE_MARGIN * max(page.width, page.height)
    points_off_page = [
        point
        for point in points
        if not (left - margin <= point.x <= right + margin and top - margin <= point.y <= bottom + margin)
    ]
    if points_off_page:
        first_point = points_off_page[0]
        yield GeoreferenceWarning(
            code="outside-drawing",
            row=first_point.row,
            message=f"{first_point.file}:{first_point.row}: {len(points_off_page)} of {len(points)} control points are "
            f"not on the page of {file}, the first being {first_point.label} at ({first_point.x:g}, "
            f"{first_point.y:g}); the page reaches from ({left:g}, {top:g}) to ({right:g}, {bottom:g}) in the "
            "drawing's own units; take control points in these, not in millimetres or in pixels of a scan",
        )


def _warn_of_lines_outside_points(
    points: Sequence[ControlPoint], drawing: PixelDrawing
) -> Iterator[GeoreferenceWarning]:
    hull = shapely.convex_hull(shapely.multipoints([(point.x, point.y) for point in points]))
    left, top, right, bottom = shapely.bounds(hull)
    hull_diagonal = float(np.hypot(right - left, bottom - top))
    if not hull_diagonal:
        return
    overhang_by_feature = {
        feature: float(shapely.distance(shapely.points(np.asarray(line, dtype=np.float64)), hull).max()) / hull_diagonal
        for feature, line in drawing.features.items()
        if len(line)
    }
    far_features = sorted((-share, feature) for feature, share in overhang_by_feature.items() if share > HULL_MARGIN)
    if far_features:
        yield GeoreferenceWarning(
            code="outside-points",
            row=None,
            message=f"{drawing.file}: {len(far_features)} of its {len(overhang_by_feature)} lines and points reach "
            f"beyond the control points, {far_features[0][1]} by {-far_features[0][0]:.0%} of their extent, where no "
            "point holds them in place; add control points around them, and check that all are in the drawing's own "
            "units",
        )
