"""TopoJSON: one arc per track piece, shared by segments; small files for web maps.

Exported coordinates are not quantized, so that nothing is lost; `read` accepts quantized files too.
"""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.json_reading import read_json
from mapkit.kinds.rail.exchange.board_parts import PIECE_SEPARATOR, BoardParts, Line, board_to_parts
from mapkit.kinds.rail.exchange.completion import STILL_DEG, complete_layers
from mapkit.kinds.rail.exchange.format import ExportOptions, refuse_invented_land
from mapkit.kinds.rail.exchange.gis.geojson import MEMBER, parse_points, rest_without_tables, table_features
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_from_layers
from mapkit.kinds.rail.exchange.gis.layers import KINDS, Layer, board_to_layers
from mapkit.kinds.rail.model.board import Board

MAX_POINTS: Final = 5_000_000

_DEGREE_DECIMALS: Final = 9  # of dequantized degrees, which removes rounding errors


class TopoJsonFormat:
    """The layers of a board over shared arcs."""

    name = "topojson"
    title = "TopoJSON"
    suffixes = (".topojson",)
    carries = "everything; segments share the arcs of track pieces, charts and rules in the member mapkit"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        refuse_invented_land(board, self.title)
        return ExportedBoard({f"{options.file_stem(board)}.topojson": topojson_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to its features."""
        return board_from_topojson(read_json(path), file=path.name)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to its features, of a file that another program saved."""
        return board_from_topojson(read_json(path), file=path.name, base=base)


def topojson_text(board: Board) -> str:
    """Return the text of the file."""
    board_parts = board_to_parts(board, drawn=True)
    layers = board_to_layers(board, board_parts)
    rows_by_table = {layer.name: list(layer.rows) for layer in layers if layer.kind == "table"}
    shape_layers = [layer for layer in layers if layer.kind != "table"]
    arcs: list[Any] = [row["line"] for row in board_parts.tables["pieces"]]
    objects = {
        layer.name: {"type": "GeometryCollection", "geometries": _layer_geometries(layer, board_parts, arcs)}
        for layer in shape_layers
    }
    all_points = [point for arc in arcs for point in arc] + [
        shape for layer in shape_layers if layer.kind == "Point" for shape in layer.shapes
    ]
    lons, lats = zip(*all_points, strict=True) if all_points else ((), ())
    return json_text(
        {
            "type": "Topology",
            **({"bbox": [min(lons), min(lats), max(lons), max(lats)]} if all_points else {}),
            "objects": objects,
            "arcs": arcs,
            MEMBER: dict(board_parts.rest) | rows_by_table,
        }
    )


def _layer_geometries(layer: Layer, parts: BoardParts, arcs: list[Any]) -> list[dict[str, Any]]:
    """Return the geometries of a layer; rings of regions become arcs of their own."""
    numbered_pieces = {row["id"]: (arc_number, row) for arc_number, row in enumerate(parts.tables["pieces"])}
    layer_geometries = []
    for row, shape in layer.features():
        geometry: dict[str, Any] = {"type": layer.kind if shape else None}
        if layer.kind == "Point":
            geometry["coordinates"] = shape
        elif layer.name == "pieces":
            geometry["arcs"] = [numbered_pieces[row["id"]][0]]
        elif layer.name == "segments":
            geometry["arcs"] = _arcs_along_pieces(row["a"], row["pieces"].split(PIECE_SEPARATOR), numbered_pieces)
        elif shape:
            first_arc = len(arcs)
            arcs += [ring_points for polygon_rings in shape for ring_points in polygon_rings]
            arc_numbers = iter(range(first_arc, len(arcs)))
            geometry["arcs"] = [[[next(arc_numbers)] for _ in polygon_rings] for polygon_rings in shape]
        layer_geometries.append({**geometry, "id": row["id"], "properties": row})
    return layer_geometries


def _arcs_along_pieces(start: str, piece_ids: Sequence[str], pieces: dict[str, tuple[int, Any]]) -> list[int]:
    """Return the arcs of pieces from a node on; `~i` is arc i reversed."""
    current_node, arc_numbers = start, []
    for piece_id in piece_ids:
        arc_number, piece = pieces[piece_id]
        is_forward = piece["a"] == current_node
        arc_numbers.append(arc_number if is_forward else ~arc_number)
        current_node = piece["b"] if is_forward else piece["a"]
    return arc_numbers


def board_from_topojson(data: Any, *, file: str, base: Board | None = None) -> Board:  # noqa: ANN401 - foreign JSON
    """Return the board of the data of a file.

    Args:
        data: The JSON.
        file: Name of the file in messages.
        base: The board that it was exported from, which completes it; shifts by quantization then do not count as
            moves.

    Raises:
        SourceError: It is not a board's; object and number are named.
    """
    topology = data if isinstance(data, dict) else {}
    rest, objects, arcs = (
        topology.get(MEMBER, None if base is None else {}),
        topology.get("objects"),
        topology.get("arcs"),
    )
    if not isinstance(rest, dict) or not isinstance(objects, dict) or not isinstance(arcs, list):
        raise SourceError(
            f"{file}: not a board: objects, arcs or {MEMBER!r} missing; give a file that mapkit export wrote"
        )
    scale, shift = _read_transform(topology.get("transform"), file)
    is_quantized = "transform" in topology
    arc_lines = [
        _decode_arc(arc, scale, shift, is_quantized, f"arc {arc_number}", file) for arc_number, arc in enumerate(arcs)
    ]
    layers: dict[str, list[LayerFeature]] = {layer_name: [] for layer_name in KINDS}
    point_count = 0
    for layer_name, features in layers.items():
        for geometry_number, geometry in enumerate(_read_geometries(objects.get(layer_name)), start=1):
            where = f"{layer_name} {geometry_number}"
            if not isinstance(geometry, dict) or not isinstance(geometry.get("properties"), dict):
                raise SourceError(f"{file}: {where}: not a geometry with properties; remove it")
            feature_line = None
            if KINDS[layer_name] == "Point" and geometry.get("coordinates") is not None:
                feature_line = _decode_arc([geometry["coordinates"]], scale, shift, is_quantized, where, file)
            elif KINDS[layer_name] == "LineString" and geometry.get("arcs") is not None:
                feature_line = _join_arcs(geometry["arcs"], arc_lines, where, file)
                point_count += len(feature_line)
                if point_count > MAX_POINTS:
                    raise SourceError(f"{file}: {where}: more than {MAX_POINTS} points; this is not a board")
            features.append(LayerFeature(where, geometry["properties"], feature_line))
    still_deg = max(STILL_DEG, *map(abs, scale)) if is_quantized else STILL_DEG
    return board_from_layers(
        *complete_layers(layers | table_features(rest), rest_without_tables(rest), base, still_deg=still_deg), file=file
    )


def _read_geometries(json_object: Any) -> list[Any]:  # noqa: ANN401 - foreign JSON
    geometries = json_object.get("geometries") if isinstance(json_object, dict) else None
    return geometries if isinstance(geometries, list) else []


def _read_transform(value: Any, file: str) -> tuple[tuple[float, float], tuple[float, float]]:  # noqa: ANN401
    if value is None:
        return (1.0, 1.0), (0.0, 0.0)
    try:
        (a, b), (c, d) = value["scale"], value["translate"]
        return (float(a), float(b)), (float(c), float(d))
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise SourceError(f"{file}: transform has no scale and translate; export the board again") from error


def _decode_arc(
    arc: Any,  # noqa: ANN401
    scale: Sequence[float],
    shift: Sequence[float],
    is_quantized: bool,  # noqa: FBT001
    where: str,
    file: str,
) -> Line:
    if not is_quantized:
        return parse_points(arc, file=file, where=where)
    try:
        running_lons = accumulate(float(point[0]) for point in arc)
        running_lats = accumulate(float(point[1]) for point in arc)
        decoded_points = [
            (round(x * scale[0] + shift[0], _DEGREE_DECIMALS), round(y * scale[1] + shift[1], _DEGREE_DECIMALS))
            for x, y in zip(running_lons, running_lats, strict=True)
        ]
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise SourceError(f"{file}: {where}: its points are malformed; export the board again") from error
    return parse_points(decoded_points, file=file, where=where)


def _join_arcs(arcs: Any, lines: Sequence[Line], where: str, file: str) -> Line:  # noqa: ANN401 - foreign JSON
    joined_points: list[tuple[float, float]] = []
    if not isinstance(arcs, list) or not all(
        type(arc_number) is int and -len(lines) <= arc_number < len(lines) for arc_number in arcs
    ):
        raise SourceError(f"{file}: {where}: its arcs are not numbers of arcs; export the board again")
    for arc_number in arcs:
        arc_line = lines[arc_number] if arc_number >= 0 else lines[~arc_number][::-1]
        joined_points += arc_line if not joined_points else arc_line[1:]
        if len(joined_points) > MAX_POINTS:
            raise SourceError(f"{file}: {where}: more than {MAX_POINTS} points; this is not a board")
    return tuple(joined_points)


FORMAT = TopoJsonFormat()
