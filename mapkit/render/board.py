"""The board as one SVG document: a picture for people and a contract with the engine.

Layers are groups `layer-<name>`, drawn in this order: `water`, `land`, `regions`, `lakes`, `borders`, `lines`,
`segments`, `junctions`, `mileposts`, `cities`, `labels`, `legend`. Every element has a stable id, a class and
`data-` attributes, from which the whole graph can be rebuilt:

| element   | id              | class                     | in layer    |
| --------- | --------------- | ------------------------- | ----------- |
| region    | `region-<id>`   | `region`                  | `regions`   |
| railroad  | `rr-<id>`       | `railroad`                | `lines`     |
| piece     | `p-<id>`        | `piece`, in its railroad  | `lines`     |
| segment   | `s-<id>`        | `segment`, unseen         | `segments`  |
| junction  | `j-<id>`        | `junction`                | `junctions` |
| milepost  | `m-<id>`        | `milepost` and its kind   | `mileposts` |
| city      | `c-<id>`        | `city`                    | `cities`    |
| name      | `label-<id>`    | `label`                   | `labels`    |
"""

from collections import defaultdict

from shapely import LineString
from svgwrite.base import Desc, Title
from svgwrite.container import Group

from mapkit.model.base import Point
from mapkit.model.board import Board, City, Milepost
from mapkit.render.ground import Ground, draw_ground
from mapkit.render.labels import Placed, Wanted, place_labels
from mapkit.render.legend import INK, draw_legend
from mapkit.render.svg import FONT, circle, document, drawing, group, rect, text, with_attributes
from mapkit.render.tracks import draw_lines, draw_segments, laid_out

LAYERS = (
    "water", "land", "regions", "lakes", "borders", "lines", "segments", "junctions", "mileposts", "cities",
    "labels", "legend",
)  # fmt: skip
"""The layers in the order in which they are drawn."""

SQUARE = 3.4
DOT_RADIUS = 1.15
CITY_SIZE = 4.0
DOT_SIZE = 2.2
_TWIN_GAP = 0.3
_HALO = "#ffffff"


def render_board(board: Board) -> str:
    """Return the SVG document of a board; the same board gives the same text."""
    page = drawing(board.page.width, board.page.height)
    page["role"] = "img"
    page["aria-labelledby"] = "board-title board-desc"
    page["data-board"] = board.id
    page["data-title"] = board.title
    title, desc = Title(board.title), Desc(_description(board))
    title.xml.set("id", "board-title")
    desc.xml.set("id", "board-desc")
    page.elements[:0] = [title, desc]
    page.add(rect(0, 0, board.page.width, board.page.height, fill="#ffffff"))
    ground = Ground(board)
    drawn = laid_out(board.pieces)
    squares = city_squares(board)
    layers = [
        *draw_ground(board, ground),
        draw_lines(board, drawn),
        draw_segments(board, drawn),
        _junctions(board),
        _mileposts(board, squares),
        _cities(board, squares),
        _labels(board, drawn, squares, ground),
        draw_legend(board, ground.frame),
    ]
    for layer in layers:
        page.add(layer)
    return document(page)


def _description(board: Board) -> str:
    railroads = ", ".join(r.name for r in board.railroads)
    regions = ", ".join(r.name for r in board.regions)
    return (
        f"Railroad game board with {len(board.mileposts)} mileposts, {len(board.segments)} segments and "
        f"{len(board.cities)} cities in {len(board.regions)} regions ({regions}). Railroads: {railroads}."
    )


def city_squares(board: Board) -> dict[str, tuple[float, float, float]]:
    """Return `(left, top, side)` of each city's square; twins stand side by side (RB-C06)."""
    mileposts = {m.id: m for m in board.mileposts}
    at: dict[str, list[City]] = defaultdict(list)
    for city in board.cities:
        at[city.milepost].append(city)
    out: dict[str, tuple[float, float, float]] = {}
    for ident, cities in at.items():
        count = len(cities)
        left = mileposts[ident].x - (count * SQUARE + (count - 1) * _TWIN_GAP) / 2
        for index, city in enumerate(cities):
            out[city.id] = (left + index * (SQUARE + _TWIN_GAP), mileposts[ident].y - SQUARE / 2, SQUARE)
    return out


def _junctions(board: Board) -> Group:
    layer = group("layer-junctions", "layer junctions", fill=_HALO, stroke=INK, stroke_width=0.25)
    for junction in board.junctions:
        data = {"railroad": junction.railroad, "lon": junction.lon, "lat": junction.lat}
        mark = circle((junction.x, junction.y), 0.55)
        layer.add(with_attributes(mark, ident=f"j-{junction.id}", css="junction", data=data))
    return layer


def _mileposts(board: Board, squares: dict[str, tuple[float, float, float]]) -> Group:
    """Dots as they are, city mileposts as a light plate below the squares."""
    layer = group("layer-mileposts", "layer mileposts")
    first = {}
    for city in board.cities:
        first.setdefault(city.milepost, []).append(squares[city.id])
    for milepost in board.mileposts:
        if milepost.id in first:
            boxes = first[milepost.id]
            left, top, right = boxes[0][0], boxes[0][1], boxes[-1][0] + SQUARE
            mark = rect(left - 0.4, top - 0.4, right - left + 0.8, SQUARE + 0.8, fill=_HALO)
        else:
            mark = circle((milepost.x, milepost.y), DOT_RADIUS, fill=INK, stroke=_HALO, stroke_width=0.35)
        layer.add(
            with_attributes(
                mark,
                ident=f"m-{milepost.id}",
                css=f"milepost {milepost.kind}",
                title=milepost.name,
                data={
                    "name": milepost.name,
                    "kind": milepost.kind,
                    "lon": milepost.lon,
                    "lat": milepost.lat,
                    "x": milepost.x,
                    "y": milepost.y,
                },
            )
        )
    return layer


def _cities(board: Board, squares: dict[str, tuple[float, float, float]]) -> Group:
    layer = group("layer-cities", "layer cities", fill=INK)
    for city in board.cities:
        left, top, side = squares[city.id]
        data = {"name": city.name, "region": city.region, "milepost": city.milepost}
        layer.add(
            with_attributes(rect(left, top, side, side), ident=f"c-{city.id}", css="city", title=city.name, data=data)
        )
    return layer


def _wanted(board: Board, squares: dict[str, tuple[float, float, float]]) -> list[Wanted]:
    cities = [
        Wanted(
            ident=f"c-{city.id}",
            text=city.name,
            at=(squares[city.id][0] + SQUARE / 2, squares[city.id][1] + SQUARE / 2),
            reach=SQUARE / 2 + 0.2,
            size=CITY_SIZE,
            bold=True,
            must=True,
        )
        for city in board.cities
    ]
    named = {city.milepost for city in board.cities}
    dots = [_wanted_dot(m) for m in board.mileposts if m.id not in named]
    return [*cities, *dots]


def _wanted_dot(milepost: Milepost) -> Wanted:
    return Wanted(
        ident=f"m-{milepost.id}",
        text=milepost.name,
        at=(milepost.x, milepost.y),
        reach=DOT_RADIUS,
        size=DOT_SIZE,
        bold=False,
        must=False,
    )


def placed_labels(
    board: Board,
    drawn: dict[str, tuple[Point, ...]],
    squares: dict[str, tuple[float, float, float]],
    frame: tuple[float, float, float, float],
) -> list[Placed]:
    """Return the names that are drawn: all cities', and dots' where there is room."""
    symbols = [(left, top, left + side, top + side) for left, top, side in squares.values()]
    symbols += [
        (m.x - DOT_RADIUS, m.y - DOT_RADIUS, m.x + DOT_RADIUS, m.y + DOT_RADIUS)
        for m in board.mileposts
        if m.kind == "dot"
    ]
    lines = [LineString(drawn[ident]) for ident in sorted(drawn) if len(drawn[ident]) > 1]
    return place_labels(_wanted(board, squares), symbols=symbols, lines=lines, frame=frame)


def _labels(
    board: Board,
    drawn: dict[str, tuple[Point, ...]],
    squares: dict[str, tuple[float, float, float]],
    ground: Ground,
) -> Group:
    """Names with a light halo: the same text below, stroked (Batik knows no `paint-order`)."""
    f = ground.frame
    placed = placed_labels(board, drawn, squares, (f.left + 1, f.top + 1, f.right - 1, f.bottom - 1))
    layer = group("layer-labels", "layer labels", font_family=FONT, fill=INK)
    halo = group(css="halo", stroke=_HALO, stroke_opacity=0.85, stroke_width=0.7, stroke_linejoin="round", fill=_HALO)
    halo["aria-hidden"] = "true"
    layer.add(halo)
    for label in placed:
        w = label.wanted
        weight = {"font-weight": "bold"} if w.bold else {}
        below = text(w.text, label.x, label.y, w.size)
        halo.add(with_attributes(below, style=weight))
        name = text(w.text, label.x, label.y, w.size)
        layer.add(with_attributes(name, ident=f"label-{w.ident}", css="label", style=weight))
    return layer
