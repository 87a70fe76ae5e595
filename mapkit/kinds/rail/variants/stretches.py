"""Segments strung together to lines, as a person would list their places."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from mapkit.kinds.rail.model.board import Segment

_THROUGH = 2


@dataclass(frozen=True)
class Stretch:
    """Segments of one railroad end to end, and the mileposts that they join, in order."""

    railroad: str
    places: tuple[str, ...]
    segments: tuple[str, ...]


def lines_of(segments: Iterable[Segment], *, stop: Callable[[str], bool] = lambda _place: False) -> list[Stretch]:
    """String segments together, each used once, railroad by railroad.

    A line runs on through a milepost if just two of the segments meet there and `stop` does not hold for it. The
    order of the segments does not matter; lines start at the end whose id comes first.
    """
    out: list[Stretch] = []
    by_railroad: dict[str, list[Segment]] = defaultdict(list)
    for segment in sorted(segments, key=lambda s: s.id):
        by_railroad[segment.railroad].append(segment)
    for railroad, own in sorted(by_railroad.items()):
        arms: dict[str, list[Segment]] = defaultdict(list)
        for segment in own:
            arms[segment.a].append(segment)
            arms[segment.b].append(segment)
        ends = {p for p in arms if len(arms[p]) != _THROUGH or stop(p)}
        used: set[str] = set()
        for start in [*sorted(ends), *sorted(arms)]:  # what is left after all ends are rings
            while (line := _run(start, arms, ends, used)) is not None:
                out.append(Stretch(railroad, *line))
    return out


def _run(
    start: str, arms: dict[str, list[Segment]], ends: set[str], used: set[str]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the places and segments of the next line from a milepost, None if all of its segments are used."""
    places: list[str] = [start]
    segments: list[str] = []
    while not segments or places[-1] not in ends:
        onward = next((s for s in arms[places[-1]] if s.id not in used), None)
        if onward is None:
            break
        used.add(onward.id)
        segments.append(onward.id)
        places.append(onward.b if onward.a == places[-1] else onward.a)
    return (tuple(places), tuple(segments)) if segments else None


def cut_sections(
    long: Iterable[Segment], short: Iterable[Segment], between: Collection[str]
) -> Iterator[tuple[Segment, Stretch]]:
    """Yield each long segment for which short ones of its railroad stand, through the mileposts `between` alone."""
    whole = {(s.railroad, frozenset((s.a, s.b))): s for s in long}
    for stretch in lines_of(short, stop=lambda place: place not in between):
        section = whole.get((stretch.railroad, frozenset((stretch.places[0], stretch.places[-1]))))
        if section is not None and len(stretch.segments) > 1:
            yield section, stretch
