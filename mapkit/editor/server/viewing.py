"""The live board as the page draws it: millimetres, y down, and what changed from one board to the next."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, TypeAlias

from mapkit.editor.live.board import LiveBoard
from mapkit.model.base import Point

View: TypeAlias = dict[str, Any]
_PARTS = ("mileposts", "segments", "junctions", "lines")


def view_of(live: LiveBoard) -> View:
    """Return everything that the page draws: `{mileposts, segments, junctions, lines, page}`, each by id."""
    board = live.board
    at: dict[str, list[str]] = defaultdict(list)
    region: dict[str, str] = {}
    for city in board.cities:
        at[city.milepost].append(city.id)
        region.setdefault(city.milepost, city.region)
    pieces = {piece.id: piece for piece in board.pieces}
    places = {ident: place for place, ident in live.laid.ids.items()}
    return {
        "mileposts": {
            m.id: {
                "name": m.name,
                "place": places.get(m.id, m.name),
                "kind": m.kind,
                "x": m.x,
                "y": m.y,
                "lon": m.lon,
                "lat": m.lat,
                "cities": at.get(m.id, []),
                "region": region.get(m.id),
            }
            for m in board.mileposts
        },
        "segments": {
            s.id: {
                "railroad": s.railroad,
                "a": s.a,
                "b": s.b,
                "miles": round(s.miles, 2),
                "path": live.frame.to_page(_path(s.a, [pieces[p] for p in s.pieces])),
            }
            for s in board.segments
        },
        "junctions": {j.id: {"railroad": j.railroad, "x": j.x, "y": j.y} for j in board.junctions},
        "lines": _lines(live),
        "page": {"width": board.page.width, "height": board.page.height},
    }


def _path(start: str, pieces: list[Any]) -> list[Point]:
    """Return the line of a segment from its first milepost on."""
    out: list[Point] = []
    at = start
    for piece in pieces:
        line = list(piece.line) if piece.a == at else list(reversed(piece.line))
        at = piece.b if piece.a == at else piece.a
        out += line[1:] if out else line
    return out


def _lines(live: LiveBoard) -> dict[str, Any]:
    rows = live.document.lines
    lines = [(key, line) for key, line in sorted(live.lines.items()) if key in rows]
    stops = [stop for _, line in lines for stop in line.stops]
    spots = iter(live.frame.to_page([(stop.lon, stop.lat) for stop in stops]))
    ids = live.laid.ids
    return {
        key: {
            "railroad": rows[key].railroad,
            "name": rows[key].name,
            "stops": [
                {"place": s.place, "kind": s.kind, "x": x, "y": y, "milepost": ids.get(s.place)}
                for s, (x, y) in zip(line.stops, spots, strict=False)
            ],
        }
        for key, line in lines
    }


def delta(before: View, after: View) -> View:
    """Return what changed: new values by id, and null for what is gone."""
    out: View = {part: _changed(before[part], after[part]) for part in _PARTS}
    if before["page"] != after["page"]:
        out["page"] = after["page"]
    return out


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    new = {key: value for key, value in after.items() if before.get(key) != value}
    return new | {key: None for key in before if key not in after}
