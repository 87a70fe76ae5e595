"""GTFS: the shapes of timetables with the names of their routes, and the stops."""

import csv
import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import shapely

from mapkit.core.errors import SourceError
from mapkit.formats.lines.archive import member_names, member_path, read_member
from mapkit.formats.lines.features import FeatureLayer, ImportOptions, describe_features, read_columns


def read_gtfs(
    archive: zipfile.ZipFile, *, file: str, stem: str, options: ImportOptions
) -> tuple[FeatureLayer, list[str]]:
    """Return a line for each shape, with its routes, and a point for each station, and notes.

    Columns are `route` (its short name, else its long name; several with semicolons), `route_id`, `agency`,
    `shape_id` and `name`. Platforms of a station are left out.

    Raises:
        SourceError: A table is malformed; the text names file and row.
    """
    tables = {member_path(member).name: member for member in member_names(archive)}

    def rows(table: str) -> list[dict[str, str]]:
        if table not in tables:
            return []
        try:
            text = read_member(archive, tables[table], file=file).decode("utf-8-sig")
            return [{str(key).strip(): (value or "").strip() for key, value in row.items() if isinstance(value, str)}
                    for row in csv.DictReader(io.StringIO(text))]  # fmt: skip
        except (UnicodeDecodeError, csv.Error) as error:
            raise SourceError(f"{file}: {table} is not a CSV table in UTF-8; export it again") from error

    routes = {row.get("route_id", ""): row for row in rows("routes.txt")}
    agencies = {row.get("agency_id", ""): row.get("agency_name", "") for row in rows("agency.txt")}
    routes_by_shape: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for row in rows("trips.txt"):
        routes_by_shape[row.get("shape_id", "")][row.get("route_id", "")] = None
    vertices_by_shape: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for number, row in enumerate(rows("shapes.txt"), start=2):
        vertex = _numbers(row, ("shape_pt_sequence", "shape_pt_lon", "shape_pt_lat"), f"{file}: shapes.txt:{number}")
        vertices_by_shape[row.get("shape_id", "")].append((vertex[0], vertex[1], vertex[2]))
    features: list[tuple[str, shapely.Geometry, dict[str, str]]] = []
    single_labels: list[str] = []
    for shape, vertices in vertices_by_shape.items():
        if len(vertices) < 2:  # noqa: PLR2004 - ends of a line
            single_labels.append(f"{file}#{shape}")
            continue
        shape_routes = [routes.get(route, {}) | {"route_id": route} for route in routes_by_shape.get(shape, ())]
        values = {
            "route": _join(
                row.get("route_short_name") or row.get("route_long_name") or row["route_id"] for row in shape_routes
            ),
            "route_id": _join(row["route_id"] for row in shape_routes),
            "agency": _join(agencies.get(row.get("agency_id", ""), "") for row in shape_routes),
            "shape_id": shape,
        }
        features.append((shape, shapely.LineString([(lon, lat) for _, lon, lat in sorted(vertices)]), values))
    for number, row in enumerate(rows("stops.txt"), start=2):
        if not row.get("parent_station") and row.get("location_type", "") in {"", "0", "1"} and row.get("stop_lon"):
            lon, lat = _numbers(row, ("stop_lon", "stop_lat"), f"{file}: stops.txt:{number}")
            features.append((row.get("stop_id", ""), shapely.Point(lon, lat), {"name": row.get("stop_name", "")}))
    geometries = np.empty(len(features), dtype=object)
    geometries[:] = [shape for _, shape, _ in features]
    columns = ("route", "route_id", "agency", "shape_id", "name")
    layer = FeatureLayer(
        name=stem,
        crs="EPSG:4326",
        labels=[f"{file}#{label}" for label, _, _ in features],
        geometries=geometries,
        columns=columns,
        values={
            column: [values.get(column, "") for *_, values in features] for column in read_columns(columns, options)
        },
    )
    return layer, describe_features(single_labels, "a line of a single vertex; left out")


def _join(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(text for text in texts if text))


def _numbers(row: dict[str, str], columns: tuple[str, ...], where: str) -> list[float]:
    numbers: list[float] = []
    for column in columns:
        try:
            numbers.append(float(row.get(column, "")))
        except ValueError as error:
            raise SourceError(f"{where}: {column} is {row.get(column, '')[:40]!r}, not a number; correct it") from error
    return numbers
