"""Section `[rout]` of an RB3 file: whole numbers to polylines of points, and back."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import count, pairwise, repeat
from operator import eq, mul

from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.exchange.rb3.model import MAX_SHIFT, RETIRED, DotSection, RB3Point, RB3Railroad, RB3Route
from mapkit.kinds.rail.exchange.rb3.text import RB3Problems, RB3Section, parse_integer

_NUMERIC_CHARACTERS = "0123456789, -"
_INTEGERS = re.compile(r"\s*[+-]?[0-9]{1,9}\s*(?:,\s*[+-]?[0-9]{1,9}\s*)*")
_make_point = partial(tuple.__new__, RB3Point)  # like Point._make, but without a Python call for each point
_PUNCTUATION = re.compile(r"[\W_]+")
_END_LINE, _END_RAILROAD = 0, -1
_ENDS = (_END_LINE, _END_RAILROAD)
_MIN_POINTS = 2


class RouteReader:
    """Reader of `[rout]`.

    A number from 1 to the number of regions, where a point may begin, is a region; any other is a dot of the region
    before it, its thousands a drawing shift (rules 1 to 4 of the format).

    Args:
        dots: The dots that points may refer to.
        railroads: The railroads of the routes, in order.
        problems: The list that collects problems.
    """

    def __init__(self, dots: Sequence[DotSection], railroads: Sequence[RB3Railroad], problems: RB3Problems) -> None:
        self._dots = dots
        self._railroads = railroads
        self._problems = problems
        self._known: list[dict[int, RB3Point]] = [{}]
        for region, region_dots in enumerate(dots, 1):
            region_points = map(
                _make_point, zip(repeat(region), count(1), repeat(0, len(region_dots.dots)), strict=False)
            )
            numbered_points = zip(count(1), region_points, region_dots.dots, strict=False)
            self._known.append(
                {n: point for n, point, (_, _, colour, off) in numbered_points if not off and colour != RETIRED}
            )
        self.notes: list[str] = []

    def read(self, section: RB3Section) -> tuple[RB3Route, ...]:
        """Return one route per railroad."""
        route_list: list[RB3Route] = []
        heading, railroad_lines = "", list[tuple[RB3Point, ...]]()
        row = section.row
        for row, line in enumerate(section.lines, section.row + 1):
            line_text = line.strip()
            if not line_text:
                continue
            if line_text[0] == "'":
                if not railroad_lines:
                    heading = line_text[1:].strip()
                continue
            for polyline, is_last in self._read_polylines(row, line_text):
                railroad_lines.append(polyline)
                if is_last:
                    self._check_railroad(row, len(route_list), heading, railroad_lines)
                    short_name = (
                        self._railroads[len(route_list)].short if len(route_list) < len(self._railroads) else heading
                    )
                    route_list.append(RB3Route(short_name, tuple(railroad_lines)))
                    heading, railroad_lines = "", []
        if railroad_lines:
            self._problems.add(row, "the last railroad does not end with -1,-1; the file is cut off here")
        if len(route_list) != len(self._railroads):
            self._problems.add(
                section.row,
                f"[rout] holds {count_noun(len(route_list), 'railroad')}, [rr] {len(self._railroads)}; "
                "one -1,-1 ends each",
            )
        return tuple(route_list)

    def _read_polylines(self, row: int, text: str) -> list[tuple[tuple[RB3Point, ...], bool]]:
        """Return the polylines of a line of text, each with whether it is its railroad's last."""
        try:
            numbers = list(map(int, _numeric_part(text).split(",")))
        except ValueError:
            self._problems.add(row, f"{text[:40]!r} is not a list of whole numbers; correct the route")
            return []
        polyline_list: list[tuple[tuple[RB3Point, ...], bool]] = []
        region_count, points_by_region = len(self._dots), self._known
        region, region_points, line_points = 0, points_by_region[0], list[RB3Point]()
        remaining_numbers = iter(numbers)
        for number in remaining_numbers:
            value = number
            if value > region_count:
                pass
            elif value >= 1:
                region, region_points, value = value, points_by_region[value], next(remaining_numbers, _END_LINE)
            elif value in _ENDS:
                if next(remaining_numbers, None) != value:
                    self._problems.add(row, f"a lone {value}; 0,0 ends a line, -1,-1 ends a railroad")
                    return polyline_list
                if len(line_points) < _MIN_POINTS:
                    self._problems.add(
                        row, f"a line of {count_noun(len(line_points), 'point')}; a line needs at least two"
                    )
                    return polyline_list
                polyline_list.append((tuple(line_points), value == _END_RAILROAD))
                region, region_points, line_points = 0, points_by_region[0], []
                continue
            point = region_points.get(value) or self._make_new_point(row, region, value)
            if point is None:
                return polyline_list
            line_points.append(point)
        if line_points or not polyline_list:
            self._problems.add(row, "a line that ends with neither 0,0 nor -1,-1; it is cut off")
        return polyline_list

    def _make_new_point(self, row: int, region: int, value: int) -> RB3Point | None:
        """Return a point that is not in the cache yet, or report a problem."""
        if region == 0:
            self._problems.add(row, f"{value} is not a region; a line begins with a region from 1 to {len(self._dots)}")
            return None
        shift, dot_number = divmod(value, 1000)
        region_dots = self._dots[region - 1].dots
        if value < 1 or shift > MAX_SHIFT or not 1 <= dot_number <= len(region_dots):
            self._problems.add(
                row,
                f"{value} is not a dot of region {region}, which has {len(region_dots)} (and shifts 0 to {MAX_SHIFT})",
            )
            return None
        dot = region_dots[dot_number - 1]
        if dot.disabled or dot.colour == RETIRED:
            self._problems.add(
                row, f"dot {dot_number} of region {region} is disabled (commented out or colour 0); use another"
            )
            return None
        new_point = RB3Point(region, dot_number, shift)
        self._known[region][value] = new_point
        return new_point

    def _check_railroad(self, row: int, index: int, heading: str, lines: Sequence[Sequence[RB3Point]]) -> None:
        """Report headings of another railroad, dots that follow themselves, and repeated segments."""
        if index >= len(self._railroads):
            return
        railroad = self._railroads[index]
        if heading and heading != railroad.short:
            plain_names = {normalize_heading(name) for name in (railroad.short, railroad.medium, railroad.name)}
            if normalize_heading(heading) not in plain_names:
                self.notes.append(
                    f"{self._problems.file}:{row}: the heading says {heading!r}, but by their order these are lines of "
                    f"{railroad.short!r}"
                )
        lines_of_ids = [[region * 1000 + dot for region, dot, _ in points] for points in lines]
        # If all products differ, so do all pairs; this quick test shows that most railroads are right.
        products = [product for line_ids in lines_of_ids for product in map(mul, line_ids, line_ids[1:])]
        if len(set(products)) == len(products) and not any(
            any(map(eq, line_ids, line_ids[1:])) for line_ids in lines_of_ids
        ):
            return
        id_pairs = [pair for line_ids in lines_of_ids for pair in pairwise(line_ids)]
        seen_pairs: set[tuple[int, int]] = set()
        for a, b in id_pairs:
            ends_text = f"{a // 1000}:{a % 1000} and {b // 1000}:{b % 1000}"
            if a == b:
                self._problems.add(row, f"{railroad.short} joins a dot to itself, {ends_text}; remove one")
            elif (min(a, b), max(a, b)) in seen_pairs:
                self.notes.append(
                    f"{self._problems.file}:{row}: {railroad.short} joins {ends_text} twice; it counts once"
                )
            seen_pairs.add((min(a, b), max(a, b)))


def _numeric_part(text: str) -> str:
    """Return the whole numbers of a line without a comment at its end; empty if it has other text."""
    if not text.strip(_NUMERIC_CHARACTERS):
        return text
    number_text = text.partition("'")[0].rstrip().rstrip(",") if "'" in text else text
    return number_text if _INTEGERS.fullmatch(number_text) else ""


def normalize_heading(name: str) -> str:
    """Return the letters and digits of a name, to compare headings."""
    return _PUNCTUATION.sub("", name).casefold()


def route_text(points: Sequence[RB3Point], regions: int, *, last: bool) -> str:
    """Return a polyline as a line of `[rout]`: a region where it changes, and before small dots without a shift."""
    route_numbers: list[str] = []
    current_region = 0
    for point in points:
        point_number = point.dot + 1000 * point.shift
        if point.region != current_region or point_number <= regions:
            route_numbers.append(f"{' ' if route_numbers else ''}{point.region}")
        current_region = point.region
        route_numbers.append(str(point_number))
    return ",".join(route_numbers) + (",-1,-1" if last else ", 0,0")


def parse_count(line: str) -> int | None:
    """Return the number in a section's first line, or None."""
    return parse_integer(line.partition("'")[0].strip())
