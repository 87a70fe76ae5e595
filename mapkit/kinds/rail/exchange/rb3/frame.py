"""Georeference of an RB3 file: the projection, origin and unit of its map units.

RB3 has no coordinates. mapkit writes the frame as readable lines into the free text of the section `[info]`. A board
that was made from such a file keeps the frame as its extension `rb3`, so that exporting it gives the same file.
"""

import re
from collections.abc import Sequence
from typing import Final, Self

import numpy as np
from pydantic import Field, ValidationError

from mapkit.core import heavy
from mapkit.core.base import Frozen, JsonObject, Point
from mapkit.core.errors import ExportError
from mapkit.core.invalid import value_cure
from mapkit.geography.page_map import transformer
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.exchange.rb3.model import RATIO, RB3File
from mapkit.kinds.rail.exchange.rb3.text import number_text, parse_number
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.trace.georeferencing.plane_maps import Array

EXTENSION: Final = "rb3"
"""Name of the board extension with the frame of the imported file."""

WIDTH: Final = 600
"""Map units across the page, as in a published map."""

_INFO_TITLE: Final = (
    "Where the map lies: the projection (PROJ), easting and northing of 0,0 in metres, metres across a unit"
)
_DEGREE_DECIMALS = 5
_INFO_LINE = re.compile(r"(projection|origin|unit)=(.*)")
_MAX_METRES = 1e9


class RB3Frame(Frozen):
    """Window of a map: `east = left + unit * x`, `north = top - unit * RATIO * y`, in metres of the projection.

    Attributes:
        projection: A CRS, for PROJ.
        left: Easting of map unit 0.
        top: Northing of map unit 0.
        unit: Metres of a unit across.
        width: Units across.
        height: Units down.
    """

    projection: str = Field(min_length=1, max_length=10_000)
    left: float = Field(ge=-_MAX_METRES, le=_MAX_METRES)
    top: float = Field(ge=-_MAX_METRES, le=_MAX_METRES)
    unit: float = Field(gt=0, le=_MAX_METRES)
    width: float = Field(gt=0, le=1e6)
    height: float = Field(gt=0, le=1e6)

    @classmethod
    def of_page(cls, board: Board) -> Self:
        """Return the frame of a board's page."""
        board_projection = board.projection
        unit_m = float(f"{board.page.width / WIDTH / board_projection.scale_mm_per_m:.6g}")
        return cls(
            projection=" ".join(board_projection.crs.split()),
            left=round(-board_projection.offset_x_mm / board_projection.scale_mm_per_m),
            top=round(board_projection.offset_y_mm / board_projection.scale_mm_per_m),
            unit=unit_m,
            width=WIDTH,
            height=round(WIDTH * board.page.height / board.page.width / RATIO, 3),
        )

    @classmethod
    def of_board(cls, board: Board) -> Self:
        """Return the frame of the file that a board was made from if all mileposts are inside; else of its page.

        Raises:
            ExportError: The board's extension `rb3` is not a frame.
        """
        extension_data = board.extensions.get(EXTENSION)
        if extension_data is None:
            return cls.of_page(board)
        try:
            frame = cls.model_validate(extension_data)
        except ValidationError as error:
            first_error = error.errors()[0]
            where = ".".join(map(str, ("extensions", EXTENSION, *first_error["loc"])))
            raise ExportError(f"RB3: {where}: {value_cure(first_error)}, or remove extensions.{EXTENSION}") from error
        if not frame.is_usable():
            raise ExportError(
                f"RB3: extensions.{EXTENSION}.projection is {frame.projection[:60]!r}, which PROJ does not know; "
                f"correct it, or remove extensions.{EXTENSION}"
            )
        milepost_units = (
            frame.to_units([(m.lon, m.lat) for m in board.mileposts]) if board.mileposts else np.zeros((0, 2))
        )
        is_inside = (milepost_units >= 0).all() and (milepost_units <= (frame.width, frame.height)).all()
        return frame if is_inside else cls.of_page(board)

    @classmethod
    def of_file(cls, rb3: RB3File) -> Self | None:
        """Return the frame that a file states; None without a valid one."""
        info_lines = next((raw.lines for raw in rb3.other if raw.name == "info"), ())
        info_values = {
            info_match[1]: info_match[2].strip()
            for line in info_lines
            if (info_match := _INFO_LINE.fullmatch(line.strip()))
        }
        left_text, _, top_text = info_values.get("origin", "").partition(",")
        frame_numbers = [
            parse_number(number_field.strip()) for number_field in (left_text, top_text, info_values.get("unit", ""))
        ]
        window_size = [parse_number(rb3.head(header_key)) for header_key in ("scalew", "scaleh")]
        try:
            field_names = ("left", "top", "unit", "width", "height")
            field_values = dict(zip(field_names, (*frame_numbers, *window_size), strict=True))
            frame = cls.model_validate({"projection": info_values.get("projection", ""), **field_values})
        except ValidationError:
            return None
        return frame if frame.is_usable() else None

    def is_usable(self) -> bool:
        """Return whether PROJ can transform points to the projection and back."""
        try:
            corners = self.to_degrees([(0.0, 0.0), (self.width / 2, self.height / 2)])
        except heavy.pyproj.exceptions.ProjError:
            return False
        return all(np.isfinite(corners[-1]))

    def info(self) -> tuple[str, ...]:
        """Return the frame as lines of `[info]`."""
        origin_text = f"{number_text(self.left)},{number_text(self.top)}"
        return (_INFO_TITLE, f"projection={self.projection}", f"origin={origin_text}", f"unit={number_text(self.unit)}")

    def extension(self) -> JsonObject:
        """Return the frame in the form of a board extension."""
        return self.model_dump(mode="json")

    def plane(self) -> Projection:
        """Return the projection to a page with one millimetre per map unit across and y stretched to the same scale."""
        return Projection(
            name="crs",
            crs=self.projection,
            scale_mm_per_m=1 / self.unit,
            offset_x_mm=-self.left / self.unit,
            offset_y_mm=self.top / self.unit,
        )

    def to_units(self, lonlat: Sequence[Point]) -> Array:
        """Return places in map units, shape (n, 2)."""
        longitudes, latitudes = np.array(lonlat, dtype=np.float64).T
        eastings, northings = transformer(self.projection).transform(longitudes, latitudes)
        return np.column_stack(
            ((np.asarray(eastings) - self.left) / self.unit, (self.top - np.asarray(northings)) / self.unit / RATIO)
        )

    def to_degrees(self, places: Sequence[Point]) -> list[Point]:
        """Return `(lon, lat)` of places in map units, not finite outside the projection."""
        unit_x, unit_y = np.array(places, dtype=np.float64).T
        eastings, northings = self.left + self.unit * unit_x, self.top - self.unit * RATIO * unit_y
        longitudes, latitudes = transformer(self.projection).transform(eastings, northings, direction="INVERSE")
        return [
            (round(float(a), _DEGREE_DECIMALS), round(float(b), _DEGREE_DECIMALS))
            for a, b in zip(np.asarray(longitudes), np.asarray(latitudes), strict=True)
        ]
