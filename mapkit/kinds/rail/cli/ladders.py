"""`mapkit playtest ladder`: computer players against each other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.console.settings import parsed
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.playtesting import AnywayOpt, PlayersOpt, RulesOpt, SeedOpt
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt
from mapkit.playing.tables import share_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.ladder import Ladder


def ladder(
    board: BoardArg,
    matches: Annotated[
        int, typer.Option("--matches", "-n", metavar="N", help="How many matches of each pair.")
    ] = 10_000,
    players: PlayersOpt = 4,
    policies: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="NAME|FILE", help="One that climbs, repeated; all shipped ones by default."),
    ] = None,
    rules: RulesOpt = None,
    options: OptionOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, max=256, help="Processors to use; all by default.")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="Of a Dask scheduler (tcp://HOST:8786), whose workers play."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep the sums there, so that the run can go on later."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    anyway: AnywayOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Let computer players play each other in pairs, and say who is best.

    Each match is played twice with the same dice, places exchanged. The table shows the share of the wins of each
    against each, in percent, and a rating on the scale of Elo. Ctrl-C ends the run and shows what is done, all pairs
    alike.
    """
    if resume and checkpoint is None:
        raise typer.BadParameter("say from which file: --checkpoint FILE", param_hint="--resume")
    how = mapkit.PlayTest(
        matches=matches,
        players=players,
        policies=policies or late.SHIPPED,
        rules=rules,
        options=options or (),
        settings=parsed(settings or ()),
        seed=seed,
        workers=workers,
        dask=dask,
        checkpoint=checkpoint,
        resume=resume,
        anyway=anyway,
    )
    with stages(f"ladder {board}", as_json=as_json) as progress:
        found = mapkit.ladder(board, how, variants=variants or (), workspace=workspace, progress=progress)
    print_result(texts.json_text(found.ladder) if as_json else ladder_text(found.ladder))
    if found.stopped:
        print_message(f"{board}: stopped after {found.ladder.matches:,} matches")
    if found.unsaved:
        print_message(f"error: {found.unsaved}")
        raise typer.Exit(1)


def ladder_text(found: "Ladder") -> str:
    """Lay out a ladder as tables."""
    names = [rung.policy for rung in found.rungs]
    rows = (
        (
            rung.policy,
            f"{rung.rating:+.0f} ±{rung.margin:.0f}",
            *(share_text(rung.against[name]) if name in rung.against else "" for name in names),
        )
        for rung in found.rungs
    )
    seats = ", ".join(f"{number}. {share_text(seat)}" for number, seat in enumerate(found.seats, start=1))
    facts = [
        f"{found.matches:,} matches of {found.players} players, seed {found.seed}, rules {found.preset}"
        + (f" with {', '.join(found.options)}" if found.options else ""),
        f"wins % by order of play: {seats}",
        "",
        table(("policy", "rating", *names), rows, right=range(1, len(names) + 2)),
    ]
    return "\n".join(facts)
