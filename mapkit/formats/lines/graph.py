"""Traced graphs in JSON: nodes with positions, edges with railroads."""

import json
import math
from typing import Any

import numpy as np
import shapely

from mapkit.core.errors import ChoiceError, SourceError
from mapkit.formats.json_reading import json_error_message
from mapkit.formats.lines.features import (
    KIND_COLUMN,
    LEVEL_COLUMN,
    MAX_FEATURES,
    NO_MILEPOSTS,
    OWNERS_COLUMN,
    FeatureLayer,
    Geometries,
    ImportOptions,
    level_error_message,
    parse_level,
    to_traced,
)
from mapkit.formats.tables import Problems
from mapkit.formats.traced import TracedLayer

PIXELS = "pixels"

_END_KEYS = (("from", "to"), ("source", "target"), ("a", "b"))
_POSITION_KEYS = (("lon", "lat"), ("x", "y"))
_ALLOWED_DIMENSIONS = (2, 3)


def is_graph(plain: object) -> bool:
    """Return whether JSON has nodes and edges."""
    return isinstance(plain, dict) and "nodes" in plain and ("edges" in plain or "links" in plain)


def read_graph(data: bytes, *, file: str, options: ImportOptions | None = None) -> TracedLayer:
    """Read a graph: `{"crs": ..., "nodes": [...], "edges": [...]}`.

    A node has an `id`, a position as `lon` and `lat` (EPSG:4326) or as `x` and `y`, and may have a `name`,
    `"milepost": false` or `"kind": "junction"` (also `end` and `via`: no milepost), and `railroads`, a list of those
    that stop there. An edge has its ends as `from` and `to` (also `source` and `target`, `a` and `b`), its `railroad`
    (another key with `options.column`) or a list of `railroads`, which have a line each, and may have a `level` and a
    `path`, the positions from one end to the other, both included. `links` may stand for `edges`, as networkx writes
    it. `crs` says what `x` and `y` are: a CRS, or `"pixels"` (y downward, placed by control points).

    Raises:
        SourceError: It is no such graph; each bad node and edge is named.
    """
    options = options or ImportOptions()
    if options.where:
        raise ChoiceError(f"{file}: conditions are for attributes of geodata, and a graph has none; leave them out")
    graph = _parse_graph(data, file)
    crs = graph.get("crs") or options.crs
    nodes, edges = (
        _require_list(graph, "nodes", file),
        _require_list(graph, "edges" if "edges" in graph else "links", file),
    )
    if len(nodes) + len(edges) > MAX_FEATURES:
        raise SourceError(
            f"{file}: {len(nodes) + len(edges)} nodes and edges, the limit is {MAX_FEATURES}; split the file"
        )
    problems = Problems()
    position_by_id, is_in_degrees = _read_positions(nodes, file, problems)
    key_column = options.column or "railroad"
    keys, labels, lines, levels = _read_edges(edges, position_by_id, key_column, file, problems)
    owners_by_node = [
        _node_railroads(node.get(OWNERS_COLUMN), f"{file}#nodes/{n}", problems) for n, node in enumerate(nodes)
    ]
    problems.raise_if_any()
    milepost_nodes = [(n, node) for n, node in enumerate(nodes) if _is_milepost(node)]
    points = _object_array([shapely.Point(position_by_id[str(node["id"])]) for _, node in milepost_nodes])
    point_names = [str(node.get(options.name_column or "name") or node["id"]) for _, node in milepost_nodes]
    if not isinstance(crs, str) and crs is not None:
        raise SourceError(f"{file}: crs is {str(crs)[:40]!r}; give a text like 'EPSG:4326' or 'pixels'")
    point_labels = [f"{file}#nodes/{n}" for n, _ in milepost_nodes]
    if crs == PIXELS and not is_in_degrees:
        if not lines:
            raise SourceError(f"{file}: no edge in it; check what was exported")
        return TracedLayer(
            file=file,
            crs=None,
            lines=_object_array(lines),
            line_keys=tuple(keys),
            line_features=tuple(labels),
            points=points,
            point_names=tuple(point_names),
            point_features=tuple(point_labels),
            line_levels=tuple(levels),
            point_owners=tuple(owners_by_node[n] for n, _ in milepost_nodes),
        )
    if is_in_degrees and crs in {None, PIXELS}:
        crs = "EPSG:4326"
    layers = [
        FeatureLayer(
            name="edges",
            crs=crs,
            labels=labels,
            geometries=_object_array(lines),
            columns=(key_column, LEVEL_COLUMN),
            values={key_column: keys, LEVEL_COLUMN: levels},
        ),
        FeatureLayer(
            name="nodes",
            crs=crs,
            labels=point_labels,
            geometries=points,
            columns=("name", OWNERS_COLUMN),
            values={"name": point_names, OWNERS_COLUMN: [";".join(owners_by_node[n]) for n, _ in milepost_nodes]},
        ),
    ]
    layers = [layer for layer in layers if len(layer.labels)]
    return to_traced(layers, ImportOptions(column=key_column, bbox=options.bbox, crs=options.crs), file=file)


def _object_array(shapes: list[Any]) -> Geometries:
    shape_array = np.empty(len(shapes), dtype=object)
    shape_array[:] = shapes
    return shape_array


def _parse_graph(data: bytes, file: str) -> dict[str, Any]:
    try:
        plain = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(json_error_message(error, file=file, cure="fix it or export it again")) from error
    if not is_graph(plain):
        raise SourceError(f"{file}: a graph needs the members nodes and edges")
    return plain  # type: ignore[no-any-return]


def _require_list(plain: dict[str, Any], member: str, file: str) -> list[dict[str, Any]]:
    items = plain[member]
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise SourceError(f"{file}: {member} must be a list of objects")
    return items


def _read_positions(
    nodes: list[dict[str, Any]], file: str, problems: Problems
) -> tuple[dict[str, tuple[float, float]], bool]:
    """Return positions by node id, and whether they are in degrees."""
    position_by_id: dict[str, tuple[float, float]] = {}
    are_in_degrees: set[bool] = set()
    for n, node in enumerate(nodes):
        node_place = f"{file}#nodes/{n}"
        node_id = node.get("id")
        if not isinstance(node_id, str | int) or str(node_id) == "" or str(node_id) in position_by_id:
            problems.add(f"{node_place}: id {str(node_id)[:40]!r} is missing or appears twice; give each node its own")
            continue
        position_keys = next((pair for pair in _POSITION_KEYS if pair[0] in node and pair[1] in node), None)
        position = _parse_position([node[axis] for axis in position_keys]) if position_keys else None
        if position is None:
            problems.add(
                f"{node_place}: node {str(node_id)[:40]!r} has no lon and lat, or x and y, that are finite numbers"
            )
            continue
        are_in_degrees.add(position_keys == _POSITION_KEYS[0])
        position_by_id[str(node_id)] = position
    if len(are_in_degrees) > 1:
        problems.add(f"{file}: some nodes have lon and lat, some x and y; give all of them one kind")
    return position_by_id, are_in_degrees == {True}


def _parse_position(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) not in _ALLOWED_DIMENSIONS:
        return None
    for number in value:
        if isinstance(number, bool) or not isinstance(number, int | float) or abs(number) > 1e12:  # noqa: PLR2004
            return None
    x, y = float(value[0]), float(value[1])
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _is_milepost(node: dict[str, Any]) -> bool:
    kind = node.get(KIND_COLUMN)
    return node.get("milepost") is not False and not (isinstance(kind, str) and kind.strip().lower() in NO_MILEPOSTS)


def _edge_railroads(edge: dict[str, Any], key_column: str) -> list[str]:
    """Return the railroads of an edge: one under its key, or several as a list under the key or `railroads`."""
    edge_value = edge.get(key_column, edge.get(OWNERS_COLUMN))
    items = edge_value if isinstance(edge_value, list) else [edge_value]
    if not all(isinstance(item, str | int) and not isinstance(item, bool) and str(item).strip() for item in items):
        return []
    return list(dict.fromkeys(str(item).strip() for item in items))


def _read_edges(
    edges: list[dict[str, Any]],
    position_by_id: dict[str, tuple[float, float]],
    key_column: str,
    file: str,
    problems: Problems,
) -> tuple[list[str], list[str], list[shapely.LineString], list[int]]:
    keys: list[str] = []
    levels: list[int] = []
    labels: list[str] = []
    lines: list[shapely.LineString] = []
    for n, edge in enumerate(edges):
        edge_place = f"{file}#edges/{n}"
        end_keys = next((pair for pair in _END_KEYS if pair[0] in edge and pair[1] in edge), None)
        if end_keys is None:
            problems.add(f"{edge_place}: no ends; give from and to")
            continue
        end_ids = [str(edge[name]) for name in end_keys]
        unknown_ends = [end for end in end_ids if end not in position_by_id]
        if unknown_ends:
            problems.add(f"{edge_place}: no node {unknown_ends[0][:40]!r}; add it, or correct the edge")
            continue
        railroads = _edge_railroads(edge, key_column)
        if not railroads:
            problems.add(f"{edge_place}: {key_column} is missing; name the railroad of the line, or list several")
            continue
        path_positions = edge.get("path")
        if path_positions is None:
            path_positions = [list(position_by_id[end]) for end in end_ids]
        positions = (
            [place for place in map(_parse_position, path_positions) if place]
            if isinstance(path_positions, list)
            else []
        )
        if len(positions) < 2 or len(positions) < len(path_positions):  # noqa: PLR2004 - ends of a line
            problems.add(f"{edge_place}: path must be a list of at least two positions, each [lon, lat] or [x, y]")
            continue
        level = parse_level(str(edge.get(LEVEL_COLUMN, "")))
        if level is None:
            problems.add(f"{edge_place}: {level_error_message(str(edge[LEVEL_COLUMN]))}")
            continue
        levels += [level] * len(railroads)
        keys += railroads
        labels += [edge_place] * len(railroads)
        lines += [shapely.LineString(positions)] * len(railroads)
    return keys, labels, lines, levels


def _node_railroads(value: object, where: str, problems: Problems) -> tuple[str, ...]:
    """Return the railroads that stop at a node."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        problems.add(f"{where}: {OWNERS_COLUMN} is {str(value)[:40]!r}; write a list of texts")
        return ()
    return tuple(item.strip() for item in value if item.strip())
