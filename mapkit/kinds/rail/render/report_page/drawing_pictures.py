"""Pictures of findings about imported drawings: the place in the drawing, with what was traced and what was not."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import MapkitError
from mapkit.core.findings import Finding
from mapkit.formats.lines.svg import read_svg

_SUFFIXES: Final = {".svg", ".svgz"}
_SIDE: Final = 300
"""Longer side of a picture in pixels."""
_MARGIN: Final = 0.1
"""Margin around the elements, as a share of the longer side of the drawing."""
_TOLERANCE: Final = 0.3


def draw_drawing_pictures(findings: Sequence[Finding], folder: Path) -> dict[str, str]:
    """Return an SVG by message for findings about elements of drawings: these dashed, the traced lines solid.

    Drawings that cannot be read have none.

    Args:
        findings: The findings of a board.
        folder: Its source package.
    """
    pictures: dict[str, str] = {}
    for file in sorted({finding.place.file or "" for finding in findings}):
        if PurePosixPath(file).suffix.lower() in _SUFFIXES:
            with suppress(MapkitError):
                layer = read_svg(folder / file, name=file)
                pictures |= {note: _draw_place(shapes, layer.lines) for note, shapes in layer.note_shapes.items()}
    return pictures


def _draw_place(elements: Iterable[shapely.LineString], traced_lines: Iterable[shapely.LineString]) -> str:
    noted, traced = (shapely.multilinestrings(list(lines)) for lines in (elements, traced_lines))
    west, north, east, south = shapely.total_bounds([noted, traced]).tolist()
    margin = _MARGIN * max(east - west, south - north)
    left, top, right, bottom = np.add(shapely.bounds(noted), [-margin, -margin, margin, margin]).tolist()
    scale = _SIDE / max(right - left, bottom - top)
    path_texts = []
    for lines in (traced, noted):
        clipped_lines = shapely.clip_by_rect(lines, left, top, right, bottom)
        on_picture = shapely.transform(clipped_lines, lambda vertices: (vertices - [left, top]) * scale)
        parts = shapely.get_parts(shapely.simplify(on_picture, _TOLERANCE))
        path_texts.append("".join(_write_path(shapely.get_coordinates(part)) for part in parts))
    traced_text, noted_text = path_texts
    return (
        f'<svg aria-hidden="true" width="{(right - left) * scale:.0f}" '
        f'height="{(bottom - top) * scale:.0f}" fill="none">'
        f'<path d="{traced_text}" stroke="currentColor" stroke-opacity=".5"/>'
        f'<path d="{noted_text}" stroke="#c4003f" stroke-width="2.5" stroke-dasharray="5 3"/></svg>'
    )


def _write_path(vertices: NDArray[np.float64]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in vertices.tolist())
