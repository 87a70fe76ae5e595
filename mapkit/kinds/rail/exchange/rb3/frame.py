"""Where the map units of an RB3 file lie on the earth.

RB3 has no coordinates. The section `[info]` is free text, so the frame stands there, as lines that people can read too;
a board that was made from such a file keeps it as its extension `rb3`. Written again, the file is the same.
"""

import re
from collections.abc import Sequence
from typing import Final, Self

import numpy as np
from pydantic import Field, ValidationError

from mapkit.core import heavy
from mapkit.core.base import Frozen, JsonObject, Point
from mapkit.core.errors import ExportError
from mapkit.core.invalid import fault
from mapkit.geography.page_map import transformer
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.exchange.rb3.model import RATIO, RB3File
from mapkit.kinds.rail.exchange.rb3.text import number, number_text
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.trace.georeferencing.plane_maps import Array

EXTENSION: Final = "rb3"
"""The name of the extension of a board that holds the frame of the file that it came from."""

WIDTH: Final = 600
"""Map units across the page, as much as a published map has."""

_HEAD: Final = "Where the map lies: the projection (PROJ), easting and northing of 0,0 in metres, metres across a unit"
_DECIMALS = 5
_INFO = re.compile(r"(projection|origin|unit)=(.*)")
_MOST = 1e9


class RB3Frame(Frozen):
    """The window of a map: `east = left + unit * x`, `north = top - unit * RATIO * y`, in metres of the projection.

    Attributes:
        projection: A CRS, for PROJ.
        left: Easting of map unit 0.
        top: Northing of map unit 0.
        unit: Metres of a unit across.
        width: Units across.
        height: Units down.
    """

    projection: str = Field(min_length=1, max_length=10_000)
    left: float = Field(ge=-_MOST, le=_MOST)
    top: float = Field(ge=-_MOST, le=_MOST)
    unit: float = Field(gt=0, le=_MOST)
    width: float = Field(gt=0, le=1e6)
    height: float = Field(gt=0, le=1e6)

    @classmethod
    def of_page(cls, board: Board) -> Self:
        """Return the frame of a board's page."""
        by = board.projection
        unit = float(f"{board.page.width / WIDTH / by.scale_mm_per_m:.6g}")
        return cls(
            projection=" ".join(by.crs.split()),
            left=round(-by.offset_x_mm / by.scale_mm_per_m),
            top=round(by.offset_y_mm / by.scale_mm_per_m),
            unit=unit,
            width=WIDTH,
            height=round(WIDTH * board.page.height / board.page.width / RATIO, 3),
        )

    @classmethod
    def of_board(cls, board: Board) -> Self:
        """Return the frame of the file that a board was made from, if all of it is still inside; or that of its page.

        Raises:
            ExportError: The board's extension `rb3` is not a frame.
        """
        given = board.extensions.get(EXTENSION)
        if given is None:
            return cls.of_page(board)
        try:
            frame = cls.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, ("extensions", EXTENSION, *first["loc"])))
            raise ExportError(f"RB3: {where}: {fault(first)}, or remove extensions.{EXTENSION}") from error
        if not frame.usable():
            raise ExportError(
                f"RB3: extensions.{EXTENSION}.projection is {frame.projection[:60]!r}, which PROJ does not know; "
                f"correct it, or remove extensions.{EXTENSION}"
            )
        at = frame.to_units([(m.lon, m.lat) for m in board.mileposts]) if board.mileposts else np.zeros((0, 2))
        inside = (at >= 0).all() and (at <= (frame.width, frame.height)).all()
        return frame if inside else cls.of_page(board)

    @classmethod
    def of_file(cls, rb3: RB3File) -> Self | None:
        """Return the frame that a file states, None if it states none that is of use."""
        lines = next((raw.lines for raw in rb3.other if raw.name == "info"), ())
        said = {found[1]: found[2].strip() for line in lines if (found := _INFO.fullmatch(line.strip()))}
        left, _, top = said.get("origin", "").partition(",")
        values = [number(text.strip()) for text in (left, top, said.get("unit", ""))]
        window = [number(rb3.head(key)) for key in ("scalew", "scaleh")]
        try:
            names = ("left", "top", "unit", "width", "height")
            given = dict(zip(names, (*values, *window), strict=True))
            frame = cls.model_validate({"projection": said.get("projection", ""), **given})
        except ValidationError:
            return None
        return frame if frame.usable() else None

    def usable(self) -> bool:
        """Return whether PROJ knows the projection, there and back."""
        try:
            corners = self.to_degrees([(0.0, 0.0), (self.width / 2, self.height / 2)])
        except heavy.pyproj.exceptions.ProjError:
            return False
        return all(np.isfinite(corners[-1]))

    def info(self) -> tuple[str, ...]:
        """Return the frame as lines of `[info]`."""
        origin = f"{number_text(self.left)},{number_text(self.top)}"
        return (_HEAD, f"projection={self.projection}", f"origin={origin}", f"unit={number_text(self.unit)}")

    def extension(self) -> JsonObject:
        """Return the frame as a board keeps it."""
        return self.model_dump(mode="json")

    def plane(self) -> Projection:
        """Return the projection to a page whose millimetres are map units across, y stretched to be as long."""
        return Projection(
            name="crs",
            crs=self.projection,
            scale_mm_per_m=1 / self.unit,
            offset_x_mm=-self.left / self.unit,
            offset_y_mm=self.top / self.unit,
        )

    def to_units(self, lonlat: Sequence[Point]) -> Array:
        """Return places in map units, shape (n, 2)."""
        lon, lat = np.array(lonlat, dtype=np.float64).T
        east, north = transformer(self.projection).transform(lon, lat)
        return np.column_stack(
            ((np.asarray(east) - self.left) / self.unit, (self.top - np.asarray(north)) / self.unit / RATIO)
        )

    def to_degrees(self, places: Sequence[Point]) -> list[Point]:
        """Return `(lon, lat)` of places in map units; what has none is not finite."""
        x, y = np.array(places, dtype=np.float64).T
        east, north = self.left + self.unit * x, self.top - self.unit * RATIO * y
        lon, lat = transformer(self.projection).transform(east, north, direction="INVERSE")
        return [
            (round(float(a), _DECIMALS), round(float(b), _DECIMALS))
            for a, b in zip(np.asarray(lon), np.asarray(lat), strict=True)
        ]
