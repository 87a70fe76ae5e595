"""Author's own layers as files of a source package."""

import json
from collections.abc import Iterator, Sequence

from mapkit.geography.own_layers import OwnLayers, Polygon
from mapkit.kinds.rail.sources.layers import NAME, REGION

Feature = tuple[dict[str, str], str, Sequence[object]]
"""Properties, kind of geometry, coordinates."""


def layer_files(layers: OwnLayers | None) -> dict[str, str]:
    """Return the GeoJSON files of layers by their names in the package, one feature per line."""
    if layers is None:
        return {}
    return {
        f"layers/{layer_name}.geojson": _collection_text(layer_name, list(_list_features(layer_name, layers)))
        for layer_name in layer_names(layers)
    }


def layer_names(layers: OwnLayers | None) -> list[str]:
    """Return the names of the layers that exist."""
    return [layer_name for layer_name in OwnLayers.model_fields if getattr(layers, layer_name, None) is not None]


def _list_features(name: str, layers: OwnLayers) -> Iterator[Feature]:
    if name == "regions":
        for region_id, polygons in (layers.regions or {}).items():
            yield _area_feature(polygons, {REGION: region_id})
        return
    if name == "labels":
        for label, points in (layers.labels or {}).items():
            yield {NAME: label}, "MultiPoint", points
        return
    is_line = name in ("rivers", "borders", "mountains")
    for layer_shape in getattr(layers, name):
        yield ({}, "LineString", layer_shape) if is_line else _area_feature([layer_shape], {})


def _area_feature(polygons: Sequence[Polygon], properties: dict[str, str]) -> Feature:
    return (properties, "MultiPolygon", polygons) if len(polygons) != 1 else (properties, "Polygon", polygons[0])


def _collection_text(name: str, features: Sequence[Feature]) -> str:
    feature_lines = ",\n".join(
        json.dumps(
            {
                "type": "Feature",
                "properties": properties,
                "geometry": {"type": geometry_type, "coordinates": coordinates},
            },
            separators=(",", ":"),
        )
        for properties, geometry_type, coordinates in features
    )
    return f'{{"type":"FeatureCollection","name":"{name}","features":[\n{feature_lines}\n]}}\n'
