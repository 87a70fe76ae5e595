"""Commands of regions, and which cities they hold."""

from typing import Annotated, Literal

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.core.names import fold, slug
from mapkit.core.plurals import counted
from mapkit.document.command import Makes
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.chart_solving import empty_cells
from mapkit.kinds.rail.commands.cities import move_to_region
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.destinations import start_chart
from mapkit.kinds.rail.commands.fields import Name, RegionId, Short, has_files, region
from mapkit.kinds.rail.commands.findings import drop_accepted
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.tables import City, Declared, Region, Wanted, wanted_key


def refuse_taken_region(draft: Draft, ident: str, name: str) -> None:
    """Refuse a name or id that another region has.

    Raises:
        CommandError: Choose another.
    """
    if ident == REGIONS:
        raise CommandError(f"{ident!r} is the id of the region chart; choose another")
    if not has_files(draft):
        return
    if not slug(name) or fold(name) == REGIONS:
        raise CommandError(f"{name!r} is not a name for a region; choose another")
    for other, row in draft.rows("regions", Region).items():
        if other != ident and {fold(name), fold(ident)} & {fold(other), fold(row.name)}:
            raise CommandError(f"there is a region {row.name!r} already; choose another name")


class RegionFields(Frozen):
    """Fields of a region; what is not given stays."""

    name: Name | None = None
    short: Short | None = None
    colour: Colour | None = None


@command("regions")
class AddRegion(Command):
    """Add a region, last in order; where charts are typed it gets an empty one."""

    kind: Literal["add-region"] = "add-region"
    id: Annotated[Slug | None, Makes("region")] = None
    name: Name
    short: Short
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
            with draft.unstamped():
                start_chart(draft, ident)
        return f"Add region {self.name}"


@command("regions")
class EditRegion(Command):
    """Change what is given of a region: name, short name or colour."""

    kind: Literal["edit-region"] = "edit-region"
    id: RegionId
    name: Name | None = None
    short: Short | None = None
    colour: Colour | None = None
    was: RegionFields = RegionFields()

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = region(draft, self.id)
        for name, was in self.was.model_dump(exclude_none=True).items():
            if getattr(found, name) != was:
                raise CommandError(
                    f"{name} of region {self.id!r} is {getattr(found, name)!r}, not {was!r}; correct `was`"
                )
        values = self.model_dump(include={*RegionFields.model_fields}, exclude_none=True)
        if self.name is not None:
            refuse_taken_region(draft, self.id, self.name)
            for key, wish in list(draft.rows("wanted", Wanted).items()):
                own = {"name": self.name} if fold(wish.name) == fold(found.name) else {}
                own |= {"chart": self.name} if fold(wish.chart) == fold(found.name) else {}
                if own:
                    draft.drop("wanted", key)
                    changed = wish.model_copy(update=own)
                    draft.put("wanted", wanted_key(changed.chart, changed.name), changed)
        draft.update("regions", self.id, **values)
        if list(values) == ["name"]:
            return f"Rename region {found.name} to {self.name}"
        return f"Change {', '.join(values) or 'nothing'} of {found.name}"


@command("regions")
class DeleteRegion(Command):
    """Delete a region and its chart; its cities go to another region, if one is given."""

    kind: Literal["delete-region"] = "delete-region"
    id: RegionId
    move_to: RegionId | None = None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        name = region(draft, self.id).name
        if len(draft.table("regions")) == 1:
            raise CommandError("a board needs at least one region; add another first")
        own = sorted(key for key, city in draft.rows("cities", City).items() if city.region == self.id)
        if own and self.move_to is None:
            raise CommandError(
                f"{counted(len(own), 'city lies', 'cities lie')} in {name}; say which region they go to with "
                f"`move_to`: {', '.join(own)}"
            )
        if self.move_to is not None:
            region(draft, self.move_to)
            if self.move_to == self.id:
                raise CommandError("cities cannot go to the region that is deleted; choose another")
            for key in own:
                move_to_region(draft, key, self.move_to)
        draft.rely("destinations", self.id)
        draft.rely("destinations", REGIONS)
        drop_region(draft, self.id, name)
        drop_accepted(draft, self.id)
        return f"Delete region {name}" + (f", {counted(len(own), 'city', 'cities')} moved" if own else "")


def drop_region(draft: Draft, ident: str, name: str) -> None:
    """Drop a region with its chart, and its cells, odds and wishes in others."""
    draft.drop("regions", ident)
    draft.drop("settings", f"spacing.regions.{ident}")
    for key in [key for key in draft.table("destinations") if key.startswith(f"{ident}/")]:
        draft.drop("destinations", key)
    for key, row in list(draft.rows("declared", Declared).items()):
        if row.chart == ident:
            draft.drop("declared", key)
        elif row.chart == REGIONS and row.item == ident:
            with draft.unstamped():
                draft.drop("declared", key)
    empty_cells(draft, REGIONS, ident)
    for key, wish in list(draft.rows("wanted", Wanted).items()):
        if {fold(name), fold(ident)} & {fold(wish.chart), fold(wish.name)}:
            draft.drop("wanted", key)
