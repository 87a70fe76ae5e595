"""What somebody changed in a stage of tracing: it is compared, row by row, with the stage as tracing makes it.

A stage is not the drawing: its lines are joined already, and from `space` on they end at rounded places. So a line that
nobody changed is traced from its drawing, and only one that differs by a metre is taken from the stage.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mapkit.core.base import Point
from mapkit.kinds.rail.model.stage import StageData, StageLine
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stages import resumed, run_stages

_DEGREES = 5
_PIXELS = 2


@dataclass(frozen=True)
class Edited:
    """A source before and after the edits of a stage; what nobody edited is in both as it is drawn."""

    before: Source
    after: Source


def find_edits(source: Source, start: StageData) -> Edited | None:
    """Return what the edits of a stage make of a source; None where it is as tracing makes it.

    Args:
        source: What the stage was traced from.
        start: The stage, edited or not.

    Raises:
        SourceError: The stage is of another board, or the source cannot be traced.
    """
    after = resumed(source, start)
    made = run_stages(source, until=start.stage, many=True).data
    was, now = _rows(made.lines), _rows(start.lines)
    features = {feature for feature in was.keys() | now.keys() if was.get(feature) != now.get(feature)}
    before = resumed(source, made)
    if not features and _points(before) == _points(after):
        return None
    return Edited(_mixed(source, before, features), _mixed(source, after, features))


def _rows(lines: Iterable[StageLine]) -> Mapping[str, Counter[object]]:
    """Return the lines of each feature to a metre, or a hundredth of a pixel."""
    out: defaultdict[str, Counter[object]] = defaultdict(Counter)
    for line in lines:
        if not line.station_list:
            decimals = _PIXELS if line.pixels else _DEGREES
            out[line.feature][line.railroad, line.level, line.pixels, _rounded(line.line, decimals)] += 1
    return out


def _rounded(points: Iterable[Point], decimals: int) -> tuple[Point, ...]:
    return tuple((round(x, decimals), round(y, decimals)) for x, y in points)


def _points(source: Source) -> Counter[object]:
    """Return the points that fix mileposts; where a file has them counts for nothing."""
    return Counter(
        (p.name, p.pixels, *_rounded([(p.x, p.y)], _PIXELS if p.pixels else _DEGREES), *sorted(p.railroads))
        for p in source.pinned
    )


def _mixed(source: Source, stage: Source, features: Iterable[str]) -> Source:
    """Return a stage's source with the lines of all other features as they are drawn, in their order."""
    changed = frozenset(features)
    own = tuple(line for line in source.traced if line.feature not in changed)
    return stage.model_copy(update={"traced": (*own, *(line for line in stage.traced if line.feature in changed))})
