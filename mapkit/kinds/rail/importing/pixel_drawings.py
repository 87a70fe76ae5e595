"""Drawings in pixels as their files have them, without railroads: what control points must go together with."""

from collections.abc import Sequence
from pathlib import Path

import shapely

from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.traced import TracedLayer
from mapkit.kinds.rail.importing.drawings import FOLDER, is_drawing
from mapkit.kinds.rail.trace.georeferencing.coverage import PixelDrawing


def drawn_files(folder: Path) -> tuple[Path, ...]:
    """Return the imported drawings of a source package, sorted; none if it is not a folder."""
    inside = folder / FOLDER
    found = sorted(inside.iterdir()) if inside.is_dir() else []
    return tuple(path for path in found if is_drawing(f"{FOLDER}/{path.name}"))


def pixel_drawings(files: Sequence[Path]) -> tuple[PixelDrawing, ...]:
    """Read drawings; those in degrees or another CRS are passed over.

    Raises:
        SourceError: A file cannot be read as a drawing.
        WorkspaceError: It is missing or may not be read.
    """
    layers = [read_any(path, name=path.name, options=ImportOptions(crs="EPSG:4326")) for path in files]
    return tuple(pixel_drawing(layer) for layer in layers if layer.crs is None)


def pixel_drawing(layer: TracedLayer) -> PixelDrawing:
    """Return what a drawing in pixels holds, feature by feature."""
    features = [
        *zip(layer.line_features, layer.lines, strict=True),
        *zip(layer.point_features, layer.points, strict=True),
    ]
    return PixelDrawing(
        layer.file, layer.page, {name: shapely.get_coordinates(shape).tolist() for name, shape in features}
    )
