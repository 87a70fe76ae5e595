"""GeoJSON (RFC 7946) as layers of features.

Read here and not by GDAL, so that a mistake names its feature, a bad number costs one feature and not
the file, and nothing in a file can make GDAL open another.
"""

import json
import math
from typing import Any

import msgspec
import numpy as np
import shapely

from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import not_json
from mapkit.formats.library_errors import translate_error
from mapkit.formats.lines.features import (
    MAX_FEATURES,
    FeatureLayer,
    Geometries,
    ImportOptions,
    describe,
    read_columns,
)
from mapkit.formats.tables import Problems

_NULL = msgspec.Raw(b"null")
_NOT_A_NUMBER = "NaN"
_GEOMETRIES = (
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
)  # fmt: skip


class _Feature(msgspec.Struct):
    type: str
    geometry: msgspec.Raw = _NULL
    properties: dict[str, Any] | None = None
    id: str | int | float | None = None
    crs: Any = msgspec.UNSET


class _Document(msgspec.Struct):
    type: str
    features: list[_Feature] = []
    geometry: msgspec.Raw = _NULL
    properties: dict[str, Any] | None = None
    crs: Any = msgspec.UNSET
    name: Any = None


def read_geojson(data: bytes, *, file: str, stem: str, options: ImportOptions) -> tuple[FeatureLayer, list[str]]:
    """Return the one layer of a GeoJSON text, and what was left out.

    The CRS is EPSG:4326 (RFC 7946) unless a member `crs` of the older standard, or the author, says otherwise.

    Args:
        data: The file's bytes, UTF-8.
        file: Its name, for messages.
        stem: The layer's name if the file states none.
        options: What the author said about it.

    Raises:
        SourceError: It is not GeoJSON, is nested too deeply, or features are malformed; each is named.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    document = _decode(data, file)
    if document.type == "FeatureCollection":
        features = document.features
    elif document.type == "Feature":
        features = [_Feature(document.type, document.geometry, document.properties)]
    elif document.type in _GEOMETRIES:
        features = [_Feature("Feature", msgspec.Raw(data))]
    else:
        raise SourceError(f"{file}: type {document.type[:40]!r} is not GeoJSON; export a FeatureCollection")
    if len(features) > MAX_FEATURES:
        raise SourceError(f"{file}: {len(features)} features, the limit is {MAX_FEATURES}; split the file")
    name = document.name if isinstance(document.name, str) and document.name.strip() else stem
    labels = [f"{file}#{at}" for at in range(len(features))]
    if document.type not in _GEOMETRIES:
        _refuse_own_crs(features, labels)
    geometries, unusable = _geometries(features, labels)
    notes = [note for text, which in sorted(unusable.items()) for note in describe(which, text)]
    named = {label for which in unusable.values() for label in which}
    kept = [at for at, label in enumerate(labels) if label not in named]
    features, labels, geometries = [features[at] for at in kept], [labels[at] for at in kept], geometries[kept]
    columns = tuple(dict.fromkeys(key for feature in features for key in feature.properties or ()))
    columns += () if "id" in columns else ("id",)
    return (
        FeatureLayer(
            name=name,
            crs=_crs(document.crs, options, file),
            is_crs_assumed=document.crs is msgspec.UNSET,
            labels=labels,
            geometries=geometries,
            columns=columns,
            values={
                column: [_value(feature, column) for feature in features] for column in read_columns(columns, options)
            },
        ),
        notes,
    )


def _value(feature: _Feature, column: str) -> object:
    found = (feature.properties or {}).get(column)
    return feature.id if found is None and column == "id" else found


def _decode(data: bytes, file: str) -> _Document:
    try:
        try:
            return msgspec.json.decode(data, type=_Document)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            return msgspec.json.decode(_with_numbers_only(data), type=_Document)
    except RecursionError as error:
        raise SourceError(f"{file}: nested too deep; this is not GeoJSON of lines") from error
    except msgspec.ValidationError as error:
        raise SourceError(f"{file}: not valid GeoJSON: {translate_error(error)}; fix it or export it again") from error
    except json.JSONDecodeError as error:
        raise SourceError(not_json(error, file=file, cure="fix it or export it again")) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}:{_line_of_bad_text(data)}: not UTF-8; save the file as UTF-8") from error
    except ValueError as error:  # numbers with thousands of digits
        raise SourceError(not_json(error, file=file, cure="fix it or export it again")) from error


def _line_of_bad_text(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return 1


def _with_numbers_only(data: bytes) -> bytes:
    """Return JSON in which NaN and infinite numbers, as some programs write, are texts."""

    def number(text: str) -> float | str:
        value = float(text)
        return value if math.isfinite(value) else _NOT_A_NUMBER

    plain = json.loads(data.decode("utf-8"), parse_constant=lambda _: _NOT_A_NUMBER, parse_float=number)
    return json.dumps(plain).encode()


def _geometries(features: list[_Feature], labels: list[str]) -> tuple[Geometries, dict[str, list[str]]]:
    """Return the geometries, and by what is wrong with them the features to leave out."""
    texts = np.array([bytes(feature.geometry) for feature in features], dtype=object)
    null = np.array([text.strip() == b"null" for text in texts], dtype=bool)
    texts[null] = None
    with np.errstate(all="ignore"):
        geometries = np.asarray(shapely.from_geojson(texts, on_invalid="ignore"), dtype=object)
    problems = Problems()
    unusable: dict[str, list[str]] = {}
    for at, feature in enumerate(features):
        if feature.type != "Feature":
            problems.add(f"{labels[at]}: type {feature.type[:40]!r} stands where a Feature should be; export it again")
        elif geometries[at] is None and not null[at]:
            harmless, text = _trouble(texts[at])
            if harmless:
                unusable.setdefault(text, []).append(labels[at])
            else:
                problems.add(f"{labels[at]}: {text}")
    problems.raise_if_any()
    return geometries, unusable


class _WithCrs(msgspec.Struct):
    crs: Any = msgspec.UNSET


def _refuse_own_crs(features: list[_Feature], labels: list[str]) -> None:
    """Refuse features with a CRS of their own, which would be lost.

    Raises:
        SourceError: There are such; each is named.
    """
    problems = Problems()
    for feature, label in zip(features, labels, strict=True):
        own = feature.crs if feature.crs is not msgspec.UNSET else _crs_inside(bytes(feature.geometry))
        if own is not msgspec.UNSET:
            problems.add(f"{label}: has a crs of its own ({str(own)[:80]}); export all features in one CRS")
    problems.raise_if_any()


def _crs_inside(geometry: bytes) -> object:
    """Return the member `crs` of a geometry, which GeoJSON of 2008 allows there, or UNSET."""
    if b'"crs"' not in geometry:
        return msgspec.UNSET
    try:
        return msgspec.json.decode(geometry, type=_WithCrs).crs
    except (msgspec.DecodeError, RecursionError):
        return msgspec.UNSET  # another check reports what is wrong with it


def _trouble(text: bytes) -> tuple[bool, str]:
    """Return whether a geometry that cannot be read may be left out, and what is wrong with it."""
    try:
        plain = json.loads(text)
    except UnicodeDecodeError:
        return False, "its geometry is not UTF-8; save the file as UTF-8"
    except (ValueError, RecursionError):
        return False, "its geometry cannot be read; draw it again"
    if not isinstance(plain, dict) or plain.get("type") not in _GEOMETRIES:
        kind = plain.get("type") if isinstance(plain, dict) else plain
        return False, f"geometry of type {str(kind)[:40]!r}; GeoJSON has {', '.join(_GEOMETRIES)}"
    if _holds_no_number(plain):
        return True, "a coordinate is not a finite number; left out"
    coordinates = plain.get("coordinates")
    if plain["type"] == "LineString" and isinstance(coordinates, list) and len(coordinates) == 1:
        return True, "a line of a single vertex; left out"
    return False, f"the coordinates of its {plain['type']} are malformed; draw it again"


def _holds_no_number(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_no_number(item) for key, item in value.items() if key != "type")
    if isinstance(value, list):
        return any(_holds_no_number(item) for item in value)
    return value == _NOT_A_NUMBER or (isinstance(value, float) and not math.isfinite(value))


def _crs(member: object, options: ImportOptions, file: str) -> str | None:
    if member is msgspec.UNSET:
        return None if options.crs else "EPSG:4326"
    if member is None:  # of the older standard: the CRS is not known
        return None
    if isinstance(member, dict) and member.get("type") == "name" and isinstance(member.get("properties"), dict):
        name = member["properties"].get("name")
        if isinstance(name, str) and name:
            return name
    raise SourceError(f"{file}: member crs does not name a CRS ({str(member)[:80]}); give its name, or remove it")
