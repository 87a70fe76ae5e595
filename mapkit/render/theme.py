"""How a board looks: sizes in millimetres of the page, and colours."""

from typing import Final, Literal

from mapkit.model.base import Colour, Frozen

FONT: Final = "'Fira Sans Condensed', 'Arial Narrow', 'Liberation Sans Narrow', Arial, sans-serif"


class Sizes(Frozen):
    """Sizes in millimetres; what lies where on the page depends on them, and on nothing else of a theme."""

    city_side: float = 4.0
    """Side of a city's square (RB-C03)."""
    dot_radius: float = 1.4
    """Radius of any other milepost's dot (RB-C04)."""
    junction_radius: float = 0.9
    symbol_edge: float = 0.25
    """White edge around squares, dots and junctions."""
    least_gap: float = 4.0
    """What the middles of two mileposts are apart at least."""

    line: float = 1.3
    """Width of a railroad's line."""
    casing_edge: float = 0.3
    """Light edge on each side of a line, so that crossings read as over and under."""
    lane: float = 1.85
    """Distance between the middles of parallel lines."""
    clearance: float = 0.7
    """Room to keep between lines of different bundles, and between a line and a strange milepost."""
    hit: float = 2.6
    """Width of the invisible line by which a segment is hit or lit up."""

    city_text: float = 5.2
    dot_text: float = 2.3
    """Font sizes of names."""
    initials_text: float = 2.9
    """Font size of railroads' initials along their lines."""
    initials_halo: float = 1.1
    region_text: float = 11.0
    """Font size of regions' names, where they find room."""
    dot_names: Literal["fit", "none"] = "fit"
    """Which dots are named: those whose names find room, or none."""
    city_halo: float = 0.9
    dot_halo: float = 0.6
    """Width of the light stroke below a name."""


class Theme(Frozen):
    """Colours and sizes of a drawn board."""

    name: str
    water: Colour = "#b7d2e2"
    land: Colour = "#f4f1ea"
    lake_shore: Colour = "#86a9bf"
    coast: Colour = "#7f9fb3"
    border: Colour = "#a8a297"
    paper: Colour = "#fdfcf9"
    ink: Colour = "#1b1b1b"
    quiet_ink: Colour = "#4a4a4a"
    casing: Colour = "#ffffff"
    """The light edge of lines and symbols, and the inside of hollow lines."""
    halo: Colour = "#ffffff"
    """The light stroke below a name."""
    tint_opacity: float = 0.8
    sizes: Sizes = Sizes()


CLASSIC: Final = Theme(name="classic")
THEMES: Final = {theme.name: theme for theme in (CLASSIC,)}
