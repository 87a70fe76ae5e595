"""Notes on repairs of drawn lines: each repair at its place, then a sum for each kind."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.trace.noding.joining import Repair

_MIN_NOTED_MI: Final = 0.005
"""Smaller repairs would read 0.00 miles, and are not noted."""
_DOUBTFUL_SIZES: Final = {"doubled line": float("inf"), "short piece": 2.0, "spike": 2.0}
"""Sizes by kind, in snapping distances, above which a repair is doubtful; these sizes are lengths of line."""
_SIZE_UNITS: Final = dict.fromkeys(_DOUBTFUL_SIZES, "miles long") | {
    "near-duplicate": "miles apart",
    "gap": "miles wide",
}
"""What a size measures; those of other kinds are how far something was moved."""
_DOUBTFUL_MOVE: Final = 0.75
_MIN_SUMMED: Final = 2


def repair_notes(
    repairs: Sequence[Repair], places: Sequence[Point], features: Sequence[str], *, snap_mi: float
) -> Iterator[TraceNote]:
    """Yield notes on repairs; one that is large for the snapping distance is an ambiguity.

    Args:
        repairs: Sizes in metres.
        places: Where each is, degrees.
        features: The feature of each line that repairs name as their source.
        snap_mi: The snapping distance, miles.
    """
    sizes_by_class: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for repair, (lon, lat) in zip(repairs, places, strict=True):
        feature, miles = features[repair.source], repair.size / METRES_PER_MILE
        if miles < _MIN_NOTED_MI:
            continue
        sizes_by_class[feature.partition("#")[0], repair.kind].append(miles)
        is_large = miles > _DOUBTFUL_SIZES.get(repair.kind, _DOUBTFUL_MOVE) * snap_mi
        doubt_text = f"; that is much for snap_mi = {snap_mi:g}, so see whether it is meant" if is_large else ""
        yield TraceNote(
            kind="ambiguity" if is_large else "repair",
            what=repair.kind,
            message=f"{feature}: repaired: {repair.kind}, {_describe_size(repair.kind, f'{miles:.2f}')}{doubt_text}",
            feature=feature,
            lon=round(lon, 5),
            lat=round(lat, 5),
        )
    for (file, kind), sizes in sizes_by_class.items():
        if len(sizes) >= _MIN_SUMMED:
            yield TraceNote(
                kind="repair",
                what=kind,
                message=f"{file}: repaired {len(sizes):,} times: {kind}, "
                f"{_describe_size(kind, f'{min(sizes):.2f} to {max(sizes):.2f}')}",
                feature=file,
            )


def _describe_size(kind: str, miles: str) -> str:
    """Return a repair's size with what it measures."""
    return f"{miles} {_SIZE_UNITS[kind]}" if kind in _SIZE_UNITS else f"moved by {miles} miles"
