"""Conversion of layers back to a board, with the edits made in a GIS.

A moved point takes the ends of its lines along; a moved vertex changes the line and its miles; a new line in `segments`
with a railroad becomes a segment between the mileposts at its ends; a deleted segment leaves the track that only it
used. Everything else comes from the file's tables.
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
from mapkit.kinds.rail.exchange.board_parts import (
    OWN_PATHS,
    PIECE_SEPARATOR,
    BoardParts,
    Line,
    Row,
    board_from_parts,
    join_lines,
    pop_own_paths,
)
from mapkit.kinds.rail.exchange.gis.layers import line_checksum
from mapkit.kinds.rail.model.board import Board

NEAR_MILES: Final = 2.0
"""Largest distance between the end of a new line and its milepost."""

_TOLERANCE_DEG: Final = 1e-7
_DEGREE_DECIMALS: Final = 5
_MIN_LINE_POINTS = 2
_MAX_PROBLEMS = 20


class LayerFeature(NamedTuple):
    """Row of a layer: its place in the file for messages, its values, and its points (None: no shape)."""

    where: str
    row: Row
    line: Line | None


@dataclass
class _BoardAssembly:
    """State of a board that is being assembled from layers."""

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
    """Pieces with a changed line."""
    problems: list[str] = field(default_factory=list)

    def bad(self, feature: LayerFeature, text: str) -> None:
        self.problems.append(f"{self.file}: {feature.where}: {text}")


def board_from_layers(layers: Mapping[str, Sequence[LayerFeature]], rest: Mapping[str, Any], *, file: str) -> Board:
    """Return the board of layers and of the rest that the file carries.

    Args:
        layers: The features by layer; `line` of points has one point.
        rest: As `mapkit.kinds.rail.exchange.board_parts` has it.
        file: Name of the file in messages.

    Raises:
        SourceError: A feature or the rest is no part of a board; layer and row are named.
    """
    try:
        projection = Projection.model_validate(rest.get("projection"))
    except ValueError as error:
        raise SourceError(f"{file}: not a board: projection is missing or wrong; export the board again") from error
    edit = _BoardAssembly(file, PageMap(projection))
    for feature in (feature for features in layers.values() for feature in features):
        nested_key = next((key for key, value in feature.row.items() if isinstance(value, list | dict)), None)
        if nested_key is not None:
            raise SourceError(
                f"{file}: {feature.where}: {str(nested_key)[:40]} is not a single value; export the board again"
            )
    edit.mileposts = _read_points(edit, layers.get("mileposts", ()), new=True)
    edit.junctions = _read_points(edit, layers.get("junctions", ()), new=False)
    _read_pieces(edit, layers.get("pieces", ()))
    if not edit.problems:
        _read_segments(edit, layers.get("segments", ()))
    if edit.problems:
        hidden_problems = len(edit.problems) - _MAX_PROBLEMS
        raise SourceError(
            [*edit.problems[:_MAX_PROBLEMS], *([f"{file}: and {hidden_problems} more"] if hidden_problems > 0 else [])]
        )
    kept_pieces = _follow_moved_nodes(edit)
    tables = {
        table_name: [feature.row for feature in layers.get(table_name, ())]
        for table_name in ("regions", "cities", "railroads")
    }
    tables |= {
        "mileposts": edit.mileposts,
        "junctions": edit.junctions,
        "pieces": kept_pieces,
        "segments": edit.segments,
    }
    return board_from_parts(BoardParts(tables, _drop_changed_paths(edit, rest)), file=file)


def _read_points(edit: _BoardAssembly, features: Sequence[LayerFeature], *, new: bool) -> list[Row]:
    point_rows = []
    for feature in features:
        row = dict(feature.row)
        if feature.line is None or len(feature.line) != 1:
            edit.bad(feature, "the point is missing; place it, or delete the row")
            continue
        new_place = feature.line[0]
        if not row.get("id"):
            row["id"] = slug(str(row.get("name") or "")) if new else ""
            row["kind"] = row.get("kind") or "dot"
            if not row["id"]:
                edit.bad(feature, "a new milepost needs a name" if new else "junctions need their id; draw a segment")
                continue
        old_place = (row.get("lon"), row.get("lat"))
        is_unmoved = _is_unmoved(old_place, new_place) and row.get("x") is not None and row.get("y") is not None
        if not is_unmoved:
            row["lon"], row["lat"] = round(new_place[0], _DEGREE_DECIMALS), round(new_place[1], _DEGREE_DECIMALS)
            row["x"], row["y"] = edit.page.to_page([(row["lon"], row["lat"])])[0]
            edit.moved.add(str(row["id"]))
        edit.nodes[str(row["id"])] = row
        point_rows.append(row)
    return point_rows


def _is_unmoved(old_place: tuple[Any, Any], new_place: Point) -> bool:
    return all(
        isinstance(old_coordinate, int | float) and abs(old_coordinate - new_coordinate) < _TOLERANCE_DEG
        for old_coordinate, new_coordinate in zip(old_place, new_place, strict=True)
    )


def _read_pieces(edit: _BoardAssembly, features: Sequence[LayerFeature]) -> None:
    for feature in features:
        row = dict(feature.row)
        if feature.line is None or len(feature.line) < _MIN_LINE_POINTS:
            edit.bad(feature, "the line is missing; draw it, or delete the row with its segments")
            continue
        piece_id = str(row.get("id") or "")
        if not piece_id or piece_id in edit.pieces:
            edit.bad(feature, f"the id {piece_id!r} is empty or doubled; draw new lines in the layer segments")
            continue
        row["line"] = feature.line
        if row.get("mark") != line_checksum(feature.line):
            row["line"] = _round_line(feature.line)
            edit.bent.add(piece_id)
        edit.pieces[piece_id] = row


def _read_segments(edit: _BoardAssembly, features: Sequence[LayerFeature]) -> None:
    line_by_piece: dict[str, Line] = {piece_id: row["line"] for piece_id, row in edit.pieces.items()}
    segment_ids = {str(feature.row.get("id")) for feature in features if feature.row.get("id")}
    for feature in features:
        row = dict(feature.row)
        used_pieces = str(row.get("pieces") or "").split(PIECE_SEPARATOR)
        if not row.get("id") or used_pieces == [""]:
            _add_segment(edit, feature, row, segment_ids)
            continue
        edit.segments.append(row)
        if feature.line is not None and len(feature.line) < _MIN_LINE_POINTS:
            edit.bad(feature, f"{row['id']!r} has no line; draw it again, or delete the row")
            continue
        joined_line = join_lines(str(row.get("a")), used_pieces, edit.pieces, line_by_piece)
        if (
            feature.line is None
            or not joined_line
            or feature.line == joined_line
            or (
                len(feature.line) == len(joined_line)
                and all(
                    _is_unmoved(first_point, second_point)
                    for first_point, second_point in zip(feature.line, joined_line, strict=True)
                )
            )
        ):
            continue
        if edit.bent & set(used_pieces):
            continue  # the changed line in the layer pieces takes precedence
        if len(used_pieces) > 1:
            edit.bad(feature, f"{row['id']!r} runs through a junction; change the line in the layer pieces instead")
            continue
        piece = edit.pieces[used_pieces[0]]
        is_reversed = piece["a"] != row.get("a")
        piece["line"] = _round_line(feature.line[::-1] if is_reversed else feature.line)
        edit.bent.add(used_pieces[0])


def _round_line(line: Line) -> Line:
    return tuple((round(lon, _DEGREE_DECIMALS), round(lat, _DEGREE_DECIMALS)) for lon, lat in line)


def _add_segment(edit: _BoardAssembly, feature: LayerFeature, row: Row, ids: set[str]) -> None:
    """Add a line that was drawn in the layer of segments, with a piece for it."""
    railroad = str(row.get("railroad") or "")
    if feature.line is None or len(feature.line) < _MIN_LINE_POINTS or not railroad:
        edit.bad(feature, "a new segment needs a line and the id of its railroad in the column railroad")
        return
    end_mileposts = [_nearest_milepost(edit.mileposts, end_point) for end_point in (feature.line[0], feature.line[-1])]
    for (_, distance_miles), end_point in zip(end_mileposts, (feature.line[0], feature.line[-1]), strict=True):
        if distance_miles > NEAR_MILES:
            edit.bad(
                feature,
                f"the new segment ends at {end_point[0]:.4f}, {end_point[1]:.4f}, "
                f"{distance_miles:.1f} miles from the nearest milepost; "
                f"end it within {NEAR_MILES:g} miles of one",
            )
            return
    new_line = _round_line(feature.line)
    (a, _), (b, _) = end_mileposts
    if a > b:
        a, b, new_line = b, a, new_line[::-1]
    if a == b:
        edit.bad(feature, f"the new segment begins and ends at {a!r}; end it at another milepost")
        return
    base_id = new_id = joined_id(railroad, a, b)
    id_suffix = 2
    while new_id in ids or new_id in edit.pieces:
        new_id = f"{base_id}--{id_suffix}"
        id_suffix += 1
    ids.add(new_id)
    shared_fields = {"id": new_id, "railroad": railroad, "a": a, "b": b, "miles": 0.0}
    edit.pieces[new_id] = {**shared_fields, "line": new_line, "used": True}
    edit.bent.add(new_id)
    edit.segments.append({**shared_fields, "pieces": new_id})


def _nearest_milepost(mileposts: Sequence[Row], point: Point) -> tuple[str, float]:
    def off(row: Row) -> tuple[float, str]:
        return (row["lon"] - point[0]) ** 2 + (row["lat"] - point[1]) ** 2, str(row["id"])

    nearby_rows = sorted(mileposts, key=off)[:5]
    distances_by_id = [(line_miles([point, (row["lon"], row["lat"])]), str(row["id"])) for row in nearby_rows]
    miles, milepost_id = min(distances_by_id, default=(float("inf"), ""))
    return milepost_id, miles


def _follow_moved_nodes(edit: _BoardAssembly) -> list[Row]:
    """Move line ends to their nodes, measure changed lines, and return the pieces that are still used."""
    for piece_id, row in edit.pieces.items():
        line_points = list(row["line"])
        for node_id, end_index in ((row.get("a"), 0), (row.get("b"), -1)):
            if node_id in edit.nodes and (node_id in edit.moved or piece_id in edit.bent):
                line_points[end_index] = (edit.nodes[node_id]["lon"], edit.nodes[node_id]["lat"])
        if tuple(line_points) != row["line"] or piece_id in edit.bent:
            row["line"] = tuple(line_points)
            row["miles"] = round(line_miles(row["line"]), 2)
            edit.bent.add(piece_id)
    used_pieces: set[str] = set()
    for row in edit.segments:
        own_pieces = str(row["pieces"]).split(PIECE_SEPARATOR)
        used_pieces.update(own_pieces)
        if edit.bent & set(own_pieces) and all(piece_id in edit.pieces for piece_id in own_pieces):
            row["miles"] = round(sum(float(edit.pieces[piece_id]["miles"]) for piece_id in own_pieces), 2)
    return [row for piece_id, row in edit.pieces.items() if piece_id in used_pieces or not row.get("used")]


def _drop_changed_paths(edit: _BoardAssembly, rest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rest without stored paths of pieces and segments that changed or are gone."""
    kept_rest = dict(rest)
    own_paths = pop_own_paths(kept_rest)
    if own_paths and isinstance(own_paths, dict):
        changed_ids = edit.bent | {
            str(r["id"]) for r in edit.segments if edit.bent & set(str(r["pieces"]).split(PIECE_SEPARATOR))
        }
        current_ids = set(edit.pieces) | {str(r["id"]) for r in edit.segments}
        kept_rest[OWN_PATHS] = {
            table_name: {
                element_id: path for element_id, path in table_paths.items() if element_id in current_ids - changed_ids
            }
            for table_name, table_paths in own_paths.items()
            if isinstance(table_paths, dict)
        }
    return kept_rest
