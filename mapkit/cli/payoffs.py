"""The group `mapkit payoffs`: its commands with their options; what they do stands in modules of their own."""

import typer

payoffs_app = typer.Typer(
    name="payoffs",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Read and compare payoff charts.",
)
