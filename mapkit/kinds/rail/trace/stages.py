"""Tracing in stages, each from the result of the previous one.

```
import        lines and points as the files of the source package have them
georeference  those in pixels placed by control points
node          lines joined where they meet; junctions; repairs
space         mileposts by rule; lines cut into track pieces
segment       from milepost to milepost, through junctions
```

A stage's data can replace the files: repeating an earlier stage has no effect, so the later stages give the same
network as all stages at once.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mapkit.core.errors import SourceError
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.kinds.rail.model.network import Network, NetworkJunction, NetworkMilepost
from mapkit.kinds.rail.model.source import PinnedPoint, SpacingConfig, TracedLine
from mapkit.kinds.rail.model.stage import (
    STAGES,
    PointKind,
    Stage,
    StageCounts,
    StageData,
    StageLine,
    StagePoint,
    StageSegment,
    TraceReport,
    origin_kind,
)
from mapkit.kinds.rail.trace.georeferencing.placing import place_source
from mapkit.kinds.rail.trace.joined_lines import JoinedLines, note_sort_key
from mapkit.kinds.rail.trace.noding.summary import NodingStats
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stations import trace_stations

_JOIN_TITLES = {
    "milepost": "mileposts on lines",
    "shared milepost": "mileposts shared by railroads",
    "junction": "junctions",
    "through": "lines joined end to end or doubled",
}


@dataclass(frozen=True)
class TracingResult:
    """Result of tracing: the last stage's data, and the counts of each stage."""

    data: StageData
    report: TraceReport


def run_stages(
    source: Source,
    *,
    until: Stage = "segment",
    start: StageData | None = None,
    many: bool = True,
    progress: Callable[[str], None] = lambda _stage: None,
) -> TracingResult:
    """Run the stages up to one of them.

    Args:
        source: A source package.
        until: The last stage to run.
        start: Result of an earlier stage, perhaps edited since; its lines and points replace those of the files.
        many: Whether more than `MANY_MILEPOSTS` may be placed by rule.
        progress: Called with the name of each stage as it begins.

    Raises:
        SourceError: The stages do not follow each other, or something in lines, points or control points is wrong.
    """
    first_stage = 0
    if start is not None:
        source = resume_from_stage(source, start)
        first_stage = STAGES.index(start.stage) + 1
        if STAGES.index(until) < first_stage:
            raise SourceError(
                f"the file has the stage {start.stage!r}, so {until!r} is done already; choose a later stage"
            )
    base_network = trace_stations(source)
    stage_counts: list[StageCounts] = []
    stage_data = start or imported(source, base_network)
    joined: JoinedLines | None = None
    for stage in STAGES[first_stage : STAGES.index(until) + 1]:
        progress(stage)
        previous_data = stage_data
        if stage == "georeference":
            source = place_source(source)
        if stage in ("node", "space", "segment") and joined is None and source.traced:
            joined = JoinedLines(place_source(source), base_network)
        stage_data = _run_stage(stage, source, base_network, joined, many=many)
        stage_counts.append(_count_stage(stage_data, previous_data, joined if stage == "node" else None))
    return TracingResult(stage_data, TraceReport(board=source.id, stages=tuple(stage_counts)))


def resume_from_stage(source: Source, start: StageData) -> Source:
    """Return the source with the lines and points of a stage instead of its own.

    Raises:
        SourceError: The stage is of another board, or names a railroad that the board does not have.
    """
    if start.board != source.id:
        raise SourceError(f"the file is of the board {start.board!r}, not {source.id!r}; give the file of this board")
    known_railroads = source.railroads.keys()
    problems = [
        f"{line.feature or 'a line'}: railroad {line.railroad!r} is not in railroads.csv; correct it"
        for line in start.lines
        if line.railroad not in known_railroads
    ]
    problems += [
        f"{point.feature or point.name or 'a point'}: railroad {railroad!r} is not in railroads.csv; correct it"
        for point in start.points
        for railroad in point.railroads
        if railroad not in known_railroads
    ]
    if problems:
        raise SourceError(problems)
    traced_lines = tuple(
        TracedLine(feature=r.feature, railroad=r.railroad, line=r.line, level=r.level, pixels=r.pixels)
        for r in start.lines
        if not r.station_list
    )
    pinned_points = tuple(
        PinnedPoint(
            feature=p.feature,
            name=p.name,
            x=p.x,
            y=p.y,
            railroads=p.railroads,
            pixels=p.pixels,
            generated=p.how == "generated",
        )
        for p in start.points
        if p.pinned and p.kind in ("city", "dot")
    )
    changed_fields: dict[str, object] = {"traced": traced_lines, "pinned": pinned_points, "import_notes": start.notes}
    if start.stage in ("space", "segment"):
        changed_fields["config"] = source.config.model_copy(update={"spacing": SpacingConfig()})
    return source.model_copy(update=changed_fields)


def imported(source: Source, base: Network) -> StageData:
    """Return the lines and points of a source package, and those of its station lists."""
    stage_lines = [
        StageLine(feature=r.feature, railroad=r.railroad, level=r.level, line=r.line, pixels=r.pixels)
        for r in source.traced
    ]
    stage_points = [
        StagePoint(
            feature=p.feature,
            name=p.name,
            kind="dot",
            x=p.x,
            y=p.y,
            railroads=p.railroads,
            pixels=p.pixels,
            how="generated" if p.generated else "traced",
            pinned=True,
        )
        for p in source.pinned
    ]
    return StageData(
        board=source.id,
        stage="import",
        lines=(*stage_lines, *_listed_lines(base)),
        points=(*stage_points, *_make_points(base, pinned=False)),
        notes=tuple(sorted(source.import_notes, key=note_sort_key)),
    )


def _listed_lines(base: Network) -> list[StageLine]:
    return [
        StageLine(
            feature=piece.origin.where,
            railroad=piece.railroad,
            line=piece.line,
            id=piece.id,
            a=piece.a,
            b=piece.b,
            station_list=True,
        )
        for piece in base.pieces
    ]


def _make_points(network: Network, *, pinned: bool) -> list[StagePoint]:
    """Return mileposts and junctions; pinned mileposts come with the railroads of the track to them."""
    stops_at: defaultdict[str, set[str]] = defaultdict(set)
    for piece in network.pieces if pinned else ():
        stops_at[piece.a].add(piece.railroad)
        stops_at[piece.b].add(piece.railroad)
    milepost_points = [_make_point(m, m.kind, sorted(stops_at[m.id]), pinned=pinned) for m in network.mileposts]
    return milepost_points + [_make_point(j, "junction", [j.railroad], pinned=False) for j in network.junctions]


def _make_point(
    node: NetworkMilepost | NetworkJunction, kind: PointKind, railroads: Iterable[str], *, pinned: bool
) -> StagePoint:
    return StagePoint(
        feature=node.origin.where if node.origin.file is not None else "",
        name=node.name,
        kind=kind,
        x=node.lon,
        y=node.lat,
        railroads=tuple(railroads),
        how=origin_kind(node.origin.how),
        pinned=pinned,
    )


def _run_stage(stage: Stage, source: Source, base: Network, joined: JoinedLines | None, *, many: bool) -> StageData:
    imported_data = imported(source, base)
    if joined is None:
        segments = _make_segments(base) if stage == "segment" else ()
        return imported_data.model_copy(update={"stage": stage, "segments": segments})
    if stage == "node":
        return StageData(
            board=source.id,
            stage=stage,
            lines=(*joined.joined_lines(), *_listed_lines(base)),
            points=tuple(joined.joined_points()),
            notes=tuple(sorted(set(joined.notes(None)), key=note_sort_key)),
        )
    spaced_network = joined.space(many=many)
    full_network = joined.network(spaced_network)
    return StageData(
        board=source.id,
        stage=stage,
        lines=(*joined.cut_lines(spaced_network), *_listed_lines(base)),
        points=tuple(_make_points(full_network, pinned=True)),
        segments=_make_segments(full_network) if stage == "segment" else (),
        notes=full_network.notes,
    )


def _make_segments(network: Network) -> tuple[StageSegment, ...]:
    line_by_piece = {piece.id: piece.line for piece in network.pieces}
    return tuple(
        StageSegment(
            id=s.id,
            railroad=s.railroad,
            a=s.a,
            b=s.b,
            miles=s.miles,
            feature=s.origin.where,
            lines=tuple(line_by_piece[piece] for piece in s.pieces),
        )
        for s in network.segments
    )


def _count_stage(data: StageData, last_stage: StageData, joined: JoinedLines | None) -> StageCounts:
    """Count the elements of a stage, and the changes since the previous one."""
    has_pixels = any(line.pixels for line in data.lines)
    return StageCounts(
        stage=data.stage,
        lines=len(data.lines),
        vertices=sum(len(line.line) for line in data.lines),
        miles=None if has_pixels else round(sum(line_miles(line.line) for line in data.lines), 1),
        mileposts=sum(point.kind in ("city", "dot") for point in data.points),
        changes=dict(sorted((_count_joins(joined.stats()) if joined else _count_changes(data, last_stage)).items())),
        sizes={t.kind: round(t.size / METRES_PER_MILE, 2) for t in joined.stats().repairs} if joined else {},
    )


def _count_joins(stats: NodingStats) -> Counter[str]:
    """Return joins, repairs and doubts of noding, and loose ends, by kind."""
    change_counts = Counter({_JOIN_TITLES[t.kind]: t.count for t in stats.joins})
    change_counts.update({t.kind: t.count for t in (*stats.repairs, *stats.ambiguities)})
    return change_counts + Counter({"ends of lines": stats.loose_ends})


def _count_changes(data: StageData, last_stage: StageData) -> Counter[str]:
    if data.stage == "georeference":
        pixel_count = sum(line.pixels for line in last_stage.lines) + sum(point.pixels for point in last_stage.points)
        return Counter({"placed by control points": pixel_count} if pixel_count else {})
    if data.stage == "segment":
        return Counter({"segments": len(data.segments)})
    change_counts: Counter[str] = Counter()
    earlier_notes = set(last_stage.notes)
    for note in data.notes:
        if note not in earlier_notes:
            change_counts[note.what or note.kind] += 1
    counts_now, counts_before = (Counter[str](point.kind for point in stage.points) for stage in (data, last_stage))
    for kind, name in (("junction", "junctions"), ("end", "ends of lines"), ("dot", "new mileposts")):
        if (added_count := counts_now[kind] - counts_before[kind]) > 0:
            change_counts[name] += added_count
    return change_counts
