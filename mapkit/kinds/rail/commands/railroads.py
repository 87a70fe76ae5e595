"""Commands of railroads."""

from typing import Literal

from pydantic import Field, JsonValue

from mapkit.core.base import Colour, Slug
from mapkit.core.names import fold
from mapkit.core.plurals import counted
from mapkit.document.document import Setting, last_rank
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.findings import drop_accepted
from mapkit.kinds.rail.commands.stops import drop_unused_places
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.tables import Line, Railroad


def refuse_taken(draft: Draft, ident: str, name: str, short: str) -> None:
    """Refuse a name, id or reporting mark that another railroad has.

    Raises:
        CommandError: It is taken.
    """
    for other, railroad in draft.rows("railroads", Railroad).items():
        if other == ident:
            continue
        own = {fold(key) for key in (other, railroad.name, railroad.short)}
        for what, text in (("id", ident), ("name", name), ("reporting mark", short)):
            if fold(text) in own:
                raise CommandError(f"{what} {text!r} is {railroad.name}'s already; choose another")


@command("railroads")
class AddRailroad(Command):
    """Add a railroad; `price` in whole currency units."""

    kind: Literal["add-railroad"] = "add-railroad"
    id: Slug
    name: str = Field(min_length=1, max_length=200)
    short: str = Field(min_length=1, max_length=40)
    price: int = Field(default=0, ge=0, le=10_000_000)
    public: bool = False
    colour: Colour = "#444444"
    pattern: Pattern = "solid"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        if self.id in draft.table("railroads"):
            raise CommandError(f"there is a railroad {self.id!r} already; choose another id")
        refuse_taken(draft, self.id, self.name, self.short)
        rank = last_rank(draft.table("railroads"))
        draft.put("railroads", self.id, Railroad(**self.model_dump(exclude={"kind", "reason", "id"}), rank=rank))
        return f"Add railroad {self.short}"


@command("railroads")
class EditRailroad(Command):
    """Change what is given of a railroad."""

    kind: Literal["edit-railroad"] = "edit-railroad"
    id: str
    name: str | None = Field(default=None, min_length=1, max_length=200)
    short: str | None = Field(default=None, min_length=1, max_length=40)
    price: int | None = Field(default=None, ge=0, le=10_000_000)
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("railroads", self.id, "railroad")
        before = draft.rows("railroads", Railroad)[self.id]
        values = self.model_dump(exclude={"kind", "reason", "id"}, exclude_none=True)
        draft.update("railroads", self.id, **values)
        after = draft.rows("railroads", Railroad)[self.id]
        refuse_taken(draft, self.id, after.name, after.short)
        changed = [key for key in values if getattr(before, key) != getattr(after, key)]
        if changed == ["price"]:
            return f"Set price of {after.short} to {after.price}"
        return f"Change {', '.join(changed) or 'nothing'} of {before.short}"


@command("railroads")
class DeleteRailroad(Command):
    """Delete a railroad with its lines, its spacing, and what was accepted about it."""

    kind: Literal["delete-railroad"] = "delete-railroad"
    id: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        railroad = draft.need("railroads", self.id, "railroad")
        name = str(getattr(railroad, "short", self.id))
        lines = [key for key, line in draft.rows("lines", Line).items() if line.railroad == self.id]
        places = [place for key in lines for place, _ in draft.rows("lines", Line)[key].stops]
        for key in lines:
            draft.drop("lines", key)
        drop_unused_places(draft, places)
        draft.drop("settings", f"spacing.railroads.{self.id}")
        _leave_groups(draft, self.id)
        draft.drop("railroads", self.id)
        drop_accepted(draft, self.id)
        return f"Delete railroad {name}" + (f" with {counted(len(lines), 'line')}" if lines else "")


def _leave_groups(draft: Draft, ident: str) -> None:
    """Take a railroad out of merged groups; a group of fewer than two goes."""
    key = "rules.group_purchase.groups"
    setting = draft.rows("settings", Setting).get(key)
    if setting is None or not isinstance(setting.value, list):
        return
    groups: list[JsonValue] = []
    for group in setting.value:
        members = group.get("members") if isinstance(group, dict) else None
        if not isinstance(group, dict) or not isinstance(members, list) or ident not in members:
            groups.append(group)
        elif len(left := [one for one in members if one != ident]) > 1:
            groups.append(group | {"members": left})
    if groups:
        draft.update("settings", key, value=groups)
    else:
        draft.drop("settings", key)
