"""Commands of mileposts and junctions."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Point, Slug
from mapkit.document.command import Makes, Names
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import (
    Lat,
    Lon,
    Name,
    RailroadId,
    need_railroad,
)
from mapkit.kinds.rail.commands.on_track.pieces import (
    add_piece,
    drop_piece,
    need_segment_way,
    piece_line_of,
    piece_rows_of,
)
from mapkit.kinds.rail.commands.on_track.polylines import (
    cut_polyline,
    nearest_part_of,
    point_at,
    polyline_length,
    round_position,
)
from mapkit.kinds.rail.tables import Junction, Milepost


@command("track", form="track")
class AddMilepost(Command):
    """Add a milepost: on segments, one of each railroad that runs there, which it cuts in two, or off any track yet.

    Without a position it stands on the first segment's line, at the share `at` of its length from `a`.
    """

    kind: Literal["add-milepost"] = "add-milepost"
    id: Annotated[Slug, Makes("milepost")]
    name: Name
    segments: Annotated[tuple[Slug, ...], Field(max_length=100_000), Names("segments")] = ()
    at: float = Field(default=0.5, gt=0, lt=1)
    lon: Lon | None = None
    lat: Lat | None = None

    @model_validator(mode="after")
    def _whole_position(self) -> Self:
        if (self.lon is None) != (self.lat is None) or (self.lon is None and not self.segments):
            raise ValueError("give lon and lat, or segments")
        if self.lon is not None and self.at != type(self).model_fields["at"].default:
            raise ValueError("lon and lat are its position, not at; give one of them")
        return self

    def edit(self, draft: Draft) -> str:
        """Add the milepost, and cut one piece of each segment there."""
        cut_pieces: list[str] = []
        cut_point: Point | None = None if self.lon is None or self.lat is None else round_position(self.lon, self.lat)
        for ident in self.segments:
            _, (a, _, pieces) = need_segment_way(draft, ident)
            if cut_point is None:
                cut_point = _point_on_segment(draft, a, pieces, self.at)
            piece_to_cut = pieces[0]
            if len(pieces) > 1:
                piece_to_cut = min(
                    (nearest_part_of(piece_line_of(draft, piece_rows_of(draft)[p]), cut_point), p) for p in pieces
                )[1]
            if piece_to_cut in cut_pieces:
                raise CommandError(f"segment {ident!r} stands on track that is cut already; name it once")
            cut_pieces.append(piece_to_cut)
        if cut_point is None:  # validation refuses neither position nor segments
            raise CommandError("no segment is named")
        if self.id in draft.table("mileposts") or self.id in draft.table("junctions"):
            raise CommandError(f"there is a milepost or junction {self.id!r} already; choose another id")
        draft.put("mileposts", self.id, Milepost(name=self.name, lon=cut_point[0], lat=cut_point[1]))
        for ident in cut_pieces:
            piece_row = piece_rows_of(draft)[ident]
            piece_line = piece_line_of(draft, piece_row)
            if cut_point in (piece_line[0], piece_line[-1]):
                raise CommandError(f"the place of {self.id!r} is an end of {ident!r}; choose one between its ends")
            drop_piece(draft, ident)
            first_part, second_part = cut_polyline(piece_line, cut_point)
            add_piece(draft, piece_row.railroad, first_part[1:-1], piece_row.a, self.id)
            add_piece(draft, piece_row.railroad, second_part[1:-1], self.id, piece_row.b)
        return f"{'Insert' if self.segments else 'Add'} milepost {self.name}"


def _point_on_segment(draft: Draft, start: str, pieces: tuple[str, ...], share: float) -> Point:
    """Return the place at a share of a segment of one or more pieces."""
    current_node, piece_lines = start, []
    for ident in pieces:
        piece_row = piece_rows_of(draft)[ident]
        piece_line = piece_line_of(draft, piece_row)
        piece_lines.append(piece_line if piece_row.a == current_node else piece_line[::-1])
        current_node = piece_row.b if piece_row.a == current_node else piece_row.a
    lengths = [polyline_length(piece_line) for piece_line in piece_lines]
    remaining_length = share * sum(lengths)
    for piece_line, line_length in zip(piece_lines, lengths, strict=True):
        if remaining_length <= line_length:
            return point_at(piece_line, remaining_length / line_length if line_length else 0.0)
        remaining_length -= line_length
    return piece_lines[-1][-1]


@command("track", form="track")
class AddJunction(Command):
    """Add a free junction of a railroad off any milepost (RB-C10); `add-piece` leads track to it."""

    kind: Literal["add-junction"] = "add-junction"
    id: Annotated[Slug, Makes("junction")]
    railroad: RailroadId
    lon: Lon
    lat: Lat

    def edit(self, draft: Draft) -> str:
        """Add the junction to the table."""
        need_railroad(draft, self.railroad)
        if self.id in draft.table("junctions") or self.id in draft.table("mileposts"):
            raise CommandError(f"there is a milepost or junction {self.id!r} already; choose another id")
        lon, lat = round_position(self.lon, self.lat)
        draft.put("junctions", self.id, Junction(railroad=self.railroad, lon=lon, lat=lat))
        return f"Add junction {self.id}"
