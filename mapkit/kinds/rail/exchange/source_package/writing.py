"""Any board as a source package: the tables, station lists and charts that a build makes it of again."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from mapkit.core.base import Point
from mapkit.core.csvtext import csv_text
from mapkit.core.names import fold
from mapkit.core.outputs.filenames import station_file
from mapkit.kinds.rail.compiler.board_rows import drawing_settings
from mapkit.kinds.rail.exchange.source_package.layers import layer_files, layer_names
from mapkit.kinds.rail.exchange.source_package.names import PlaceNames, name_places
from mapkit.kinds.rail.model.board import SUMS, Board, Piece
from mapkit.kinds.rail.model.source import ProjectionConfig
from mapkit.kinds.rail.rules.rules import PRESETS, preset
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.projections import crs_of
from mapkit.kinds.rail.sources.table_files import CITIES, DECLARED, DESTINATIONS, PAYOFFS, PLACES, RAILROADS
from mapkit.variants.writing import toml_key, toml_value

_SHORT: Final = 6
_SIZES: Final = "drawing.sizes."
_NAMED: Final = ("albers", "lambert", "mercator", "transverse-mercator", "plate-carree")
_PARAMETER = re.compile(r"\+(lat_[012]|lon_0|lat_ts)=(-?[0-9.]+)")


def board_to_source_files(board: Board, *, file: str) -> dict[str, str]:
    """Return the files of a source package by their names in it.

    Every place stands in `cities.csv` or `places.csv`, so that the gazetteer is not asked; bends of lines are vias.

    Args:
        board: The board.
        file: What it was read from, for a comment.
    """
    names = name_places(board)
    ids = {m.id: names.mileposts[m.id] for m in board.mileposts} | names.junctions
    lines = {
        station_file(railroad.id): _lines(railroad.id, board, names, ids)
        for railroad in board.railroads
        if any(piece.railroad == railroad.id for piece in board.pieces)
    }
    at = {m.id: m for m in board.mileposts}
    places = [[name, *map(_degrees, point), ""] for name, point in sorted(names.positions.items())]
    files = {
        CONFIG_FILE: _config(board, file),
        CITIES: _table(
            ["id", "name", "region", "lon", "lat", "milepost"],
            [
                [c.id, names.cities[c.id], c.region, *map(_degrees, (at[c.milepost].lon, at[c.milepost].lat)), place]
                for c in board.cities
                for place in [names.mileposts[c.milepost]]
            ],
        ),
        RAILROADS: _table(
            ["id", "name", "short", "price", "public", "colour", "pattern"],
            [
                [r.id, r.name, short, r.price, str(r.public).lower(), r.style.colour, r.style.pattern]
                for r, short in zip(board.railroads, _distinct([r.short for r in board.railroads]), strict=True)
            ],
        ),
        **lines,
        **layer_files(board.layers),
        DESTINATIONS: _table(
            ["chart", "sum", "odd", "even"],
            [
                [chart, total, cells.odd.get(total) or "", cells.even.get(total) or ""]
                for chart, cells in board.destinations.items()
                for total in SUMS
            ],
        ),
        PAYOFFS: _table(
            ["city", *board.payoffs.cities],
            [
                [city, *("" if amount is None else f"{amount:.15g}" for amount in row)]
                for city, row in zip(board.payoffs.cities, board.payoffs.thousands, strict=True)
            ],
        ),
    }
    if places:
        files[PLACES] = _table(["place", "lon", "lat", "note"], places)
    if board.declared:
        rows = [[chart, item, odds] for chart, own in board.declared.items() for item, odds in own.items()]
        files[DECLARED] = _table(["chart", "name", "odds"], rows)
    return files


def _degrees(value: float) -> str:
    return f"{value:.5f}"


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return csv_text([header, *rows])


def _distinct(texts: Sequence[str]) -> list[str]:
    """Return texts with numbers where one is another, as names are compared, or empty."""
    out: dict[str, str] = {}
    for text in texts:
        found, number = text.strip(), 2
        while fold(found) in out or not found:
            found, number = f"{text.strip()} {number}".strip(), number + 1
        out[fold(found)] = found
    return list(out.values())


def _lines(railroad: str, board: Board, names: PlaceNames, ids: Mapping[str, str]) -> str:
    """Return the station lists of a railroad, a line for each track piece."""
    junctions = {junction.id for junction in board.junctions}
    stretches: set[frozenset[str]] = set()
    rows: list[list[object]] = []
    for piece in board.pieces:
        if piece.railroad != railroad:
            continue
        places = [ids[piece.a], *(names.via(piece.id, point) for point in _bends(piece)), ids[piece.b]]
        if any(frozenset(pair) in stretches or len(set(pair)) == 1 for pair in pairwise(places)):
            places.insert(1, names.via(piece.id, _middle(piece.line[0], piece.line[1])))
        stretches |= {frozenset(pair) for pair in pairwise(places)}
        last = len(places) - 1
        for seq, place in enumerate(places):
            node = {0: piece.a, last: piece.b}.get(seq)
            rows.append(
                [railroad, piece.id, seq + 1, place, "via" if node is None or node in junctions else "milepost"]
            )
    return _table(["railroad", "line", "seq", "place", "kind"], rows)


def _bends(piece: Piece) -> tuple[Point, ...]:
    return piece.line[1:-1]


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _config(board: Board, file: str) -> str:
    left, _, _, bottom = board.page.frame
    margin = max(left, 0)
    tables: list[tuple[str, Mapping[str, Any]]] = [
        ("units", board.units.model_dump()),
        ("projection", _projection(board)),
        (
            "page",
            {
                "width": board.page.width,
                "height": board.page.height,
                "margin": margin,
                "legend": max(round(board.page.height - margin - bottom, 6), 0),
                "extent": list(board.page.extent) if board.page.extent else None,
            },
        ),
        *_drawing(board),
        ("layers", {name: f"layers/{name}.geojson" for name in layer_names(board.layers)}),
        ("gazetteer", {"countries": ["US"]}),
        *_rules(board),
        ("accepted", board.provenance.accepted),
        ("extensions", {name: value for name, value in board.extensions.items() if not has_null(value)}),
    ]
    head = {
        "title": board.title,
        "licence": board.provenance.licence or "unknown",
        "credits": list(board.provenance.credits),
    }
    lines = [
        f"# Made by mapkit import from {file.encode('unicode_escape').decode()}.",
        "# All places stand in cities.csv and places.csv, so the gazetteer is asked only for what you add: name your",
        "# countries below.",
        *_pairs(head),
    ]
    for name, values in tables:
        if values:
            lines += ["", f"[{name}]", *_pairs(values)]
    for region in board.regions:
        short = region.short.strip()[:_SHORT].strip() or region.id[:_SHORT]
        rows = {"id": region.id, "name": region.name or region.id, "short": short, "colour": region.colour}
        lines += ["", "[[regions]]", *_pairs(rows)]
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, Any]) -> list[str]:
    return [f"{toml_key(key)} = {toml_value(value)}" for key, value in values.items() if value is not None]


def has_null(value: object) -> bool:
    """Return whether JSON holds a null somewhere; TOML has none."""
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return any(map(has_null, value)) if isinstance(value, list) else value is None


def _drawing(board: Board) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the tables of the drawing that say what is not as usual."""
    said = dict(drawing_settings(board.drawing))
    sizes = {key.removeprefix(_SIZES): value for key, value in said.items() if key.startswith(_SIZES)}
    own = {name: said[f"drawing.{name}"] for name in ("theme", "language") if f"drawing.{name}" in said}
    return [("drawing", own), (_SIZES[:-1], sizes)]


def _projection(board: Board) -> dict[str, Any]:
    """Return the projection by its name and parameters, where these give the same, or else by its CRS."""
    crs, name = board.projection.crs, board.projection.name
    if name in _NAMED:
        found = {key.replace("lat_ts", "lat_1"): float(value) for key, value in _PARAMETER.findall(crs)}
        config = ProjectionConfig.model_validate({"name": name, **found})
        if crs_of(config) == crs:
            return {"name": name, **found}
    return {"name": "crs", "crs": crs}


def _rules(board: Board) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the tables of rules that say what is not as the preset has it."""
    rules = board.rules.model_dump(mode="json")
    usual = preset(board.rules.preset if board.rules.preset in PRESETS else "ah").model_dump(mode="json")
    out: list[tuple[str, Mapping[str, Any]]] = [("rules", {"preset": board.rules.preset})]
    for group, values in rules.items():
        if isinstance(values, dict):
            out.append((f"rules.{group}", {k: v for k, v in values.items() if v != usual[group][k]}))
    return out
