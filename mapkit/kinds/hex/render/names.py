"""Names of cities in their hexagons."""

from mapkit.drawing.fit import Fitted, Room, fit_text, points_to_mm
from mapkit.drawing.text_width import SANS, Family


def fit_city_name(name: str, size_mm: float, family: Family = SANS) -> Fitted:
    """Fit the name of a city into a hexagon.

    Args:
        name: The name.
        size_mm: From one flat side of a hexagon to the other.
        family: The theme's type family.
    """
    unit = size_mm / 22.0
    room = Room(size_mm * 0.95, 8.0 * unit, 2)
    return fit_text(name, room, points_to_mm(8.5) * max(0.7, unit), bold=True, family=family)
