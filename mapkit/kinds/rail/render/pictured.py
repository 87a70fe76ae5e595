"""What of a board its picture and its geometry follow from, and what is kept of them.

Each stage gets a board without what it does not read, and its result is kept by that board. So a result cannot follow
from what its key leaves out, and a new payoff or price lays nothing out again.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.beside import beside, together
from mapkit.core.checks import Found
from mapkit.core.findings import Finding
from mapkit.core.jsontext import joined_fields, json_fields
from mapkit.core.kept import Basis, recalled
from mapkit.core.memo import remembered
from mapkit.kinds.rail.checks.check import Check, Checked, listed
from mapkit.kinds.rail.checks.geometry import CHECKS as GEOMETRY
from mapkit.kinds.rail.checks.judged_amounts import CHECKS as JUDGED
from mapkit.kinds.rail.checks.table import check_rows
from mapkit.kinds.rail.model.board import Board, Payoffs
from mapkit.kinds.rail.model.drawing import DrawingSettings
from mapkit.kinds.rail.model.file import BoardFile
from mapkit.kinds.rail.render import late
from mapkit.kinds.rail.rules.rules import Rules


class _Map(Frozen):
    svg: str


class _Texts(Frozen):
    fields: Mapping[str, str]


class _Found(Frozen):
    findings: tuple[Finding, ...]


def _late(code: str) -> Callable[[Checked], Iterable[Found]]:
    return lambda checked: late.drawing_check(code).find(checked)


DRAWING: Final = tuple(listed(code, _late(code)) for code in check_rows() if code.startswith("R"))
"""The checks of the drawing; what draws is not loaded before one runs."""
Stage = Callable[[], None]


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
def paying(board: Board) -> Board:
    """Return what of a board findings on its amounts by one another follow from."""
    source = board.provenance
    origins = {kind: source.elements[kind] for kind in ("payoffs",) if kind in source.elements}
    return board.model_copy(
        update={
            "variants": (),
            "railroads": (),
            "destinations": {},
            "declared": {},
            "drawing": DrawingSettings(),
            "layers": None,
            "rules": Rules(),
            "extensions": {},
            "provenance": source.model_copy(
                update={"credits": (), "licence": "", "sources": (), "elements": origins, "notes": ()}
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
    made = recalled(
        "map", _basis(bare), _Map, lambda: _Map(svg=late.draw_board(late.lay_out(bare), legend=False).to_text())
    )
    return late.with_legend(made.svg, board)


def file_text(board: Board) -> str:
    """Return the text of the board file: the board with the drawn place and path of every element."""
    bare = pictured(board)
    drawn = recalled(
        "drawn places", _basis(bare), _Texts, lambda: _Texts(fields=json_fields(late.with_drawn(bare), _DRAWN))
    )
    fields = {**json_fields(board, Board.model_fields.keys() - _DRAWN), **drawn.fields}
    return joined_fields({name: fields[name] for name in BoardFile.model_fields if name in fields})


def kept_run(
    board: Board, lined: Stage = lambda: None, laid_out: Stage = lambda: None
) -> Callable[[Check], Iterable[Finding]]:
    """Return what runs a check on a board; findings on its drawing, geometry and amounts are kept.

    Args:
        board: The board.
        lined: Called when its lines are laid out, and names and initials are next; not if no check asks for them.
        laid_out: Called when all is laid out.
    """
    beside_names: list[Callable[[], Mapping[str, tuple[Finding, ...]]]] = []

    def found(check: Check) -> tuple[Finding, ...]:
        part = next((part for checks, part in _GROUNDS if check in checks), None)
        if part is None:
            return tuple(check.run(board))
        bare = part(board)
        return recalled(check.code, _basis(bare), _Found, lambda: _Found(findings=made(check, bare))).findings

    def made(check: Check, bare: Board) -> tuple[Finding, ...]:
        if check not in DRAWING or beside_names:
            return tuple(check.run(bare))
        with together():  # what lies below names is made first, for these are placed meanwhile
            late.lay_out(bare, text=False)
            beside_names.append(beside(lambda: _of_those_that_run(found)))
            lined()
        findings = tuple(check.run(bare))
        laid_out()
        return findings

    def run(check: Check) -> Iterable[Finding]:
        known = beside_names[0]().get(check.code) if check in _WITHOUT_NAMES and beside_names else None
        return found(check) if known is None else known

    return run


def _of_those_that_run(found: Callable[[Check], tuple[Finding, ...]]) -> Mapping[str, tuple[Finding, ...]]:
    """Return the findings that need no names, by code; a check that crashes is left out, and crashes again later."""
    out = {}
    for check in _WITHOUT_NAMES:
        with suppress(Exception):
            out[check.code] = found(check)
    return out


_GROUNDS: Final = ((DRAWING, pictured), (GEOMETRY, located), (JUDGED, paying))
"""Checks, and what of a board they look at."""
_WITHOUT_NAMES: Final = tuple(c for c in DRAWING if c.code in {"R08", "R09", "R10", "R11", "R12", "R14"})
"""Checks of the drawing that names do not matter to."""
_DRAWN: Final = frozenset({"mileposts", "cities", "junctions", "pieces", "segments", "crossings"})
"""Fields of the board file whose elements have their drawn places."""
_LOCATED: Final = ("mileposts", "segments", "pieces", "junctions")
"""Kinds of elements that findings on the geometry name."""


@remembered(4)
def _basis(board: Board) -> Basis:
    return Basis(values=(hashlib.sha256(board.model_dump_json().encode()).hexdigest(),))
