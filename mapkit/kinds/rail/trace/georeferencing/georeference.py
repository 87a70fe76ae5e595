"""Georeferencing of a picture by control points.

A picture is a map in some projection, bent by paper and scanner. So a model is fitted between pixels and the
plane of a projection, and positions come from there:

```
    pixel (x, y) --model--> plane of the projection --inverse projection--> (lon, lat)
```

`affine` shifts, turns, scales and shears; `projective` also corrects a photograph taken askew; `tps`, a thin-plate
spline, goes through every control point and bends between them. Residuals show how far a model misses its own
points. Leave-one-out errors show how far it misses each point when fitted to the others, so they measure its accuracy
between the points. A spline has no residuals: it bends to a wrong point, and only the leave-one-out error shows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, get_args

import numpy as np
import shapely

from mapkit.core import heavy
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.kinds.rail.model.georeference import GeoreferenceReport, GeoreferenceWarning, PointErrors
from mapkit.kinds.rail.model.source import ControlPoint, ProjectionConfig
from mapkit.kinds.rail.sources.control_points import MAX_POINTS
from mapkit.kinds.rail.trace.georeferencing.consensus import Contradiction, find_contradictions
from mapkit.kinds.rail.trace.georeferencing.picture_plane import (
    DEFAULT_PROJECTION,
    PROJECTIONS,
    geodesic_distances_mi,
    plane_crs,
    project,
    unproject,
)
from mapkit.kinds.rail.trace.georeferencing.plane_maps import (
    NEEDS,
    ON_A_LINE,
    Array,
    DegenerateError,
    Homography,
    MapFit,
    Model,
    Scaling,
    Spline,
    fit_affine_matrix,
    fit_map,
    flatness,
)

_MODELS: Final[tuple[Model, ...]] = get_args(Model)
_TITLES: Final[dict[Model, str]] = {
    "affine": "an affine map",
    "projective": "a projective map",
    "tps": "a thin-plate spline",
}
_COINCIDENCE_SHARE: Final = 1e-7
"""Share of the spread below which two points are one."""
_MIN_FLATNESS: Final = 0.02
_MAX_SHOWN: Final = 10
"""How many points that contradict the others are named."""
_HAND_SHARE: Final = 0.0007
"""Precision of a hand, as a share of the diagonal of the picture."""
_MIN_TO_COMPARE: Final = 7
"""Control points from which projections are compared."""
_MAX_ERROR_RATIO: Final = 0.5
"""Error of another projection, as a share of that of the present one, at which it is named."""
_COMMON_PROJECTIONS: Final = (*PROJECTIONS, "EPSG:5070", "ESRI:102009", "EPSG:3035", "EPSG:3034", "EPSG:2154")
_NOTICEABLE_SHARE: Final = 0.002
"""Share of the picture's diagonal below which no point is called wrong."""
_MAX_ROUND_TRIP_M: Final = 0.05
_HULL_ROUNDING: Final = 1e-12
"""Shares of the spread that a place on the hull of the points may seem to lie outside, by rounding."""
_DIMENSIONS: Final = 2


@dataclass(frozen=True)
class Georeference:
    """Picture with its place on the earth.

    Attributes:
        model: The kind of map between pixels and the plane.
        crs: The projection of the plane.
        points: The control points.
        contradictions: Control points that the others contradict, distances in the unit of `_pixels`; a projective
            map is fitted without them.
    """

    model: Model
    crs: str
    points: tuple[ControlPoint, ...]
    _pixels: Scaling
    _plane: Scaling
    _fit: MapFit
    contradictions: tuple[Contradiction, ...]

    def to_lonlat(self, pixels: object) -> Array:
        """Return `(lon, lat)` in degrees of pixels, shape (n, 2).

        Raises:
            SourceError: A pixel has no place: it lies beyond the horizon of a projective map, or off the world.
        """
        pixel_xy = _as_pairs(pixels)
        lonlat_positions = self.lonlat_or_nan(pixel_xy)
        what = "pixel"
        cure = "has no place on the earth; correct the control points near it or add some"
        unplaced_rows = np.flatnonzero(~np.isfinite(lonlat_positions).all(axis=1))
        if len(unplaced_rows):
            a, b = pixel_xy[unplaced_rows[0]]
            more_text = f" (and {len(unplaced_rows) - 1} more)" if len(unplaced_rows) > 1 else ""
            raise SourceError(f"{what} ({a:g}, {b:g}){more_text} {cure}")
        return lonlat_positions

    def lonlat_or_nan(self, pixels: Array) -> Array:
        """Return `(lon, lat)` of pixels, NaN where there is none."""
        return self._unproject_unit(self._fit.map.forward(self._pixels.to_unit(pixels)))

    def pixels_or_nan(self, lonlat: Array) -> Array:
        """Return the pixels of `(lon, lat)`, NaN where there is none."""
        return self._pixels.from_unit(self._fit.map.inverse(self._plane.to_unit(project(self.crs, lonlat))))

    def report(self) -> GeoreferenceReport:
        """Return residuals, leave-one-out errors and warnings."""
        return self._report

    @cached_property
    def _report(self) -> GeoreferenceReport:
        lonlat_positions = np.array([(p.lon, p.lat) for p in self.points])
        pixel_xy = np.array([(p.x, p.y) for p in self.points])
        pixel_errors = self.pixels_or_nan(lonlat_positions) - pixel_xy
        mile_errors = geodesic_distances_mi(lonlat_positions, self.lonlat_or_nan(pixel_xy))
        plane_positions = self._plane.to_unit(project(self.crs, lonlat_positions))
        pixels_per_unit = np.linalg.inv(self._affine_matrix()[:2, :2]) * self._pixels.spread
        left_out = self._fit.leave_one_out @ pixels_per_unit.T
        left_out_miles = geodesic_distances_mi(
            lonlat_positions, self._unproject_unit(plane_positions - self._fit.leave_one_out)
        )
        rows = tuple(
            PointErrors(
                row=p.row,
                name=p.name,
                x=p.x,
                y=p.y,
                lon=p.lon,
                lat=p.lat,
                dx=_round_figure(pixel_errors[k, 0]),
                dy=_round_figure(pixel_errors[k, 1]),
                pixels=_round_figure(np.hypot(*pixel_errors[k])),
                miles=_round_figure(mile_errors[k]),
                left_out_dx=_round_figure(left_out[k, 0]),
                left_out_dy=_round_figure(left_out[k, 1]),
                left_out_pixels=_round_figure(np.hypot(*left_out[k])),
                left_out_miles=_round_figure(left_out_miles[k]),
            )
            for k, p in enumerate(self.points)
        )
        worst_point = self._find_worst()
        return GeoreferenceReport(
            model=self.model,
            crs=self.crs,
            matrix=self._matrix(),
            rms_pixels=_root_mean_square(pixel_errors),
            rms_miles=_root_mean_square(mile_errors[:, None]),
            left_out_rms_pixels=_root_mean_square(left_out),
            left_out_rms_miles=_root_mean_square(left_out_miles[:, None]),
            miles_per_pixel=float(f"{self.miles_per_pixel:.6g}"),
            worst=None if worst_point is None else self.points[worst_point].row,
            warnings=tuple(self._make_warnings()),
            points=rows,
        )

    def _unproject_unit(self, plane: Array) -> Array:
        """Return `(lon, lat)` of points of the plane in its unit frame."""
        plane_xy = self._plane.from_unit(plane)
        return unproject(self.crs, plane_xy)

    def _affine_matrix(self) -> Array:
        """Return the affine map (unit frames) that lies closest to the picture."""
        source, target = self._unit_points()
        return fit_affine_matrix(source, target)

    def _unit_points(self) -> tuple[Array, Array]:
        lonlat_positions = np.array([(p.lon, p.lat) for p in self.points])
        pixel_xy = np.array([(p.x, p.y) for p in self.points])
        return self._pixels.to_unit(pixel_xy), self._plane.to_unit(project(self.crs, lonlat_positions))

    def _matrix(self) -> tuple[tuple[float, float, float], ...] | None:
        if not isinstance(self._fit.map, Homography):
            return None
        to_unit = np.diag([1 / self._pixels.spread] * 2 + [1.0])
        to_unit[:2, 2] = -self._pixels.middle / self._pixels.spread
        from_unit = np.diag([self._plane.spread] * 2 + [1.0])
        from_unit[:2, 2] = self._plane.middle
        full_matrix = from_unit @ self._fit.map.matrix @ to_unit
        a, b, c = ([float(f"{cell:.12g}") for cell in row] for row in full_matrix / full_matrix[2, 2])
        return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])

    @cached_property
    def miles_per_pixel(self) -> float:
        """Statute miles per pixel in the middle, else the median at the control points; NaN if unknown."""
        middle_scale = self._miles_per_pixel_at(self._pixels.middle[None, :])
        if np.isfinite(middle_scale[0]):
            return float(middle_scale[0])
        point_scales = self._miles_per_pixel_at(np.array([(p.x, p.y) for p in self.points]))
        finite_scales = point_scales[np.isfinite(point_scales)]
        return float(np.median(finite_scales)) if len(finite_scales) else np.nan

    def _miles_per_pixel_at(self, pixels: Array) -> Array:
        """Return the geometric mean of the miles per pixel across and down; NaN at a singular point."""
        pixel_steps = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)])
        west, east, north, south = (self.lonlat_or_nan(pixels + step) for step in pixel_steps)
        miles_per_pixel: Array = np.sqrt(geodesic_distances_mi(west, east) * geodesic_distances_mi(north, south)) / 2
        miles_per_pixel[miles_per_pixel == 0] = np.nan  # at a pole that the projection puts far away
        return miles_per_pixel

    def _find_worst(self) -> int | None:
        """Return the point that fits the others least, or None if no two points can be distinguished."""
        if self.contradictions:
            return self.contradictions[0].index
        weighted_errors = self._fit.weighed
        if len(self.points) <= NEEDS["affine" if self.model == "tps" else self.model] + 1:
            return None  # with one point to spare all fit equally badly
        worst_point = int(weighted_errors.argmax())
        return worst_point if weighted_errors[worst_point] > np.finfo(float).eps ** 0.5 else None

    def _make_warnings(self) -> list[GeoreferenceWarning]:
        warnings = [*self._warn_of_shape()]
        if len(self.points) <= NEEDS["affine" if self.model == "tps" else self.model] + 1:
            warnings.append(
                GeoreferenceWarning(
                    code="no-check",
                    row=None,
                    message=f"{len(self.points)} control points are too few to find a wrong one; add one or more",
                )
            )
        warnings += self._warn_of_projection()
        warnings += [self._warn_of_bad_point(contradiction) for contradiction in self.contradictions[:_MAX_SHOWN]]
        return warnings

    def _warn_of_projection(self) -> list[GeoreferenceWarning]:
        """Warn if an affine map of another common projection fits the points much better than one of this does."""
        wrong_points = [contradiction.index for contradiction in self.contradictions]
        agreeing_points = np.setdiff1d(np.arange(len(self.points)), wrong_points)
        if self.model == "tps" or len(agreeing_points) < _MIN_TO_COMPARE:
            return []
        pixel_xy = np.array([(p.x, p.y) for p in self.points])[agreeing_points]
        lonlat_positions = np.array([(p.lon, p.lat) for p in self.points])[agreeing_points]
        errors_px = {
            name: _affine_error(pixel_xy, project(crs, lonlat_positions))
            for name, crs in (("", self.crs), *((name, plane_crs(self.points, name)) for name in _COMMON_PROJECTIONS))
        }
        own_error_px = errors_px.pop("")
        name, error_px = min(errors_px.items(), key=lambda item: item[1])
        noticeable_px = _HAND_SHARE * float(np.hypot(*np.ptp(pixel_xy, axis=0)))
        if own_error_px < noticeable_px or error_px > _MAX_ERROR_RATIO * own_error_px:
            return []
        message = (
            f"the picture seems to be in another projection: {name} fits the control points to {error_px:.1f} px, and "
            f'the projection in use to {own_error_px:.1f} px (root mean square); set projection = "{name}" under '
            f"[tracing], or try --projection {name}"
        )
        return [GeoreferenceWarning(code="other-projection", row=None, message=message)]

    def _warn_of_bad_point(self, found: Contradiction) -> GeoreferenceWarning:
        """Warn of a point far off the position predicted by the others, with the spread of these."""
        point, spread = self.points[found.index], self._pixels.spread
        off_text = f"{point.file}:{point.row}: {point.label}: the other points put it {found.away * spread:.1f} px away"
        among_text = f"they agree with each other within about {found.usual * spread:.1f} px"
        if self.model != "tps":
            left_out = " It is left out of the fit" if self.model == "projective" else ""
            return GeoreferenceWarning(
                code="bad-point",
                row=point.row,
                message=f"{off_text}, and {among_text}; check its pixel and its place.{left_out}".removesuffix("."),
            )
        source, target = self._unit_points()
        agreeing = np.setdiff1d(np.arange(len(source)), [contradiction.index for contradiction in self.contradictions])
        matrix = fit_affine_matrix(target[agreeing], source[agreeing])
        pixel_errors = np.hypot(*(Homography(matrix).forward(target) - source).T) * self._pixels.spread
        wrong_error, median_error = (float(pixel_errors[found.index]), float(np.median(pixel_errors[agreeing])))
        affine_text = (
            f"a straight (affine) map misses it by {wrong_error:.1f} px and the others by about {median_error:.1f} px"
        )
        return GeoreferenceWarning(
            code="bending",
            row=point.row,
            message=f"{off_text}, and {among_text}; {affine_text}. The spline is bending to fit this one point: "
            "check its pixel and its place",
        )

    def _warn_of_shape(self) -> list[GeoreferenceWarning]:
        shape_warnings: list[GeoreferenceWarning] = []
        source, target = self._unit_points()
        least_flatness = min(flatness(source), flatness(target))
        if least_flatness < _MIN_FLATNESS:
            shape_warnings.append(
                GeoreferenceWarning(
                    code="nearly-on-a-line",
                    row=None,
                    message="the control points lie nearly on one line, so across it the picture is hardly held; "
                    "add one on each side",
                )
            )
        if np.linalg.det(self._affine_matrix()) > 0:  # y runs down in a picture and up on a map
            shape_warnings.append(
                GeoreferenceWarning(
                    code="mirrored",
                    row=None,
                    message="the picture is mirrored: x and y may be swapped, or y may count upward; count y from "
                    "the top",
                )
            )
        fold_xy = self._find_fold(source)
        if fold_xy is not None:
            nearest_point = self.points[int(((source - fold_xy) ** 2).sum(axis=1).argmin())]
            x, y = self._pixels.from_unit(fold_xy)
            shape_warnings.append(
                GeoreferenceWarning(
                    code="folding",
                    row=nearest_point.row,
                    message=f"{nearest_point.file}:{nearest_point.row}: the spline folds over itself at pixel "
                    f"({x:.0f}, {y:.0f}), near "
                    f"{nearest_point.label}, so two pixels there have one place; check the points around it",
                )
            )
        return shape_warnings

    def _find_fold(self, source: Array) -> Array | None:
        """Return a place between the control points where the spline turns the picture over, if there is one."""
        spline = self._fit.map
        if not isinstance(spline, Spline):
            return None
        hull = shapely.convex_hull(shapely.multipoints(source))
        shapely.prepare(hull)
        grid_axes = [np.linspace(*bounds, 60) for bounds in zip(source.min(axis=0), source.max(axis=0), strict=True)]
        grid_points = np.stack(np.meshgrid(*grid_axes), axis=-1).reshape(-1, 2)
        hull_points = np.concatenate(
            [grid_points[shapely.dwithin(hull, shapely.points(grid_points), _HULL_ROUNDING)], source]
        )
        orientation = np.linalg.det(spline.jacobians(hull_points)) * np.sign(np.linalg.det(self._affine_matrix()))
        return hull_points[int(orientation.argmin())] if orientation.min() <= 0 else None


def georeference(
    points: Sequence[ControlPoint],
    *,
    model: Model = "affine",
    projection: str | ProjectionConfig = DEFAULT_PROJECTION,
) -> Georeference:
    """Fit a model to control points.

    Args:
        points: Pixels and their places.
        model: `affine` (3 points at least), `projective` (4) or `tps`, a thin-plate spline (4).
        projection: Projection of the plane to fit in, that of the picture if it is known. One of `PROJECTIONS`, a
            board's `[projection]`, or any PROJ string or `EPSG:n`. By default an equal-area azimuthal projection
            centred on the points.

    Raises:
        SourceError: There are too few points, two are the same, they lie on a line or contradict each other, or
            the projection is unknown or cannot show them.
    """
    if model not in _MODELS:
        raise SourceError(f"model {model!r} is unknown{did_you_mean(model, _MODELS)}; models are {', '.join(_MODELS)}")
    file = points[0].file if points else "control points"
    if len(points) < NEEDS[model]:
        cure_text = "add more or use --model affine" if len(points) == NEEDS["affine"] else "add more"
        raise SourceError(
            f"{file}: {_TITLES[model]} needs at least {NEEDS[model]} control points, and there are {len(points)}; "
            f"{cure_text}"
        )
    if len(points) > MAX_POINTS:
        raise SourceError(f"{file}: {len(points)} control points are more than the limit of {MAX_POINTS}")
    crs = plane_crs(points, projection)
    pixel_xy = np.array([(p.x, p.y) for p in points])
    plane_xy = _project_checked(crs, points)
    pixel_frame, plane_frame = Scaling.around(pixel_xy), Scaling.around(plane_xy)
    source, target = pixel_frame.to_unit(pixel_xy), plane_frame.to_unit(plane_xy)
    _refuse_coinciding(points, source, target)
    for quantity, positions in (("pixels", source), ("places", target)):
        if flatness(positions) < ON_A_LINE:
            raise SourceError(
                f"{file}: the {quantity} of all {len(points)} control points lie on one line; add one well off it"
            )
    picture_diagonal = float(np.hypot(*np.ptp(source, axis=0)))
    contradicted = tuple(
        contradiction
        for contradiction in find_contradictions(target, source)
        if contradiction.away >= _NOTICEABLE_SHARE * picture_diagonal
    )
    try:
        map_fit = (
            _fit_without(source, target, contradicted)
            if model == "projective" and contradicted
            else fit_map(model, source, target)
        )
    except DegenerateError as error:
        raise SourceError(
            f"{file}: the {len(points)} control points do not determine {_TITLES[model]}: {error}; correct or add "
            "points"
        ) from error
    georeferenced = Georeference(model, crs, tuple(points), pixel_frame, plane_frame, map_fit, contradicted)
    if not np.isfinite(georeferenced.miles_per_pixel):
        raise SourceError(
            f"{file}: the {len(points)} control points contradict each other: {_TITLES[model]} that fits them puts "
            "the picture off the world; look for swapped or wrong pixels and places"
        )
    return georeferenced


def _affine_error(pixel_xy: Array, plane_xy: Array) -> float:
    """Return the root mean square error in pixels of the best affine map from a plane; infinite off the plane."""
    if not np.isfinite(plane_xy).all():
        return float("inf")
    unit_xy = Scaling.around(plane_xy).to_unit(plane_xy)
    terms = np.column_stack([unit_xy, np.ones(len(unit_xy))])
    coefficients, *_ = np.linalg.lstsq(terms, pixel_xy, rcond=None)
    squared_errors = ((terms @ coefficients - pixel_xy) ** 2).sum()
    return float(np.sqrt(squared_errors / max(len(terms) - terms.shape[1], 1)))


def _fit_without(source: Array, target: Array, wrong: Sequence[Contradiction]) -> MapFit:
    """Fit a projective map without the contradicted points, and compute by how much it misses these.

    Raises:
        DegenerateError: The others do not fix the map.
    """
    agreeing_points = np.setdiff1d(np.arange(len(source)), [contradiction.index for contradiction in wrong])
    agreeing_fit = fit_map("projective", source[agreeing_points], target[agreeing_points])
    freedom = np.tile(np.eye(2), (len(source), 1, 1))
    left_out = target - agreeing_fit.map.forward(source)
    freedom[agreeing_points], left_out[agreeing_points] = agreeing_fit.freedom, agreeing_fit.leave_one_out
    return MapFit(agreeing_fit.map, freedom, left_out)


def _project_checked(crs: str, points: Sequence[ControlPoint]) -> Array:
    """Project the control points; refuse a projection that cannot show them and lead back to them."""
    lonlat_positions = np.array([(p.lon, p.lat) for p in points])
    try:
        plane_xy = project(crs, lonlat_positions)
        round_trip_m = geodesic_distances_mi(lonlat_positions, unproject(crs, plane_xy)) * METRES_PER_MILE
    except (heavy.pyproj.exceptions.CRSError, heavy.pyproj.exceptions.ProjError) as error:
        raise SourceError(f"projection {crs!r} cannot be used: {error}; give another") from error
    for point, distance_m in zip(points, round_trip_m, strict=True):
        if not distance_m < _MAX_ROUND_TRIP_M:
            raise SourceError(
                f"{point.file}:{point.row}: {point.label} at lon {point.lon:g}, lat {point.lat:g} cannot be shown in "
                f"projection {crs!r}; correct it or give another projection"
            )
    return plane_xy


def _refuse_coinciding(points: Sequence[ControlPoint], source: Array, target: Array) -> None:
    same_pixel, same_place = (_find_coinciding_pairs(positions) for positions in (source, target))
    problems = []
    for k, m in sorted(same_pixel | same_place):
        first, second = points[k], points[m]
        row_prefix = f"{second.file}:{second.row}: "
        if (k, m) in same_pixel & same_place:
            problems.append(f"{row_prefix}{second.label} repeats row {first.row}; remove one")
        elif (k, m) in same_pixel:
            problems.append(
                f"{row_prefix}pixel ({second.x:g}, {second.y:g}) has two places, {second.label} here and {first.label} "
                f"in row {first.row}; correct one"
            )
        else:
            problems.append(
                f"{row_prefix}{second.label} has two pixels, ({second.x:g}, {second.y:g}) here and ({first.x:g}, "
                f"{first.y:g}) in row {first.row}; correct one"
            )
    if problems:
        raise SourceError(problems)


def _find_coinciding_pairs(at: Array) -> set[tuple[int, int]]:
    """Return the pairs of points that coincide."""
    order_by_x = np.argsort(at[:, 0], kind="stable")
    coinciding_pairs: set[tuple[int, int]] = set()
    group_start = 0
    for group_stop in range(1, len(order_by_x) + 1):
        if (
            group_stop == len(order_by_x)
            or at[order_by_x[group_stop], 0] - at[order_by_x[group_stop - 1], 0] > _COINCIDENCE_SHARE
        ):
            for k, m in combinations(sorted(map(int, order_by_x[group_start:group_stop])), 2):
                if abs(at[k] - at[m]).max() <= _COINCIDENCE_SHARE:
                    coinciding_pairs.add((k, m))
            group_start = group_stop
    return coinciding_pairs


def _as_pairs(points: object) -> Array:
    point_pairs = np.asarray(points, dtype=np.float64)
    if point_pairs.size == 0:
        return np.empty((0, 2))
    if point_pairs.ndim != _DIMENSIONS or point_pairs.shape[1] != _DIMENSIONS:
        raise ValueError(f"points of shape (n, 2) wanted, not {point_pairs.shape}")
    return point_pairs


def _round_figure(value: float) -> float | None:
    """Round a figure to four decimals; return None for NaN, never -0."""
    return round(float(value), 4) + 0.0 if np.isfinite(value) else None


def _root_mean_square(off: Array) -> float | None:
    """Return the root mean square length of the finite rows."""
    finite_rows = off[np.isfinite(off).all(axis=1)]
    return _round_figure(float(np.sqrt((finite_rows**2).sum(axis=1).mean()))) if len(finite_rows) else None
