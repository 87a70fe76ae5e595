"""Drawing of the layer of names: halos below, then leader lines, then text.

A halo is its name again (`use`), so that each name is in the file once. Names take no clicks, and screen readers pass
over them, for their symbols and regions have them as titles.
"""

from collections import Counter
from typing import Final

from mapkit.drawing.colours.legibility import mix_until_legible
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, format_mm, line_path_data
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Region
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_colours, region_tint, visible_tint
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.text.candidates import PlacedName

_LEADER_MM: Final = 0.3
_REGION_HALO: Final = 0.22
"""Width of the halo of a region's name over hachures, in parts of the font size."""
_ASIDE: Final = {"aria-hidden": "true", "pointer-events": "none"}


def draw_names(document: SvgPage, layout: Layout) -> None:
    """Fill the layer `labels`; all halos come first, so that no halo covers a name."""
    _draw_initials(document, layout)
    layer, theme, sizes = document.layers["labels"], document.theme, layout.sizes
    name_kinds = (
        (False, sizes.dot_text, sizes.dot_halo),
        (True, sizes.city_text, sizes.city_halo),
    )
    for bold, size, halo_width in name_kinds:
        group = _add_text_group(document, "city-halos" if bold else "dot-halos", size, bold=bold, halo=halo_width)
        for spot in layout.names:
            if spot.name.bold == bold:
                document.repeat(group, f"label-{spot.name.key}")
    led_names = [spot for spot in layout.names if spot.leader]
    if led_names:
        leader_group = document.group(layer, {"class": "leaders", "fill": "none", "stroke": theme.ink} | _ASIDE)
        for spot in led_names:
            if spot.leader:
                leader_stroke = {"stroke-width": format_mm(_LEADER_MM)}
                document.path(
                    leader_group, line_path_data(spot.leader), leader_stroke | data_attributes({"of": spot.name.key})
                )
    for bold, size, _ in name_kinds:
        group = _add_text_group(document, "city-names" if bold else "dot-names", size, bold=bold)
        for spot in layout.names:
            if spot.name.bold == bold:
                own_size = {} if spot.name.size == size else {"font-size": format_mm(spot.name.size)}
                label_id = {"id": f"label-{spot.name.key}", "class": "label"} | own_size
                _draw_name(document, group, spot, label_id | data_attributes({"of": spot.name.key}))


def draw_region_names(document: SvgPage, layout: Layout) -> None:
    """Add the names of regions to the layer `borders`, below all track."""
    if not layout.region_names:
        return
    theme = document.theme
    region_by_id = {r.id: r for r in layout.board.regions}
    if theme.hachures:
        halos = document.group(
            document.layers["borders"], {"class": "region-halos", "stroke-linejoin": "round"} | _ASIDE
        )
        for name in layout.region_names:
            ground = visible_tint(region_by_id[name.region], theme)
            halo = {"stroke": ground, "stroke-opacity": "0.8", "stroke-width": format_mm(_REGION_HALO * name.size)}
            document.repeat(document.group(halos, halo), f"label-region-{name.region}")
    name_group = document.group(document.layers["borders"], {"id": "region-names", "class": "region-names"} | _ASIDE)
    for name in layout.region_names:
        attributes = {
            "id": f"label-region-{name.region}",
            "class": "region-name",
            "font-size": format_mm(name.size),
            "letter-spacing": format_mm(name.spacing),
            "fill": choose_region_ink(theme, region_by_id[name.region]),
        }
        document.text_rows(name_group, name.rows, attributes | data_attributes({"of": f"region-{name.region}"}))


def choose_region_ink(theme: Theme, region: Region) -> str:
    """Return the colour of a region's name: its own, mixed with enough ink to be read on its ground."""
    own_colour = region_tint(region, theme) if theme.is_tinted else theme.quiet_ink
    return mix_until_legible(own_colour, (visible_tint(region, theme),), theme.ink)


def choose_initials_ink(theme: Theme, colour: str) -> str:
    """Return the colour of a railroad's initials: its own, darkened enough to be read on the halo."""
    return mix_until_legible(colour, (theme.halo,), theme.ink)


def _draw_initials(document: SvgPage, layout: Layout) -> None:
    layer, theme, width = document.layers["labels"], document.theme, layout.sizes.initials_halo
    ink_by_railroad = {
        i: choose_initials_ink(theme, c) for i, c in choose_railroad_colours(layout.board, theme).items()
    }
    bold_style = {"font-weight": "bold", "text-anchor": "middle"}
    opaque_style = {"fill-opacity": "1", "stroke-opacity": "1"}
    halos = document.group(layer, {"class": "initials-halos"} | bold_style | halo_style(document, width) | opaque_style)
    text_group = document.group(layer, {"class": "initials-names"} | bold_style | _ASIDE)
    mark_numbers: Counter[str] = Counter()
    ink_groups: dict[str, Element] = {}
    for mark in layout.initials:
        turn_attributes = {"font-size": format_mm(mark.size)}
        if mark.angle:
            turn_attributes["transform"] = f"rotate({mark.angle:g} {format_mm(mark.x)} {format_mm(mark.y)})"
        mark_numbers[mark.railroad] += 1
        label_id = f"label-rr-{mark.railroad}-{mark_numbers[mark.railroad]}"
        document.repeat(halos, label_id)
        if mark.railroad not in ink_groups:
            ink_groups[mark.railroad] = document.group(text_group, {"fill": ink_by_railroad[mark.railroad]})
        own_attributes = {"id": label_id, "class": "initials"}
        document.text(
            ink_groups[mark.railroad],
            mark.text,
            (mark.x, mark.y),
            own_attributes | turn_attributes | data_attributes({"of": f"rr-{mark.railroad}"}),
        )


def _add_text_group(document: SvgPage, name: str, size: float, *, bold: bool, halo: float = 0.0) -> Element:
    theme = document.theme
    attributes = {"class": name, "font-size": format_mm(size), "font-weight": "bold" if bold else "normal"}
    return document.group(
        document.layers["labels"], attributes | (halo_style(document, halo) if halo else {"fill": theme.ink} | _ASIDE)
    )


def halo_style(document: SvgPage, width: float) -> dict[str, str]:
    """Return the attributes of a light stroke below text."""
    halo_colour = document.theme.halo
    return {
        "fill": halo_colour,
        "fill-opacity": "0.85",
        "stroke": halo_colour,
        "stroke-opacity": "0.85",
        "stroke-width": format_mm(width),
        "stroke-linejoin": "round",
    } | _ASIDE


def _draw_name(document: SvgPage, group: Element, spot: PlacedName, attributes: dict[str, str]) -> None:
    anchor_attribute = {} if spot.anchor == "start" else {"text-anchor": spot.anchor}
    if len(spot.rows) == 1:
        document.text(group, spot.name.text, (spot.x, spot.y), attributes | anchor_attribute)
    else:
        document.text_rows(group, spot.rows, attributes)
