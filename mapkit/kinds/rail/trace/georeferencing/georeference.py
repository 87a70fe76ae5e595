"""Placing a picture on the earth by control points.

A picture is a map in some projection, bent by paper and scanner. So a model is fitted between pixels and the
plane of a projection, and positions come from there:

```
    pixel (x, y) --model--> plane of the projection --inverse projection--> (lon, lat)
```

`affine` shifts, turns, scales and shears; `projective` also corrects a photograph taken askew; `tps`, a thin-plate
spline, goes through every control point and bends between them. Residuals show how far a model misses its own
points; leave-one-out errors show how far it misses each one when fitted on the others, and so what it is worth
between the points. A spline has no residuals: one wrong point is bent to, and only the leave-one-out error shows it.
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
from mapkit.kinds.rail.trace.georeferencing.consensus import Contradiction, contradictions
from mapkit.kinds.rail.trace.georeferencing.picture_plane import (
    DEFAULT_PROJECTION,
    miles_apart,
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
    affine_matrix,
    fit,
    flatness,
)

_MODELS: Final[tuple[Model, ...]] = get_args(Model)
_TITLES: Final[dict[Model, str]] = {
    "affine": "an affine map",
    "projective": "a projective map",
    "tps": "a thin-plate spline",
}
_SAME: Final = 1e-7
"""Share of the spread below which two points are one."""
_NEARLY_ON_A_LINE: Final = 0.02
_SHOWN: Final = 10
"""How many points that contradict the others are named."""
_NOTICEABLE: Final = 0.002
"""Share of the picture's diagonal below which no point is called wrong."""
_BACK_METRES: Final = 0.05
_ON_HULL: Final = 1e-12
"""Shares of the spread that a place on the hull of the points may seem to lie outside, by rounding."""
_PAIR: Final = 2


@dataclass(frozen=True)
class Georeference:
    """A picture with its place on the earth.

    Attributes:
        model: The kind of map between pixels and the plane.
        crs: The projection of the plane.
        points: The control points.
        contradictions: Those that the others contradict, distances in the unit of `_pixels`; a projective map is
            fitted without them.
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
        given = _pairs(pixels)
        out = self.lonlat_or_nan(given)
        _refuse_lost(given, out, "pixel", "has no place on the earth; correct the control points near it or add some")
        return out

    def to_pixels(self, lonlat: object) -> Array:
        """Return the pixels of `(lon, lat)` in degrees, shape (n, 2); those of a spline by Newton's method.

        Raises:
            SourceError: A position has no pixel: the projection cannot show it, it lies beyond the horizon, or the
                spline does not reach it.
        """
        given = _pairs(lonlat)
        out = self.pixels_or_nan(given)
        _refuse_lost(given, out, "lon, lat", "has no pixel in this picture; leave it out or add control points there")
        return out

    def lonlat_or_nan(self, pixels: Array) -> Array:
        """Return `(lon, lat)` of pixels, NaN where there is none."""
        return self._unprojected(self._fit.map.forward(self._pixels.to_unit(pixels)))

    def pixels_or_nan(self, lonlat: Array) -> Array:
        """Return the pixels of `(lon, lat)`, NaN where there is none."""
        return self._pixels.from_unit(self._fit.map.inverse(self._plane.to_unit(project(self.crs, lonlat))))

    def report(self) -> GeoreferenceReport:
        """Return residuals, leave-one-out errors and warnings."""
        return self._report

    @cached_property
    def _report(self) -> GeoreferenceReport:
        places = np.array([(p.lon, p.lat) for p in self.points])
        given = np.array([(p.x, p.y) for p in self.points])
        off = self.pixels_or_nan(places) - given
        miles = miles_apart(places, self.lonlat_or_nan(given))
        target = self._plane.to_unit(project(self.crs, places))
        left_out = self._left_out_pixels()
        left_out_miles = miles_apart(places, self._unprojected(target - self._fit.leave_one_out))
        rows = tuple(
            PointErrors(
                row=p.row,
                name=p.name,
                x=p.x,
                y=p.y,
                lon=p.lon,
                lat=p.lat,
                dx=_rounded(off[k, 0]),
                dy=_rounded(off[k, 1]),
                pixels=_rounded(np.hypot(*off[k])),
                miles=_rounded(miles[k]),
                left_out_dx=_rounded(left_out[k, 0]),
                left_out_dy=_rounded(left_out[k, 1]),
                left_out_pixels=_rounded(np.hypot(*left_out[k])),
                left_out_miles=_rounded(left_out_miles[k]),
            )
            for k, p in enumerate(self.points)
        )
        worst = self._worst()
        return GeoreferenceReport(
            model=self.model,
            crs=self.crs,
            matrix=self._matrix(),
            rms_pixels=_rms(off),
            rms_miles=_rms(miles[:, None]),
            left_out_rms_pixels=_rms(left_out),
            left_out_rms_miles=_rms(left_out_miles[:, None]),
            miles_per_pixel=float(f"{self.miles_per_pixel:.6g}"),
            worst=None if worst is None else self.points[worst].row,
            warnings=tuple(self._warnings()),
            points=rows,
        )

    def _unprojected(self, plane: Array) -> Array:
        """Return `(lon, lat)` of points of the plane in its unit frame."""
        whole = self._plane.from_unit(plane)
        return unproject(self.crs, whole)

    def _straight(self) -> Array:
        """Return the affine map (unit frames) that lies closest to the picture."""
        source, target = self._units()
        return affine_matrix(source, target)

    def _units(self) -> tuple[Array, Array]:
        places = np.array([(p.lon, p.lat) for p in self.points])
        given = np.array([(p.x, p.y) for p in self.points])
        return self._pixels.to_unit(given), self._plane.to_unit(project(self.crs, places))

    def _left_out_pixels(self) -> Array:
        """Return the leave-one-out errors in pixels: from each point to where the others put it."""
        slope = np.linalg.inv(self._straight()[:2, :2]) * self._pixels.spread
        return self._fit.leave_one_out @ slope.T

    def _matrix(self) -> tuple[tuple[float, float, float], ...] | None:
        if not isinstance(self._fit.map, Homography):
            return None
        to_unit = np.diag([1 / self._pixels.spread] * 2 + [1.0])
        to_unit[:2, 2] = -self._pixels.middle / self._pixels.spread
        from_unit = np.diag([self._plane.spread] * 2 + [1.0])
        from_unit[:2, 2] = self._plane.middle
        whole = from_unit @ self._fit.map.matrix @ to_unit
        a, b, c = ([float(f"{cell:.12g}") for cell in row] for row in whole / whole[2, 2])
        return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])

    @cached_property
    def miles_per_pixel(self) -> float:
        """Statute miles to a pixel in the middle; usually at the points where that has no place; NaN if none has."""
        middle = self._miles_per_pixel_at(self._pixels.middle[None, :])
        if np.isfinite(middle[0]):
            return float(middle[0])
        around = self._miles_per_pixel_at(np.array([(p.x, p.y) for p in self.points]))
        known = around[np.isfinite(around)]
        return float(np.median(known)) if len(known) else np.nan

    def _miles_per_pixel_at(self, pixels: Array) -> Array:
        """Return the root of the miles across two pixels and down two pixels, per pixel; NaN where all is one place."""
        steps = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)])
        west, east, north, south = (self.lonlat_or_nan(pixels + step) for step in steps)
        out: Array = np.sqrt(miles_apart(west, east) * miles_apart(north, south)) / 2
        out[out == 0] = np.nan  # at a pole that the projection puts far away
        return out

    def _worst(self) -> int | None:
        """Return the point that fits the others least, or None if no two points can be distinguished."""
        if self.contradictions:
            return self.contradictions[0].index
        weighed = self._fit.weighed
        if len(self.points) <= NEEDS["affine" if self.model == "tps" else self.model] + 1:
            return None  # with one point to spare all fit equally badly
        first = int(weighed.argmax())
        return first if weighed[first] > np.finfo(float).eps ** 0.5 else None

    def _warnings(self) -> list[GeoreferenceWarning]:
        out = [*self._shape_warnings()]
        if len(self.points) <= NEEDS["affine" if self.model == "tps" else self.model] + 1:
            out.append(
                GeoreferenceWarning(
                    code="no-check",
                    row=None,
                    message=f"{len(self.points)} control points are too few to find a wrong one; add one or more",
                )
            )
        out += [self._bad_point(contradiction) for contradiction in self.contradictions[:_SHOWN]]
        return out

    def _bad_point(self, found: Contradiction) -> GeoreferenceWarning:
        """Warn of a point that lies far off where the others, which agree among themselves, put it."""
        point, spread = self.points[found.index], self._pixels.spread
        off = f"{point.file}:{point.row}: {point.label}: the other points put it {found.away * spread:.1f} px away"
        among = f"they agree with each other within about {found.usual * spread:.1f} px"
        if self.model != "tps":
            left_out = " It is left out of the fit" if self.model == "projective" else ""
            return GeoreferenceWarning(
                code="bad-point",
                row=point.row,
                message=f"{off}, and {among}; check its pixel and its place.{left_out}".removesuffix("."),
            )
        away, common = self._straight_errors(found.index)
        straight = f"a straight (affine) map misses it by {away:.1f} px and the others by about {common:.1f} px"
        return GeoreferenceWarning(
            code="bending",
            row=point.row,
            message=f"{off}, and {among}; {straight}. The spline is bending to fit this one point: check its pixel and "
            "its place",
        )

    def _straight_errors(self, wrong: int) -> tuple[float, float]:
        """Return by how many pixels an affine map of the points that agree misses a wrong one, and usually them."""
        source, target = self._units()
        others = np.setdiff1d(np.arange(len(source)), [found.index for found in self.contradictions])
        matrix = affine_matrix(target[others], source[others])
        away = np.hypot(*(Homography(matrix).forward(target) - source).T) * self._pixels.spread
        return float(away[wrong]), float(np.median(away[others]))

    def _shape_warnings(self) -> list[GeoreferenceWarning]:
        out: list[GeoreferenceWarning] = []
        source, target = self._units()
        flattest = min(flatness(source), flatness(target))
        if flattest < _NEARLY_ON_A_LINE:
            out.append(
                GeoreferenceWarning(
                    code="nearly-on-a-line",
                    row=None,
                    message="the control points lie nearly on one line, so across it the picture is hardly held; "
                    "add one on each side",
                )
            )
        if np.linalg.det(self._straight()) > 0:  # y runs down in a picture and up on a map
            out.append(
                GeoreferenceWarning(
                    code="mirrored",
                    row=None,
                    message="the picture is mirrored: x and y may be swapped, or y may count upward; count y from "
                    "the top",
                )
            )
        fold = self._fold(source)
        if fold is not None:
            near = self.points[int(((source - fold) ** 2).sum(axis=1).argmin())]
            x, y = self._pixels.from_unit(fold)
            out.append(
                GeoreferenceWarning(
                    code="folding",
                    row=near.row,
                    message=f"{near.file}:{near.row}: the spline folds over itself at pixel ({x:.0f}, {y:.0f}), near "
                    f"{near.label}, so two pixels there have one place; check the points around it",
                )
            )
        return out

    def _fold(self, source: Array) -> Array | None:
        """Return a place between the control points where the spline turns the picture over, if there is one."""
        spline = self._fit.map
        if not isinstance(spline, Spline):
            return None
        hull = shapely.convex_hull(shapely.multipoints(source))
        shapely.prepare(hull)
        sides = [np.linspace(*bounds, 60) for bounds in zip(source.min(axis=0), source.max(axis=0), strict=True)]
        grid = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
        inside = np.concatenate([grid[shapely.dwithin(hull, shapely.points(grid), _ON_HULL)], source])
        turned = np.linalg.det(spline.jacobians(inside)) * np.sign(np.linalg.det(self._straight()))
        return inside[int(turned.argmin())] if turned.min() <= 0 else None


def georeference(
    points: Sequence[ControlPoint],
    *,
    model: Model = "affine",
    projection: str | ProjectionConfig = DEFAULT_PROJECTION,
) -> Georeference:
    """Fit a model on control points.

    Args:
        points: Pixels and their places.
        model: `affine` (3 points at least), `projective` (4) or `tps`, a thin-plate spline (4).
        projection: In whose plane to fit: that of the picture if it is known. One of `PROJECTIONS`, a board's
            `[projection]`, or any PROJ string or `EPSG:n`. By default an equal-area azimuthal projection centred on
            the points.

    Raises:
        SourceError: There are too few points, two are the same, they lie on a line or contradict each other, or
            the projection is unknown or cannot show them.
    """
    if model not in _MODELS:
        raise SourceError(f"model {model!r} is unknown{did_you_mean(model, _MODELS)}; models are {', '.join(_MODELS)}")
    file = points[0].file if points else "control points"
    if len(points) < NEEDS[model]:
        cure = "add more or use --model affine" if len(points) == NEEDS["affine"] else "add more"
        raise SourceError(
            f"{file}: {_TITLES[model]} needs at least {NEEDS[model]} control points, and there are {len(points)}; "
            f"{cure}"
        )
    if len(points) > MAX_POINTS:
        raise SourceError(f"{file}: {len(points)} control points are more than the limit of {MAX_POINTS}")
    crs = plane_crs(points, projection)
    pixels = np.array([(p.x, p.y) for p in points])
    plane = _checked_plane(crs, points)
    pixel_frame, plane_frame = Scaling.around(pixels), Scaling.around(plane)
    source, target = pixel_frame.to_unit(pixels), plane_frame.to_unit(plane)
    _refuse_repeated(points, source, target)
    for what, where in (("pixels", source), ("places", target)):
        if flatness(where) < ON_A_LINE:
            raise SourceError(
                f"{file}: the {what} of all {len(points)} control points lie on one line; add one well off it"
            )
    wrong = _contradicting(source, target)
    try:
        fitted = _fit_others(source, target, wrong) if model == "projective" and wrong else fit(model, source, target)
    except DegenerateError as error:
        raise SourceError(
            f"{file}: the {len(points)} control points do not determine {_TITLES[model]}: {error}; correct or add "
            "points"
        ) from error
    placed = Georeference(model, crs, tuple(points), pixel_frame, plane_frame, fitted, wrong)
    if not np.isfinite(placed.miles_per_pixel):
        raise SourceError(
            f"{file}: the {len(points)} control points contradict each other: {_TITLES[model]} that fits them puts "
            "the picture off the world; look for swapped or wrong pixels and places"
        )
    return placed


def _contradicting(source: Array, target: Array) -> tuple[Contradiction, ...]:
    """Return the points that the others contradict by so much that it matters."""
    diagonal = float(np.hypot(*np.ptp(source, axis=0)))
    return tuple(one for one in contradictions(target, source) if one.away >= _NOTICEABLE * diagonal)


def _fit_others(source: Array, target: Array, wrong: Sequence[Contradiction]) -> MapFit:
    """Fit a projective map without the points that contradict the others, and say how far it misses these.

    Raises:
        DegenerateError: The others do not fix the map.
    """
    used = np.setdiff1d(np.arange(len(source)), [found.index for found in wrong])
    fitted = fit("projective", source[used], target[used])
    freedom = np.tile(np.eye(2), (len(source), 1, 1))
    left_out = target - fitted.map.forward(source)
    freedom[used], left_out[used] = fitted.freedom, fitted.leave_one_out
    return MapFit(fitted.map, freedom, left_out)


def _checked_plane(crs: str, points: Sequence[ControlPoint]) -> Array:
    """Project the places; refuse a projection that cannot show them and lead back to them."""
    places = np.array([(p.lon, p.lat) for p in points])
    try:
        plane = project(crs, places)
        back = miles_apart(places, unproject(crs, plane)) * METRES_PER_MILE
    except (heavy.pyproj.exceptions.CRSError, heavy.pyproj.exceptions.ProjError) as error:
        raise SourceError(f"projection {crs!r} cannot be used: {error}; give another") from error
    for point, off in zip(points, back, strict=True):
        if not off < _BACK_METRES:
            raise SourceError(
                f"{point.file}:{point.row}: {point.label} at lon {point.lon:g}, lat {point.lat:g} cannot be shown in "
                f"projection {crs!r}; correct it or give another projection"
            )
    return plane


def _refuse_repeated(points: Sequence[ControlPoint], source: Array, target: Array) -> None:
    same_pixel, same_place = (_pairs_within(at) for at in (source, target))
    problems = []
    for k, m in sorted(same_pixel | same_place):
        first, second = points[k], points[m]
        at = f"{second.file}:{second.row}: "
        if (k, m) in same_pixel & same_place:
            problems.append(f"{at}{second.label} repeats row {first.row}; remove one")
        elif (k, m) in same_pixel:
            problems.append(
                f"{at}pixel ({second.x:g}, {second.y:g}) has two places, {second.label} here and {first.label} in "
                f"row {first.row}; correct one"
            )
        else:
            problems.append(
                f"{at}{second.label} has two pixels, ({second.x:g}, {second.y:g}) here and ({first.x:g}, {first.y:g}) "
                f"in row {first.row}; correct one"
            )
    if problems:
        raise SourceError(problems)


def _pairs_within(at: Array) -> set[tuple[int, int]]:
    """Return the pairs of points that are one."""
    order = np.argsort(at[:, 0], kind="stable")
    out: set[tuple[int, int]] = set()
    start = 0
    for stop in range(1, len(order) + 1):
        if stop == len(order) or at[order[stop], 0] - at[order[stop - 1], 0] > _SAME:
            for k, m in combinations(sorted(map(int, order[start:stop])), 2):
                if abs(at[k] - at[m]).max() <= _SAME:
                    out.add((k, m))
            start = stop
    return out


def _pairs(points: object) -> Array:
    out = np.asarray(points, dtype=np.float64)
    if out.size == 0:
        return np.empty((0, 2))
    if out.ndim != _PAIR or out.shape[1] != _PAIR:
        raise ValueError(f"points of shape (n, 2) wanted, not {out.shape}")
    return out


def _refuse_lost(given: Array, found: Array, what: str, cure: str) -> None:
    lost = np.flatnonzero(~np.isfinite(found).all(axis=1))
    if len(lost):
        a, b = given[lost[0]]
        more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        raise SourceError(f"{what} ({a:g}, {b:g}){more} {cure}")


def _rounded(value: float) -> float | None:
    """Return a figure to a ten-thousandth, never -0, None for NaN."""
    return round(float(value), 4) + 0.0 if np.isfinite(value) else None


def _rms(off: Array) -> float | None:
    """Return the root of the mean square length of those that are known."""
    known = off[np.isfinite(off).all(axis=1)]
    return _rounded(float(np.sqrt((known**2).sum(axis=1).mean()))) if len(known) else None
