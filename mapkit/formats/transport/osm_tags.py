"""OpenStreetMap tags as columns, and the points among them that are stations."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import shapely

from mapkit.formats.lines.features import FeatureLayer, ImportOptions, read_columns

_TAG = re.compile(r'"((?:[^"\\]|\\.)*)"=>"((?:[^"\\]|\\.)*)"')
_TAG_COLUMN: Final = "other_tags"
_RAILWAY: Final = "railway"
_STATIONS: Final = frozenset({"station", "halt", "stop", "junction", "yard", "crossover"})


def split_tag_column(layer: FeatureLayer, options: ImportOptions) -> FeatureLayer:
    """Return a layer of GDAL's OSM driver with the tags to read as columns, and of its points only stations."""
    if _TAG_COLUMN not in layer.values:
        return layer
    tags = [
        {key: _unescape(value) for key, value in _TAG.findall(str(text or ""))} for text in layer.values[_TAG_COLUMN]
    ]
    columns = tuple(dict.fromkeys((*layer.columns, *(key for each in tags for key in each))))
    values = {
        column: [
            each.get(column, own) for each, own in zip(tags, layer.values.get(column, (None,) * len(tags)), strict=True)
        ]
        for column in {*read_columns(columns, options), _RAILWAY} - {_TAG_COLUMN}
    }
    is_kept = np.array(
        [
            shapely.get_type_id(shape) != 0 or is_station({_RAILWAY: railway})
            for shape, railway in zip(layer.geometries, values[_RAILWAY], strict=True)
        ],
        dtype=np.bool_,
    )
    kept_indices = np.flatnonzero(is_kept).tolist()
    return replace(
        layer,
        labels=[layer.labels[i] for i in kept_indices],
        geometries=layer.geometries[is_kept],
        columns=tuple(column for column in columns if column != _TAG_COLUMN),
        values={column: [column_values[i] for i in kept_indices] for column, column_values in values.items()},
    )


def is_station(tags: Mapping[str, object]) -> bool:
    """Return whether a node of OpenStreetMap is a place where trains stop or lines part."""
    return tags.get(_RAILWAY) in _STATIONS


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
