"""Edits of a tracing stage, found by comparing it row by row with the stage as tracing makes it.

The lines of a stage differ from the drawing: they are joined already, and from `space` on they end at rounded places.
So an unchanged line is traced from its drawing, and only a line that differs by a metre is taken from the stage.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mapkit.core.base import Point
from mapkit.kinds.rail.model.stage import StageData, StageLine
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stages import resume_from_stage, run_stages

_DEGREE_DECIMALS = 5
_PIXEL_DECIMALS = 2


@dataclass(frozen=True)
class StageEdits:
    """Source before and after the edits of a stage; unedited lines are as drawn in both."""

    before: Source
    after: Source


def find_edits(source: Source, start: StageData) -> StageEdits | None:
    """Apply the edits of a stage to its source; return None where the stage is as tracing makes it.

    Args:
        source: What the stage was traced from.
        start: The stage, edited or not.

    Raises:
        SourceError: The stage is of another board, or the source cannot be traced.
    """
    source_after = resume_from_stage(source, start)
    traced_stage = run_stages(source, until=start.stage, many=True).data
    rows_before, rows_after = _group_lines_by_feature(traced_stage.lines), _group_lines_by_feature(start.lines)
    edited_features = {
        feature
        for feature in rows_before.keys() | rows_after.keys()
        if rows_before.get(feature) != rows_after.get(feature)
    }
    source_before = resume_from_stage(source, traced_stage)
    if not edited_features and _count_pins(source_before) == _count_pins(source_after):
        return None
    return StageEdits(
        _replace_features(source, source_before, edited_features),
        _replace_features(source, source_after, edited_features),
    )


def _group_lines_by_feature(lines: Iterable[StageLine]) -> Mapping[str, Counter[object]]:
    """Group the lines of a stage by feature, rounded to a metre or a hundredth of a pixel."""
    by_feature: defaultdict[str, Counter[object]] = defaultdict(Counter)
    for line in lines:
        if not line.station_list:
            decimals = _PIXEL_DECIMALS if line.pixels else _DEGREE_DECIMALS
            by_feature[line.feature][line.railroad, line.level, line.pixels, _round_points(line.line, decimals)] += 1
    return by_feature


def _round_points(points: Iterable[Point], decimals: int) -> tuple[Point, ...]:
    return tuple((round(x, decimals), round(y, decimals)) for x, y in points)


def _count_pins(source: Source) -> Counter[object]:
    """Count the points that fix mileposts, wherever their files have them."""
    return Counter(
        (
            p.name,
            p.pixels,
            *_round_points([(p.x, p.y)], _PIXEL_DECIMALS if p.pixels else _DEGREE_DECIMALS),
            *sorted(p.railroads),
        )
        for p in source.pinned
    )


def _replace_features(source: Source, stage: Source, features: Iterable[str]) -> Source:
    """Return a stage's source with the lines of all other features as they are drawn, in their order."""
    edited_features = frozenset(features)
    unedited_lines = tuple(line for line in source.traced if line.feature not in edited_features)
    return stage.model_copy(
        update={"traced": (*unedited_lines, *(line for line in stage.traced if line.feature in edited_features))}
    )
