"""Commands of railroads."""

from typing import Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.document import Railroad, last_rank
from mapkit.model.base import Colour, Slug
from mapkit.model.board import Pattern
from mapkit.sources.names import fold


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
        draft.put("railroads", self.id, Railroad(**self.model_dump(exclude={"kind", "id"}), rank=rank))
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
        values = self.model_dump(exclude={"kind", "id"}, exclude_none=True)
        draft.update("railroads", self.id, **values)
        after = draft.rows("railroads", Railroad)[self.id]
        refuse_taken(draft, self.id, after.name, after.short)
        changed = [key for key in values if getattr(before, key) != getattr(after, key)]
        if changed == ["price"]:
            return f"Set price of {after.short} to {after.price}"
        return f"Change {', '.join(changed) or 'nothing'} of {before.short}"
