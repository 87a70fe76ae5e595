"""From tables without shapes back to a board, with what was edited in them.

A spreadsheet or a board file states a milepost's place once, and where its lines end again. Where the two differ, the
milepost was moved, and its lines follow.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mapkit.core.base import Point
from mapkit.kinds.rail.exchange.completing import completed
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_of
from mapkit.kinds.rail.exchange.gis.layers import mark
from mapkit.kinds.rail.exchange.parts import Line, Row
from mapkit.kinds.rail.model.board import Board


def board_of_tables(
    tables: Mapping[str, Sequence[Row]], rest: Mapping[str, Any], *, file: str, base: Board | None = None
) -> Board:
    """Return the board of tables; rows of pieces hold `line` as points.

    A row of `segments` without `id` or `pieces` is a new segment, straight from `a` to `b`; a row of `mileposts`
    without `id` a new milepost.

    Args:
        tables: As `mapkit.kinds.rail.exchange.parts` has them.
        rest: Likewise.
        file: What to call the file in messages.
        base: What it was exported from; lines that are others now are measured again.

    Raises:
        SourceError: A row or the rest is no part of a board; table and row are named.
    """
    ends: dict[str, Point] = {}
    for row in tables["pieces"]:
        if row["line"]:
            ends.setdefault(str(row.get("a")), row["line"][0])
            ends.setdefault(str(row.get("b")), row["line"][-1])
    known = {} if base is None else {piece.id: mark(piece.line) for piece in base.pieces}
    layers: dict[str, list[LayerFeature]] = {
        name: [LayerFeature(f"{name} {number}", dict(row), None) for number, row in enumerate(rows, 1)]
        for name, rows in tables.items()
    }
    for name in ("mileposts", "junctions"):
        layers[name] = [_node(feature, ends) for feature in layers[name]]
    layers["pieces"] = [
        LayerFeature(
            f.where,
            {**f.row, "mark": mark(f.row["line"]) if base is None else known.get(str(f.row.get("id")), "")},
            f.row["line"],
        )
        for f in layers["pieces"]
    ]
    places = {str(f.row.get("id")): f.line[0] for f in layers["mileposts"] if f.line}
    layers["segments"] = [_segment(feature, places) for feature in layers["segments"]]
    return board_of(*completed(layers, rest, base), file=file)


def _node(feature: LayerFeature, ends: Mapping[str, Point]) -> LayerFeature:
    row = feature.row
    lon, lat = row.get("lon"), row.get("lat")
    if not isinstance(lon, int | float) or not isinstance(lat, int | float):
        return feature
    was = ends.get(str(row.get("id")))
    return LayerFeature(feature.where, row if was is None else {**row, "lon": was[0], "lat": was[1]}, ((lon, lat),))


def _segment(feature: LayerFeature, places: Mapping[str, Point]) -> LayerFeature:
    row = feature.row
    if row.get("id") and row.get("pieces"):
        return feature
    line: Line = tuple(places[str(row[end])] for end in ("a", "b") if str(row.get(end)) in places)
    return LayerFeature(feature.where, {**row, "id": "", "pieces": ""}, line)
