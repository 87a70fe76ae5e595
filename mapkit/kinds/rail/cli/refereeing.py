"""`mapkit referee`: which step of a match broke which rule."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, VariantOpt, WorkspaceOpt
from mapkit.console.printing import print_result, stages

if TYPE_CHECKING:
    from mapkit.kinds.rail.refereeing.log import Judgement


def referee(
    log: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="The log of a match, a JSON line an event.")],
    board: Annotated[
        str | None,
        typer.Option("--board", "-b", metavar="BOARD", help="What it was played on; by default what it names."),
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Find the first step of a match that breaks a rule.

    The log may come from any engine; mapkit playtest replay --out shows the form. Exit code 1 if a step is illegal.
    """
    with stages(f"referee {log}") as progress:
        found = mapkit.referee(log, board=board, variants=variants, workspace=workspace, progress=progress)
    print_result(texts.json_text(found) if as_json else judgement_text(found))
    if found.broken is not None:
        raise typer.Exit(1)


def judgement_text(found: "Judgement") -> str:
    """Say what the referee found."""
    if found.broken is not None:
        rule = f" ({found.broken.rule})" if found.broken.rule else ""
        return f"{found.file}:{found.broken.line}: {found.broken.message}{rule}"
    end = "the match is not over" if found.winner is None else f"player {found.winner} wins"
    return f"{found.file}: {found.events:,} events, {found.turns:,} turns on {found.board}: all legal; {end}"
