"""`[rout]` of an RB3 file: whole numbers to polylines of points, and back."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import count, pairwise, repeat
from operator import eq, mul

from mapkit.core.plurals import counted
from mapkit.kinds.rail.exchange.rb3.model import MAX_SHIFT, RETIRED, Dots, RB3Point, RB3Railroad, RB3Route
from mapkit.kinds.rail.exchange.rb3.text import RB3Problems, RB3Section, integer

_NUMERIC = "0123456789, -"
_INTEGERS = re.compile(r"\s*[+-]?[0-9]{1,9}\s*(?:,\s*[+-]?[0-9]{1,9}\s*)*")
_made = partial(tuple.__new__, RB3Point)  # as Point._make, without a call of Python for each
_PLAIN = re.compile(r"[\W_]+")
_END_LINE, _END_RAILROAD = 0, -1
_ENDS = (_END_LINE, _END_RAILROAD)
_TWO = 2


class RouteReader:
    """Reads `[rout]`.

    A number from 1 to the number of regions, where a point may begin, is a region; any other is a dot of the region
    before it, its thousands a drawing shift (rules 1 to 4 of the format).

    Args:
        dots: What points may refer to.
        railroads: Whose the routes are, in order.
        problems: Takes what is wrong.
    """

    def __init__(self, dots: Sequence[Dots], railroads: Sequence[RB3Railroad], problems: RB3Problems) -> None:
        self._dots = dots
        self._railroads = railroads
        self._problems = problems
        self._known: list[dict[int, RB3Point]] = [{}]
        for region, own in enumerate(dots, 1):
            points = map(_made, zip(repeat(region), count(1), repeat(0, len(own.dots)), strict=False))
            numbered = zip(count(1), points, own.dots, strict=False)
            self._known.append(
                {n: point for n, point, (_, _, colour, off) in numbered if not off and colour != RETIRED}
            )
        self.notes: list[str] = []

    def read(self, section: RB3Section) -> tuple[RB3Route, ...]:
        """Return a route a railroad."""
        out: list[RB3Route] = []
        heading, lines = "", list[tuple[RB3Point, ...]]()
        row = section.row
        for row, line in enumerate(section.lines, section.row + 1):
            text = line.strip()
            if not text:
                continue
            if text[0] == "'":
                if not lines:
                    heading = text[1:].strip()
                continue
            for points, last in self._polylines(row, text):
                lines.append(points)
                if last:
                    self._check(row, len(out), heading, lines)
                    short = self._railroads[len(out)].short if len(out) < len(self._railroads) else heading
                    out.append(RB3Route(short, tuple(lines)))
                    heading, lines = "", []
        if lines:
            self._problems.add(row, "the last railroad does not end with -1,-1; the file is cut off here")
        if len(out) != len(self._railroads):
            self._problems.add(
                section.row,
                f"[rout] holds {counted(len(out), 'railroad')}, [rr] {len(self._railroads)}; one -1,-1 ends each",
            )
        return tuple(out)

    def _polylines(self, row: int, text: str) -> list[tuple[tuple[RB3Point, ...], bool]]:
        """Return the polylines of a line of text, and whether each is its railroad's last."""
        try:
            numbers = list(map(int, _numeric(text).split(",")))
        except ValueError:
            self._problems.add(row, f"{text[:40]!r} is not a list of whole numbers; correct the route")
            return []
        out: list[tuple[tuple[RB3Point, ...], bool]] = []
        regions, known = len(self._dots), self._known
        region, here, points = 0, known[0], list[RB3Point]()
        rest = iter(numbers)
        for given in rest:
            value = given
            if value > regions:
                pass
            elif value >= 1:
                region, here, value = value, known[value], next(rest, _END_LINE)
            elif value in _ENDS:
                if next(rest, None) != value:
                    self._problems.add(row, f"a lone {value}; 0,0 ends a line, -1,-1 ends a railroad")
                    return out
                if len(points) < _TWO:
                    self._problems.add(row, f"a line of {counted(len(points), 'point')}; a line needs at least two")
                    return out
                out.append((tuple(points), value == _END_RAILROAD))
                region, here, points = 0, known[0], []
                continue
            point = here.get(value) or self._point(row, region, value)
            if point is None:
                return out
            points.append(point)
        if points or not out:
            self._problems.add(row, "a line that ends with neither 0,0 nor -1,-1; it is cut off")
        return out

    def _point(self, row: int, region: int, value: int) -> RB3Point | None:
        """Return a point that was not met before."""
        if region == 0:
            self._problems.add(row, f"{value} is not a region; a line begins with a region from 1 to {len(self._dots)}")
            return None
        shift, number = divmod(value, 1000)
        dots = self._dots[region - 1].dots
        if value < 1 or shift > MAX_SHIFT or not 1 <= number <= len(dots):
            self._problems.add(
                row, f"{value} is not a dot of region {region}, which has {len(dots)} (and shifts 0 to {MAX_SHIFT})"
            )
            return None
        dot = dots[number - 1]
        if dot.disabled or dot.colour == RETIRED:
            self._problems.add(
                row, f"dot {number} of region {region} is disabled (commented out or colour 0); use another"
            )
            return None
        point = RB3Point(region, number, shift)
        self._known[region][value] = point
        return point

    def _check(self, row: int, index: int, heading: str, lines: Sequence[Sequence[RB3Point]]) -> None:
        """Look for a heading that names another railroad, dots that follow themselves, segments that appear twice."""
        if index >= len(self._railroads):
            return
        railroad = self._railroads[index]
        if heading and heading != railroad.short:
            names = {plain(name) for name in (railroad.short, railroad.medium, railroad.name)}
            if plain(heading) not in names:
                self.notes.append(
                    f"{self._problems.file}:{row}: the heading says {heading!r}, but by their order these are lines of "
                    f"{railroad.short!r}"
                )
        every = [[region * 1000 + dot for region, dot, _ in points] for points in lines]
        # Where all products differ, so do all pairs; this alone shows that most railroads are right.
        products = [product for ids in every for product in map(mul, ids, ids[1:])]
        if len(set(products)) == len(products) and not any(any(map(eq, ids, ids[1:])) for ids in every):
            return
        pairs = [pair for ids in every for pair in pairwise(ids)]
        seen: set[tuple[int, int]] = set()
        for a, b in pairs:
            ends = f"{a // 1000}:{a % 1000} and {b // 1000}:{b % 1000}"
            if a == b:
                self._problems.add(row, f"{railroad.short} joins a dot to itself, {ends}; remove one")
            elif (min(a, b), max(a, b)) in seen:
                self.notes.append(f"{self._problems.file}:{row}: {railroad.short} joins {ends} twice; it counts once")
            seen.add((min(a, b), max(a, b)))


def _numeric(text: str) -> str:
    """Return the whole numbers of a line as they stand, without a comment at its end; empty if it holds others."""
    if not text.strip(_NUMERIC):
        return text
    numbers = text.partition("'")[0].rstrip().rstrip(",") if "'" in text else text
    return numbers if _INTEGERS.fullmatch(numbers) else ""


def plain(name: str) -> str:
    """Return the letters and digits of a name, by which headings are recognised."""
    return _PLAIN.sub("", name).casefold()


def route_text(points: Sequence[RB3Point], regions: int, *, last: bool) -> str:
    """Return a polyline as a line of `[rout]`: a region where it changes, and before small dots without a shift."""
    out: list[str] = []
    region = 0
    for point in points:
        value = point.dot + 1000 * point.shift
        if point.region != region or value <= regions:
            out.append(f"{' ' if out else ''}{point.region}")
        region = point.region
        out.append(str(value))
    return ",".join(out) + (",-1,-1" if last else ", 0,0")


def count_of(line: str) -> int | None:
    """Return the number that a section's first line holds, or None."""
    return integer(line.partition("'")[0].strip())
