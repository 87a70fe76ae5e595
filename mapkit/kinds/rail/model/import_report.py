"""What importing files found and wrote."""

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.georeference import DrawingExtent


class ImportedKey(Frozen):
    """A key of a file: how many lines have it, and the railroad that they are of; None while it is not known."""

    key: str
    lines: int
    railroad: str | None


class ImportedFile(Frozen):
    """What a file holds; `miles` is None for a drawing in pixels, which has an `extent` instead."""

    file: str
    pixels: bool
    lines: int
    vertices: int
    miles: float | None
    points: int
    named_points: int
    columns: tuple[str, ...]
    keys: tuple[ImportedKey, ...]
    notes: tuple[str, ...]
    problems: tuple[str, ...] = ()
    extent: DrawingExtent | None = None


class ImportReport(Frozen):
    """All files, the railroads that were added, what placing had to say, and the files that were written.

    `by_rule` counts the board's mileposts that no drawing has a point for.
    """

    files: tuple[ImportedFile, ...]
    new_railroads: tuple[str, ...] = ()
    by_rule: int = 0
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


class MovedMilepost(Frozen):
    """A milepost that placing again moves, and how far."""

    name: str
    miles: float


class PlacingReport(Frozen):
    """What placing the drawings again changes: mileposts by name, lines as `railroad: line`, and the files written."""

    drawings: tuple[str, ...]
    moved: tuple[MovedMilepost, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    lines_changed: tuple[str, ...] = ()
    lines_added: tuple[str, ...] = ()
    lines_removed: tuple[str, ...] = ()
    by_rule: int = 0
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Return whether anything comes out otherwise than it is."""
        lines = self.lines_changed or self.lines_added or self.lines_removed
        return bool(self.moved or self.added or self.removed or lines)


class CityFound(Frozen):
    """A city of a map and the place that it was taken for; `miles` is how far an affine map of all misses it."""

    name: str
    place: str
    lon: float
    lat: float
    miles: float


class BoardImportReport(Frozen):
    """What a whole board of another program holds, how it lies on the earth, and the files that were written."""

    file: str
    title: str
    regions: int
    cities: int
    railroads: int
    dots: int
    steps: int
    countries: tuple[str, ...]
    found: tuple[CityFound, ...] = ()
    missing: tuple[str, ...] = ()
    rms_miles: float | None = None
    left_out_rms_miles: float | None = None
    warnings: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
