"""Comparison of two boards by meaning."""

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
from mapkit.kinds.rail.rules.paths import flatten_nested
from mapkit.kinds.rail.variants.change_summary import summarise_changes
from mapkit.kinds.rail.variants.matching import Matching, match_boards

DEGREES: Final = 5
"""Decimals of degrees that count, as many as boards have: a metre."""

_LINE_ENDS: Final = 2
_MOST_SHARE: Final = 0.5

Row = Mapping[str, Any]
Rows = Mapping[str, Row]

_NO_MATCHES: Final = Matching({}, {}, {}, {}, {}, {})
"""B's ids are B's ids."""


def diff_boards(a: Board, b: Board) -> BoardDiff:
    """Return all differences of `b` from `a`, with their summary in steps.

    Elements are matched by id, then by what they do (`rail.variants.matching`). Page coordinates, provenance and
    accepted findings have no part in what a board means; degrees count to a metre.

    Args:
        a: The board before.
        b: The board after.
    """
    match = match_boards(a, b)
    flat_rules = [flatten_nested(board.rules.model_dump(mode="json")) for board in (a, b)]
    values = (*_value_changes(_board_values(a, match), _board_values(b, _NO_MATCHES)), *_order_changes(a, b, match))
    board_diff = BoardDiff(
        a=BoardName(id=a.id, title=a.title, variants=a.variants),
        b=BoardName(id=b.id, title=b.title, variants=b.variants),
        story=(),
        elements=tuple(_element_changes(a, b, match)),
        destinations=tuple(_destination_changes(a, b, match)),
        payoffs=tuple(_payoff_changes(a, b, match)),
        rules=tuple(_value_changes(*flat_rules)),
        values=values,
    )
    return board_diff.model_copy(update={"story": summarise_changes(a, b, match, board_diff)})


def _element_changes(a: Board, b: Board, match: Matching) -> Iterator[ElementChange]:
    drawn = not _is_straightened(a, b)
    rows_a, rows_b = _rows_by_kind(a, match, drawn=drawn), _rows_by_kind(b, _NO_MATCHES, drawn=drawn)
    for kind in KINDS:
        b_id_by_a_id: Mapping[str, str] = getattr(match, "cities" if kind == "city" else f"{kind}s")
        for id_a, id_b, fields in compare_rows(rows_a[kind], rows_b[kind], b_id_by_a_id):
            how: How = "removed" if id_b is None else "added" if id_a is None else "changed"
            changes = tuple(FieldChange(field=name, a=was, b=now) for name, (was, now) in fields.items())
            yield ElementChange(kind=kind, how=how, a=id_a, b=id_b, fields=changes)


def _is_straightened(a: Board, b: Board) -> bool:
    """Return whether one board has no bends and most track of the other bends.

    So it is after an export as a graph, which has nodes and nothing between them: that says nothing of the way.
    """
    lower_share, higher_share = sorted(
        sum(len(p.line) > _LINE_ENDS for p in board.pieces) / max(1, len(board.pieces)) for board in (a, b)
    )
    return lower_share == 0 and higher_share > _MOST_SHARE


def _rows_by_kind(board: Board, match: Matching, *, drawn: bool) -> dict[Kind, Rows]:
    """Return the meaningful fields of every element, with ids of B for elements in `match`.

    The id of a segment or junction has none, for it follows from those of its railroad and ends. Where lines are not
    `drawn`, a segment is its nodes, and has no length.
    """

    def of(names: Mapping[str, str], ident: str) -> str:
        return names.get(ident, ident)

    def place(at: Milepost | Junction) -> Row:
        return {"lon": round(at.lon, DEGREES), "lat": round(at.lat, DEGREES)}

    piece_by_id = {p.id: p if drawn else p.model_copy(update={"line": (p.line[0], p.line[-1])}) for p in board.pieces}
    sharing_segments = _find_shared_track(board.segments)
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
                "line": _segment_line_rounded(s, piece_by_id, (of(match.mileposts, s.a), of(match.mileposts, s.b))),
                "shares_track_with": sorted(of(match.segments, i) for i in sharing_segments.get(s.id, ())),
            }
            for s in board.segments
        },
    }


def _segment_line_rounded(segment: Segment, pieces: Mapping[str, Piece], ends: tuple[str, str]) -> list[JsonValue]:
    """Return the line of a segment in degrees, from the end with the first id."""
    points = segment_line(segment, pieces)
    if ends[0] > ends[1] or (ends[0] == ends[1] and points > points[::-1]):
        points = points[::-1]
    return [[round(lon, DEGREES), round(lat, DEGREES)] for lon, lat in points]


def segment_line(segment: Segment, pieces: Mapping[str, Piece]) -> tuple[tuple[float, float], ...]:
    """Return the line of a segment in degrees (EPSG:4326) from `a` to `b`, its pieces joined in order."""
    points: list[tuple[float, float]] = []
    current_end = segment.a
    for ident in segment.pieces:
        piece = pieces[ident]
        runs_forward = piece.a == current_end
        current_end = piece.b if runs_forward else piece.a
        line = piece.line if runs_forward else piece.line[::-1]
        points.extend(line[1:] if points else line)
    return tuple(points)


def _find_shared_track(segments: Sequence[Segment]) -> dict[str, set[str]]:
    """Return segment -> the others that share track with it, so one trip cannot use both (RB-M07)."""
    segments_by_piece: dict[str, list[str]] = {}
    for segment in segments:
        for piece in segment.pieces:
            segments_by_piece.setdefault(piece, []).append(segment.id)
    sharing_segments: dict[str, set[str]] = {}
    for members in segments_by_piece.values():
        for member in members if len(members) > 1 else ():
            sharing_segments.setdefault(member, set()).update(set(members) - {member})
    return sharing_segments


_Cell = tuple[str, Literal["odd", "even"], int]


def _destination_changes(a: Board, b: Board, match: Matching) -> Iterator[DestinationChange]:
    b_id_by_a_id = {**match.regions, REGIONS: REGIONS}
    chart_by_name = {
        name if (name := b_id_by_a_id.get(chart, chart)) in b.destinations else chart: chart for chart in a.destinations
    }
    cells_a = _chart_cells({name: a.destinations[chart] for name, chart in chart_by_name.items()}, match)
    for (chart, column, total), (item_a, item_b) in changed_values(
        cells_a, _chart_cells(b.destinations, _NO_MATCHES)
    ).items():
        yield DestinationChange(chart=chart, column=column, sum=total, a=item_a, b=item_b)


def _chart_cells(charts: Mapping[str, DestinationChart], match: Matching) -> dict[_Cell, str | None]:
    """Return the item of every cell, empty or not, in B's ids."""
    item_by_cell: dict[_Cell, str | None] = {}
    for name, chart in charts.items():
        b_id_by_a_id = match.regions if name == REGIONS else match.cities
        columns: tuple[tuple[Literal["odd", "even"], Mapping[str, str | None]], ...]
        columns = (("odd", chart.odd), ("even", chart.even))
        for column, cells in columns:
            for total in SUMS:
                item = cells.get(total)
                item_by_cell[name, column, int(total)] = None if item is None else b_id_by_a_id.get(item, item)
    return item_by_cell


def _payoff_changes(a: Board, b: Board, match: Matching) -> Iterator[PayoffChange]:
    cells_a, cells_b = _payoff_cells(a, match.cities), _payoff_cells(b, {})
    row_by_city = {city: row for row, city in enumerate(dict.fromkeys(city for city, _ in (*cells_b, *cells_a)))}
    changed_cells = changed_values(cells_a, cells_b)
    for start, end in sorted(changed_cells, key=lambda pair: (row_by_city[pair[0]], row_by_city[pair[1]])):
        is_mirrored = changed_cells.get((end, start)) == changed_cells[start, end]
        if not is_mirrored or row_by_city[start] <= row_by_city[end]:
            amount_a, amount_b = changed_cells[start, end]
            yield PayoffChange(start=start, end=end, a=amount_a, b=amount_b, one_way=not is_mirrored)


def _payoff_cells(board: Board, cities: Mapping[str, str]) -> dict[tuple[str, str], float | None]:
    """Return every cell of the payoff chart by its cities, in B's ids."""
    city_ids = [cities.get(city, city) for city in board.payoffs.cities]
    rows = zip(city_ids, board.payoffs.thousands, strict=True)
    return {(start, end): value for start, row in rows for end, value in zip(city_ids, row, strict=True)}


def _board_values(board: Board, match: Matching) -> dict[str, JsonValue]:
    """Return the other values of a board: title, units, projection, page, extensions, declared odds."""
    value_by_path = flatten_nested(board.model_dump(mode="json", include={"title", "units", "projection", "page"}))
    value_by_path |= {f"extensions.{name}": value for name, value in board.extensions.items()}
    for chart, odds in board.declared.items():
        b_id_by_a_id = match.regions if chart == REGIONS else match.cities
        for item, value in odds.items():
            value_by_path[f"declared.{match.regions.get(chart, chart)}.{b_id_by_a_id.get(item, item)}"] = value
    return value_by_path  # type: ignore[return-value]  # a model's values as JSON


def _order_changes(a: Board, b: Board, match: Matching) -> Iterator[ValueChange]:
    """Yield differing orders of the elements that both boards have; additions and removals are listed separately."""
    regions_a, regions_b = (tuple(r.id for r in board.regions) for board in (a, b))
    for path, b_id_by_a_id, ids_a, ids_b in (
        ("regions", match.regions, regions_a, regions_b),
        ("payoffs.cities", match.cities, a.payoffs.cities, b.payoffs.cities),
    ):
        common_ids = set(b_id_by_a_id.values())
        order_a: list[JsonValue] = [b_id_by_a_id[i] for i in ids_a if i in b_id_by_a_id]
        order_b: list[JsonValue] = [i for i in ids_b if i in common_ids]
        if order_a != order_b:
            yield ValueChange(path=path, a=order_a, b=order_b)


def _value_changes(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[ValueChange]:
    for path, (value_a, value_b) in changed_values(a, b).items():
        yield ValueChange(path=path, a=value_a, b=value_b)
