"""Variants of boards of any kind, for people."""

import json
from typing import TYPE_CHECKING, Annotated

from mapkit.console import texts
from mapkit.console.finding_table import show_report
from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.api.variants import CheckedVariedBoard, ComparedBoards, StartedVariant, VariantList, VariedBoard
    from mapkit.document.command import Command
    from mapkit.variants.applying import PlacedVariant
    from mapkit.variants.rebase import Rebased

_HIDDEN = {"kind", "reason"}


def show_list(found: "VariantList") -> None:
    """Print variants, and the errors of files."""
    rows = ((placed.name, placed.variant.board or "any", placed.variant.title) for placed in found.variants)
    print_result(table(("variant", "board", "title"), rows))
    for problem in found.problems:
        print_message(problem)


def show_variant(placed: "PlacedVariant") -> None:
    """Print a variant."""
    print_result(variant_text(placed))


def show_started(found: "StartedVariant") -> None:
    """Print the file of a new variant."""
    print_result(str(found.file))
    print_message(f"change its operations, then look: mapkit variant check {found.variant}")


def show_applied(made: "VariedBoard", *, as_json: bool) -> None:
    """Print the figures of a board and the written files."""
    if not as_json:
        print_result(_sentence(made))
    if made.file is not None:
        print_message(f"written: {made.file}")


def show_checked(
    found: "CheckedVariedBoard",
    every: Annotated[bool, Flag("--all", help="List notes and accepted findings too.")] = False,
) -> None:
    """Print the findings that the base does not have."""
    show_report(found.new, f"{_sentence(found.made)}; new", every=every)
    print_message(f"findings of the base that are gone: {found.gone}")
    if not found.checks.ok and found.new.ok:
        counts = texts.count_findings(found.checks)
        print_message(f"the board has errors that its base has too; mapkit check BOARD lists them: {counts}")


def show_compared(found: "ComparedBoards", svg: "Path | None", as_variant: "Path | None", *, as_json: bool) -> None:
    """Print a difference, and the files written of it."""
    if as_variant is not None:
        print_message(f"{count_noun(found.operations or 0, 'operation')} in {as_variant}")
    for line in found.left:
        print_message(f"no operation says this: {line}")
    if svg is not None:
        print_message(f"The drawing is {svg}")
    if not as_json:
        print_result("no difference" if found.difference.same else found.difference.text())


def show_rebased(found: "Rebased", out: "Path | None", *, as_json: bool) -> None:
    """Print the fate of each operation."""
    if out is not None:
        print_message(f"{count_noun(len(found.variant.operations), 'operation')} in {out}")
    if not as_json:
        print_result(table(("no.", "operation", "fate", ""), found.rows(), right=(0,)))


def variant_text(placed: "PlacedVariant") -> str:
    """Return a variant in words: head, then each operation with its line and reason."""
    v = placed.variant
    lines = [f"{v.name}: {v.title}" if v.title else v.name]
    if v.description:
        lines += ["", v.description.strip(), ""]
    based = [f"board {v.board}"] if v.board else []
    rules = getattr(v, "rules", None)
    based += [f"rules {rules}"] if rules else []
    based += [f"variants {', '.join(v.variants)}"] if v.variants else []
    lines.append(f"based on: {'; '.join(based) or 'any board'}")
    if v.after:
        lines.append(f"comes after: {', '.join(v.after)}")
    for number, operation in enumerate(v.operations):
        lines += ["", f"{placed.where(number)}: {operation.kind} {_arguments(operation)}", f"  {operation.reason}"]
    return "\n".join(lines)


def _arguments(operation: "Command") -> str:
    given = operation.model_dump(exclude_unset=True, mode="json")
    shown = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in given.items() if key not in _HIDDEN]
    return ", ".join(shown)


def _sentence(made: "VariedBoard") -> str:
    counts = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in made.elements.items())
    return f"{made.title} with {', '.join(made.variants)}: {counts}"
