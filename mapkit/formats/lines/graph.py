"""A traced graph as JSON: nodes with positions and edges with railroads."""

import json
import math
from typing import Any

import numpy as np
import shapely

from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import not_json
from mapkit.formats.lines.features import (
    KIND_COLUMN,
    LEVEL_COLUMN,
    MAX_FEATURES,
    NO_MILEPOSTS,
    OWNERS_COLUMN,
    FeatureLayer,
    Geometries,
    ImportOptions,
    bad_level,
    parse_level,
    to_traced,
)
from mapkit.formats.tables import Problems
from mapkit.formats.traced import TracedLayer

PIXELS = "pixels"

_ENDS = (("from", "to"), ("source", "target"), ("a", "b"))
_POSITIONS = (("lon", "lat"), ("x", "y"))
_DIMENSIONS = (2, 3)


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
        raise SourceError(f"{file}: conditions are for attributes of geodata, and a graph has none; leave them out")
    plain = _plain(data, file)
    crs = plain.get("crs") or options.crs
    nodes, edges = _list(plain, "nodes", file), _list(plain, "edges" if "edges" in plain else "links", file)
    if len(nodes) + len(edges) > MAX_FEATURES:
        raise SourceError(
            f"{file}: {len(nodes) + len(edges)} nodes and edges, the limit is {MAX_FEATURES}; split the file"
        )
    problems = Problems()
    at, degrees = _positions(nodes, file, problems)
    key = options.column or "railroad"
    keys, labels, lines, levels = _edges(edges, at, key, file, problems)
    owners = [_owners(node.get(OWNERS_COLUMN), f"{file}#nodes/{n}", problems) for n, node in enumerate(nodes)]
    problems.raise_if_any()
    dots = [(n, node) for n, node in enumerate(nodes) if _is_milepost(node)]
    points = _array([shapely.Point(at[str(node["id"])]) for _, node in dots])
    names = [str(node.get(options.name_column or "name") or node["id"]) for _, node in dots]
    if not isinstance(crs, str) and crs is not None:
        raise SourceError(f"{file}: crs is {str(crs)[:40]!r}; give a text like 'EPSG:4326' or 'pixels'")
    point_labels = [f"{file}#nodes/{n}" for n, _ in dots]
    if crs == PIXELS and not degrees:
        if not lines:
            raise SourceError(f"{file}: no edge in it; check what was exported")
        return TracedLayer(
            file=file,
            crs=None,
            lines=_array(lines),
            line_keys=tuple(keys),
            line_features=tuple(labels),
            points=points,
            point_names=tuple(names),
            point_features=tuple(point_labels),
            line_levels=tuple(levels),
            point_owners=tuple(owners[n] for n, _ in dots),
        )
    if degrees and crs in {None, PIXELS}:
        crs = "EPSG:4326"
    layers = [
        FeatureLayer(
            name="edges",
            crs=crs,
            labels=labels,
            geometries=_array(lines),
            columns=(key, LEVEL_COLUMN),
            values={key: keys, LEVEL_COLUMN: levels},
        ),
        FeatureLayer(
            name="nodes",
            crs=crs,
            labels=point_labels,
            geometries=points,
            columns=("name", OWNERS_COLUMN),
            values={"name": names, OWNERS_COLUMN: [";".join(owners[n]) for n, _ in dots]},
        ),
    ]
    layers = [layer for layer in layers if len(layer.labels)]
    return to_traced(layers, ImportOptions(column=key, bbox=options.bbox), file=file)


def _array(shapes: list[Any]) -> Geometries:
    out = np.empty(len(shapes), dtype=object)
    out[:] = shapes
    return out


def _plain(data: bytes, file: str) -> dict[str, Any]:
    try:
        plain = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(not_json(error, file=file, cure="fix it or export it again")) from error
    if not is_graph(plain):
        raise SourceError(f"{file}: a graph needs the members nodes and edges")
    return plain  # type: ignore[no-any-return]


def _list(plain: dict[str, Any], member: str, file: str) -> list[dict[str, Any]]:
    found = plain[member]
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise SourceError(f"{file}: {member} must be a list of objects")
    return found


def _positions(
    nodes: list[dict[str, Any]], file: str, problems: Problems
) -> tuple[dict[str, tuple[float, float]], bool]:
    """Return positions by node id, and whether they are degrees."""
    out: dict[str, tuple[float, float]] = {}
    degrees: set[bool] = set()
    for n, node in enumerate(nodes):
        where = f"{file}#nodes/{n}"
        ident = node.get("id")
        if not isinstance(ident, str | int) or str(ident) == "" or str(ident) in out:
            problems.add(f"{where}: id {str(ident)[:40]!r} is missing or appears twice; give each node its own")
            continue
        axes = next((pair for pair in _POSITIONS if pair[0] in node and pair[1] in node), None)
        place = _position([node[axis] for axis in axes]) if axes else None
        if place is None:
            problems.add(f"{where}: node {str(ident)[:40]!r} has no lon and lat, or x and y, that are finite numbers")
            continue
        degrees.add(axes == _POSITIONS[0])
        out[str(ident)] = place
    if len(degrees) > 1:
        problems.add(f"{file}: some nodes have lon and lat, some x and y; give all of them one kind")
    return out, degrees == {True}


def _position(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) not in _DIMENSIONS:
        return None
    for number in value:
        if isinstance(number, bool) or not isinstance(number, int | float) or abs(number) > 1e12:  # noqa: PLR2004
            return None
    x, y = float(value[0]), float(value[1])
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _is_milepost(node: dict[str, Any]) -> bool:
    kind = node.get(KIND_COLUMN)
    return node.get("milepost") is not False and not (isinstance(kind, str) and kind.strip().lower() in NO_MILEPOSTS)


def _railroads(edge: dict[str, Any], key: str) -> list[str]:
    """Return the railroads of an edge: one under its key, or several as a list under the key or `railroads`."""
    found = edge.get(key, edge.get(OWNERS_COLUMN))
    items = found if isinstance(found, list) else [found]
    if not all(isinstance(item, str | int) and not isinstance(item, bool) and str(item).strip() for item in items):
        return []
    return list(dict.fromkeys(str(item).strip() for item in items))


def _edges(
    edges: list[dict[str, Any]], at: dict[str, tuple[float, float]], key: str, file: str, problems: Problems
) -> tuple[list[str], list[str], list[shapely.LineString], list[int]]:
    keys: list[str] = []
    levels: list[int] = []
    labels: list[str] = []
    lines: list[shapely.LineString] = []
    for n, edge in enumerate(edges):
        where = f"{file}#edges/{n}"
        names = next((pair for pair in _ENDS if pair[0] in edge and pair[1] in edge), None)
        if names is None:
            problems.add(f"{where}: no ends; give from and to")
            continue
        ends = [str(edge[name]) for name in names]
        unknown = [end for end in ends if end not in at]
        if unknown:
            problems.add(f"{where}: no node {unknown[0][:40]!r}; add it, or correct the edge")
            continue
        railroads = _railroads(edge, key)
        if not railroads:
            problems.add(f"{where}: {key} is missing; say whose line it is, by a text or a list of texts")
            continue
        path = edge.get("path")
        if path is None:
            path = [list(at[end]) for end in ends]
        places = [place for place in map(_position, path) if place] if isinstance(path, list) else []
        if len(places) < 2 or len(places) < len(path):  # noqa: PLR2004 - ends of a line
            problems.add(f"{where}: path must be a list of at least two positions, each [lon, lat] or [x, y]")
            continue
        level = parse_level(str(edge.get(LEVEL_COLUMN, "")))
        if level is None:
            problems.add(f"{where}: {bad_level(str(edge[LEVEL_COLUMN]))}")
            continue
        levels += [level] * len(railroads)
        keys += railroads
        labels += [where] * len(railroads)
        lines += [shapely.LineString(places)] * len(railroads)
    return keys, labels, lines, levels


def _owners(value: object, where: str, problems: Problems) -> tuple[str, ...]:
    """Return the railroads that stop at a node."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        problems.add(f"{where}: {OWNERS_COLUMN} is {str(value)[:40]!r}; write a list of texts")
        return ()
    return tuple(item.strip() for item in value if item.strip())
