"""Thinning of dense lines: surveys have a vertex every few metres, and noding compares all within the tolerance."""

from typing import Final

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Shapes

_DENSE_SHARE: Final = 0.05
"""Of the tolerance: vertices that stand closer on average are dense. Drawings by hand have one in several miles."""
_THIN_SHARE: Final = 0.001
"""Of the tolerance: how far a line may move, 1.6 metres at the usual mile."""


def thin_dense_lines(lines: Shapes, tolerance: float) -> Shapes:
    """Return lines without vertices that they hardly need, if their vertices are dense; their ends stay.

    Args:
        lines: LineStrings in a plane.
        tolerance: That of noding, in the unit of the coordinates.
    """
    vertex_count = int(shapely.get_num_coordinates(lines).sum())
    if vertex_count * _DENSE_SHARE * tolerance <= shapely.length(lines).sum():
        return lines
    return np.asarray(shapely.simplify(lines, _THIN_SHARE * tolerance, preserve_topology=True), dtype=object)
