"""Matching of names to places: exact ones are taken, others get candidates and a proposal that fits their lines."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final, Literal

from pydantic import Field

from mapkit.core import heavy
from mapkit.core.base import Frozen, Point
from mapkit.core.errors import PlaceError
from mapkit.core.geodesy import MILES_PER_DEGREE
from mapkit.core.names import fold
from mapkit.geography.gazetteer import Candidate, How
from mapkit.kinds.rail.editing.place_names import place_id
from mapkit.kinds.rail.sources.places import PlaceFinder

MAX_CANDIDATES: Final = 5
FAR_MI: Final = 50.0
"""A place nearer to its line than this is never far off it."""
_FAR_REACHES: Final = 2.0
"""A place is far off its line beyond so many reaches: half the way between its neighbours, or the usual gap."""
_USUAL_GAP_MI: Final = 30.0
"""Distance of stops if the lines do not tell."""
_MIN_SIMILARITY: Final = 80
"""Least similarity of a proposed name that is only spelled alike, from 0 to 100."""
_SAME_PLACE_MI: Final = 0.5
_SAME_NAME_MI: Final = 5.0
_ROUNDS: Final = 2
"""A place that was found in the first round helps its neighbours in the next."""
_FIT_ORDER: Final[Mapping[str, int]] = {"name": 0, "alternative": 1, "similar": 2}
_MAX_REACHES: Final[Mapping[str, float]] = {"name": 1.0, "alternative": 1.0, "similar": 0.5}
"""How far off its line, in reaches, a proposed place may be."""


class MatchCandidate(Frozen):
    """Place that a name may mean, degrees (EPSG:4326)."""

    place: str = Field(description="Its name, or the stops between which it is placed")
    country: str = Field(description="ISO 3166 alpha-2; empty for a place between stops")
    lon: float
    lat: float
    population: int | None
    fits: How | Literal["between"] = Field(description="What fits; `between` places it between the stops beside it")
    called: str = Field(description="The alternative name that fits; empty where its own name does")
    off_line_mi: float | None = Field(description="Distance from the line; None for a name on no line")

    @property
    def source(self) -> str:
        """Text for the note in `places.csv`."""
        return self.place if self.fits == "between" else f"GeoNames: {self.place} ({self.country})"


class NamedPoint(Frozen):
    """Place with its position, degrees (EPSG:4326)."""

    name: str
    lon: float
    lat: float


class MatchedName(Frozen):
    """Name of a board that means no certain place, with candidates, best first."""

    name: str
    uses: tuple[str, ...] = Field(description="Where the board has it")
    reason: str = Field(description="Why it is not taken")
    proposal: MatchCandidate | None
    candidates: tuple[MatchCandidate, ...]
    beside: tuple[NamedPoint, ...] = Field(default=(), description="The placed stops before and after it on a line")
    meant: str = Field(default="", description="The only name of the board near its line that is spelled alike")


@dataclass(frozen=True)
class MatchResult:
    """Names that mean a certain place, and the others."""

    taken: tuple[str, ...]
    asked: tuple[MatchedName, ...]


@dataclass(frozen=True)
class _Gap:
    """Nearest placed stops before and after a stop of a line, and how many steps away they are."""

    before: tuple[str, Point, int] | None
    after: tuple[str, Point, int] | None

    def points(self) -> list[Point]:
        return [end[1] for end in (self.before, self.after) if end is not None]


@dataclass(frozen=True)
class _LineFit:
    """Distance of a place from its line, in miles and in reaches."""

    miles: float
    reaches: float

    @property
    def is_far(self) -> bool:
        return self.miles > FAR_MI and self.reaches > _FAR_REACHES


def match_names(
    uses_by_name: Mapping[str, Sequence[str]], lines: Sequence[Sequence[str]], finder: PlaceFinder
) -> MatchResult:
    """Match names to places with a board's finder.

    A unique place is taken, unless it is more than 50 miles and two reaches off its line. A reach is half the distance
    between the stops beside it, at least the usual gap between stops; at the end of a line it is twice that gap.

    Args:
        uses_by_name: Names, each with the places of the board where it stands.
        lines: Names along each line, in order.
        finder: Finder of places, which knows the board's own.
    """
    return _NameMatcher(uses_by_name, lines, finder).match()


def match_cities(
    uses_by_name: Mapping[str, Sequence[str]], cities: Mapping[str, Point], finder: PlaceFinder
) -> Iterator[MatchedName]:
    """Yield names that mean the only city at a place of this name, or else the only one spelled alike."""
    for name, uses in uses_by_name.items():
        found = finder.get(name)
        candidates = finder.gazetteer.candidates(name, most=MAX_CANDIDATES) if finder.countries else []
        points = [found[1:]] if found else [_point_of(one) for one in candidates if one.how != "similar"]
        near = {
            city for city, at in cities.items() if any(_plane_miles(at, point) <= _SAME_NAME_MI for point in points)
        }
        names = near or {city for city in cities if heavy.fuzz.ratio(fold(name), fold(city)) >= _MIN_SIMILARITY}
        if len(names) == 1:
            yield MatchedName(
                name=name,
                uses=tuple(uses),
                reason="no city of the board",
                proposal=None,
                candidates=(),
                meant=names.pop(),
            )


class _NameMatcher:
    """Names of a board, with the points that are known so far."""

    def __init__(
        self, uses_by_name: Mapping[str, Sequence[str]], lines: Sequence[Sequence[str]], finder: PlaceFinder
    ) -> None:
        self._uses = uses_by_name
        self._lines = [[(_key(name), name) for name in line] for line in lines]
        self._finder = finder
        self._stops: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for line_number, line in enumerate(self._lines):
            for position, (key, _) in enumerate(line):
                self._stops[key].append((line_number, position))
        self._points: dict[str, Point] = {}
        self._ambiguous_keys: set[str] = set()
        self._gap_mi = _USUAL_GAP_MI

    def match(self) -> MatchResult:
        """Return the names taken and the names to ask about."""
        names = {_key(name): name for line in self._lines for _, name in line} | {_key(n): n for n in self._uses}
        self._finder.look_up_all(names.values())
        own_keys: set[str] = set()
        for key, name in names.items():
            if (found := self._finder.get(name)) is not None:
                self._points[key] = found[1:]
                if name.startswith("@") or key in self._finder.known:
                    own_keys.add(key)
        self._measure_gap()
        far_by_key = self._remove_far(own_keys)
        self._measure_gap()
        asked = {_key(name): name for name in self._uses if _key(name) not in self._points}
        proposals = self._propose_candidates(asked)
        between = {key: candidate for key in asked if (candidate := self._place_between(key)) is not None}
        return MatchResult(
            tuple(name for name in self._uses if _key(name) not in asked),
            tuple(
                self._describe(name, proposals.get(key), between.get(key), far_by_key.get(key))
                for key, name in asked.items()
            ),
        )

    def _measure_gap(self) -> None:
        lengths = [
            _plane_miles(self._points[a], self._points[b])
            for line in self._lines
            for (a, _), (b, _) in pairwise(line)
            if a != b and a in self._points and b in self._points
        ]
        self._gap_mi = median(lengths) if lengths else _USUAL_GAP_MI

    def _remove_far(self, own_keys: set[str]) -> dict[str, _LineFit]:
        """Remove the points far off their lines, the farthest first, and return how far they are."""
        removed: dict[str, _LineFit] = {}
        while True:
            fits = {
                key: fit
                for key, point in self._points.items()
                if key not in own_keys and (fit := self._fit_line(key, point)) is not None and fit.is_far
            }
            if not fits:
                return removed
            worst_key = max(fits, key=lambda key: (fits[key].miles, key))
            removed[worst_key] = fits[worst_key]
            del self._points[worst_key]

    def _gaps(self, key: str) -> list[_Gap]:
        """Return the placed stops beside a name, on each line; none where a line has no other."""
        gaps = []
        for line_number, position in self._stops.get(key, ()):
            line = self._lines[line_number]
            before = ((line[n], position - n) for n in range(position - 1, -1, -1))
            after = ((line[n], n - position) for n in range(position + 1, len(line)))
            ends = [
                next(
                    (
                        (name, self._points[other], steps)
                        for (other, name), steps in stops
                        if other != key and other in self._points
                    ),
                    None,
                )
                for stops in (before, after)
            ]
            if any(ends):
                gaps.append(_Gap(*ends))
        return gaps

    def _fit_line(self, key: str, point: Point) -> _LineFit | None:
        """Return how well a place fits the best of its name's lines; None if there is nothing to compare with."""
        fits = []
        for gap in self._gaps(key):
            if gap.before is not None and gap.after is not None:
                off_mi = _miles_from_chord(point, gap.before[1], gap.after[1])
                reach_mi = max(_plane_miles(gap.before[1], gap.after[1]) / 2, min(self._gap_mi, FAR_MI))
            else:
                end = gap.before or gap.after
                if end is None:
                    continue
                off_mi = max(0.0, _plane_miles(point, end[1]) - self._gap_mi * end[2])
                reach_mi = 2 * self._gap_mi
            fits.append(_LineFit(off_mi, off_mi / reach_mi))
        return min(fits, key=lambda fit: fit.reaches, default=None)

    def _propose_candidates(self, asked: Mapping[str, str]) -> dict[str, MatchCandidate]:
        """Return the best candidate of each name that fits its line; those found help their neighbours."""
        proposals: dict[str, MatchCandidate] = {}
        for _ in range(_ROUNDS):
            for key, name in asked.items():
                if key in proposals:
                    continue
                suitable = [
                    (*_rank_candidate(candidate, fit), number, candidate)
                    for number, (candidate, fit) in enumerate(self._candidates(key, name))
                    if _is_suitable(name, candidate, fit)
                ]
                if suitable:
                    best = min(suitable, key=lambda item: item[:3])
                    if best[3].how == "similar" and len({item[3].place.name for item in suitable}) > 1:
                        self._ambiguous_keys.add(key)
                        continue
                    self._ambiguous_keys.discard(key)
                    proposals[key] = _match_candidate(best[3], self._fit_line(key, _point_of(best[3])))
                    self._points[key] = _point_of(best[3])
        return proposals

    def _candidates(self, key: str, name: str) -> list[tuple[Candidate, _LineFit | None]]:
        if not self._finder.countries or name.startswith("@"):
            return []
        near = tuple(dict.fromkeys(point for gap in self._gaps(key) for point in gap.points()))
        found = self._finder.gazetteer.candidates(name, near, most=MAX_CANDIDATES)
        return [(candidate, self._fit_line(key, _point_of(candidate))) for candidate in found]

    def _place_between(self, key: str) -> MatchCandidate | None:
        """Place a name between the placed stops beside it, on the line with the shortest steps."""
        options = []
        for gap in self._gaps(key):
            if gap.before is None or gap.after is None:
                continue
            step_count = gap.before[2] + gap.after[2]
            chord_mi = _plane_miles(gap.before[1], gap.after[1])
            options.append((chord_mi / step_count, gap.before, gap.after, gap.before[2] / step_count))
        if not options:
            return None
        _, before, after, share = min(options, key=lambda option: (option[0], option[1][0], option[2][0]))
        lon = before[1][0] + share * _wrap_degrees(after[1][0] - before[1][0])
        return MatchCandidate(
            place=f"between {before[0]} and {after[0]}",
            country="",
            lon=round(_wrap_degrees(lon), 5),
            lat=round(before[1][1] + share * (after[1][1] - before[1][1]), 5),
            population=None,
            fits="between",
            called="",
            off_line_mi=0.0,
        )

    def _describe(
        self, name: str, proposal: MatchCandidate | None, between: MatchCandidate | None, far: _LineFit | None
    ) -> MatchedName:
        key = _key(name)
        listed = [_match_candidate(candidate, fit) for candidate, fit in self._candidates(key, name)]
        meant = ""
        proposed_at = None if proposal is None else (proposal.lon, proposal.lat)
        others = [candidate for candidate in listed if (candidate.lon, candidate.lat) != proposed_at]
        named = [candidate for candidate in listed if candidate.fits == "name"]
        if far is not None:
            reason = f"the only place of this name is {far.miles:,.0f} miles off its line"
        elif len(named) > 1:
            count = len(self._finder.gazetteer.named(name))
            reason = f"one of {count} places of this name"
        elif any(candidate.fits == "alternative" for candidate in listed):
            reason = "an alternative name"
        else:
            reason = "not in the gazetteer"
        if meant := self._find_own_name(key, name, proposal):
            reason += f"; did you mean {meant}, which the board has?"
        elif key in self._ambiguous_keys:
            reason += "; several near the line are spelled alike"
        candidates = [*([proposal] if proposal else []), *others, *([between] if between else [])]
        return MatchedName(
            name=name,
            uses=tuple(self._uses[name]),
            reason=reason,
            proposal=None if meant or key in self._ambiguous_keys else proposal or between,
            candidates=tuple(candidates),
            beside=tuple(
                NamedPoint(name=end[0], lon=end[1][0], lat=end[1][1])
                for gap in self._gaps(key)[:1]
                for end in (gap.before, gap.after)
                if end is not None
            ),
            meant=meant,
        )

    def _find_own_name(self, key: str, name: str, proposal: MatchCandidate | None) -> str:
        """Return the only name of the board at the proposed place, or else near the line and spelled alike."""
        at_proposal, alike = set(), set()
        for own_name, point in self._finder.known.values():
            reach_mi = _SAME_NAME_MI if proposal and fold(proposal.place) == fold(own_name) else _SAME_PLACE_MI
            if proposal is not None and _plane_miles(point, (proposal.lon, proposal.lat)) <= reach_mi:
                at_proposal.add(own_name)
            elif heavy.fuzz.ratio(fold(name), fold(own_name)) >= _MIN_SIMILARITY:
                fit = self._fit_line(key, point)
                if fit is None or not fit.is_far:
                    alike.add(own_name)
        if proposal is not None and proposal.fits != "similar":
            alike.clear()
        names = at_proposal or alike
        return names.pop() if len(names) == 1 else ""


def _key(name: str) -> str:
    try:
        return place_id(name)
    except PlaceError:
        return fold(name)


def _point_of(candidate: Candidate) -> Point:
    return candidate.place.lon, candidate.place.lat


def _is_suitable(name: str, candidate: Candidate, fit: _LineFit | None) -> bool:
    """Return whether a candidate may be proposed: near its line, and spelled nearly the same at least."""
    if fit is not None and fit.reaches > _MAX_REACHES[candidate.how]:
        return False
    if candidate.how != "similar":
        return True
    spellings = {fold(text) for text in (candidate.called, candidate.place.name, candidate.place.full_name) if text}
    return fit is not None and any(heavy.fuzz.ratio(fold(name), spelling) >= _MIN_SIMILARITY for spelling in spellings)


def _rank_candidate(candidate: Candidate, fit: _LineFit | None) -> tuple[int, float]:
    """Return how well a candidate fits, less is better: by name and distance, or by population where no line helps."""
    if fit is None:
        return int(candidate.how == "similar"), -candidate.place.population
    return _FIT_ORDER[candidate.how], fit.miles


def _match_candidate(candidate: Candidate, fit: _LineFit | None) -> MatchCandidate:
    place = candidate.place
    return MatchCandidate(
        place=place.printed_name,
        country=place.country,
        lon=place.lon,
        lat=place.lat,
        population=place.population,
        fits=candidate.how,
        called=candidate.called,
        off_line_mi=None if fit is None else round(fit.miles, 1),
    )


def _wrap_degrees(lon: float) -> float:
    """Return a difference of longitudes from -180 to 180."""
    return (lon + 180.0) % 360.0 - 180.0


def _plane_offset(origin: Point, point: Point) -> tuple[float, float]:
    """Return miles east and north of a point, on a plane that holds for a few hundred miles."""
    latitude = math.radians((origin[1] + point[1]) / 2)
    east = _wrap_degrees(point[0] - origin[0]) * math.cos(latitude) * MILES_PER_DEGREE
    return east, (point[1] - origin[1]) * MILES_PER_DEGREE


def _plane_miles(a: Point, b: Point) -> float:
    return math.hypot(*_plane_offset(a, b))


def _miles_from_chord(point: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from the straight line between two others, in miles."""
    chord, arm = _plane_offset(a, b), _plane_offset(a, point)
    length_squared = chord[0] ** 2 + chord[1] ** 2
    share = (chord[0] * arm[0] + chord[1] * arm[1]) / length_squared if length_squared else 0.0
    share = min(1.0, max(0.0, share))
    return math.hypot(arm[0] - share * chord[0], arm[1] - share * chord[1])


def list_uses(uses: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return names in order of first use, each with its uses."""
    uses_by_name: dict[str, dict[str, None]] = {}
    first_spelling: dict[str, str] = {}
    for name, use in uses:
        spelling = first_spelling.setdefault(_key(name), name)
        uses_by_name.setdefault(spelling, {})[use] = None
    return {name: tuple(texts) for name, texts in uses_by_name.items()}
