"""`mapkit playtest` on card games: many games by computer players."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.console.settings import parsed, precision
from mapkit.playing.tables import clearest_of, difference_table, mean_text, part_text, share_text, verdict_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mapkit.kinds.cards.api.playtesting import CardComparison
    from mapkit.kinds.cards.game import CardGame
    from mapkit.kinds.cards.playing.study import CardStudy
    from mapkit.playing.comparing import FigureDifference

PolicyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--policy", metavar="NAME", help="The computer player of both seats: planner, greedy or random; twice for each."
    ),
]
SetOpt = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="PATH=VALUE", help="Change a rule, as setup.bids=face. Repeatable."),
]
SeedOpt = Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same games.")]
WorkersOpt = Annotated[
    int | None, typer.Option("--workers", metavar="N", min=1, max=256, help="Processors to use; all by default.")
]
CheckpointOpt = Annotated[
    Path | None,
    typer.Option("--checkpoint", metavar="FILE", help="Keep the sums there, so that the run can go on later."),
]
ResumeOpt = Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")]
_EITHER = "A game, a game with variants (barons+only-8a), or a variant of a game."


def run(
    board: BoardArg,
    matches: Annotated[
        int | None,
        typer.Option("--matches", "-n", metavar="N", help="How many games, 1,000 by default; with --until the most."),
    ] = None,
    policies: PolicyOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="0.5%", help="Stop when the win rates of players and seats are so exact."),
    ] = None,
    workers: WorkersOpt = None,
    checkpoint: CheckpointOpt = None,
    resume: ResumeOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Play many games: who wins, how long it takes, what holdings and investors are worth.

    Players change seats after each game. Shares and means come with half the width of their 95 % intervals. Ctrl-C ends
    the run and shows what is done; with --checkpoint, --resume goes on from there. --json prints all figures.
    """
    _refuse_resume(checkpoint, resume=resume)
    how = mapkit.CardPlayTest(
        matches=matches,
        policies=policies or ("planner",),
        settings=parsed(settings or ()),
        seed=seed,
        until=precision(until, "--until"),
        workers=workers,
        checkpoint=checkpoint,
        resume=resume,
    )
    with stages(f"playtest {board}") as progress:
        tested = mapkit.playtest_cards(board, how, variants=variants or (), workspace=workspace, progress=progress)
    print_result(texts.json_text(tested.study) if as_json else study_text(tested.game, tested.study))
    if tested.stopped:
        print_message(f"{board}: stopped after {tested.study.matches:,} games")
    _refuse_unsaved(tested.unsaved)


def replay(
    board: BoardArg,
    match: Annotated[int, typer.Option("--match", "-m", metavar="N", help="Which game of the seed, from 0 on.")] = 0,
    policies: PolicyOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE.jsonl", help="Write the log, a JSON line a step.")
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
) -> None:
    """Tell one game step by step, or write its log.

    The game is the one that `mapkit playtest` plays with the same players, rules and seed under this number. Each step
    says what it changes: money, and share values.
    """
    how = mapkit.CardPlayTest(policies=policies or ("planner",), settings=parsed(settings or ()), seed=seed)
    lines = list(mapkit.replay_cards(board, how, match=match, log=out, variants=variants or (), workspace=workspace))
    print_result("\n".join(lines) if out is None else str(out))


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help=_EITHER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    matches: Annotated[int, typer.Option("--matches", "-n", metavar="N", help="How many games.")] = 1_000,
    policies: PolicyOpt = None,
    settings: SetOpt = None,
    other_settings: Annotated[
        list[str] | None,
        typer.Option("--other-set", metavar="PATH=VALUE", help="Change a rule of B alone. Repeatable."),
    ] = None,
    seed: SeedOpt = 1,
    workers: WorkersOpt = None,
    checkpoint: CheckpointOpt = None,
    resume: ResumeOpt = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Play two card games with the same random numbers and say what differs, with intervals.

    Says first whether the two differ at all; of the many figures below, one in twenty misses 0 by chance. --json prints
    all of them.
    """
    _refuse_resume(checkpoint, resume=resume)
    how = mapkit.CardPlayTest(
        matches=matches,
        policies=policies or ("planner",),
        settings=parsed(settings or ()),
        seed=seed,
        workers=workers,
        checkpoint=checkpoint,
        resume=resume,
    )
    more = parsed(other_settings or ())
    with stages(f"compare {a} {b}") as progress:
        found = mapkit.playtest_compare_cards(a, b, how, other_settings=more, workspace=workspace, progress=progress)
    print_result(
        texts.json_text(found.comparison) if as_json else comparison_text(found.comparison, settings, other_settings)
    )
    if found.stopped:
        print_message(f"stopped after {found.comparison.matches:,} games")
    _refuse_unsaved(found.unsaved)


def policies(
    board: Annotated[str | None, typer.Argument(metavar="[BOARD]", help="A card game.")] = None,
) -> None:
    """List the computer players of card games, and what they do.

    They are the same for every game.
    """
    del board
    print_result(table(("player", "what it does"), mapkit.card_players().items()))


def study_text(game: "CardGame", study: "CardStudy") -> str:
    """Lay out a study as tables."""
    changed = ", ".join(f"{path}={value}" for path, value in study.settings.items())
    facts = [
        f"{study.matches:,} games, seed {study.seed}" + (f", with {changed}" if changed else ""),
        f"operating rounds: {mean_text(study.rounds, 1)}, in {mean_text(study.sequences, 1)} sequences",
        f"moves: {mean_text(study.moves, 0)}",
        f"the winner is ahead by ${mean_text(study.margin, 0)}; ties: {share_text(study.ties)} %",
    ]
    if study.example_ladder:
        facts.append("share values that the source does not give come from the example ladder")
    sides = table(
        ("", "wins %", "worth at the end $"),
        (
            (name, share_text(one.wins), mean_text(one.worth, 0))
            for name, one in (
                *((f"player {at} ({one.name})", one) for at, one in enumerate(study.players, start=1)),
                *((f"seat {one.name}", one) for one in study.seats),
            )
        ),
        right=(1, 2),
    )
    names = {one.id: one.name for one in game.holdings} | {one.id: one.name or one.id for one in game.investors}
    holdings = table(
        ("holding", "operates %", "value at the end $", "earns $", "Director wins %"),
        (
            (
                names[one.holding],
                share_text(one.operates),
                mean_text(one.value, 0),
                mean_text(one.income, 0),
                share_text(one.director),
            )
            for one in study.holdings
        ),
        right=(1, 2, 3, 4),
    )
    investors = table(
        ("investor", "face $", "named in the draft $", "who has it wins %"),
        (
            (names[one.investor], f"{one.face:,}", mean_text(one.price, 0), share_text(one.wins))
            for one in study.investors
        ),
        right=(1, 2, 3),
    )
    levels = table(
        ("level", "comes in % of games", "in sequence"),
        ((one.level, share_text(one.comes), mean_text(one.sequence, 1)) for one in study.levels),
        right=(1, 2),
    )
    return "\n\n".join(["\n".join(facts), sides, holdings, investors, levels])


def comparison_text(
    found: "CardComparison", settings: list[str] | None = None, other_settings: list[str] | None = None
) -> str:
    """Lay out a comparison as tables."""
    players = " against ".join(found.policies)
    of_match = [f for f in found.figures if f.part in ("match", "player", "seat")]
    others = [f for f in found.figures if f.part not in ("match", "player", "seat")]
    return "\n".join(
        [
            f"A: {_with(found.a, settings or ())}",
            f"B: {_with(found.b, [*(settings or ()), *(other_settings or ())])}",
            f"{found.matches:,} games ({players}) of each",
            verdict_text(found.chance, different=found.different),
            "",
            difference_table(of_match, _called),
            "",
            "Holdings and investors: what differs most clearly",
            difference_table(clearest_of(others), _called),
        ]
    )


def _called(figure: "FigureDifference") -> str:
    return f"{part_text(figure)} {figure.figure}".strip()


def _with(name: str, settings: "Iterable[str]") -> str:
    changed = ", ".join(settings)
    return f"{name} with {changed}" if changed else name


def _refuse_resume(checkpoint: Path | None, *, resume: bool) -> None:
    if resume and checkpoint is None:
        raise typer.BadParameter("say from which file: --checkpoint FILE", param_hint="--resume")


def _refuse_unsaved(trouble: str) -> None:
    if trouble:
        print_message(f"error: {trouble}")
        raise typer.Exit(1)
