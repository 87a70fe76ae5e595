"""Whether control points and a drawing go together.

Control points are in the drawing's own units. Points taken in others, such as the pixels of a scan that was scaled into
the drawing, put every line in a wrong place, and no residual shows it: the points agree with each other. But then they
lie off the drawing's page, or the lines lie far off the points.
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
    """A drawing that control points place, in its own units with y downward.

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
        """How large it is, and where on it something is drawn, to a thousandth of a unit."""
        at = np.array([vertex for line in self.features.values() for vertex in line], dtype=np.float64)
        drawn = None
        if len(at):
            left, top, right, bottom = (round(float(v), 3) + 0.0 for v in (*at.min(axis=0), *at.max(axis=0)))
            drawn = (left, top, right, bottom)
        return DrawingExtent(file=self.file, page=self.page, drawn=drawn)


def coverage_warnings(
    points: Sequence[ControlPoint], drawings: Iterable[PixelDrawing]
) -> Iterator[GeoreferenceWarning]:
    """Yield a warning for each drawing that has control points off its page, and for each far outside the points.

    Args:
        points: The control points, in the drawings' units.
        drawings: What they place.
    """
    for drawing in drawings:
        if drawing.page is not None:
            yield from _off_the_page(points, drawing.page, drawing.file)
        yield from _outside_points(points, drawing)


def _off_the_page(points: Sequence[ControlPoint], page: DrawnPage, file: str) -> Iterator[GeoreferenceWarning]:
    left, top, right, bottom = page.corners
    margin = PAGE_MARGIN * max(page.width, page.height)
    off = [
        point
        for point in points
        if not (left - margin <= point.x <= right + margin and top - margin <= point.y <= bottom + margin)
    ]
    if off:
        first = off[0]
        yield GeoreferenceWarning(
            code="outside-drawing",
            row=first.row,
            message=f"{first.file}:{first.row}: {len(off)} of {len(points)} control points are not on the page of "
            f"{file}, the first being {first.label} at ({first.x:g}, {first.y:g}); the page reaches from ({left:g}, "
            f"{top:g}) to ({right:g}, {bottom:g}) in the drawing's own units; take control points in these, not in "
            "millimetres or in pixels of a scan",
        )


def _outside_points(points: Sequence[ControlPoint], drawing: PixelDrawing) -> Iterator[GeoreferenceWarning]:
    hull = shapely.convex_hull(shapely.multipoints([(point.x, point.y) for point in points]))
    left, top, right, bottom = shapely.bounds(hull)
    extent = float(np.hypot(right - left, bottom - top))
    if not extent:
        return
    away = {
        feature: float(shapely.distance(shapely.points(np.asarray(line, dtype=np.float64)), hull).max()) / extent
        for feature, line in drawing.features.items()
        if len(line)
    }
    far = sorted((-share, feature) for feature, share in away.items() if share > HULL_MARGIN)
    if far:
        yield GeoreferenceWarning(
            code="outside-points",
            row=None,
            message=f"{drawing.file}: {len(far)} of its {len(away)} lines and points reach beyond the control points, "
            f"{far[0][1]} by {-far[0][0]:.0%} of their extent, where no point holds them in place; add control points "
            "around them, and check that all are in the drawing's own units",
        )
