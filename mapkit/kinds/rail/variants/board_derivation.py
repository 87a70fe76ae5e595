"""Derivation of the operations between two boards: rows of the tables, each with the commands that say its changes."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mapkit.core.base import Frozen, Point
from mapkit.core.names import joined_id
from mapkit.document.command import Command
from mapkit.document.document import ordered
from mapkit.kinds.rail.commands.on_track.mileposts import AddJunction, AddMilepost, DeleteJunction
from mapkit.kinds.rail.commands.on_track.pieces import tracks
from mapkit.kinds.rail.commands.on_track.segments import AddPiece, DeletePiece, DeleteSegments
from mapkit.kinds.rail.commands.places import DeletePlace, MovePlace, RenamePlace
from mapkit.kinds.rail.commands.railroads import AddRailroad, DeleteRailroad, EditRailroad, RailroadFields
from mapkit.kinds.rail.commands.regions import AddRegion, DeleteRegion, EditRegion, RegionFields
from mapkit.kinds.rail.model.board import Board, Segment
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.tables import RailDocument, Railroad, Track
from mapkit.variants.deriving import Derivation

Line = tuple[Point, ...]


@dataclass
class BoardDerivation(Derivation[RailDocument]):
    """Operations that lead from a board to another.

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
        """Return the step that explains one of the elements, or that the other board has it so."""
        found = next((self.reasons[e] for e in elements if self.reasons.get(e)), "")
        return found[:5000] or f"As on the board {self.target.title}"

    @property
    def track(self) -> Mapping[str, Track]:
        """Return the pieces that there are now."""
        return self.draft.rows("track", Track)

    def remove_rows(self, table: str, what: str, make: Callable[..., Command]) -> None:
        """Remove the rows that the goal has not."""
        goal = self.goal.table(table)
        for key in sorted(key for key in self.draft.table(table) if key not in goal):
            self.do(make(key, reason=self.why(f"{what}:{key}")))

    def edit_row(self, table: str, key: str, what: str, command: type[Command], fields: type[Frozen]) -> None:
        """Change the fields of a row that are otherwise in the goal; the command expects what they were."""
        now, goal = self.draft.table(table)[key], self.goal.table(table)[key]
        was = {name: getattr(now, name) for name in fields.model_fields if getattr(now, name) != getattr(goal, name)}
        if was:
            values = {name: getattr(goal, name) for name in was}
            given = {"id": key, "was": fields.model_validate(was), "reason": self.why(f"{what}:{key}"), **values}
            self.do(command.model_validate(given))

    def add_rows(self, table: str, what: str, command: type[Command]) -> None:
        """Add the rows that are not there; the command has fields of their names."""
        for key, row in ordered(self.goal.table(table)):
            if key not in self.draft.table(table):
                given = {name: value for name, value in row if name in command.model_fields}
                self.do(command.model_validate({"id": key, "reason": self.why(f"{what}:{key}"), **given}))


def derive_regions(plan: BoardDerivation) -> None:
    """Derive new and changed regions; old ones go after their cities have."""
    for key, _ in ordered(plan.goal.regions):
        if key in plan.draft.table("regions"):
            plan.edit_row("regions", key, "region", EditRegion, RegionFields)
    plan.add_rows("regions", "region", AddRegion)


def derive_old_regions(plan: BoardDerivation) -> None:
    """Derive the removal of regions."""
    plan.remove_rows("regions", "region", lambda key, reason: DeleteRegion(id=key, reason=reason))


def derive_changed_mileposts(plan: BoardDerivation) -> None:
    """Derive mileposts that are renamed and moved."""
    for key, new in plan.goal.mileposts.items():
        old: Any = plan.draft.table("mileposts").get(key)
        if old is None:
            continue
        why = plan.why(f"milepost:{key}")
        if old.name != new.name:
            plan.do(RenamePlace(place=key, name=new.name, was=old.name, reason=why))
        there = rounded_point((new.lon, new.lat))
        if rounded_point((old.lon, old.lat)) != there:
            plan.do(MovePlace(place=key, lon=there[0], lat=there[1], was=(old.lon, old.lat), reason=why))


def derive_new_mileposts(plan: BoardDerivation) -> None:
    """Derive mileposts that no section takes in; track is led to them later."""
    plan.add_rows("mileposts", "milepost", AddMilepost)


def derive_old_mileposts(plan: BoardDerivation) -> None:
    """Derive the removal of mileposts, after their cities and track."""
    plan.remove_rows("mileposts", "milepost", lambda key, reason: DeletePlace(place=key, track="remove", reason=reason))


def railroad_fields(row: Railroad) -> dict[str, object]:
    """Return what an operation says of a railroad, id apart."""
    return row.model_dump(exclude={"rank"})


def derive_railroads(plan: BoardDerivation) -> None:
    """Derive railroads: old ones go with their track, new ones come without, others change."""
    plan.remove_rows("railroads", "railroad", lambda key, reason: DeleteRailroad(id=key, reason=reason))
    for key in sorted(plan.draft.table("railroads")):
        # Two railroads may exchange their marks: no two have one mark at any time.
        wanted = plan.goal.railroads[key]
        there = plan.draft.rows("railroads", Railroad)
        holder = next((other for other, row in there.items() if row.short == wanted.short), key)
        if holder != key:
            used = {row.short for row in (*there.values(), *plan.goal.railroads.values())}
            spare = next(mark for n in range(len(used) + 1) if (mark := f"{holder} {n}") not in used)
            plan.do(EditRailroad(id=holder, short=spare, reason=f"Its mark goes to {wanted.name}"))
        plan.edit_row("railroads", key, "railroad", EditRailroad, RailroadFields)
    plan.add_rows("railroads", "railroad", AddRailroad)


def derive_removed_segments(plan: BoardDerivation) -> None:
    """Derive whole segments that went, step by step of the story; their railroads stay."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for key, row in sorted(plan.track.items()):
        if key not in plan.goal.track and key not in plan.segments and key in tracks(plan.draft).ways(row.railroad):
            by_reason[plan.why(f"segment:{key}")].append(key)
    for why, segments in by_reason.items():
        plan.do(DeleteSegments(segments=tuple(segments), reason=why))


def derive_track(plan: BoardDerivation) -> None:
    """Derive the pieces and junctions that still differ."""
    junctions: Mapping[str, Any] = plan.draft.table("junctions")
    goals = plan.goal.junctions

    def place(row: Any) -> tuple[object, ...]:  # noqa: ANN401 - a junction
        return row.railroad, *rounded_point((row.lon, row.lat))

    stale = {key for key, row in junctions.items() if key not in goals or place(row) != place(goals[key])}
    owners = _owners(plan)
    for key, row in sorted(plan.track.items()):
        if key not in plan.goal.track or not _is_same_piece(plan, key, row) or {row.a, row.b} & stale:
            plan.do(DeletePiece(id=key, reason=plan.why(f"segment:{key}", *owners.get(key, ()))))
    for key in sorted(stale):
        plan.do(DeleteJunction(id=key, reason=plan.why(f"junction:{key}")))
    plan.add_rows("junctions", "junction", AddJunction)
    for key, new in plan.goal.track.items():
        if key not in plan.track:
            given = None if not new.bends and new.a != new.b else _rounded_line(plan.goal, new)
            is_usual = joined_id(new.railroad, *sorted((new.a, new.b))) == key
            is_usual = is_usual and {new.a, new.b} <= {*plan.draft.table("mileposts")}
            own = None if is_usual else key
            why = plan.why(*owners.get(key, ()))
            plan.do(AddPiece(railroad=new.railroad, a=new.a, b=new.b, line=given, id=own, reason=why))


def _owners(plan: BoardDerivation) -> dict[str, list[str]]:
    """Return piece -> its segments on either board, as `segment:id`."""
    out: dict[str, list[str]] = {}
    for segment in (*plan.base.segments, *plan.target.segments):
        for piece in segment.pieces:
            out.setdefault(piece, []).append(f"segment:{segment.id}")
    return out


def _is_same_piece(plan: BoardDerivation, key: str, row: Track) -> bool:
    """Return whether a piece is the same track as that of the goal, whichever way their lines run."""
    wanted = plan.goal.track[key]
    if row.railroad != wanted.railroad or {row.a, row.b} != {wanted.a, wanted.b}:
        return False
    line = _rounded_line(plan.goal, wanted)
    return _rounded_line(plan.draft, row) in (line, line[::-1])


def _rounded_line(where: Any, row: Track) -> Line:  # noqa: ANN401 - a draft or document
    """Return the line of a piece from `a` to `b`, as operations can state it."""
    ends = [where.table("mileposts").get(end) or where.table("junctions")[end] for end in (row.a, row.b)]
    line = ((ends[0].lon, ends[0].lat), *row.bends, (ends[1].lon, ends[1].lat))
    return tuple(rounded_point(point) for point in line)


def rounded_point(point: Point) -> Point:
    """Return a point as operations can state it."""
    return round(point[0], 5), round(point[1], 5)
