"""Conversion of lines and points in pixels to degrees by the control points of their picture."""

from collections.abc import Iterator, Sequence

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.georeference import GeoreferenceWarning
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.trace.georeferencing.coverage import PixelDrawing, check_coverage
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference
from mapkit.kinds.rail.trace.plane import bend_lines
from mapkit.kinds.rail.trace.source import Source

_FAULT_CODES = (
    *("bad-point", "bending", "folding", "mirrored", "other-projection", "outside-drawing", "outside-points"),
)


def place_source(source: Source) -> Source:
    """Return the source with all its lines and points in degrees (EPSG:4326).

    Raises:
        SourceError: There are no control points for a drawing in pixels, or they do not fix the picture.
    """
    in_pixels = [row.feature for row in source.traced if row.pixels] + [p.feature for p in source.pinned if p.pixels]
    if not in_pixels:
        return source
    if not source.control_points:
        raise SourceError(
            f"{in_pixels[0]}: a drawing in pixels needs control_points.csv; add it (x, y and lon, lat or city)"
        )
    georeferenced = georeference(
        source.control_points,
        model=source.config.tracing.georeference,
        projection=source.config.tracing.projection or source.config.projection,
    )

    def degrees(points: Sequence[Point], feature: str) -> tuple[Point, ...]:
        try:
            return tuple((float(lon), float(lat)) for lon, lat in georeferenced.to_lonlat(points))
        except SourceError as error:
            raise SourceError(f"{feature}: {error}") from error

    for row in source.traced:
        if row.pixels:
            degrees(row.line, row.feature)
    pixel_lines = [row.line for row in source.traced if row.pixels]
    bent_lines = iter(bend_lines(pixel_lines, source, georeferenced.lonlat_or_nan))
    placed_lines = [
        row.model_copy(update={"line": next(bent_lines), "pixels": False}) if row.pixels else row
        for row in source.traced
    ]
    pin_lonlat = [degrees([(pin.x, pin.y)], pin.feature)[0] if pin.pixels else (pin.x, pin.y) for pin in source.pinned]
    placed_pins = [
        pin.model_copy(update={"x": lon, "y": lat, "pixels": False})
        for pin, (lon, lat) in zip(source.pinned, pin_lonlat, strict=True)
    ]
    fit_warnings = (
        *georeferenced.report().warnings,
        *check_coverage(source.control_points, _pixel_drawings(source)),
    )
    import_notes = (*source.import_notes, *_note_faults(fit_warnings))
    return source.model_copy(
        update={"traced": tuple(placed_lines), "pinned": tuple(placed_pins), "import_notes": import_notes}
    )


def _pixel_drawings(source: Source) -> Iterator[PixelDrawing]:
    """Yield the drawings in pixels, by file."""
    features_by_file: dict[str, dict[str, list[Point]]] = {}
    for feature, vertices in (
        *((line.feature, line.line) for line in source.traced if line.pixels),
        *((pin.feature, ((pin.x, pin.y),)) for pin in source.pinned if pin.pixels),
    ):
        features_by_file.setdefault(feature.partition("#")[0], {}).setdefault(feature, []).extend(vertices)
    for file, features in sorted(features_by_file.items()):
        yield PixelDrawing(file, source.pages.get(file), features)


def _note_faults(warnings: Sequence[GeoreferenceWarning]) -> Iterator[TraceNote]:
    """Yield notes on faults of the control points, except that they are too few to check."""
    for warning in warnings:
        if warning.code in _FAULT_CODES:
            row_suffix = f"#row {warning.row}" if warning.row is not None else ""
            yield TraceNote(
                kind="ambiguity",
                what=warning.code,
                message=f"control_points.csv: {warning.message}; see mapkit scan points",
                feature=f"control_points.csv{row_suffix}",
            )
