"""Options that commands on rules share."""

from typing import Annotated

import typer

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
