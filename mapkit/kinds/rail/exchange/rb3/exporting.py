"""Conversion of a board to an RB3 file, with a list of its losses."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Point
from mapkit.core.errors import ExportError
from mapkit.core.names import slug
from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.exchange.rb3.chances import MADE_UP, count_outcomes, parts_to_percents
from mapkit.kinds.rail.exchange.rb3.cities import PENS, MergedCities, merge_cities, sign_code
from mapkit.kinds.rail.exchange.rb3.dot_rounding import settle_dots
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.losses import list_losses
from mapkit.kinds.rail.exchange.rb3.model import (
    CITY_DOT,
    DOT,
    EDITOR,
    JUNCTION,
    MAX_DOTS,
    NAMED,
    ORDER,
    RATIO,
    DotSection,
    RawSection,
    RB3City,
    RB3Dot,
    RB3File,
    RB3Point,
    RB3Railroad,
    RB3Region,
    RB3Route,
)
from mapkit.kinds.rail.exchange.rb3.route_lines import (
    Edge,
    Node,
    Place,
    edges_to_polylines,
    find_shared_shifts,
    sort_edge,
)
from mapkit.kinds.rail.exchange.rb3.text import name_field, number_text
from mapkit.kinds.rail.model.board import REGIONS, Board, Junction, Milepost
from mapkit.kinds.rail.network.milepost_regions import milepost_regions
from mapkit.kinds.rail.render.ground.region_ground import RegionGround, lay_ground

# Background of an RB3 file: outline of the land, separators of the regions, and region names.
#
# It is the ground of the board's own drawing in map units, before the drawing distorts it, so that it fits the dots.

_OUTLINE_COLOUR, _SEPARATOR_COLOUR = 7, 8
"""Light and dark grey of the text palette."""
_MARGIN_UNITS: Final = 24.0
"""Margin around the outermost dots, map units across."""
_TOLERANCE_UNITS: Final = 1.0
"""Tolerance of simplified lines, units across."""
_MIN_LAND_AREA: Final = 25.0
"""The smallest island or lake, square units."""
_DOT_CLEARANCE: Final = 5.0
_EDGE_INSET: Final = 0.01


def scenery_sections(board: Board, frame: RB3Frame, places: Mapping[str, Place]) -> tuple[RawSection, ...]:
    """Return the sections `label`, `map` and `sep` that are not empty.

    Args:
        board: The board, with mileposts at their exported positions.
        frame: The frame of the map.
        places: Milepost (id) -> map units.
    """
    square_positions = {milepost_id: (x, y * RATIO) for milepost_id, (x, y) in places.items()}
    ground = _lay_ground_around_dots(board, frame, square_positions)
    if ground is None:
        return ()
    window = shapely.box(*ground.backdrop.area).buffer(-_EDGE_INSET, join_style="mitre")
    board_backdrop = ground.backdrop
    land_parts = [land_part for land_part in _split_polygons([board_backdrop.land]) if land_part.area >= _MIN_LAND_AREA]
    lakes = [lake for lake in _split_polygons(board_backdrop.lakes) if lake.area >= _MIN_LAND_AREA]
    outline = [*(land_part.boundary for land_part in (*land_parts, *lakes)), board_backdrop.country_borders]
    sections = (
        RawSection("label", tuple(_label_regions(board, ground, square_positions))),
        _line_section("map", [shapely.intersection(line, window) for line in outline], _OUTLINE_COLOUR),
        _line_section("sep", [shapely.intersection(ground.edges, window)], _SEPARATOR_COLOUR),
    )
    return tuple(section for section in sections if section.lines)


def _lay_ground_around_dots(board: Board, frame: RB3Frame, spots: Mapping[str, Point]) -> RegionGround | None:
    """Return land and regions around the dots, in map units across; None on a board without mileposts."""
    dot_positions = np.array([spots[m.id] for m in board.mileposts])
    if not len(dot_positions):
        return None
    lower_corner, upper_corner = (
        np.floor(dot_positions.min(axis=0) - _MARGIN_UNITS),
        np.ceil(dot_positions.max(axis=0) + _MARGIN_UNITS),
    )
    ground_area: Area = (float(lower_corner[0]), float(lower_corner[1]), float(upper_corner[0]), float(upper_corner[1]))
    placed_mileposts = [m.model_copy(update={"x": spots[m.id][0], "y": spots[m.id][1]}) for m in board.mileposts]
    unit_projection = frame.plane()
    unit_board = board.model_copy(update={"mileposts": tuple(placed_mileposts), "projection": unit_projection})
    return lay_ground(unit_board, load_backdrop(unit_projection, ground_area, own=board.layers))


def _split_polygons(shapes: Iterable[BaseGeometry]) -> list[BaseGeometry]:
    return [part for shape in shapes for part in _keep_polygons(shape).geoms]


def _keep_polygons(shape: BaseGeometry) -> shapely.MultiPolygon:
    """Return only the polygons of a shape."""
    return shapely.MultiPolygon([part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"])


def _line_section(name: str, shapes: Iterable[BaseGeometry], colour: int) -> RawSection:
    """Return lines as a section, one row per straight stretch."""
    merged_lines = shapely.line_merge(shapely.MultiLineString(list(_iterate_lines(shapes))))
    simplified_lines = shapely.get_parts(shapely.simplify(merged_lines, _TOLERANCE_UNITS))
    oriented_chains = sorted(
        _orient_chain([_round_to_units(point) for point in line.coords[:]]) for line in simplified_lines
    )
    segment_rows = dict.fromkeys((*a, *b) for chain in oriented_chains for a, b in pairwise(chain) if a != b)
    line_texts = tuple(",".join(("l", *map(number_text, segment_row), str(colour))) for segment_row in segment_rows)
    return RawSection(name, (f"8/#{len(line_texts)}/{EDITOR}/E", *line_texts) if line_texts else ())


def _iterate_lines(shapes: Iterable[BaseGeometry]) -> Iterator[shapely.LineString]:
    """Yield the lines in shapes, also in nested collections."""
    for shape in shapes:
        if shape.geom_type in ("LineString", "LinearRing"):
            if not shape.is_empty:
                yield shapely.LineString(shape.coords)
        elif shape.geom_type in ("MultiLineString", "GeometryCollection"):
            yield from _iterate_lines(shapely.get_parts(shape))


def _round_to_units(point: Point) -> Place:
    return float(round(point[0])), float(round(point[1] / RATIO))


def _orient_chain(chain: list[Place]) -> list[Place]:
    """Return a line in the direction that sorts first."""
    return min(chain, chain[::-1])


def _label_regions(board: Board, ground: RegionGround, spots: Mapping[str, Point]) -> Iterator[str]:
    """Yield the label position of each region: the centre of its largest free circle, or one of its cities."""
    lake_area = shapely.union_all(list(ground.backdrop.lakes))
    dot_area = shapely.buffer(shapely.MultiPoint(sorted(spots.values())), _DOT_CLEARANCE, quad_segs=2)
    for region in board.regions:
        region_shape = ground.tints[region.id]
        free_area = _keep_polygons(shapely.difference(shapely.difference(region_shape, lake_area), dot_area))
        city_positions = sorted(spots[city.milepost] for city in board.cities if city.region == region.id)
        if not free_area.is_empty:
            x, y = shapely.maximum_inscribed_circle(free_area, tolerance=1.0).coords[0]
        elif city_positions:
            x, y = city_positions[0]
        else:
            continue
        yield ",".join((name_field(region.short), *map(number_text, _round_to_units((x, y)))))


# Sides of names at the dots of cities, as label hints of the program.

LEFT: Final = "-99,0"
"""The label hint of a name to the left; without one it is to the right."""

_LETTER_WIDTH, _NAME_HEIGHT, _NAME_GAP = 2.4, 5.0, 1.5
"""Letter width, height and gap of a printed name on a window of 600 units, in map units across."""
_OUTSIDE_PENALTY: Final = 100
"""Penalty for a name that leaves the window, counted in dots under a name."""


def label_hints(names: Mapping[str, str], places: Mapping[str, Place], width: float) -> dict[str, str]:
    """Return the label hint of each city: `LEFT` where fewer dots are under the name than to the right, else empty.

    Args:
        names: City milepost (id) -> the city's name.
        places: Every dot (id) -> map units.
        width: Of the window, map units.
    """
    dot_positions = np.array(list(places.values())) * (1.0, RATIO)
    hint_by_city: dict[str, str] = {}
    for milepost_id, city_name in names.items():
        x, y = places[milepost_id][0], places[milepost_id][1] * RATIO
        name_length = _NAME_GAP + _LETTER_WIDTH * len(city_name)
        is_level = np.abs(dot_positions[:, 1] - y) <= _NAME_HEIGHT / 2
        right_penalty = int(
            (is_level & (dot_positions[:, 0] > x) & (dot_positions[:, 0] <= x + name_length)).sum()
        ) + _OUTSIDE_PENALTY * (x + name_length > width)
        left_penalty = int(
            (is_level & (dot_positions[:, 0] < x) & (dot_positions[:, 0] >= x - name_length)).sum()
        ) + _OUTSIDE_PENALTY * (x - name_length < 0)
        hint_by_city[milepost_id] = LEFT if left_penalty < right_penalty else ""
    return hint_by_city


Dotted = TypeVar("Dotted", Milepost, Junction)

_PAYOFF_STEP: Final = 0.5
_CGA_COLOURS: Final = (
    (0, 0, 0), (0, 0, 170), (0, 170, 0), (0, 170, 170), (170, 0, 0), (170, 0, 170), (170, 85, 0), (170, 170, 170),
    (85, 85, 85), (85, 85, 255), (85, 255, 85), (85, 255, 255), (255, 85, 85), (255, 85, 255), (255, 255, 85),
    (255, 255, 255),
)  # fmt: skip
"""CGA palette (red, green, blue)."""


def board_to_rb3(board: Board) -> tuple[RB3File, tuple[str, ...]]:
    """Return a board as an RB3 file, and a list of the losses.

    Mileposts become dots of the region of the nearest city, junctions dots of colour 13, track pieces steps of routes,
    twins one city.

    Raises:
        ExportError: RB3 cannot hold the board.
    """
    merged = merge_cities(board)
    frame = RB3Frame.of_board(board)
    moved_board, places_of = settle_board(board, frame)
    node_by_id = number_dots(moved_board, merged, places_of)
    place_by_node = {node_by_id[dot_id]: place for dot_id, place in places_of.items()}
    edges_by_railroad = list_railroad_edges(moved_board, node_by_id)
    shifts = find_shared_shifts(edges_by_railroad, place_by_node)
    percents_by_chart = _chart_percents(board, merged)
    label_sides = label_hints({city.milepost: city.name for city in merged}, places_of, frame.width)
    index_by_milepost = {milepost: n for n, milepost in enumerate(dict.fromkeys(c.milepost for c in merged), 1)}
    rb3 = RB3File(
        header=_make_header(board, frame, cities=len(merged)),
        regions=tuple(
            RB3Region(r.name, r.short, chance_percent)
            for r, chance_percent in zip(board.regions, percents_by_chart[REGIONS], strict=True)
        ),
        region_keys=(),
        cities=tuple(
            RB3City(
                city.name,
                region.short,
                chance_percent,
                index_by_milepost[city.milepost],
                node_by_id[city.milepost][1],
                label_sides[city.milepost],
            )
            for region in board.regions
            for city, chance_percent in zip(
                (city for city in merged if city.region == region.id), percents_by_chart[region.id], strict=True
            )
        ),
        railroads=tuple(_list_railroads(moved_board)),
        dots=_list_dots(moved_board, node_by_id, place_by_node, edges_by_railroad),
        routes=tuple(
            RB3Route(
                railroad.short, _railroad_lines(railroad.name, own_edges, place_by_node, _shifts_of_railroad(shifts, n))
            )
            for n, (railroad, own_edges) in enumerate(zip(moved_board.railroads, edges_by_railroad, strict=True))
        ),
        payoffs=_upper_triangle(board, merged),
        other=_text_sections(moved_board, frame, places_of),
    )
    return rb3, list_losses(board, rb3, frame, merged, edges_by_railroad)


def settle_board(board: Board, frame: RB3Frame) -> tuple[Board, dict[str, Place]]:
    """Return the board with dots on whole map units and sorted railroads, and the units of each dot (id).

    All other values follow from these places, so that reading and writing a map again gives the same map.
    """
    all_dots: tuple[Milepost | Junction, ...] = (*board.mileposts, *board.junctions)
    dot_units = frame.to_units([(dot.lon, dot.lat) for dot in all_dots])
    if not np.isfinite(dot_units).all():
        unplaced_id = next(
            dot.id for dot, dot_place in zip(all_dots, dot_units, strict=True) if not np.isfinite(dot_place).all()
        )
        raise ExportError(f"RB3: {unplaced_id!r} has no place in the board's projection; correct it, or choose another")
    place_by_dot = settle_dots({dot.id: (x, y) for dot, (x, y) in zip(all_dots, dot_units.tolist(), strict=True)})
    lonlat_by_dot = dict(zip(place_by_dot, frame.to_degrees(list(place_by_dot.values())), strict=True))
    moved_board = board.model_copy(
        update={
            "mileposts": tuple(_move_dot(m, lonlat_by_dot[m.id]) for m in board.mileposts),
            "railroads": tuple(sorted(board.railroads, key=lambda r: (slug(r.short), r.id))),
            "junctions": tuple(_move_dot(j, lonlat_by_dot[j.id]) for j in board.junctions),
        }
    )
    return moved_board, place_by_dot


def _move_dot(dot: Dotted, lonlat: Point) -> Dotted:
    return dot.model_copy(update={"lon": lonlat[0], "lat": lonlat[1]})


def number_dots(board: Board, cities: Sequence[MergedCities], places: Mapping[str, Place]) -> dict[str, Node]:
    """Return region number and dot number of every milepost and junction that has a place.

    In each region cities come first, in the order of the payoff chart, then dots, then junctions, both from left to
    right.

    Raises:
        ExportError: A region has more than 999.
    """
    number_by_region = {region.id: n for n, region in enumerate(board.regions, 1)}
    # Region of every milepost and junction; a junction counts as a milepost without a city
    junction_mileposts = (
        Milepost(id=j.id, name=j.id, kind="dot", lon=j.lon, lat=j.lat, x=j.x, y=j.y) for j in board.junctions
    )
    first_cities = [city.cities[0] for city in cities]
    region_by_dot = milepost_regions(first_cities, {m.id: m for m in (*board.mileposts, *junction_mileposts)})
    city_mileposts = [city.milepost for city in cities]
    rank_by_dot = {j.id: 1 for j in board.junctions} | {m.id: 0 for m in board.mileposts}
    other_dots = sorted(
        places.keys() - set(city_mileposts), key=lambda ident: (rank_by_dot[ident], places[ident], ident)
    )
    count_by_region = dict.fromkeys(number_by_region.values(), 0)
    node_by_id: dict[str, Node] = {}
    for dot_id in (*city_mileposts, *other_dots):
        n = number_by_region[region_by_dot[dot_id]]
        count_by_region[n] += 1
        node_by_id[dot_id] = (n, count_by_region[n])
    for n, dot_count in count_by_region.items():
        if dot_count > MAX_DOTS:
            raise ExportError(
                f"RB3: region {board.regions[n - 1].name!r} has {dot_count} mileposts and junctions; "
                f"RB3 holds {MAX_DOTS} "
                "a region. Divide the region, or use fewer mileposts"
            )
    return node_by_id


def _text_sections(board: Board, frame: RB3Frame, places: Mapping[str, Place]) -> tuple[RawSection, ...]:
    """Return the sections that are stored as text, in the order of a file."""
    raw_sections = (RawSection("info", frame.info()), *scenery_sections(board, frame, places))
    return tuple(sorted(raw_sections, key=lambda raw: ORDER.index(raw.name)))


def list_railroad_edges(board: Board, nodes: Mapping[str, Node]) -> list[frozenset[Edge]]:
    """Return the pairs of dots that each railroad joins, in the order of the railroads."""
    edges_by_railroad: dict[str, set[Edge]] = {railroad.id: set() for railroad in board.railroads}
    for track in board.pieces:
        if track.a != track.b:
            edges_by_railroad[track.railroad].add(sort_edge(nodes[track.a], nodes[track.b]))
    return [frozenset(edges_by_railroad[railroad.id]) for railroad in board.railroads]


def _shifts_of_railroad(shifts: Mapping[tuple[int, Edge], int], index: int) -> dict[Edge, int]:
    return {pair: shift for (railroad_index, pair), shift in shifts.items() if railroad_index == index}


def _railroad_lines(
    name: str, own_edges: frozenset[Edge], places: Mapping[Node, Place], shifts: Mapping[Edge, int]
) -> tuple[tuple[RB3Point, ...], ...]:
    if not own_edges:
        raise ExportError(f"RB3: railroad {name!r} has no segment; give it a line or remove it")
    return edges_to_polylines(own_edges, places, shifts)


def _list_dots(
    board: Board, nodes: Mapping[str, Node], places: Mapping[Node, Place], edges: Sequence[frozenset[Edge]]
) -> tuple[DotSection, ...]:
    """Return the dots of the regions; the mark of a railroad is at a dot of this railroad alone, if it has one."""
    colour_by_node = {nodes[m.id]: CITY_DOT if m.kind == "city" else DOT for m in board.mileposts}
    colour_by_node |= {nodes[junction.id]: JUNCTION for junction in board.junctions if junction.id in nodes}
    railroads_by_node: dict[Node, set[int]] = defaultdict(set)
    for n, own_edges in enumerate(edges):
        for node_pair in own_edges:
            for node in node_pair:
                railroads_by_node[node].add(n)
    for n in range(len(edges)):
        own_nodes = sorted(
            node
            for node, node_railroads in railroads_by_node.items()
            if node_railroads == {n} and colour_by_node[node] == DOT
        )
        if own_nodes:
            colour_by_node[own_nodes[len(own_nodes) // 2]] = DOT + NAMED
    dots_by_region: dict[int, list[RB3Dot]] = {n: [] for n in range(1, len(board.regions) + 1)}
    for node in sorted(colour_by_node):
        dots_by_region[node[0]].append(RB3Dot(*places[node], colour_by_node[node]))
    return tuple(DotSection("9", EDITOR, "D", tuple(region_dots)) for _, region_dots in sorted(dots_by_region.items()))


def _chart_percents(board: Board, cities: Sequence[MergedCities]) -> dict[str, tuple[float, ...]]:
    """Return percentages by chart, with regions and cities in output order."""
    percents_by_chart: dict[str, tuple[float, ...]] = {}
    charts: list[tuple[str, str, list[tuple[str, ...]]]] = [(REGIONS, "regions", [(r.id,) for r in board.regions])]
    for r in board.regions:
        city_groups = [tuple(c.id for c in m.cities) for m in cities if m.region == r.id]
        if not city_groups:
            raise ExportError(f"RB3: region {r.name!r} has no city; give it one or remove it")
        charts.append((r.id, r.name, city_groups))
    for chart_id, chart_name, member_groups in charts:
        if chart_id not in board.destinations:
            raise ExportError(f"RB3: there is no destination chart of {chart_name}; fill it in")
        item_counts = count_outcomes(board.destinations[chart_id], chart_name)
        foreign_items = sorted(set(item_counts) - {item_id for group_ids in member_groups for item_id in group_ids})
        if foreign_items:
            raise ExportError(
                f"RB3: the destination chart of {chart_name} leads to {foreign_items[0]!r}, which is not in it"
            )
        percents_by_chart[chart_id] = parts_to_percents(
            [sum(item_counts[item_id] for item_id in group_ids) for group_ids in member_groups]
        )
    return percents_by_chart


def _make_header(board: Board, frame: RB3Frame, *, cities: int) -> tuple[tuple[str, str], ...]:
    header_values = {
        "game": "Rail Baron",
        "name": board.title,
        "version": "1.0",
        "by": "; ".join(credit for credit in board.provenance.credits if credit != MADE_UP),
        "copyright": "" if board.provenance.licence == "unknown" else board.provenance.licence,
        "description": "",
        "scalel": "0",
        "scalet": "0",
        "scalew": number_text(frame.width),
        "scaleh": number_text(frame.height),
        "minver": "3.8",
        "regions": str(len(board.regions)),
        "rrs": str(len(board.railroads)),
        "cities": str(cities),
    }
    return (*header_values.items(), ("cashchar", str(sign_code(board.units.symbol) or ord("$"))))


def _list_railroads(board: Board) -> Iterator[RB3Railroad]:
    for railroad in board.railroads:
        red, green, blue = (int(railroad.style.colour[k : k + 2], 16) for k in (1, 3, 5))
        nearest_colour = min(
            range(len(_CGA_COLOURS)),
            key=lambda n: sum((a - b) ** 2 for a, b in zip(_CGA_COLOURS[n], (red, green, blue), strict=True)),
        )
        pen_number = PENS.get(railroad.style.pattern, 0)
        yield RB3Railroad(
            railroad.name,
            "",
            railroad.short,
            nearest_colour,
            pen_number,
            railroad.price,
            blue,
            green,
            red,
            str(nearest_colour),
        )


def _upper_triangle(board: Board, cities: Sequence[MergedCities]) -> tuple[tuple[float, ...], ...]:
    """Return the upper triangle of the payoff chart in thousands.

    Raises:
        ExportError: An amount is missing, differs between the two halves, or is not a multiple of 0.5 thousand.
    """
    chart_thousands = board.payoffs.thousands
    triangle_rows: list[tuple[float, ...]] = []
    for k, row_city in enumerate(cities[:-1]):
        row_amounts: list[float] = []
        for column_city in cities[k + 1 :]:
            value, mirrored = chart_thousands[row_city.at][column_city.at], chart_thousands[column_city.at][row_city.at]
            message_start = f"RB3: the payoff between {row_city.name} and {column_city.name}"
            if value is None or mirrored is None:
                raise ExportError(f"{message_start} is missing; fill it in")
            if value != mirrored:
                raise ExportError(
                    f"{message_start} is {value:g} one way and {mirrored:g} the other; RB3 has one; correct it"
                )
            thousands = value * board.units.payoff / 1000
            if thousands < 0 or thousands % _PAYOFF_STEP:
                raise ExportError(f"{message_start} is {thousands:g} thousand; RB3 has steps of 0.5 thousand; round it")
            row_amounts.append(thousands)
        triangle_rows.append(tuple(row_amounts))
    return tuple(triangle_rows)
