"""Versions of a board to look at: a moment of its history, with variants on top."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.document.workspace import Workspace
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.compiler.package import own_model
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.difference import BoardDiff, StepKind
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.queries.moments import Moment, board_at
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.chart_imports import fill_in_charts
from mapkit.kinds.rail.variants.variant import rail_shelf
from mapkit.variants.applying import PlacedVariant


class Version(Frozen):
    """A moment of the board, and the variants that are applied to it, in order."""

    at: Literal["now"] | Moment = "now"
    variants: tuple[str, ...] = Field(default=(), max_length=50)


def workspace_of(folder: Path | None) -> Workspace:
    """Return the workspace of a source package: the folder that holds its `sources/`.

    Raises:
        QueryError: The board lives in memory.
    """
    if folder is None:
        raise QueryError("this board has no folder; open it as a source package")
    whole = folder.resolve()
    return Workspace(whole.parent.parent if whole.parent.name == "sources" else whole.parent)


def variants_in_order(asked: Asked, names: Sequence[str]) -> tuple[PlacedVariant, ...]:
    """Return variants with their bases, each once, in the order of application.

    Raises:
        QueryError: A name is a path, not a name.
        VariantError: As for `VariantShelf.order`; likewise UnknownNameError.
    """
    for name in names:
        if "/" in name or "\\" in name or name.endswith(".toml"):
            raise QueryError(f"{name!r} is not a name of a variant")
    return rail_shelf(workspace_of(asked.folder)).order(names) if names else ()


def version_board(asked: Asked, version: Version) -> Board:
    """Return the board of a version.

    Raises:
        QueryError: The board has no history, or no folder.
        VariantError: A variant does not fit; likewise UnknownNameError.
    """
    base = board_at(asked, version.at)
    found = variants_in_order(asked, version.variants)
    return (
        apply_variants(base, [fill_in_charts(placed, base, own_model(asked.live)) for placed in found])
        if found
        else base
    )


class Compared(Frozen):
    """Two versions; `drawn` requests their drawings."""

    before: Version = Version(at="saved")
    after: Version = Version()
    drawn: bool = True


class DrawnRailroad(Frozen):
    """A railroad of a drawn board."""

    short: str
    name: str
    colour: str


class Figures(Frozen):
    """How many elements a board has."""

    mileposts: int
    segments: int
    railroads: int
    cities: int


class DrawnBoard(Frozen):
    """Drawing of a board alone, in page millimetres.

    A milepost is its id, x, y, its region and the names of its cities; a segment its id, railroad and path. `regions`
    are colours by id.
    """

    title: str
    variants: tuple[str, ...]
    width: float
    height: float
    railroads: dict[str, DrawnRailroad]
    regions: dict[str, str]
    mileposts: tuple[tuple[str, float, float, str | None, str | None], ...]
    segments: tuple[tuple[str, str, tuple[Point, ...]], ...]
    figures: Figures


class Box(Frozen):
    """A part of the page, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float


class ShownStep(Frozen):
    """A step of a difference by meaning, its elements, and the box around them."""

    kind: StepKind
    text: str
    elements: tuple[str, ...]
    box: Box | None


class Comparison(QueryResult):
    """The differences by meaning; both boards if they were asked for."""

    same: bool
    steps: tuple[ShownStep, ...]
    before: DrawnBoard | None
    after: DrawnBoard | None


@question("compare", Compared, Comparison)
def compare(ask: Compared, asked: Asked) -> Comparison:
    """Return the differences of two versions, and both boards as the page draws them."""
    old, new = version_board(asked, ask.before), version_board(asked, ask.after)
    diff = diff_boards(old, new)
    before, after = (drawn_board(old), drawn_board(new)) if ask.drawn else (None, None)
    return Comparison(same=diff.same, steps=shown_steps(diff, old, new), before=before, after=after)


def shown_steps(diff: BoardDiff, old: Board, new: Board) -> tuple[ShownStep, ...]:
    """Return the steps of a difference, each with its elements and the box around them in page millimetres."""
    spots = _spots(old) | _spots(new)
    if old.page != new.page or old.projection != new.projection:
        spots = _spots(new)
    out = []
    for step in diff.story:
        points = [point for element in step.elements for point in spots.get(element, ())]
        box = None
        if points:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            box = Box(left=min(xs), top=min(ys), right=max(xs), bottom=max(ys))
        out.append(ShownStep(kind=step.kind, text=step.text, elements=step.elements, box=box))
    return tuple(out)


def _spots(board: Board) -> dict[str, tuple[tuple[float, float], ...]]:
    """Return element -> points of it."""
    out: dict[str, tuple[tuple[float, float], ...]] = {}
    posts = {m.id: (m.x, m.y) for m in board.mileposts}
    for ident, point in posts.items():
        out[f"milepost:{ident}"] = (point,)
    for city in board.cities:
        if city.milepost in posts:
            out[f"city:{city.id}"] = (posts[city.milepost],)
    for junction in board.junctions:
        out[f"junction:{junction.id}"] = ((junction.x, junction.y),)
    for segment in board.segments:
        out[f"segment:{segment.id}"] = tuple(segment.path)
    return out


def drawn_board(board: Board) -> DrawnBoard:
    """Return the drawing of a board alone, in page millimetres."""
    drawn: DrawnBoard = _drawn(_Same(board))
    return drawn


class _Same:
    """Board compared by identity, as a cache key of drawings."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.board is self.board


@lru_cache(maxsize=6)
def _drawn(same: _Same) -> DrawnBoard:
    board = same.board
    regions = find_regions(board)
    cities: dict[str, list[str]] = {}
    for city in board.cities:
        cities.setdefault(city.milepost, []).append(city.name)
    return DrawnBoard(
        title=board.title,
        variants=board.variants,
        width=board.page.width,
        height=board.page.height,
        railroads={r.id: DrawnRailroad(short=r.short, name=r.name, colour=r.style.colour) for r in board.railroads},
        regions={r.id: r.colour for r in board.regions},
        mileposts=tuple(
            (m.id, m.x, m.y, regions.get(m.id), ", ".join(cities[m.id]) if m.id in cities else None)
            for m in board.mileposts
        ),
        segments=tuple((s.id, s.railroad, s.path) for s in board.segments),
        figures=Figures(
            mileposts=len(board.mileposts),
            segments=len(board.segments),
            railroads=len(board.railroads),
            cities=len(board.cities),
        ),
    )


__all__ = ["Version", "drawn_board", "shown_steps", "variants_in_order", "version_board", "workspace_of"]
