"""Commands of track: segments and pieces."""

from typing import Annotated, Literal

from mapkit.core.base import Slug
from mapkit.core.plurals import count_noun
from mapkit.document.command import Names
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import Line, NodeId, RailroadId, SegmentIds, need_railroad, railroad_name
from mapkit.kinds.rail.commands.on_track.pieces import (
    add_track_between,
    drop_bare_junctions,
    drop_piece,
    find_own_pieces,
    need_piece,
    reassign_pieces,
)
from mapkit.kinds.rail.tables import Junction


@command("track", form="track")
class AddPiece(Command):
    """Add a track piece between two mileposts or junctions; segments follow from the pieces.

    Without `id` it gets the next free one of the usual form.
    """

    kind: Literal["add-piece"] = "add-piece"
    railroad: RailroadId
    a: NodeId
    b: NodeId
    line: Line | None = None
    id: Slug | None = None

    def edit(self, draft: Draft) -> str:
        """Add the piece, if its junctions are of the same railroad."""
        for end in (self.a, self.b):
            junction = draft.rows("junctions", Junction).get(end)
            if junction is not None and junction.railroad != self.railroad:
                raise CommandError(
                    f"junction {end!r} is one of {junction.railroad!r}; lines of others do not join there"
                )
        add_track_between(draft, self.railroad, self.a, self.b, self.line, self.id)
        return f"Add track {self.a} - {self.b} of {railroad_name(draft, self.railroad)}"


@command("track", form="track")
class DeleteSegments(Command):
    """Delete segments with the track that only they use; a junction that is left bare goes too."""

    kind: Literal["delete-segments"] = "delete-segments"
    segments: SegmentIds

    def edit(self, draft: Draft) -> str:
        """Drop the pieces that only these segments use, and bare junctions."""
        for ident in find_own_pieces(draft, self.segments, whole=False):
            drop_piece(draft, ident)
        drop_bare_junctions(draft)
        return f"Delete {count_noun(len(self.segments), 'segment')}"


@command("track", form="track")
class DeletePiece(Command):
    """Delete a track piece, and every segment that runs over it."""

    kind: Literal["delete-piece"] = "delete-piece"
    id: Annotated[Slug, Names("piece")]

    def edit(self, draft: Draft) -> str:
        """Drop the piece."""
        need_piece(draft, self.id)
        drop_piece(draft, self.id)
        return f"Delete track {self.id}"


@command("track", form="track")
class ReassignSegments(Command):
    """Give segments to another railroad."""

    kind: Literal["reassign-segments"] = "reassign-segments"
    segments: SegmentIds
    railroad: RailroadId

    def edit(self, draft: Draft) -> str:
        """Give the pieces of the segments to the railroad."""
        need_railroad(draft, self.railroad)
        reassign_pieces(draft, find_own_pieces(draft, self.segments, whole=True), self.railroad)
        return f"Give {count_noun(len(self.segments), 'segment')} to {railroad_name(draft, self.railroad)}"
