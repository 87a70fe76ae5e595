"""Commands of mileposts and junctions."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Point, Slug
from mapkit.document.command import Makes, Names
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import (
    JunctionId,
    Lat,
    Lon,
    Name,
    RailroadId,
    node,
    railroad,
)
from mapkit.kinds.rail.commands.on_track.pieces import add_piece, drop_piece, line_of, rows, tracks, way
from mapkit.kinds.rail.commands.on_track.polylines import cut, length, nearest, point_at, rounded
from mapkit.kinds.rail.tables import Junction, Milepost


def _new(draft: Draft, ident: str, name: str, point: Point) -> None:
    if ident in draft.table("mileposts") or ident in draft.table("junctions"):
        raise CommandError(f"there is a milepost or junction {ident!r} already; choose another id")
    draft.put("mileposts", ident, Milepost(name=name, lon=point[0], lat=point[1]))


@command("track", prepared=True)
class AddMilepost(Command):
    """A new milepost, off any track yet; `add-line` and `add-piece` lead track to it."""

    kind: Literal["add-milepost"] = "add-milepost"
    id: Annotated[Slug, Makes("milepost")]
    name: Name
    lon: Lon
    lat: Lat

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        _new(draft, self.id, self.name, rounded(self.lon, self.lat))
        return f"Add milepost {self.name}"


@command("track", prepared=True)
class InsertMilepost(Command):
    """Cut segments in two at a new milepost: one of each railroad that runs there.

    Without a position it stands on the first segment's line, at the share `at` of its length from `a`.
    """

    kind: Literal["insert-milepost"] = "insert-milepost"
    id: Annotated[Slug, Makes("milepost")]
    name: Name
    segments: Annotated[tuple[Slug, ...], Field(min_length=1, max_length=100_000), Names("segments")]
    at: float = Field(default=0.5, gt=0, lt=1)
    lon: Lon | None = None
    lat: Lat | None = None

    @model_validator(mode="after")
    def _whole_position(self) -> Self:
        if (self.lon is None) != (self.lat is None):
            raise ValueError("give lon and lat, or neither")
        return self

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        cuts: list[str] = []
        point: Point | None = None if self.lon is None or self.lat is None else rounded(self.lon, self.lat)
        for ident in self.segments:
            _, (a, _, pieces) = way(draft, ident)
            if point is None:
                point = _on(draft, a, pieces, self.at)
            chosen = pieces[0]
            if len(pieces) > 1:
                chosen = min((nearest(line_of(draft, rows(draft)[p]), point), p) for p in pieces)[1]
            if chosen in cuts:
                raise CommandError(f"segment {ident!r} stands on track that is cut already; name it once")
            cuts.append(chosen)
        if point is None:  # segments has one at least
            raise CommandError("no segment is named")
        _new(draft, self.id, self.name, point)
        for ident in cuts:
            found = rows(draft)[ident]
            line = line_of(draft, found)
            if point in (line[0], line[-1]):
                raise CommandError(f"the place of {self.id!r} is an end of {ident!r}; choose one between its ends")
            drop_piece(draft, ident)
            before, after = cut(line, point)
            add_piece(draft, found.railroad, before[1:-1], found.a, self.id)
            add_piece(draft, found.railroad, after[1:-1], self.id, found.b)
        return f"Insert milepost {self.name}"


def _on(draft: Draft, start: str, pieces: tuple[str, ...], share: float) -> Point:
    """Return the place at a share of a segment, which may run over several pieces."""
    at, lines = start, []
    for ident in pieces:
        found = rows(draft)[ident]
        line = line_of(draft, found)
        lines.append(line if found.a == at else line[::-1])
        at = found.b if found.a == at else found.a
    lengths = [length(line) for line in lines]
    left = share * sum(lengths)
    for line, own in zip(lines, lengths, strict=True):
        if left <= own:
            return point_at(line, left / own if own else 0.0)
        left -= own
    return lines[-1][-1]


@command("track", prepared=True)
class AddJunction(Command):
    """A free junction of a railroad off any milepost (RB-C10); `add-piece` leads track to it."""

    kind: Literal["add-junction"] = "add-junction"
    id: Annotated[Slug, Makes("junction")]
    railroad: RailroadId
    lon: Lon
    lat: Lat

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        railroad(draft, self.railroad)
        if self.id in draft.table("junctions") or self.id in draft.table("mileposts"):
            raise CommandError(f"there is a milepost or junction {self.id!r} already; choose another id")
        lon, lat = rounded(self.lon, self.lat)
        draft.put("junctions", self.id, Junction(railroad=self.railroad, lon=lon, lat=lat))
        return f"Add junction {self.id}"


@command("track", prepared=True)
class DeleteJunction(Command):
    """Delete a junction that no track uses any more."""

    kind: Literal["delete-junction"] = "delete-junction"
    id: JunctionId

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        if self.id not in draft.table("junctions"):
            node(draft, self.id)
            raise CommandError(f"{self.id!r} is a milepost; use delete-place")
        arms = tracks(draft).arms(self.id)
        if arms:
            raise CommandError(f"junction {self.id!r} still joins {', '.join(arms)}; delete these pieces first")
        draft.drop("junctions", self.id)
        return f"Delete junction {self.id}"
