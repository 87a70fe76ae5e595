"""Variants: which there are, what they do to this board, making one of what was edited, taking one over."""

from typing import Any

from pydantic import Field

from mapkit.editor.questions.question import Asked, question
from mapkit.editor.questions.take_over import taken_over
from mapkit.editor.questions.versions import (
    Version,
    drawn_board,
    moment_board,
    told_steps,
    variants_in_order,
    version_board,
    workspace_of,
)
from mapkit.errors import MapkitError
from mapkit.model.base import Frozen
from mapkit.variants.apply import apply_variants
from mapkit.variants.as_variant import AsVariant, variant_of
from mapkit.variants.board_diff import diff_boards
from mapkit.variants.imports import with_charts
from mapkit.variants.shelf import FOLDER, Shelf


class VariantList(Frozen):
    """Nothing more to say."""


@question("variants", VariantList)
def variants(_ask: VariantList, asked: Asked) -> dict[str, Any]:
    """Return all variants of the workspace and the shipped ones; those with an error say what is wrong with them."""
    space = workspace_of(asked.folder)
    shelf = Shelf(space)
    paths = shelf.paths()
    out = []
    for name, found in shelf.all():
        own = paths[name].parent == space.root / FOLDER
        if isinstance(found, MapkitError):
            out.append({"name": name, "own": own, "error": str(found)})
            continue
        variant = found.variant
        out.append(
            {
                "name": name,
                "own": own,
                "title": variant.title or name,
                "description": variant.description,
                "board": variant.board,
                "fits": variant.board in (None, asked.live.id),
                "bases": list(variant.variants),
                "operations": [{"op": op.op, "reason": op.reason} for op in variant.operations[:60]],
                "count": len(variant.operations),
            }
        )
    return {"variants": out}


class Stack(Frozen):
    """Variants, in order, and the version that they are applied to."""

    variants: tuple[str, ...] = Field(min_length=1, max_length=50)
    at: Version = Version()


@question("variant-stack", Stack)
def stack(ask: Stack, asked: Asked) -> dict[str, Any]:
    """Return what each variant of a stack did, by meaning, and the board that comes out; bases come with them."""
    board = start = version_board(asked, ask.at)
    layers = []
    for placed in variants_in_order(asked, ask.variants):
        after = apply_variants(board, [with_charts(placed, start)])
        steps = told_steps(diff_boards(board, after), board, after)
        asked_for = placed.name in ask.variants
        layers.append({"name": placed.name, "title": placed.variant.title, "asked": asked_for, "steps": steps})
        board = after
    return {"layers": layers, "before": drawn_board(start), "after": drawn_board(board)}


class VariantDraft(Frozen):
    """The two versions between which a variant is to lead."""

    before: Version = Version(at="saved")
    after: Version = Version()


def drafted(asked: Asked, before: Version, after: Version, *, name: str, title: str = "") -> AsVariant:
    """Return the variant that leads from one version to another, and what it cannot say."""
    return variant_of(version_board(asked, before), version_board(asked, after), name=name, title=title)


@question("variant-draft", VariantDraft)
def draft(ask: VariantDraft, asked: Asked) -> dict[str, Any]:
    """Return what a variant between two versions would say, and what no operation can say."""
    made = drafted(asked, ask.before, ask.after, name="draft")
    operations = [{"op": op.op, "reason": op.reason} for op in made.variant.operations]
    return {"operations": operations, "left": list(made.left)}


class TakeVariants(Frozen):
    """Variants, in order."""

    variants: tuple[str, ...] = Field(min_length=1, max_length=50)


@question("take-variants", TakeVariants)
def take(ask: TakeVariants, asked: Asked) -> dict[str, Any]:
    """Return the command that makes the document what the variants make of the board, as one step.

    `left` says what the document cannot hold of it; where there is something, `command` is null.
    """
    target = version_board(asked, Version(variants=ask.variants))
    label = f"Take over {', '.join(ask.variants)}"
    return taken_over(asked.live, moment_board(asked, "now"), target, label)
