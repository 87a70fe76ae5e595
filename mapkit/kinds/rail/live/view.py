"""Drawing of a board on the page: everything at first, then only the changes of an edit."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Final, Literal, NotRequired, TypeVar

from typing_extensions import TypedDict

from mapkit.core.base import Point
from mapkit.evaluate import Reader, changed_keys, tracked
from mapkit.kinds.rail.commands.on_track.tabled_lines import find_tabled_lines, tabled_lines
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.network import milepost_ids
from mapkit.kinds.rail.compiler.on_page import choose_frame
from mapkit.kinds.rail.compiler.places import find_places, post_name
from mapkit.kinds.rail.compiler.railroads import DrawnTrack, FoundLine
from mapkit.kinds.rail.model.board import Junction, Milepost, Segment
from mapkit.kinds.rail.tables import Line


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
    """Parts to draw again; null for removed ones."""

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
        "lines": dict(sorted(shown_lines(live.db).items())),
        "page": _page(live),
    }


def view_delta(old: Compiled, new: Compiled) -> ViewDelta:
    """Return the parts that differ between two boards in the same frame.

    A page that shows `whole_view(old)` and takes this over shows `whole_view(new)`.
    """
    out: ViewDelta = {
        "mileposts": _mileposts(old, new),
        "segments": {i: s if s is None else _segment(s) for i, s in _changed(*_elsewhere(old, new, _SEGMENTS)).items()},
        "junctions": {
            i: j if j is None else _junction(j) for i, j in _changed(*_elsewhere(old, new, _JUNCTIONS)).items()
        },
        "lines": _lines(old, new),
    }
    if old.frame != new.frame:
        out["page"] = _page(new)
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


def _mileposts(old: Compiled, new: Compiled) -> dict[str, ShownMilepost | None]:
    was, now = old.laid.by_id, new.laid.by_id
    changed = changed_keys(was, now)
    found = {i: m for i, m in now.items() if i in changed} | dict.fromkeys(sorted(changed - now.keys()))
    out = {i: m if m is None else _milepost(new, m) for i, m in found.items()}
    others = changed_keys(old.regions, new.regions) | changed_keys(old.cities_at, new.cities_at)
    for ident in sorted(others - out.keys()):
        if ident in new.laid.by_id:
            out[ident] = _milepost(new, new.laid.by_id[ident])
    return out


def _lines(old: Compiled, new: Compiled) -> dict[str, ShownLine | None]:
    was, now = shown_lines(old.db), shown_lines(new.db)
    out: dict[str, ShownLine | None] = {key: now.get(key) for key in changed_keys(was, now)}
    return dict(sorted(out.items()))


def _elsewhere(
    old: Compiled, new: Compiled, part: Callable[[DrawnTrack], tuple[E, ...]]
) -> tuple[tuple[E, ...], tuple[E, ...]]:
    """Return a part of the track of railroads with changed track, sorted by id."""
    was, now = old.laid.drawn, new.laid.drawn
    differs = changed_keys(was, now)
    one, other = (
        tuple(sorted((e for key in differs if key in drawn for e in part(drawn[key])), key=attrgetter("id")))
        for drawn in (was, now)
    )
    return one, other


def _changed(was: tuple[E, ...], now: tuple[E, ...]) -> dict[str, E | None]:
    """Return new and changed values by id, and None for removed ones."""
    if len(was) == len(now):  # most edits move, and most elements are the same objects
        pairs = [(one, other) for one, other in zip(was, now, strict=True) if one is not other]
        if all(one.id == other.id for one, other in pairs):
            return {other.id: other for one, other in pairs if one != other}
    stayed = set(map(id, was)) & set(map(id, now))
    gone = {element.id: element for element in was if id(element) not in stayed}
    out: dict[str, E | None] = {}
    for element in now:
        if id(element) not in stayed and gone.pop(element.id, None) != element:
            out[element.id] = element
    return out | dict.fromkeys(gone)


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


@tracked
def shown_lines(db: Reader) -> Mapping[str, ShownLine]:
    """Return the lines as pages get them, by id; track of tables as line tools know it."""
    lines, rows, ids = find_places(db).lines, db.table("lines"), milepost_ids(db)
    if db.table("track"):
        lines, rows = {**lines, **find_tabled_lines(db)}, {**rows, **tabled_lines(db)}
        ids = {**ids, **{post_name(key, post): key for key, post in db.table("mileposts").items()}}
    return db.each(_line, lines, rows, ids, choose_frame(db))


def _line(_key: str, line: FoundLine, rows: Mapping[str, Line], ids: Mapping[str, str], frame: Frame) -> ShownLine:
    row = rows[line.id]
    spots = frame.to_page([(stop.lon, stop.lat) for stop in line.stops])
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
