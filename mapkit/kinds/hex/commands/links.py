"""Commands on printed links, major lines and components."""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.base import Slug
from mapkit.document.command import Command, CommandError, Makes, Names
from mapkit.document.document import last_rank
from mapkit.kinds.hex.commands.cities import CityId, Named, need_city
from mapkit.kinds.hex.commands.command import COMMANDS, HexDraft, new_id
from mapkit.kinds.hex.rules.colours import CityColour
from mapkit.kinds.hex.tables import ComponentKind, ComponentRow, LinkRow, MajorLineRow, Money, TileShape


@COMMANDS.command("links")
class AddLink(Command):
    """Add a printed link between two cities, or from a city to a place off the board."""

    kind: Literal["add-link"] = "add-link"
    id: Annotated[Slug | None, Makes("link")] = None
    a: CityId
    b: Annotated[str, Names("city")] = ""
    name: str = Field(default="", max_length=200)
    cost: Money = 0
    owner: Literal["nobody", "bank", "first-builder"] = "first-builder"
    colours: tuple[CityColour, ...] = Field(default=(), max_length=6)

    def edit(self, draft: HexDraft) -> str:
        """Add a row for the link."""
        start_name = need_city(draft, self.a).name
        end_name = need_city(draft, self.b).name if self.b else self.name
        if self.a == self.b:
            raise CommandError(f"a link from {start_name} to itself leads nowhere; name two cities")
        if not end_name:
            raise CommandError("a link off the board needs a name: where it leads")
        if self.id is not None and self.id in draft.table("links"):
            raise CommandError(f"there is a link {self.id!r} already; choose another id")
        ident = self.id or new_id(draft, "links", f"{self.a}-{self.b or self.name}")
        row_fields = self.model_dump(exclude={"kind", "reason", "id"})
        draft.put("links", ident, LinkRow(**row_fields, rank=last_rank(draft.table("links"))))
        return f"Link {start_name} and {end_name}"


@COMMANDS.command("links")
class RemoveLink(Command):
    """Remove a printed link."""

    kind: Literal["remove-link"] = "remove-link"
    id: Annotated[str, Names("link")]

    def edit(self, draft: HexDraft) -> str:
        """Remove the row of the link."""
        draft.need("links", self.id, "link")
        draft.drop("links", self.id)
        return f"Remove the link {self.id}"


@COMMANDS.command("lines")
class SetMajorLine(Command):
    """Add or change a major line."""

    kind: Literal["set-major-line"] = "set-major-line"
    id: Annotated[Slug, Makes("line")]
    name: Named
    points: int = Field(ge=0, le=1000)
    cities: Annotated[tuple[str, ...], Names("city")] = Field(min_length=2, max_length=30)

    def edit(self, draft: HexDraft) -> str:
        """Set the row of the major line."""
        for city in self.cities:
            need_city(draft, city)
        if len({*self.cities}) < len(self.cities):
            raise CommandError(f"{self.name} names a city twice; name each once")
        old_row = draft.table("lines").get(self.id)
        rank = last_rank(draft.table("lines")) if old_row is None else old_row.rank
        draft.put("lines", self.id, MajorLineRow(name=self.name, points=self.points, cities=self.cities, rank=rank))
        return f"Set the line {self.name}"


@COMMANDS.command("lines")
class RemoveMajorLine(Command):
    """Remove a major line."""

    kind: Literal["remove-major-line"] = "remove-major-line"
    id: Annotated[str, Names("line")]

    def edit(self, draft: HexDraft) -> str:
        """Remove the row of the major line."""
        draft.need("lines", self.id, "major line")
        draft.drop("lines", self.id)
        return f"Remove the line {self.id}"


@COMMANDS.command("components")
class SetComponent(Command):
    """Add or change pieces of a sort."""

    kind: Literal["set-component"] = "set-component"
    id: Annotated[Slug, Makes("component")]
    component: ComponentKind
    count: int | None = Field(default=None, ge=0, le=10_000)
    colour: CityColour | None = None
    shape: TileShape = ""
    lines: int = Field(default=1, ge=1, le=3)
    each: bool = False

    def edit(self, draft: HexDraft) -> str:
        """Set the row of the component."""
        old_row = draft.table("components").get(self.id)
        rank = last_rank(draft.table("components")) if old_row is None else old_row.rank
        row_fields = self.model_dump(exclude={"kind", "reason", "id", "component"})
        draft.put("components", self.id, ComponentRow(kind=self.component, **row_fields, rank=rank))
        return f"Set the component {self.id}"


@COMMANDS.command("components")
class RemoveComponent(Command):
    """Remove pieces of a sort."""

    kind: Literal["remove-component"] = "remove-component"
    id: Annotated[str, Names("component")]

    def edit(self, draft: HexDraft) -> str:
        """Remove the row of the component."""
        draft.need("components", self.id, "component")
        draft.drop("components", self.id)
        return f"Remove the component {self.id}"
