"""Segments joined to lines, listed by their places."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from mapkit.kinds.rail.model.board import Segment

_SEGMENTS_OF_THROUGH_MILEPOST = 2


@dataclass(frozen=True)
class Stretch:
    """Consecutive segments of one railroad, and their mileposts in order."""

    railroad: str
    places: tuple[str, ...]
    segments: tuple[str, ...]


def join_segments(segments: Iterable[Segment], *, stop: Callable[[str], bool] = lambda _place: False) -> list[Stretch]:
    """Join segments to lines, each used once, railroad by railroad.

    A line runs on through a milepost if just two of the segments meet there and `stop` does not hold for it. The
    order of the segments does not matter; lines start at the end whose id comes first.
    """
    stretches: list[Stretch] = []
    by_railroad: dict[str, list[Segment]] = defaultdict(list)
    for segment in sorted(segments, key=lambda s: s.id):
        by_railroad[segment.railroad].append(segment)
    for railroad, railroad_segments in sorted(by_railroad.items()):
        segments_by_milepost: dict[str, list[Segment]] = defaultdict(list)
        for segment in railroad_segments:
            segments_by_milepost[segment.a].append(segment)
            segments_by_milepost[segment.b].append(segment)
        line_ends = {
            p for p in segments_by_milepost if len(segments_by_milepost[p]) != _SEGMENTS_OF_THROUGH_MILEPOST or stop(p)
        }
        used_segments: set[str] = set()
        for start in [*sorted(line_ends), *sorted(segments_by_milepost)]:  # what is left after all ends are rings
            while (line := _follow_line(start, segments_by_milepost, line_ends, used_segments)) is not None:
                stretches.append(Stretch(railroad, *line))
    return stretches


def _follow_line(
    start: str, arms: dict[str, list[Segment]], ends: set[str], used: set[str]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the places and segments of the next line from a milepost, None if all its segments are used."""
    places: list[str] = [start]
    segments: list[str] = []
    while not segments or places[-1] not in ends:
        next_segment = next((s for s in arms[places[-1]] if s.id not in used), None)
        if next_segment is None:
            break
        used.add(next_segment.id)
        segments.append(next_segment.id)
        places.append(next_segment.b if next_segment.a == places[-1] else next_segment.a)
    return (tuple(places), tuple(segments)) if segments else None


def find_cut_sections(
    long: Iterable[Segment], short: Iterable[Segment], between: Collection[str]
) -> Iterator[tuple[Segment, Stretch]]:
    """Yield each long segment with the short segments that replace it, through the mileposts `between` alone."""
    long_segments = {(s.railroad, frozenset((s.a, s.b))): s for s in long}
    for stretch in join_segments(short, stop=lambda place: place not in between):
        section = long_segments.get((stretch.railroad, frozenset((stretch.places[0], stretch.places[-1]))))
        if section is not None and len(stretch.segments) > 1:
            yield section, stretch
