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


def _add_milepost(draft: Draft, ident: str, name: str, point: Point) -> None:
    if ident in draft.table("mileposts") or ident in draft.table("junctions"):
        raise CommandError(f"there is a milepost or junction {ident!r} already; choose another id")
    draft.put("mileposts", ident, Milepost(name=name, lon=point[0], lat=point[1]))


@command("track", prepared=True)
class AddMilepost(Command):
    """Add a milepost, off any track yet; `add-line` and `add-piece` lead track to it."""

    kind: Literal["add-milepost"] = "add-milepost"
    id: Annotated[Slug, Makes("milepost")]
    name: Name
    lon: Lon
    lat: Lat

    def edit(self, draft: Draft) -> str:
        """Add the milepost to the table."""
        _add_milepost(draft, self.id, self.name, rounded(self.lon, self.lat))
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
        """Add the milepost, and cut one piece of each segment there."""
        cut_pieces: list[str] = []
        cut_point: Point | None = None if self.lon is None or self.lat is None else rounded(self.lon, self.lat)
        for ident in self.segments:
            _, (a, _, pieces) = way(draft, ident)
            if cut_point is None:
                cut_point = _point_on_segment(draft, a, pieces, self.at)
            piece_to_cut = pieces[0]
            if len(pieces) > 1:
                piece_to_cut = min((nearest(line_of(draft, rows(draft)[p]), cut_point), p) for p in pieces)[1]
            if piece_to_cut in cut_pieces:
                raise CommandError(f"segment {ident!r} stands on track that is cut already; name it once")
            cut_pieces.append(piece_to_cut)
        if cut_point is None:  # segments has one at least
            raise CommandError("no segment is named")
        _add_milepost(draft, self.id, self.name, cut_point)
        for ident in cut_pieces:
            piece_row = rows(draft)[ident]
            piece_line = line_of(draft, piece_row)
            if cut_point in (piece_line[0], piece_line[-1]):
                raise CommandError(f"the place of {self.id!r} is an end of {ident!r}; choose one between its ends")
            drop_piece(draft, ident)
            first_part, second_part = cut(piece_line, cut_point)
            add_piece(draft, piece_row.railroad, first_part[1:-1], piece_row.a, self.id)
            add_piece(draft, piece_row.railroad, second_part[1:-1], self.id, piece_row.b)
        return f"Insert milepost {self.name}"


def _point_on_segment(draft: Draft, start: str, pieces: tuple[str, ...], share: float) -> Point:
    """Return the place at a share of a segment of one or more pieces."""
    current_node, piece_lines = start, []
    for ident in pieces:
        piece_row = rows(draft)[ident]
        piece_line = line_of(draft, piece_row)
        piece_lines.append(piece_line if piece_row.a == current_node else piece_line[::-1])
        current_node = piece_row.b if piece_row.a == current_node else piece_row.a
    lengths = [length(piece_line) for piece_line in piece_lines]
    remaining_length = share * sum(lengths)
    for piece_line, line_length in zip(piece_lines, lengths, strict=True):
        if remaining_length <= line_length:
            return point_at(piece_line, remaining_length / line_length if line_length else 0.0)
        remaining_length -= line_length
    return piece_lines[-1][-1]


@command("track", prepared=True)
class AddJunction(Command):
    """Add a free junction of a railroad off any milepost (RB-C10); `add-piece` leads track to it."""

    kind: Literal["add-junction"] = "add-junction"
    id: Annotated[Slug, Makes("junction")]
    railroad: RailroadId
    lon: Lon
    lat: Lat

    def edit(self, draft: Draft) -> str:
        """Add the junction to the table."""
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
        """Drop the junction, if no track uses it."""
        if self.id not in draft.table("junctions"):
            node(draft, self.id)
            raise CommandError(f"{self.id!r} is a milepost; use delete-place")
        arm_ids = tracks(draft).arms(self.id)
        if arm_ids:
            raise CommandError(f"junction {self.id!r} still joins {', '.join(arm_ids)}; delete these pieces first")
        draft.drop("junctions", self.id)
        return f"Delete junction {self.id}"
