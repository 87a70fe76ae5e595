"""Inputs that determine a board's drawing and geometry, used as cache keys.

Each stage gets a board without what it does not read, and its result is kept by that board. So a result cannot follow
from what its key leaves out, and a new payoff or price lays nothing out again.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.checks import Found
from mapkit.core.findings import Finding
from mapkit.core.jsontext import join_fields, json_fields
from mapkit.core.kept import Basis, is_kept, recalled
from mapkit.core.memo import memoize_by_identity
from mapkit.core.processes.forked import run_in_fork, start_in_fork
from mapkit.kinds.rail.checks.amount_checks import CHECKS as JUDGED
from mapkit.kinds.rail.checks.check import Check, CheckedRails, make_listed_check
from mapkit.kinds.rail.checks.geometry import CHECKS as GEOMETRY
from mapkit.kinds.rail.checks.table import load_check_rows
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


def _late(code: str) -> Callable[[CheckedRails], Iterable[Found]]:
    return lambda checked: late.get_drawing_check(code).find(checked)


DRAWING: Final = tuple(make_listed_check(code, _late(code)) for code in load_check_rows() if code.startswith("R"))
"""The checks of the drawing; what draws is not loaded before one runs."""
Stage = Callable[[], None]


@memoize_by_identity(2)
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


@memoize_by_identity(2)
def paying(board: Board) -> Board:
    """Return the inputs of findings on amounts by one another."""
    source = board.provenance
    origins = {kind: source.elements[kind] for kind in ("payoffs",) if kind in source.elements}
    return board.model_copy(
        update={
            "variants": (),
            "railroads": (),
            "destinations": {},
            "declared": {},
            "drawing": DrawingSettings(),
            "boxes": {},
            "layers": None,
            "rules": Rules(),
            "extensions": {},
            "provenance": source.model_copy(
                update={"credits": (), "licence": "", "sources": (), "elements": origins, "notes": ()}
            ),
        }
    )


@memoize_by_identity(2)
def pictured(board: Board) -> Board:
    """Return the inputs of a board's drawing, without prices and legend."""
    bare = located(board)
    return bare.model_copy(update={"provenance": bare.provenance.model_copy(update={"elements": {}})})


def is_map_kept(board: Board) -> bool:
    """Return whether `picture_of` takes the map of a board as it is kept, and lays nothing out."""
    return is_kept("boxed map", _basis(board)) if board.boxes else is_kept("map", _basis(pictured(board)))


def picture_of(board: Board, below: Callable[[], str] | None = None) -> str:
    """Return the picture of a board in the theme that its author chose.

    Args:
        board: The board.
        below: Waits for what `below_names` returns, where that was begun.
    """
    if board.boxes:  # they show charts, and so all of the board
        return recalled("boxed map", _basis(board), _Map, lambda: _Map(svg=late.render_board(board))).svg
    bare = pictured(board)

    def made() -> _Map:
        return _Map(svg=late.add_names_to_map(below() if below else below_names(board), late.lay_out(bare)))

    return late.add_legend(recalled("map", _basis(bare), _Map, made).svg, board)


def below_names(board: Board) -> str:
    """Return the drawing of a board below its names, independent of them."""
    return late.draw_map_below_names(late.lay_out(pictured(board), text=False))


def file_text(board: Board) -> str:
    """Return the text of the board file: the board with the drawn place and path of every element."""
    bare = pictured(board)
    drawn = recalled(
        "drawn places", _basis(bare), _Texts, lambda: _Texts(fields=json_fields(late.with_drawn(bare), _DRAWN))
    )
    fields = {**json_fields(board, Board.model_fields.keys() - _DRAWN), **drawn.fields}
    return join_fields({name: fields[name] for name in BoardFile.model_fields if name in fields})


Known = Callable[[], Mapping[str, tuple[Finding, ...]]]
"""Waits for the findings of some checks, by code."""


def begun_judging(board: Board) -> Known | None:
    """Start to judge a board's amounts by one another in a second process; None if the findings are cached."""
    bare = paying(board)
    if is_kept(JUDGED[0].code, _basis(bare)):
        return None
    return start_in_fork(lambda: _of_those_that_run(JUDGED, lambda check: tuple(check.run(bare))))


def kept_run(
    board: Board,
    *,
    lined: Stage = lambda: None,
    grounded: Stage = lambda: None,
    judging: Known | None = None,
) -> Callable[[Check], Iterable[Finding]]:
    """Return a runner of checks that caches findings on drawing, geometry and amounts.

    Args:
        board: The board.
        lined: Called when its lines are laid out, and names and initials are next; not if no check asks for them.
        grounded: Called after that, when all that lies below names is known.
        judging: What `begun_judging` returned.
    """
    beside_names: list[Known] = []

    def found(check: Check) -> tuple[Finding, ...]:
        part = next((part for checks, part in _GROUNDS if check in checks), None)
        if part is None:
            return tuple(check.run(board))
        bare = part(board)
        return recalled(check.code, _basis(bare), _Found, lambda: _Found(findings=made(check, bare))).findings

    def made(check: Check, bare: Board) -> tuple[Finding, ...]:
        if check in JUDGED and judging is not None and (known := judging().get(check.code)) is not None:
            return known
        if check not in DRAWING or beside_names:
            return tuple(check.run(bare))
        late.lay_out(bare, text=False)
        with run_in_fork():
            beside_names.append(start_in_fork(lambda: _of_those_that_run(_WITHOUT_NAMES, found)))
            lined()
        late.lay_out(bare, grounded=grounded)
        return tuple(check.run(bare))

    def run(check: Check) -> Iterable[Finding]:
        known = beside_names[0]().get(check.code) if check in _WITHOUT_NAMES and beside_names else None
        return found(check) if known is None else known

    return run


def _of_those_that_run(
    checks: Iterable[Check], found: Callable[[Check], tuple[Finding, ...]]
) -> Mapping[str, tuple[Finding, ...]]:
    """Return the findings of checks by code; one that crashes is left out, and crashes again later."""
    out = {}
    for check in checks:
        with suppress(Exception):
            out[check.code] = found(check)
    return out


_BOXED: Final = tuple(c for c in DRAWING if c.code in {"R15", "R16", "R17"})
"""Checks of the page's boxes, which show all of a board."""
_GROUNDS: Final = (
    (_BOXED, lambda board: board if board.boxes else pictured(board)),
    (DRAWING, pictured),
    (GEOMETRY, located),
    (JUDGED, paying),
)
"""Checks, and what of a board they look at."""
_WITHOUT_NAMES: Final = tuple(c for c in DRAWING if c.code in {"R08", "R09", "R10", "R11", "R12", "R14"})
"""Checks of the drawing that names do not matter to."""
_DRAWN: Final = frozenset({"mileposts", "cities", "junctions", "pieces", "segments", "crossings"})
"""Fields of the board file whose elements have their drawn places."""
_LOCATED: Final = ("mileposts", "segments", "pieces", "junctions")
"""Kinds of elements that findings on the geometry name."""


@memoize_by_identity(4)
def _basis(board: Board) -> Basis:
    return Basis(values=(hashlib.sha256(board.model_dump_json().encode()).hexdigest(),))
