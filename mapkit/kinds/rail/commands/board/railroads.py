"""Commands of railroads with their track."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.document.command import Makes
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.board.base import ElementCommand, Name, Price, RailroadId, SegmentIds, railroad
from mapkit.kinds.rail.commands.board.pieces import (
    drop_bare_junctions,
    drop_piece,
    drop_railroad,
    give,
    own_pieces,
    refuse_mark,
    rows,
    tracks,
    way,
)
from mapkit.kinds.rail.commands.command import CommandError, Draft, command
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.tables import Railroad


def _new(draft: Draft, ident: str, values: dict[str, object]) -> None:
    if ident in draft.table("railroads"):
        raise CommandError(f"there is a railroad {ident!r} already; choose another id")
    refuse_mark(draft, ident, str(values["short"]))
    draft.put("railroads", ident, Railroad.model_validate({"rank": last_rank(draft.table("railroads")), **values}))


@command("elements", op="add-railroad")
class StartRailroad(ElementCommand):
    """A new railroad, without track yet."""

    kind: Literal["start-railroad"] = "start-railroad"
    id: Annotated[Slug, Makes("railroad")]
    name: Name
    short: Name
    price: Price
    public: bool = False
    colour: Colour
    pattern: Pattern = "solid"

    def change(self, draft: Draft) -> str:
        """Plan it."""
        _new(draft, self.id, self.model_dump(include={*RailroadSays.model_fields}))
        return f"Add railroad {self.short}"


@command("elements")
class RemoveRailroad(ElementCommand):
    """Remove a railroad and all its track; mileposts stay."""

    kind: Literal["remove-railroad"] = "remove-railroad"
    id: RailroadId

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = railroad(draft, self.id)
        drop_railroad(draft, self.id)
        return f"Remove railroad {found.short}"


class RailroadSays(Frozen):
    """What may change of a railroad; what is not given stays."""

    name: Name | None = None
    short: Name | None = None
    price: Price | None = None
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None


@command("elements")
class ChangeRailroad(ElementCommand):
    """Change name, mark, price, colour or pattern of a railroad."""

    kind: Literal["change-railroad"] = "change-railroad"
    id: RailroadId
    name: Name | None = None
    short: Name | None = None
    price: Price | None = None
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None
    was: RailroadSays = RailroadSays()

    @property
    def changes(self) -> dict[str, object]:
        """Return what is given, field by field."""
        fields = {name: getattr(self, name) for name in RailroadSays.model_fields}
        return {name: value for name, value in fields.items() if value is not None}

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.changes:
            raise ValueError("nothing to change; give name, short, price, public, colour or pattern")
        return self

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = railroad(draft, self.id)
        for name in RailroadSays.model_fields:
            was = getattr(self.was, name)
            if was is not None and getattr(found, name) != was:
                raise CommandError(f"{name} of {self.id!r} is {getattr(found, name)!r}, not {was!r}; correct `was`")
        if self.short is not None:
            refuse_mark(draft, self.id, self.short)
        draft.update("railroads", self.id, **self.changes)
        return f"Change {', '.join(self.changes)} of {found.short}"


@command("elements")
class MakePublic(ElementCommand):
    """Make a railroad public: never sold (RB-C11)."""

    kind: Literal["make-public"] = "make-public"
    id: RailroadId

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = railroad(draft, self.id)
        if found.public:
            raise CommandError(f"{self.id!r} is public already; remove this operation")
        draft.update("railroads", self.id, public=True)
        return f"Make {found.short} public"


@command("elements")
class MergeRailroads(ElementCommand):
    """Give all track of `railroads` to `into`, one of them; the others go.

    Where two of them join the same two mileposts, one segment stays, of `into` if it has one. The price is the sum
    unless given.
    """

    kind: Literal["merge-railroads"] = "merge-railroads"
    railroads: Annotated[tuple[RailroadId, ...], Field(min_length=2, max_length=1000)]
    into: RailroadId
    name: Name | None = None
    short: Name | None = None
    price: Price | None = None

    @model_validator(mode="after")
    def _among_them(self) -> Self:
        if self.into not in self.railroads:
            raise ValueError(f"into is {self.into!r}, not one of the railroads; name one of them")
        if len(set(self.railroads)) != len(self.railroads):
            raise ValueError("a railroad appears twice; name each once")
        return self

    def change(self, draft: Draft) -> str:
        """Plan it."""
        members = {ident: railroad(draft, ident) for ident in self.railroads}
        into = members[self.into]
        draft.rely("track", self.into)
        joined = {frozenset((a, b)) for a, b, _ in tracks(draft).ways(self.into).values()}
        for other in members:
            if other == self.into:
                continue
            own = sorted(tracks(draft).of_railroad.get(other, ()))
            for ident in own:
                if frozenset((rows(draft)[ident].a, rows(draft)[ident].b)) in joined:
                    drop_piece(draft, ident)
            drop_bare_junctions(draft)
            pieces = sorted(tracks(draft).of_railroad.get(other, ()))
            joined |= {frozenset((a, b)) for a, b, _ in tracks(draft).ways(other).values()}
            give(draft, pieces, self.into)
            drop_railroad(draft, other)
        if self.short is not None:
            refuse_mark(draft, self.into, self.short)
        draft.update(
            "railroads",
            self.into,
            name=self.name or into.name,
            short=self.short or into.short,
            price=sum(r.price for r in members.values()) if self.price is None else self.price,
        )
        return f"Merge {', '.join(r.short for r in members.values())} into {self.short or into.short}"


@command("elements")
class SplitRailroad(ElementCommand):
    """Give some segments of a railroad to a new one."""

    kind: Literal["split-railroad"] = "split-railroad"
    railroad: RailroadId
    segments: SegmentIds
    id: Annotated[Slug, Makes("railroad")]
    name: Name
    short: Name
    price: Price
    price_left: Price | None = Field(default=None, description="Price of what is left; unchanged if not given")
    public: bool = False
    colour: Colour
    pattern: Pattern = "solid"

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = railroad(draft, self.railroad)
        for ident in self.segments:
            owner, _ = way(draft, ident)
            if owner != self.railroad:
                raise CommandError(f"segment {ident!r} is one of {owner!r}, not of {self.railroad!r}")
        pieces = own_pieces(draft, self.segments, whole=True)
        _new(draft, self.id, self.model_dump(include={*RailroadSays.model_fields}))
        give(draft, pieces, self.id)
        if self.price_left is not None:
            draft.update("railroads", self.railroad, price=self.price_left)
        return f"Split {self.short} from {found.short}"
