"""Where everything of a board lies on the page: computed once, drawn by any theme with the same sizes."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Point
from mapkit.core.garbage import gc_paused
from mapkit.core.processes.forked import run_in_fork, start_in_fork
from mapkit.drawing.theme.sizes import Sizes
from mapkit.geography.backdrop import Backdrop, Warp, load_backdrop
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.ground.tints import Ground as RegionGround
from mapkit.kinds.rail.render.ground.tints import lay_ground
from mapkit.kinds.rail.render.lines.courses import drawn_segment, simplified
from mapkit.kinds.rail.render.lines.crossings import Crossing, crossings_of
from mapkit.kinds.rail.render.lines.parallel import draw_lines
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.own_theme import theme_of
from mapkit.kinds.rail.render.page_areas import inside_frame, page_areas
from mapkit.kinds.rail.render.spread.displace import Placement, displace
from mapkit.kinds.rail.render.symbols import bar_boxes, squares, symbol_boxes
from mapkit.kinds.rail.render.text.candidates import PlacedName
from mapkit.kinds.rail.render.text.initials import Mark, place_initials
from mapkit.kinds.rail.render.text.labels import Obstacles, place_names, shapes_of
from mapkit.kinds.rail.render.text.names import dot_text, names_of
from mapkit.kinds.rail.render.text.region_names import RegionName, place_region_names


@dataclass(frozen=True)
class Layout:
    """The geometry of a drawn board, in millimetres of the page, y downward."""

    board: Board
    sizes: Sizes
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
    warp: Warp
    """It carries land and borders along with the mileposts."""
    ground_of: Callable[[], RegionGround]
    """Makes `ground`, once."""
    dry_of: Callable[[], Mapping[str, BaseGeometry]]
    """Makes region (id) -> the dry land within the frame that its name may stand on, once."""
    thin_lines_of: Callable[[], Mapping[str, Array]]
    """Makes `thin_lines`, once."""
    left_out: tuple[str, ...] = ()
    """Names that found no room: `m-<id>` of dots, `region-<id>`, `rr-<id>` of initials."""
    initials: tuple[Mark, ...] = ()
    region_names: tuple[RegionName, ...] = ()
    bars: Mapping[str, tuple[Point, Point]] = field(default_factory=dict)
    """Dot (id) that is drawn as a bar across three lanes and more -> middles of the bar's ends."""

    @property
    def ground(self) -> RegionGround:
        """The base map, moved by `warp`, and the ground of the regions."""
        return self.ground_of()

    @property
    def thin_lines(self) -> Mapping[str, Array]:
        """Piece (id) -> its drawn line without vertices that nobody sees."""
        return self.thin_lines_of()

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Where lines cross away from any milepost."""
        return crossings_of(self)

    @cached_property
    def segment_lines(self) -> Mapping[str, Array]:
        """Segment (id) -> its drawn line, from the middle of its `a` to that of its `b`."""
        pieces = {piece.id: piece for piece in self.board.pieces}
        return {s.id: drawn_segment(s, pieces, self.thin_lines, self.spots) for s in self.board.segments}


_UNDRAWN: Final = frozenset(
    {"id", "title", "variants", "destinations", "payoffs", "declared", "rules", "extensions", "provenance", "railroads"}
)
_DRAWN: Final = tuple(name for name in Board.model_fields if name not in _UNDRAWN)
"""What of a board a layout follows from, beside its railroads without their prices."""

_REMEMBERED: deque[tuple[Board, Sizes, Backdrop | None, bool, Layout]] = deque(maxlen=4)
"""Layouts of the last boards: checks, drawing and sheets of one board each ask for it, and so do programs that read the
same board again, or one with other rules. To compare two boards takes a hundredth of laying one out."""


def forget_layouts() -> None:
    """Forget the layouts of the last boards, so that the next one is made again."""
    _REMEMBERED.clear()


def lay_out(
    board: Board,
    sizes: Sizes | None = None,
    backdrop: Backdrop | None = None,
    *,
    text: bool = True,
    grounded: Callable[[], None] = lambda: None,
) -> Layout:
    """Return the layout of a board; the same board and sizes give the same layout, at once if it was made lately.

    Args:
        board: The board.
        sizes: Of symbols, lines and names; those of the theme that its author chose by default.
        backdrop: What lies below the railroads, in page millimetres; the shipped base map by default, which is moved
            along with the mileposts.
        text: Whether to place names and initials, which takes longest; without them none is there.
        grounded: Called when all that lies below names is known while some of these are not yet placed.
    """
    sizes = sizes or theme_of(board).sizes
    bare = None
    for entry in tuple(_REMEMBERED):
        known, of_sizes, base, with_text, remembered = entry
        if of_sizes == sizes and base is backdrop and drawn_alike(known, board):
            layout = remembered if known is board else replace(remembered, board=board)
            if with_text >= text:
                others = [other for other in tuple(_REMEMBERED) if other is not entry]
                _REMEMBERED.extend([*others, entry])  # what is asked for again is forgotten last
                return layout
            bare = layout
    layout = _laid_out(board, sizes, backdrop) if bare is None else bare
    if text:
        layout = _lettered(layout, grounded)
    _REMEMBERED.append((board, sizes, backdrop, text, layout))
    return layout


def drawn_alike(one: Board, other: Board) -> bool:
    """Return whether two boards have one layout."""
    return one is other or (
        all(getattr(one, name) == getattr(other, name) for name in _DRAWN) and _looks(one) == _looks(other)
    )


def _looks(board: Board) -> list[tuple[object, ...]]:
    """Return all of a board's railroads except their prices."""
    return [(r.id, r.name, r.short, r.public, r.style) for r in board.railroads]


@gc_paused()
def _laid_out(board: Board, sizes: Sizes, backdrop: Backdrop | None) -> Layout:
    """Return the layout without names and initials."""
    area, _ = page_areas(board)
    return laid_at(board, sizes, displace(board, sizes, area), backdrop)


def laid_at(board: Board, sizes: Sizes, placement: Placement, backdrop: Backdrop | None = None) -> Layout:
    """Return the layout of a board, without names and initials, whose mileposts are placed.

    Args:
        board: The board.
        sizes: Of symbols and lines.
        placement: Where its mileposts lie.
        backdrop: As for `lay_out`.
    """
    area, strip = page_areas(board)

    def ground() -> RegionGround:
        base = backdrop or load_backdrop(board.projection, area, placement.warp, board.layers)
        return lay_ground(board, base, placement.spots)

    with run_in_fork():
        grounds = start_in_fork(ground)
        dry = start_in_fork(lambda: named_grounds(grounds().tints, grounds().backdrop, inside_frame(area)))
    drawn = draw_lines(board, placement, sizes)
    spots = {**placement.spots, **drawn.spots}
    return Layout(
        board,
        sizes,
        area,
        strip,
        spots,
        squares(board, spots, sizes),
        drawn.lines,
        (),
        placement.warp,
        grounds,
        dry,
        cache(lambda: simplified(drawn.lines)),
        bars=drawn.bars,
    )


@gc_paused()
def _lettered(bare: Layout, grounded: Callable[[], None]) -> Layout:
    """Return the layout with its names and initials."""
    board, area = bare.board, inside_frame(bare.area)
    sizes = bare.sizes.model_copy(update={"dot_text": dot_text(board, bare.spots, bare.sizes)})
    symbols = symbol_boxes(board, bare.spots, bare.squares, sizes) + bar_boxes(bare.bars, sizes)
    ground = Obstacles(area, symbols, list(bare.lines.values()))
    wanted = names_of(board, bare.spots, bare.squares, sizes)
    names = place_names(wanted, ground)
    if len(names) < len(wanted) and sizes != bare.sizes:  # the room was in other places
        sizes = bare.sizes
        wanted = names_of(board, bare.spots, bare.squares, sizes)
        names = place_names(wanted, ground)
    named = {spot.name.key for spot in names}
    taken = [*(shapely.box(*symbol) for symbol in ground.symbols), *shapes_of(names, 0.0)]
    dry, _ = bare.dry_of(), bare.ground
    grounded()
    region_names, unnamed = place_region_names(
        board,
        dry,
        lines=ground.lines,
        taken=taken,
        sizes=sizes,
    )
    taken += [shapely.box(*name.box) for name in region_names]
    initials, unmarked = place_initials(board, bare.lines, taken=taken, area=area, sizes=sizes)
    left_out = (
        *(name.key for name in wanted if name.key not in named),
        *(f"region-{region}" for region in unnamed),
        *(f"rr-{railroad}" for railroad in unmarked),
    )
    return replace(bare, sizes=sizes, names=names, left_out=left_out, initials=initials, region_names=region_names)


def named_grounds(tints: Mapping[str, BaseGeometry], backdrop: Backdrop, area: Area) -> dict[str, BaseGeometry]:
    """Return region (id) -> the dry land within an area that its name may stand on."""
    water = shapely.union_all(list(backdrop.lakes))
    dry = backdrop.land.intersection(shapely.box(*area)).difference(water)
    return {ident: shapely.intersection(tint, dry) for ident, tint in tints.items()}
