"""From layers back to a board, with what was edited in a GIS.

A point that moved takes the ends of its lines along; a vertex that moved changes the line and its miles; a new line
in `segments` that names a railroad becomes a segment between the mileposts at its ends; a deleted segment leaves the
track that only it used. Everything else is as the file's tables say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import joined_id, slug
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.exchange.gis.layers import mark
from mapkit.kinds.rail.exchange.parts import APART, OWN_PATHS, Line, Parts, Row, join_lines, pop_own_paths, put_together
from mapkit.kinds.rail.model.board import Board

NEAR_MILES: Final = 2.0
"""How far from a milepost a new line may end."""

_STILL_DEG: Final = 1e-7
_DECIMALS: Final = 5
_FEWEST = 2
_MOST_PROBLEMS = 20


class LayerFeature(NamedTuple):
    """A row of a layer: its place in the file for messages, its values, and its points (None: no shape)."""

    where: str
    row: Row
    line: Line | None


@dataclass
class _Edit:
    """The board while it is put together."""

    file: str
    page: PageMap
    nodes: dict[str, Row] = field(default_factory=dict)
    mileposts: list[Row] = field(default_factory=list)
    junctions: list[Row] = field(default_factory=list)
    pieces: dict[str, Row] = field(default_factory=dict)
    segments: list[Row] = field(default_factory=list)
    moved: set[str] = field(default_factory=set)
    """Nodes that have moved."""
    bent: set[str] = field(default_factory=set)
    """Pieces whose line is another now."""
    problems: list[str] = field(default_factory=list)

    def bad(self, feature: LayerFeature, text: str) -> None:
        self.problems.append(f"{self.file}: {feature.where}: {text}")


def board_of(layers: Mapping[str, Sequence[LayerFeature]], rest: Mapping[str, Any], *, file: str) -> Board:
    """Return the board of layers and of the rest that the file carries.

    Args:
        layers: The features by layer; `line` of points has one point.
        rest: As `mapkit.kinds.rail.exchange.parts` has it.
        file: What to call the file in messages.

    Raises:
        SourceError: A feature or the rest is no part of a board; layer and row are named.
    """
    try:
        projection = Projection.model_validate(rest.get("projection"))
    except ValueError as error:
        raise SourceError(f"{file}: not a board: projection is missing or wrong; export the board again") from error
    edit = _Edit(file, PageMap(projection))
    for feature in (feature for features in layers.values() for feature in features):
        odd = next((key for key, value in feature.row.items() if isinstance(value, list | dict)), None)
        if odd is not None:
            raise SourceError(f"{file}: {feature.where}: {str(odd)[:40]} is not a single value; export the board again")
    edit.mileposts = _points(edit, layers.get("mileposts", ()), new=True)
    edit.junctions = _points(edit, layers.get("junctions", ()), new=False)
    _pieces(edit, layers.get("pieces", ()))
    if not edit.problems:
        _segments(edit, layers.get("segments", ()))
    if edit.problems:
        more = len(edit.problems) - _MOST_PROBLEMS
        raise SourceError([*edit.problems[:_MOST_PROBLEMS], *([f"{file}: and {more} more"] if more > 0 else [])])
    kept = _follow(edit)
    tables = {name: [feature.row for feature in layers.get(name, ())] for name in ("regions", "cities", "railroads")}
    tables |= {"mileposts": edit.mileposts, "junctions": edit.junctions, "pieces": kept, "segments": edit.segments}
    return put_together(Parts(tables, _without_bent(edit, rest)), file=file)


def _points(edit: _Edit, features: Sequence[LayerFeature], *, new: bool) -> list[Row]:
    rows = []
    for feature in features:
        row = dict(feature.row)
        if feature.line is None or len(feature.line) != 1:
            edit.bad(feature, "the point is missing; place it, or delete the row")
            continue
        here = feature.line[0]
        if not row.get("id"):
            row["id"] = slug(str(row.get("name") or "")) if new else ""
            row["kind"] = row.get("kind") or "dot"
            if not row["id"]:
                edit.bad(feature, "a new milepost needs a name" if new else "junctions need their id; draw a segment")
                continue
        was = (row.get("lon"), row.get("lat"))
        still = _still(was, here) and row.get("x") is not None and row.get("y") is not None
        if not still:
            row["lon"], row["lat"] = round(here[0], _DECIMALS), round(here[1], _DECIMALS)
            row["x"], row["y"] = edit.page.to_page([(row["lon"], row["lat"])])[0]
            edit.moved.add(str(row["id"]))
        edit.nodes[str(row["id"])] = row
        rows.append(row)
    return rows


def _still(was: tuple[Any, Any], here: Point) -> bool:
    return all(isinstance(v, int | float) and abs(v - w) < _STILL_DEG for v, w in zip(was, here, strict=True))


def _pieces(edit: _Edit, features: Sequence[LayerFeature]) -> None:
    for feature in features:
        row = dict(feature.row)
        if feature.line is None or len(feature.line) < _FEWEST:
            edit.bad(feature, "the line is missing; draw it, or delete the row with its segments")
            continue
        ident = str(row.get("id") or "")
        if not ident or ident in edit.pieces:
            edit.bad(feature, f"the id {ident!r} is empty or doubled; draw new lines in the layer segments")
            continue
        row["line"] = feature.line
        if row.get("mark") != mark(feature.line):
            row["line"] = _rounded(feature.line)
            edit.bent.add(ident)
        edit.pieces[ident] = row


def _segments(edit: _Edit, features: Sequence[LayerFeature]) -> None:
    lines: dict[str, Line] = {ident: row["line"] for ident, row in edit.pieces.items()}
    ids = {str(feature.row.get("id")) for feature in features if feature.row.get("id")}
    for feature in features:
        row = dict(feature.row)
        used = str(row.get("pieces") or "").split(APART)
        if not row.get("id") or used == [""]:
            _new_segment(edit, feature, row, ids)
            continue
        edit.segments.append(row)
        if feature.line is not None and len(feature.line) < _FEWEST:
            edit.bad(feature, f"{row['id']!r} has no line; draw it again, or delete the row")
            continue
        drawn = join_lines(str(row.get("a")), used, edit.pieces, lines)
        if feature.line is None or not drawn or feature.line == drawn or _same(feature.line, drawn):
            continue
        if edit.bent & set(used):
            continue  # the layer pieces says how it goes now
        if len(used) > 1:
            edit.bad(feature, f"{row['id']!r} runs through a junction; change the line in the layer pieces instead")
            continue
        piece = edit.pieces[used[0]]
        turned = piece["a"] != row.get("a")
        piece["line"] = _rounded(feature.line[::-1] if turned else feature.line)
        edit.bent.add(used[0])


def _same(line: Line, other: Line) -> bool:
    return len(line) == len(other) and all(_still(p, q) for p, q in zip(line, other, strict=True))


def _rounded(line: Line) -> Line:
    return tuple((round(lon, _DECIMALS), round(lat, _DECIMALS)) for lon, lat in line)


def _new_segment(edit: _Edit, feature: LayerFeature, row: Row, ids: set[str]) -> None:
    """Add a line that was drawn in the layer of segments, and a piece for it."""
    railroad = str(row.get("railroad") or "")
    if feature.line is None or len(feature.line) < _FEWEST or not railroad:
        edit.bad(feature, "a new segment needs a line and the id of its railroad in the column railroad")
        return
    ends = [_nearest(edit.mileposts, point) for point in (feature.line[0], feature.line[-1])]
    for (_, miles), point in zip(ends, (feature.line[0], feature.line[-1]), strict=True):
        if miles > NEAR_MILES:
            edit.bad(
                feature,
                f"the new segment ends at {point[0]:.4f}, {point[1]:.4f}, {miles:.1f} miles from the nearest milepost; "
                f"end it within {NEAR_MILES:g} miles of one",
            )
            return
    line = _rounded(feature.line)
    (a, _), (b, _) = ends
    if a > b:
        a, b, line = b, a, line[::-1]
    if a == b:
        edit.bad(feature, f"the new segment begins and ends at {a!r}; end it at another milepost")
        return
    base = ident = joined_id(railroad, a, b)
    number = 2
    while ident in ids or ident in edit.pieces:
        ident = f"{base}--{number}"
        number += 1
    ids.add(ident)
    common = {"id": ident, "railroad": railroad, "a": a, "b": b, "miles": 0.0}
    edit.pieces[ident] = {**common, "line": line, "used": True}
    edit.bent.add(ident)
    edit.segments.append({**common, "pieces": ident})


def _nearest(mileposts: Sequence[Row], point: Point) -> tuple[str, float]:
    def off(row: Row) -> tuple[float, str]:
        return (row["lon"] - point[0]) ** 2 + (row["lat"] - point[1]) ** 2, str(row["id"])

    few = sorted(mileposts, key=off)[:5]
    found = [(line_miles([point, (row["lon"], row["lat"])]), str(row["id"])) for row in few]
    miles, ident = min(found, default=(float("inf"), ""))
    return ident, miles


def _follow(edit: _Edit) -> list[Row]:
    """Lead lines to where their ends are now, measure what changed; return the pieces that are still used."""
    for ident, row in edit.pieces.items():
        line = list(row["line"])
        for node, at in ((row.get("a"), 0), (row.get("b"), -1)):
            if node in edit.nodes and (node in edit.moved or ident in edit.bent):
                line[at] = (edit.nodes[node]["lon"], edit.nodes[node]["lat"])
        if tuple(line) != row["line"] or ident in edit.bent:
            row["line"] = tuple(line)
            row["miles"] = round(line_miles(row["line"]), 2)
            edit.bent.add(ident)
    used: set[str] = set()
    for row in edit.segments:
        own = str(row["pieces"]).split(APART)
        used.update(own)
        if edit.bent & set(own) and all(ident in edit.pieces for ident in own):
            row["miles"] = round(sum(float(edit.pieces[ident]["miles"]) for ident in own), 2)
    return [row for ident, row in edit.pieces.items() if ident in used or not row.get("used")]


def _without_bent(edit: _Edit, rest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rest without own paths of what was bent or is gone."""
    out = dict(rest)
    own = pop_own_paths(out)
    if own and isinstance(own, dict):
        bent = edit.bent | {str(r["id"]) for r in edit.segments if edit.bent & set(str(r["pieces"]).split(APART))}
        known = set(edit.pieces) | {str(r["id"]) for r in edit.segments}
        out[OWN_PATHS] = {
            name: {ident: path for ident, path in paths.items() if ident in known - bent}
            for name, paths in own.items()
            if isinstance(paths, dict)
        }
    return out
