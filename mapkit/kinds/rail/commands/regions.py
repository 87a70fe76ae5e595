"""Commands of regions and their cities."""

from typing import Annotated, Literal

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.core.names import fold, slug
from mapkit.core.plurals import count_noun
from mapkit.document.command import Makes
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.chart_solving import empty_cells
from mapkit.kinds.rail.commands.cities import move_to_region
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.destinations import start_chart
from mapkit.kinds.rail.commands.fields import Name, RegionId, Short, has_files, need_region, refuse_unexpected
from mapkit.kinds.rail.commands.findings import drop_accepted
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.tables import City, Declared, Region, Wanted, wanted_key


def refuse_taken_region(draft: Draft, ident: str, name: str) -> None:
    """Refuse a name or id of another region.

    Raises:
        CommandError: Choose another.
    """
    if ident == REGIONS:
        raise CommandError(f"{ident!r} is the id of the region chart; choose another")
    if not has_files(draft):
        return
    if not slug(name) or fold(name) == REGIONS:
        raise CommandError(f"{name!r} is not a name for a region; choose another")
    for other_id, other_region in draft.rows("regions", Region).items():
        if other_id != ident and {fold(name), fold(ident)} & {fold(other_id), fold(other_region.name)}:
            raise CommandError(f"there is a region {other_region.name!r} already; choose another name")


class RegionFields(Frozen):
    """Fields of a region; a field that is not given stays."""

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
        """Add the region, and an empty chart if charts are typed."""
        region_id = self.id or slug(self.name)
        if region_id in draft.table("regions"):
            raise CommandError(f"there is a region {region_id!r} already; choose another id")
        refuse_taken_region(draft, region_id, self.name)
        rank = last_rank(draft.table("regions"))
        draft.put("regions", region_id, Region(name=self.name, short=self.short, colour=self.colour, rank=rank))
        if draft.table("destinations"):
            with draft.unstamped():
                start_chart(draft, region_id)
        return f"Add region {self.name}"


@command("regions")
class EditRegion(Command):
    """Change the given fields of a region: name, short name or colour."""

    kind: Literal["edit-region"] = "edit-region"
    id: RegionId
    name: Name | None = None
    short: Short | None = None
    colour: Colour | None = None
    was: RegionFields = RegionFields()

    def edit(self, draft: Draft) -> str:
        """Set the given fields, and rename the region in targets of charts."""
        edited_region = need_region(draft, self.id)
        refuse_unexpected(edited_region, self.was, f"region {self.id!r}")
        new_values = self.model_dump(include={*RegionFields.model_fields}, exclude_none=True)
        if self.name is not None:
            refuse_taken_region(draft, self.id, self.name)
            for key, wish in list(draft.rows("wanted", Wanted).items()):
                renamed_fields = {"name": self.name} if fold(wish.name) == fold(edited_region.name) else {}
                renamed_fields |= {"chart": self.name} if fold(wish.chart) == fold(edited_region.name) else {}
                if renamed_fields:
                    draft.drop("wanted", key)
                    renamed_wish = wish.model_copy(update=renamed_fields)
                    draft.put("wanted", wanted_key(renamed_wish.chart, renamed_wish.name), renamed_wish)
        draft.update("regions", self.id, **new_values)
        if list(new_values) == ["name"]:
            return f"Rename region {edited_region.name} to {self.name}"
        return f"Change {', '.join(new_values) or 'nothing'} of {edited_region.name}"


@command("regions")
class DeleteRegion(Command):
    """Delete a region and its chart; its cities go to another region, if one is given."""

    kind: Literal["delete-region"] = "delete-region"
    id: RegionId
    move_to: RegionId | None = None

    def edit(self, draft: Draft) -> str:
        """Move the region's cities, and drop the region with its charts."""
        region_title = need_region(draft, self.id).name
        if len(draft.table("regions")) == 1:
            raise CommandError("a board needs at least one region; add another first")
        own_cities = sorted(key for key, city in draft.rows("cities", City).items() if city.region == self.id)
        if own_cities and self.move_to is None:
            raise CommandError(
                f"{count_noun(len(own_cities), 'city lies', 'cities lie')} in {region_title}; say which region they go "
                f"to with `move_to`: {', '.join(own_cities)}"
            )
        if self.move_to is not None:
            need_region(draft, self.move_to)
            if self.move_to == self.id:
                raise CommandError("cities cannot go to the region that is deleted; choose another")
            for key in own_cities:
                move_to_region(draft, key, self.move_to)
        draft.rely("destinations", self.id)
        draft.rely("destinations", REGIONS)
        drop_region(draft, self.id, region_title)
        drop_accepted(draft, self.id)
        return f"Delete region {region_title}" + (
            f", {count_noun(len(own_cities), 'city', 'cities')} moved" if own_cities else ""
        )


def drop_region(draft: Draft, ident: str, name: str) -> None:
    """Drop a region with its chart, and its cells, odds and targets in others."""
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
