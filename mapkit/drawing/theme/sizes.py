"""Names of themes, and their sizes."""

from typing import Annotated, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.drawing.text_width import SANS, Family

ThemeName = Literal["classic", "atlas", "dark", "print", "engraved", "poster", "school", "night"]
"""The themes that mapkit has (`mapkit.drawing.theme.theme.THEMES`)."""

SMALLEST_MM: Final = 0.05
LARGEST_MM: Final = 50.0

_Length = Annotated[float, Field(ge=SMALLEST_MM, le=LARGEST_MM)]
"""Millimetres of the page."""


class Sizes(Frozen):
    """Sizes in millimetres."""

    city_side: _Length = 4.6
    """Side of a city's square (RB-C03)."""
    dot_radius: _Length = 1.4
    """Radius of any other milepost's dot (RB-C04)."""
    junction_radius: _Length = 0.9
    symbol_edge: _Length = 0.25
    """White edge around squares, dots and junctions."""
    least_gap: _Length = 4.0
    """Minimum distance between the middles of two mileposts."""

    line: _Length = 1.3
    """Width of a railroad's line."""
    casing_edge: _Length = 0.3
    """Light edge on each side of a line, so that crossings read as over and under."""
    lane: _Length = 1.85
    """Distance between the middles of parallel lines."""
    clearance: _Length = 0.7
    """Room to keep between lines of different bundles, and between a line and a milepost off it."""
    hit: _Length = 2.6
    """Width of the invisible line by which a segment is hit or lit up."""

    city_text: _Length = 6.2
    dot_text: _Length = 2.3
    """Font sizes of names; that of dots is the least one."""
    dot_text_most: _Length = 3.8
    """Names of dots with room around them grow up to this size; as `dot_text`, they never do."""
    initials_text: _Length = 2.9
    """Font size of railroads' initials along their lines."""
    initials_halo: _Length = 1.1
    region_text: _Length = 11.0
    """Font size of regions' names, where they find room."""
    dot_names: Literal["fit", "none"] = "fit"
    """Which dots are named: those whose names find room, or none."""
    city_halo: _Length = 1.0
    dot_halo: _Length = 0.6
    """Width of the light stroke below a name."""


class ThemeSizes(Sizes):
    """Sizes and type family, the only part of a theme that affects the layout of the page."""

    family: Family = SANS
    """Type family of all texts; letters that it lacks are drawn in Fira Sans Condensed."""
