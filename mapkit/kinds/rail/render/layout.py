"""Layout of a board on the page: computed once, drawn by any theme with the same sizes."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Point
from mapkit.core.garbage import gc_paused
from mapkit.core.processes.forked import run_in_fork, start_in_fork
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.geography.backdrop import Backdrop, load_backdrop
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.boxes.placement import BoxPlaces, MapContents, place_boxes
from mapkit.kinds.rail.render.ground.region_ground import RegionGround, lay_ground
from mapkit.kinds.rail.render.lines.crossings import Crossing, find_crossings
from mapkit.kinds.rail.render.lines.parallel_lines import draw_lines
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.lines.segment_lines import make_drawn_segment, simplify_lines
from mapkit.kinds.rail.render.page_areas import divide_page, shrink_to_frame
from mapkit.kinds.rail.render.spread.displacement import Placement, displace_board
from mapkit.kinds.rail.render.spread.warps import Steps
from mapkit.kinds.rail.render.symbols import list_bar_boxes, list_symbol_boxes, place_squares
from mapkit.kinds.rail.render.text.board_names import fit_dot_text_mm, list_board_names
from mapkit.kinds.rail.render.text.candidates import PlacedName
from mapkit.kinds.rail.render.text.initials import InitialsMark, place_initials
from mapkit.kinds.rail.render.text.labels import LabelObstacles, cover_names, place_names
from mapkit.kinds.rail.render.text.region_names import RegionName, place_region_names


@dataclass(frozen=True)
class Layout:
    """Geometry of a drawn board, in millimetres of the page, y downward."""

    board: Board
    sizes: ThemeSizes
    area: Area
    """The map, a little larger than the frame."""
    strip: Area
    """The legend, below the map."""
    spots: Mapping[str, Point]
    """Milepost or junction (id) -> where it is drawn."""
    squares: Mapping[str, Point]
    """City (id) -> middle of its square."""
    lines: Mapping[str, Array]
    """Piece (id) -> its drawn line, from its `a` to its `b`."""
    names: tuple[PlacedName, ...]
    """Names of cities and dots, where there is room."""
    warp: Steps
    """It carries land and borders along with the mileposts."""
    ground_of: Callable[[], RegionGround]
    """Makes `ground`, once."""
    dry_of: Callable[[], Mapping[str, BaseGeometry]]
    """Returns the dry land within the frame for the name of each region (id); computed once."""
    thin_lines_of: Callable[[], Mapping[str, Array]]
    """Makes `thin_lines`, once."""
    left_out: tuple[str, ...] = ()
    """Names that found no room: `m-<id>` of dots, `region-<id>`, `rr-<id>` of initials."""
    initials: tuple[InitialsMark, ...] = ()
    region_names: tuple[RegionName, ...] = ()
    bars: Mapping[str, tuple[Point, Point]] = field(default_factory=dict)
    """Dot (id) that is drawn as a bar across three lanes and more -> middles of the bar's ends."""

    @property
    def ground(self) -> RegionGround:
        """Base map, moved by `warp`, and ground of the regions."""
        return self.ground_of()

    @property
    def thin_lines(self) -> Mapping[str, Array]:
        """Drawn line of each piece (id) without invisible vertices."""
        return self.thin_lines_of()

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Crossings of lines away from any milepost."""
        return find_crossings(self)

    @cached_property
    def map_contents(self) -> MapContents:
        """Track, symbols and names, which no box covers."""
        sizes = self.sizes
        symbols = list_symbol_boxes(self.board, self.spots, self.squares, sizes) + list_bar_boxes(self.bars, sizes)
        marks = [shapely.Polygon(mark.corners).bounds for mark in self.initials]
        names = [name.box for name in self.names] + [name.box for name in self.region_names]
        leaders = [np.array(name.leader) for name in self.names if name.leader]
        return MapContents([*self.thin_lines.values(), *leaders], sizes.line, [*symbols, *marks, *names])

    @cached_property
    def boxes(self) -> BoxPlaces:
        """Places of the boxes of the page."""
        boxes, frame = self.board.boxes, shrink_to_frame(self.area)
        if all(box.at != "auto" for box in boxes.values()):
            return place_boxes(boxes, frame, MapContents((), 0.0, ()), None)
        land = self.ground.backdrop.land.difference(shapely.union_all(list(self.ground.backdrop.lakes)))
        return place_boxes(boxes, frame, self.map_contents, land)

    @cached_property
    def segment_lines(self) -> Mapping[str, Array]:
        """Segment (id) -> its drawn line, from the middle of its `a` to that of its `b`."""
        piece_by_id = {piece.id: piece for piece in self.board.pieces}
        return {s.id: make_drawn_segment(s, piece_by_id, self.thin_lines, self.spots) for s in self.board.segments}


_UNDRAWN_FIELDS: Final = frozenset(
    {"id", "title", "variants", "destinations", "payoffs", "declared", "rules", "extensions", "provenance", "railroads"}
)
_DRAWN_FIELDS: Final = tuple(name for name in Board.model_fields if name not in _UNDRAWN_FIELDS)
"""Fields of a board that determine its layout, besides its railroads without their prices."""

_RECENT_LAYOUTS: deque[tuple[Board, ThemeSizes, Backdrop | None, bool, Layout]] = deque(maxlen=4)
"""Cache of the last layouts, for the checks, drawing and sheets of one board, and for programs that read the same board
again or change only its rules. Comparing two boards takes a hundredth of the time of a layout."""


def clear_layout_cache() -> None:
    """Clear the cache of layouts."""
    _RECENT_LAYOUTS.clear()


def lay_out(
    board: Board,
    sizes: ThemeSizes | None = None,
    backdrop: Backdrop | None = None,
    *,
    text: bool = True,
    grounded: Callable[[], None] = lambda: None,
) -> Layout:
    """Return the layout of a board; the same board and sizes give the same layout, from the cache if recent.

    Args:
        board: The board.
        sizes: Of symbols, lines and names; those of the theme that its author chose by default.
        backdrop: Layers below the railroads, in page millimetres; the shipped base map by default, moved along with the
            mileposts.
        text: Whether to place names and initials, which takes longest; otherwise the layout has none.
        grounded: Called when all layers below names are known, before all names are placed.
    """
    sizes = sizes or get_board_theme(board).sizes
    bare_layout = None
    for cached_entry in tuple(_RECENT_LAYOUTS):
        cached_board, cached_sizes, cached_backdrop, has_text, cached_layout = cached_entry
        if cached_sizes == sizes and cached_backdrop is backdrop and has_same_layout(cached_board, board):
            board_layout = cached_layout if cached_board is board else replace(cached_layout, board=board)
            if has_text >= text:
                other_entries = [
                    other_entry for other_entry in tuple(_RECENT_LAYOUTS) if other_entry is not cached_entry
                ]
                _RECENT_LAYOUTS.extend([*other_entries, cached_entry])  # the most recently used is dropped last
                return board_layout
            bare_layout = board_layout
    board_layout = _lay_out_lines(board, sizes, backdrop) if bare_layout is None else bare_layout
    if text:
        board_layout = _add_names(board_layout, grounded)
    _RECENT_LAYOUTS.append((board, sizes, backdrop, text, board_layout))
    return board_layout


def has_same_layout(one: Board, other: Board) -> bool:
    """Return whether two boards have the same layout."""
    return one is other or (
        all(getattr(one, name) == getattr(other, name) for name in _DRAWN_FIELDS)
        and _railroad_looks(one) == _railroad_looks(other)
    )


def _railroad_looks(board: Board) -> list[tuple[object, ...]]:
    """Return the attributes of a board's railroads that decide their drawing: all but prices."""
    return [(r.id, r.name, r.short, r.public, r.style) for r in board.railroads]


@gc_paused()
def _lay_out_lines(board: Board, sizes: ThemeSizes, backdrop: Backdrop | None) -> Layout:
    """Lay out a board without names and initials."""
    area, _ = divide_page(board)
    return lay_out_placed(board, sizes, displace_board(board, sizes, area), backdrop)


def lay_out_placed(board: Board, sizes: ThemeSizes, placement: Placement, backdrop: Backdrop | None = None) -> Layout:
    """Lay out a board with placed mileposts, without names and initials.

    Args:
        board: The board.
        sizes: Of symbols and lines.
        placement: Where its mileposts lie.
        backdrop: As for `lay_out`.
    """
    map_area, legend_area = divide_page(board)

    def ground() -> RegionGround:
        base_map = backdrop or load_backdrop(board.projection, map_area, placement.warp, board.layers)
        return lay_ground(board, base_map, placement.spots)

    with run_in_fork():
        ground_maker = start_in_fork(ground)
        dry_maker = start_in_fork(
            lambda: find_name_grounds(ground_maker().tints, ground_maker().backdrop, shrink_to_frame(map_area))
        )
    drawn_lines = draw_lines(board, placement, sizes)
    drawn_spots = {**placement.spots, **drawn_lines.spots}
    return Layout(
        board,
        sizes,
        map_area,
        legend_area,
        drawn_spots,
        place_squares(board, drawn_spots, sizes),
        drawn_lines.lines,
        (),
        placement.warp,
        ground_maker,
        dry_maker,
        cache(lambda: simplify_lines(drawn_lines.lines)),
        bars=drawn_lines.bars,
    )


@gc_paused()
def _add_names(bare: Layout, grounded: Callable[[], None]) -> Layout:
    """Add names and initials to a layout."""
    board, area = bare.board, shrink_to_frame(bare.area)
    dot_text_mm = fit_dot_text_mm(board, bare.spots, bare.sizes)
    least_mm = min(dot_text_mm.values(), default=bare.sizes.dot_text)
    symbol_areas = list_symbol_boxes(board, bare.spots, bare.squares, bare.sizes)
    symbol_areas += list_bar_boxes(bare.bars, bare.sizes)
    symbol_areas += [
        (*box.at, box.at[0] + box.size[0], box.at[1] + box.size[1]) for box in board.boxes.values() if box.at != "auto"
    ]
    label_obstacles = LabelObstacles(area, symbol_areas, list(bare.lines.values()))
    for text_mm in (dot_text_mm, dict.fromkeys(dot_text_mm, least_mm), {}):  # larger text may not fit after all
        sizes = bare.sizes.model_copy(update={"dot_text": least_mm}) if text_mm else bare.sizes
        wanted_names = list_board_names(board, bare.spots, bare.squares, sizes, text_mm)
        placed_names = place_names(wanted_names, label_obstacles)
        if len(placed_names) == len(wanted_names) or not text_mm:
            break
    named_keys = {spot.name.key for spot in placed_names}
    taken_shapes = [*(shapely.box(*symbol) for symbol in label_obstacles.symbols), *cover_names(placed_names, 0.0)]
    dry_ground, _ = bare.dry_of(), bare.ground
    grounded()
    region_names, unnamed = place_region_names(
        board,
        dry_ground,
        lines=label_obstacles.lines,
        taken=taken_shapes,
        sizes=sizes,
    )
    taken_shapes += [shapely.box(*placed_name.box) for placed_name in region_names]
    initials_marks, unmarked = place_initials(board, bare.lines, taken=taken_shapes, area=area, sizes=sizes)
    left_out = (
        *(placed_name.key for placed_name in wanted_names if placed_name.key not in named_keys),
        *(f"region-{region}" for region in unnamed),
        *(f"rr-{railroad}" for railroad in unmarked),
    )
    return replace(
        bare, sizes=sizes, names=placed_names, left_out=left_out, initials=initials_marks, region_names=region_names
    )


def find_name_grounds(tints: Mapping[str, BaseGeometry], backdrop: Backdrop, area: Area) -> dict[str, BaseGeometry]:
    """Return the dry land of each region (id) within an area, as ground for its name."""
    lake_area = shapely.union_all(list(backdrop.lakes))
    dry_land = backdrop.land.intersection(shapely.box(*area)).difference(lake_area)
    return {ident: shapely.intersection(tint, dry_land) for ident, tint in tints.items()}
