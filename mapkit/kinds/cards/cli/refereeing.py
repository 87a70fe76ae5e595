"""`mapkit referee` on card games."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, VariantOpt, WorkspaceOpt
from mapkit.console.printing import print_result, stages

if TYPE_CHECKING:
    from mapkit.kinds.cards.refereeing.judging import CardJudgement


def referee(
    log: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="The log of a game, a JSON line a step.")],
    board: Annotated[
        str | None,
        typer.Option("--board", "-b", metavar="BOARD", help="The game; by default the one that the log names."),
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Follow the log of a card game and say which step is the first to break a rule.

    The log may come from any program; mapkit playtest replay --out shows the form. Exit code 1 if a step is illegal.
    """
    with stages(f"referee {log}"):
        found = mapkit.referee_cards(log, board=board, variants=variants, workspace=workspace)
    print_result(texts.json_text(found) if as_json else judgement_text(found))
    if found.broken is not None:
        raise typer.Exit(1)


def judgement_text(found: "CardJudgement") -> str:
    """Say what the referee found."""
    if found.broken is not None:
        rule = f" ({found.broken.rule})" if found.broken.rule else ""
        return f"{found.file}:{found.broken.line}: {found.broken.message}{rule}"
    worth = ", ".join(f"{seat} has ${value:,}" for seat, value in found.worth.items())
    end = "" if found.over else "the game is not over; "
    return f"{found.file}: {found.steps:,} steps of {found.game}: all legal; {end}{worth}"
