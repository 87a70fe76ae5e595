"""The layer of names: halos below, then leader lines, then text."""

from typing import Final

from mapkit.render.candidates import Placed
from mapkit.render.document import Document, Element, data_attributes, line_d, mm
from mapkit.render.layout import Layout

_LEADER_MM: Final = 0.3


def draw_names(document: Document, layout: Layout) -> None:
    """Fill the layer `labels`; all halos come first, so that no halo covers a name."""
    layer, theme, sizes = document.layers["labels"], document.theme, layout.sizes
    kinds = (
        (False, sizes.dot_text, sizes.dot_halo),
        (True, sizes.city_text, sizes.city_halo),
    )
    for bold, size, width in kinds:
        group = _group(document, "city-halos" if bold else "dot-halos", size, bold=bold, halo=width)
        for spot in layout.names:
            if spot.name.bold == bold:
                _text(document, group, spot, {})
    leaders = [spot for spot in layout.names if spot.leader]
    if leaders:
        lines = document.group(layer, {"class": "leaders", "fill": "none", "stroke": theme.ink})
        for spot in leaders:
            if spot.leader:
                width = {"stroke-width": mm(_LEADER_MM)}
                document.path(lines, line_d(spot.leader), width | data_attributes({"of": spot.name.key}))
    for bold, size, _ in kinds:
        group = _group(document, "city-names" if bold else "dot-names", size, bold=bold)
        for spot in layout.names:
            if spot.name.bold == bold:
                ident = {"id": f"label-{spot.name.key}", "class": "label"}
                _text(document, group, spot, ident | data_attributes({"of": spot.name.key}))


def _group(document: Document, name: str, size: float, *, bold: bool, halo: float = 0.0) -> Element:
    theme = document.theme
    attributes = {"class": name, "font-size": mm(size), "font-weight": "bold" if bold else "normal"}
    return document.group(document.layers["labels"], attributes | (halo_style(document, halo) if halo else {"fill": theme.ink}))


def halo_style(document: Document, width: float) -> dict[str, str]:
    """Return the attributes of a light stroke below text."""
    halo = document.theme.halo
    return {
        "fill": halo,
        "fill-opacity": "0.85",
        "stroke": halo,
        "stroke-opacity": "0.85",
        "stroke-width": mm(width),
        "stroke-linejoin": "round",
        "aria-hidden": "true",
    }


def _text(document: Document, group: Element, spot: Placed, attributes: dict[str, str]) -> None:
    anchor = {} if spot.anchor == "start" else {"text-anchor": spot.anchor}
    if len(spot.rows) == 1:
        document.text(group, spot.name.text, (spot.x, spot.y), attributes | anchor)
    else:
        document.text_rows(group, spot.rows, attributes)
