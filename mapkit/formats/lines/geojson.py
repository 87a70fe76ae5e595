"""GeoJSON (RFC 7946) as layers of features.

Parsed without GDAL, so that messages name the feature of a mistake, a bad number costs one feature rather than the
file, and no file can make GDAL open another.
"""

import json
import math
import re
from typing import Any

import msgspec
import numpy as np
import shapely

from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import json_error_message
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines.features import (
    MAX_FEATURES,
    FeatureLayer,
    Geometries,
    ImportOptions,
    describe_features,
    read_columns,
)
from mapkit.formats.tables import Problems

_NULL_GEOMETRY = msgspec.Raw(b"null")
_NOT_A_NUMBER = "NaN"
_MAX_NOTES, _MAX_NOTE = 1000, 500
_SEQUENCE = re.compile(rb"\x1e|\{[^\n]*\}[ \r]*\n\s*\{")
_GEOMETRY_TYPES = (
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
)  # fmt: skip


class _Feature(msgspec.Struct):
    type: str
    geometry: msgspec.Raw = _NULL_GEOMETRY
    properties: dict[str, Any] | None = None
    id: str | int | float | None = None
    crs: Any = msgspec.UNSET


class _Document(msgspec.Struct):
    type: str
    features: list[_Feature] = []
    geometry: msgspec.Raw = _NULL_GEOMETRY
    properties: dict[str, Any] | None = None
    crs: Any = msgspec.UNSET
    name: Any = None
    mapkit_left_out: Any = None


def read_geojson(data: bytes, *, file: str, stem: str, options: ImportOptions) -> tuple[FeatureLayer, list[str]]:
    """Return the one layer of a GeoJSON text, and notes on skipped features.

    A member `mapkit_left_out` repeats the notes of the import that wrote the file.

    The CRS is EPSG:4326 (RFC 7946) unless a member `crs` of the older standard, or the author, states another.

    Args:
        data: The file's bytes, UTF-8.
        file: Its name, for messages.
        stem: The layer's name if the file states none.
        options: The author's options.

    Raises:
        SourceError: It is not GeoJSON, is nested too deeply, or features are malformed; each is named.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    document = _join_sequence(data, file) if _SEQUENCE.match(data) else _decode(data, file)
    if document.type == "FeatureCollection":
        features = document.features
    elif document.type == "Feature":
        features = [_Feature(document.type, document.geometry, document.properties)]
    elif document.type in _GEOMETRY_TYPES:
        features = [_Feature("Feature", msgspec.Raw(data))]
    else:
        raise SourceError(f"{file}: type {document.type[:40]!r} is not GeoJSON; export a FeatureCollection")
    if len(features) > MAX_FEATURES:
        raise SourceError(f"{file}: {len(features)} features, the limit is {MAX_FEATURES}; split the file")
    layer_name = document.name if isinstance(document.name, str) and document.name.strip() else stem
    labels = [f"{file}#{feature_index}" for feature_index in range(len(features))]
    if document.type not in _GEOMETRY_TYPES:
        _refuse_own_crs(features, labels)
    geometries, labels_by_reason = _parse_geometries(features, labels)
    notes = [
        note
        for reason, bad_labels in sorted(labels_by_reason.items())
        for note in describe_features(bad_labels, reason)
    ]
    if isinstance(document.mapkit_left_out, list):
        notes = [*(f"{file}: {str(text)[:_MAX_NOTE]}" for text in document.mapkit_left_out[:_MAX_NOTES]), *notes]
    left_out_labels = {label for bad_labels in labels_by_reason.values() for label in bad_labels}
    kept_indices = [feature_index for feature_index, label in enumerate(labels) if label not in left_out_labels]
    features, labels, geometries = (
        [features[feature_index] for feature_index in kept_indices],
        [labels[feature_index] for feature_index in kept_indices],
        geometries[kept_indices],
    )
    columns = tuple(dict.fromkeys(key for feature in features for key in feature.properties or ()))
    columns += () if "id" in columns else ("id",)
    return (
        FeatureLayer(
            name=layer_name,
            crs=_crs_name(document.crs, options, file),
            is_crs_assumed=document.crs is msgspec.UNSET,
            labels=labels,
            geometries=geometries,
            columns=columns,
            values={
                column: [_feature_value(feature, column) for feature in features]
                for column in read_columns(columns, options)
            },
        ),
        notes,
    )


def _feature_value(feature: _Feature, column: str) -> object:
    attribute = (feature.properties or {}).get(column)
    return feature.id if attribute is None and column == "id" else attribute


def _decode(data: bytes, file: str) -> _Document:
    try:
        try:
            return msgspec.json.decode(data, type=_Document)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            return msgspec.json.decode(_replace_non_finite(data), type=_Document)
    except RecursionError as error:
        raise SourceError(f"{file}: nested too deep; this is not GeoJSON of lines") from error
    except msgspec.ValidationError as error:
        raise SourceError(f"{file}: not valid GeoJSON: {translate_error(error)}; fix it or export it again") from error
    except json.JSONDecodeError as error:
        raise SourceError(json_error_message(error, file=file, cure="fix it or export it again")) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}:{_line_of_bad_text(data)}: not UTF-8; save the file as UTF-8") from error
    except ValueError as error:  # numbers with thousands of digits
        raise SourceError(json_error_message(error, file=file, cure="fix it or export it again")) from error


def _join_sequence(data: bytes, file: str) -> _Document:
    """Return the features of a GeoJSON text sequence (RFC 8142, or one feature a line) as one collection."""
    texts = data.split(b"\x1e") if b"\x1e" in data[:1] else data.splitlines()
    documents = [
        _decode(text, f"{file}: record {number}") for number, text in enumerate(filter(bytes.strip, texts), start=1)
    ]
    features: list[_Feature] = []
    for document in documents:
        bare_feature = _Feature(document.type, document.geometry, document.properties)
        features += document.features if document.type == "FeatureCollection" else [bare_feature]
    return _Document("FeatureCollection", features)


def _line_of_bad_text(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return 1


def _replace_non_finite(data: bytes) -> bytes:
    """Return JSON with texts in place of NaN and infinite numbers, as some programs write."""

    def number(text: str) -> float | str:
        value = float(text)
        return value if math.isfinite(value) else _NOT_A_NUMBER

    plain = json.loads(data.decode("utf-8"), parse_constant=lambda _: _NOT_A_NUMBER, parse_float=number)
    return json.dumps(plain).encode()


def _parse_geometries(features: list[_Feature], labels: list[str]) -> tuple[Geometries, dict[str, list[str]]]:
    """Return the geometries, and the labels of features to leave out, by reason."""
    geometry_texts = np.array([bytes(feature.geometry) for feature in features], dtype=object)
    is_null = np.array([reason.strip() == b"null" for reason in geometry_texts], dtype=bool)
    geometry_texts[is_null] = None
    with np.errstate(all="ignore"):
        geometries = np.asarray(shapely.from_geojson(geometry_texts, on_invalid="ignore"), dtype=object)
    problems = Problems()
    labels_by_reason: dict[str, list[str]] = {}
    for feature_index, feature in enumerate(features):
        if feature.type != "Feature":
            problems.add(
                f"{labels[feature_index]}: type {feature.type[:40]!r} stands where a Feature should be; export it again"
            )
        elif geometries[feature_index] is None and not is_null[feature_index]:
            is_harmless, reason = _explain_bad_geometry(geometry_texts[feature_index])
            if is_harmless:
                labels_by_reason.setdefault(reason, []).append(labels[feature_index])
            else:
                problems.add(f"{labels[feature_index]}: {reason}")
    problems.raise_if_any()
    return geometries, labels_by_reason


class _WithCrs(msgspec.Struct):
    crs: Any = msgspec.UNSET


def _refuse_own_crs(features: list[_Feature], labels: list[str]) -> None:
    """Raise an error for features with a `crs` member, since it would be lost.

    Raises:
        SourceError: Features have one; each is named.
    """
    problems = Problems()
    for feature, label in zip(features, labels, strict=True):
        own_crs = feature.crs if feature.crs is not msgspec.UNSET else _geometry_crs(bytes(feature.geometry))
        if own_crs is not msgspec.UNSET:
            problems.add(f"{label}: has a crs of its own ({str(own_crs)[:80]}); export all features in one CRS")
    problems.raise_if_any()


def _geometry_crs(geometry: bytes) -> object:
    """Return the member `crs` of a geometry (allowed by GeoJSON of 2008), or UNSET."""
    if b'"crs"' not in geometry:
        return msgspec.UNSET
    try:
        return msgspec.json.decode(geometry, type=_WithCrs).crs
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return msgspec.UNSET  # another check reports the mistake


def _explain_bad_geometry(geometry_text: bytes) -> tuple[bool, str]:
    """Return whether an unreadable geometry may be left out, and the reason."""
    try:
        geometry = json.loads(geometry_text)
    except UnicodeDecodeError:
        return False, "its geometry is not UTF-8; save the file as UTF-8"
    except (ValueError, RecursionError):
        return False, "its geometry cannot be read; draw it again"
    if not isinstance(geometry, dict) or geometry.get("type") not in _GEOMETRY_TYPES:
        type_name = geometry.get("type") if isinstance(geometry, dict) else geometry
        return False, f"geometry of type {str(type_name)[:40]!r}; GeoJSON has {', '.join(_GEOMETRY_TYPES)}"
    if _holds_no_number(geometry):
        return True, "a coordinate is not a finite number; left out"
    coordinates = geometry.get("coordinates")
    if geometry["type"] == "LineString" and isinstance(coordinates, list) and len(coordinates) == 1:
        return True, "a line of a single vertex; left out"
    return False, f"the coordinates of its {geometry['type']} are malformed; draw it again"


def _holds_no_number(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_no_number(item) for key, item in value.items() if key != "type")
    if isinstance(value, list):
        return any(_holds_no_number(item) for item in value)
    return value == _NOT_A_NUMBER or (isinstance(value, float) and not math.isfinite(value))


def _crs_name(member: object, options: ImportOptions, file: str) -> str | None:
    if member is msgspec.UNSET:
        return None if options.crs else "EPSG:4326"
    if member is None:  # of the older standard: the CRS is not known
        return None
    if isinstance(member, dict) and member.get("type") == "name" and isinstance(member.get("properties"), dict):
        crs_name = member["properties"].get("name")
        if isinstance(crs_name, str) and crs_name:
            return crs_name
    raise SourceError(f"{file}: member crs does not name a CRS ({str(member)[:80]}); give its name, or remove it")
