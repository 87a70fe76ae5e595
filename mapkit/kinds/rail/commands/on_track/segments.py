"""Commands of track: segments and pieces."""

from typing import Annotated, Literal

from mapkit.core.base import Slug
from mapkit.core.plurals import counted
from mapkit.document.command import Names
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import (
    Line,
    NodeId,
    RailroadId,
    SegmentIds,
    railroad,
)
from mapkit.kinds.rail.commands.naming import railroad_name
from mapkit.kinds.rail.commands.on_track.pieces import (
    drop_bare_junctions,
    drop_piece,
    give,
    lead,
    own_pieces,
    piece,
)
from mapkit.kinds.rail.tables import Junction


@command("track", prepared=True)
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
        lead(draft, self.railroad, self.a, self.b, self.line, self.id)
        return f"Add track {self.a} - {self.b} of {railroad_name(draft, self.railroad)}"


@command("track", prepared=True)
class DeleteSegments(Command):
    """Delete segments with the track that only they use; a junction that is left bare goes too."""

    kind: Literal["delete-segments"] = "delete-segments"
    segments: SegmentIds

    def edit(self, draft: Draft) -> str:
        """Drop the pieces that only these segments use, and bare junctions."""
        for ident in own_pieces(draft, self.segments, whole=False):
            drop_piece(draft, ident)
        drop_bare_junctions(draft)
        return f"Delete {counted(len(self.segments), 'segment')}"


@command("track", prepared=True)
class DeletePiece(Command):
    """Delete a track piece, and every segment that runs over it."""

    kind: Literal["delete-piece"] = "delete-piece"
    id: Annotated[Slug, Names("piece")]

    def edit(self, draft: Draft) -> str:
        """Drop the piece."""
        piece(draft, self.id)
        drop_piece(draft, self.id)
        return f"Delete track {self.id}"


@command("track", prepared=True)
class ReassignSegments(Command):
    """Give segments to another railroad."""

    kind: Literal["reassign-segments"] = "reassign-segments"
    segments: SegmentIds
    railroad: RailroadId

    def edit(self, draft: Draft) -> str:
        """Give the pieces of the segments to the railroad."""
        railroad(draft, self.railroad)
        give(draft, own_pieces(draft, self.segments, whole=True), self.railroad)
        return f"Give {counted(len(self.segments), 'segment')} to {railroad_name(draft, self.railroad)}"
