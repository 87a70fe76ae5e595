"""TopoJSON: every track piece is one arc, which segments share; small for web maps.

The coordinates are not quantized, so that nothing is lost; `read` takes quantized files too.
"""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import Exported
from mapkit.formats.json_reading import read_json
from mapkit.kinds.rail.exchange.completing import STILL_DEG, completed
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.gis.geojson import MEMBER, points_of, rest_of, table_features
from mapkit.kinds.rail.exchange.gis.layer_reading import LayerFeature, board_of
from mapkit.kinds.rail.exchange.gis.layers import KINDS, Layer, layers_of
from mapkit.kinds.rail.exchange.parts import APART, Line, Parts, take_apart
from mapkit.kinds.rail.model.board import Board

MAX_POINTS: Final = 5_000_000

_DECIMALS: Final = 9  # of unquantized degrees, which drops what multiplying left


class TopoJsonFormat:
    """The layers of a board over shared arcs."""

    name = "topojson"
    title = "TopoJSON"
    suffixes = (".topojson",)
    carries = "everything; segments share the arcs of track pieces, charts and rules in the member mapkit"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return one file."""
        return Exported({f"{options.file_stem(board)}.topojson": topojson_text(board)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to its features."""
        return board_of_topojson(read_json(path), file=path.name)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to its features, of a file that another program saved."""
        return board_of_topojson(read_json(path), file=path.name, base=base)


def topojson_text(board: Board) -> str:
    """Return the text of the file."""
    parts = take_apart(board, drawn=True)
    layers = layers_of(board, parts)
    tables = {layer.name: list(layer.rows) for layer in layers if layer.kind == "table"}
    drawn = [layer for layer in layers if layer.kind != "table"]
    arcs: list[Any] = [row["line"] for row in parts.tables["pieces"]]
    objects = {layer.name: {"type": "GeometryCollection", "geometries": _made(layer, parts, arcs)} for layer in drawn}
    every = [point for arc in arcs for point in arc] + [
        shape for layer in drawn if layer.kind == "Point" for shape in layer.shapes
    ]
    lons, lats = zip(*every, strict=True) if every else ((), ())
    return json_text(
        {
            "type": "Topology",
            **({"bbox": [min(lons), min(lats), max(lons), max(lats)]} if every else {}),
            "objects": objects,
            "arcs": arcs,
            MEMBER: dict(parts.rest) | tables,
        }
    )


def _made(layer: Layer, parts: Parts, arcs: list[Any]) -> list[dict[str, Any]]:
    """Return the geometries of a layer; rings of regions become arcs of their own."""
    pieces = {row["id"]: (at, row) for at, row in enumerate(parts.tables["pieces"])}
    out = []
    for row, shape in layer.features():
        made: dict[str, Any] = {"type": layer.kind if shape else None}
        if layer.kind == "Point":
            made["coordinates"] = shape
        elif layer.name == "pieces":
            made["arcs"] = [pieces[row["id"]][0]]
        elif layer.name == "segments":
            made["arcs"] = _arcs(row["a"], row["pieces"].split(APART), pieces)
        elif shape:
            first = len(arcs)
            arcs += [ring for rings in shape for ring in rings]
            counted = iter(range(first, len(arcs)))
            made["arcs"] = [[[next(counted)] for _ in rings] for rings in shape]
        out.append({**made, "id": row["id"], "properties": row})
    return out


def _arcs(start: str, used: Sequence[str], pieces: dict[str, tuple[int, Any]]) -> list[int]:
    """Return the arcs of pieces from a node on; `~i` is arc i backwards."""
    at, out = start, []
    for ident in used:
        number, piece = pieces[ident]
        forward = piece["a"] == at
        out.append(number if forward else ~number)
        at = piece["b"] if forward else piece["a"]
    return out


def board_of_topojson(data: Any, *, file: str, base: Board | None = None) -> Board:  # noqa: ANN401 - foreign JSON
    """Return the board of the data of a file.

    Args:
        data: The JSON.
        file: What to call it in messages.
        base: What it was exported from, which completes it; then vertices that only quantizing moved did not move.

    Raises:
        SourceError: It is not a board's; object and number are named.
    """
    plain = data if isinstance(data, dict) else {}
    rest, objects, arcs = plain.get(MEMBER, None if base is None else {}), plain.get("objects"), plain.get("arcs")
    if not isinstance(rest, dict) or not isinstance(objects, dict) or not isinstance(arcs, list):
        raise SourceError(
            f"{file}: not a board: objects, arcs or {MEMBER!r} missing; give a file that mapkit export wrote"
        )
    scale, shift = _transform(plain.get("transform"), file)
    moved = "transform" in plain
    lines = [_decoded(arc, scale, shift, moved, f"arc {at}", file) for at, arc in enumerate(arcs)]
    layers: dict[str, list[LayerFeature]] = {name: [] for name in KINDS}
    total = 0
    for name, features in layers.items():
        for number, geometry in enumerate(_geometries(objects.get(name)), start=1):
            where = f"{name} {number}"
            if not isinstance(geometry, dict) or not isinstance(geometry.get("properties"), dict):
                raise SourceError(f"{file}: {where}: not a geometry with properties; remove it")
            line = None
            if KINDS[name] == "Point" and geometry.get("coordinates") is not None:
                line = _decoded([geometry["coordinates"]], scale, shift, moved, where, file)
            elif KINDS[name] == "LineString" and geometry.get("arcs") is not None:
                line = _joined(geometry["arcs"], lines, where, file)
                total += len(line)
                if total > MAX_POINTS:
                    raise SourceError(f"{file}: {where}: more than {MAX_POINTS} points; this is not a board")
            features.append(LayerFeature(where, geometry["properties"], line))
    still = max(STILL_DEG, *map(abs, scale)) if moved else STILL_DEG
    return board_of(*completed(layers | table_features(rest), rest_of(rest), base, still_deg=still), file=file)


def _geometries(found: Any) -> list[Any]:  # noqa: ANN401 - foreign JSON
    geometries = found.get("geometries") if isinstance(found, dict) else None
    return geometries if isinstance(geometries, list) else []


def _transform(value: Any, file: str) -> tuple[tuple[float, float], tuple[float, float]]:  # noqa: ANN401
    if value is None:
        return (1.0, 1.0), (0.0, 0.0)
    try:
        (a, b), (c, d) = value["scale"], value["translate"]
        return (float(a), float(b)), (float(c), float(d))
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise SourceError(f"{file}: transform has no scale and translate; export the board again") from error


def _decoded(arc: Any, scale: Sequence[float], shift: Sequence[float], moved: bool, where: str, file: str) -> Line:  # noqa: ANN401, FBT001
    if not moved:
        return points_of(arc, file=file, where=where)
    try:
        lons = accumulate(float(point[0]) for point in arc)
        lats = accumulate(float(point[1]) for point in arc)
        points = [
            (round(x * scale[0] + shift[0], _DECIMALS), round(y * scale[1] + shift[1], _DECIMALS))
            for x, y in zip(lons, lats, strict=True)
        ]
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise SourceError(f"{file}: {where}: its points are malformed; export the board again") from error
    return points_of(points, file=file, where=where)


def _joined(arcs: Any, lines: Sequence[Line], where: str, file: str) -> Line:  # noqa: ANN401 - foreign JSON
    out: list[tuple[float, float]] = []
    if not isinstance(arcs, list) or not all(type(at) is int and -len(lines) <= at < len(lines) for at in arcs):
        raise SourceError(f"{file}: {where}: its arcs are not numbers of arcs; export the board again")
    for at in arcs:
        line = lines[at] if at >= 0 else lines[~at][::-1]
        out += line if not out else line[1:]
        if len(out) > MAX_POINTS:
            raise SourceError(f"{file}: {where}: more than {MAX_POINTS} points; this is not a board")
    return tuple(out)


FORMAT = TopoJsonFormat()
