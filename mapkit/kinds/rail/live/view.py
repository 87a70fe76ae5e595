"""What the page draws of a board: everything at first, then only what an edit changed."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Final, Literal, NotRequired, TypeVar

from typing_extensions import TypedDict

from mapkit.core.base import Point
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.compiler.railroads import DrawnTrack, FoundLine
from mapkit.kinds.rail.model.board import Junction, Milepost, Segment


class ShownMilepost(TypedDict):
    """A milepost: millimetres on the page, y down, degrees (EPSG:4326), ids of its cities and of its region."""

    name: str
    kind: Literal["city", "dot"]
    x: float
    y: float
    lon: float
    lat: float
    cities: list[str]
    region: str | None


class ShownSegment(TypedDict):
    """A segment, from milepost `a` to `b`."""

    railroad: str
    a: str
    b: str
    miles: float
    path: Sequence[Point]


class ShownJunction(TypedDict):
    """A junction of a railroad off any milepost."""

    railroad: str
    x: float
    y: float
    lon: float
    lat: float


class ShownStop(TypedDict):
    """A place of a line; `at` is its number in the line as typed, `milepost` the id of the milepost there."""

    at: int
    place: str
    kind: Literal["milepost", "via"]
    x: float
    y: float
    lon: float
    lat: float
    milepost: str | None


class ShownLine(TypedDict):
    """A line of a station list."""

    railroad: str
    name: str
    stops: list[ShownStop]


class ShownProjection(TypedDict):
    """How degrees became millimetres, as `Projection` has it."""

    name: str
    crs: str
    scale_mm_per_m: float
    offset_x_mm: float
    offset_y_mm: float


class ShownPage(TypedDict):
    """The page in millimetres: its size, the frame of the map, and how degrees become millimetres."""

    width: float
    height: float
    frame: tuple[float, float, float, float]
    projection: ShownProjection


class WholeView(TypedDict):
    """Everything that the page draws, by id."""

    mileposts: dict[str, ShownMilepost]
    segments: dict[str, ShownSegment]
    junctions: dict[str, ShownJunction]
    lines: dict[str, ShownLine]
    page: ShownPage


class ViewDelta(TypedDict):
    """What is to be drawn again; null for what is gone."""

    mileposts: dict[str, ShownMilepost | None]
    segments: dict[str, ShownSegment | None]
    junctions: dict[str, ShownJunction | None]
    lines: dict[str, ShownLine | None]
    page: NotRequired[ShownPage]


E = TypeVar("E", Milepost, Segment, Junction)

_SEGMENTS: Final[Callable[[DrawnTrack], tuple[Segment, ...]]] = attrgetter("segments")
_JUNCTIONS: Final[Callable[[DrawnTrack], tuple[Junction, ...]]] = attrgetter("junctions")


def whole_view(live: Compiled) -> WholeView:
    """Return everything that the page draws, in page millimetres, y downward."""
    return {
        "mileposts": {m.id: _milepost(live, m) for m in live.board.mileposts},
        "segments": {s.id: _segment(s) for s in live.board.segments},
        "junctions": {j.id: _junction(j) for j in live.board.junctions},
        "lines": {key: _line(live, line) for key, line in sorted(live.lines.items())},
        "page": _page(live),
    }


def view_delta(before: Compiled, after: Compiled) -> ViewDelta:
    """Return what the page must redraw to come from one board to the other, in the same frame.

    A page that shows `whole_view(before)` and takes this over shows `whole_view(after)`.
    """
    out: ViewDelta = {
        "mileposts": _mileposts(before, after),
        "segments": {
            i: s if s is None else _segment(s) for i, s in _changed(*_elsewhere(before, after, _SEGMENTS)).items()
        },
        "junctions": {
            i: j if j is None else _junction(j) for i, j in _changed(*_elsewhere(before, after, _JUNCTIONS)).items()
        },
        "lines": _lines(before, after),
    }
    if before.frame != after.frame:
        out["page"] = _page(after)
    return out


def _page(live: Compiled) -> ShownPage:
    """Return the page in millimetres: its size, the frame of the map, and how degrees become millimetres."""
    page, by = live.frame.page, live.frame.projection
    return {
        "width": page.width,
        "height": page.height,
        "frame": page.frame,
        "projection": {
            "name": by.name,
            "crs": by.crs,
            "scale_mm_per_m": by.scale_mm_per_m,
            "offset_x_mm": by.offset_x_mm,
            "offset_y_mm": by.offset_y_mm,
        },
    }


def _mileposts(before: Compiled, after: Compiled) -> dict[str, ShownMilepost | None]:
    was, now = before.laid.by_id, after.laid.by_id
    found: dict[str, Milepost | None] = {}
    if was is not now:
        found |= {i: m for i, m in now.items() if was.get(i) is not m and was.get(i) != m}
        found |= dict.fromkeys(sorted(was.keys() - now.keys()))
    out = {i: m if m is None else _milepost(after, m) for i, m in found.items()}
    others: set[str] = set()
    if before.regions is not after.regions:
        others |= _other(before.regions, after.regions)
    if before.board.cities is not after.board.cities:
        others |= _other(before.cities_at, after.cities_at)
    for ident in sorted(others - out.keys()):
        if ident in after.laid.by_id:
            out[ident] = _milepost(after, after.laid.by_id[ident])
    return out


def _lines(before: Compiled, after: Compiled) -> dict[str, ShownLine | None]:
    if before.lines is after.lines and before.laid is after.laid:
        return {}
    same = before.frame is after.frame
    ids, old_ids = after.laid.ids, before.laid.ids
    named = set() if ids is old_ids else _other(old_ids, ids)
    names = after.laid.lines.names
    alike = {railroad for railroad, (_, places) in names.items() if named.isdisjoint(places)}
    out: dict[str, ShownLine | None] = {}
    for key in sorted(before.lines.keys() | after.lines.keys()):
        line, old = after.lines.get(key), before.lines.get(key)
        if line is None:
            out[key] = None
        elif old is None:
            out[key] = _line(after, line)
        elif (
            not same
            or line is not old
            or after.document.lines[key] is not before.document.lines[key]
            or (named and after.document.lines[key].railroad not in alike)
        ):
            now = _line(after, line)
            if now != _line(before, old):
                out[key] = now
    return out


def _elsewhere(
    before: Compiled, after: Compiled, part: Callable[[DrawnTrack], tuple[E, ...]]
) -> tuple[tuple[E, ...], tuple[E, ...]]:
    """Return a part of the track of those railroads whose track is not the same object, sorted by id."""
    old, new = before.laid.drawn, after.laid.drawn
    differs = [key for key in old.keys() | new.keys() if old.get(key) is not new.get(key)]
    one, other = (
        tuple(sorted((e for key in differs if key in drawn for e in part(drawn[key])), key=attrgetter("id")))
        for drawn in (old, new)
    )
    return one, other


def _other(before: Mapping[str, object], after: Mapping[str, object]) -> set[str]:
    """Return the keys of which one mapping says something else than the other, or nothing."""
    return {key for key, value in after.items() if before.get(key) != value} | (before.keys() - after.keys())


def _changed(before: tuple[E, ...], after: tuple[E, ...]) -> dict[str, E | None]:
    """Return what is new or other, and None for what is gone, by id."""
    if before is after:
        return {}
    if len(before) == len(after):  # most edits move, and most elements are the same objects
        pairs = [(old, new) for old, new in zip(before, after, strict=True) if old is not new]
        if all(old.id == new.id for old, new in pairs):
            return {new.id: new for old, new in pairs if old != new}
    stayed = set(map(id, before)) & set(map(id, after))
    old = {element.id: element for element in before if id(element) not in stayed}
    out: dict[str, E | None] = {}
    for element in after:
        if id(element) not in stayed and old.pop(element.id, None) != element:
            out[element.id] = element
    return out | dict.fromkeys(old)


def _milepost(live: Compiled, milepost: Milepost) -> ShownMilepost:
    return {
        "name": milepost.name,
        "kind": milepost.kind,
        "x": milepost.x,
        "y": milepost.y,
        "lon": milepost.lon,
        "lat": milepost.lat,
        "cities": list(live.cities_at.get(milepost.id, ())),
        "region": live.regions.get(milepost.id),
    }


def _segment(segment: Segment) -> ShownSegment:
    return {
        "railroad": segment.railroad,
        "a": segment.a,
        "b": segment.b,
        "miles": segment.miles,
        "path": segment.path,
    }


def _junction(junction: Junction) -> ShownJunction:
    return {
        "railroad": junction.railroad,
        "x": junction.x,
        "y": junction.y,
        "lon": junction.lon,
        "lat": junction.lat,
    }


def _line(live: Compiled, line: FoundLine) -> ShownLine:
    row = live.document.lines[line.id]
    spots = live.frame.to_page([(stop.lon, stop.lat) for stop in line.stops])
    ids: Mapping[str, str] = live.laid.ids
    return {
        "railroad": row.railroad,
        "name": row.name,
        "stops": [
            {
                "at": at,
                "place": stop.place,
                "kind": stop.kind,
                "x": x,
                "y": y,
                "lon": stop.lon,
                "lat": stop.lat,
                "milepost": ids.get(stop.place) if stop.kind == "milepost" else None,
            }
            for at, stop, (x, y) in zip(line.typed, line.stops, spots, strict=True)
        ],
    }
