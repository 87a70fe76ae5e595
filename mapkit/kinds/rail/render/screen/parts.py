"""Parts of a board's picture, each drawn on request: ground and track, as shapes.

They are drawn by the code that draws the printed board, at the places of the true map or where the printed page has
them. A part is made again only when something that it shows has changed: an edit of a chart draws nothing, and an edit
of track leaves the ground.
"""

import hashlib
import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from mapkit.core.base import Area, Point
from mapkit.core.garbage import gc_paused
from mapkit.core.processes.worker import run_in_worker
from mapkit.drawing.recorded_page import RecordedPage, Shapes
from mapkit.drawing.theme.theme import Theme
from mapkit.geography.backdrop import Backdrop, load_backdrop
from mapkit.geography.own_layers import OwnLayers
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.render.boxes import late as boxes
from mapkit.kinds.rail.render.ground.ground_layers import draw_ground
from mapkit.kinds.rail.render.ground.region_ground import lay_ground
from mapkit.kinds.rail.render.layout import has_same_layout, lay_out_placed
from mapkit.kinds.rail.render.legend import draw_legend
from mapkit.kinds.rail.render.lines.crossings import draw_bridges
from mapkit.kinds.rail.render.lines.tracks import draw_railroads
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.screen.page_warp import UNMOVED, PageWarp
from mapkit.kinds.rail.render.spread.displacement import place_board
from mapkit.kinds.rail.render.spread.warps import Steps
from mapkit.kinds.rail.render.symbols import draw_symbols

_GROUND_LAYERS: Final = ("water", "land", "regions", "lakes", "borders")
_SYMBOL_LAYERS: Final = ("junctions", "mileposts", "cities", "legend")
_DECIMALS: Final = 2
_LEAST_POINTS: Final = 2

K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True)
class ScreenPart:
    """Shapes and lines of one part of a picture.

    Args:
        digest: Hash of the shapes.
        layers: Name -> its shapes: `ground`, or `lines` and, above them, `symbols`.
        lines: Segment (id) -> its drawn line, from the middle of its `a` to that of its `b`; of track alone.
    """

    digest: str
    layers: Mapping[str, Shapes]
    lines: Mapping[str, list[Point]]


class _LatestCache(Generic[K, T]):
    """Cache of the latest results, each by its inputs; one thread makes them at a time."""

    def __init__(self) -> None:
        self._entries: deque[tuple[K, T]] = deque(maxlen=2)
        self._lock = threading.Lock()

    def get(self, key: K, make: Callable[[], T]) -> T:
        """Return the result of equal inputs, or make it."""
        with self._lock:
            for cached_key, cached_result in self._entries:
                if cached_key == key:
                    return cached_result
            new_result = make()
            self._entries.append((key, new_result))
            return new_result


@dataclass(frozen=True)
class _BaseMapInputs:
    """Inputs of the base map; the author's own layers count by identity, for they are large."""

    projection: Projection
    area: Area
    warp: str
    own: OwnLayers | None = field(compare=False)
    own_id: int


@dataclass(frozen=True)
class _GroundInputs:
    """Inputs of the ground."""

    base: _BaseMapInputs
    board: Board = field(compare=False)
    theme: Theme

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _GroundInputs) or (self.base, self.theme) != (other.base, other.theme):
            return False
        own_board, other_board = self.board, other.board
        return (
            own_board.page == other_board.page
            and own_board.regions == other_board.regions
            and _milepost_sites(own_board) == _milepost_sites(other_board)
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class _TrackInputs:
    """Inputs of the track."""

    board: Board
    theme: Theme
    warp: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TrackInputs) or (self.theme, self.warp) != (other.theme, other.warp):
            return False
        own_board, other_board = self.board, other.board
        if own_board is other_board:
            return True
        if self.warp and (own_board.railroads, own_board.title) != (
            other_board.railroads,
            other_board.title,
        ):  # shown in the legend
            return False
        return has_same_layout(own_board, other_board) and _drawing_order(own_board) == _drawing_order(other_board)

    __hash__ = None  # type: ignore[assignment]


_BACKDROP_CACHE: Final[_LatestCache[_BaseMapInputs, Backdrop]] = _LatestCache()
_GROUND_CACHE: Final[_LatestCache[_GroundInputs, ScreenPart]] = _LatestCache()
_TRACK_CACHE: Final[_LatestCache[_TrackInputs, ScreenPart]] = _LatestCache()


def load_true_backdrop(board: Board) -> Backdrop:
    """Return the base map of the true map."""
    return _cached_backdrop(_base_map_inputs(board, UNMOVED), board, UNMOVED)


def _base_map_inputs(board: Board, warp: PageWarp) -> _BaseMapInputs:
    return _BaseMapInputs(board.projection, divide_page(board)[0], warp.digest, board.layers, id(board.layers))


def _cached_backdrop(base: _BaseMapInputs, board: Board, warp: PageWarp) -> Backdrop:
    return _BACKDROP_CACHE.get(base, lambda: load_backdrop(base.projection, base.area, Steps(warp.steps), board.layers))


def draw_ground_part(board: Board, theme: Theme, warp: PageWarp = UNMOVED) -> ScreenPart:
    """Return water, land, the tints of regions, rivers, lakes and borders, as shapes."""
    map_inputs = _base_map_inputs(board, warp)

    def make() -> ScreenPart:
        base_map = _cached_backdrop(map_inputs, board, warp)
        ground_page = RecordedPage(theme, _GROUND_LAYERS)
        region_ground = lay_ground(board, base_map, place_board(board, theme.sizes, warp.steps).spots)
        draw_ground(ground_page, board, region_ground, Steps(warp.steps))
        return _make_part({"ground": ground_page.shapes(_GROUND_LAYERS)}, {})

    with gc_paused():
        return _GROUND_CACHE.get(_GroundInputs(map_inputs, board, theme), make)


def get_track_part(board: Board, theme: Theme, warp: PageWarp = UNMOVED) -> ScreenPart:
    """Return railroads in their patterns, side by side, and symbols, as shapes; on the printed page also the legend."""

    def make() -> ScreenPart:
        # the author's own layers lie below the track, and may be large; boxes look for water on them
        drawn = board if board.boxes else board.model_copy(update={"layers": None})
        return run_in_worker(draw_track, drawn, theme, warp)

    return _TRACK_CACHE.get(_TrackInputs(board, theme, warp.digest), make)


@gc_paused()
def draw_track(board: Board, theme: Theme, warp: PageWarp) -> ScreenPart:
    """Draw the part that `track_part` caches."""
    board_layout = lay_out_placed(board, theme.sizes, place_board(board, theme.sizes, warp.steps))
    track_page = RecordedPage(theme, ("lines", *_SYMBOL_LAYERS))
    draw_railroads(track_page, board_layout)
    draw_bridges(track_page, board_layout)
    draw_symbols(track_page, board_layout)
    if warp.digest:
        draw_legend(track_page, board, board_layout.strip)
        if board_layout.boxes.areas:
            boxes.draw_panels(track_page, board_layout)
    lines = {
        segment_id: [(round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in line.tolist()]
        for segment_id, line in sorted(board_layout.segment_lines.items())
        if len(line) >= _LEAST_POINTS
    }
    return _make_part({"lines": track_page.shapes(("lines",)), "symbols": track_page.shapes(_SYMBOL_LAYERS)}, lines)


def _make_part(layers: Mapping[str, Shapes], lines: Mapping[str, list[Point]]) -> ScreenPart:
    part_json = json.dumps([layers, lines], sort_keys=True)
    return ScreenPart(hashlib.sha256(part_json.encode()).hexdigest()[:16], layers, lines)


def _milepost_sites(board: Board) -> dict[str, tuple[float, float, str]]:
    """Return the places and regions of mileposts."""
    region_of = find_regions(board)
    return {m.id: (m.x, m.y, region_of.get(m.id, "")) for m in board.mileposts}


def _drawing_order(board: Board) -> list[str]:
    """Return the railroads from the lowest: the cheapest first."""
    return [r.id for r in sorted(board.railroads, key=lambda r: (r.price, r.id))]
