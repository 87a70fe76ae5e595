"""How QGIS shows the layers of a board: styles in its own form (QML), without a network or fonts of a machine."""

from collections.abc import Iterable, Mapping
from typing import Final
from xml.sax.saxutils import quoteattr

from mapkit.kinds.rail.model.board import Board

_DASHES: Final[Mapping[str, str]] = {
    "dash": "4;2",
    "dot": "1;2",
    "dash-dot": "4;2;1;2",
    "dash-dot-dot": "4;2;1;2;1;2",
    "ladder": "0.6;1.2",
    "ties": "0.6;3",
    "beads": "1;3",
    "sawtooth": "2;0.6",
}
"""Patterns of railroads that a dashed line can stand for; others are solid, `double`, `hollow` and `pearl` broader."""
_BROAD = frozenset({"double", "hollow", "pearl"})


def styles(board: Board) -> dict[str, str]:
    """Return layer -> QML, for every layer that is drawn."""
    lines = [
        (r.id, r.short, _line(r.style.colour, 0.9 if r.style.pattern in _BROAD else 0.6, _DASHES.get(r.style.pattern)))
        for r in board.railroads
    ]
    fills = [(region.id, region.name, _fill(region.colour)) for region in board.regions]
    points = [
        ("city", "City", _marker("square", "#ffffff", 2.4)),
        ("dot", "Milepost", _marker("circle", "#ffffff", 1.2)),
    ]
    return {
        "regions": _qml("fill", "id", fills, label=_area_label("name")),
        "pieces": _qml("line", "", [("", "", _line("#999999", 0.2, None))]),
        "segments": _qml("line", "railroad", lines),
        "junctions": _qml("marker", "", [("", "", _marker("diamond", "#888888", 1.2))]),
        "mileposts": _qml("marker", "kind", points),
        "cities": _qml("marker", "", [("", "", _marker("square", "#ffffff", 2.4))], label=_point_label("name")),
    }


def _qml(kind: str, attribute: str, symbols: Iterable[tuple[str, str, str]], *, label: str = "") -> str:
    """Return a style with labels, if any; without an attribute there is one symbol for all."""
    listed = list(symbols)
    drawn = "".join(
        f'<symbol name="{at}" type="{kind}" alpha="1" clip_to_extent="1" force_rhr="0">{layer}</symbol>'
        for at, (_, _, layer) in enumerate(listed)
    )
    categories = "".join(
        f'<category symbol="{at}" value={quoteattr(value)} label={quoteattr(title)} render="true"/>'
        for at, (value, title, _) in enumerate(listed)
    )
    head = (
        f'<renderer-v2 type="categorizedSymbol" attr="{attribute}" symbollevels="0" enableorderby="0" forceraster="0">'
        f"<categories>{categories}</categories>"
        if attribute
        else '<renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">'
    )
    labels = f'<labeling type="simple">{label}</labeling>' if label else ""
    return (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        f'<qgis version="3.22.0" styleCategories="Symbology|Labeling" labelsEnabled="{int(bool(label))}">'
        f"{head}<symbols>{drawn}</symbols></renderer-v2>{labels}</qgis>\n"
    )


def _point_label(field: str) -> str:
    """Return labels beside points, all of them: where there is no room, over others."""
    return _label(
        field,
        '<placement placement="6" dist="1" distUnits="MM" priority="10" overlapHandling="AllowOverlapIfRequired"/>'
        '<rendering drawLabels="1" displayAll="1" obstacle="1"/>',
    )


def _area_label(field: str) -> str:
    """Return labels within areas, which labels of other layers may cover."""
    return _label(field, '<placement placement="4" priority="1"/><rendering drawLabels="1" obstacle="0"/>')


def _label(field: str, where: str) -> str:
    return (
        f'<settings calloutType="simple"><text-style fieldName="{field}" isExpression="0" fontSize="8" '
        'fontSizeUnit="Point" textColor="30,30,30,255" textOpacity="1">'
        '<text-buffer bufferDraw="1" bufferSize="0.8" bufferSizeUnits="MM" bufferColor="255,255,255,255" '
        f'bufferOpacity="0.85"/></text-style>{where}</settings>'
    )


def _line(colour: str, width: float, dashes: str | None) -> str:
    options = {
        "line_color": _rgb(colour),
        "line_style": "solid",
        "line_width": f"{width:g}",
        "line_width_unit": "MM",
        "capstyle": "flat" if dashes else "round",
        "joinstyle": "round",
        "use_custom_dash": str(int(dashes is not None)),
        "customdash": dashes or "5;2",
        "customdash_unit": "MM",
    }
    return _layer("SimpleLine", options)


def _fill(colour: str) -> str:
    options = {"color": _rgb(colour, 140), "style": "solid", "outline_color": _rgb(colour), "outline_width": "0.2"}
    return _layer("SimpleFill", options)


def _marker(shape: str, colour: str, size: float) -> str:
    options = {
        "name": shape,
        "color": _rgb(colour),
        "outline_color": _rgb("#1e1e1e"),
        "outline_width": "0.3",
        "size": f"{size:g}",
        "size_unit": "MM",
    }
    return _layer("SimpleMarker", options)


def _layer(name: str, options: Mapping[str, str]) -> str:
    inner = "".join(f'<Option name="{key}" type="QString" value="{value}"/>' for key, value in options.items())
    return f'<layer class="{name}" enabled="1" locked="0" pass="0"><Option type="Map">{inner}</Option></layer>'


def _rgb(colour: str, alpha: int = 255) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"{red},{green},{blue},{alpha}"
