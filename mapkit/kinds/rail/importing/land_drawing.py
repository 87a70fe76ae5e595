"""Drawing of an invented land: its base map, and the cities at the dots of their names."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence

import shapely

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import join_some
from mapkit.document.package import Files
from mapkit.formats.lines.svg import MAP_LAYERS
from mapkit.formats.traced import MapShape, TracedLayer
from mapkit.kinds.rail.importing.traced_files import lay_on_plane
from mapkit.kinds.rail.model.source import BoardConfig
from mapkit.kinds.rail.sources.layers import NAME, REGION
from mapkit.kinds.rail.sources.table_files import CITIES

_DECIMALS = 3
_LEAST_RING = 4
_Ring = tuple[tuple[float, float], ...]


def land_files(current_files: Files, drawings: Sequence[TracedLayer], config: BoardConfig) -> dict[str, str | bytes]:
    """Return the files of the base map in `layers/`, and `cities.csv` with the cities at their dots.

    Raises:
        SourceError: A drawing is in degrees or reaches too far; an area crosses itself; a region is unknown.
    """
    plane = config.projection.land_plane
    if plane is not None:
        for drawing in drawings:
            lay_on_plane(drawing, plane)
    region_by_name = {fold(text): region.id for region in config.regions for text in (region.id, region.name)}
    features: dict[str, list[str]] = {layer: [] for layer in MAP_LAYERS}
    problems: list[str] = []
    for shape in (shape for drawing in drawings for shape in drawing.map_shapes):
        properties = {NAME: shape.name} if shape.layer == "labels" else {}
        if shape.layer == "regions":
            region_id = region_by_name.get(fold(shape.name), "")
            properties = {REGION: region_id}
            if not region_id:
                hint = did_you_mean(shape.name, [*region_by_name]) or f"; the regions are {join_some(region_by_name)}"
                problems.append(f"{shape.feature}: an area named {shape.name!r} is of no region of board.toml{hint}")
        problems += _find_crossings(shape)
        feature = {"type": "Feature", "properties": properties, "geometry": _make_geometry(shape)}
        features[shape.layer].append(json.dumps(feature, separators=(",", ":")))
    new_files: dict[str, str | bytes] = {}
    for layer, texts in features.items():
        if texts:
            rows = ",\n".join(texts)
            text = f'{{"type":"FeatureCollection","name":"{layer}","features":[\n{rows}\n]}}\n'
            new_files[f"layers/{layer}.geojson"] = text.encode()
    if problems:
        raise SourceError(problems)
    cities_text = current_files.get(CITIES)
    if isinstance(cities_text, str):
        new_files[CITIES] = _place_cities(cities_text, drawings)
    return new_files


def _make_geometry(shape: MapShape) -> Mapping[str, object]:
    """Return a GeoJSON geometry: a point, lines, or areas with the rings inside them as holes."""
    parts = [tuple((round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in part) for part in shape.parts]
    if shape.layer == "labels":
        return {"type": "Point", "coordinates": parts[0][0]}
    if shape.layer in ("rivers", "mountains"):
        return {"type": "MultiLineString", "coordinates": parts}
    return {"type": "MultiPolygon", "coordinates": [*_make_polygons([_close(part) for part in parts])]}


def _close(part: _Ring) -> _Ring:
    return part if part[0] == part[-1] else (*part, part[0])


def _make_polygons(rings: Sequence[_Ring]) -> Iterator[list[_Ring]]:
    """Yield each outer ring with its holes, by the even-odd rule."""
    areas = [shapely.make_valid(shapely.Polygon(ring)) for ring in rings if len(ring) >= _LEAST_RING]
    rings = [ring for ring in rings if len(ring) >= _LEAST_RING]
    around = [
        [other for other, area in enumerate(areas) if other != number and area.contains(areas[number])]
        for number in range(len(rings))
    ]
    for number, ring in enumerate(rings):
        if len(around[number]) % 2 == 0:
            holes = [
                rings[inner]
                for inner in range(len(rings))
                if number in around[inner] and len(around[inner]) == len(around[number]) + 1
            ]
            yield [ring, *holes]


def _find_crossings(shape: MapShape) -> Iterator[str]:
    """Yield a problem for each outline of an area that crosses itself, with the place in the drawing."""
    if shape.layer not in ("land", "lakes", "regions"):
        return
    for part in shape.parts:
        ring = _close(part)
        if len(ring) < _LEAST_RING:
            yield f"{shape.feature}: a line, where the layer {shape.layer} needs an area; draw a closed path"
            continue
        reason, _, place = shapely.is_valid_reason(shapely.Polygon(ring)).partition("[")
        if reason == "Self-intersection":
            x, y = place.rstrip("]").split()
            yield (
                f"{shape.feature}: the outline crosses itself at x {float(x):.1f}, y {float(y):.1f}; "
                "draw it again without the crossing"
            )


def _place_cities(text: str, drawings: Sequence[TracedLayer]) -> str:
    """Return `cities.csv` with x and y of the cities that a dot is named after."""
    xy_by_name = {
        fold(name): (f"{x:.{_DECIMALS}f}", f"{y:.{_DECIMALS}f}")
        for drawing in drawings
        for name, (x, y) in zip(drawing.point_names, shapely.get_coordinates(drawing.points).tolist(), strict=True)
        if name
    }
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    if not rows or "name" not in (header := [cell.strip() for cell in rows[0]]):
        return text
    columns = [*header, *(column for column in ("x", "y") if column not in header)]
    placed_rows: list[list[str]] = []
    for cells in rows[1:]:
        row = dict(zip(columns, (*cells, "", ""), strict=False))
        xy = xy_by_name.get(fold(row["name"])) or xy_by_name.get(fold(row.get("milepost", "")))
        if xy is not None:
            row |= {"x": xy[0].rstrip("0").rstrip("."), "y": xy[1].rstrip("0").rstrip(".")}
        placed_rows.append([row.get(column, "") for column in columns])
    return csv_text([columns, *placed_rows])
