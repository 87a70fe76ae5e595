"""Derivation of the operations between two boards: differing rows of the tables, and the commands that change them."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mapkit.core.base import Frozen, Point
from mapkit.core.names import joined_id
from mapkit.document.command import Command
from mapkit.document.document import sort_rows
from mapkit.kinds.rail.commands.on_track.mileposts import AddJunction, AddMilepost
from mapkit.kinds.rail.commands.on_track.pieces import track_index
from mapkit.kinds.rail.commands.on_track.segments import AddPiece, DeletePiece, DeleteSegments
from mapkit.kinds.rail.commands.places import DeletePlace, EditPlace, PlaceFields
from mapkit.kinds.rail.commands.railroads import AddRailroad, DeleteRailroad, EditRailroad, RailroadFields
from mapkit.kinds.rail.commands.regions import AddRegion, DeleteRegion, EditRegion, RegionFields
from mapkit.kinds.rail.model.board import Board, Segment
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.tables import RailDocument, Railroad, Track
from mapkit.variants.deriving import Derivation

Line = tuple[Point, ...]


@dataclass
class BoardDerivation(Derivation[RailDocument]):
    """Operations that lead from one board to another.

    Args:
        base: The board before.
        target: The board after; `goal` is its document.
        diff: Their difference.
        reasons: `kind:id` of an element -> the step of the story that explains it.
    """

    base: Board = field(kw_only=True)
    target: Board = field(kw_only=True)
    diff: BoardDiff = field(kw_only=True)
    reasons: Mapping[str, str] = field(kw_only=True)
    segments: dict[str, Segment] = field(init=False)
    """The segments of the target."""

    def __post_init__(self) -> None:
        self.segments = {segment.id: segment for segment in self.target.segments}

    def why(self, *elements: str) -> str:
        """Return the step that explains one of the elements, or a reference to the other board."""
        step_text = next((self.reasons[e] for e in elements if self.reasons.get(e)), "")
        return step_text[:5000] or f"As on the board {self.target.title}"

    @property
    def track(self) -> Mapping[str, Track]:
        """Return the track pieces of the draft."""
        return self.draft.rows("track", Track)

    def remove_rows(self, table: str, what: str, make: Callable[..., Command]) -> None:
        """Remove the rows that the goal does not have."""
        goal_rows = self.goal.table(table)
        for key in sorted(key for key in self.draft.table(table) if key not in goal_rows):
            self.do(make(key, reason=self.why(f"{what}:{key}")))

    def edit_row(self, table: str, key: str, what: str, command: type[Command], fields: type[Frozen]) -> None:
        """Change the fields of a row that differ in the goal; the command expects their former values."""
        draft_row, goal_row = self.draft.table(table)[key], self.goal.table(table)[key]
        former_values = {
            name: getattr(draft_row, name)
            for name in fields.model_fields
            if getattr(draft_row, name) != getattr(goal_row, name)
        }
        if former_values:
            new_values = {name: getattr(goal_row, name) for name in former_values}
            command_fields = {
                "id": key,
                "was": fields.model_validate(former_values),
                "reason": self.why(f"{what}:{key}"),
                **new_values,
            }
            self.do(command.model_validate(command_fields))

    def add_rows(self, table: str, what: str, command: type[Command]) -> None:
        """Add the rows that are missing; the command has fields of the same names."""
        for key, row in sort_rows(self.goal.table(table)):
            if key not in self.draft.table(table):
                command_fields = {name: value for name, value in row if name in command.model_fields}
                self.do(command.model_validate({"id": key, "reason": self.why(f"{what}:{key}"), **command_fields}))


def derive_regions(plan: BoardDerivation) -> None:
    """Derive new and changed regions; old ones go after their cities have."""
    for key, _ in sort_rows(plan.goal.regions):
        if key in plan.draft.table("regions"):
            plan.edit_row("regions", key, "region", EditRegion, RegionFields)
    plan.add_rows("regions", "region", AddRegion)


def derive_old_regions(plan: BoardDerivation) -> None:
    """Derive the removal of regions."""
    plan.remove_rows("regions", "region", lambda key, reason: DeleteRegion(id=key, reason=reason))


def derive_changed_mileposts(plan: BoardDerivation) -> None:
    """Derive mileposts that are renamed and moved."""
    for key, goal_row in plan.goal.mileposts.items():
        draft_row: Any = plan.draft.table("mileposts").get(key)
        if draft_row is None:
            continue
        why = plan.why(f"milepost:{key}")
        if draft_row.name != goal_row.name:
            plan.do(EditPlace(place=key, name=goal_row.name, was=PlaceFields(name=draft_row.name), reason=why))
        goal_point = rounded_point((goal_row.lon, goal_row.lat))
        if rounded_point((draft_row.lon, draft_row.lat)) != goal_point:
            was = PlaceFields(lon=draft_row.lon, lat=draft_row.lat)
            plan.do(EditPlace(place=key, lon=goal_point[0], lat=goal_point[1], was=was, reason=why))


def derive_new_mileposts(plan: BoardDerivation) -> None:
    """Derive mileposts that no section contains; track is laid to them later."""
    plan.add_rows("mileposts", "milepost", AddMilepost)


def derive_old_mileposts(plan: BoardDerivation) -> None:
    """Derive the removal of mileposts, after their cities and track."""
    plan.remove_rows("mileposts", "milepost", lambda key, reason: DeletePlace(place=key, track="remove", reason=reason))


def railroad_fields(row: Railroad) -> dict[str, object]:
    """Return the fields of a railroad in an operation, without its id."""
    return row.model_dump(exclude={"rank"})


def derive_railroads(plan: BoardDerivation) -> None:
    """Derive railroads: old ones are removed with their track, new ones are added without, others change."""
    plan.remove_rows("railroads", "railroad", lambda key, reason: DeleteRailroad(id=key, reason=reason))
    for key in sorted(plan.draft.table("railroads")):
        # Two railroads may exchange their marks: no two have one mark at any time.
        goal_row = plan.goal.railroads[key]
        railroad_rows = plan.draft.rows("railroads", Railroad)
        mark_holder = next(
            (railroad_id for railroad_id, row in railroad_rows.items() if row.short == goal_row.short), key
        )
        if mark_holder != key:
            used_marks = {row.short for row in (*railroad_rows.values(), *plan.goal.railroads.values())}
            spare_mark = next(
                mark for n in range(len(used_marks) + 1) if (mark := f"{mark_holder} {n}") not in used_marks
            )
            plan.do(EditRailroad(id=mark_holder, short=spare_mark, reason=f"Its mark goes to {goal_row.name}"))
        plan.edit_row("railroads", key, "railroad", EditRailroad, RailroadFields)
    plan.add_rows("railroads", "railroad", AddRailroad)


def derive_removed_segments(plan: BoardDerivation) -> None:
    """Derive the removal of whole segments, step by step of the story; their railroads stay."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for key, row in sorted(plan.track.items()):
        if (
            key not in plan.goal.track
            and key not in plan.segments
            and key in track_index(plan.draft).ways(row.railroad)
        ):
            by_reason[plan.why(f"segment:{key}")].append(key)
    for why, segments in by_reason.items():
        plan.do(DeleteSegments(segments=tuple(segments), reason=why))


def derive_track(plan: BoardDerivation) -> None:
    """Derive the pieces and junctions that still differ."""
    junctions: Mapping[str, Any] = plan.draft.table("junctions")
    goal_junctions = plan.goal.junctions

    def place(row: Any) -> tuple[object, ...]:  # noqa: ANN401 - a junction
        return row.railroad, *rounded_point((row.lon, row.lat))

    stale_junctions = {
        key for key, row in junctions.items() if key not in goal_junctions or place(row) != place(goal_junctions[key])
    }
    segments_by_piece: dict[str, list[str]] = {}
    for segment in (*plan.base.segments, *plan.target.segments):
        for piece in segment.pieces:
            segments_by_piece.setdefault(piece, []).append(f"segment:{segment.id}")
    for key, row in sorted(plan.track.items()):
        if key not in plan.goal.track or not _is_same_piece(plan, key, row) or {row.a, row.b} & stale_junctions:
            plan.do(DeletePiece(id=key, reason=plan.why(f"segment:{key}", *segments_by_piece.get(key, ()))))
    for key in sorted(stale_junctions):
        plan.do(DeletePlace(place=key, reason=plan.why(f"junction:{key}")))
    plan.add_rows("junctions", "junction", AddJunction)
    for key, goal_piece in plan.goal.track.items():
        if key not in plan.track:
            bent_line = (
                None if not goal_piece.bends and goal_piece.a != goal_piece.b else _rounded_line(plan.goal, goal_piece)
            )
            is_usual = joined_id(goal_piece.railroad, *sorted((goal_piece.a, goal_piece.b))) == key
            is_usual = is_usual and {goal_piece.a, goal_piece.b} <= {*plan.draft.table("mileposts")}
            piece_id = None if is_usual else key
            why = plan.why(*segments_by_piece.get(key, ()))
            plan.do(
                AddPiece(
                    railroad=goal_piece.railroad,
                    a=goal_piece.a,
                    b=goal_piece.b,
                    line=bent_line,
                    id=piece_id,
                    reason=why,
                )
            )


def _is_same_piece(plan: BoardDerivation, key: str, row: Track) -> bool:
    """Return whether a piece is the same track as that of the goal, in either direction."""
    goal_piece = plan.goal.track[key]
    if row.railroad != goal_piece.railroad or {row.a, row.b} != {goal_piece.a, goal_piece.b}:
        return False
    goal_line = _rounded_line(plan.goal, goal_piece)
    return _rounded_line(plan.draft, row) in (goal_line, goal_line[::-1])


def _rounded_line(where: Any, row: Track) -> Line:  # noqa: ANN401 - a draft or document
    """Return the line of a piece from `a` to `b`, rounded as in operations."""
    end_rows = [where.table("mileposts").get(end) or where.table("junctions")[end] for end in (row.a, row.b)]
    line = ((end_rows[0].lon, end_rows[0].lat), *row.bends, (end_rows[1].lon, end_rows[1].lat))
    return tuple(rounded_point(point) for point in line)


def rounded_point(point: Point) -> Point:
    """Return a point rounded as in operations."""
    return round(point[0], 5), round(point[1], 5)
