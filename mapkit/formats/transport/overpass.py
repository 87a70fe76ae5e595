"""Overpass JSON: ways and stations of OpenStreetMap, with their tags as columns."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import msgspec
import numpy as np
import shapely

from mapkit.core.errors import SourceError
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines.features import FeatureLayer, ImportOptions, describe_features, read_columns

# OpenStreetMap tags as columns, and the points among them that are stations.

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


class _Position(msgspec.Struct):
    lat: float
    lon: float


class _Member(msgspec.Struct):
    type: str
    ref: int
    geometry: list[_Position | None] | None = None


class _Element(msgspec.Struct):
    type: str
    id: int
    lat: float | None = None
    lon: float | None = None
    nodes: list[int] = []
    geometry: list[_Position | None] | None = None
    members: list[_Member] = []
    tags: dict[str, str] = {}


class _Answer(msgspec.Struct):
    elements: list[_Element]


def read_overpass(data: bytes, *, file: str, stem: str, options: ImportOptions) -> tuple[FeatureLayer, list[str]]:
    """Return the ways and stations of an answer of the Overpass API, and notes.

    Ways have their geometry (`out geom`), or nodes in the same file (`out body; >; out skel`). Ways of relations are
    read if they are in the file on their own, else from the relation, with its tags.

    Raises:
        SourceError: It is not such an answer.
    """
    try:
        elements = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_Answer).elements
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise SourceError(f"{file}: not valid Overpass JSON: {translate_error(error)}; export it again") from error
    position_by_node = {
        element.id: (element.lon, element.lat)
        for element in elements
        if element.type == "node" and element.lat is not None and element.lon is not None
    }
    shapes: dict[str, tuple[shapely.Geometry, dict[str, str]]] = {}
    broken_labels: list[str] = []
    way_ids = {element.id for element in elements if element.type == "way"}
    for element in elements:
        if element.type == "node" and is_station(element.tags) and element.id in position_by_node:
            shapes[f"node/{element.id}"] = shapely.Point(position_by_node[element.id]), element.tags
        parts = (
            [(f"way/{element.id}", element.geometry, element.nodes)]
            if element.type == "way"
            else [
                (f"relation/{element.id}/{member.ref}", member.geometry, [])
                for member in element.members
                if member.type == "way" and member.ref not in way_ids and member.geometry
            ]
        )
        for label, geometry, nodes in parts:
            vertices = [(at.lon, at.lat) for at in geometry or () if at is not None] or [
                position_by_node[node] for node in nodes if node in position_by_node
            ]
            if len(vertices) > 1:
                shapes[label] = shapely.LineString(vertices), element.tags
            else:
                broken_labels.append(f"{file}#{label}")
    columns = tuple(dict.fromkeys(key for _, tags in shapes.values() for key in tags))
    geometries = np.empty(len(shapes), dtype=object)
    geometries[:] = [shape for shape, _ in shapes.values()]
    layer = FeatureLayer(
        name=stem,
        crs="EPSG:4326",
        labels=[f"{file}#{label}" for label in shapes],
        geometries=geometries,
        columns=columns,
        values={column: [tags.get(column) for _, tags in shapes.values()] for column in read_columns(columns, options)},
    )
    return layer, describe_features(
        broken_labels, "its nodes are not in the file; left out; ask Overpass for 'out geom'"
    )
