"""Traced geometry of a file: lines, points and their names.

Arrays, not models, since a file may hold millions of vertices.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mapkit.core.characters import describe_character, find_character
from mapkit.core.errors import SourceError
from mapkit.formats.drawn_page import DrawnPage

KeyFrom = Literal["auto", "own", "group", "layer", "id", "class"]
"""Source of the railroad's name of a line in an SVG."""


@dataclass(frozen=True)
class MapShape:
    """Shape of a base map in a drawing, in its units.

    Attributes:
        layer: The map layer: land, lakes, rivers, mountains, regions or labels.
        name: Its own label, title or chosen id, or its text.
        feature: The source feature.
        parts: Subpaths, as lists of points; of a text, its middle.
    """

    layer: str
    name: str
    feature: str
    parts: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True)
class TracedLayer:
    """Lines and points of one file or layer.

    Attributes:
        file: The file's name, for messages.
        crs: `"EPSG:4326"` if coordinates are `(lon, lat)` in degrees, None if they are pixels or drawing units
            (y downward) that control points must place.
        lines: shapely LineStrings, shape (n,), two-dimensional, finite, none empty.
        line_keys: What names each line's railroad: the value of the mapped column, a layer, group or path id.
        line_features: The source feature of each line, for messages and provenance (`lines.geojson#12`).
        line_levels: The level of each line: lines of one railroad on different levels cross without joining. Empty if
            all are on level 0.
        points: shapely Points of mileposts, shape (m,).
        point_names: Their names, empty where there is none.
        point_features: The source feature of each point.
        point_owners: The keys of the railroads that stop at each point, as the author wrote them; empty for all that
            pass. Empty if no point says so.
        point_layers: The key of the layer or group that each point lies in, which is a railroad's or says nothing.
            Empty if there are none.
        line_alternates: Other names that each line could be known by, the nearest first: of the layers, groups, folders
            and the file around it. Empty if there are none.
        columns: All attributes that features of the file have.
        notes: What was repaired or left out while reading, each a sentence with the feature.
        note_shapes: The elements of a drawing that notes are about, as LineStrings by note.
        guesses: What was inferred, each a sentence with the way to say otherwise.
        page: The page of a drawing; None for geodata, and for a drawing that gives no size.
        map_shapes: The base map of an invented land, if it was asked for.
    """

    file: str
    crs: str | None
    lines: NDArray[np.object_]
    line_keys: tuple[str, ...]
    line_features: tuple[str, ...]
    points: NDArray[np.object_]
    point_names: tuple[str, ...]
    point_features: tuple[str, ...]
    notes: tuple[str, ...] = ()
    note_shapes: Mapping[str, NDArray[np.object_]] = field(default_factory=dict)
    guesses: tuple[str, ...] = ()
    line_levels: tuple[int, ...] = ()
    point_owners: tuple[tuple[str, ...], ...] = ()
    point_layers: tuple[str, ...] = ()
    line_alternates: tuple[tuple[str, ...], ...] = ()
    columns: tuple[str, ...] = ()
    page: DrawnPage | None = None
    map_shapes: tuple[MapShape, ...] = ()

    def __post_init__(self) -> None:
        labelled_texts = [
            *zip(self.line_features, self.line_keys, strict=False),
            *zip(self.point_features, self.point_names, strict=False),
            *(
                (feature, key)
                for feature, keys in zip(self.point_features, self.point_owners, strict=False)
                for key in keys
            ),
            *zip(self.point_features, self.point_layers, strict=False),
            *((f"{self.file}: the name of an attribute", column) for column in self.columns),
            *((shape.feature, shape.name) for shape in self.map_shapes),
        ]
        problems = {
            feature: f"{feature}: {text[:40]!r} holds {describe_character(character)}; delete it"
            for feature, text in labelled_texts
            if (character := find_character(text)) is not None
        }
        if problems:
            raise SourceError(list(problems.values()))

    @property
    def levels(self) -> tuple[int, ...]:
        """The level of every line."""
        return self.line_levels or (0,) * len(self.lines)

    @property
    def alternates(self) -> tuple[tuple[str, ...], ...]:
        """The other names of every line."""
        return self.line_alternates or ((),) * len(self.lines)

    @property
    def owners(self) -> tuple[tuple[str, ...], ...]:
        """The owners of every point."""
        return self.point_owners or ((),) * len(self.points)

    @property
    def layers(self) -> tuple[str, ...]:
        """The layer of every point."""
        return self.point_layers or ("",) * len(self.points)
