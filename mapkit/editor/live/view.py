"""What the page draws of a board: everything at first, then only what an edit changed."""

from collections.abc import Mapping
from typing import Any, TypeVar

from mapkit.editor.live.board import LiveBoard
from mapkit.editor.live.railroads import Line
from mapkit.model.board import Junction, Milepost, Segment

ViewPart = dict[str, dict[str, Any] | None]
"""Id -> what to draw, or None for what is gone."""

E = TypeVar("E", Milepost, Segment, Junction)

View = dict[str, Any]
"""`mileposts`, `segments`, `junctions`, `lines`, each a `ViewPart`, and `page`."""


def whole_view(live: LiveBoard) -> View:
    """Return everything that the page draws, in page millimetres, y downward."""
    return {
        "mileposts": {m.id: _milepost(live, m) for m in live.board.mileposts},
        "segments": {s.id: _segment(s) for s in live.board.segments},
        "junctions": {j.id: _junction(j) for j in live.board.junctions},
        "lines": {key: _line(live, line) for key, line in sorted(live.lines.items())},
        "page": _page(live),
    }


def view_delta(before: LiveBoard, after: LiveBoard) -> View:
    """Return what the page must draw anew to come from one board to the other, in the same frame.

    A page that shows `whole_view(before)` and takes this over shows `whole_view(after)`.
    """
    out: View = {
        "mileposts": _mileposts(before, after),
        "segments": {
            i: s if s is None else _segment(s) for i, s in _changed(before.board.segments, after.board.segments).items()
        },
        "junctions": {
            i: j if j is None else _junction(j)
            for i, j in _changed(before.board.junctions, after.board.junctions).items()
        },
        "lines": _lines(before, after),
    }
    return out if before.frame == after.frame else out | {"page": _page(after)}


def _page(live: LiveBoard) -> dict[str, Any]:
    """Return the page in millimetres: its size, the frame of the map, and how degrees become millimetres."""
    page = live.frame.page.model_dump(mode="json")
    return {**page, "projection": live.frame.projection.model_dump(mode="json")}


def _mileposts(before: LiveBoard, after: LiveBoard) -> ViewPart:
    found = _changed(before.board.mileposts, after.board.mileposts)
    out: ViewPart = {i: m if m is None else _milepost(after, m) for i, m in found.items()}
    others: set[str] = set()
    if before.regions is not after.regions:
        others |= {ident for ident, _ in before.regions.items() ^ after.regions.items()}
    if before.board.cities is not after.board.cities:
        others |= {ident for ident, _ in before.cities_at.items() ^ after.cities_at.items()}
    for ident in sorted(others - out.keys()):
        if ident in after.laid.by_id:
            out[ident] = _milepost(after, after.laid.by_id[ident])
    return out


def _lines(before: LiveBoard, after: LiveBoard) -> ViewPart:
    if before.lines is after.lines and before.laid is after.laid:
        return {}
    same = before.frame is after.frame
    named = {place for place, _ in before.laid.ids.items() ^ after.laid.ids.items()}
    out: ViewPart = {}
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
            or not named.isdisjoint([stop.place for stop in line.stops])
        ):
            now = _line(after, line)
            if now != _line(before, old):
                out[key] = now
    return out


def _changed(before: tuple[E, ...], after: tuple[E, ...]) -> dict[str, E | None]:
    """Return what is new or other, and None for what is gone, by id."""
    if before is after:
        return {}
    stayed = set(map(id, before)) & set(map(id, after))  # most are the same objects
    old = {element.id: element for element in before if id(element) not in stayed}
    out: dict[str, E | None] = {}
    for element in after:
        if id(element) not in stayed and old.pop(element.id, None) != element:
            out[element.id] = element
    return out | dict.fromkeys(old)


def _milepost(live: LiveBoard, milepost: Milepost) -> dict[str, Any]:
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


def _segment(segment: Segment) -> dict[str, Any]:
    return {
        "railroad": segment.railroad,
        "a": segment.a,
        "b": segment.b,
        "miles": segment.miles,
        "path": segment.path,
    }


def _junction(junction: Junction) -> dict[str, Any]:
    return {
        "railroad": junction.railroad,
        "x": junction.x,
        "y": junction.y,
        "lon": junction.lon,
        "lat": junction.lat,
    }


def _line(live: LiveBoard, line: Line) -> dict[str, Any]:
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
