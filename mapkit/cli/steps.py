"""Steps of a board, its journal and commands, for people."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mapkit.console.printing import print_message, print_result, table, without_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mapkit.api.checks import CheckAbout
    from mapkit.api.commands import CommandAbout
    from mapkit.api.steps import JournalSteps, Steps


def show_commands(found: "Sequence[CommandAbout]", names: list[str] | None) -> None:
    """Print commands, or those that are named with their keys."""
    if names:
        print_result(without_rules("\n\n".join(one.text() for one in found)))
    else:
        rows = ((one.kind, one.topic, without_rules(one.summary)) for one in found)
        print_result(table(("command", "topic", "what it does"), rows))
        print_message("mapkit list commands NAME shows the keys of a command")


def show_checks(found: "Sequence[CheckAbout]", names: list[str] | None) -> None:
    """Print checks, or the explanations of those that are named."""
    if names:
        print_result("\n\n".join(check.text() for check in found))
    else:
        rows = ((check.code, check.severity.value, check.name, check.title) for check in found)
        print_result(table(("code", "severity", "name", "what holds"), rows))
        print_message("mapkit list checks N16 explains a check")


def show_steps(steps: "Steps", *, as_json: bool) -> None:
    """Print the steps, and whether they were saved."""
    _say_saved(steps)
    if not as_json:
        print_result("\n".join(one.label for one in steps.done))


def show_journal(found: "JournalSteps", board: str, goto: int | None, save: bool | None, *, as_json: bool) -> None:
    """Print the journal, and its unsaved steps."""
    if goto is not None or save:
        _say_saved(found)
    if not as_json:
        print_result(_journal_text(found.as_json()))
    if found.unsaved:
        what = "1 row is" if found.unsaved_rows == 1 else f"{found.unsaved_rows} rows are"
        print_message(f"{what} not saved; save with: mapkit journal {board} --save")


def _say_saved(steps: "Steps") -> None:
    if steps.saved is None:
        if steps.unsaved:
            print_message("in the journal, not in the files; --save writes them")
    elif steps.done or steps.saved:
        print_message(f"saved: {', '.join(steps.saved) or 'no file changes'}")
    else:
        print_message("nothing to save")


def _journal_text(listed: Mapping[str, Any]) -> str:
    def row(step: Mapping[str, Any]) -> tuple[str, ...]:
        marks = ["here"] * (step["n"] == listed["position"]) + ["saved"] * (step["n"] == listed["saved"])
        names = [f"[{name}]" for name in step["checkpoints"]]
        undone = "" if step["done"] else "undone"
        return str(step["n"]), step["label"], step["client"], undone, " ".join([*marks, *names])

    head = ("step", "what", "who", "", "")
    text = table(head, [row(step) for step in listed["steps"]], right=(0,))
    if listed["other"]:
        text += "\n\nOther branches\n" + table(head, [row(step) for step in listed["other"]], right=(0,))
    return text
