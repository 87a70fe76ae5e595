"""Station marks of DXF drawings: small closed shapes, mostly of blocks, become points, named by texts beside them."""

from dataclasses import replace
from typing import Final

import numpy as np
import shapely

from mapkit.formats.lines.features import FeatureLayer, describe_features

TEXT_COLUMN: Final = "Text"
_MARK_SHARE: Final = 0.02
"""Largest size of a mark, as a share of that of the drawing."""
_TEXT_SIZES: Final = 10.0
"""Largest distance of a text from its mark, in sizes of the mark."""
_FEWEST_VERTICES: Final = 4


def find_station_marks(layer: FeatureLayer) -> tuple[FeatureLayer, list[str]]:
    """Return a layer with points for its station marks, and notes on texts beside none; texts alone are points."""
    texts = [str(text or "").strip() for text in layer.values.get(TEXT_COLUMN, ("",) * len(layer.labels))]
    is_text = np.array([bool(text) for text in texts], dtype=np.bool_)
    left, bottom, right, top = shapely.bounds(layer.geometries).reshape(-1, 4).T
    sizes = np.hypot(right - left, top - bottom)
    extent = shapely.total_bounds(layer.geometries)
    largest_size = _MARK_SHARE * np.hypot(extent[2] - extent[0], extent[3] - extent[1])
    is_closed = shapely.is_closed(layer.geometries) & (
        shapely.get_num_coordinates(layer.geometries) >= _FEWEST_VERTICES
    )
    marks = np.flatnonzero(is_closed & (sizes <= largest_size) & (sizes > 0)).tolist()
    names: dict[int, str] = {index: texts[index] for index in np.flatnonzero(is_text).tolist()}
    geometries = layer.geometries.copy()
    unused: set[int] = set()
    if marks:
        geometries[marks] = shapely.centroid(shapely.envelope(layer.geometries[marks]))
        free_marks = set(marks)
        text_tree = shapely.STRtree(geometries[is_text])
        mark_numbers, text_numbers = text_tree.query(
            geometries[marks], predicate="dwithin", distance=_TEXT_SIZES * sizes[marks]
        )
        text_indices = np.flatnonzero(is_text)[text_numbers].tolist()
        pairs = sorted(
            (float(shapely.distance(geometries[marks[number]], geometries[text])), marks[number], text)
            for number, text in zip(mark_numbers.tolist(), text_indices, strict=True)
        )
        unused = {*names}
        for _, mark, text in pairs:
            if mark in free_marks and text in unused:
                free_marks.remove(mark)
                unused.remove(text)
                names[mark] = names[text]
    dropped = {index for index in range(len(texts)) if marks and is_text[index]}
    kept = [index for index in range(len(texts)) if index not in dropped]
    values = {column: [column_values[index] for index in kept] for column, column_values in layer.values.items()}
    marked_layer = replace(
        layer,
        labels=[layer.labels[index] for index in kept],
        geometries=geometries[kept],
        columns=(*layer.columns, "name"),
        values={**values, "name": [names.get(index, "") for index in kept]},
    )
    return marked_layer, describe_features(
        [f"{layer.labels[index]} ({texts[index]})" for index in sorted(unused)], "a text beside no mark; left out"
    )
