"""The picture of a board as SVG: every hexagon, edge, city, line and space has its id and its data.

Below is the land as it is; over it lies a quiet grid. Plains have a light tint, water has drops, mountains have peaks,
and blocked hexagons a cross. Cities are hexagons of their colour with its letter; a rotor has two colours, the
base colour above.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import LEADING, Room, fit, pt
from mapkit.drawing.shapes import shape_d
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, line_d, mm
from mapkit.drawing.theme.steps import is_dark
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.drawing.words.language import Words
from mapkit.kinds.hex.model.board import Hex, HexBoard, HexCity, HexEdge
from mapkit.kinds.hex.model.terrain import BLOCKED, MOUNTAIN, PLAINS, SEA, WATER, Terrain
from mapkit.kinds.hex.render.names import city_name
from mapkit.kinds.hex.render.palette import ink_on, pigment
from mapkit.kinds.hex.render.sheet import BoardSheet, ground, lay_out_sheet, title_area
from mapkit.kinds.hex.render.words import hex_words
from mapkit.kinds.hex.rules.colours import LETTERS

LAYERS: Final = ("ground", "hexes", "edges", "lines", "cities", "labels", "track", "title")
_RIDGE: Final = "#7a2f1d"
_BASELINE: Final = 0.345
_SLACK: Final = 1e-9
_ON_DARK: Final = 0.35
"""How much of a terrain's colour is in its tint on a dark ground."""


def draw_board(board: HexBoard, theme: Theme = CLASSIC, language: str = "en") -> str:
    """Return the picture of a board as SVG.

    Args:
        board: The board.
        theme: Its colours.
        language: Of its words.
    """
    return _Picture(board, theme, hex_words(language)).to_text()


class _Picture:
    """A picture under construction."""

    def __init__(self, board: HexBoard, theme: Theme, words: Words) -> None:
        self.board, self.theme, self.words = board, theme, words
        self.sheet: BoardSheet = lay_out_sheet(board)
        self.unit = board.grid.size_mm / 22.0
        self.taken = {city.hex for city in board.cities}
        cities, hexes = len(board.cities), len(board.hexes)
        self.page = SvgPage(
            round(self.sheet.width, 2),
            round(self.sheet.height, 2),
            title=board.title,
            description=f"{words('board.about', hexes=hexes, cities=cities)} {board.description}".strip(),
            theme=theme,
            layers=LAYERS,
        )
        grid = board.grid
        self.page.data(
            {
                "board": board.id,
                "kind": "hex",
                "offset": grid.offset,
                "columns": grid.columns,
                "rows": grid.rows,
                "size": grid.size_mm,
                "labels": grid.labels,
                "left": mm(self.sheet.left),
                "top": mm(self.sheet.top),
            }
        )

    def to_text(self) -> str:
        """Draw everything and return the file's text."""
        self._ground()
        self._hexes()
        self._edges()
        self._lines()
        self._cities()
        self._track()
        self._title()
        return self.page.to_text()

    # Ground

    def _ground(self) -> None:
        layer, theme = self.page.layers["ground"], self.theme
        whole = (0.0, 0.0, self.sheet.width, self.sheet.height)
        self.page.rect(layer, whole, {"class": "paper", "fill": theme.paper})
        self.page.rect(layer, self.sheet.frame, {"class": "water", "fill": theme.water})
        earth = self.board.earth
        if earth is None or earth.turn:
            self.page.rect(layer, self.sheet.frame, {"class": "land", "fill": theme.land})
        else:
            below = ground(earth, self.sheet.left, self.sheet.top, self.sheet.frame)
            edge = {"stroke": theme.coast, "stroke-width": mm(0.3), "stroke-linejoin": "round"}
            if not below.land.is_empty:
                self.page.path(layer, shape_d(below.land), {"class": "land", "fill": theme.land, **edge})
            for lake in below.lakes:
                shore = {"stroke": theme.lake_shore, "stroke-width": mm(0.2)}
                self.page.path(layer, shape_d(lake), {"class": "lake", "fill": theme.water, **shore})
        frame = {"fill": "none", "stroke": theme.frame, "stroke-width": mm(0.6), "class": "frame"}
        self.page.rect(self.page.layers["title"], self.sheet.frame, frame)

    # Hexagons

    def _hexes(self) -> None:
        terrains = {terrain.id: terrain for terrain in self.board.terrains}
        layer = self.page.layers["hexes"]
        grid = self.board.grid
        for hexagon, cube in zip(self.board.hexes, grid.cubes, strict=True):
            terrain = terrains[hexagon.terrain]
            column, row = grid.place(cube)
            outline = self.sheet.outline(cube)
            data = {"hex": hexagon.id, "column": column + 1, "row": row + 1, "terrain": hexagon.terrain}
            looks = {
                "id": f"hex-{hexagon.id}",
                "class": f"hex {hexagon.terrain}",
                **data_attributes(data if not hexagon.art else {**data, "art": hexagon.art}),
                **self._fill(terrain),
                "stroke": mixed(self.theme.ink, self.theme.land, 0.35),
                "stroke-width": mm(0.15),
                "stroke-opacity": "0.35" if terrain.id == SEA else "1",
            }
            self.page.path(layer, line_d([*outline, outline[0]], closed=True), looks)
            self._marks(layer, terrain, self.sheet.centre(cube))
            if hexagon.label and hexagon.id not in self.taken:
                self._label(hexagon, outline)

    def _fill(self, terrain: Terrain) -> dict[str, str]:
        if terrain.id == SEA:
            return {"fill": self.theme.water, "fill-opacity": "0.35" if self.board.earth else "1"}
        if terrain.id == PLAINS:
            return {"fill": self.theme.land, "fill-opacity": "0.6"}
        if terrain.id == BLOCKED:
            return {"fill": mixed(self.theme.quiet_ink, self.theme.land, 0.25)}
        fill = mixed(terrain.colour, self.theme.land, _ON_DARK) if is_dark(self.theme) else terrain.colour
        return {"fill": fill, "fill-opacity": "0.75"}

    def _marks(self, layer: Element, terrain: Terrain, centre: Point) -> None:
        """Draw what tells a terrain without its colour."""
        x, y = centre
        u = self.unit
        if terrain.id == MOUNTAIN:
            for dx, dy, size in ((-3.2, 1.2, 3.2), (2.6, 2.0, 2.6), (0.2, -1.2, 4.2)):
                self._peak(layer, (x + dx * u, y + dy * u), size * u)
        elif terrain.id == WATER or (terrain.wet and terrain.cost is not None):
            for dx, dy in ((-3.2, 1.6), (3.0, 1.2), (0.0, -2.2)):
                self._drop(layer, (x + dx * u, y + dy * u), 2.0 * u)
        elif terrain.id == BLOCKED:
            r = 2.2 * u
            looks = {"fill": "none", "stroke": self.theme.quiet_ink, "stroke-width": mm(0.2), "stroke-opacity": "0.4"}
            self.page.path(layer, line_d([(x - r, y - r), (x + r, y + r)]), looks)
            self.page.path(layer, line_d([(x - r, y + r), (x + r, y - r)]), looks)

    def _peak(self, layer: Element, at: Point, size: float) -> None:
        (x, y), half = at, size / 2
        light = [(x - half, y + half), (x, y - half), (x + half * 0.15, y + half)]
        dark = [(x, y - half), (x + half, y + half), (x + half * 0.15, y + half)]
        looks = {"stroke": "#6b5537", "stroke-width": mm(0.15), "stroke-linejoin": "round"}
        self.page.path(layer, line_d([*light, light[0]], closed=True), {"fill": "#cbb48a", **looks})
        self.page.path(layer, line_d([*dark, dark[0]], closed=True), {"fill": "#8f7650", **looks})

    def _drop(self, layer: Element, at: Point, size: float) -> None:
        x, y = at
        r = size / 2
        d = (
            f"M{mm(x)},{mm(y - size * 0.8)} "
            f"C{mm(x + r * 0.4)},{mm(y - r * 0.6)} {mm(x + r)},{mm(y)} {mm(x + r)},{mm(y + r * 0.4)} "
            f"A{mm(r)},{mm(r)} 0 1 1 {mm(x - r)},{mm(y + r * 0.4)} "
            f"C{mm(x - r)},{mm(y)} {mm(x - r * 0.4)},{mm(y - r * 0.6)} {mm(x)},{mm(y - size * 0.8)}Z"
        )
        self.page.path(layer, d, {"fill": "#5b93bd", "stroke": "#2d5f86", "stroke-width": mm(0.12)})

    def _label(self, hexagon: Hex, outline: list[Point]) -> None:
        top = min(y for _, y in outline)
        left = sum(x for x, _ in outline) / len(outline)
        size = pt(6)
        looks = {
            "font-size": mm(size),
            "fill": self.theme.quiet_ink,
            "text-anchor": "middle",
            "class": "label",
        }
        drop = size * (1.2 if self.board.grid.flat else 2.2)
        self.page.text(self.page.layers["labels"], hexagon.label, (left, top + drop), looks)

    # Edges and lines

    def _edges(self) -> None:
        for edge in self.board.edges:
            self._edge(edge)

    def _edge(self, edge: HexEdge) -> None:
        place = self.board.grid.edge_named(edge.id)
        if place is None:
            return
        one, other = self.sheet.ends(place)
        data = {"edge": edge.id, "kinds": edge.kinds, "cost": edge.cost}
        attributes = {"id": f"edge-{edge.id}", "class": "edge", **data_attributes(data)}
        group = self.page.group(self.page.layers["edges"], attributes)
        looks = {"fill": "none", "stroke-linecap": "round"}
        d = line_d([one, other])
        if "river" in edge.kinds:
            self.page.path(group, d, {**looks, "stroke": self.theme.river, "stroke-width": mm(1.1 * self.unit)})
        if "ridge" in edge.kinds:
            self.page.path(group, d, {**looks, "stroke": self.theme.casing, "stroke-width": mm(2.0 * self.unit)})
            self.page.path(group, d, {**looks, "stroke": _RIDGE, "stroke-width": mm(1.3 * self.unit)})
            self._teeth(group, one, other)
        if "impassable" in edge.kinds:
            self.page.path(group, d, {**looks, "stroke": self.theme.ink, "stroke-width": mm(2.2 * self.unit)})
            self.page.path(group, d, {**looks, "stroke": self.theme.casing, "stroke-width": mm(0.8 * self.unit)})
        if "ferry" in edge.kinds:
            first, second = (self.sheet.centre(hexagon) for hexagon in place.hexes)
            dashes = {"stroke": self.theme.coast, "stroke-width": mm(0.8 * self.unit), "stroke-dasharray": "1.6 1.2"}
            self.page.path(group, line_d([first, second]), {**looks, **dashes})

    def _teeth(self, group: Element, one: Point, other: Point) -> None:
        (x1, y1), (x2, y2) = one, other
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        nx, ny = (y2 - y1) / length * 1.5 * self.unit, (x1 - x2) / length * 1.5 * self.unit
        for share in (0.2, 0.4, 0.6, 0.8):
            x, y = x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
            looks = {"fill": "none", "stroke": _RIDGE, "stroke-width": mm(0.5 * self.unit)}
            self.page.path(group, line_d([(x - nx, y - ny), (x + nx, y + ny)]), looks)

    def _lines(self) -> None:
        layer = self.page.layers["lines"]
        at = self._city_places()
        for line in self.board.lines:
            data = {"line": line.id, "name": line.name, "points": line.points, "cities": line.cities}
            group = self.page.group(layer, {"id": f"line-{line.id}", "class": "line", **data_attributes(data)})
            points = [at[city] for city in line.cities]
            looks = {"fill": "none", "stroke-linejoin": "round", "stroke-linecap": "round"}
            casing = {"stroke": self.theme.casing, "stroke-width": mm(1.8 * self.unit), "stroke-opacity": "0.8"}
            dashes = {"stroke": _RIDGE, "stroke-width": mm(0.7 * self.unit), "stroke-dasharray": "3 1.6"}
            self.page.path(group, line_d(points), {**looks, **casing})
            self.page.path(group, line_d(points), {**looks, **dashes})
            (x1, y1), (x2, y2) = points[len(points) // 2 - 1], points[len(points) // 2]
            self._token(group, ((x1 + x2) / 2, (y1 + y2) / 2), str(line.points))
        for link in self.board.links:
            ends = {"a": link.a, "b": link.b or "", "cost": link.cost, "owner": link.owner, "name": link.name}
            group = self.page.group(
                layer, {"id": f"link-{link.id}", "class": "link", **data_attributes({"link": link.id, **ends})}
            )
            start = at[link.a]
            end = at[link.b] if link.b else self._off_board(link.a)
            style = {"fill": "none", "stroke": self.theme.ink, "stroke-width": mm(1.2 * self.unit)}
            self.page.path(group, line_d([start, end]), style)
            if not link.b:
                looks = {"font-size": mm(pt(7)), "fill": self.theme.ink, "text-anchor": "middle"}
                self.page.text(group, link.name, (end[0], end[1] - 1), {**looks, **self._halo()})
                self.page.text(group, link.name, (end[0], end[1] - 1), looks)

    def _halo(self) -> dict[str, str]:
        """Return how the light stroke below a name is drawn."""
        return {"fill": self.theme.halo, "stroke": self.theme.halo, "stroke-width": mm(0.9), "stroke-linejoin": "round"}

    def _off_board(self, city: str) -> Point:
        """Return where a link off the board ends: beyond a neighbour without track, the nearest to a side."""
        grid = self.board.grid
        home = next(one.hex for one in self.board.cities if one.id == city)
        cube = grid.hex_of(home)
        assert cube is not None  # noqa: S101 - cities lie on the grid
        closed = {terrain.id for terrain in self.board.terrains if terrain.cost is None}
        kinds = {hexagon.id: hexagon.terrain for hexagon in self.board.hexes}
        around = cube.neighbours()
        free = [one for one in around if one not in grid or kinds[grid.hex_id(one)] in closed] or list(around)
        left, top, right, bottom = self.sheet.frame
        x, y = self.sheet.centre(cube)

        def depth(point: Point) -> float:
            return min(point[0] - left, right - point[0], point[1] - top, bottom - point[1])

        nx, ny = min((self.sheet.centre(one) for one in free), key=lambda point: (round(depth(point), 3), point))
        return x + 1.3 * (nx - x), y + 1.3 * (ny - y)

    def _token(self, group: Element, at: Point, text: str) -> None:
        r = 2.6 * self.unit
        looks = {"fill": self.theme.panel, "stroke": _RIDGE, "stroke-width": mm(0.4)}
        self.page.circle(group, at, r, looks)
        size = max(pt(6), 3.2 * self.unit)
        words = {"font-size": mm(size), "font-weight": "bold", "fill": self.theme.ink, "text-anchor": "middle"}
        self.page.text(group, text, (at[0], at[1] + _BASELINE * size), words)

    # Cities

    def _city_places(self) -> Mapping[str, Point]:
        places = {}
        for city in self.board.cities:
            cube = self.board.grid.hex_of(city.hex)
            if cube is not None:
                places[city.id] = self.sheet.centre(cube)
        return places

    def _cities(self) -> None:
        for city in self.board.cities:
            self._city(city)

    def _city(self, city: HexCity) -> None:
        cube = self.board.grid.hex_of(city.hex)
        if cube is None:
            return
        rules = self.board.rules
        colours = [*city.colours]
        second = city.start if city.rotor and rules.rotors.enabled else None
        if second:
            colours = [colours[0], second]
        data = {
            "city": city.id,
            "name": city.name,
            "hex": city.hex,
            "colours": city.colours,
            "cubes": city.cubes,
            "cubes-by-players": tuple(f"{players}:{count}" for players, count in city.cubes_by_players.items()),
            "rotor": city.rotor,
            "start": city.start or "",
            "wheel": city.wheel,
            "twins": city.twins,
            "port": city.port,
        }
        tip = f"{city.name}: {' and '.join(city.colours)}"
        group = self.page.group(
            self.page.layers["cities"], {"id": f"city-{city.id}", "class": "city", **data_attributes(data)}
        )
        outline = self.sheet.outline(cube, 0.92)
        style = rules.display.cube_style
        for part, colour in zip(_bands(outline, len(colours)), colours, strict=True):
            self.page.path(group, line_d([*part, part[0]], closed=True), {"fill": pigment(colour, style)}, tip=tip)
        edge = {"fill": "none", "stroke": self.theme.casing, "stroke-width": mm(0.5)}
        self.page.path(group, line_d([*outline, outline[0]], closed=True), edge)
        edge = {"fill": "none", "stroke": self.theme.ink, "stroke-width": mm(0.25)}
        rim = self.sheet.outline(cube, 0.95)
        self.page.path(group, line_d([*rim, rim[0]], closed=True), edge)
        x, y = self.sheet.centre(cube)
        self._letters(group, colours, (x, y), style)
        self._name(group, city.name, (x, y))
        self._cubes(group, city.cubes, (x, y))

    def _letters(self, group: Element, colours: Sequence[str], centre: Point, style: int) -> None:
        if not self.board.rules.display.letters_on_cubes:
            return
        x, y = centre
        letters = [(LETTERS[colour], colour) for colour in colours if colour in LETTERS]
        step = 5.0 * self.unit
        for number, (letter, colour) in enumerate(letters):
            at = (x + (number - (len(letters) - 1) / 2) * step, y - 4.6 * self.unit)
            fill = pigment(colour, style)
            size = 4.6 * self.unit
            looks = {"font-size": mm(size), "font-weight": "bold", "fill": ink_on(fill), "text-anchor": "middle"}
            if len(letters) > 1:
                looks_round = {"fill": fill, "stroke": ink_on(fill), "stroke-width": mm(0.3)}
                self.page.circle(group, (at[0], at[1]), 2.3 * self.unit, looks_round)
                looks["font-size"] = mm(size * 0.7)
                size *= 0.7
            self.page.text(group, letter, (at[0], at[1] + _BASELINE * size), looks)

    def _name(self, group: Element, name: str, centre: Point) -> None:
        x, y = centre
        width = self.board.grid.size_mm * 0.95
        fitted = city_name(name, self.board.grid.size_mm)
        middle = y + 0.9 * self.unit
        high = fitted.height / 2 + 0.35
        band = (x - width / 2 - 0.6, middle - high, x + width / 2 + 0.6, middle + high)
        looks = {"fill": self.theme.panel, "fill-opacity": "0.92", "stroke": self.theme.ink, "stroke-width": mm(0.15)}
        self.page.rect(group, band, {**looks, "rx": mm(0.8)})
        for number, line in enumerate(fitted.lines):
            down = fitted.size * LEADING * (number + 0.5) - fitted.height / 2 + _BASELINE * fitted.size
            words = {
                "font-size": mm(fitted.size),
                "font-weight": "bold",
                "fill": self.theme.ink,
                "text-anchor": "middle",
            }
            self.page.text(group, line, (x, middle + down), words)

    def _cubes(self, group: Element, count: int, centre: Point) -> None:
        """Draw a square for each cube of the start."""
        x, y = centre
        size = 2.2 * self.unit
        step = size * 1.25
        for number in range(min(count, 6)):
            left = x + (number - (min(count, 6) - 1) / 2) * step - size / 2
            top = y + 5.6 * self.unit
            looks = {"fill": self.theme.panel, "stroke": self.theme.ink, "stroke-width": mm(0.2)}
            self.page.rect(group, (left, top, left + size, top + size), looks)

    # Track and title

    def _track(self) -> None:
        layer = self.page.layers["track"]
        for space, area in zip(self.board.track, self.sheet.spaces, strict=False):
            data = {"space": space.points, "income": space.income}
            group = self.page.group(layer, {"id": f"space-{space.points}", "class": "space", **data_attributes(data)})
            fill = self.theme.panel if space.points % 5 else mixed(self.theme.water, self.theme.panel, 0.6)
            self.page.rect(group, area, {"fill": fill, "stroke": self.theme.ink, "stroke-width": mm(0.25)})
            left, top, right, bottom = area
            middle = (left + right) / 2
            looks = {"font-size": mm(pt(9)), "font-weight": "bold", "fill": self.theme.ink, "text-anchor": "middle"}
            self.page.text(group, str(space.points), (middle, top + 4.4), looks)
            money = {"font-size": mm(pt(6.5)), "fill": self.theme.ink, "text-anchor": "middle"}
            self.page.text(group, _thousands(space.income), (middle, bottom - 1.6), money)

    def _title(self) -> None:
        left, top, right, bottom = title_area(self.sheet)
        fitted = fit(self.board.title, Room(right - left, bottom - top, 1), pt(24), bold=True)
        layer = self.page.layers["title"]
        looks = {"font-size": mm(fitted.size), "font-weight": "bold", "fill": self.theme.ink, "class": "title"}
        for line in fitted.lines:
            self.page.text(layer, line, (left, top + fitted.size), looks)


def _bands(outline: list[Point], count: int) -> list[list[Point]]:
    """Return a hexagon cut by level lines into parts of one height, from the top."""
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    step = (bottom - top) / count
    return [_between(outline, top + i * step, top + (i + 1) * step) for i in range(count)]


def _between(outline: list[Point], high: float, low: float) -> list[Point]:
    return _cut(_cut(outline, high, 1.0), low, -1.0)


def _cut(shape: list[Point], level: float, sign: float) -> list[Point]:
    """Return the part of a convex shape on one side of a level line."""
    out: list[Point] = []
    for (x1, y1), (x2, y2) in zip(shape, [*shape[1:], shape[0]], strict=True):
        in1, in2 = sign * (y1 - level) >= -_SLACK, sign * (y2 - level) >= -_SLACK
        if in1:
            out.append((x1, y1))
        if in1 != in2:
            share = (level - y1) / (y2 - y1)
            out.append((x1 + share * (x2 - x1), level))
    return out


def _thousands(dollars: int) -> str:
    """Return dollars as boards print them: `$12k`."""
    sign, amount = ("-" if dollars < 0 else ""), abs(dollars)
    return f"{sign}${amount // 1000}k" if amount % 1000 == 0 else f"{sign}${amount:,}"
