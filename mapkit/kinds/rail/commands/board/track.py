"""Commands of track: segments, lines beside others, pieces."""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.base import Slug
from mapkit.core.plurals import counted
from mapkit.document.command import Names
from mapkit.kinds.rail.commands.board.base import (
    ElementCommand,
    Line,
    MilepostId,
    NodeId,
    RailroadId,
    SegmentIds,
    milepost,
    railroad,
)
from mapkit.kinds.rail.commands.board.pieces import (
    add_piece,
    drop_bare_junctions,
    drop_piece,
    give,
    lead,
    own_pieces,
    piece,
    rows,
    tracks,
)
from mapkit.kinds.rail.commands.command import CommandError, Draft, command
from mapkit.kinds.rail.commands.naming import railroad_name
from mapkit.kinds.rail.tables import Junction


@command("elements")
class AddSegment(ElementCommand):
    """Track of a railroad between two mileposts, straight or along `line`, which goes from `a` to `b`."""

    kind: Literal["add-segment"] = "add-segment"
    railroad: RailroadId
    a: NodeId
    b: NodeId
    line: Line | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        for end in (self.a, self.b):
            milepost(draft, end)
        lead(draft, self.railroad, self.a, self.b, self.line)
        return f"Add segment {self.a} - {self.b} of {railroad_name(draft, self.railroad)}"


@command("elements")
class AddPiece(ElementCommand):
    """A track piece between two mileposts or junctions; segments follow from the pieces.

    Without `id` it gets the next free one of the usual form.
    """

    kind: Literal["add-piece"] = "add-piece"
    railroad: RailroadId
    a: NodeId
    b: NodeId
    line: Line | None = None
    id: Slug | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        for end in (self.a, self.b):
            junction = draft.rows("junctions", Junction).get(end)
            if junction is not None and junction.railroad != self.railroad:
                raise CommandError(
                    f"junction {end!r} is one of {junction.railroad!r}; lines of others do not join there"
                )
        lead(draft, self.railroad, self.a, self.b, self.line, self.id)
        return f"Add track {self.a} - {self.b} of {railroad_name(draft, self.railroad)}"


@command("elements", op="add-line")
class LayLine(ElementCommand):
    """Track of a railroad along existing mileposts, a segment from each to the next.

    Where `along` (or any railroad, if none is named) joins the two already, the new segment runs beside it.
    """

    kind: Literal["lay-line"] = "lay-line"
    railroad: RailroadId
    mileposts: Annotated[tuple[MilepostId, ...], Field(min_length=2, max_length=10_000), Names("way")]
    along: RailroadId | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        railroad(draft, self.railroad)
        if self.along is not None:
            railroad(draft, self.along)
        for ident in self.mileposts:
            milepost(draft, ident)
        for a, b in pairwise(self.mileposts):
            if a == b:
                raise CommandError(f"milepost {a!r} appears twice in a row; name it once")
            beside = self._beside(draft, a, b)
            if beside is None:
                if self.along is not None:
                    raise CommandError(
                        f"{self.along!r} has no segment from {a!r} to {b!r} to run beside; name its next milepost"
                    )
                add_piece(draft, self.railroad, (), a, b)
                continue
            found = rows(draft)[beside]
            draft.get("track", beside)
            add_piece(draft, self.railroad, found.bends if found.a == a else found.bends[::-1], a, b)
        return f"Add line {self.mileposts[0]} - {self.mileposts[-1]} of {railroad_name(draft, self.railroad)}"

    def _beside(self, draft: Draft, a: str, b: str) -> str | None:
        """Return the piece from a to b that new track runs beside: of `along`, or the first of any other railroad."""
        index, own = tracks(draft), rows(draft)
        between = index.at.get(a, set()) & index.at.get(b, set())
        return min(
            (p for p in between if own[p].railroad != self.railroad and self.along in (None, own[p].railroad)),
            default=None,
        )


@command("elements")
class RemoveSegments(ElementCommand):
    """Remove segments with the track that only they use; a junction that is left bare goes too."""

    kind: Literal["remove-segments"] = "remove-segments"
    segments: SegmentIds

    def change(self, draft: Draft) -> str:
        """Plan it."""
        for ident in own_pieces(draft, self.segments, whole=False):
            drop_piece(draft, ident)
        drop_bare_junctions(draft)
        return f"Remove {counted(len(self.segments), 'segment')}"


@command("elements")
class RemovePiece(ElementCommand):
    """Remove a track piece, and every segment that runs over it."""

    kind: Literal["remove-piece"] = "remove-piece"
    id: Annotated[Slug, Names("piece")]

    def change(self, draft: Draft) -> str:
        """Plan it."""
        piece(draft, self.id)
        drop_piece(draft, self.id)
        return f"Remove track {self.id}"


@command("elements")
class ReassignSegments(ElementCommand):
    """Give segments to another railroad."""

    kind: Literal["reassign-segments"] = "reassign-segments"
    segments: SegmentIds
    railroad: RailroadId

    def change(self, draft: Draft) -> str:
        """Plan it."""
        railroad(draft, self.railroad)
        give(draft, own_pieces(draft, self.segments, whole=True), self.railroad)
        return f"Give {counted(len(self.segments), 'segment')} to {railroad_name(draft, self.railroad)}"
