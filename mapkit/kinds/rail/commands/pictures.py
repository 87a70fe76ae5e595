"""Commands of control points: pixels of a picture with their positions."""

from typing import Literal

from pydantic import Field

from mapkit.core.errors import PlaceError
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.editing.place_names import find_place
from mapkit.kinds.rail.model.source import LAST_PIXEL
from mapkit.kinds.rail.tables import ControlPoint, control_point_key


@command("pictures")
class PutControlPoint(Command):
    """Add a control point, or replace one: a pixel, y downward, and degrees (EPSG:4326) or a place's name."""

    kind: Literal["put-control-point"] = "put-control-point"
    key: str | None = Field(default=None, description="The point that this replaces")
    x: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    y: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    lon: float | None = Field(default=None, ge=-180, le=180)
    lat: float | None = Field(default=None, ge=-90, le=90)
    city: str = Field(default="", max_length=200)
    note: str = Field(default="", max_length=200)

    def edit(self, draft: Draft) -> str:
        """Set the control point, and drop the one that it replaces."""
        has_position = self.lon is not None and self.lat is not None
        if has_position == bool(self.city) or (self.lon is None) != (self.lat is None):
            raise CommandError("a control point has lon and lat, or a city; give one of the two")
        if self.city:
            try:
                find_place(draft.document, self.city)
            except PlaceError as error:
                raise CommandError(str(error)) from error
        rank = last_rank(draft.table("control_points"))
        if self.key is not None:
            rank = draft.need("control_points", self.key, "control point").rank
            draft.drop("control_points", self.key)
        point_key = control_point_key(self.x, self.y)
        if point_key in draft.table("control_points"):
            raise CommandError("there is a control point at this pixel already; move or delete that one")
        draft.put(
            "control_points", point_key, ControlPoint(**self.model_dump(exclude={"kind", "reason", "key"}), rank=rank)
        )
        return f"{'Add' if self.key is None else 'Move'} control point {self.city or self.note or point_key}"


@command("pictures")
class DeleteControlPoint(Command):
    """Delete a control point."""

    kind: Literal["delete-control-point"] = "delete-control-point"
    key: str

    def edit(self, draft: Draft) -> str:
        """Drop the control point."""
        draft.need("control_points", self.key, "control point")
        draft.drop("control_points", self.key)
        return f"Delete control point {self.key}"
