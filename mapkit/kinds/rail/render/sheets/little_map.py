"""A railroad's own little map for its deed: its lines over quiet land, cropped to their extent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import Canvas
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import FLOOR
from mapkit.drawing.shapes import shape_d
from mapkit.drawing.svg_page import Element, line_d, mm
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.theme import Theme
from mapkit.geography.backdrop import Backdrop, load_backdrop
from mapkit.kinds.rail.model.board import REGIONS, Board, Railroad, Style
from mapkit.kinds.rail.network.chances import city_chances
from mapkit.kinds.rail.network.service import cities_by_railroad
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_styles
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.pens import PENS
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.lines.tracks import stroke

_EDGE: Final = 0.1
_LEAST: Final = 0.12
_FINE_MM: Final = 0.08
_SQUARE: Final = 0.7
_STRANGE: Final = 0.35
_GAP: Final = 0.35
_LINE_MM: Final = 0.7
_CASING_MM: Final = 0.18
"""A line of the map, about half as wide as on the board, so that its pattern has room between two bends."""
_NAME_HIGH: Final = (0.72, 0.24)
"""Above and below the baseline, as a share of the size of text."""


@dataclass(frozen=True)
class Maps:
    """What the little maps of a board are cut from."""

    layout: Layout
    ground: Backdrop
    lines: Mapping[str, Sequence[Array]]
    """Railroad (id) -> its drawn pieces from middle to middle of their mileposts, on the board's page."""
    track: NDArray[np.object_]
    """All drawn pieces as shapes, railroad by railroad."""
    owners: NDArray[np.str_]
    """The railroad (id) of each."""
    served: Mapping[str, frozenset[str]]
    order: Mapping[str, int]
    """City (id) -> its place among destinations, the likeliest first."""
    styles: Mapping[str, Style]
    """Railroad (id) -> how it is drawn."""


@dataclass(frozen=True)
class _View:
    """From the board's page to a card."""

    window: Area
    area: Area
    scale: float

    def place(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return (points - (self.window[0], self.window[1])) * self.scale + (self.area[0], self.area[1])


def maps_of(board: Board, theme: Theme, shape: float, layout: Layout | None = None) -> Maps:
    """Lay the board out once, for the maps of all its railroads.

    Args:
        board: The board.
        theme: Its sizes, and how it draws railroads.
        shape: Width by height of the widest map; land is loaded as far as that reaches.
        layout: The board laid out with the theme's sizes; laid out here by default.
    """
    layout = layout or lay_out(board, theme.sizes, text=False)
    lines: dict[str, list[Array]] = {railroad.id: [] for railroad in board.railroads}
    for piece in board.pieces:
        ends = [np.array([layout.spots[end]]) for end in (piece.a, piece.b)]
        lines[piece.railroad].append(np.vstack((ends[0], layout.thin_lines[piece.id], ends[1])))
    chances = city_chances(board) if REGIONS in board.destinations else {}
    ranked = sorted(board.cities, key=lambda c: (-chances.get(c.id, 0), c.id))
    order = {city.id: rank for rank, city in enumerate(ranked)}
    windows = [_window(layout, lines[railroad.id], shape) for railroad in board.railroads]
    left, top, right, bottom = zip(layout.area, *windows, strict=True)
    seen = (min(left), min(top), max(right), max(bottom))
    ground = load_backdrop(board.projection, seen, layout.warp, board.layers)
    owned = [(ident, shapely.LineString(line)) for ident in sorted(lines) for line in lines[ident]]
    track = np.array([line for _, line in owned], dtype=object)
    owners = np.array([ident for ident, _ in owned], dtype=np.str_)
    return Maps(layout, ground, lines, track, owners, cities_by_railroad(board), order, railroad_styles(board, theme))


def draw_little_map(canvas: Canvas, maps: Maps, railroad: Railroad, area: Area) -> None:
    """Draw a railroad's map in a box of a card; a railroad without track gets the whole board."""
    theme = canvas.theme
    window = _window(maps.layout, maps.lines[railroad.id], (area[2] - area[0]) / (area[3] - area[1]))
    view = _View(window, area, (area[2] - area[0]) / (window[2] - window[0]))
    group = canvas.group({"class": "little-map", "fill": "none", "stroke-linejoin": "round"})
    canvas.box(area, fill=theme.water, parent=group)
    _land(canvas, group, maps, view)
    _other_lines(canvas, group, maps, railroad, view)
    own = {str(at): view.place(line) for at, line in enumerate(runs(maps.lines[railroad.id]))}
    track = canvas.group({}, group)
    fine = theme.sizes.model_copy(update={"line": _LINE_MM, "casing_edge": _CASING_MM})
    stroke(canvas.document, track, maps.styles[railroad.id], own, {ident: {} for ident in own}, fine)
    _cities(canvas, group, maps, railroad, view)
    canvas.box(area, edge=theme.quiet_ink, width=0.2, parent=group)


def runs(lines: Sequence[Array]) -> list[Array]:
    """Return lines joined where two ends meet, so that a pattern runs on through mileposts."""
    if not lines:
        return []
    merged = shapely.line_merge(shapely.MultiLineString([np.round(line, 2) for line in lines]))
    return [shapely.get_coordinates(shapely.remove_repeated_points(part)) for part in shapely.get_parts(merged)]


def _window(layout: Layout, lines: Sequence[Array], shape: float) -> Area:
    """Return the extent of lines on the page, of a box's proportions, inside the map where it can be."""
    left, top, right, bottom = layout.area
    points = np.concatenate(lines) if lines else np.array([(left, top), (right, bottom)])
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    least = _LEAST * (right - left)
    wide = max(float(x1 - x0) * (1 + 2 * _EDGE), least)
    high = max(float(y1 - y0) * (1 + 2 * _EDGE), least * 0.5)
    wide, high = max(wide, high * shape), max(high, wide / shape)
    x = _inside(float(x0 + x1) / 2 - wide / 2, wide, left, right)
    y = _inside(float(y0 + y1) / 2 - high / 2, high, top, bottom)
    return (x, y, x + wide, y + high)


def _inside(start: float, size: float, low: float, high: float) -> float:
    if size >= high - low:
        return (low + high - size) / 2
    return min(max(start, low), high - size)


def _land(canvas: Canvas, group: Element, maps: Maps, view: _View) -> None:
    theme = canvas.theme
    window = shapely.box(*view.window)

    def shown(shape: shapely.Geometry) -> str:
        cut = shapely.intersection(shape, window)
        if cut.is_empty:
            return ""
        return shape_d(shapely.simplify(shapely.transform(cut, view.place), _FINE_MM))

    land = shown(maps.ground.land)
    if land:
        looks = {"fill": theme.land, "fill-rule": "evenodd", "stroke": theme.coast, "stroke-width": "0.15"}
        canvas.document.path(group, land, looks)
    lakes = " ".join(d for lake in maps.ground.lakes if (d := shown(lake)))
    if lakes:
        canvas.document.path(group, lakes, {"fill": theme.water, "fill-rule": "evenodd"})
    borders = " ".join(d for shape in (maps.ground.state_borders, maps.ground.country_borders) if (d := shown(shape)))
    if borders:
        pale = {"stroke": mixed(theme.border, theme.land, 0.6), "stroke-width": "0.12"}
        canvas.document.path(group, borders, pale)


def _other_lines(canvas: Canvas, group: Element, maps: Maps, railroad: Railroad, view: _View) -> None:
    theme = canvas.theme
    others = maps.track[maps.owners != railroad.id]
    seen = others[shapely.intersects(others, shapely.box(*view.window))]
    if not len(seen):
        return
    cut = shapely.intersection(seen, shapely.box(*view.window))
    placed = shapely.simplify(shapely.transform(cut, view.place), _FINE_MM)
    words = [line_d(part.coords) for part in shapely.get_parts(placed)
             if part.geom_type == "LineString" and not part.is_empty]  # fmt: skip
    if words:
        looks = {"stroke": mixed(theme.quiet_ink, theme.land, 0.35), "stroke-width": "0.2"}
        canvas.document.path(group, " ".join(words), looks)


def _cities(canvas: Canvas, group: Element, maps: Maps, railroad: Railroad, view: _View) -> None:
    """Draw served cities as squares, others small, and name the served where there is room."""
    theme, board = canvas.theme, maps.layout.board
    left, top, right, bottom = view.area
    spots = {c.id: view.place(np.asarray(maps.layout.spots[c.milepost], dtype=float)) for c in board.cities}
    seen = {ident: (float(x), float(y)) for ident, (x, y) in spots.items() if left < x < right and top < y < bottom}
    served = maps.served[railroad.id]
    names = {c.id: c.name for c in board.cities}
    quiet = mixed(theme.quiet_ink, theme.land, 0.55)
    for ident in sorted(seen):
        half = _SQUARE if ident in served else _STRANGE
        x, y = seen[ident]
        x, y = min(max(x, left + half), right - half), min(max(y, top + half), bottom - half)
        looks = {"stroke": theme.casing, "stroke-width": "0.2"} if ident in served else {}
        fill = theme.ink if ident in served else quiet
        box = (x - half, y - half, x + half, y + half)
        canvas.box(box, fill=fill, parent=group, attributes=looks)
    own = sorted((i for i in seen if i in served), key=lambda i: (maps.order[i], i))
    taken = [(x - _SQUARE, y - _SQUARE, x + _SQUARE, y + _SQUARE) for x, y in (seen[i] for i in own)]
    wide = PENS[maps.styles[railroad.id].pattern].body * _LINE_MM
    track = shapely.union_all([shapely.LineString(view.place(line)) for line in maps.lines[railroad.id]])
    track = shapely.buffer(track, wide / 2, quad_segs=2)
    halos = canvas.group(
        {"fill": theme.land, "stroke": theme.land, "stroke-width": "0.55", "font-size": mm(FLOOR), "class": "halos"},
        group,
    )
    texts = canvas.group({"fill": theme.ink, "font-size": mm(FLOOR + 0.005)}, group)
    for ident in own:
        places = _free(names[ident], seen[ident], view.area, taken)
        if not places:
            continue
        at, box = min(places, key=lambda s: round(shapely.area(shapely.intersection(track, shapely.box(*s[1]))), 2))
        taken.append(box)
        canvas.document.text(halos, names[ident], at, {})
        canvas.document.text(texts, names[ident], at, {})


def _free(name: str, at: Point, area: Area, taken: Sequence[Area]) -> list[tuple[Point, Area]]:
    """Return the places beside a square where a name is free of others, the best first, and its boxes."""
    out = []
    (x, y), wide = at, text_width(name, FLOOR) * 1.02
    above, below = (share * FLOOR for share in _NAME_HIGH)
    off = _SQUARE + _GAP
    level = y + 0.34 * FLOOR
    for x0, base in (
        (x + off, level),
        (x - off - wide, level),
        (x - wide / 2, y - off - below),
        (x - wide / 2, y + off + above),
        (x + off, y - off),
        (x + off, y + off + above * 0.6),
        (x - off - wide, y - off),
        (x - off - wide, y + off + above * 0.6),
    ):
        box = (x0 - 0.1, base - above, x0 + wide + 0.1, base + below)
        inside = box[0] >= area[0] + 0.4 and box[1] >= area[1] + 0.4 and box[2] <= area[2] - 0.4 and (
            box[3] <= area[3] - 0.4
        )  # fmt: skip
        if inside and not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in taken):
            out.append(((x0, base), box))
    return out
