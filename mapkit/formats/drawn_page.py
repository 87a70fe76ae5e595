"""Page of a drawing."""

from mapkit.core.base import Frozen


class DrawnPage(Frozen):
    """Page of a drawing in its own units, y downward: upper left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height
