"""The group `mapkit payoffs`: its commands with their options; what they do stands in modules of their own."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.cli.options import JsonOpt, WorkspaceOpt

payoffs_app = typer.Typer(
    name="payoffs",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Read, compare, compute and check payoff charts.",
)

BoardOpt = Annotated[
    str | None,
    typer.Option(
        "--board", "-b", metavar="BOARD", help="The board whose cities the chart is for, as for mapkit build."
    ),
]
UnitOpt = Annotated[
    str | None,
    typer.Option(
        "--unit",
        "-u",
        metavar="dollars|thousands|N",
        help="What 1 in the file is worth; told from the numbers if not given.",
    ),
]
DecimalOpt = Annotated[
    str | None, typer.Option("--decimal", metavar=".|,", help="The decimal sign; told from the numbers if not given.")
]
StepOpt = Annotated[float, typer.Option("--step", min=0.01, max=10, help="The grid of the amounts, thousands.")]
AcceptOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        "-a",
        metavar="TYPED=CITY",
        help="This spelling is that city (id or name); - leaves it out. Repeatable.",
    ),
]


@payoffs_app.command("read")
def read(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, TSV, XLSX, JSON, Markdown, or copied text.")],
    board: BoardOpt = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="CSV", help="Write the chart there, as charts/payoffs.csv is.")
    ] = None,
    gaps: Annotated[
        bool, typer.Option("--gaps", help="Write it also if cells could not be read: they stay empty.")
    ] = False,
    unit: UnitOpt = None,
    decimal: DecimalOpt = None,
    accept: AcceptOpt = None,
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="NAME", help="The sheet, if a workbook has several.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind", metavar="KIND", help="csv, tsv, semicolon, pipe, markdown, text, json, xlsx; told from the file."
        ),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Read a payoff chart from any file and say what was understood.

    A square or a triangle, with the diagonal or without, a list of pairs; amounts like 25.5, 25,500 or $25.5. City
    names are matched to the board's but for case, accents, punctuation, Saint, Fort and states; other spellings are
    offered and taken only with --accept. Exits 1 if a cell could not be read.
    """
    from mapkit.cli import payoff_reading  # noqa: PLC0415

    payoff_reading.read(
        file,
        board=board,
        out=out,
        gaps=gaps,
        told=payoff_reading.options(unit=unit, decimal=decimal, accept=accept or (), sheet=sheet, kind=kind),
        workspace=workspace,
        as_json=as_json,
    )


@payoffs_app.command("diff")
def diff(
    charts: Annotated[
        list[str], typer.Argument(metavar="CHART...", help="Two or more: files as for payoffs read, or boards.")
    ],
    board: BoardOpt = None,
    geometry: Annotated[
        str | None,
        typer.Option(
            "--geometry",
            "-g",
            "--expected",
            "-e",
            metavar="board|none|CHART",
            help="What amounts are held against: the model of payoffs check on the board's track (so by default if "
            "the board has track), nothing, or a chart, such as a computed one.",
        ),
    ] = None,
    sd: Annotated[
        float | None,
        typer.Option("--sd", metavar="X", help="How far off that CHART is as a rule, thousands; told if not given."),
    ] = None,
    step: StepOpt = 0.5,
    unit: UnitOpt = None,
    decimal: DecimalOpt = None,
    accept: AcceptOpt = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|csv", help="How to print what was found.")
    ] = "text",
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Line up payoff charts: every cell in which they disagree, with votes.

    Charts with more errors in common than chance gives have a common source; such a family has one vote. It is said
    which reading the geometry supports, if the difference is beyond its noise.
    """
    if form not in ("text", "json", "csv"):
        raise typer.BadParameter(f"{form!r} is none of text, json, csv", param_hint="--format")
    if geometry == "board" and board is None:
        raise typer.BadParameter("the geometry of a board takes a board: --board usa", param_hint="--geometry")
    if sd is not None and (geometry in (None, "board", "none") or not 0 < sd <= 1000):  # noqa: PLR2004 - thousands
        raise typer.BadParameter("--sd goes with --geometry CHART, and is more than 0", param_hint="--sd")
    from mapkit.cli import payoff_comparing, payoff_reading  # noqa: PLC0415

    payoff_comparing.diff(
        charts,
        board=board,
        geometry=geometry,
        sd=sd,
        step=step,
        told=payoff_reading.options(unit=unit, decimal=decimal, accept=accept or ()),
        form="json" if as_json else form,
        workspace=workspace,
    )


@payoffs_app.command("check")
def check(
    file: Annotated[Path, typer.Argument(metavar="CHART", help="A payoff chart, as for mapkit payoffs read.")],
    board: BoardOpt = None,
    coordinates: Annotated[
        Path | None,
        typer.Option("--coordinates", "-c", metavar="CSV", help="Without a board: a table of city, lon, lat."),
    ] = None,
    step: StepOpt = 0.5,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|csv|sarif|html", help="How to print the findings.")
    ] = "text",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write them there; html needs it.")
    ] = None,
    unit: UnitOpt = None,
    decimal: DecimalOpt = None,
    accept: AcceptOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Say which amounts of a payoff chart are likely wrong, how, and what should stand there.

    Each amount is judged by all others: with --board by its rail miles too, with --coordinates by great-circle miles,
    else by the chart alone. Finds single cells, shifted rows, exchanged cities, mis-scaled rows, triangle violations.
    html is a page with the chart as a heat map, every cell with its route. Exits 1 if there are errors.
    """
    if form not in ("text", "json", "csv", "sarif", "html"):
        raise typer.BadParameter(f"{form!r} is none of text, json, csv, sarif, html", param_hint="--format")
    form = "json" if as_json else form
    if form == "html" and out is None:
        raise typer.BadParameter("a page needs a file: --format html --out page.html", param_hint="--out")
    if board is not None and coordinates is not None:
        raise typer.BadParameter("a board has coordinates of its own; give one of the two", param_hint="--coordinates")
    from mapkit.cli import payoff_checking, payoff_reading  # noqa: PLC0415

    told = payoff_reading.options(unit=unit, decimal=decimal, accept=accept or [])
    code = payoff_checking.check(
        file,
        board=board,
        coordinates=coordinates,
        step=step,
        form=form,
        out=out,
        told=told,
        workspace=workspace,
    )
    raise typer.Exit(code)


@payoffs_app.command("repair")
def repair(
    file: Annotated[Path, typer.Argument(metavar="CHART", help="A payoff chart, as for mapkit payoffs read.")],
    board: Annotated[str, typer.Option("--board", "-b", metavar="BOARD", help="The board, as for mapkit build.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="TOML", help="The variant file to write.")],
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", "-a", metavar="ID", help="A finding to accept, as P08:atlanta:casper. Repeatable."),
    ] = None,
    least: Annotated[
        float | None, typer.Option("--least", min=0, max=1, help="Accept every cell with this score or more.")
    ] = None,
    step: StepOpt = 0.5,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write accepted corrections of a payoff chart as a variant, each with its reason."""
    from mapkit.cli import payoff_checking, payoff_reading  # noqa: PLC0415

    told = payoff_reading.options(unit=None, decimal=None, accept=[])
    payoff_checking.repair(
        file,
        board=board,
        accept=accept or [],
        least=least,
        step=step,
        out=out,
        told=told,
        workspace=workspace,
        as_json=as_json,
    )


@payoffs_app.command("compute")
def compute(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="The board, as for mapkit build.")],
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="NAME", help="Calibrate rail, ground, moves, rail-ground or rail-ground-moves."
        ),
    ] = None,
    like: Annotated[
        str | None, typer.Option("--like", metavar="CHART", help="Calibrate on this chart, not on the board's own.")
    ] = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Calibrate although board.toml has a model ([payoffs]).")
    ] = False,
    step: Annotated[
        float | None,
        typer.Option("--step", min=0.01, max=10, help="The grid, thousands; the model's, or 0.5, by default."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="CSV", help="Write the chart there, as charts/payoffs.csv is.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compute a payoff chart from distances: by the model in board.toml, else by one calibrated on a chart.

    Calibrating is robust regression; it prints how well the model fits, its parameters with 95 % intervals, and the
    amounts it explains least.
    """
    from mapkit.cli import payoff_computing  # noqa: PLC0415

    payoff_computing.compute(
        board,
        model=model,
        like=like,
        calibrate=calibrate,
        step=step,
        out=out,
        workspace=workspace,
        as_json=as_json,
    )
