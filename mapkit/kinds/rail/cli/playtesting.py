"""`mapkit playtest`: many matches by computer players."""

from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.console.settings import parsed, precision
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt
from mapkit.kinds.rail.cli.studies import study_text

MatchesOpt = Annotated[int, typer.Option("--matches", "-n", metavar="N", help="How many matches.")]
PlayersOpt = Annotated[int, typer.Option("--players", "-p", metavar="N", help="Players of a match, 2 to 6.")]
PolicyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="NAME|FILE",
        help="How all players decide (mapkit playtest policies), or repeated for each; a file (.toml) of your own.",
    ),
]
RulesOpt = Annotated[
    str | None, typer.Option("--rules", metavar="PRESET", help="ah, ici or ah-faq in place of the board's rules.")
]
SeedOpt = Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same matches.")]
WorkersOpt = Annotated[
    int | None, typer.Option("--workers", metavar="N", min=1, max=256, help="Processors to use; all by default.")
]
AnywayOpt = Annotated[bool, typer.Option("--anyway", help="Play on a board with errors too.")]


def run(
    board: BoardArg,
    matches: Annotated[
        int | None,
        typer.Option("--matches", "-n", metavar="N", help="How many matches, 1,000 by default; with --until the most."),
    ] = None,
    players: PlayersOpt = 4,
    policies: PolicyOpt = None,
    rules: RulesOpt = None,
    options: OptionOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="0.5%", help="Stop when the win rates of players and seats are so exact."),
    ] = None,
    workers: WorkersOpt = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="Of a Dask scheduler (tcp://HOST:8786), whose workers play."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep the sums there, so that the run can go on later."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    html: Annotated[
        Path | None,
        written_option("--html", metavar="FILE.html", help="Write a shareable page too: tables, plots, maps of use."),
    ] = None,
    parquet: Annotated[
        Path | None,
        written_option("--parquet", metavar="FILE.parquet", help="Write all figures as a table too, a row a figure."),
    ] = None,
    anyway: AnywayOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Play many matches: who wins, by which railroads, how long it takes, what is earned and used.

    Shares and means come with half the width of their 95 % intervals. Ctrl-C ends the run and shows what is done; with
    --checkpoint, --resume goes on from there. --json prints all figures, also those of segments and cities. The first
    run compiles for half a minute.
    """
    if resume and checkpoint is None:
        raise typer.BadParameter("say from which file: --checkpoint FILE", param_hint="--resume")
    _refuse_name(html, ".html", "--html")
    _refuse_name(parquet, ".parquet", "--parquet")
    how = mapkit.PlayTest(
        matches=matches,
        players=players,
        policies=policies or ("balanced",),
        rules=rules,
        options=options or (),
        settings=parsed(settings or ()),
        seed=seed,
        until=precision(until, "--until"),
        workers=workers,
        dask=dask,
        checkpoint=checkpoint,
        resume=resume,
        anyway=anyway,
    )
    with stages(f"playtest {board}", as_json=as_json) as progress:
        tested = mapkit.playtest(board, how, variants=variants or (), workspace=workspace, progress=progress)
    print_result(texts.json_text(tested.study) if as_json else study_text(tested.board, tested.study))
    if tested.stopped:
        print_message(f"{board}: stopped after {tested.study.matches:,} matches")
    for file in mapkit.write_study(tested, html=html, parquet=parquet):
        print_message(f"{board}: {file} written")
    if tested.unsaved:
        print_message(f"error: {tested.unsaved}")
        raise typer.Exit(1)


def replay(
    board: BoardArg,
    match: Annotated[int, typer.Option("--match", "-m", metavar="N", help="Which match of the seed, from 0 on.")] = 0,
    players: PlayersOpt = 4,
    policies: PolicyOpt = None,
    rules: RulesOpt = None,
    options: OptionOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE.jsonl", help="Write the log, a JSON line an event.")
    ] = None,
    html: Annotated[
        Path | None, written_option("--html", metavar="FILE.html", help="Write a page that plays it on the board.")
    ] = None,
    svg: Annotated[
        Path | None, written_option("--svg", metavar="FILE.svg", help="Draw the board with the trains, at the end.")
    ] = None,
    at: Annotated[
        int | None, typer.Option("--at", metavar="LINE", help="For --svg: after this line of the log instead.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE.jsonl", help="Show this log instead of playing a match.")
    ] = None,
    language: LanguageOpt = "board",
    anyway: AnywayOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
) -> None:
    """Tell one match step by step, play it on a page, draw a moment of it, or write its log.

    Engines and referees read the log. The match is the one that `mapkit playtest` plays with the same board, players,
    rules and seed under this number.
    """
    how = mapkit.PlayTest(
        players=players,
        policies=policies or ("balanced",),
        rules=rules,
        options=options or (),
        settings=parsed(settings or ()),
        seed=seed,
        anyway=anyway,
    )
    show = mapkit.Shown(log=out, html=html, svg=svg, at=at, language=language)
    with stages(f"replay {board}") as progress:
        match_log = mapkit.replay(
            board, how, match=match, log=log, show=show, variants=variants or (), workspace=workspace, progress=progress
        )
    written = [path for path in (out, html, svg) if path is not None]
    print_result(
        "\n".join(map(str, written) if written else match_log.in_words("en" if language == "board" else language))
    )
    if written:
        which = f"{log}" if log else f"match {match} of seed {seed}"
        print_message(f"{board}: {len(match_log.events):,} events of {which}")


def policies() -> None:
    """List the computer players, and what each weighs.

    A policy of your own is a TOML file: `based_on = "balanced"`, then any of the weights, as `access = 3` under
    `[purchase]`.
    """
    known = {name: late.shipped_policy(name) for name in late.SHIPPED}
    print_result(table(("policy", "what it does"), ((name, policy.about) for name, policy in known.items())))
    weights = {name: policy.weights() for name, policy in known.items()}
    rows = ((weight, *(f"{weights[name][k]:g}" for name in known)) for k, weight in enumerate(late.WEIGHTS))
    print_result("\n" + table(("weight", *known), rows, right=range(1, len(known) + 1)))


def _refuse_name(file: Path | None, ending: str, option: str) -> None:
    """Refuse the name of another format before anything is played."""
    if file is not None and file.suffix.lower() != ending:
        raise typer.BadParameter(f"{file}: give a name that ends in {ending}", param_hint=option)
