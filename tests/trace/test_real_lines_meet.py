"""Real lines of several companies, written as other programs write them, meet where they share ends."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import geopandas
import pytest
import shapely
from conftest import REPOSITORY
from test_lines_meet import mileposts, source

from mapkit.core.geodesy import line_miles
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.kinds.rail.trace.station_lists import list_traced_lines

pytestmark = pytest.mark.slow

LINES = REPOSITORY.parent / "shared" / "data" / "naturalearth" / "ne_10m_railroads_north_america.json"
_SHORT = 0.03
"""Degrees."""
COMPANIES = ("blue", "green", "red")
WRITERS: dict[str, dict[str, Any]] = {
    "geopandas.geojson": {"driver": "GeoJSON"},
    "gdal_rfc7946.geojson": {"driver": "GeoJSON", "RFC7946": "YES", "COORDINATE_PRECISION": "7"},
    "qgis.gpkg": {"driver": "GPKG", "layer": "railroads"},
    "esri.shp": {"driver": "ESRI Shapefile"},
    "flat.fgb": {"driver": "FlatGeobuf", "SPATIAL_INDEX": "NO"},
}


@pytest.fixture(scope="module")
def table() -> geopandas.GeoDataFrame:
    """Return lines south of Lake Erie, each of one of three companies; a line inside one milepost leads nowhere."""
    if not LINES.is_file():
        pytest.skip("the railroads of Natural Earth are not in ../shared")
    features = json.loads(LINES.read_text(encoding="utf-8"))["features"]
    shapes = [shapely.geometry.shape(feature["geometry"]) for feature in features]
    inside = [shape for shape in shapes if shape.within(shapely.box(-86, 38, -80, 42)) and shape.length > _SHORT]
    owners = [COMPANIES[number % len(COMPANIES)] for number in range(len(inside))]
    return geopandas.GeoDataFrame({"railroad": owners}, geometry=inside, crs="EPSG:4326")


@pytest.mark.parametrize("name", WRITERS)
def test_companies_meet_where_their_lines_end_at_one_place(
    table: geopandas.GeoDataFrame, name: str, tmp_path: Path
) -> None:
    table.to_file(tmp_path / name, **WRITERS[name])
    layer = read_any(tmp_path / name, name=name, options=ImportOptions())
    assert len(layer.lines) == len(table) > 20
    lines = [
        (key, [(x, y) for x, y in shapely.get_coordinates(line).tolist()])
        for key, line in zip(layer.line_keys, layer.lines, strict=True)
    ]
    owners: dict[tuple[float, float], set[str]] = defaultdict(set)
    for railroad, line in lines:
        for x, y in (line[0], line[-1]):
            owners[round(x, 5), round(y, 5)].add(railroad)
    shared = {at: own for at, own in owners.items() if len(own) > 1}
    assert len(shared) > 10
    listed = list_traced_lines(source(lines))
    stops = mileposts(listed)
    for at, own in shared.items():
        common = set.intersection(*(stops[railroad] for railroad in own))
        near = min(line_miles([at, (listed.places[stop].lon, listed.places[stop].lat)]) for stop in common)
        assert near <= 1.0, (at, own)
