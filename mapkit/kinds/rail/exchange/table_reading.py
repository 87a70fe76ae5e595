"""Conversion of tables without shapes back to a board, with the edits made in them.

A spreadsheet or a board file states the position of a milepost twice: in its own row and at the ends of its lines. If
the two differ, the milepost was moved, and its lines follow.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mapkit.core.base import Point
from mapkit.kinds.rail.exchange.board_parts import Line, Row
from mapkit.kinds.rail.exchange.completion import complete_layers
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_from_layers
from mapkit.kinds.rail.exchange.gis.layers import line_checksum
from mapkit.kinds.rail.model.board import Board


def board_from_tables(
    tables: Mapping[str, Sequence[Row]], rest: Mapping[str, Any], *, file: str, base: Board | None = None
) -> Board:
    """Return the board of tables; rows of pieces have `line` as points.

    A row of `segments` without `id` or `pieces` is a new segment, straight from `a` to `b`; a row of `mileposts`
    without `id` a new milepost.

    Args:
        tables: Tables in the form of `mapkit.kinds.rail.exchange.board_parts`.
        rest: Keys of the board beside the tables, in the form of `mapkit.kinds.rail.exchange.board_parts`.
        file: Name of the file in messages.
        base: The board that it was exported from; changed lines are measured again.

    Raises:
        SourceError: A row or the rest is no part of a board; table and row are named.
    """
    end_points: dict[str, Point] = {}
    for piece_row in tables["pieces"]:
        if piece_row["line"]:
            end_points.setdefault(str(piece_row.get("a")), piece_row["line"][0])
            end_points.setdefault(str(piece_row.get("b")), piece_row["line"][-1])
    base_marks = {} if base is None else {piece.id: line_checksum(piece.line) for piece in base.pieces}
    layers: dict[str, list[LayerFeature]] = {
        table_name: [
            LayerFeature(f"{table_name} {row_number}", dict(table_row), None)
            for row_number, table_row in enumerate(rows, 1)
        ]
        for table_name, rows in tables.items()
    }
    for table_name in ("mileposts", "junctions"):
        layers[table_name] = [_move_node(feature, end_points) for feature in layers[table_name]]
    layers["pieces"] = [
        LayerFeature(
            f.where,
            {
                **f.row,
                "mark": line_checksum(f.row["line"]) if base is None else base_marks.get(str(f.row.get("id")), ""),
            },
            f.row["line"],
        )
        for f in layers["pieces"]
    ]
    point_by_milepost = {str(f.row.get("id")): f.line[0] for f in layers["mileposts"] if f.line}
    layers["segments"] = [_straighten_new_segment(feature, point_by_milepost) for feature in layers["segments"]]
    return board_from_layers(*complete_layers(layers, rest, base), file=file)


def _move_node(feature: LayerFeature, ends: Mapping[str, Point]) -> LayerFeature:
    node_row = feature.row
    lon, lat = node_row.get("lon"), node_row.get("lat")
    if not isinstance(lon, int | float) or not isinstance(lat, int | float):
        return feature
    old_point = ends.get(str(node_row.get("id")))
    return LayerFeature(
        feature.where,
        node_row if old_point is None else {**node_row, "lon": old_point[0], "lat": old_point[1]},
        ((lon, lat),),
    )


def _straighten_new_segment(feature: LayerFeature, places: Mapping[str, Point]) -> LayerFeature:
    segment_row = feature.row
    if segment_row.get("id") and segment_row.get("pieces"):
        return feature
    straight_line: Line = tuple(
        places[str(segment_row[end_key])] for end_key in ("a", "b") if str(segment_row.get(end_key)) in places
    )
    return LayerFeature(feature.where, {**segment_row, "id": "", "pieces": ""}, straight_line)
