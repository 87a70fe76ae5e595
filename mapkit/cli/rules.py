"""The group `mapkit rules`: its commands with their options; what they do stands in a module of its own."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.cli.options import JsonOpt, WorkspaceOpt

rules_app = typer.Typer(
    name="rules",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Show, compare and check the rules of a game, and write its rule sheet.",
)

TargetArg = Annotated[
    str,
    typer.Argument(metavar="[BOARD|PRESET|FILE.toml]", help="A preset (ah, ici, ah-faq), a board, or a rules file."),
]
OptionOpt = Annotated[
    list[str] | None,
    typer.Option("--option", "-O", metavar="NAME[=AMOUNT]", help="Switch this option on. Repeatable."),
]
SetOpt = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="PATH=VALUE", help="Set a single setting, as fees.own=0. Repeatable."),
]


@rules_app.command("show")
def show(
    target: TargetArg = "ah",
    options: OptionOpt = None,
    settings: SetOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Show every setting of the rules with its value, its rows, and what the sources leave open."""
    from mapkit.cli import rules_showing  # noqa: PLC0415

    rules_showing.show(target, options=options or (), settings=settings or (), workspace=workspace, as_json=as_json)


@rules_app.command("options")
def options(as_json: JsonOpt = False) -> None:
    """List the options that can be switched on, with what each sets, needs and contradicts."""
    from mapkit.cli import rules_showing  # noqa: PLC0415

    rules_showing.options(as_json=as_json)


@rules_app.command("diff")
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A preset, a board, or a rules file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compare two sets of rules: every matter in which they disagree, in words."""
    from mapkit.cli import rules_showing  # noqa: PLC0415

    rules_showing.diff(a, b, workspace=workspace, as_json=as_json)


@rules_app.command("check")
def check(
    target: TargetArg = "usa",
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Check rules: contradictions, what the sources leave open, and whether they fit the board.

    Exits 1 if the rules contradict themselves or a check finds an error.
    """
    from mapkit.cli import rules_showing  # noqa: PLC0415

    raise typer.Exit(rules_showing.check(target, workspace=workspace, as_json=as_json))


@rules_app.command("sheet")
def sheet(
    target: TargetArg = "usa",
    options: OptionOpt = None,
    settings: SetOpt = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.md|FILE.html", help="Write it there; HTML is one page to print."),
    ] = None,
    workspace: WorkspaceOpt = None,
) -> None:
    """Write a rule sheet for the players at the table, in plain words, for exactly the options chosen.

    Markdown, or with --out FILE.html one page to print on A4 or Letter.
    """
    from mapkit.cli import rules_showing  # noqa: PLC0415

    rules_showing.sheet(target, options=options or (), settings=settings or (), out=out, workspace=workspace)
