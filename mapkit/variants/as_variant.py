"""The difference of two boards as a variant: applied to A, it gives B."""

from mapkit.model.base import Frozen
from mapkit.model.board import Board
from mapkit.model.variant import AcceptFinding, ChangeBoard, Variant
from mapkit.variants.board_diff import diff_boards
from mapkit.variants.plan import Plan
from mapkit.variants.plan_charts import plan_charts, plan_cities, plan_old_regions, plan_regions, plan_rules
from mapkit.variants.plan_deeds import plan_deeds, plan_lines
from mapkit.variants.plan_track import (
    plan_changed_places,
    plan_new_places,
    plan_old_places,
    plan_railroads,
    plan_track,
)
from mapkit.variants.work import Work


class AsVariant(Frozen):
    """A variant that leads from one board to another, and what of the difference no operation can say."""

    variant: Variant
    left: tuple[str, ...]


def variant_of(a: Board, b: Board, *, name: str | None = None, title: str = "") -> AsVariant:
    """Return the variant that, applied to `a`, gives a board that means the same as `b`.

    What a person did is said as such where that gives just B (a milepost inserted, a line beside another, segments
    reassigned, railroads merged or split); the rest is said piece by piece. Each operation's reason is its step of the
    story (`mapkit.diff_boards`). The id of the board stays A's. Not to be said in operations, and so told in `left`:
    units, the order of regions, declared odds, lengths that are not those of the lines.

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
    plan = Plan(Work(a), b, diff, reasons)
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
            plan.do(AcceptFinding(finding=finding, reason=reason))
    named = name or (b.id if b.id != a.id else f"{a.id}-changed")
    variant = Variant(
        name=named,
        title=title,
        description=f"What makes {b.title} of {a.title}: {len(diff.story)} step{'' if len(diff.story) == 1 else 's'}.",
        board=a.id,
        operations=tuple(plan.operations),
    )
    rest = diff_boards(plan.work.finish(()), b)
    return AsVariant(variant=variant, left=(*plan.left, *(step.text for step in rest.story)))


def _plan_board(plan: Plan) -> None:
    work, target = plan.work, plan.target
    fields = {
        name: getattr(target, name)
        for name in ("title", "page", "projection")
        if getattr(target, name) != getattr(work, name)
    }
    if fields:
        what = ", ".join(fields)
        plan.do(ChangeBoard(**fields, reason=f"The {what} of the board {target.title}"))
