"""Reports of imports: contents of the files and files written."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.georeference import DrawingExtent


class ImportedKey(Frozen):
    """Key in a file: its number of lines, and their railroad; None while the railroad is unknown."""

    key: str
    lines: int
    railroad: str | None


class ImportedFile(Frozen):
    """Content of a file; `miles` is None for a drawing in pixels, which has an `extent` instead."""

    file: str
    pixels: bool
    invented: bool = Field(
        default=False, exclude_if=lambda invented: not invented, description="Of a land that is invented, on its plane"
    )
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
    """All files, railroads added, notes on placing, and files written.

    `by_rule` counts the board's mileposts that no drawing has a point for.
    """

    files: tuple[ImportedFile, ...]
    new_railroads: tuple[str, ...] = ()
    by_rule: int = 0
    suggested_gap_mi: int | None = Field(
        default=None, description="Gap of mileposts, miles, where the board has none and the files have no points"
    )
    notes: tuple[str, ...] = ()
    is_step: bool = Field(default=False, description="Whether it is a step of the board, which undo takes back")
    undo_obstacle: str = Field(default="", description="Why it is not, where there was a board before")
    written: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """Return 1 if a key names no railroad of the board."""
        return int(any(file.problems for file in self.files))


class MovedMilepost(Frozen):
    """Milepost moved by placing again, and its distance."""

    name: str
    miles: float


class PlacingReport(Frozen):
    """Changes by placing the drawings again: mileposts by name, lines as `railroad: line`, and files written."""

    drawings: tuple[str, ...]
    moved: tuple[MovedMilepost, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    lines_changed: tuple[str, ...] = ()
    lines_added: tuple[str, ...] = ()
    lines_removed: tuple[str, ...] = ()
    by_rule: int = 0
    notes: tuple[str, ...] = ()
    is_step: bool = Field(default=False, description="Whether it is a step of the board, which undo takes back")
    undo_obstacle: str = Field(default="", description="Why it is not, where there was a board before")
    written: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Return whether anything changes."""
        changed_lines = self.lines_changed or self.lines_added or self.lines_removed
        return bool(self.moved or self.added or self.removed or changed_lines)


class CityFound(Frozen):
    """City of a map and its place; `miles` is the error of an affine map of all cities at this one."""

    name: str
    place: str
    lon: float
    lat: float
    miles: float


class BoardImportReport(Frozen):
    """Content of a board of another program, its position on the earth, and the files written."""

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
    is_step: bool = Field(default=False, description="Whether it is a step of the board, which undo takes back")
    undo_obstacle: str = Field(default="", description="Why it is not, where there was a board before")
    written: tuple[str, ...] = ()
