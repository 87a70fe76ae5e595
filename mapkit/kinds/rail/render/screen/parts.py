"""The parts of a board's picture, each drawn by itself when it is asked for: ground and track, as shapes.

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
from mapkit.kinds.rail.network.region_of import regions_of
from mapkit.kinds.rail.render.ground.drawing import draw_ground
from mapkit.kinds.rail.render.ground.tints import lay_ground
from mapkit.kinds.rail.render.layout import drawn_alike, laid_at
from mapkit.kinds.rail.render.legend import draw_legend
from mapkit.kinds.rail.render.lines.crossings import draw_bridges
from mapkit.kinds.rail.render.lines.tracks import draw_railroads
from mapkit.kinds.rail.render.page_areas import page_areas
from mapkit.kinds.rail.render.screen.page_warp import UNMOVED, PageWarp
from mapkit.kinds.rail.render.spread.displace import placed
from mapkit.kinds.rail.render.spread.warps import Steps
from mapkit.kinds.rail.render.symbols import draw_symbols

_GROUND: Final = ("water", "land", "regions", "lakes", "borders")
_SYMBOLS: Final = ("junctions", "mileposts", "cities", "legend")
_DECIMALS: Final = 2
_LEAST: Final = 2

K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True)
class Part:
    """What one part of a picture shows.

    Args:
        digest: Says which shapes these are.
        layers: Name -> its shapes: `ground`, or `lines` and, above them, `symbols`.
        lines: Segment (id) -> its drawn line, from the middle of its `a` to that of its `b`; of track alone.
    """

    digest: str
    layers: Mapping[str, Shapes]
    lines: Mapping[str, list[Point]]


class _Latest(Generic[K, T]):
    """The latest things made, each by what it was made of; one thread makes them at a time."""

    def __init__(self) -> None:
        self._known: deque[tuple[K, T]] = deque(maxlen=2)
        self._lock = threading.Lock()

    def get(self, key: K, make: Callable[[], T]) -> T:
        """Return what was made of an equal key, or make it."""
        with self._lock:
            for other, known in self._known:
                if other == key:
                    return known
            made = make()
            self._known.append((key, made))
            return made


@dataclass(frozen=True)
class _BaseMap:
    """What the base map follows from; the author's own layers by which object they are, for they are large."""

    projection: Projection
    area: Area
    warp: str
    own: OwnLayers | None = field(compare=False)
    own_id: int


@dataclass(frozen=True)
class _GroundOf:
    """What the ground follows from."""

    base: _BaseMap
    board: Board = field(compare=False)
    theme: Theme

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _GroundOf) or (self.base, self.theme) != (other.base, other.theme):
            return False
        one, two = self.board, other.board
        return one.page == two.page and one.regions == two.regions and _sites(one) == _sites(two)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class _TrackOf:
    """What the track follows from."""

    board: Board
    theme: Theme
    warp: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TrackOf) or (self.theme, self.warp) != (other.theme, other.warp):
            return False
        one, two = self.board, other.board
        if one is two:
            return True
        if self.warp and (one.railroads, one.title) != (two.railroads, two.title):  # the legend has them
            return False
        return drawn_alike(one, two) and _order(one) == _order(two)

    __hash__ = None  # type: ignore[assignment]


_BACKDROPS: Final[_Latest[_BaseMap, Backdrop]] = _Latest()
_GROUNDS: Final[_Latest[_GroundOf, Part]] = _Latest()
_TRACKS: Final[_Latest[_TrackOf, Part]] = _Latest()


def true_backdrop(board: Board) -> Backdrop:
    """Return the base map of the true map."""
    return _backdrop(_base(board, UNMOVED), board, UNMOVED)


def _base(board: Board, warp: PageWarp) -> _BaseMap:
    return _BaseMap(board.projection, page_areas(board)[0], warp.digest, board.layers, id(board.layers))


def _backdrop(base: _BaseMap, board: Board, warp: PageWarp) -> Backdrop:
    return _BACKDROPS.get(base, lambda: load_backdrop(base.projection, base.area, Steps(warp.steps), board.layers))


def ground_part(board: Board, theme: Theme, warp: PageWarp = UNMOVED) -> Part:
    """Return water, land, the tints of regions, rivers, lakes and borders, as shapes."""
    base = _base(board, warp)

    def make() -> Part:
        backdrop = _backdrop(base, board, warp)
        page = RecordedPage(theme, _GROUND)
        draw_ground(page, board, lay_ground(board, backdrop, placed(board, theme.sizes, warp.steps).spots))
        return _part({"ground": page.shapes(_GROUND)}, {})

    with gc_paused():
        return _GROUNDS.get(_GroundOf(base, board, theme), make)


def track_part(board: Board, theme: Theme, warp: PageWarp = UNMOVED) -> Part:
    """Return railroads in their patterns, side by side, and symbols, as shapes; on the printed page also the legend."""

    def make() -> Part:
        # the author's own layers lie below the track, and may be large
        return run_in_worker(draw_track, board.model_copy(update={"layers": None}), theme, warp)

    return _TRACKS.get(_TrackOf(board, theme, warp.digest), make)


@gc_paused()
def draw_track(board: Board, theme: Theme, warp: PageWarp) -> Part:
    """Return the part that `track_part` keeps."""
    layout = laid_at(board, theme.sizes, placed(board, theme.sizes, warp.steps))
    page = RecordedPage(theme, ("lines", *_SYMBOLS))
    draw_railroads(page, layout)
    draw_bridges(page, layout)
    draw_symbols(page, layout)
    if warp.digest:
        draw_legend(page, board, layout.strip)
    lines = {
        ident: [(round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in line.tolist()]
        for ident, line in sorted(layout.segment_lines.items())
        if len(line) >= _LEAST
    }
    return _part({"lines": page.shapes(("lines",)), "symbols": page.shapes(_SYMBOLS)}, lines)


def _part(layers: Mapping[str, Shapes], lines: Mapping[str, list[Point]]) -> Part:
    text = json.dumps([layers, lines], sort_keys=True)
    return Part(hashlib.sha256(text.encode()).hexdigest()[:16], layers, lines)


def _sites(board: Board) -> dict[str, tuple[float, float, str]]:
    """Return where mileposts are, and in which region."""
    regions = regions_of(board)
    return {m.id: (m.x, m.y, regions.get(m.id, "")) for m in board.mileposts}


def _order(board: Board) -> list[str]:
    """Return the railroads from the lowest: the cheapest first."""
    return [r.id for r in sorted(board.railroads, key=lambda r: (r.price, r.id))]
