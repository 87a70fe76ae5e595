"""The board as SVG: a picture for people, and the whole graph for an engine (`mapkit.render.reader`).

Layers are groups `layer-<name>` in the order of `mapkit.render.document.LAYERS`. Elements of the board have
stable ids (`region-`, `rr-`, `p-`, `s-`, `j-`, `m-`, `c-` and the board's id), a class, and everything that the
board file says of them, geometry of the real line aside, in `data-` attributes.
"""

from mapkit.model.board import Board
from mapkit.render.backdrop import Area, Backdrop, load_backdrop
from mapkit.render.document import Document, data_attributes, mm
from mapkit.render.labels import Name, Placed, place_names
from mapkit.render.legend import LEAST_HEIGHT_MM, draw_legend
from mapkit.render.parallel import drawn_lines
from mapkit.render.shapes import shape_d
from mapkit.render.symbols import draw_symbols, milepost_label, squares, symbol_boxes
from mapkit.render.theme import (
    BORDER,
    CITY_SIDE,
    CITY_TEXT,
    COAST,
    DOT_RADIUS,
    DOT_TEXT,
    HALO,
    INK,
    LAKE_SHORE,
    LAND,
    PAPER,
    QUIET_INK,
    TINT_OPACITY,
    WATER,
)
from mapkit.render.tints import region_tints
from mapkit.render.tracks import draw_railroads

_CITY_GAPS = (0.7, 1.6, 2.8, 4.5, 7.0)
_DOT_GAPS = (0.4, 0.9, 1.6, 2.6)


def render_board(board: Board, *, backdrop: Backdrop | None = None) -> str:
    """Return the board as the text of an SVG 1.1 file, in millimetres; the same board gives the same text.

    Args:
        board: The board to draw.
        backdrop: What lies below the railroads; the shipped base map by default.
    """
    return draw_board(board, backdrop=backdrop).to_text()


def draw_board(board: Board, *, backdrop: Backdrop | None = None, legend: bool = True) -> Document:
    """Draw the board, as `render_board`, for others to draw more on it, or a legend of their own below it."""
    area, strip = page_areas(board)
    ground = backdrop or load_backdrop(board.projection, area)
    document = Document(
        board.page.width, board.page.height, title=f"{board.title}: railroad board", description=_described(board)
    )
    document.data({"board": board.id, "format": board.format, "version": board.version})
    _ground(document, board, ground)
    lines = drawn_lines(board)
    draw_railroads(document, board, lines)
    draw_symbols(document, board)
    placed = place_names(_names(board), symbols=symbol_boxes(board), lines=list(lines.values()), area=area)
    _labels(document, placed)
    if legend:
        draw_legend(document, board, strip)
    return document


def page_areas(board: Board) -> tuple[Area, Area]:
    """Return the area of the map, a little larger than the frame, and that of the legend below it."""
    left, top, right, bottom = board.page.frame
    width, height = board.page.width, board.page.height
    bleed = min(left, top, width - right) / 2
    below = height - bottom
    map_bottom = bottom + (bleed if below - 3 * bleed >= LEAST_HEIGHT_MM else max(below - bleed, 0.0))
    area = (left - bleed, top - bleed, right + bleed, min(map_bottom, height))
    return area, (area[0], area[3] + bleed / 2, area[2], height - bleed)


def _described(board: Board) -> str:
    return (
        f"A map of {len(board.railroads)} railroads over {len(board.mileposts)} mileposts and "
        f"{len(board.segments)} segments, with {len(board.cities)} cities in {len(board.regions)} regions: "
        + ", ".join(region.name for region in board.regions)
        + ". Cities are squares, other mileposts dots; each railroad has its own colour and pattern."
    )


def _ground(document: Document, board: Board, ground: Backdrop) -> None:
    page = (0.0, 0.0, board.page.width, board.page.height)
    clip = {"clip-path": document.clip_to("map-area", ground.area)}
    water = document.layers["water"]
    document.rect(water, page, {"class": "paper", "fill": PAPER})
    document.rect(water, ground.area, {"class": "water", "fill": WATER})
    shore = {"stroke-width": "0.3", "stroke-linejoin": "round"}
    document.path(
        document.group(document.layers["land"], clip),
        shape_d(ground.land) or "M0,0",
        {"class": "land", "fill": LAND, "fill-rule": "evenodd", "stroke": COAST} | shore,
    )
    tints = region_tints(board, ground)
    for index, region in enumerate(board.regions):
        data = {"name": region.name, "short": region.short, "colour": region.colour, "order": index}
        document.path(
            document.layers["regions"],
            shape_d(tints[region.id]) or "M0,0",
            {
                "id": f"region-{region.id}",
                "class": "region",
                "fill": region.colour,
                "fill-opacity": f"{TINT_OPACITY:g}",
                "fill-rule": "evenodd",
            }
            | data_attributes(data),
            tip=region.name,
        )
    lakes = document.group(document.layers["lakes"], clip | {"fill": WATER, "stroke": LAKE_SHORE} | shore)
    for lake in ground.lakes:
        document.path(lakes, shape_d(lake), {"class": "lake", "fill-rule": "evenodd"})
    borders = document.group(document.layers["borders"], {"fill": "none", "stroke": BORDER, "stroke-linejoin": "round"})
    for name, shape, width, dashes in (
        ("state-borders", ground.state_borders, "0.25", "1.6 0.9"),
        ("country-borders", ground.country_borders, "0.6", "4 1.2 1 1.2"),
    ):
        d = shape_d(shape)
        if d:
            document.path(borders, d, {"class": name, "stroke-width": width, "stroke-dasharray": dashes})
    frame = {"class": "frame", "stroke": QUIET_INK, "stroke-width": "0.5"}
    document.rect(borders, ground.area, frame)


def _names(board: Board) -> list[Name]:
    spots = squares(board)
    half = CITY_SIDE / 2
    x_of = {m.id: m.x for m in board.mileposts}
    names = [
        Name(
            f"c-{city.id}",
            city.name,
            *spots[city.id],
            half,
            half,
            CITY_TEXT,
            bold=True,
            gaps=_CITY_GAPS,
            sides=_sides(spots[city.id][0] - x_of[city.milepost]),
        )
        for city in board.cities
    ]
    names += [
        Name(
            f"m-{m.id}",
            milepost_label(m.name),
            m.x,
            m.y,
            DOT_RADIUS,
            DOT_RADIUS,
            DOT_TEXT,
            bold=False,
            gaps=_DOT_GAPS,
        )
        for m in board.mileposts
        if m.kind == "dot"
    ]
    return names


def _sides(shift: float) -> tuple[int, ...]:
    """Return the sides that a city's name may take: twins keep off each other's side."""
    return (1, 0, -1) if shift == 0 else (1,) if shift > 0 else (-1, 2)


def _labels(document: Document, placed: tuple[Placed, ...]) -> None:
    """Draw all halos, then all names, so that no halo covers a name."""
    layer = document.layers["labels"]
    groups = {
        (halo, bold): document.group(
            layer,
            {
                "class": f"{'city' if bold else 'dot'}-{'halos' if halo else 'names'}",
                "font-size": mm(size),
                "font-weight": "bold" if bold else "normal",
            }
            | (
                {
                    "fill": "#ffffff",
                    "fill-opacity": "0.85",
                    "stroke": "#ffffff",
                    "stroke-opacity": "0.85",
                    "stroke-width": mm(HALO[size]),
                    "stroke-linejoin": "round",
                    "aria-hidden": "true",
                }
                if halo
                else {"fill": INK}
            ),
        )
        for halo in (True, False)
        for bold, size in ((False, DOT_TEXT), (True, CITY_TEXT))
    }
    for spot in placed:
        anchor = {} if spot.anchor == "start" else {"text-anchor": spot.anchor}
        document.text(groups[True, spot.name.bold], spot.name.text, (spot.x, spot.y), anchor)
        ident = {"id": f"label-{spot.name.key}", "class": "label"}
        data = data_attributes({"of": spot.name.key})
        document.text(groups[False, spot.name.bold], spot.name.text, (spot.x, spot.y), ident | data | anchor)
