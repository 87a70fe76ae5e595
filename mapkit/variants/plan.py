"""Operations being planned: each is carried out at once on a board in work, so the plan is true so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mapkit.model.board import Board, Piece, Segment
from mapkit.model.board_diff import BoardDiff
from mapkit.model.variant import Operation
from mapkit.variants.operations import carry_out
from mapkit.variants.work import OperationError, Work

Line = tuple[tuple[float, float], ...]


@dataclass
class Plan:
    """What leads from a board to `target`: the operations so far, and what no operation can say.

    Args:
        work: The board in work.
        target: Where it leads.
        diff: The difference that it is made from.
        reasons: `kind:id` of an element -> the step of the story that explains it.
    """

    work: Work
    target: Board
    diff: BoardDiff
    reasons: Mapping[str, str]
    operations: list[Operation] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    pieces: dict[str, Piece] = field(default_factory=dict)
    segments: dict[str, Segment] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pieces = {p.id: p for p in self.target.pieces}
        self.segments = {s.id: s for s in self.target.segments}

    def why(self, *elements: str) -> str:
        """Return the step that explains one of the elements, or that the other board has it so."""
        found = next((self.reasons[e] for e in elements if self.reasons.get(e)), "")
        return found[:5000] or f"As on the board {self.target.title}"

    def do(self, operation: Operation) -> bool:
        """Add an operation; one that does not fit is noted as left over."""
        try:
            carry_out(self.work, operation)
        except OperationError as error:
            self.left.append(f"{operation.op}: {error}")
            return False
        self.operations.append(operation)
        return True


def line_between(piece: Piece, start: str) -> Line:
    """Return a piece's line from one of its ends."""
    return piece.line if piece.a == start else piece.line[::-1]


def same_piece(one: Piece, other: Piece) -> bool:
    """Return whether two pieces are the same track, whichever way their lines run."""
    if one.railroad != other.railroad or {one.a, one.b} != {other.a, other.b}:
        return False
    return rounded_line(one.line) in (rounded_line(other.line), rounded_line(other.line[::-1]))


def rounded_line(line: Line) -> Line:
    """Return a line as operations can state it."""
    return tuple((round(lon, 5), round(lat, 5)) for lon, lat in line)
