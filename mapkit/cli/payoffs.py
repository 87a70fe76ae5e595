"""The group `mapkit payoffs`: its commands with their options; what they do stands in modules of their own."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.cli.options import JsonOpt, WorkspaceOpt

payoffs_app = typer.Typer(
    name="payoffs",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Read and compare payoff charts.",
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
