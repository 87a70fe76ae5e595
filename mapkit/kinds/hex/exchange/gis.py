"""GeoPackage: hexagons, edges, cities and links as layers for a GIS, and the tables without shapes."""

from collections.abc import Iterable
from typing import Any, Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.exchange.plan import Exported
from mapkit.formats.geopackage import FrameLayer, Relation, geopackage_of
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.model.board import HexBoard

_RELATIONS: Final = (
    Relation("cities", ("hex",), "hexes"),
    Relation("edges", ("a", "b"), "hexes"),
    Relation("links", ("a", "b"), "cities"),
)
_NO_EARTH: Final = "where it lies: the board says nothing of the earth, so its layers are in millimetres, without a CRS"


def geopackage(board: HexBoard) -> bytes:
    """Return the GeoPackage of a board; the same board gives the same bytes with the same GDAL.

    Shapes are in the projection of the board, `earth.crs`, metres; without `[earth]` in millimetres of the page, y
    upward, without a CRS.
    """
    grid, homes, heights = board.grid, {}, {terrain.id: terrain for terrain in board.terrains}
    polygons = {
        hexagon.id: shapely.Polygon([_placed(board, corner) for corner in grid.corners(cube)])
        for hexagon in board.hexes
        if (cube := grid.hex_of(hexagon.id)) is not None
    }
    hexes = [
        {
            "id": one.id,
            "label": one.label,
            "terrain": one.terrain,
            "cost": heights[one.terrain].cost,
            "colour": heights[one.terrain].colour,
            "art": one.art,
            "geometry": polygons[one.id],
        }
        for one in board.hexes
    ]
    edges = [
        {
            "id": edge.id,
            "a": edge.hexes[0],
            "b": edge.hexes[1],
            "kinds": " ".join(edge.kinds),
            "cost": edge.cost,
            "geometry": shapely.LineString([_placed(board, end) for end in grid.ends(known)]),
        }
        for edge in board.edges
        if (known := grid.edge_named(edge.id)) is not None
    ]
    cities = []
    for city in board.cities:
        homes[city.id] = shapely.centroid(polygons[city.hex])
        cities.append(
            {
                "id": city.id,
                "name": city.name,
                "hex": city.hex,
                "colours": " ".join(city.colours),
                "cubes": city.cubes,
                "rotor": city.rotor,
                "start": city.start,
                "twins": city.twins,
                "port": city.port,
                "geometry": homes[city.id],
            }
        )
    links = [
        {
            "id": link.id,
            "a": link.a,
            "b": link.b,
            "name": link.name,
            "cost": link.cost,
            "owner": link.owner,
            "geometry": shapely.LineString([homes[link.a], homes[link.b]]),
        }
        for link in board.links
        if link.b is not None
    ]
    off = [{**link.model_dump(exclude={"b", "colours"}), "colours": " ".join(link.colours)} for link in board.links]
    tables = {
        "links_off_the_board": [row for row, link in zip(off, board.links, strict=True) if link.b is None],
        "lines": [{**one.model_dump(), "cities": " ".join(one.cities)} for one in board.lines],
        "track": [space.model_dump() for space in board.track],
        "components": [one.model_dump() for one in board.components],
    }
    shaped: tuple[tuple[str, list[dict[str, Any]], str], ...] = (
        ("hexes", hexes, "Polygon"),
        ("edges", edges, "LineString"),
        ("cities", cities, "Point"),
        ("links", links, "LineString"),
    )
    crs = board.earth.crs if board.earth is not None else None
    layers = [FrameLayer(name, _frame(rows, crs), kind) for name, rows, kind in shaped if rows]
    layers += [FrameLayer(name, heavy.pandas.DataFrame(rows), None) for name, rows in tables.items() if rows]
    return geopackage_of(layers, _RELATIONS)


def _placed(board: HexBoard, point: Point) -> Point:
    x, y = point if board.earth is None else board.earth.metres(point)
    return (round(x, 3), round(-y if board.earth is None else y, 3))


def _frame(rows: Iterable[dict[str, Any]], crs: str | None) -> "heavy.pandas.DataFrame":
    found = list(rows)
    shapes: list[BaseGeometry] = [row.pop("geometry") for row in found]
    return heavy.geopandas.GeoDataFrame(found, geometry=shapes, crs=crs)


def _write(board: HexBoard, asked: HexExport) -> Exported:
    losses = ["cards and rules", *([_NO_EARTH] if board.earth is None else [])]
    return Exported({f"{asked.stem(board)}.gpkg": geopackage(board)}, tuple(losses))


FORMAT = HexFormat(
    "gpkg",
    "GeoPackage",
    (".gpkg",),
    "hexagons, edges, cities and links as layers in the projection of the board; lines, track and pieces as tables",
    "cards and rules",
    _write,
)
