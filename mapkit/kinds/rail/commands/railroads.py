"""Commands of railroads."""

from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.core.names import fold
from mapkit.core.plurals import counted
from mapkit.document.command import Makes
from mapkit.document.document import Setting, last_rank
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import Name, Price, RailroadId, SegmentIds, has_files, railroad
from mapkit.kinds.rail.commands.findings import drop_accepted
from mapkit.kinds.rail.commands.on_track.pieces import (
    drop_bare_junctions,
    drop_piece,
    drop_railroad,
    give,
    own_pieces,
    rows,
    tracks,
    way,
)
from mapkit.kinds.rail.commands.stops import drop_unused_places
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.tables import Line, Railroad

Mark = Annotated[str, Field(min_length=1, max_length=200)]


class RailroadFields(Frozen):
    """Fields of a railroad; what is not given stays."""

    name: Name | None = None
    short: Mark | None = None
    price: Price | None = None
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None


def refuse_taken(draft: Draft, ident: str) -> None:
    """Refuse a reporting mark that another railroad has, and in files also a name or id.

    Raises:
        CommandError: It is taken.
    """
    own = draft.rows("railroads", Railroad)[ident]
    for other, row in draft.rows("railroads", Railroad).items():
        if other == ident:
            continue
        if own.short == row.short:
            raise CommandError(f"reporting mark {own.short!r} is that of {other!r} already; choose another `short`")
        if has_files(draft):
            known = {fold(key) for key in (other, row.name, row.short)}
            for what, text in (("id", ident), ("name", own.name), ("reporting mark", own.short)):
                if fold(text) in known:
                    raise CommandError(f"{what} {text!r} is {row.name}'s already; choose another")


def put_railroad(draft: Draft, ident: str, row: Railroad) -> None:
    """Add a railroad, last in order.

    Raises:
        CommandError: Its id, name or mark is taken.
    """
    if ident in draft.table("railroads"):
        raise CommandError(f"there is a railroad {ident!r} already; choose another id")
    draft.put("railroads", ident, row.model_copy(update={"rank": last_rank(draft.table("railroads"))}))
    refuse_taken(draft, ident)


@command("railroads")
class AddRailroad(Command):
    """Add a railroad, without track yet; `price` in whole currency units."""

    kind: Literal["add-railroad"] = "add-railroad"
    id: Annotated[Slug, Makes("railroad")]
    name: Name
    short: Mark
    price: Price = 0
    public: bool = False
    colour: Colour = "#444444"
    pattern: Pattern = "solid"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        put_railroad(draft, self.id, Railroad(**self.model_dump(include={*RailroadFields.model_fields})))
        return f"Add railroad {self.short}"


@command("railroads")
class EditRailroad(Command):
    """Change what is given of a railroad: name, mark, price, colour, pattern, or whether it is public (RB-C11)."""

    kind: Literal["edit-railroad"] = "edit-railroad"
    id: RailroadId
    name: Name | None = None
    short: Mark | None = None
    price: Price | None = None
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None
    was: RailroadFields = RailroadFields()

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_dump(include={*RailroadFields.model_fields}, exclude_none=True):
            raise ValueError("nothing to change; give name, short, price, public, colour or pattern")
        return self

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        before = railroad(draft, self.id)
        for name, was in self.was.model_dump(exclude_none=True).items():
            if getattr(before, name) != was:
                raise CommandError(f"{name} of {self.id!r} is {getattr(before, name)!r}, not {was!r}; correct `was`")
        values = self.model_dump(include={*RailroadFields.model_fields}, exclude_none=True)
        draft.update("railroads", self.id, **values)
        refuse_taken(draft, self.id)
        after = draft.rows("railroads", Railroad)[self.id]
        changed = [key for key in values if getattr(before, key) != getattr(after, key)]
        if changed == ["price"]:
            return f"Set price of {after.short} to {after.price}"
        return f"Change {', '.join(changed) or 'nothing'} of {before.short}"


@command("railroads")
class DeleteRailroad(Command):
    """Delete a railroad with its track, its spacing, and what was accepted about it; mileposts of others stay."""

    kind: Literal["delete-railroad"] = "delete-railroad"
    id: RailroadId

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = railroad(draft, self.id)
        lines = [key for key, line in draft.rows("lines", Line).items() if line.railroad == self.id]
        places = [place for key in lines for place, _ in draft.rows("lines", Line)[key].stops]
        for key in lines:
            draft.drop("lines", key)
        drop_unused_places(draft, places)
        _leave_groups(draft, self.id)
        drop_railroad(draft, self.id)
        drop_accepted(draft, self.id)
        return f"Delete railroad {found.short}" + (f" with {counted(len(lines), 'line')}" if lines else "")


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


@command("railroads", prepared=True)
class MergeRailroads(Command):
    """Give all track of `railroads` to `into`, one of them; the others go.

    Where two of them join the same two mileposts, one segment stays, of `into` if it has one. The price is the sum
    unless given.
    """

    kind: Literal["merge-railroads"] = "merge-railroads"
    railroads: Annotated[tuple[RailroadId, ...], Field(min_length=2, max_length=1000)]
    into: RailroadId
    name: Name | None = None
    short: Mark | None = None
    price: Price | None = None

    @model_validator(mode="after")
    def _among_them(self) -> Self:
        if self.into not in self.railroads:
            raise ValueError(f"into is {self.into!r}, not one of the railroads; name one of them")
        if len(set(self.railroads)) != len(self.railroads):
            raise ValueError("a railroad appears twice; name each once")
        return self

    def edit(self, draft: Draft) -> str:
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
        draft.update(
            "railroads",
            self.into,
            name=self.name or into.name,
            short=self.short or into.short,
            price=sum(r.price for r in members.values()) if self.price is None else self.price,
        )
        refuse_taken(draft, self.into)
        return f"Merge {', '.join(r.short for r in members.values())} into {self.short or into.short}"


@command("railroads", prepared=True)
class SplitRailroad(Command):
    """Give some segments of a railroad to a new one."""

    kind: Literal["split-railroad"] = "split-railroad"
    railroad: RailroadId
    segments: SegmentIds
    id: Annotated[Slug, Makes("railroad")]
    name: Name
    short: Mark
    price: Price
    price_left: Price | None = Field(default=None, description="Price of what is left; unchanged if not given")
    public: bool = False
    colour: Colour
    pattern: Pattern = "solid"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = railroad(draft, self.railroad)
        for ident in self.segments:
            owner, _ = way(draft, ident)
            if owner != self.railroad:
                raise CommandError(f"segment {ident!r} is one of {owner!r}, not of {self.railroad!r}")
        pieces = own_pieces(draft, self.segments, whole=True)
        put_railroad(draft, self.id, Railroad(**self.model_dump(include={*RailroadFields.model_fields})))
        give(draft, pieces, self.id)
        if self.price_left is not None:
            draft.update("railroads", self.railroad, price=self.price_left)
        return f"Split {self.short} from {found.short}"
