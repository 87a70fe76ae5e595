"""Two boards compared by meaning: pure, Board and Board to BoardDiff."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import JsonValue

from mapkit.document.changes import changed_values, compare_rows
from mapkit.kinds.rail.model.board import (
    REGIONS,
    SUMS,
    Board,
    DestinationChart,
    Junction,
    Milepost,
    Piece,
    Segment,
)
from mapkit.kinds.rail.model.difference import (
    KINDS,
    BoardDiff,
    BoardName,
    DestinationChange,
    ElementChange,
    FieldChange,
    How,
    Kind,
    PayoffChange,
    ValueChange,
)
from mapkit.kinds.rail.rules.paths import flattened
from mapkit.kinds.rail.variants.matching import Matching, match_boards
from mapkit.kinds.rail.variants.story import write_story

DEGREES: Final = 5
"""Decimals of degrees that count, as many as boards have: a metre."""

_ENDS: Final = 2
_MOST: Final = 0.5

Row = Mapping[str, Any]
Rows = Mapping[str, Row]

_SAME: Final = Matching({}, {}, {}, {}, {}, {})
"""B's ids are B's ids."""


def diff_boards(a: Board, b: Board) -> BoardDiff:
    """Return everything in which `b` differs from `a`, and the story of it.

    Elements are matched by id, then by what they do (`rail.variants.matching`). Page coordinates, provenance and
    accepted findings have no part in what a board means; degrees count to a metre.

    Args:
        a: The board before.
        b: The board after.
    """
    match = match_boards(a, b)
    rules = [flattened(board.rules.model_dump(mode="json")) for board in (a, b)]
    values = (*_value_changes(_values(a, match), _values(b, _SAME)), *_order_changes(a, b, match))
    found = BoardDiff(
        a=BoardName(id=a.id, title=a.title, variants=a.variants),
        b=BoardName(id=b.id, title=b.title, variants=b.variants),
        story=(),
        elements=tuple(_element_changes(a, b, match)),
        destinations=tuple(_destination_changes(a, b, match)),
        payoffs=tuple(_payoff_changes(a, b, match)),
        rules=tuple(_value_changes(*rules)),
        values=values,
    )
    return found.model_copy(update={"story": write_story(a, b, match, found)})


def _element_changes(a: Board, b: Board, match: Matching) -> Iterator[ElementChange]:
    drawn = not _is_straightened(a, b)
    rows_a, rows_b = _rows(a, match, drawn=drawn), _rows(b, _SAME, drawn=drawn)
    for kind in KINDS:
        for one, other, fields in compare_rows(rows_a[kind], rows_b[kind], _matches(match, kind)):
            how: How = "removed" if other is None else "added" if one is None else "changed"
            changes = tuple(FieldChange(field=name, a=was, b=now) for name, (was, now) in fields.items())
            yield ElementChange(kind=kind, how=how, a=one, b=other, fields=changes)


def _matches(match: Matching, kind: Kind) -> Mapping[str, str]:
    same: Mapping[str, str] = getattr(match, "cities" if kind == "city" else f"{kind}s")
    return same


def _is_straightened(a: Board, b: Board) -> bool:
    """Return whether one board has no bend at all and most track of the other bends.

    So it is after an export as a graph, which has nodes and nothing between them: that says nothing of the way.
    """
    few, many = sorted(sum(len(p.line) > _ENDS for p in board.pieces) / max(1, len(board.pieces)) for board in (a, b))
    return few == 0 and many > _MOST


def _rows(board: Board, match: Matching, *, drawn: bool) -> dict[Kind, Rows]:
    """Return the fields of every element that have a meaning; ids in B's where `match` has them.

    The id of a segment or junction has none, for it follows from those of its railroad and ends. Where lines are not
    `drawn`, a segment is its nodes, and has no length.
    """

    def of(names: Mapping[str, str], ident: str) -> str:
        return names.get(ident, ident)

    def place(at: Milepost | Junction) -> Row:
        return {"lon": round(at.lon, DEGREES), "lat": round(at.lat, DEGREES)}

    lines = {p.id: p if drawn else p.model_copy(update={"line": (p.line[0], p.line[-1])}) for p in board.pieces}
    shared = _shared(board.segments)
    return {
        "region": {r.id: r.model_dump() for r in board.regions},
        "milepost": {m.id: {"id": m.id, "name": m.name, "kind": m.kind, **place(m)} for m in board.mileposts},
        "city": {
            c.id: {
                "id": c.id,
                "name": c.name,
                "region": of(match.regions, c.region),
                "milepost": of(match.mileposts, c.milepost),
            }
            for c in board.cities
        },
        "railroad": {r.id: {**r.model_dump(exclude={"style"}), **r.style.model_dump()} for r in board.railroads},
        "junction": {j.id: {"railroad": of(match.railroads, j.railroad), **place(j)} for j in board.junctions},
        "segment": {
            s.id: {
                "railroad": of(match.railroads, s.railroad),
                **({"miles": s.miles} if drawn else {}),
                "line": _line(s, lines, (of(match.mileposts, s.a), of(match.mileposts, s.b))),
                "shares_track_with": sorted(of(match.segments, i) for i in shared.get(s.id, ())),
            }
            for s in board.segments
        },
    }


def _line(segment: Segment, pieces: Mapping[str, Piece], ends: tuple[str, str]) -> list[JsonValue]:
    """Return the line of a segment in degrees, from the end whose id comes first."""
    points = segment_line(segment, pieces)
    if ends[0] > ends[1] or (ends[0] == ends[1] and points > points[::-1]):
        points = points[::-1]
    return [[round(lon, DEGREES), round(lat, DEGREES)] for lon, lat in points]


def segment_line(segment: Segment, pieces: Mapping[str, Piece]) -> tuple[tuple[float, float], ...]:
    """Return the line of a segment in degrees (EPSG:4326) from `a` to `b`, its pieces joined in order."""
    points: list[tuple[float, float]] = []
    at = segment.a
    for ident in segment.pieces:
        piece = pieces[ident]
        forward = piece.a == at
        at = piece.b if forward else piece.a
        line = piece.line if forward else piece.line[::-1]
        points.extend(line[1:] if points else line)
    return tuple(points)


def _shared(segments: Sequence[Segment]) -> dict[str, set[str]]:
    """Return segment -> the others that cannot be ridden in the same trip, for they share track (RB-M07)."""
    users: dict[str, list[str]] = {}
    for segment in segments:
        for piece in segment.pieces:
            users.setdefault(piece, []).append(segment.id)
    out: dict[str, set[str]] = {}
    for members in users.values():
        for member in members if len(members) > 1 else ():
            out.setdefault(member, set()).update(set(members) - {member})
    return out


_Cell = tuple[str, Literal["odd", "even"], int]


def _destination_changes(a: Board, b: Board, match: Matching) -> Iterator[DestinationChange]:
    names = {**match.regions, REGIONS: REGIONS}
    charts = {name if (name := names.get(chart, chart)) in b.destinations else chart: chart for chart in a.destinations}
    before = _cells({name: a.destinations[chart] for name, chart in charts.items()}, match)
    for (chart, column, total), (one, other) in changed_values(before, _cells(b.destinations, _SAME)).items():
        yield DestinationChange(chart=chart, column=column, sum=total, a=one, b=other)


def _cells(charts: Mapping[str, DestinationChart], match: Matching) -> dict[_Cell, str | None]:
    """Return the item of every cell, empty or not, in B's ids."""
    out: dict[_Cell, str | None] = {}
    for name, chart in charts.items():
        known = match.regions if name == REGIONS else match.cities
        columns: tuple[tuple[Literal["odd", "even"], Mapping[str, str | None]], ...]
        columns = (("odd", chart.odd), ("even", chart.even))
        for column, cells in columns:
            for total in SUMS:
                item = cells.get(total)
                out[name, column, int(total)] = None if item is None else known.get(item, item)
    return out


def _payoff_changes(a: Board, b: Board, match: Matching) -> Iterator[PayoffChange]:
    before, after = _payoffs(a, match.cities), _payoffs(b, {})
    at = {city: row for row, city in enumerate(dict.fromkeys(city for city, _ in (*after, *before)))}
    changed = changed_values(before, after)
    for start, end in sorted(changed, key=lambda pair: (at[pair[0]], at[pair[1]])):
        is_mirrored = changed.get((end, start)) == changed[start, end]
        if not is_mirrored or at[start] <= at[end]:
            one, other = changed[start, end]
            yield PayoffChange(start=start, end=end, a=one, b=other, one_way=not is_mirrored)


def _payoffs(board: Board, cities: Mapping[str, str]) -> dict[tuple[str, str], float | None]:
    """Return every cell of the payoff chart by its cities, in B's ids."""
    known = [cities.get(city, city) for city in board.payoffs.cities]
    rows = zip(known, board.payoffs.thousands, strict=True)
    return {(start, end): value for start, row in rows for end, value in zip(known, row, strict=True)}


def _values(board: Board, match: Matching) -> dict[str, JsonValue]:
    """Return what else a board states: title, units, projection, page, extensions, declared odds."""
    out = flattened(board.model_dump(mode="json", include={"title", "units", "projection", "page"}))
    out |= {f"extensions.{name}": value for name, value in board.extensions.items()}
    for chart, odds in board.declared.items():
        known = match.regions if chart == REGIONS else match.cities
        for item, value in odds.items():
            out[f"declared.{match.regions.get(chart, chart)}.{known.get(item, item)}"] = value
    return out  # type: ignore[return-value]  # a model's values as JSON


def _order_changes(a: Board, b: Board, match: Matching) -> Iterator[ValueChange]:
    """Yield the orders that differ among what both boards have; what is new or gone is listed separately."""
    regions_a, regions_b = (tuple(r.id for r in board.regions) for board in (a, b))
    for path, known, before, after in (
        ("regions", match.regions, regions_a, regions_b),
        ("payoffs.cities", match.cities, a.payoffs.cities, b.payoffs.cities),
    ):
        both = set(known.values())
        one: list[JsonValue] = [known[i] for i in before if i in known]
        other: list[JsonValue] = [i for i in after if i in both]
        if one != other:
            yield ValueChange(path=path, a=one, b=other)


def _value_changes(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[ValueChange]:
    for path, (one, other) in changed_values(a, b).items():
        yield ValueChange(path=path, a=one, b=other)
