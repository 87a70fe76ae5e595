"""The author's own layers as files of a source package."""

import json
from collections.abc import Iterator, Sequence

from mapkit.geography.own_layers import OwnLayers, Polygon
from mapkit.kinds.rail.sources.layers import REGION

Feature = tuple[dict[str, str], str, Sequence[object]]
"""Properties, kind of geometry, coordinates."""


def layer_files(layers: OwnLayers | None) -> dict[str, str]:
    """Return the GeoJSON files of layers by their names in the package, a feature a line of text."""
    if layers is None:
        return {}
    return {f"layers/{name}.geojson": _text(name, list(_features(name, layers))) for name in layer_names(layers)}


def layer_names(layers: OwnLayers | None) -> list[str]:
    """Return the names of the layers that are there."""
    return [name for name in OwnLayers.model_fields if getattr(layers, name, None) is not None]


def _features(name: str, layers: OwnLayers) -> Iterator[Feature]:
    if name == "regions":
        for ident, polygons in (layers.regions or {}).items():
            yield _area(polygons, {REGION: ident})
        return
    lines = name in ("rivers", "borders")
    for shape in getattr(layers, name):
        yield ({}, "LineString", shape) if lines else _area([shape], {})


def _area(polygons: Sequence[Polygon], properties: dict[str, str]) -> Feature:
    return (properties, "MultiPolygon", polygons) if len(polygons) != 1 else (properties, "Polygon", polygons[0])


def _text(name: str, features: Sequence[Feature]) -> str:
    lines = ",\n".join(
        json.dumps(
            {"type": "Feature", "properties": properties, "geometry": {"type": kind, "coordinates": coordinates}},
            separators=(",", ":"),
        )
        for properties, kind, coordinates in features
    )
    return f'{{"type":"FeatureCollection","name":"{name}","features":[\n{lines}\n]}}\n'
