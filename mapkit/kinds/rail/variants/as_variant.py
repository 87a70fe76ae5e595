"""Conversion of the difference of two boards to a variant."""

from typing import Final

from mapkit.core.base import Frozen
from mapkit.kinds.rail.commands import COMMANDS, read_command
from mapkit.kinds.rail.commands.board_settings import EditBoard
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.apply import compile_draft, make_draft
from mapkit.kinds.rail.variants.board_derivation import (
    BoardDerivation,
    derive_changed_mileposts,
    derive_new_mileposts,
    derive_old_mileposts,
    derive_old_regions,
    derive_railroads,
    derive_regions,
    derive_removed_segments,
    derive_track,
)
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.chart_derivation import derive_charts, derive_cities, derive_rules
from mapkit.kinds.rail.variants.composite_steps import propose_line_steps, propose_track_steps
from mapkit.kinds.rail.variants.variant import Variant

_STAGES: Final = (
    derive_regions,
    derive_changed_mileposts,
    propose_track_steps,
    derive_railroads,
    derive_new_mileposts,
    derive_removed_segments,
    propose_line_steps,
    derive_track,
    derive_cities,
    derive_old_regions,
    derive_old_mileposts,
    derive_charts,
    derive_rules,
)
"""In this order what a row names is there before the row, and goes after it."""


class AsVariant(Frozen):
    """Variant that leads from one board to another, and the differences that no operation can express."""

    variant: Variant
    left: tuple[str, ...]


def variant_of(a: Board, b: Board, *, name: str | None = None, title: str = "") -> AsVariant:
    """Return a variant that, applied to `a`, gives a board that means the same as `b`.

    What a person did is said as such where that gives just B (a milepost inserted, a line beside another, segments
    reassigned, railroads merged or split); the rest is said piece by piece. Each operation's reason is its step of the
    story (`mapkit.diff_boards`). The id of the board stays A's. What operations cannot express is listed in `left`:
    units, extensions, the order of regions, declared odds, lengths that are not those of the lines.

    Args:
        a: The board before.
        b: The board after.
        name: The variant's name; B's id by default, and `A-changed` if that is A's.
        title: What it is called.
    """
    board_diff = diff_boards(a, b)
    reasons = {element: step.text for step in board_diff.story for element in step.elements}
    for change in board_diff.elements:  # under A's ids too
        reasons.setdefault(f"{change.kind}:{change.a}", reasons.get(f"{change.kind}:{change.id}", ""))
    start = compiled_board(a)
    plan = BoardDerivation(make_draft(start), document_of_board(b), base=a, target=b, diff=board_diff, reasons=reasons)
    plan.propose_explained(COMMANDS, f"As on the board {b.title}")
    changed_fields = {
        name: getattr(b, name) for name in ("title", "page", "projection") if getattr(b, name) != getattr(a, name)
    }
    if changed_fields:
        plan.do(EditBoard(**changed_fields, reason=f"The {', '.join(changed_fields)} of the board {b.title}"))
    for derive in _STAGES:
        derive(plan)
    for finding, reason in sorted(b.provenance.accepted.items()):
        if a.provenance.accepted.get(finding) != reason:
            plan.do(read_command({"kind": "accept-finding", "finding": finding, "reason": reason}))
    step_count = len(board_diff.story)
    variant = Variant(
        name=name or (b.id if b.id != a.id else f"{a.id}-changed"),
        title=title,
        description=f"What makes {b.title} of {a.title}: {step_count} step{'' if step_count == 1 else 's'}.",
        board=a.id,
        operations=tuple(plan.operations),
    )
    remaining_diff = diff_boards(compile_draft(plan.draft, start), b)
    return AsVariant(variant=variant, left=(*plan.left, *(step.text for step in remaining_diff.story)))
