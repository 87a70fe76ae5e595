"""Sizes in millimetres and colours of the drawn board."""

from typing import Final

FONT: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"

WATER: Final = "#b7d2e2"
LAND: Final = "#f4f1ea"
LAKE_SHORE: Final = "#86a9bf"
COAST: Final = "#7f9fb3"
BORDER: Final = "#a8a297"
PAPER: Final = "#fdfcf9"
INK: Final = "#1b1b1b"
QUIET_INK: Final = "#4a4a4a"
CASING: Final = "#ffffff"

TINT_OPACITY: Final = 0.8

CITY_SIDE: Final = 4.0
"""Side of a city's square (RB-C03)."""
DOT_RADIUS: Final = 1.1
"""Radius of any other milepost's dot (RB-C04)."""
JUNCTION_RADIUS: Final = 0.55
SYMBOL_EDGE: Final = 0.25
"""White edge around squares, dots and junctions."""

LINE: Final = 0.9
"""Width of a railroad's line."""
CASING_EDGE: Final = 0.22
"""Light edge on each side of a line, so that crossings read as over and under."""
LANE: Final = 1.35
"""Distance between the middles of parallel lines."""
CLEARANCE: Final = 0.5
"""Room to keep between lines of different bundles, and between a line and a strange milepost."""
HIT: Final = 2.2
"""Width of the invisible line by which a segment is hit or lit up."""

CITY_TEXT: Final = 4.0
DOT_TEXT: Final = 2.0
"""Font sizes of names."""
HALO: Final = {CITY_TEXT: 0.9, DOT_TEXT: 0.6}
"""Font size -> width of the light stroke below a name."""
