"""Two boards compared by meaning: pure, Board and Board to BoardDiff."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from pydantic import JsonValue

from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, Piece, Segment
from mapkit.kinds.rail.model.difference import (
    KINDS,
    BoardDiff,
    BoardName,
    DestinationChange,
    ElementChange,
    FieldChange,
    Kind,
    PayoffChange,
    ValueChange,
)
from mapkit.kinds.rail.variants.matching import Matching, match_boards
from mapkit.kinds.rail.variants.story import write_story

DEGREES: Final = 5
"""Decimals of degrees that count, as many as boards have: a metre."""

_ENDS: Final = 2
_MOST: Final = 0.5

Row = Mapping[str, JsonValue]
Rows = Mapping[str, Row]


def diff_boards(a: Board, b: Board) -> BoardDiff:
    """Return everything in which `b` differs from `a`, and the story of it.

    Elements are matched by id, then by what they do (`rail.variants.matching`). Page coordinates, provenance and
    accepted findings have no part in what a board means; degrees count to a metre.

    Args:
        a: The board before.
        b: The board after.
    """
    match = match_boards(a, b)
    elements = tuple(_element_changes(a, b, match))
    destinations = tuple(_destination_changes(a, b, match))
    payoffs = tuple(_payoff_changes(a, b, match))
    rules = tuple(_value_changes(_flat(a.rules.model_dump(mode="json")), _flat(b.rules.model_dump(mode="json"))))
    values = (*_value_changes(_values(a, match), _values(b, None)), *_order_changes(a, b, match))
    found = BoardDiff(
        a=BoardName(id=a.id, title=a.title, variants=a.variants),
        b=BoardName(id=b.id, title=b.title, variants=b.variants),
        story=(),
        elements=elements,
        destinations=destinations,
        payoffs=payoffs,
        rules=rules,
        values=values,
    )
    return found.model_copy(update={"story": write_story(a, b, match, found)})


def _element_changes(a: Board, b: Board, match: Matching) -> Iterator[ElementChange]:
    maps: dict[Kind, Mapping[str, str]] = {
        "region": match.regions,
        "milepost": match.mileposts,
        "city": match.cities,
        "railroad": match.railroads,
        "junction": match.junctions,
        "segment": match.segments,
    }
    drawn = not _is_straightened(a, b)
    rows_a, rows_b = _rows(a, match, drawn=drawn), _rows(b, None, drawn=drawn)
    for kind in KINDS:
        mine, theirs, same = rows_a[kind], rows_b[kind], maps[kind]
        yield from (ElementChange(kind=kind, how="removed", a=i) for i in sorted(mine) if i not in same)
        taken = set(same.values())
        yield from (ElementChange(kind=kind, how="added", b=i) for i in sorted(theirs) if i not in taken)
        for one, other in sorted(same.items(), key=lambda pair: pair[1]):
            fields = tuple(
                FieldChange(field=field, a=value, b=theirs[other][field])
                for field, value in mine[one].items()
                if value != theirs[other][field]
            )
            # The id of a segment or junction follows from those of its railroad and ends.
            if one != other and kind not in ("segment", "junction"):
                fields = (FieldChange(field="id", a=one, b=other), *fields)
            if fields:
                yield ElementChange(kind=kind, how="changed", a=one, b=other, fields=fields)


def _is_straightened(a: Board, b: Board) -> bool:
    """Return whether one board has no bend at all and most track of the other bends.

    So it is after an export as a graph, which has nodes and nothing between them: that says nothing of the way.
    """
    few, many = sorted(sum(len(p.line) > _ENDS for p in board.pieces) / max(1, len(board.pieces)) for board in (a, b))
    return few == 0 and many > _MOST


def _rows(board: Board, match: Matching | None, *, drawn: bool) -> dict[Kind, Rows]:
    """Return the fields of every element that have a meaning; ids in B's where `match` has them.

    Where lines are not `drawn`, a segment is its nodes, and has no length.
    """

    def of(names: Mapping[str, str] | None, ident: str) -> str:
        return ident if names is None else names.get(ident, ident)

    regions, places, railroads, segments = (
        (match.regions, match.mileposts, match.railroads, match.segments) if match else (None, None, None, None)
    )
    pieces = {p.id: p for p in board.pieces}
    nodes_only = {p.id: p.model_copy(update={"line": (p.line[0], p.line[-1])}) for p in board.pieces if not drawn}
    shared = _shared(board.segments)
    return {
        "region": {r.id: {"name": r.name, "short": r.short, "colour": r.colour} for r in board.regions},
        "milepost": {
            m.id: {"name": m.name, "kind": m.kind, "lon": round(m.lon, DEGREES), "lat": round(m.lat, DEGREES)}
            for m in board.mileposts
        },
        "city": {
            c.id: {"name": c.name, "region": of(regions, c.region), "milepost": of(places, c.milepost)}
            for c in board.cities
        },
        "railroad": {
            r.id: {
                "name": r.name,
                "short": r.short,
                "price": r.price,
                "public": r.public,
                "colour": r.style.colour,
                "pattern": r.style.pattern,
            }
            for r in board.railroads
        },
        "junction": {
            j.id: {
                "railroad": of(railroads, j.railroad),
                "lon": round(j.lon, DEGREES),
                "lat": round(j.lat, DEGREES),
            }
            for j in board.junctions
        },
        "segment": {
            s.id: {
                "railroad": of(railroads, s.railroad),
                **({"miles": s.miles} if drawn else {}),
                "line": _line(s, pieces if drawn else nodes_only, (of(places, s.a), of(places, s.b))),
                "shares_track_with": cast("list[JsonValue]", sorted(of(segments, i) for i in shared.get(s.id, ()))),
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


def _destination_changes(a: Board, b: Board, match: Matching) -> Iterator[DestinationChange]:
    names = {**match.regions, REGIONS: REGIONS}
    items = {REGIONS: match.regions}
    before = {names.get(chart, chart): (chart, cells) for chart, cells in a.destinations.items()}
    order = [*(name for name in b.destinations), *(name for name in before if name not in b.destinations)]
    for chart in order:
        old, cells_a = before.get(chart, (chart, None))
        cells_b = b.destinations.get(chart)
        known = items.get(chart, match.cities)
        for column in ("odd", "even"):
            for total in SUMS:
                one = getattr(cells_a, column).get(total) if cells_a else None
                other = getattr(cells_b, column).get(total) if cells_b else None
                if (one if one is None else known.get(one, one)) != other:
                    yield DestinationChange(
                        chart=chart if cells_b else old,
                        column="odd" if column == "odd" else "even",
                        sum=int(total),
                        a=one if one is None else known.get(one, one),
                        b=other,
                    )


def _payoff_changes(a: Board, b: Board, match: Matching) -> Iterator[PayoffChange]:
    old = {match.cities.get(c, c): row for row, c in enumerate(a.payoffs.cities)}
    new = {c: row for row, c in enumerate(b.payoffs.cities)}
    cells_a, cells_b = a.payoffs.thousands, b.payoffs.thousands
    order = [*new, *(c for c in old if c not in new)]

    def cell(rows: Mapping[str, int], cells: Sequence[Sequence[float | None]], x: str, y: str) -> float | None:
        return cells[rows[x]][rows[y]] if x in rows and y in rows else None

    for at, start in enumerate(order):
        if start in old and start in new and _same_rows(old, new, cells_a, cells_b, start):
            continue
        for end in order:
            back = order.index(end) < at
            one, other = cell(old, cells_a, start, end), cell(new, cells_b, start, end)
            if one == other:
                continue
            mirrored = cell(old, cells_a, end, start) == one and cell(new, cells_b, end, start) == other
            if not (back and mirrored):
                yield PayoffChange(start=start, end=end, a=one, b=other, one_way=not mirrored)


def _same_rows(
    old: Mapping[str, int],
    new: Mapping[str, int],
    a: Sequence[Sequence[float | None]],
    b: Sequence[Sequence[float | None]],
    city: str,
) -> bool:
    """Return whether a city's row is the same on both boards: the common case, decided quickly."""
    return tuple(old) == tuple(new) and a[old[city]] == b[new[city]]


def _values(board: Board, match: Matching | None) -> dict[str, JsonValue]:
    """Return what else a board states: title, units, projection, page, extensions, declared odds."""
    data = board.model_dump(mode="json", include={"title", "units", "projection", "page"})
    out = dict(_flat(data))
    out |= {f"extensions.{name}": value for name, value in board.extensions.items()}
    cities, regions = (match.cities, match.regions) if match else (None, None)
    for chart, odds in board.declared.items():
        name = regions.get(chart, chart) if regions else chart
        known = regions if chart == REGIONS else cities
        for item, value in odds.items():
            out[f"declared.{name}.{known.get(item, item) if known else item}"] = value
    return out


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


def _flat(data: Mapping[str, JsonValue], path: str = "") -> dict[str, JsonValue]:
    """Return nested values by their dotted paths; lists stay whole."""
    out: dict[str, JsonValue] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            out |= _flat(value, f"{path}{key}.")
        else:
            out[path + key] = value
    return out


def _value_changes(a: Mapping[str, JsonValue], b: Mapping[str, JsonValue]) -> Iterator[ValueChange]:
    for path in [*b, *(p for p in a if p not in b)]:
        one, other = a.get(path), b.get(path)
        if one != other:
            yield ValueChange(path=path, a=one, b=other)
