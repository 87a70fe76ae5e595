"""Traced geometry as read from a file: lines, points and the names that came with them.

Arrays, not models, since a file may hold millions of vertices.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TracedLayer:
    """What one file or layer holds.

    Attributes:
        file: The file's name, for messages.
        crs: `"EPSG:4326"` if coordinates are `(lon, lat)` in degrees, None if they are pixels or drawing units
            (y downward) that control points must place.
        lines: shapely LineStrings, shape (n,), two-dimensional, finite, none empty.
        line_keys: What tells each line's railroad: the value of the mapped column, a layer, group or path id.
        line_features: The source feature of each line, for messages and provenance (`lines.geojson#12`).
        points: shapely Points of mileposts, shape (m,).
        point_names: Their names, empty where there is none.
        point_features: The source feature of each point.
        notes: What was repaired or left out while reading, each a sentence with the feature.
    """

    file: str
    crs: str | None
    lines: NDArray[np.object_]
    line_keys: tuple[str, ...]
    line_features: tuple[str, ...]
    points: NDArray[np.object_]
    point_names: tuple[str, ...]
    point_features: tuple[str, ...]
    notes: tuple[str, ...] = ()
