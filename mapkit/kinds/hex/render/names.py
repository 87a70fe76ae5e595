"""Names of cities in their hexagons."""

from mapkit.drawing.fit import Fitted, Room, fit_text, points_to_mm


def fit_city_name(name: str, size_mm: float) -> Fitted:
    """Fit the name of a city into a hexagon.

    Args:
        name: The name.
        size_mm: From one flat side of a hexagon to the other.
    """
    unit = size_mm / 22.0
    return fit_text(name, Room(size_mm * 0.95, 8.0 * unit, 2), points_to_mm(8.5) * max(0.7, unit), bold=True)
