"""Project of QGIS inside a GeoPackage: layers in order, with styles, relations and the projection of the board."""

from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from mapkit.formats.geopackage import Relation
from mapkit.formats.zipped import zip_bytes
from mapkit.kinds.rail.exchange.gis.layers import KINDS
from mapkit.kinds.rail.exchange.gis.qgis_styles import LayerStyle
from mapkit.kinds.rail.model.board import Board

_GEOMETRIES: Final = {"Point": "Point", "LineString": "Line", "MultiPolygon": "Polygon", "table": "No geometry"}
"""What QGIS calls the geometry of a layer."""
_DEGREES: Final = "+proj=longlat +datum=WGS84 +no_defs"


def make_qgis_project(
    board: Board, styles: Mapping[str, LayerStyle], relations: Sequence[Relation], *, file: str
) -> bytes:
    """Return a project (QGZ) of the layers of a GeoPackage.

    Args:
        board: The board; layers without rows are left out.
        styles: The style of each layer that is drawn.
        relations: Between layers, whose columns hold an `id`.
        file: Name of the GeoPackage; the project looks for its layers beside itself.
    """
    layers = [layer for layer in reversed(list(KINDS)) if layer == "railroads" or getattr(board, layer)]
    tree = "".join(
        f'<layer-tree-layer id="{_layer_id(layer)}" name="{layer}" checked="Qt::Checked" providerKey="ogr" '
        f"source={quoteattr(_data_source(file, layer))}/>"
        for layer in layers
    )
    order = "".join(f"<item>{_layer_id(layer)}</item>" for layer in layers if KINDS[layer] != "table")
    maps = "".join(_make_layer(layer, styles.get(layer, LayerStyle("")), file) for layer in layers)
    links = "".join(
        _make_relation(relation, column)
        for relation in relations
        for column in relation.columns
        if {relation.layer, relation.related} <= set(layers)
    )
    project_crs = _make_crs(board.projection.crs)
    project = (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        f'<qgis version="3.22.0" projectname={quoteattr(board.title)}><title>{escape(board.title)}</title>'
        f"<projectCrs>{project_crs}</projectCrs>"
        f'<layer-tree-group>{tree}<custom-order enabled="0">{order}</custom-order></layer-tree-group>'
        f'<mapcanvas name="theMapCanvas"><units>meters</units>{_make_extent(board)}<rotation>0</rotation>'
        f"<destinationsrs>{project_crs}</destinationsrs></mapcanvas>"
        f"<projectlayers>{maps}</projectlayers><relations>{links}</relations>"
        '<properties><SpatialRefSys><ProjectionsEnabled type="int">1</ProjectionsEnabled></SpatialRefSys>'
        '<Paths><Absolute type="bool">false</Absolute></Paths></properties></qgis>\n'
    )
    return zip_bytes({"board.qgs": project})


def _layer_id(layer: str) -> str:
    """Return the id of a layer; QGIS replaces those of ten characters and fewer."""
    return f"mapkit_layer_{layer}"


def _data_source(file: str, layer: str) -> str:
    return f"./{file}|layername={layer}"


def _make_layer(layer: str, style: LayerStyle, file: str) -> str:
    return (
        f'<maplayer type="vector" geometry="{_GEOMETRIES[KINDS[layer]]}" labelsEnabled="{int(style.has_labels)}" '
        f'simplifyDrawingHints="1" hasScaleBasedVisibilityFlag="0"><id>{_layer_id(layer)}</id>'
        f"<datasource>{escape(_data_source(file, layer))}</datasource><layername>{layer}</layername>"
        f"<srs>{_make_crs(_DEGREES)}</srs>"
        f'<provider encoding="UTF-8">ogr</provider>{style.elements}</maplayer>'
    )


def _make_relation(relation: Relation, column: str) -> str:
    return (
        f'<relation id="{relation.layer}_{column}" name="{relation.layer}: {column}" strength="Association" '
        f'referencingLayer="{_layer_id(relation.layer)}" referencedLayer="{_layer_id(relation.related)}">'
        f'<fieldRef referencingField="{column}" referencedField="id"/></relation>'
    )


def _make_crs(proj: str) -> str:
    """Return a CRS; by its authority alone (EPSG:4326), QGIS 3.22 takes it for invalid."""
    return f"<spatialrefsys><proj4>{escape(proj)}</proj4></spatialrefsys>"


def _make_extent(board: Board) -> str:
    """Return the page in the metres of the projection."""
    projection, page = board.projection, board.page
    left, top = -projection.offset_x_mm / projection.scale_mm_per_m, projection.offset_y_mm / projection.scale_mm_per_m
    right = left + page.width / projection.scale_mm_per_m
    bottom = top - page.height / projection.scale_mm_per_m
    corners = {"xmin": left, "ymin": bottom, "xmax": right, "ymax": top}
    return f"<extent>{''.join(f'<{name}>{metres:.0f}</{name}>' for name, metres in corners.items())}</extent>"
