"""Draws a board as somebody would who traces a scan: lines and dots in pixels, a little off, in any format."""

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import geopandas as gpd
import numpy as np
import pyogrio  # type: ignore[import-untyped]
import shapely
from numpy.typing import NDArray
from pyproj import Transformer
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Point
from mapkit.core.names import slug
from mapkit.kinds.rail.model.board import Board

Floats = NDArray[np.float64]


class UndrawableError(Exception):
    """Pieces that must join and must not, so that no drawing says both."""


@cache
def transformer(one: str, other: str) -> Transformer:
    """Return the way from one CRS to another, made once: making one takes longer than a board's lines take."""
    return Transformer.from_crs(one, other, always_xy=True)


@dataclass(frozen=True)
class Line:
    """A drawn line in pixels, whose, and on which level."""

    railroad: str
    level: int
    xy: Floats


@dataclass(frozen=True)
class Dot:
    """A drawn milepost in pixels, and the railroads that stop there."""

    name: str
    railroads: tuple[str, ...]
    x: float
    y: float


@dataclass(frozen=True)
class Picture:
    """The way between degrees and pixels of a scan: projected, scaled, rotated, sheared, y downward."""

    crs: str
    centre: Point  # metres
    metres_per_pixel: float
    turn: float = 0.1  # radians
    shear: float = 0.15

    def _matrix(self) -> Floats:
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.array([[c, -s + self.shear], [s, c]])

    def pixels(self, lonlat: Sequence[Point]) -> Floats:
        """Return `(lon, lat)` in pixels."""
        east, north = transformer("EPSG:4326", self.crs).transform(*np.array(lonlat, dtype=np.float64).reshape(-1, 2).T)
        flat = np.column_stack((east, north)) - self.centre
        return np.asarray(flat * [1, -1] / self.metres_per_pixel @ self._matrix().T + 5000)

    def degrees(self, xy: Floats) -> Floats:
        """Return pixels in `(lon, lat)`."""
        flat = (xy - 5000) @ np.linalg.inv(self._matrix()).T * self.metres_per_pixel * [1, -1] + self.centre
        return np.column_stack(transformer(self.crs, "EPSG:4326").transform(flat[:, 0], flat[:, 1]))


@dataclass(frozen=True)
class Drawing:
    """Everything drawn, and the picture it lies on."""

    lines: tuple[Line, ...]
    dots: tuple[Dot, ...]
    picture: Picture


def draw(
    board: Board,
    picture: Picture,
    *,
    tolerance: float,
    noise: float = 0.0,
    ends: float = 0.0,
    seed: int = 0,
    careful: bool = False,
) -> Drawing:
    """Draw a board's track pieces and mileposts.

    Args:
        board: Its pieces in degrees.
        picture: Where they are drawn.
        tolerance: Lines of a railroad closer than this many pixels, away from where they meet, are put on different
            levels, as an author would who wants them apart.
        noise: How far each vertex is off, at most, in pixels.
        ends: How far each end is short or long, at most, in pixels.
        seed: Of the noise.
        careful: Refuse pieces that join at a junction and come near each other elsewhere.

    Raises:
        UndrawableError: There are such pieces.
    """
    random = np.random.default_rng(seed)
    clean = [picture.pixels(piece.line) for piece in board.pieces]
    levels = _levels(board, clean, tolerance, careful=careful)
    lines = [
        Line(piece.railroad, level, _off(xy, random, noise, ends))
        for piece, level, xy in zip(board.pieces, levels, clean, strict=True)
    ]
    stops: defaultdict[str, set[str]] = defaultdict(set)
    for segment in board.segments:
        stops[segment.a].add(segment.railroad)
        stops[segment.b].add(segment.railroad)
    at = picture.pixels([(m.lon, m.lat) for m in board.mileposts])
    dots = [
        Dot(_full_name(m.id, m.name), tuple(sorted(stops[m.id])), float(x), float(y))
        for m, (x, y) in zip(board.mileposts, at, strict=True)
    ]
    return Drawing(tuple(lines), tuple(dots), picture)


def _full_name(ident: str, name: str) -> str:
    """Return the name that gives the id: with the state that the board does not show."""
    return name if slug(name) == ident else f"{name} {ident.rpartition('-')[2].upper()}"


def _off(xy: Floats, random: np.random.Generator, noise: float, ends: float) -> Floats:
    angle, far = random.uniform(0, 2 * np.pi, len(xy)), random.uniform(0, noise, len(xy))
    out = xy + far[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    for end, inner in ((0, 1), (-1, -2)):
        way = out[end] - out[inner]
        length = float(np.hypot(*way))
        if length > 0:
            out[end] += way / length * random.uniform(-1, 1) * min(ends, length / 3)
    return np.asarray(out)


def _levels(board: Board, lines: Sequence[Floats], tolerance: float, *, careful: bool) -> list[int]:
    """Return a level for each piece, so that pieces of one railroad on one level are near only where they meet."""
    group = _groups(board)
    clash: defaultdict[int, set[int]] = defaultdict(set)
    shapes: list[BaseGeometry] = [shapely.LineString(xy) for xy in lines]
    near = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=2 * tolerance)
    for one, other in sorted(map(tuple, near.T.tolist())):
        if one < other and board.pieces[one].railroad == board.pieces[other].railroad:
            if not _near(board, shapes, lines, one, other, tolerance):
                continue
            if group[one] == group[other]:
                if not careful:
                    continue
                undrawable = f"{board.pieces[one].id} and {board.pieces[other].id} join at a junction and run together"
                raise UndrawableError(undrawable)
            clash[group[one]].add(group[other])
            clash[group[other]].add(group[one])
    level: dict[int, int] = {}
    for g in sorted(set(group)):
        taken = {level[other] for other in clash[g] if other in level}
        level[g] = next(n for n in range(len(taken) + 1) if n not in taken)
    return [level[g] for g in group]


def _groups(board: Board) -> list[int]:
    """Number the pieces so that those joined at a junction have one number."""
    junctions = {j.id for j in board.junctions}
    parent = list(range(len(board.pieces)))

    def root(n: int) -> int:
        while parent[n] != n:
            n = parent[n]
        return n

    first: dict[str, int] = {}
    for n, piece in enumerate(board.pieces):
        for end in {piece.a, piece.b} & junctions:
            parent[root(n)] = root(first.setdefault(end, n))
    return [root(n) for n in range(len(parent))]


def _near(
    board: Board, shapes: Sequence[BaseGeometry], lines: Sequence[Floats], one: int, other: int, tolerance: float
) -> bool:
    ends = {board.pieces[one].a: lines[one][0], board.pieces[one].b: lines[one][-1]}
    shared = [ends[end] for end in {board.pieces[other].a, board.pieces[other].b} if end in ends]
    left, right = shapes[one], shapes[other]
    for spot in shared:
        around = shapely.Point(spot).buffer(3 * tolerance)
        left, right = left.difference(around), right.difference(around)
    return not left.is_empty and not right.is_empty and bool(shapely.distance(left, right) < 2 * tolerance)


def control_points(board: Board, picture: Picture, count: int, *, seed: int = 0) -> str:
    """Return `control_points.csv` with the places of cities."""
    cities = [m for m in board.mileposts if m.kind == "city"]
    chosen = np.random.default_rng(seed).permutation(len(cities))[:count]
    rows = ["x,y,lon,lat"]
    for n in sorted(chosen.tolist()):
        (x, y), m = picture.pixels([(cities[n].lon, cities[n].lat)])[0], cities[n]
        rows.append(f"{x:.3f},{y:.3f},{m.lon},{m.lat}")
    return "\n".join([*rows, ""])


def as_svg(drawing: Drawing) -> dict[str, bytes]:
    """Return an SVG in pixels with a layer a railroad; a dot lies in the layer of each railroad that stops there."""
    inkscape = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" {inkscape} viewBox="0 0 10000 10000">']
    for railroad in sorted({line.railroad for line in drawing.lines}):
        out.append(f'<g inkscape:groupmode="layer" inkscape:label="{railroad}">')
        for line in drawing.lines:
            if line.railroad == railroad:
                points = " ".join(f"{x:.3f},{y:.3f}" for x, y in line.xy)
                level = f' data-level="{line.level}"' if line.level else ""
                out.append(f'<polyline fill="none" stroke="#000"{level} points="{points}"/>')
        out += [
            f'<circle cx="{d.x:.3f}" cy="{d.y:.3f}" r="3"><title>{escape(d.name)}</title></circle>'
            for d in drawing.dots
            if railroad in d.railroads
        ]
        out.append("</g>")
    return {"scan.svg": "\n".join([*out, "</svg>"]).encode()}


def as_pixel_graph(drawing: Drawing) -> dict[str, bytes]:
    """Return a graph as JSON in pixels."""
    nodes: list[dict[str, object]] = [
        {"id": f"dot{n}", "name": d.name, "x": round(d.x, 3), "y": round(d.y, 3), "railroads": list(d.railroads)}
        for n, d in enumerate(drawing.dots)
    ]
    edges: list[dict[str, object]] = []
    for n, line in enumerate(drawing.lines):
        path = [[round(float(x), 3), round(float(y), 3)] for x, y in line.xy]
        for end, spot in (("a", path[0]), ("b", path[-1])):
            nodes.append({"id": f"line{n}{end}", "x": spot[0], "y": spot[1], "milepost": False})
        edges.append(
            {"from": f"line{n}a", "to": f"line{n}b", "railroad": line.railroad, "level": line.level, "path": path}
        )
    return {"scan.json": json.dumps({"crs": "pixels", "nodes": nodes, "edges": edges}).encode()}


def _frames(drawing: Drawing) -> tuple[gpd.GeoDataFrame, gpd.GeoDataFrame]:
    back = drawing.picture.degrees
    lines = gpd.GeoDataFrame(
        {"railroad": [line.railroad for line in drawing.lines], "level": [line.level for line in drawing.lines]},
        geometry=[shapely.LineString(back(line.xy)) for line in drawing.lines],
        crs="EPSG:4326",
    )
    at = back(np.array([(d.x, d.y) for d in drawing.dots]))
    dots = gpd.GeoDataFrame(
        {"name": [d.name for d in drawing.dots], "railroads": [";".join(d.railroads) for d in drawing.dots]},
        geometry=shapely.points(at),
        crs="EPSG:4326",
    )
    return lines, dots


def as_geojson(drawing: Drawing) -> dict[str, bytes]:
    """Return one GeoJSON with lines and dots."""
    both = [json.loads(frame.to_json(drop_id=True)) for frame in _frames(drawing)]
    both[0]["features"] += both[1]["features"]
    return {"scan.geojson": json.dumps(both[0]).encode()}


def as_kml(drawing: Drawing) -> dict[str, bytes]:
    """Return a KML as Google Earth writes it."""
    lines, dots = _frames(drawing)

    def placemark(name: str, data: Mapping[str, object], shape: str) -> str:
        extra = "".join(f"<Data name={quoteattr(k)}><value>{escape(str(v))}</value></Data>" for k, v in data.items())
        return f"<Placemark><name>{escape(name)}</name><ExtendedData>{extra}</ExtendedData>{shape}</Placemark>"

    marks = [
        placemark("line", {"railroad": railroad, "level": level}, f"<LineString>{_kml_text(shape)}</LineString>")
        for railroad, level, shape in zip(lines["railroad"], lines["level"], lines.geometry, strict=True)
    ]
    marks += [
        placemark(name, {"railroads": railroads}, f"<Point>{_kml_text(shape)}</Point>")
        for name, railroads, shape in zip(dots["name"], dots["railroads"], dots.geometry, strict=True)
    ]
    body = "".join(marks)
    text = f'<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>{body}'
    return {"scan.kml": f"{text}</Document></kml>".encode()}


def _kml_text(shape: shapely.Geometry) -> str:
    places = " ".join(f"{x!r},{y!r},0" for x, y in shapely.get_coordinates(shape).tolist())
    return f"<coordinates>{places}</coordinates>"


def as_kmz(drawing: Drawing) -> dict[str, bytes]:
    """Return a KMZ."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", as_kml(drawing)["scan.kml"])
    return {"scan.kmz": buffer.getvalue()}


def _by_gdal(drawing: Drawing, folder: Path, driver: str, suffix: str, *, crs: str | None = None) -> dict[str, bytes]:
    """Return what GDAL writes: lines and dots in files of their own, or in layers of one (GPKG)."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, frame in zip(("tracks", "dots"), _frames(drawing), strict=True):
        path = folder / ("scan" if driver == "GPKG" else name)
        pyogrio.write_dataframe(
            frame.to_crs(crs) if crs else frame, path.with_suffix(suffix), driver=driver, layer=name, encoding="UTF-8"
        )
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


Writer = Callable[[Drawing, Path], dict[str, bytes]]

WRITERS: dict[str, Writer] = {
    "svg": lambda drawing, _: as_svg(drawing),
    "graph in pixels": lambda drawing, _: as_pixel_graph(drawing),
    "geojson": lambda drawing, _: as_geojson(drawing),
    "kml": lambda drawing, _: as_kml(drawing),
    "kmz": lambda drawing, _: as_kmz(drawing),
    "gpkg": lambda drawing, folder: _by_gdal(drawing, folder, "GPKG", ".gpkg", crs="EPSG:5070"),
    "shp": lambda drawing, folder: _by_gdal(drawing, folder, "ESRI Shapefile", ".shp"),
    "fgb": lambda drawing, folder: _by_gdal(drawing, folder, "FlatGeobuf", ".fgb"),
    "gml": lambda drawing, folder: _by_gdal(drawing, folder, "GML", ".gml"),
}
