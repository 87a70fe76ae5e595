"""Planning what a person did as one operation, where that operation gives just what the other board has."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from mapkit.core.names import joined_id
from mapkit.kinds.rail.commands.lines import AddLine
from mapkit.kinds.rail.commands.on_track.mileposts import InsertMilepost
from mapkit.kinds.rail.commands.on_track.polylines import cut
from mapkit.kinds.rail.commands.on_track.segments import DeleteSegments, ReassignSegments
from mapkit.kinds.rail.commands.places import DeletePlace
from mapkit.kinds.rail.commands.railroads import AddRailroad, MergeRailroads, SplitRailroad
from mapkit.kinds.rail.model.board import Milepost, Piece, Segment
from mapkit.kinds.rail.tables import Track
from mapkit.kinds.rail.variants.plan.plan import DifferencePlan, Line, line_between, rounded_line
from mapkit.kinds.rail.variants.plan.track import says
from mapkit.kinds.rail.variants.stretches import lines_of

_TWO = 2


def plan_deeds(plan: DifferencePlan) -> None:
    """Plan mergers, splits, reassigned segments, mileposts in and out of sections."""
    _mergers(plan)
    _splits(plan)
    _reassigned(plan)
    for milepost in plan.target.mileposts:
        if milepost.id not in plan.mileposts:
            _insert(plan, milepost)
    kept = {m.id for m in plan.target.mileposts}
    for ident in sorted(set(plan.mileposts) - kept):
        _take_out(plan, ident)


def plan_lines(plan: DifferencePlan) -> None:
    """Plan lines that went, and new ones beside track that is there."""
    _removed(plan)
    _new_lines(plan)


def _simple(plan: DifferencePlan, railroad: str) -> list[tuple[str, str, Track]]:
    """Return the segments of a railroad that are one piece each, between mileposts: its id, the piece's, the piece."""
    ways = sorted(plan.ways(railroad).items())
    return [(ident, way[2][0], plan.track[way[2][0]]) for ident, way in ways if len(way[2]) == 1]


def _there(plan: DifferencePlan, railroad: str, piece: Track) -> bool:
    """Return whether the other board has this track as a railroad's, under the id that giving it away would make."""
    wanted = plan.pieces.get(joined_id(railroad, piece.a, piece.b))
    return wanted is not None and (wanted.a, wanted.b, wanted.line) == (piece.a, piece.b, plan.line(piece))


def _mergers(plan: DifferencePlan) -> None:
    wanted = {r.id: r for r in plan.target.railroads}
    gone = [ident for ident in sorted(plan.railroads) if ident not in wanted]
    for ident in gone:
        own = [plan.track[p] for p in sorted(plan.index.of_railroad.get(ident, ()))]
        if any({p.a, p.b} & set(plan.junctions) for p in own):
            continue
        for into in sorted(set(wanted) & set(plan.railroads)):
            joined = {frozenset((a, b)) for a, b, _ in plan.ways(into).values()}
            rest = [p for p in own if frozenset((p.a, p.b)) not in joined]
            if rest and all(_there(plan, into, p) for p in rest):
                plan.do(
                    MergeRailroads(
                        railroads=(into, ident),
                        into=into,
                        price=wanted[into].price,
                        reason=plan.why(f"railroad:{ident}"),
                    )
                )
                break


def _splits(plan: DifferencePlan) -> None:
    marks = {r.short for r in plan.railroads.values()}
    for new in plan.target.railroads:
        if new.id in plan.railroads or new.short in marks:
            continue
        for old in sorted(plan.railroads):
            chosen = [i for i, p, row in _simple(plan, old) if p not in plan.pieces and _there(plan, new.id, row)]
            if not chosen:
                continue
            head = {"id": new.id, "reason": plan.why(f"railroad:{new.id}"), **says(new)}
            if len(chosen) == len(plan.ways(old)) and old in {r.id for r in plan.target.railroads}:
                # All of its track: a railroad without track is still one.
                plan.do(AddRailroad.model_validate(head))
                _reassign(plan, chosen, new.id)
            else:
                plan.do(SplitRailroad.model_validate({"railroad": old, "segments": tuple(chosen), **head}))
            marks.add(new.short)
            break


def _reassigned(plan: DifferencePlan) -> None:
    known = {r.id for r in plan.target.railroads}
    chosen: dict[tuple[str, str], list[str]] = defaultdict(list)
    taken: set[str] = set()
    for change in plan.diff.of("segment", "changed"):
        wanted = plan.segments[change.id]
        for old in sorted(plan.railroads):
            ident = change.a or ""
            way = plan.ways(old).get(ident)
            if way is None or old == wanted.railroad or len(way[2]) != 1 or wanted.railroad not in known:
                continue
            piece = plan.track[way[2][0]]
            target = joined_id(wanted.railroad, piece.a, piece.b)
            if target not in plan.track and target not in taken and _there(plan, wanted.railroad, piece):
                chosen[old, wanted.railroad].append(ident)
                taken.add(target)
    for (_, new), segments in sorted(chosen.items()):
        if new in plan.railroads:
            _reassign(plan, segments, new)


def _reassign(plan: DifferencePlan, segments: Sequence[str], railroad: str) -> None:
    new = [s.split("--", 1)[1] for s in segments]
    why = plan.why(*(f"segment:{railroad}--{s}" for s in new))
    plan.do(ReassignSegments(segments=tuple(segments), railroad=railroad, reason=why))


def _arms(plan: DifferencePlan, milepost: str) -> dict[str, list[Piece]]:
    """Return the pieces of the other board at a milepost by railroad."""
    out: dict[str, list[Piece]] = defaultdict(list)
    for piece in plan.target.pieces:
        if milepost in (piece.a, piece.b):
            out[piece.railroad].append(piece)
    return out


def _insert(plan: DifferencePlan, milepost: Milepost) -> None:
    """Plan a milepost that stands in a section of each railroad at it, if the track stays where it was."""
    point = (round(milepost.lon, 5), round(milepost.lat, 5))
    chosen: list[str] = []
    for railroad, arms in sorted(_arms(plan, milepost.id).items()):
        if len(arms) != _TWO:
            continue
        far = [p.b if p.a == milepost.id else p.a for p in arms]
        for ident, key, piece in _simple(plan, railroad) if railroad in plan.railroads else ():
            if sorted(far) == [piece.a, piece.b] and key not in plan.pieces:
                start, end = arms if far[0] == piece.a else arms[::-1]
                halves = cut(plan.line(piece), point)
                if halves == (line_between(start, piece.a), line_between(end, milepost.id)):
                    chosen.append(ident)
                    break
    if chosen:
        plan.do(
            InsertMilepost(
                id=milepost.id,
                name=milepost.name,
                segments=tuple(chosen),
                lon=point[0],
                lat=point[1],
                reason=plan.why(f"milepost:{milepost.id}"),
            )
        )


def _take_out(plan: DifferencePlan, ident: str) -> None:
    """Plan a milepost that goes from the sections of its railroads, if their track stays where it was."""
    if any(city.milepost == ident for city in plan.cities.values()):
        return
    by_railroad: dict[str, list[Track]] = defaultdict(list)
    for arm in plan.index.arms(ident):
        by_railroad[plan.track[arm].railroad].append(plan.track[arm])
    for railroad, arms in by_railroad.items():
        if len(arms) != _TWO:
            return
        far = [p.b if p.a == ident else p.a for p in arms]
        wanted = plan.pieces.get(joined_id(railroad, min(far), max(far)))
        if wanted is None or wanted.id in plan.track:
            return
        joined: Line = (*plan.line(arms[0], far[0]), *plan.line(arms[1], ident)[1:])
        if rounded_line(joined) != rounded_line(line_between(wanted, far[0])):
            return
    if by_railroad:
        plan.do(DeletePlace(place=ident, track="join", reason=plan.why(f"milepost:{ident}")))


def _removed(plan: DifferencePlan) -> None:
    """Plan whole segments that went, step by step of the story; their railroads stay."""
    kept = {r.id for r in plan.target.railroads}
    by_reason: dict[str, list[str]] = defaultdict(list)
    for railroad in sorted(set(plan.railroads) & kept):
        for ident, key, _ in _simple(plan, railroad):
            if key not in plan.pieces and ident not in plan.segments:
                by_reason[plan.why(f"segment:{ident}")].append(ident)
    for why, segments in by_reason.items():
        plan.do(DeleteSegments(segments=tuple(segments), reason=why))


def _new_lines(plan: DifferencePlan) -> None:
    """Plan lines that run beside track that is there."""
    wanted: list[Segment] = []
    for change in plan.diff.of("segment", "added"):
        segment = plan.segments[change.id]
        ready = segment.railroad in plan.railroads and {segment.a, segment.b} <= set(plan.mileposts)
        if ready and segment.pieces == (segment.id,) and segment.id not in plan.track:
            wanted.append(segment)
    for stretch in lines_of(wanted):
        along = _along(plan, stretch.railroad, stretch.places)
        if along is not None:
            why = plan.why(*(f"segment:{s}" for s in stretch.segments))
            plan.do(AddLine(railroad=stretch.railroad, stops=stretch.places, along=along, reason=why))


def _along(plan: DifferencePlan, railroad: str, places: Sequence[str]) -> str | None:
    """Return the railroad beside whose track the other board has just this line, the first by id."""
    for other in sorted(plan.railroads):
        if other != railroad and all(_beside(plan, railroad, other, a, b) for a, b in pairwise(places)):
            return other
    return None


def _beside(plan: DifferencePlan, railroad: str, other: str, a: str, b: str) -> bool:
    start, end = min(a, b), max(a, b)
    found = plan.index.at.get(a, set()) & plan.index.at.get(b, set())
    own = sorted(p for p in found if plan.track[p].railroad == other)
    wanted = plan.pieces.get(joined_id(railroad, start, end))
    return bool(own) and wanted is not None and plan.line(plan.track[own[0]], start) == wanted.line
