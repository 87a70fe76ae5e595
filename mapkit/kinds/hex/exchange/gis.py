"""GeoPackage: hexagons, edges, cities and links as layers for a GIS, and the tables without shapes."""

from collections.abc import Iterable
from typing import Any, Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.geopackage import FrameLayer, Relation, write_geopackage
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
    grid, centre_by_city, terrain_by_id = board.grid, {}, {terrain.id: terrain for terrain in board.terrains}
    polygon_by_hex = {
        hexagon.id: shapely.Polygon([_to_layer_point(board, corner) for corner in grid.corners(cube)])
        for hexagon in board.hexes
        if (cube := grid.hex_of(hexagon.id)) is not None
    }
    hex_rows = [
        {
            "id": hexagon.id,
            "label": hexagon.label,
            "terrain": hexagon.terrain,
            "cost": terrain_by_id[hexagon.terrain].cost,
            "colour": terrain_by_id[hexagon.terrain].colour,
            "art": hexagon.art,
            "geometry": polygon_by_hex[hexagon.id],
        }
        for hexagon in board.hexes
    ]
    edge_rows = [
        {
            "id": edge.id,
            "a": edge.hexes[0],
            "b": edge.hexes[1],
            "kinds": " ".join(edge.kinds),
            "cost": edge.cost,
            "geometry": shapely.LineString([_to_layer_point(board, end) for end in grid.ends(named_edge)]),
        }
        for edge in board.edges
        if (named_edge := grid.edge_named(edge.id)) is not None
    ]
    city_rows = []
    for city in board.cities:
        centre_by_city[city.id] = shapely.centroid(polygon_by_hex[city.hex])
        city_rows.append(
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
                "geometry": centre_by_city[city.id],
            }
        )
    link_rows = [
        {
            "id": link.id,
            "a": link.a,
            "b": link.b,
            "name": link.name,
            "cost": link.cost,
            "owner": link.owner,
            "geometry": shapely.LineString([centre_by_city[link.a], centre_by_city[link.b]]),
        }
        for link in board.links
        if link.b is not None
    ]
    plain_links = [
        {**link.model_dump(exclude={"b", "colours"}), "colours": " ".join(link.colours)} for link in board.links
    ]
    rows_by_table = {
        "links_off_the_board": [row for row, link in zip(plain_links, board.links, strict=True) if link.b is None],
        "lines": [{**line.model_dump(), "cities": " ".join(line.cities)} for line in board.lines],
        "track": [space.model_dump() for space in board.track],
        "components": [component.model_dump() for component in board.components],
    }
    shaped_tables: tuple[tuple[str, list[dict[str, Any]], str], ...] = (
        ("cities", city_rows, "Point"),  # QGIS draws the first layer of a file on top
        ("links", link_rows, "LineString"),
        ("edges", edge_rows, "LineString"),
        ("hexes", hex_rows, "Polygon"),
    )
    crs = board.earth.crs if board.earth is not None else None
    layers = [FrameLayer(name, _geo_frame(rows, crs), kind) for name, rows, kind in shaped_tables if rows]
    layers += [FrameLayer(name, heavy.pandas.DataFrame(rows), None) for name, rows in rows_by_table.items() if rows]
    return write_geopackage(layers, _RELATIONS)


def _to_layer_point(board: HexBoard, point: Point) -> Point:
    x, y = point if board.earth is None else board.earth.metres(point)
    return (round(x, 3), round(-y if board.earth is None else y, 3))


def _geo_frame(rows: Iterable[dict[str, Any]], crs: str | None) -> "heavy.pandas.DataFrame":
    row_list = list(rows)
    shapes: list[BaseGeometry] = [row.pop("geometry") for row in row_list]
    return heavy.geopandas.GeoDataFrame(row_list, geometry=shapes, crs=crs)


def _write_geopackage(board: HexBoard, asked: HexExport) -> ExportedBoard:
    losses = ["cards and rules", *([_NO_EARTH] if board.earth is None else [])]
    return ExportedBoard({f"{asked.stem(board)}.gpkg": geopackage(board)}, tuple(losses))


FORMAT = HexFormat(
    "gpkg",
    "GeoPackage",
    (".gpkg",),
    "hexagons, edges, cities and links as layers in the projection of the board; lines, track and pieces as tables",
    "cards and rules",
    _write_geopackage,
)
