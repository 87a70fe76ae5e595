"""The layer of names: halos below, then leader lines, then text."""

from collections import Counter
from typing import Final

from mapkit.drawing.colours.legibility import legible
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, line_d, mm
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Region
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_colours, region_tint, tint_seen
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.text.candidates import PlacedName

_LEADER_MM: Final = 0.3


def draw_names(document: SvgPage, layout: Layout) -> None:
    """Fill the layer `labels`; all halos come first, so that no halo covers a name."""
    _initials(document, layout)
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
                thin = {"stroke-width": mm(_LEADER_MM)}
                document.path(lines, line_d(spot.leader), thin | data_attributes({"of": spot.name.key}))
    for bold, size, _ in kinds:
        group = _group(document, "city-names" if bold else "dot-names", size, bold=bold)
        for spot in layout.names:
            if spot.name.bold == bold:
                ident = {"id": f"label-{spot.name.key}", "class": "label"}
                _text(document, group, spot, ident | data_attributes({"of": spot.name.key}))


def draw_region_names(document: SvgPage, layout: Layout) -> None:
    """Add the names of regions to the layer `borders`, below all track."""
    if not layout.region_names:
        return
    theme = document.theme
    regions = {r.id: r for r in layout.board.regions}
    group = document.group(document.layers["borders"], {"id": "region-names", "class": "region-names"})
    for name in layout.region_names:
        attributes = {
            "id": f"label-region-{name.region}",
            "class": "region-name",
            "font-size": mm(name.size),
            "letter-spacing": mm(name.spacing),
            "fill": region_ink(theme, regions[name.region]),
        }
        document.text_rows(group, name.rows, attributes | data_attributes({"of": f"region-{name.region}"}))


def region_ink(theme: Theme, region: Region) -> str:
    """Return the colour of a region's name: its own, mixed with as much ink as it needs to be read on its ground."""
    own = region_tint(region, theme) if theme.tint == "fill" else theme.quiet_ink
    return legible(own, (tint_seen(region, theme),), theme.ink)


def initials_ink(theme: Theme, colour: str) -> str:
    """Return the colour of a railroad's initials: its own, darkened as far as it must be to be read on the halo."""
    return legible(colour, (theme.halo,), theme.ink)


def _initials(document: SvgPage, layout: Layout) -> None:
    layer, theme, width = document.layers["labels"], document.theme, layout.sizes.initials_halo
    inks = {i: initials_ink(theme, c) for i, c in railroad_colours(layout.board, theme).items()}
    bold = {"font-weight": "bold", "text-anchor": "middle"}
    opaque = {"fill-opacity": "1", "stroke-opacity": "1"}
    halos = document.group(layer, {"class": "initials-halos"} | bold | halo_style(document, width) | opaque)
    texts = document.group(layer, {"class": "initials-names"} | bold)
    numbers: Counter[str] = Counter()
    for mark in layout.initials:
        turn = {"font-size": mm(mark.size)}
        if mark.angle:
            turn["transform"] = f"rotate({mark.angle:g} {mm(mark.x)} {mm(mark.y)})"
        document.text(halos, mark.text, (mark.x, mark.y), turn)
        numbers[mark.railroad] += 1
        ident = f"label-rr-{mark.railroad}-{numbers[mark.railroad]}"
        own = {"id": ident, "class": "initials", "fill": inks[mark.railroad]}
        document.text(texts, mark.text, (mark.x, mark.y), own | turn | data_attributes({"of": f"rr-{mark.railroad}"}))


def _group(document: SvgPage, name: str, size: float, *, bold: bool, halo: float = 0.0) -> Element:
    theme = document.theme
    attributes = {"class": name, "font-size": mm(size), "font-weight": "bold" if bold else "normal"}
    return document.group(
        document.layers["labels"], attributes | (halo_style(document, halo) if halo else {"fill": theme.ink})
    )


def halo_style(document: SvgPage, width: float) -> dict[str, str]:
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


def _text(document: SvgPage, group: Element, spot: PlacedName, attributes: dict[str, str]) -> None:
    anchor = {} if spot.anchor == "start" else {"text-anchor": spot.anchor}
    if len(spot.rows) == 1:
        document.text(group, spot.name.text, (spot.x, spot.y), attributes | anchor)
    else:
        document.text_rows(group, spot.rows, attributes)
