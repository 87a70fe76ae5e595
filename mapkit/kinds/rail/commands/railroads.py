"""Commands of railroads."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, JsonValue, model_validator

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.core.names import fold
from mapkit.core.plurals import count_noun
from mapkit.document.command import Makes
from mapkit.document.document import Setting, last_rank
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import (
    Name,
    Price,
    RailroadId,
    SegmentIds,
    has_files,
    need_railroad,
    refuse_unexpected,
)
from mapkit.kinds.rail.commands.findings import drop_accepted
from mapkit.kinds.rail.commands.on_track.pieces import (
    drop_bare_junctions,
    drop_piece,
    drop_railroad,
    find_own_pieces,
    need_segment_way,
    piece_rows_of,
    reassign_pieces,
    track_index,
)
from mapkit.kinds.rail.commands.stops import drop_unused_places
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.tables import Line, Railroad

GROUPS: Final = "rules.group_purchase.groups"
"""Setting with the groups of railroads that are bought together."""
Mark = Annotated[str, Field(min_length=1, max_length=200)]


class RailroadFields(Frozen):
    """Fields of a railroad; a field that is not given stays."""

    name: Name | None = None
    short: Mark | None = None
    price: Price | None = None
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None


def refuse_taken(draft: Draft, ident: str) -> None:
    """Refuse a reporting mark of another railroad, and in files also a name or id.

    Raises:
        CommandError: It is taken.
    """
    own_row = draft.rows("railroads", Railroad)[ident]
    for other_id, other_railroad in draft.rows("railroads", Railroad).items():
        if other_id == ident:
            continue
        if own_row.short == other_railroad.short:
            raise CommandError(
                f"reporting mark {own_row.short!r} is that of {other_id!r} already; choose another `short`"
            )
        if has_files(draft):
            taken_names = {fold(key) for key in (other_id, other_railroad.name, other_railroad.short)}
            for field_title, field_value in (("id", ident), ("name", own_row.name), ("reporting mark", own_row.short)):
                if fold(field_value) in taken_names:
                    raise CommandError(
                        f"{field_title} {field_value!r} is {other_railroad.name}'s already; choose another"
                    )


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
        """Add the railroad, last in order."""
        put_railroad(draft, self.id, Railroad(**self.model_dump(include={*RailroadFields.model_fields})))
        return f"Add railroad {self.short}"


@command("railroads")
class EditRailroad(Command):
    """Change the given fields of a railroad: name, mark, price, colour, pattern, or whether it is public (RB-C11)."""

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
    def _require_change(self) -> Self:
        if not self.model_dump(include={*RailroadFields.model_fields}, exclude_none=True):
            raise ValueError("nothing to change; give name, short, price, public, colour or pattern")
        return self

    def edit(self, draft: Draft) -> str:
        """Set the given fields, if the railroad has the expected values."""
        row_before = need_railroad(draft, self.id)
        refuse_unexpected(row_before, self.was, repr(self.id))
        new_values = self.model_dump(include={*RailroadFields.model_fields}, exclude_none=True)
        draft.update("railroads", self.id, **new_values)
        refuse_taken(draft, self.id)
        row_after = draft.rows("railroads", Railroad)[self.id]
        changed_fields = [key for key in new_values if getattr(row_before, key) != getattr(row_after, key)]
        if changed_fields == ["price"]:
            return f"Set price of {row_after.short} to {row_after.price}"
        return f"Change {', '.join(changed_fields) or 'nothing'} of {row_before.short}"


@command("railroads")
class DeleteRailroad(Command):
    """Delete a railroad with its track, its spacing, and accepted findings about it; mileposts of others stay."""

    kind: Literal["delete-railroad"] = "delete-railroad"
    id: RailroadId

    def edit(self, draft: Draft) -> str:
        """Drop the railroad with its lines and unused places."""
        deleted_railroad = need_railroad(draft, self.id)
        line_ids = [key for key, line in draft.rows("lines", Line).items() if line.railroad == self.id]
        line_places = [place for key in line_ids for place, _ in draft.rows("lines", Line)[key].stops]
        for key in line_ids:
            draft.drop("lines", key)
        drop_unused_places(draft, line_places)
        _leave_groups(draft, self.id)
        drop_railroad(draft, self.id)
        drop_accepted(draft, self.id)
        return f"Delete railroad {deleted_railroad.short}" + (
            f" with {count_noun(len(line_ids), 'line')}" if line_ids else ""
        )


def _leave_groups(draft: Draft, ident: str) -> None:
    """Take a railroad out of merged groups; drop groups with fewer than two members."""
    setting = draft.rows("settings", Setting).get(GROUPS)
    if setting is None or not isinstance(setting.value, list):
        return
    remaining_groups: list[JsonValue] = []
    for group in setting.value:
        members = group.get("members") if isinstance(group, dict) else None
        if not isinstance(group, dict) or not isinstance(members, list) or ident not in members:
            remaining_groups.append(group)
        elif len(other_members := [member_id for member_id in members if member_id != ident]) > 1:
            remaining_groups.append(group | {"members": other_members})
    if remaining_groups:
        draft.update("settings", GROUPS, value=remaining_groups)
    else:
        draft.drop("settings", GROUPS)


@command("railroads", form="track")
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
        """Give the track of all railroads to one, and drop the others."""
        members = {ident: need_railroad(draft, ident) for ident in self.railroads}
        merged_into = members[self.into]
        draft.rely("track", self.into)
        joined_ends = {frozenset((a, b)) for a, b, _ in track_index(draft).ways(self.into).values()}
        for other_railroad in members:
            if other_railroad == self.into:
                continue
            other_pieces = sorted(track_index(draft).of_railroad.get(other_railroad, ()))
            for ident in other_pieces:
                if frozenset((piece_rows_of(draft)[ident].a, piece_rows_of(draft)[ident].b)) in joined_ends:
                    drop_piece(draft, ident)
            drop_bare_junctions(draft)
            moved_pieces = sorted(track_index(draft).of_railroad.get(other_railroad, ()))
            joined_ends |= {frozenset((a, b)) for a, b, _ in track_index(draft).ways(other_railroad).values()}
            reassign_pieces(draft, moved_pieces, self.into)
            drop_railroad(draft, other_railroad)
        draft.update(
            "railroads",
            self.into,
            name=self.name or merged_into.name,
            short=self.short or merged_into.short,
            price=sum(r.price for r in members.values()) if self.price is None else self.price,
        )
        refuse_taken(draft, self.into)
        return f"Merge {', '.join(r.short for r in members.values())} into {self.short or merged_into.short}"


@command("railroads", form="track")
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
        """Add the new railroad, and give the segments' pieces to it."""
        old_railroad = need_railroad(draft, self.railroad)
        for ident in self.segments:
            owner, _ = need_segment_way(draft, ident)
            if owner != self.railroad:
                raise CommandError(f"segment {ident!r} is one of {owner!r}, not of {self.railroad!r}")
        moved_pieces = find_own_pieces(draft, self.segments, whole=True)
        put_railroad(draft, self.id, Railroad(**self.model_dump(include={*RailroadFields.model_fields})))
        reassign_pieces(draft, moved_pieces, self.id)
        if self.price_left is not None:
            draft.update("railroads", self.railroad, price=self.price_left)
        return f"Split {self.short} from {old_railroad.short}"
