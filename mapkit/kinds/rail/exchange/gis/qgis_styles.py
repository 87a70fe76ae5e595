"""Styles of a board's layers for QGIS (QML), without network access or fonts of a machine."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
"""Dash patterns of railroads; other patterns are solid lines, broader for `double`, `hollow` and `pearl`."""
_BROAD_PATTERNS = frozenset({"double", "hollow", "pearl"})


@dataclass(frozen=True)
class LayerStyle:
    """Style of a layer: the elements of its renderer and its labels, as QML and projects have them."""

    elements: str
    has_labels: bool = False

    @property
    def qml(self) -> str:
        """The style as a file of its own."""
        return (
            "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
            f'<qgis version="3.22.0" styleCategories="Symbology|Labeling" labelsEnabled="{int(self.has_labels)}">'
            f"{self.elements}</qgis>\n"
        )


def make_qgis_styles(board: Board) -> dict[str, LayerStyle]:
    """Return the style of each layer that is drawn."""
    line_symbols = [
        (
            r.id,
            r.short,
            _line_symbol(
                r.style.colour, 0.9 if r.style.pattern in _BROAD_PATTERNS else 0.6, _DASHES.get(r.style.pattern)
            ),
        )
        for r in board.railroads
    ]
    fill_symbols = [(region.id, region.name, _fill_symbol(region.colour)) for region in board.regions]
    point_symbols = [
        ("city", "City", _marker_symbol("square", "#ffffff", 2.4)),
        ("dot", "Milepost", _marker_symbol("circle", "#ffffff", 1.2)),
    ]
    return {
        "regions": _make_style(
            "fill",
            "id",
            fill_symbols,
            label=_label_settings(
                "name", '<placement placement="4" priority="1"/><rendering drawLabels="1" obstacle="0"/>'
            ),
        ),
        "pieces": _make_style("line", "", [("", "", _line_symbol("#999999", 0.2, None))]),
        "segments": _make_style("line", "railroad", line_symbols),
        "junctions": _make_style("marker", "", [("", "", _marker_symbol("diamond", "#888888", 1.2))]),
        "mileposts": _make_style("marker", "kind", point_symbols),
        "cities": _make_style(
            "marker", "", [("", "", _marker_symbol("square", "#ffffff", 2.4))], label=_point_label("name")
        ),
    }


def _make_style(kind: str, attribute: str, symbols: Iterable[tuple[str, str, str]], *, label: str = "") -> LayerStyle:
    """Return a style, with labels if any; without an attribute it has a single symbol."""
    symbol_list = list(symbols)
    symbol_elements = "".join(
        f'<symbol name="{symbol_number}" type="{kind}" alpha="1" clip_to_extent="1" force_rhr="0">{layer}</symbol>'
        for symbol_number, (_, _, layer) in enumerate(symbol_list)
    )
    categories = "".join(
        f'<category symbol="{symbol_number}" value={quoteattr(attribute_value)} '
        f'label={quoteattr(symbol_title)} render="true"/>'
        for symbol_number, (attribute_value, symbol_title, _) in enumerate(symbol_list)
    )
    renderer_start = (
        f'<renderer-v2 type="categorizedSymbol" attr="{attribute}" symbollevels="0" enableorderby="0" forceraster="0">'
        f"<categories>{categories}</categories>"
        if attribute
        else '<renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">'
    )
    labelling = f'<labeling type="simple">{label}</labeling>' if label else ""
    return LayerStyle(f"{renderer_start}<symbols>{symbol_elements}</symbols></renderer-v2>{labelling}", bool(label))


def _point_label(field: str) -> str:
    """Return labels beside points; where there is no room, they overlap others."""
    return _label_settings(
        field,
        '<placement placement="6" dist="1" distUnits="MM" priority="10" overlapHandling="AllowOverlapIfRequired"/>'
        '<rendering drawLabels="1" displayAll="1" obstacle="1"/>',
    )


def _label_settings(field: str, where: str) -> str:
    return (
        f'<settings calloutType="simple"><text-style fieldName="{field}" isExpression="0" fontSize="8" '
        'fontSizeUnit="Point" textColor="30,30,30,255" textOpacity="1">'
        '<text-buffer bufferDraw="1" bufferSize="0.8" bufferSizeUnits="MM" bufferColor="255,255,255,255" '
        f'bufferOpacity="0.85"/></text-style>{where}</settings>'
    )


def _line_symbol(colour: str, width: float, dashes: str | None) -> str:
    options = {
        "line_color": _hex_to_rgba(colour),
        "line_style": "solid",
        "line_width": f"{width:g}",
        "line_width_unit": "MM",
        "capstyle": "flat" if dashes else "round",
        "joinstyle": "round",
        "use_custom_dash": str(int(dashes is not None)),
        "customdash": dashes or "5;2",
        "customdash_unit": "MM",
    }
    return _symbol_layer("SimpleLine", options)


def _fill_symbol(colour: str) -> str:
    options = {
        "color": _hex_to_rgba(colour, 140),
        "style": "solid",
        "outline_color": _hex_to_rgba(colour),
        "outline_width": "0.2",
    }
    return _symbol_layer("SimpleFill", options)


def _marker_symbol(shape: str, colour: str, size: float) -> str:
    options = {
        "name": shape,
        "color": _hex_to_rgba(colour),
        "outline_color": _hex_to_rgba("#1e1e1e"),
        "outline_width": "0.3",
        "size": f"{size:g}",
        "size_unit": "MM",
    }
    return _symbol_layer("SimpleMarker", options)


def _symbol_layer(name: str, options: Mapping[str, str]) -> str:
    option_elements = "".join(
        f'<Option name="{option_name}" type="QString" value="{option_value}"/>'
        for option_name, option_value in options.items()
    )
    return (
        f'<layer class="{name}" enabled="1" locked="0" pass="0"><Option type="Map">{option_elements}</Option></layer>'
    )


def _hex_to_rgba(colour: str, alpha: int = 255) -> str:
    red, green, blue = (int(colour[digit_index : digit_index + 2], 16) for digit_index in (1, 3, 5))
    return f"{red},{green},{blue},{alpha}"
