"""The group `mapkit destinations`: its commands with their options; what they do stands in modules of their own."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from mapkit.cli.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt

destinations_app = typer.Typer(
    name="destinations",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Odds of destinations; solve, read, check and compare destination charts.",
)

OutOpt = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the charts there, as CSV.")]
CsvOpt = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
SecondsOpt = Annotated[
    float, typer.Option("--seconds", min=0.05, max=3600, help="Longest time for one chart; then the best so far.")
]
WeightsOpt = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="cities|population",
        help="Where cities without a weight get theirs; as board.toml says by default.",
    ),
]


AcceptOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        "-a",
        metavar="TYPED=NAME",
        help="This spelling is that region or city (id or name); - leaves the cell empty. Repeatable.",
    ),
]


def _weights(value: str | None) -> str | None:
    if value not in (None, "cities", "population"):
        raise typer.BadParameter(f"{value!r} is neither cities nor population", param_hint="--weights")
    return value


@destinations_app.command("odds")
def odds(
    board: BoardArg,
    railroads: Annotated[
        str | None,
        typer.Option("--railroads", "-r", metavar="PA,NYC,...", help="A player's railroads, for the policy network."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the odds as circles on the board.")
    ] = None,
    policy: Annotated[
        str,
        typer.Option("--policy", "-p", metavar="chart|random|payoff|nearest|network", help="Whose odds --svg draws."),
    ] = "chart",
    as_csv: CsvOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Say how likely each region and city is, by the charts and in the long run.

    A player whose roll names his own region chooses one; the long-run odds follow from how: at random, for the best
    payoff, the nearest, or the own network. They are solved exactly, not rolled. With trips and payoffs by policy.
    """
    if policy not in ("chart", "random", "payoff", "nearest", "network"):
        raise typer.BadParameter(f"{policy!r} is no policy", param_hint="--policy")
    from mapkit.cli import destination_odds  # noqa: PLC0415

    destination_odds.odds(
        board,
        railroads=railroads,
        svg=svg,
        policy=policy,
        as_csv=as_csv,
        variants=variants or (),
        workspace=workspace,
        as_json=as_json,
    )


@destinations_app.command("solve")
def solve(
    target: Annotated[
        str,
        typer.Argument(
            metavar="BOARD|FILE", help="A board's source package, or a table of wishes for one chart (.csv)."
        ),
    ],
    weights: WeightsOpt = None,
    wanted: Annotated[
        Path | None,
        typer.Option("--wanted", metavar="CSV", help="Wishes, in place of the board's charts/wanted.csv."),
    ] = None,
    at_least: Annotated[
        list[str] | None, typer.Option("--at-least", metavar="NAME=3/72", help="A floor; also NAME=4%. Repeatable.")
    ] = None,
    at_most: Annotated[
        list[str] | None, typer.Option("--at-most", metavar="NAME=9/72", help="A ceiling. Repeatable.")
    ] = None,
    exactly: Annotated[
        list[str] | None, typer.Option("--exactly", metavar="NAME=5/72", help="Neither more nor less. Repeatable.")
    ] = None,
    not_2_12: Annotated[
        list[str] | None, typer.Option("--not-2-12", metavar="NAME", help="No cell of 2 or 12. Repeatable.")
    ] = None,
    fix: Annotated[
        list[str] | None, typer.Option("--fix", metavar="'even 7=NAME'", help="Whose a cell is. Repeatable.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the board's charts/destinations.csv; what is there is replaced.")
    ] = False,
    out: OutOpt = None,
    seconds: SecondsOpt = 5.0,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Make the charts whose odds come nearest to weights, with proof.

    First the largest deviation is made least, then their sum, then the number of runs of equal cells; the first in
    chart order among the best is taken, so the answer is the same everywhere. Says what cannot be had, and why.
    Ctrl-C prints the best so far, with its gap. NAME is a region or city, CHART:NAME where both have the name.
    """
    _weights(weights)
    from mapkit.cli import destination_solving  # noqa: PLC0415

    code = destination_solving.solve(
        target,
        told=destination_solving.bounds(at_least, at_most, exactly, not_2_12, fix),
        weights=weights,
        wanted=wanted,
        write=write,
        out=out,
        seconds=seconds,
        workspace=workspace,
        as_json=as_json,
    )
    sys.exit(code)


@destinations_app.command("regions")
def regions(
    board: BoardArg,
    count: Annotated[int | None, typer.Option("--count", "-n", min=1, max=40, help="How many regions.")] = None,
    shares: Annotated[
        str | None, typer.Option("--shares", metavar="15,12,...", help="Wanted odds of the regions; equal by default.")
    ] = None,
    least: Annotated[int, typer.Option("--least", min=1, max=22, help="Fewest cities of a region.")] = 8,
    most: Annotated[int, typer.Option("--most", min=1, max=22, help="Most cities of a region.")] = 12,
    network: Annotated[
        bool, typer.Option("--network", help="Cities are neighbours if the rails join them past no other city.")
    ] = False,
    weights: WeightsOpt = None,
    seconds: SecondsOpt = 5.0,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Propose regions: contiguous, of 8 to 12 cities, near wanted odds.

    Cities are neighbours if no other lies in the circle between them, or by the rails. Prints the regions, each with
    what it was to get and gets.
    """
    _weights(weights)
    from mapkit.cli import destination_solving  # noqa: PLC0415

    destination_solving.regions(
        board,
        count=count,
        shares=shares,
        sizes=(least, most),
        network=network,
        weights=weights,
        seconds=seconds,
        workspace=workspace,
        as_json=as_json,
    )


@destinations_app.command("check")
def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV, TSV, Markdown, XLSX, JSON or copied text with charts.")
    ],
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="The board that the charts are for.")
    ] = None,
    declared: Annotated[
        Path | None,
        typer.Option("--declared", metavar="FILE", help="Declared odds: chart, name, odds; FILE may hold them too."),
    ] = None,
    chart: Annotated[
        str | None, typer.Option("--chart", metavar="NAME", help="Whose chart it is, if the file does not say.")
    ] = None,
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="NAME", help="The sheet, if a workbook has several.")
    ] = None,
    accept: AcceptOpt = None,
    out: OutOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Read destination charts from any file and check them; against declared odds, too.

    Layouts: chart, sum, odd, even; a long list with chart, column, sum, name; a column a chart; text copied from a PDF
    or a page. Misspelt names are offered and taken only with --accept. Exits 1 if there are errors.
    """
    from mapkit.cli import destination_files  # noqa: PLC0415

    sys.exit(
        destination_files.check(
            file,
            board=board,
            declared=declared,
            chart=chart,
            sheet=sheet,
            accept=accept or (),
            out=out,
            workspace=workspace,
            as_json=as_json,
        )
    )


@destinations_app.command("diff")
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A file with charts, or a board.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="The board whose names the files use.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compare two destination charts: cells that differ, and the odds that change with them."""
    from mapkit.cli import destination_files  # noqa: PLC0415

    destination_files.diff(a, b, board=board, workspace=workspace, as_json=as_json)
