"""What of a board its picture and its geometry follow from, and what is kept of them.

Each stage gets a board without what it does not read, and its result is kept by that board. So a result cannot follow
from what its key leaves out, and a new payoff or price lays nothing out again.
"""

from collections.abc import Callable, Iterable
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.findings import Finding
from mapkit.core.kept import Basis, recalled
from mapkit.core.memo import remembered
from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.checks.geometry import CHECKS as GEOMETRY
from mapkit.kinds.rail.model.board import Board, Payoffs
from mapkit.kinds.rail.model.file import BoardFile
from mapkit.kinds.rail.render import late
from mapkit.kinds.rail.render.checks import CHECKS as DRAWING
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.rules.rules import Rules


class _Map(Frozen):
    svg: str


class _Found(Frozen):
    findings: tuple[Finding, ...]


@remembered(2)
def located(board: Board) -> Board:
    """Return a board without its charts, rules and files; of prices it has the order, for dearer lines lie above."""
    order = {r.id: rank for rank, r in enumerate(sorted(board.railroads, key=lambda r: (r.price, r.id)))}
    source = board.provenance
    origins = {kind: source.elements[kind] for kind in _LOCATED if kind in source.elements}
    return board.model_copy(
        update={
            "variants": (),
            "railroads": tuple(r.model_copy(update={"price": order[r.id]}) for r in board.railroads),
            "destinations": {},
            "payoffs": Payoffs(cities=(), thousands=()),
            "declared": {},
            "rules": Rules(),
            "extensions": {},
            "provenance": source.model_copy(
                update={"credits": (), "licence": "", "sources": (), "elements": origins, "accepted": {}, "notes": ()}
            ),
        }
    )


@remembered(2)
def pictured(board: Board) -> Board:
    """Return what of a board its picture follows from, prices and legend aside."""
    bare = located(board)
    return bare.model_copy(update={"provenance": bare.provenance.model_copy(update={"elements": {}})})


def picture_of(board: Board) -> str:
    """Return the picture of a board in the theme that its author chose."""
    bare = pictured(board)
    made = recalled("map", _basis(bare), _Map, lambda: _Map(svg=late.draw_board(lay_out(bare), legend=False).to_text()))
    return late.with_legend(made.svg, board)


def file_of(board: Board) -> BoardFile:
    """Return a board with the drawn place and path of every element, as the board file has it."""
    bare = pictured(board)
    drawn = recalled("drawn places", _basis(bare), BoardFile, lambda: late.with_drawn(bare))
    return drawn.model_copy(update={name: getattr(board, name) for name in Board.model_fields if name not in _DRAWN})


def kept_run(board: Board) -> Callable[[Check], Iterable[Finding]]:
    """Return what runs a check on a board; findings on its geometry and its drawing are kept."""

    def run(check: Check) -> Iterable[Finding]:
        if check in DRAWING:
            bare = pictured(board)
        elif check in GEOMETRY:
            bare = located(board)
        else:
            return check.run(board)
        return recalled(check.code, _basis(bare), _Found, lambda: _Found(findings=tuple(check.run(bare)))).findings

    return run


_DRAWN: Final = frozenset({"mileposts", "cities", "junctions", "pieces", "segments"})
"""Fields of a board whose elements the board file has with their drawn places."""
_LOCATED: Final = ("mileposts", "segments", "pieces", "junctions")
"""Kinds of elements that findings on the geometry name."""


@remembered(4)
def _basis(board: Board) -> Basis:
    return Basis(values=(board.model_dump_json(),))
