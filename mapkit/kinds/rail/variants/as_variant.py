"""The difference of two boards as a variant: applied to A, it gives B."""

from mapkit.core.base import Frozen
from mapkit.kinds.rail.commands import COMMANDS, read_command
from mapkit.kinds.rail.commands.board_settings import EditBoard
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.apply import draft_of, drafted
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.plan.charts import plan_charts, plan_cities, plan_old_regions, plan_regions, plan_rules
from mapkit.kinds.rail.variants.plan.deeds import plan_deeds, plan_lines
from mapkit.kinds.rail.variants.plan.plan import DifferencePlan
from mapkit.kinds.rail.variants.plan.track import (
    plan_changed_places,
    plan_new_places,
    plan_old_places,
    plan_railroads,
    plan_track,
)
from mapkit.kinds.rail.variants.variant import Variant


class AsVariant(Frozen):
    """A variant that leads from one board to another, and what of the difference no operation can say."""

    variant: Variant
    left: tuple[str, ...]


def variant_of(a: Board, b: Board, *, name: str | None = None, title: str = "") -> AsVariant:
    """Return the variant that, applied to `a`, gives a board that means the same as `b`.

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
    diff = diff_boards(a, b)
    reasons = {element: step.text for step in diff.story for element in step.elements}
    for change in diff.elements:  # under A's ids too
        reasons.setdefault(f"{change.kind}:{change.a}", reasons.get(f"{change.kind}:{change.id}", ""))
    start = compiled_board(a)
    plan = DifferencePlan(draft_of(start), a, b, diff, reasons)
    _plan_explained(plan)
    _plan_board(plan)
    plan_regions(plan)
    plan_changed_places(plan)
    plan_deeds(plan)
    plan_railroads(plan)
    plan_new_places(plan)
    plan_lines(plan)
    plan_track(plan)
    plan_cities(plan)
    plan_old_regions(plan)
    plan_old_places(plan)
    plan_charts(plan)
    plan_rules(plan)
    for finding, reason in sorted(b.provenance.accepted.items()):
        if a.provenance.accepted.get(finding) != reason:
            plan.do(read_command({"kind": "accept-finding", "finding": finding, "reason": reason}))
    named = name or (b.id if b.id != a.id else f"{a.id}-changed")
    variant = Variant(
        name=named,
        title=title,
        description=f"What makes {b.title} of {a.title}: {len(diff.story)} step{'' if len(diff.story) == 1 else 's'}.",
        board=a.id,
        operations=tuple(plan.operations),
    )
    rest = diff_boards(drafted(plan.draft, start), b)
    return AsVariant(variant=variant, left=(*plan.left, *(step.text for step in rest.story)))


def _plan_explained(plan: DifferencePlan) -> None:
    """Plan what commands say of themselves that they did."""
    goal = document_of_board(plan.target)
    for model in COMMANDS.values():
        for operation in model.explain(plan.draft.base, goal):
            reason = operation.reason or f"As on the board {plan.target.title}"
            plan.propose(operation.model_copy(update={"reason": reason}), goal)


def _plan_board(plan: DifferencePlan) -> None:
    base, target = plan.base, plan.target
    fields = {
        name: getattr(target, name)
        for name in ("title", "page", "projection")
        if getattr(target, name) != getattr(base, name)
    }
    if fields:
        what = ", ".join(fields)
        plan.do(EditBoard(**fields, reason=f"The {what} of the board {target.title}"))
