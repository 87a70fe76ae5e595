"""A board as GeoDataFrames: the same board comes back, edits come back as from a GeoPackage, mistakes are named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pyogrio  # type: ignore[import-untyped]
import pytest
import shapely
from conftest import REPOSITORY

import mapkit
from mapkit.kinds.rail.exchange.gis.geopackage import geopackage_bytes
from mapkit.kinds.rail.exchange.gis.geopackage_reading import read_geopackage

Frames = dict[str, Any]
LAYERS = ["regions", "pieces", "segments", "junctions", "mileposts", "cities", "railroads", "board"]


@pytest.fixture
def frames(tiny: mapkit.Board) -> Frames:
    return dict(mapkit.to_geodataframes(tiny))


def move(frame: Any, ident: str, lon: float, lat: float) -> None:
    frame.loc[frame["id"] == ident, "geometry"] = shapely.Point(lon, lat)


def test_the_frames_are_the_layers_of_a_geopackage(frames: Frames, tiny: mapkit.Board, tmp_path: Path) -> None:
    assert list(frames) == LAYERS
    shaped = [name for name, frame in frames.items() if isinstance(frame, gpd.GeoDataFrame)]
    assert shaped == LAYERS[:6]
    assert all(frames[name].crs == "EPSG:4326" for name in shaped)
    assert frames["segments"]["railroad"].tolist() == [s.railroad for s in tiny.segments]
    (tmp_path / "tiny.gpkg").write_bytes(geopackage_bytes(tiny))
    for name in LAYERS:
        saved = pyogrio.read_dataframe(tmp_path / "tiny.gpkg", layer=name)
        columns = [column for column in saved.columns if not column.startswith("drawn_")]
        pd.testing.assert_frame_equal(pd.DataFrame(saved[columns]), pd.DataFrame(frames[name]), check_dtype=False)


def test_the_same_board_comes_back(frames: Frames, tiny: mapkit.Board) -> None:
    assert mapkit.from_geodataframes(frames) == tiny
    assert mapkit.from_geodataframes({}, base=tiny) == tiny


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
@pytest.mark.parametrize("crs", [4326, 3857])
def test_a_shipped_board_comes_back_in_any_crs(name: str, crs: int) -> None:
    board = mapkit.load(REPOSITORY / "build" / name / "board.json")
    frames: Frames = {
        layer: frame.to_crs(crs) if isinstance(frame, gpd.GeoDataFrame) else frame
        for layer, frame in mapkit.to_geodataframes(board).items()
    }
    assert mapkit.from_geodataframes(frames) == board
    assert mapkit.from_geodataframes({"segments": frames["segments"]}, base=board) == board


def test_a_board_without_junctions_has_a_frame_without_rows(tiny: mapkit.Board) -> None:
    used = {i for s in tiny.segments for i in s.pieces}
    pieces = tuple(p for p in tiny.pieces if p.railroad != "blue")
    segments = tuple(s for s in tiny.segments if s.railroad != "blue")
    bare = tiny.model_copy(update={"junctions": (), "pieces": pieces, "segments": segments})
    assert used
    frames = mapkit.to_geodataframes(bare)
    assert list(frames["junctions"].columns) == ["id", "railroad", "lon", "lat", "x", "y", "geometry"]
    assert mapkit.from_geodataframes(frames) == bare


@pytest.mark.parametrize("crs", [4326, 32614])
def test_edits_come_back_as_from_a_geopackage(frames: Frames, tiny: mapkit.Board, tmp_path: Path, crs: int) -> None:
    """A point moved, a price changed, a line drawn and a segment taken away, in degrees or in metres."""
    move(frames["mileposts"], "hill", -99.2, 41.3)
    frames["railroads"].loc[frames["railroads"]["id"] == "red", "price"] = 7000
    track = frames["segments"]
    line = shapely.LineString([(-97.0, 42.05), (-98.0, 42.6), (-99.0, 42.1)])
    drawn = gpd.GeoDataFrame([{"railroad": "green", "geometry": line}], crs=track.crs)
    frames["segments"] = pd.concat([track[track["id"] != "red--ash--birch"], drawn], ignore_index=True)
    for name in ("mileposts", "segments"):
        frames[name] = frames[name].to_crs(crs)
    board = mapkit.from_geodataframes(frames)
    hill = next(m for m in board.mileposts if m.id == "hill")
    assert (hill.lon, hill.lat) == (-99.2, 41.3)
    assert {r.id: r.price for r in board.railroads} == {r.id: r.price for r in tiny.railroads} | {"red": 7000}
    ids = {s.id for s in tiny.segments}
    assert {s.id for s in board.segments} == ids - {"red--ash--birch"} | {"green--birch--dale"}
    path = tmp_path / "tiny.gpkg"
    path.write_bytes(geopackage_bytes(tiny))
    for name in ("mileposts", "segments"):
        frames[name].to_file(path, layer=name, driver="GPKG")
    pyogrio.write_dataframe(frames["railroads"], path, layer="railroads", driver="GPKG")
    assert read_geopackage(path) == board
    some = {name: frames[name] for name in ("mileposts", "segments", "railroads")}
    assert mapkit.from_geodataframes(some, base=tiny) == board


def test_a_column_that_is_missing_is_as_in_the_base(frames: Frames, tiny: mapkit.Board) -> None:
    less = frames["railroads"][["id", "price"]].assign(price=[1000, 2000, 3000])
    board = mapkit.from_geodataframes({"railroads": less}, base=tiny)
    assert [r.price for r in board.railroads] == [1000, 2000, 3000]
    assert [r.name for r in board.railroads] == [r.name for r in tiny.railroads]


def no_crs(frames: Frames) -> None:
    frames["mileposts"] = frames["mileposts"].set_crs(None, allow_override=True)


def metres_that_are_degrees(frames: Frames) -> None:
    frames["pieces"] = frames["pieces"].set_crs(3857, allow_override=True)


def degrees_that_are_metres(frames: Frames) -> None:
    frames["mileposts"] = frames["mileposts"].to_crs(3857).set_crs(4326, allow_override=True)


def nowhere(frames: Frames) -> None:
    local = 'LOCAL_CS["a picture", UNIT["metre", 1]]'
    frames["mileposts"] = frames["mileposts"].set_crs(local, allow_override=True)


def without_shapes(frames: Frames) -> None:
    frames["segments"] = pd.DataFrame(frames["segments"].drop(columns="geometry"))


def polygon(frames: Frames) -> None:
    frames["mileposts"].loc[2, "geometry"] = shapely.Point(-98.0, 42.0).buffer(1)


def empty_point(frames: Frames) -> None:
    frames["mileposts"].loc[2, "geometry"] = None


def drop(layer: str, column: str) -> Callable[[Frames], None]:
    return lambda frames: frames.__setitem__(layer, frames[layer].drop(columns=column))


def setting(layer: str, row: int, column: str, value: object) -> Callable[[Frames], None]:
    def change(frames: Frames) -> None:
        frames[layer] = frames[layer].astype({column: object})
        frames[layer].loc[row, column] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f.pop("mileposts"), "no layer mileposts; add what to_geodataframes gives"),
        (lambda f: f.__setitem__("milepost", f.pop("mileposts")), "called 'milepost' (did you mean 'mileposts'?)"),
        (lambda f: f.__setitem__("cities", None), "cities is a NoneType; give a data frame"),
        (drop("railroads", "price"), "railroads has no column price"),
        (drop("segments", "id"), "segments has no column id"),
        (drop("board", "value"), "board has no column value"),
        (no_crs, "mileposts has no CRS; set it by set_crs"),
        (metres_that_are_degrees, "pieces is in the CRS WGS 84 / Pseudo-Mercator, but its coordinates are degrees"),
        (degrees_that_are_metres, "mileposts row 1: a coordinate is not in degrees"),
        (nowhere, "mileposts is in the CRS a picture, which cannot be converted"),
        (without_shapes, "segments has no geometry; make it a GeoDataFrame"),
        (polygon, "mileposts row 3: geometry Polygon; only points and single lines can be here"),
        (empty_point, "mileposts row 3: the point is missing; place it, or delete the row"),
        (setting("railroads", 0, "price", "dear"), "railroads row 1: price 'dear' is not a number"),
        (setting("cities", 0, "region", "wst"), "cities: 'ash': region 'wst' is unknown (did you mean 'west'?)"),
        (setting("mileposts", 0, "name", ["Ash"]), "mileposts row 1: name is not a single value"),
    ],
)
def test_a_mistake_is_named(frames: Frames, change: Callable[[Frames], None], said: str) -> None:
    change(frames)
    with pytest.raises(mapkit.MapkitError) as found:
        mapkit.from_geodataframes(frames)
    assert str(found.value).startswith("the frames: ")
    assert said in str(found.value)
