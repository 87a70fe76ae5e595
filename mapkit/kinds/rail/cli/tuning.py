"""`mapkit playtest tune`: a computer player, improved by play."""

from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console.options import BoardArg, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.console.settings import parsed
from mapkit.kinds.rail.cli.playtesting import AnywayOpt, PlayersOpt, RulesOpt, SeedOpt
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt
from mapkit.playing.tables import share_text


def tune(
    board: BoardArg,
    out: Annotated[Path, written_option("--out", "-o", metavar="FILE.toml", help="Where the policy goes.")],
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME|FILE", help="Where it starts: a shipped policy, or a file (.toml).")
    ] = "balanced",
    generations: Annotated[int, typer.Option("--generations", "-g", metavar="N", help="How long to search.")] = 20,
    matches: Annotated[
        int, typer.Option("--matches", "-n", metavar="N", help="How many each challenger plays first.")
    ] = 250,
    players: PlayersOpt = 4,
    rules: RulesOpt = None,
    options: OptionOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, max=256, help="Processors to use; all by default.")
    ] = None,
    anyway: AnywayOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
) -> None:
    """Improve a computer player by play on a board, so that studies of the board rest on good players.

    In each generation eight challengers with slightly different weights race against players with the weights before;
    the best takes over if it wins more than its share beyond doubt. At the end the policy plays against its start, with
    dice that the search did not use. Ctrl-C ends the search and writes what is found.
    """
    how = mapkit.PlayTest(
        matches=matches,
        players=players,
        policies=(policy,),
        rules=rules,
        options=options or (),
        settings=parsed(settings or ()),
        seed=seed,
        workers=workers,
        anyway=anyway,
    )
    with stages(f"tune {policy} on {board}") as progress:
        found = mapkit.tune(
            board,
            how,
            generations=generations,
            out=out,
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    rows = (
        (generation.number, share_text(generation.won), "takes over" if generation.better else "")
        for generation in found.generations
    )
    print_result(table(("generation", "best challenger wins %", ""), rows, right=(0, 1)))
    fair = 100 / players
    print_result(
        f"\nAgainst {players - 1} as at the start it wins {share_text(found.against_start)} % (as good: {fair:.1f})"
    )
    print_result(str(out))
    if found.stopped:
        print_message(f"stopped after {len(found.generations)} generations")
