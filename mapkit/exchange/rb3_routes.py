"""`[rout]` of an RB3 file: whole numbers to polylines of points, and back."""

import re
from collections.abc import Iterable, Sequence

from mapkit.exchange.rb3_model import MAX_SHIFT, Dots, Point, Railroad, Route
from mapkit.exchange.rb3_text import Problems, Section, integer

_INTEGERS = re.compile(r"\s*[+-]?[0-9]{1,9}\s*(?:,\s*[+-]?[0-9]{1,9}\s*)*")
_PLAIN = re.compile(r"[\W_]+")
_END_LINE, _END_RAILROAD = 0, -1


class RouteReader:
    """Reads `[rout]`.

    A number from 1 to the number of regions, where a point may begin, is a region; any other is a dot of the region
    before it, its thousands a drawing shift (rules 1 to 4 of the format).

    Args:
        dots: What points may refer to.
        railroads: Whose the routes are, in order.
        problems: Takes what is wrong.
    """

    def __init__(self, dots: Sequence[Dots], railroads: Sequence[Railroad], problems: Problems) -> None:
        self._dots = dots
        self._railroads = railroads
        self._problems = problems
        self._known: dict[tuple[int, int], Point] = {}
        self.notes: list[str] = []

    def read(self, section: Section) -> tuple[Route, ...]:
        """Return a route a railroad."""
        out: list[Route] = []
        heading, lines = "", list[tuple[Point, ...]]()
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
                    out.append(Route(heading, tuple(lines)))
                    heading, lines = "", []
        if lines:
            self._problems.add(row, "the last railroad does not end with -1,-1; the file is cut off here")
        if len(out) != len(self._railroads):
            self._problems.add(
                section.row, f"[rout] holds {len(out)} railroads, [rr] {len(self._railroads)}; one -1,-1 ends each"
            )
        return tuple(out)

    def _polylines(self, row: int, text: str) -> Iterable[tuple[tuple[Point, ...], bool]]:
        """Yield the polylines of a line of text, and whether each is its railroad's last."""
        if not _INTEGERS.fullmatch(text):
            numbers = text.partition("'")[0].rstrip().rstrip(",")  # a comment at the end of the line
            if "'" not in text or not _INTEGERS.fullmatch(numbers):
                self._problems.add(row, f"{text[:40]!r} is no list of whole numbers; correct the route")
                return
            text = numbers
        values = [int(part) for part in text.split(",")]
        regions, known = len(self._dots), self._known
        region, points, ended = 0, list[Point](), False
        rest = iter(values)
        for given in rest:
            value, ended = given, False
            if 1 <= value <= regions:
                region, value = value, next(rest, _END_LINE)
            elif value in (_END_LINE, _END_RAILROAD):
                if next(rest, None) != value:
                    self._problems.add(row, f"a single {value}; 0,0 ends a line, -1,-1 a railroad")
                    return
                if len(points) < 2:  # noqa: PLR2004 - a line has two ends
                    self._problems.add(row, f"a line of {len(points)} points; a line has two or more")
                    return
                yield tuple(points), value == _END_RAILROAD
                region, points, ended = 0, [], True
                continue
            point = known.get((region, value)) or self._point(row, region, value)
            if point is None:
                return
            if points and points[-1][:2] == point[:2]:
                self._problems.add(row, f"dot {point.dot} of region {point.region} follows itself; remove one")
                return
            points.append(point)
        if not ended:
            self._problems.add(row, "a line that ends with neither 0,0 nor -1,-1; it is cut off")

    def _point(self, row: int, region: int, value: int) -> Point | None:
        """Return a point that was not met before."""
        if region == 0:
            self._problems.add(row, f"{value} has no region; a line begins with a region from 1 to {len(self._dots)}")
            return None
        shift, dot = divmod(value, 1000)
        dots = self._dots[region - 1].dots
        if value < 1 or shift > MAX_SHIFT or not 1 <= dot <= len(dots):
            self._problems.add(
                row, f"{value} is no dot of region {region}, which has {len(dots)} (and shifts 0 to {MAX_SHIFT})"
            )
            return None
        if dots[dot - 1].retired:
            self._problems.add(row, f"dot {dot} of region {region} is retired (commented out or colour 0); use another")
            return None
        point = Point(region, dot, shift)
        self._known[region, value] = point
        return point

    def _check(self, row: int, index: int, heading: str, lines: Sequence[Sequence[Point]]) -> None:
        """Note a heading that names another railroad, and segments that stand twice."""
        if index >= len(self._railroads):
            return
        railroad = self._railroads[index]
        names = {plain(name) for name in (railroad.short, railroad.medium, railroad.name)}
        if heading and plain(heading) not in names:
            self.notes.append(
                f"{self._problems.file}:{row}: the heading says {heading!r}, but by the order these are lines of "
                f"{railroad.short!r}"
            )
        seen: set[tuple[int, int, int, int]] = set()
        for points in lines:
            for (ra, da, _), (rb, db, _) in zip(points, points[1:], strict=False):
                key = (ra, da, rb, db) if (ra, da) < (rb, db) else (rb, db, ra, da)
                if key in seen:
                    self.notes.append(
                        f"{self._problems.file}:{row}: {railroad.short} joins dots {ra}:{da} and {rb}:{db} twice; "
                        "counted once"
                    )
                seen.add(key)


def plain(name: str) -> str:
    """Return the letters and digits of a name, by which headings are told."""
    return _PLAIN.sub("", name).casefold()


def route_text(points: Sequence[Point], regions: int, *, last: bool) -> str:
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
