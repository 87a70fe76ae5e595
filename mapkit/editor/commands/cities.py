"""Commands of cities."""

from typing import Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, Draft, command


@command("cities")
class MoveCity(Command):
    """Move a city, degrees (EPSG:4326)."""

    kind: Literal["move-city"] = "move-city"
    id: str
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("cities", self.id, "city")
        draft.update("cities", self.id, lon=round(self.lon, 5), lat=round(self.lat, 5))
        return f"Move {getattr(draft.table('cities')[self.id], 'name', self.id)}"
