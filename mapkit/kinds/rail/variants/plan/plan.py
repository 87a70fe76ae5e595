"""Operations being planned: each is carried out at once on a draft, so the plan is true so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mapkit.core.base import Point
from mapkit.document.changes import same_rows
from mapkit.document.command import Command, CommandError
from mapkit.kinds.rail.commands.command import Draft
from mapkit.kinds.rail.commands.on_track.pieces import tracks
from mapkit.kinds.rail.commands.on_track.tracks import Tracks
from mapkit.kinds.rail.compiler.rows import Way
from mapkit.kinds.rail.model.board import Board, Piece, Segment
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.tables import City, Junction, Milepost, RailDocument, Railroad, Region, Track
from mapkit.variants.applying import carry_out

Line = tuple[Point, ...]


@dataclass
class DifferencePlan:
    """What leads from a board to `target`: the operations so far, and what no operation can say.

    Args:
        draft: The board as a document that is changed.
        base: The board before.
        target: Where it leads.
        diff: The difference that it is made from.
        reasons: `kind:id` of an element -> the step of the story that explains it.
    """

    draft: Draft
    base: Board
    target: Board
    diff: BoardDiff
    reasons: Mapping[str, str]
    operations: list[Command] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    pieces: dict[str, Piece] = field(default_factory=dict)
    """The pieces of the target."""
    segments: dict[str, Segment] = field(default_factory=dict)
    """The segments of the target."""

    def __post_init__(self) -> None:
        self.pieces = {p.id: p for p in self.target.pieces}
        self.segments = {s.id: s for s in self.target.segments}

    def why(self, *elements: str) -> str:
        """Return the step that explains one of the elements, or that the other board has it so."""
        found = next((self.reasons[e] for e in elements if self.reasons.get(e)), "")
        return found[:5000] or f"As on the board {self.target.title}"

    def do(self, operation: Command) -> bool:
        """Add an operation; one that does not fit is noted as left over."""
        self.draft.begin()
        try:
            carry_out(self.draft, operation)
        except CommandError as error:
            self.left.append(f"{operation.kind}: {error}")
            return False
        self.operations.append(operation)
        return True

    def propose(self, operation: Command, goal: RailDocument) -> bool:
        """Add an operation if it fits, and all that it changes is so in the goal."""
        self.draft.begin()
        try:
            carry_out(self.draft, operation)
        except CommandError:
            return False
        rows = self.draft.rows_written()
        if not rows or not all(same_rows(goal.get(*at), row) for at, row in rows.items()):
            self.draft.take_back()
            return False
        self.operations.append(operation)
        return True

    # What stands there now

    @property
    def mileposts(self) -> Mapping[str, Milepost]:
        """Return the mileposts by id; likewise the others."""
        return self.draft.rows("mileposts", Milepost)

    @property
    def junctions(self) -> Mapping[str, Junction]:
        """Return the junctions by id."""
        return self.draft.rows("junctions", Junction)

    @property
    def railroads(self) -> Mapping[str, Railroad]:
        """Return the railroads by id."""
        return self.draft.rows("railroads", Railroad)

    @property
    def track(self) -> Mapping[str, Track]:
        """Return the track pieces by id."""
        return self.draft.rows("track", Track)

    @property
    def cities(self) -> Mapping[str, City]:
        """Return the cities by id."""
        return self.draft.rows("cities", City)

    @property
    def regions(self) -> Mapping[str, Region]:
        """Return the regions by id."""
        return self.draft.rows("regions", Region)

    @property
    def index(self) -> Tracks:
        """Return the pieces by their ends and railroads."""
        return tracks(self.draft)

    def ways(self, railroad: str) -> Mapping[str, Way]:
        """Return the segments of a railroad."""
        return self.index.ways(railroad)

    def line(self, row: Track, start: str | None = None) -> Line:
        """Return the line of a piece, from `a` or from one of its ends."""
        ends = [self.mileposts.get(end) or self.junctions[end] for end in (row.a, row.b)]
        line = ((ends[0].lon, ends[0].lat), *row.bends, (ends[1].lon, ends[1].lat))
        return line if start in (None, row.a) else line[::-1]

    def same(self, row: Track, wanted: Piece) -> bool:
        """Return whether a piece is the same track as one of the target, whichever way their lines run."""
        if row.railroad != wanted.railroad or {row.a, row.b} != {wanted.a, wanted.b}:
            return False
        return rounded_line(self.line(row)) in (rounded_line(wanted.line), rounded_line(wanted.line[::-1]))


def line_between(piece: Piece, start: str) -> Line:
    """Return a piece's line from one of its ends."""
    return piece.line if piece.a == start else piece.line[::-1]


def rounded_line(line: Line) -> Line:
    """Return a line as operations can state it."""
    return tuple((round(lon, 5), round(lat, 5)) for lon, lat in line)
