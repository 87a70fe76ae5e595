"""Georeferencing: models recover the maps they were made from, splines run both ways, wrong points are named."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
import typer
from hypothesis import event, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image
from pyproj import Geod, Transformer
from sampling import examples, sample

import mapkit
from mapkit.cli.app import app
from mapkit.core.errors import ChoiceError, SourceError, UnknownNameError, WorkspaceError
from mapkit.formats.drawn_page import DrawnPage
from mapkit.kinds.rail.api.schemas import schema
from mapkit.kinds.rail.model.georeference import GeoreferenceReport
from mapkit.kinds.rail.model.source import ControlPoint, ProjectionConfig
from mapkit.kinds.rail.render.georeference_svg import render_georeference
from mapkit.kinds.rail.sources.control_points import load_control_points, parse_control_points
from mapkit.kinds.rail.sources.places import PlaceFinder
from mapkit.kinds.rail.trace.georeferencing.coverage import PixelDrawing, check_coverage
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference, georeference
from mapkit.kinds.rail.trace.georeferencing.picture_plane import PROJECTIONS, plane_crs, project
from mapkit.kinds.rail.trace.georeferencing.plane_maps import NEEDS, Model

pytestmark = pytest.mark.slow

Array = NDArray[np.float64]
POINTS: Any = typer.main.get_command(app).commands["scan"].commands["points"]  # type: ignore[attr-defined]
ALBERS = "+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=37.5 +lon_0=-96 +datum=WGS84 +units=m +no_defs"
MODELS: tuple[Model, ...] = ("affine", "projective", "tps")
WORLD = Transformer.from_crs("EPSG:4326", ALBERS, always_xy=True)


def command(board: str, *, as_json: bool = False, **options: object) -> None:
    """Run `mapkit scan points`; errors are raised."""
    given = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    POINTS.load().main([board, *given, *["--json"] * as_json], standalone_mode=False)


def to_lonlat(plane: Array) -> Array:
    """Metres of the Albers plane to degrees."""
    return np.column_stack(WORLD.transform(plane[:, 0], plane[:, 1], direction="INVERSE"))


def pixels(n: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).uniform((0, 0), (2000, 1400), (n, 2))


def plane_of(xy: Array, matrix: Array) -> Array:
    whole = np.column_stack([xy, np.ones(len(xy))]) @ matrix.T
    return np.asarray(whole[:, :2] / whole[:, 2:])


AFFINE = np.array([[2000.0, 300.0, -2.1e6], [250.0, -2100.0, 1.3e6], [0.0, 0.0, 1.0]])
PROJECTIVE = np.array([[2000.0, 300.0, -2.1e6], [250.0, -2100.0, 1.3e6], [1e-4, -5e-5, 1.0]])


def control(xy: Array, lonlat: Array) -> list[ControlPoint]:
    return [
        ControlPoint(row=k + 2, x=x, y=y, lon=lon, lat=lat)
        for k, ((x, y), (lon, lat)) in enumerate(zip(xy.tolist(), lonlat.tolist(), strict=True))
    ]


def warped(n: int, *, bend: float, noise: float = 0.0, seed: int = 0) -> list[ControlPoint]:
    """Points of a picture that is bent by so many pixels at its edges."""
    xy = pixels(n, seed)
    u = (xy - (1000, 700)) / 1000
    straight = xy + bend * np.column_stack([u[:, 0] * u[:, 1], u[:, 0] ** 2 - u[:, 1] ** 2])
    noisy = straight + np.random.default_rng(seed + 1).normal(0, noise, (n, 2))
    return control(xy, to_lonlat(plane_of(noisy, AFFINE)))


def moved(points: list[ControlPoint], index: int, dx: float, dy: float) -> list[ControlPoint]:
    """The points, one of them at a wrong pixel."""
    out = list(points)
    out[index] = out[index].model_copy(update={"x": out[index].x + dx, "y": out[index].y + dy})
    return out


def codes(report: GeoreferenceReport) -> list[str]:
    return [w.code for w in report.warnings]


@pytest.mark.parametrize(
    ("model", "matrix", "n"),
    [
        ("affine", AFFINE, 3),
        ("affine", AFFINE, 20),
        ("projective", PROJECTIVE, 4),
        ("projective", PROJECTIVE, 20),
        ("projective", AFFINE, 20),
        ("tps", AFFINE, 20),
    ],
)
def test_a_known_map_is_recovered(model: Model, matrix: Array, n: int) -> None:
    xy = pixels(n, seed=3)
    placed = georeference(control(xy, to_lonlat(plane_of(xy, matrix))), model=model, projection=ALBERS)
    elsewhere = pixels(200, seed=4)
    truth = to_lonlat(plane_of(elsewhere, matrix))
    assert np.abs(placed.to_lonlat(elsewhere) - truth).max() < 1e-8
    assert np.abs(placed.pixels_or_nan(truth) - elsewhere).max() < 1e-4
    report = placed.report()
    assert report.rms_pixels == pytest.approx(0, abs=1e-4)
    assert report.rms_miles == pytest.approx(0, abs=1e-4)
    assert [w for w in codes(report) if w != "no-check"] == []
    if report.matrix is not None:
        assert np.array(report.matrix) == pytest.approx(matrix, rel=1e-6, abs=1e-9)


def test_a_spline_goes_through_its_points() -> None:
    points = warped(30, bend=80, noise=3)
    placed = georeference(points, model="tps")
    given_xy = np.array([(p.x, p.y) for p in points])
    places = np.array([(p.lon, p.lat) for p in points])
    assert np.abs(placed.to_lonlat(given_xy) - places).max() < 1e-7
    assert np.abs(placed.pixels_or_nan(places) - given_xy).max() < 1e-4


def test_a_spline_follows_a_bent_picture_better_than_straight_maps() -> None:
    left_out = {
        model: georeference(warped(40, bend=60), model=model).report().left_out_rms_pixels or np.inf for model in MODELS
    }
    assert left_out["tps"] < left_out["affine"] / 3
    assert left_out["tps"] < left_out["projective"] / 3


@given(
    model=st.sampled_from(MODELS),
    n=st.integers(6, 25),
    seed=st.integers(0, 2**16),
    angle=st.floats(0, 6.28),
    shear=st.floats(-0.3, 0.3),
    tilt=st.floats(-1e-4, 1e-4),
    metres=st.floats(50, 2000),
    lon=st.floats(-180, 180),
    lat=st.floats(-70, 70),
    bend=st.floats(0, 40),
)
def test_round_trip_to_a_millionth_of_a_degree(  # noqa: PLR0913 - a transformation has so many numbers
    *, model: Model, n: int, seed: int, angle: float, shear: float, tilt: float, metres: float,
    lon: float, lat: float, bend: float,
) -> None:  # fmt: skip
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ [[1, shear], [0, -1]]
    matrix = np.vstack([np.column_stack([turn * metres, -metres * turn @ (1000, 700)]), [tilt, tilt / 2, 1]])
    crs = f"+proj=laea +lat_0={lat} +lon_0={lon} +datum=WGS84"
    sphere = Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    spread = np.array([(0, 0), (2000, 0), (0, 1400), (2000, 1400), (900, 800)], dtype=float)
    xy = np.concatenate([spread, pixels(n, seed)])
    u = (xy - (1000, 700)) / 1000
    bent = plane_of(xy + bend * np.column_stack([u[:, 0] * u[:, 1], u[:, 1] ** 2]), matrix)
    places = np.column_stack(sphere.transform(bent[:, 0], bent[:, 1], direction="INVERSE"))
    placed = georeference(control(xy, places), model=model)
    inside = pixels(50, seed + 1)
    there = placed.to_lonlat(inside)
    assert np.abs(placed.pixels_or_nan(there) - inside).max() < 1e-3
    again = placed.to_lonlat(placed.pixels_or_nan(there))
    assert np.abs((again - there + 180) % 360 - 180).max() < 1e-6


ANY_PIXEL = st.one_of(
    st.sampled_from([0.0, 1.0, 100.0, 1000.0]), st.floats(0, 2000).map(lambda v: round(v, 1)), st.floats(-1e7, 1e7)
)
ANY_LON = st.one_of(st.sampled_from([-180.0, -75.0, -70.0, 0.0, 180.0]), st.floats(-80, -70), st.floats(-180, 180))
ANY_LAT = st.one_of(st.sampled_from([-90.0, 0.0, 40.0, 45.0, 90.0]), st.floats(38, 46), st.floats(-90, 90))

_LARGE = 1e5  # pixels: of a picture beyond any scan, a millionth of a degree is less than rounding leaves


@settings(max_examples=examples(300))
@given(
    model=st.sampled_from(MODELS),
    rows=st.lists(st.tuples(ANY_PIXEL, ANY_PIXEL, ANY_LON, ANY_LAT), max_size=6),
    agreeing=st.sampled_from([0, 0, 5, 5, 5, 9]),
    projection=st.sampled_from(["azimuthal", "albers", "mercator", "plate-carree", "EPSG:3857", ALBERS]),
    seed=st.integers(0, 9),
)
def test_random_control_points_fit_and_lead_back_or_are_refused(
    *, model: Model, rows: list[tuple[float, float, float, float]], agreeing: int, projection: str, seed: int
) -> None:
    """Points of one picture and any others; what is accepted has a report and leads back between its points."""
    rows = [*rows, *((p.x, p.y, p.lon, p.lat) for p in warped(agreeing, bend=20, seed=seed))]
    xy, places = np.array([row[:2] for row in rows]), np.array([row[2:] for row in rows])
    try:
        placed = georeference(control(xy, places) if rows else [], model=model, projection=projection)
    except SourceError as error:
        event("refused")
        assert str(error)  # noqa: PT017 - any text will do
        return
    event(f"{model} accepted")
    report = placed.report()
    assert report.miles_per_pixel > 0
    assert len(report.points) == len(rows)
    shares = np.random.default_rng(seed).dirichlet(np.full(len(rows), 0.5), 20)
    pixel = np.concatenate([xy, shares @ xy])
    there = placed.lonlat_or_nan(pixel)
    known = np.isfinite(there).all(axis=1)
    back = placed.pixels_or_nan(there[known])
    found = np.isfinite(back).all(axis=1)
    if model != "tps":
        assert found.all()
    again = placed.lonlat_or_nan(back[found])
    off = np.abs(again - there[known][found])
    off[:, 0] = np.minimum(off[:, 0], 360 - off[:, 0]) * np.cos(np.radians(there[known][found][:, 1]))
    assert (off < 1e-6 * max(1.0, float(np.ptp(xy, axis=0).max(initial=0)) / _LARGE)).all()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("index", sample(range(12), 4))
def test_one_bad_point_is_named(model: Model, index: int) -> None:
    points = moved(warped(12, bend=0, noise=1), index, 45, -30)
    report = georeference(points, model=model, projection=ALBERS).report()
    assert report.worst == points[index].row


@pytest.mark.parametrize("seed", range(5))
def test_a_spline_that_bends_to_one_bad_point_is_reported(seed: int) -> None:
    good = warped(25, bend=40, noise=1, seed=seed)
    assert codes(georeference(good, model="tps").report()) == []
    report = georeference(moved(good, 7, 60, 40), model="tps").report()
    bending = [w for w in report.warnings if w.code == "bending"]
    assert [w.row for w in bending] == [9]
    assert re.search(r"control_points.csv:9: row 9: the other points put it [5-9]\d\.\d px away", bending[0].message)
    assert "a straight (affine) map misses it by" in bending[0].message
    bad = report.points[7]
    assert bad.pixels == pytest.approx(0, abs=1e-4)
    assert bad.left_out_dx == pytest.approx(-60, abs=15)
    assert bad.left_out_dy == pytest.approx(-40, abs=15)


def test_a_wrong_place_does_not_pull_the_straight_map_it_is_compared_with() -> None:
    points = slipped(warped(12, bend=0, noise=0.7, seed=3), 6, "sign of longitude")
    warnings = georeference(points, model="tps", projection=ALBERS).report().warnings
    (warning,) = [w for w in warnings if w.code == "bending"]
    found = re.search(r"misses it by ([\d.]+) px and the others by about ([\d.]+) px", warning.message)
    assert found is not None
    assert float(found[1]) > 1000
    assert float(found[2]) < 2


def test_a_straight_map_names_its_bad_point_too() -> None:
    report = georeference(moved(warped(12, bend=0, noise=1), 4, 50, 0), model="affine", projection=ALBERS).report()
    assert [(w.code, w.row) for w in report.warnings] == [("bad-point", 6)]


def slipped(points: list[ControlPoint], index: int, slip: str) -> list[ControlPoint]:
    """The points, one of them with a slip of the hand."""
    bad = points[index]
    changed = {
        "sign of longitude": {"lon": -bad.lon},
        "lon and lat exchanged": {"lon": bad.lat, "lat": max(bad.lon, -89.0)},
        "x and y exchanged": {"x": bad.y, "y": bad.x},
        "a digit": {"x": bad.x + 100},
        "ten pixels": {"x": bad.x + 6, "y": bad.y - 8},
    }[slip]
    return [*points[:index], bad.model_copy(update=changed), *points[index + 1 :]]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "slip", ["sign of longitude", "lon and lat exchanged", "x and y exchanged", "a digit", "ten pixels"]
)
def test_a_slip_is_named_under_every_model(model: Model, slip: str) -> None:
    good = warped(16, bend=0, noise=0.7, seed=3)
    for index in (0, 6, 11):
        points = slipped(good, index, slip)
        warnings = georeference(points, model=model, projection=ALBERS).report().warnings
        assert [w.row for w in warnings if w.code in ("bad-point", "bending")] == [points[index].row]


def askew(n: int, *, noise: float, seed: int) -> list[ControlPoint]:
    """Points of a photograph taken askew."""
    xy = pixels(n, seed)
    noisy = xy + np.random.default_rng(seed + 1).normal(0, noise, (n, 2))
    return control(noisy, to_lonlat(plane_of(xy, PROJECTIVE)))


def named(points: list[ControlPoint], model: Model, projection: str = "azimuthal") -> list[int]:
    """The indices of points that are called wrong."""
    warnings = georeference(points, model=model, projection=projection).report().warnings
    return [w.row - 2 for w in warnings if w.code in ("bad-point", "bending") and w.row is not None]


@pytest.mark.parametrize(("n", "found"), [(8, 15), (10, 22)])
def test_a_slip_of_ten_pixels_among_few_points_is_named(n: int, found: int) -> None:
    """Eight points leave six numbers to judge one by, so that a slip where the map is loose looks like noise."""
    hits = false_alarms = others = 0
    for seed in range(25):
        good = askew(n, noise=0.7, seed=seed)
        index, angle = seed % n, 2.4 * seed
        false_alarms += bool(named(good, "affine", ALBERS))
        rows = named(moved(good, index, 10 * np.cos(angle), 10 * np.sin(angle)), "projective", ALBERS)
        hits += index in rows
        others += bool(set(rows) - {index})
    assert hits >= found
    assert false_alarms + others <= 1


@pytest.mark.parametrize("model", MODELS)
def test_a_slip_on_a_bent_scan_is_named(model: Model) -> None:
    for seed in range(4):
        good = warped(16, bend=40, noise=2, seed=seed)
        assert named(good, model) == []
        assert named(moved(good, 5, 18, -20), model) == [5]


def test_a_bend_of_an_unknown_projection_is_no_slip() -> None:
    """Mercator's map of a continent, fitted in an equal-area plane."""
    mercator = Transformer.from_crs("EPSG:4326", "+proj=merc +lon_0=-96", always_xy=True)
    for seed in range(6):
        xy = pixels(20, seed)
        plane = xy * (2700, -2700) + (-2.7e6, 6.4e6)
        places = np.column_stack(mercator.transform(plane[:, 0], plane[:, 1], direction="INVERSE"))
        noisy = xy + np.random.default_rng(seed).normal(0, 0.7, xy.shape)
        assert named(control(noisy, places), "tps") == []


@pytest.mark.parametrize("slip", ["sign of longitude", "x and y exchanged"])
def test_a_projective_map_is_fitted_without_a_slip(slip: str) -> None:
    xy = pixels(12, seed=2)
    good = control(xy, to_lonlat(plane_of(xy, PROJECTIVE)))
    placed = georeference(slipped(good, 5, slip), model="projective", projection=ALBERS)
    others = [k for k in range(12) if k != 5]
    assert placed.to_lonlat(xy[others]) == pytest.approx(np.array([(good[k].lon, good[k].lat) for k in others]))
    report = placed.report()
    assert report.worst == 7
    (warning,) = report.warnings
    assert warning.row == 7
    assert warning.message.endswith("check its pixel and its place. It is left out of the fit")


def test_a_bent_picture_without_a_slip_is_not_blamed() -> None:
    for seed in range(4):
        assert codes(georeference(warped(25, bend=40, noise=1, seed=seed), model="projective").report()) == []


SHEET = DrawnPage(x=0, y=0, width=2000, height=1400)


def test_points_and_drawing_in_other_units() -> None:
    points = warped(12, bend=0)
    line = [(500.0, 400.0), (1500.0, 900.0)]
    drawing = PixelDrawing("a.svg", SHEET, {"a.svg#one": line})
    assert list(check_coverage(points, [drawing])) == []
    assert drawing.extent.drawn == (500, 400, 1500, 900)
    scanned = [p.model_copy(update={"x": 3 * p.x + 2100, "y": 3 * p.y}) for p in points]
    warnings = list(check_coverage(scanned, [drawing]))
    assert [w.code for w in warnings] == ["outside-drawing", "outside-points"]
    assert warnings[0].row == 2
    assert "12 of 12 control points are not on the page of a.svg, the first being row 2 at" in warnings[0].message
    small = [p.model_copy(update={"x": 0.26 * p.x, "y": 0.26 * p.y}) for p in points]
    (outside,) = check_coverage(small, [drawing])
    assert "a.svg: 1 of its 1 lines and points reach beyond the control points, a.svg#one by" in outside.message


def test_an_extent_of_nothing() -> None:
    assert PixelDrawing("a.svg", None, {}).extent.drawn is None


@pytest.mark.parametrize("model", MODELS)
def test_leave_one_out_errors_are_those_of_fitting_without_the_point(model: Model) -> None:
    points = warped(10, bend=30, noise=1)
    report = georeference(points, model=model, projection=ALBERS).report()
    for k, p in enumerate(points):
        others = georeference([*points[:k], *points[k + 1 :]], model=model, projection=ALBERS)
        there = others.to_lonlat([(p.x, p.y)])
        metres = Geod(ellps="WGS84").inv(p.lon, p.lat, there[0, 0], there[0, 1])[2]
        assert report.points[k].left_out_miles == pytest.approx(metres / 1609.344, abs=2e-3)


def test_residuals_in_pixels_and_miles_agree() -> None:
    placed = georeference(warped(20, bend=0, noise=2), projection=ALBERS)
    report = placed.report()
    for p in report.points:
        assert p.pixels is not None
        assert p.dx is not None
        assert p.dy is not None
        assert p.pixels == pytest.approx(np.hypot(p.dx, p.dy), abs=1e-3)
        assert p.miles == pytest.approx(p.pixels * report.miles_per_pixel, rel=0.25)
        assert np.array([p.x + p.dx, p.y + p.dy]) == pytest.approx(
            placed.pixels_or_nan(np.array([(p.lon, p.lat)]))[0], abs=1e-3
        )


SQUARE = [(0.0, 0.0), (1000.0, 0.0), (1000.0, 800.0), (0.0, 800.0), (300.0, 500.0)]


def points_at(xy: list[tuple[float, float]], places: list[tuple[float, float]] | None = None) -> list[ControlPoint]:
    at = np.array(xy)
    return control(at, np.array(places) if places else to_lonlat(plane_of(at, AFFINE)))


@pytest.mark.parametrize(
    ("model", "points", "message"),
    [
        ("affine", [], "an affine map needs at least 3 control points, and there are 0; add more"),
        ("affine", SQUARE[:2], "an affine map needs at least 3 control points, and there are 2; add more"),
        (
            "projective",
            SQUARE[:3],
            "a projective map needs at least 4 control points, and there are 3; add more or use",
        ),
        ("tps", SQUARE[:3], "a thin-plate spline needs at least 4 control points, and there are 3; add more or use"),
        ("affine", [(0, 0), (10, 20), (30, 60), (50, 100)], "the pixels of all 4 control points lie on one line"),
        ("tps", [(0, 0), (10, 20), (30, 60), (50, 100)], "the pixels of all 4 control points lie on one line"),
        ("affine", [*SQUARE, SQUARE[1]], "control_points.csv:7: row 7 repeats row 3; remove one"),
        ("projective", [(0, 0), (500, 0), (1000, 0), (300, 500)], "all but one of them lie on one line"),
        (
            "projective",
            [(0, 0), (500, 0), (700, 0), (1000, 0), (300, 500)],
            "all but one of them lie on one line",
        ),
    ],
)
def test_degenerate_points(model: Model, points: list[tuple[float, float]], message: str) -> None:
    given_points = points_at(points) if points else []
    with pytest.raises(SourceError, match=re.escape(message)):
        georeference(given_points, model=model)


@pytest.mark.parametrize("model", MODELS)
def test_one_pixel_with_two_places(model: Model) -> None:
    points = [*points_at(SQUARE), points_at([(1500, 300)])[0].model_copy(update={"row": 7, "x": 0.0, "y": 0.0})]
    with pytest.raises(SourceError, match=r"csv:7: pixel \(0, 0\) has two places, row 7 here and row 2 in row 2"):
        georeference(points, model=model)


@pytest.mark.parametrize("model", MODELS)
def test_one_place_with_two_pixels(model: Model) -> None:
    points = points_at(SQUARE)
    points.append(points[0].model_copy(update={"row": 7, "x": 400.0, "name": "Ash"}))
    with pytest.raises(SourceError, match=r"csv:7: Ash has two pixels, \(400, 0\) here and \(0, 0\) in row 2"):
        georeference(points, model=model)


def test_places_on_a_line() -> None:
    with pytest.raises(SourceError, match="the places of all 4 control points lie on one line"):
        georeference(points_at(SQUARE[:4], [(-10, 0), (0, 0), (10, 0), (20, 0)]))


def test_contradicting_points_have_a_horizon_between_them() -> None:
    places = to_lonlat(plane_of(np.array([SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]]), AFFINE))
    with pytest.raises(SourceError, match="the horizon of the map that fits them runs between them"):
        georeference(control(np.array(SQUARE[:4]), places), model="projective")


def test_points_too_few_to_tell_a_wrong_one() -> None:
    for model in MODELS:
        report = georeference(points_at(SQUARE)[: NEEDS[model]], model=model).report()
        assert codes(report) == ["no-check"]
        assert report.worst is None


def test_a_mirrored_picture_is_reported() -> None:
    points = [p.model_copy(update={"y": 800 - p.y}) for p in points_at([*SQUARE, (700.0, 650.0)])]
    assert codes(georeference(points).report()) == ["mirrored"]


def test_points_nearly_on_a_line_are_reported() -> None:
    xy = [(100.0 * k, 50.0 * k + (k % 2)) for k in range(8)]
    assert "nearly-on-a-line" in codes(georeference(points_at(xy)).report())


def test_a_fold_is_reported() -> None:
    xy = [(x, y) for x in (0.0, 500.0, 1000.0) for y in (0.0, 400.0, 800.0)]
    points = points_at([*xy, (520.0, 430.0)])
    swapped = [*points[:4], points[4].model_copy(update={"lon": points[9].lon, "lat": points[9].lat}), *points[5:9]]
    swapped.append(points[9].model_copy(update={"lon": points[4].lon, "lat": points[4].lat}))
    report = georeference(swapped, model="tps").report()
    assert "folding" in codes(report)


def test_projections() -> None:
    points = warped(12, bend=0)
    for name in ("azimuthal", "albers", "lambert", "mercator", "transverse-mercator", "plate-carree", "EPSG:3857"):
        assert georeference(points, projection=name).report().rms_pixels is not None
    board = ProjectionConfig(name="albers", lon_0=-96, lat_0=37.5, lat_1=29.5, lat_2=45.5)
    assert georeference(points, projection=board).report().rms_pixels == pytest.approx(0, abs=1e-4)
    with pytest.raises(SourceError, match=r"'mercater' is unknown \(did you mean 'mercator'\?\)"):
        georeference(points, projection="mercater")
    with pytest.raises(SourceError, match="projection 'EPSG:999999' cannot be used"):
        georeference(points, projection="EPSG:999999")
    with pytest.raises(SourceError, match="cannot be shown in projection"):
        georeference(points, projection="+proj=gnom +lat_0=-40 +lon_0=84 +datum=WGS84")
    with pytest.raises(SourceError, match=r"model 'affin' is unknown \(did you mean 'affine'\?\)"):
        georeference(points, model="affin")  # type: ignore[arg-type]


def test_the_default_projection_is_whole_across_longitude_180() -> None:
    xy = np.array(SQUARE)
    lon = np.array([178.0, -178.0, -178.2, 177.8, 179.2])
    points = control(xy, np.column_stack([lon, [-16.0, -16.1, -19.2, -19.1, -18.0]]))
    assert plane_crs(points).startswith("+proj=laea +lat_0=-17.69 +lon_0=179.76 ")
    east = georeference(points).to_lonlat([(900.0, 400.0)])[0]
    assert -179 < east[0] < -177


def test_what_has_no_place_or_no_pixel_is_reported() -> None:
    xy = pixels(6)
    placed = georeference(control(xy, to_lonlat(plane_of(xy, PROJECTIVE))), model="projective", projection=ALBERS)
    with pytest.raises(SourceError, match=r"pixel \(-1e\+06, 0\) has no place on the earth"):
        placed.to_lonlat([(5.0, 5.0), (-1e6, 0.0)])
    assert np.isnan(placed.pixels_or_nan(np.array([(10.0, 99.0)]))).all()


def test_beyond_a_pole_there_is_no_place() -> None:
    """PROJ would give latitude 100 in such a projection."""
    xy = [(0.0, 0.0), (1800.0, 0.0), (0.0, 900.0), (1800.0, 900.0), (900.0, 300.0)]
    points = control(np.array(xy), np.array([(x / 10 - 90, 90 - y / 10) for x, y in xy]))
    placed = georeference(points, projection="+proj=eqc +datum=WGS84")
    assert placed.to_lonlat([(900.0, 100.0)])[0] == pytest.approx((0, 80), abs=1e-9)
    with pytest.raises(SourceError, match=r"pixel \(900, -100\) has no place on the earth"):
        placed.to_lonlat([(900.0, -100.0)])


FINDER = PlaceFinder.of(cities=(), places={"Ash": (-100.0, 42.0)}, countries=("US",))


def test_control_points_are_read() -> None:
    text = "x,y,lon,lat,city,note\n10,20.5,-75,40,,bridge\n30,40,,,Ash,\n50,60,,,altoona pa,\n"
    read = parse_control_points(text, file="control_points.csv", finder=FINDER)
    assert [(p.row, p.name, p.x, p.y, p.lon) for p in read[:2]] == [
        (2, "bridge", 10, 20.5, -75),
        (3, "Ash", 30, 40, -100),
    ]
    assert read[2].name == "Altoona PA"
    assert read[2].lat == pytest.approx(40.5187, abs=1e-3)


def test_every_bad_row_is_reported() -> None:
    text = "x,y,lon,lat,city\n1,2,,,\n1,2,3,4,Ash\na,2,3,4,\n1,2,200,4,\n1,2,,,Asch\n1e9,2,3,4,\n1,2,3,,\n"
    with pytest.raises(SourceError) as caught:
        parse_control_points(text, file="c.csv", finder=FINDER)
    problems = caught.value.problems
    assert problems[0] == "c.csv:2: no place; give lon and lat, or a city"
    assert problems[1].startswith("c.csv:3: both city 'Ash' and lon, lat; give only one")
    assert problems[2] == "c.csv:4: x is 'a', which is not a number; write it like 512.5"
    assert problems[3].startswith("c.csv:5: lon 200, lat 4 is outside the world")
    assert problems[4].startswith("c.csv:6: place 'Asch' is not in the gazetteer")
    assert problems[5] == "c.csv:7: x 1e+09, y 2 is outside any picture; correct it"
    assert problems[6] == "c.csv:8: lat is empty; give a number, such as 42.65"
    assert len(problems) == 7
    with pytest.raises(SourceError, match="column 'y' is missing"):
        parse_control_points("x,lon,lat\n1,2,3\n", file="c.csv", finder=FINDER)


CITIES = """x,y,city
120,60,Boston MA
80,300,Miami FL
-500,200,Denver CO
-900,90,Seattle WA
-850,330,Los Angeles CA
-200,110,Chicago IL
"""


def test_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "points.csv").write_text(CITIES, encoding="utf-8")
    svg = tmp_path / "out" / "picture.svg"
    command(str(tmp_path / "points.csv"), model="tps", svg=svg)
    out, err = capsys.readouterr()
    assert "Seattle WA" in out
    assert "tps, 6 points, in +proj=laea" in out
    assert f"The picture is {svg}" in err
    assert ET.parse(svg).getroot().tag.endswith("svg")  # noqa: S314 - our own file


def test_the_picture_shows_the_scan_underneath(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "x,y,lon,lat\n10,10,-10,42\n110,10,-8,42\n110,60,-8,41\n10,60,-10,41\n"
    (tmp_path / "points.csv").write_text(text, encoding="utf-8")
    scan, svg = tmp_path / "scan.png", tmp_path / "picture.svg"
    Image.new("RGB", (120, 80), "#f3e4a8").save(scan)
    command(str(tmp_path / "points.csv"), svg=svg, scan=scan)
    root = ET.parse(svg).getroot()  # noqa: S314 - our own file
    (image,) = root.iter("{http://www.w3.org/2000/svg}image")
    assert str(image.get("{http://www.w3.org/1999/xlink}href")).startswith("data:image/png;base64,")
    wide, high = float(image.get("width", "")), float(image.get("height", ""))
    assert wide / high == pytest.approx(120 / 80, abs=0.01)
    point = next(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert float(point.get("cx", "")) - float(image.get("x", "")) == pytest.approx(wide * 10 / 120, abs=0.02)
    with pytest.raises(ChoiceError, match="give --svg FILE too"):
        command(str(tmp_path / "points.csv"), scan=scan)
    with pytest.raises(SourceError, match=r"points\.csv: not a picture"):
        mapkit.georeference(tmp_path / "points.csv", svg=svg, scan=tmp_path / "points.csv")
    capsys.readouterr()


def test_command_prints_the_report_as_json(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example / "control_points.csv").write_text(
        "x,y,lon,lat\n0,0,-10,42\n100,0,-8,42\n100,100,-8,40\n0,100,-10,40\n40,50,-9.2,41\n", encoding="utf-8"
    )
    command("example", workspace=example.parent.parent, model="projective", as_json=True)
    out = json.loads(capsys.readouterr().out)
    assert GeoreferenceReport.model_validate(out).model == "projective"
    read = load_control_points(example)
    assert read.config is not None
    assert out["crs"] == plane_crs(read.points, read.config.projection)


def test_python_says_what_the_command_prints(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "x,y,lon,lat\n0,0,-10,42\n100,0,-8,42\n100,100,-8,40\n0,100,-10,40\n40,50,-9.2,41\n"
    (example / "control_points.csv").write_text(text, encoding="utf-8")
    workspace = example.parent.parent
    report = mapkit.georeference("example", workspace=workspace, svg=workspace / "check.svg")
    command("example", workspace=workspace, as_json=True)
    printed = json.loads(capsys.readouterr().out)
    assert GeoreferenceReport.model_validate(printed) == report
    jsonschema.validate(printed, schema("georeference"))
    assert (report.model, [p.row for p in report.points]) == ("affine", [2, 3, 4, 5, 6])
    assert (workspace / "check.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert mapkit.georeference(example / "control_points.csv", model="tps").model == "tps"
    with pytest.raises(SourceError, match=r"model 'spline' is unknown"):
        mapkit.georeference("example", workspace=workspace, model="spline")  # type: ignore[arg-type]


def test_command_refuses(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"none\.csv: cannot be read"):
        command("none.csv", workspace=tmp_path)
    with pytest.raises(UnknownNameError, match="'nowhere'"):
        command("nowhere", workspace=tmp_path)
    with pytest.raises(typer.BadParameter, match="'spline' is not one of affine, projective, tps"):
        command("none.csv", workspace=tmp_path, model="spline")


def groups(placed: Georeference) -> tuple[ET.Element, list[ET.Element]]:
    root = ET.fromstring(render_georeference(placed))  # noqa: S314 - our own text
    return root, list(root.iter())


def test_the_picture_shows_points_arrows_and_grid() -> None:
    placed = georeference(moved(warped(15, bend=30, noise=2), 3, 50, 20), model="tps")
    root, elements = groups(placed)
    kinds = [e.get("class") for e in elements]
    assert kinds.count("point") == 15
    assert kinds.count("arrow") >= 10
    assert kinds.count("meridian") >= 4
    assert kinds.count("parallel") >= 4
    texts = [e.text or "" for e in elements if e.tag.endswith("text")]
    factor = float(root.get("data-arrow-factor", "0"))
    assert any(f"drawn {factor:g} times as long" in t for t in texts)
    assert any(t.startswith("bending: control_points.csv:5") for t in texts)
    assert render_georeference(placed) == render_georeference(placed)


def test_an_exact_picture_has_no_arrows() -> None:
    _, elements = groups(georeference(warped(8, bend=0), projection=ALBERS))
    assert [e for e in elements if e.get("class") == "arrow"] == []


def test_a_picture_with_a_horizon_is_drawn() -> None:
    xy = pixels(8)
    steep = np.array([[1500.0, 200.0, -2e6], [100.0, -1500.0, 1.0e6], [3e-4, 4e-4, 1.0]])
    placed = georeference(control(xy, to_lonlat(plane_of(xy, steep))), model="projective", projection=ALBERS)
    assert "nan" not in render_georeference(placed)


@pytest.mark.parametrize("drawn", PROJECTIONS)
def test_the_projection_of_the_picture_is_named(drawn: str) -> None:
    rng = np.random.default_rng(5)
    lonlat = np.column_stack([rng.uniform(-115, -70, 16), rng.uniform(28, 47, 16)])
    points = [
        ControlPoint(x=0, y=0, lon=lon, lat=lat, file="c.csv", row=row)
        for row, (lon, lat) in enumerate(lonlat.tolist(), 1)
    ]
    plane = project(plane_crs(points, drawn), lonlat) * (1, -1)
    pixels = (plane - plane.min(axis=0)) / np.ptp(plane[:, 0]) * 2400 + rng.normal(0, 0.7, plane.shape)
    placed = [point.model_copy(update={"x": x, "y": y}) for point, (x, y) in zip(points, pixels.tolist(), strict=True)]

    def named(used: str) -> list[str]:
        warnings = georeference(placed, projection=used).report().warnings
        return [warning.message for warning in warnings if warning.code == "other-projection"]

    assert named(drawn) == []
    for used in PROJECTIONS:
        if used != drawn and {used, drawn} != {"albers", "lambert"}:  # these two differ by a pixel or two
            assert f'set projection = "{drawn}" under [tracing]' in named(used)[0]
