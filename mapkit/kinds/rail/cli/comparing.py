"""`mapkit playtest compare`: two boards, variants or rules by play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages
from mapkit.console.settings import parsed
from mapkit.console.variants import EITHER
from mapkit.kinds.rail.cli.playtesting import AnywayOpt, MatchesOpt, PlayersOpt, PolicyOpt, SeedOpt, WorkersOpt
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt
from mapkit.playing.tables import clearest_of, difference_table, part_text, verdict_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from mapkit.kinds.rail.model.comparison import Comparison, PlayedOn
    from mapkit.playing.comparing import FigureDifference


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help=EITHER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    matches: MatchesOpt = 10_000,
    players: PlayersOpt = 4,
    policies: PolicyOpt = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="PRESET", help="ah, ici or ah-faq on both; repeated: on A, then on B."),
    ] = None,
    options: OptionOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    other_seed: Annotated[
        int | None, typer.Option("--other-seed", metavar="N", help="The seed of B, to play with other dice there.")
    ] = None,
    workers: WorkersOpt = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep the sums there, so that the run can go on later."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    anyway: AnywayOpt = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Play the same matches on two boards and say what differs, with intervals.

    Both have the same dice, so intervals are narrower than from two runs apart. Says first whether the two differ at
    all; of the many figures below, one in twenty misses 0 by chance. --json prints all of them.
    """
    if resume and checkpoint is None:
        raise typer.BadParameter("say from which file: --checkpoint FILE", param_hint="--resume")
    how = mapkit.PlayTest(
        matches=matches,
        players=players,
        policies=policies or ("balanced",),
        options=options or (),
        settings=parsed(settings or ()),
        seed=seed,
        workers=workers,
        checkpoint=checkpoint,
        resume=resume,
        anyway=anyway,
    )
    with stages(f"compare {a} {b}", as_json=as_json) as progress:
        found = mapkit.playtest_compare(
            a, b, how, rules=rules or (), other_seed=other_seed, workspace=workspace, progress=progress
        )
    marks = {r.id: r.short for board in (found.one, found.other) for r in board.railroads}
    print_result(texts.json_text(found.comparison) if as_json else comparison_text(found.comparison, marks))
    if found.stopped:
        print_message(f"stopped after {found.comparison.matches:,} matches")
    if found.unsaved:
        print_message(f"error: {found.unsaved}")
        raise typer.Exit(1)


def comparison_text(found: "Comparison", marks: dict[str, str]) -> str:
    """Lay out a comparison as tables; `marks` are those of railroads by id."""
    players = ", ".join(dict.fromkeys(found.policies))
    of_match = [f for f in found.figures if f.part != "railroad"]
    of_railroads = [f for f in found.figures if f.part == "railroad"]
    return "\n".join(
        [
            f"A: {_called(found.a)}",
            f"B: {_called(found.b)}",
            f"{found.matches:,} matches of {len(found.policies)} players ({players}) on each",
            verdict_text(found.chance, different=found.different),
            "",
            difference_table(of_match, _named(marks)),
            "",
            "Railroads: what differs most clearly",
            difference_table(clearest_of(of_railroads), _named(marks)),
        ]
    )


def _named(marks: dict[str, str]) -> "Callable[[FigureDifference], str]":
    """Return what names a figure: railroads by their marks."""
    return lambda figure: (
        f"{marks[figure.id] if figure.part == 'railroad' else part_text(figure)} {figure.figure}".strip()
    )


def _called(played: "PlayedOn") -> str:
    rules = played.preset + (f" with {', '.join(played.options)}" if played.options else "")
    return f"{'+'.join([played.board, *played.variants])}, rules {rules}, seed {played.seed}"
