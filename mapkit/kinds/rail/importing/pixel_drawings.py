"""Drawings in pixels as in their files, without railroads, for comparison with control points."""

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
    drawings_folder = folder / FOLDER
    folder_paths = sorted(drawings_folder.iterdir()) if drawings_folder.is_dir() else []
    return tuple(path for path in folder_paths if is_drawing(f"{FOLDER}/{path.name}"))


def pixel_drawings(files: Sequence[Path]) -> tuple[PixelDrawing, ...]:
    """Read drawings, skipping those in degrees or another CRS.

    Raises:
        SourceError: A file cannot be read as a drawing.
        WorkspaceError: It is missing or may not be read.
    """
    traced_layers = [read_any(path, name=path.name, options=ImportOptions(crs="EPSG:4326")) for path in files]
    return tuple(pixel_drawing(layer) for layer in traced_layers if layer.crs is None)


def pixel_drawing(layer: TracedLayer) -> PixelDrawing:
    """Return the features of a drawing in pixels."""
    features = [
        *zip(layer.line_features, layer.lines, strict=True),
        *zip(layer.point_features, layer.points, strict=True),
    ]
    return PixelDrawing(
        layer.file,
        layer.page,
        {feature_name: shapely.get_coordinates(shape).tolist() for feature_name, shape in features},
    )
