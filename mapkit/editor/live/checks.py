"""The checks of an open board: after an edit only those run again whose ground it changed.

What a check reads of a board is noted while it runs. If all of that is the same afterwards, so is what it finds; so
nobody has to say which check depends on what. Findings and their ids are those of `mapkit check`, which also looks at
the drawing (R); `full_findings` does too, and builds the board as a build does.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, cast

from mapkit.checks import CHECKS, run_checks
from mapkit.checks.check import Check, Checked
from mapkit.editor.live.board import LiveBoard
from mapkit.editor.live.railroads import Problem
from mapkit.editor.live.source import document_to_board
from mapkit.errors import MapkitError, SourceError
from mapkit.model.base import Point
from mapkit.model.board import Board, Milepost, Piece, Segment
from mapkit.model.findings import CheckReport, CheckStatus, Finding

BUILD = "build"
"""The code of what keeps a board from being built: no check finds it, for there is no board then."""
_MOST_PLACES = 12


@dataclass(frozen=True)
class LiveFinding:
    """A finding with where to look on the page.

    Args:
        id: As `mapkit check` has it, under which it is accepted; of what keeps the board from being built,
            `build:table:key`.
        finding: What was found; None if the board cannot be built.
        message: What is wrong and what to do.
        at: Places in page millimetres, the first one to fly to.
        table: The table of the document that a problem of building is about.
        key: The row.
    """

    id: str
    message: str
    at: tuple[Point, ...]
    finding: Finding | None = None
    table: str | None = None
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as the page has it; `x`, `y` are the place to fly to, null if it has none."""
        found = self.finding.model_dump(mode="json") if self.finding is not None else {}
        x, y = self.at[0] if self.at else (None, None)
        return {
            "code": BUILD,
            "severity": "error",
            "elements": [],
            "accepted": None,
            "data": {},
            **found,
            "id": self.id,
            "message": self.message,
            "x": x,
            "y": y,
            "at": [list(place) for place in self.at],
            "table": self.table,
            "key": self.key,
        }


@dataclass(frozen=True)
class LiveFindings:
    """All findings on a board, what it cannot be built for first, and how each check ended."""

    findings: tuple[LiveFinding, ...]
    checks: Mapping[str, CheckStatus]
    report: CheckReport = field(repr=False)
    runs: Mapping[str, "_Run"] = field(default_factory=dict, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return `{findings, checks}` as the wire has them."""
        return {"findings": [found.as_json() for found in self.findings], "checks": dict(self.checks)}


@dataclass(frozen=True)
class _Run:
    """What a check read and found, or how it crashed."""

    read: Mapping[str, object]
    found: tuple[Finding, ...]
    crashed: Exception | None = None


class _Watched:
    """A board that notes what is read of it."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.read: dict[str, object] = {}

    def __getattr__(self, name: str) -> object:
        value: object = getattr(self._board, name)
        self.read[name] = value
        return value


class _LiveChecked(Checked):
    """Look-ups that all checks share; using one reads what it is made of."""

    _shared: Checked

    def __init__(self, watched: _Watched, shared: Checked) -> None:
        super().__init__(cast("Board", watched))
        object.__setattr__(self, "_shared", shared)

    @cached_property
    def mileposts(self) -> dict[str, Milepost]:
        """Mileposts by id."""
        return _given(self._shared.mileposts, self.board.mileposts)

    @cached_property
    def short(self) -> dict[str, str]:
        """Reporting marks of the railroads by id."""
        return _given(self._shared.short, self.board.railroads)

    @cached_property
    def city_names(self) -> dict[str, str]:
        """Names of the cities by id."""
        return _given(self._shared.city_names, self.board.cities)

    @cached_property
    def segments_at(self) -> dict[str, list[Segment]]:
        """Segments by milepost; a loop stands once."""
        return _given(self._shared.segments_at, self.board.segments)

    @cached_property
    def cities_at(self) -> dict[str, list[str]]:
        """Ids of the cities by milepost."""
        return _given(self._shared.cities_at, self.board.cities)


T = TypeVar("T")


def _given(found: T, _read: object) -> T:
    return found


def live_findings(live: LiveBoard, before: LiveFindings | None = None) -> LiveFindings:
    """Return what the checks of `mapkit check --no-drawing` find on a board.

    Args:
        live: The board.
        before: What was found on any board; checks whose ground is the same are not run again.
    """
    shared = Checked(live.board)
    runs: dict[str, _Run] = {}

    def run(check: Check) -> tuple[Finding, ...]:
        old = before.runs.get(check.code) if before is not None else None
        if old is None or any(getattr(live.board, name) is not value for name, value in old.read.items()):
            watched = _Watched(live.board)
            try:
                old = _Run(watched.read, tuple(check.judge(_LiveChecked(watched, shared))))
            except Exception as error:  # noqa: BLE001 - run_checks reports it
                old = _Run(watched.read, (), error)
        runs[check.code] = old
        if old.crashed is not None:
            raise old.crashed
        return old.found

    return _told(live, run_checks(live.board, run=run), live.problems, runs)


Progress = Callable[[int, int, str], None]
"""Told what is done: how many of how many checks, and the title of the one that begins."""


def full_findings(live: LiveBoard, *, drawing: bool = True, progress: Progress | None = None) -> LiveFindings:
    """Return what `mapkit check` would say of the document once it is saved; this takes as long as a build.

    Args:
        live: The board, for the places on the page.
        drawing: Whether to look at the drawing too (R), which takes longest.
        progress: Called before each check.
    """
    if progress is not None:
        progress(0, 0, "building the board")
    try:
        board = document_to_board(live.document, board_id=live.id)
    except MapkitError as error:
        told = error.problems if isinstance(error, SourceError) else (str(error),)
        known = {problem.message for problem in live.problems}
        problems = (*live.problems, *(Problem("", str(n), text) for n, text in enumerate(told) if text not in known))
        found = live_findings(live)
        return _told(live, found.report, problems, {})
    checks = CHECKS
    if drawing:
        from mapkit.render.checks import CHECKS as DRAWING  # noqa: PLC0415 - heavy, and for this alone

        checks = (*CHECKS, *DRAWING)
    begun = 0

    def run(check: Check) -> Iterable[Finding]:
        nonlocal begun
        if progress is not None:
            progress(begun, len(checks), check.title)
        begun += 1
        return check.run(board)

    return _told(live, run_checks(board, checks=checks, run=run), (), {})


def _told(live: LiveBoard, report: CheckReport, problems: Iterable[Problem], runs: Mapping[str, _Run]) -> LiveFindings:
    places = Places(live)
    return LiveFindings(
        findings=(
            *(
                LiveFinding(
                    id=":".join((BUILD, problem.table, problem.key, *([str(n)] if n > 1 else []))),
                    message=problem.message,
                    at=places.of_row(problem.table, problem.key),
                    table=problem.table,
                    key=problem.key,
                )
                for problem, n in _numbered(problems)
            ),
            *(LiveFinding(found.id, found.message, places.of_finding(found), found) for found in report.findings),
        ),
        checks=report.checks,
        report=report,
        runs=runs,
    )


def _numbered(problems: Iterable[Problem]) -> Iterator[tuple[Problem, int]]:
    """Yield problems with their number among those of the same row."""
    count: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        count[problem.table, problem.key] += 1
        yield problem, count[problem.table, problem.key]


class Places:
    """Where things are on the page.

    Args:
        live: The board.
    """

    def __init__(self, live: LiveBoard) -> None:
        self._live = live

    @cached_property
    def _cities(self) -> Mapping[str, str]:
        return {city.id: city.milepost for city in self._live.board.cities}

    @cached_property
    def _mileposts(self) -> Mapping[str, Point]:
        return {m.id: (m.x, m.y) for m in self._live.board.mileposts}

    @cached_property
    def _track(self) -> Mapping[str, Segment | Piece]:
        board = self._live.board
        out: dict[str, Segment | Piece] = {piece.id: piece for piece in board.pieces if piece.path}
        out.update((segment.id, segment) for segment in board.segments if segment.path)
        return out

    @cached_property
    def _junctions(self) -> Mapping[str, Point]:
        return {j.id: (j.x, j.y) for j in self._live.board.junctions}

    @cached_property
    def _railroads(self) -> Mapping[str, Point]:
        out: dict[str, Point] = {}
        for segment in self._live.board.segments:
            if segment.path:
                out.setdefault(segment.railroad, segment.path[len(segment.path) // 2])
        return out

    @cached_property
    def _regions(self) -> Mapping[str, Point]:
        out: dict[str, Point] = {}
        for city in self._live.board.cities:
            if city.milepost in self._mileposts:
                out.setdefault(city.region, self._mileposts[city.milepost])
        return out

    def of_element(self, ident: str) -> Point | None:
        """Return where an element is, whatever it is: milepost, city, segment, junction, railroad, region."""
        city = self._cities.get(ident, "")
        if city in self._mileposts:
            return self._mileposts[city]
        if ident in self._mileposts:
            return self._mileposts[ident]
        if ident in self._junctions:
            return self._junctions[ident]
        track = self._track.get(ident)
        if track is not None:
            return track.path[len(track.path) // 2]
        return self._railroads.get(ident) or self._regions.get(ident)

    def of_finding(self, finding: Finding) -> tuple[Point, ...]:
        """Return the places of a finding, the one that it names first."""
        out: list[Point] = []
        place = finding.place
        if place.lon is not None and place.lat is not None:
            out += self._live.frame.to_page([(place.lon, place.lat)])
        for ident in finding.elements:
            spot = self.of_element(ident)
            if spot is not None and spot not in out and len(out) < _MOST_PLACES:
                out.append(spot)
        return tuple(out)

    def of_row(self, table: str, key: str) -> tuple[Point, ...]:
        """Return the place of a row of the document, or none."""
        if table == "lines" and key in self._live.lines:
            stops = self._live.lines[key].stops
            return self._live.frame.to_page([(s.lon, s.lat) for s in stops[:1]])
        place = self._live.document.places.get(key) if table == "places" else None
        if place is not None:
            return self._live.frame.to_page([(place.lon, place.lat)])
        spot = self.of_element(key)
        return () if spot is None else (spot,)
