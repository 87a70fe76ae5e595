"""Commands of regions, and which cities they hold."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Colour, Slug
from mapkit.core.names import fold, slug
from mapkit.core.plurals import counted
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.cities import move_to_region
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.destinations import start_chart
from mapkit.kinds.rail.commands.findings import drop_accepted
from mapkit.kinds.rail.commands.naming import city_name, region_name
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.tables import Cell, City, Declared, Region, Wanted, wanted_key


def refuse_taken_region(draft: Draft, ident: str, name: str) -> None:
    """Refuse a name or id that another region has.

    Raises:
        CommandError: Choose another.
    """
    if not slug(name) or fold(name) == REGIONS or ident == REGIONS:
        raise CommandError(f"{name!r} is not a name for a region; choose another")
    for other, region in draft.rows("regions", Region).items():
        if other != ident and {fold(name), fold(ident)} & {fold(other), fold(region.name)}:
            raise CommandError(f"there is a region {region.name!r} already; choose another name")


@command("regions")
class AddRegion(Command):
    """Add a region; where charts are typed it gets an empty one."""

    kind: Literal["add-region"] = "add-region"
    id: Slug | None = None
    name: str = Field(min_length=1, max_length=200)
    short: str = Field(min_length=1, max_length=6)
    colour: Colour = "#dddddd"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        ident = self.id or slug(self.name)
        if ident in draft.table("regions"):
            raise CommandError(f"there is a region {ident!r} already; choose another id")
        refuse_taken_region(draft, ident, self.name)
        rank = last_rank(draft.table("regions"))
        draft.put("regions", ident, Region(name=self.name, short=self.short, colour=self.colour, rank=rank))
        if draft.table("destinations"):
            start_chart(draft, ident)
        return f"Add region {self.name}"


@command("regions")
class EditRegion(Command):
    """Change what is given of a region."""

    kind: Literal["edit-region"] = "edit-region"
    id: str
    name: str | None = Field(default=None, min_length=1, max_length=200)
    short: str | None = Field(default=None, min_length=1, max_length=6)
    colour: Colour | None = None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        before = region_name(draft, self.id)
        draft.need("regions", self.id, "region")
        values = self.model_dump(exclude={"kind", "reason", "id"}, exclude_none=True)
        if self.name is not None:
            refuse_taken_region(draft, self.id, self.name)
            for key, wish in list(draft.rows("wanted", Wanted).items()):
                own = {"name": self.name} if fold(wish.name) == fold(before) else {}
                own |= {"chart": self.name} if fold(wish.chart) == fold(before) else {}
                if own:
                    draft.drop("wanted", key)
                    changed = wish.model_copy(update=own)
                    draft.put("wanted", wanted_key(changed.chart, changed.name), changed)
        draft.update("regions", self.id, **values)
        if list(values) == ["name"]:
            return f"Rename region {before} to {self.name}"
        return f"Change {', '.join(values) or 'nothing'} of {before}"


@command("regions")
class DeleteRegion(Command):
    """Delete a region and its chart; its cities go to another region, if one is given."""

    kind: Literal["delete-region"] = "delete-region"
    id: str
    move_to: str | None = None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("regions", self.id, "region")
        name = region_name(draft, self.id)
        if len(draft.table("regions")) == 1:
            raise CommandError("a board needs at least one region; add another first")
        own = [key for key, city in draft.rows("cities", City).items() if city.region == self.id]
        if own and self.move_to is None:
            raise CommandError(f"{counted(len(own), 'city lies', 'cities lie')} in {name}; say which region they go to")
        if self.move_to is not None:
            draft.need("regions", self.move_to, "region")
            if self.move_to == self.id:
                raise CommandError("cities cannot go to the region that is deleted; choose another")
            for key in own:
                move_to_region(draft, key, self.move_to)
        _leave_charts(draft, self.id, name)
        draft.drop("settings", f"spacing.regions.{self.id}")
        draft.drop("regions", self.id)
        drop_accepted(draft, self.id)
        return f"Delete region {name}" + (f", {counted(len(own), 'city', 'cities')} moved" if own else "")


def _leave_charts(draft: Draft, ident: str, name: str) -> None:
    """Drop a region's chart, and its cells, odds and wishes in others."""
    for key, cell in list(draft.rows("destinations", Cell).items()):
        chart = key.split("/")[0]
        if chart == ident:
            draft.drop("destinations", key)
        elif chart == REGIONS and cell.item == ident:
            draft.put("destinations", key, Cell(item=None))
    for key, row in list(draft.rows("declared", Declared).items()):
        if ident == row.chart or (row.chart == REGIONS and row.item == ident):
            draft.drop("declared", key)
    for key, wish in list(draft.rows("wanted", Wanted).items()):
        if {fold(name), fold(ident)} & {fold(wish.chart), fold(wish.name)}:
            draft.drop("wanted", key)


@command("regions")
class SetRegionOfCities(Command):
    """Put cities in a region, such as those inside a lasso."""

    kind: Literal["set-region-of-cities"] = "set-region-of-cities"
    cities: tuple[str, ...] = Field(min_length=1)
    region: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("regions", self.region, "region")
        for ident in self.cities:
            draft.need("cities", ident, "city")
            move_to_region(draft, ident, self.region)
        what = (
            city_name(draft, self.cities[0]) if len(self.cities) == 1 else counted(len(self.cities), "city", "cities")
        )
        return f"Move {what} to {region_name(draft, self.region)}"
