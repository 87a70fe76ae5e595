"""Judging payoff charts, and repairing them."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, get_args

from mapkit.core.errors import ChoiceError, MapkitError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress
from mapkit.drawing.words.language import OWN
from mapkit.formats.files import local_path
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.own_charts import board_of_chart
from mapkit.kinds.rail.api.payoffs.correcting import corrected_chart, refuse_other_ending
from mapkit.kinds.rail.api.payoffs.reading import ChartBoard, part_pages, read_several
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances, great_circle
from mapkit.kinds.rail.checks.payoff_chart.check import check_chart, judge_board
from mapkit.kinds.rail.checks.payoff_chart.repairs import list_accepted_amounts, make_repairs
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.model.payoffs.diagnosis import PayoffDiagnosis, PayoffRepairs
from mapkit.kinds.rail.render.payoff_page.diagnosis_formats import Form, format_diagnosis
from mapkit.kinds.rail.sources.city_coordinates import read_city_coordinates
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions
from mapkit.kinds.rail.sources.payoffs.files import PAIRS, read_payoff_file
from mapkit.kinds.rail.sources.table_files import PAYOFFS
from mapkit.operations.options import Argument, Fields, Flag, Hidden, Language, Output, Workspace

_VARIANT = ".toml"
LARGEST_STEP = 10
"""Grids of payoff charts are finer, thousands."""
ChartStep = Annotated[
    float | None,
    Flag("", "THOUSANDS", "The grid of the amounts, thousands; inferred if not given.", 0.01, LARGEST_STEP),
]


def check_payoffs(
    chart: Annotated[
        str | Path | Sequence[str | Path], Argument("", "CHART...", "A payoff chart, as for mapkit payoffs read.")
    ],
    *,
    board: ChartBoard = None,
    coordinates: Annotated[str | Path | None, Flag("-c", "CSV", "Without a board: a table of city, lon, lat.")] = None,
    step: ChartStep = None,
    form: Annotated[
        Form | None,
        Flag(
            "--format -f",
            "text|json|csv|sarif|html",
            "How to print the findings; by default as the name of FILE ends, else text.",
        ),
    ] = None,
    out: Annotated[str | Path | None, Output("-o", "FILE", "Write them there; html needs it.")] = None,
    language: Language = OWN,
    options: Annotated[ReadOptions | None, Fields("unit decimal accept accept_ocr names pages", leave_out=True)] = None,
    workspace: Workspace = None,
    progress: Progress | None = None,
) -> PayoffDiagnosis:
    """List the amounts of a payoff chart that are probably wrong, how, and what they should be.

    Each amount is judged by all others: with --board by its rail miles too, with --coordinates by great-circle miles,
    else by the chart alone. A board's own chart is judged with its board. Finds single cells, shifted rows, exchanged
    cities, mis-scaled rows, triangle violations. html is a page with the chart as a heat map, every cell with its
    route. Cells that a picture leaves in doubt are listed with what is expected of them. Exits 1 if there are errors or
    such cells.

    Args:
        chart: A file or a board, as for `read_payoffs`.
        board: The board that the chart is of, as for `load`; by default the board whose own chart it is.
        coordinates: A CSV file with the columns city, lon, lat instead of a board.
        step: The grid of the amounts, thousands; inferred by default.
        form: How they are written in `out`; by default as its name ends (.html, .json, .csv, .sarif), else as text.
            `"html"` is a page: the matrix as a heat map of residuals, every cell with its route.
        out: A file in which to write the findings too; nowhere by default.
        language: Of the page, as in `Look`; without a board the usual language is English. Findings are English in
            every language.
        options: What the user says of the file.
        workspace: As for `load`.

    Raises:
        ChoiceError: mapkit does not print in that language, only a page has one, a page needs a file, or both a board
            and coordinates are given.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
        OutputError: The file could not be written.
    """
    form = form or _form_of(out)
    if form == "html" and out is None:
        raise ChoiceError("a page needs a file: --format html --out page.html")
    if form != "html" and language != OWN:
        raise ChoiceError("--language sets the language of the page; give --format html too")
    chart, options = part_pages(chart, options, progress)
    if step is not None and not 0 < step <= LARGEST_STEP:
        raise MapkitError(f"a grid of {step:g} thousand is not valid; give a step above 0, up to {LARGEST_STEP}")
    if coordinates is not None:
        if board is not None:
            raise ChoiceError("a board has coordinates of its own; give --board or --coordinates, not both")
        loaded, found, judged = None, *_judged_by_coordinates(chart, Path(coordinates), step, options)
    else:
        board = board if board is not None else board_of_chart(chart, PAYOFFS, workspace=workspace)
        loaded = load(board, workspace=workspace) if board is not None else None
        (found,) = read_several([chart], board=board, workspace=workspace, options=options)
        if found.layout == PAIRS:  # no two of its amounts stand side by side, so any order will do: the usual one
            order = loaded.payoffs.cities if loaded is not None else sorted(found.chart.cities)
            found = found.model_copy(update={"chart": found.chart.reordered(order)})
        if loaded is None:
            names = {match.city: match.typed for match in reversed(found.names)}
            judged = check_chart(found.chart, distances=None, names=names, step=step, unread=found.not_read)
        elif found.kind == "board" and found.chart.cities == loaded.payoffs.cities:
            judged = judge_board(loaded, step).model_copy(update={"chart": found.chart.file})
        else:
            names = {city.id: city.name for city in loaded.cities}
            distances = board_distances(loaded, found.chart.cities)
            judged = check_chart(
                found.chart, distances=distances, names=names, step=step, board=loaded, unread=found.not_read
            )
    judged = judged.model_copy(update={"in_doubt": found.in_doubt, "left_out": found.left_out})
    if out is not None:
        write_files(Path(out).parent, {Path(out).name: format_diagnosis(judged, form, board=loaded, language=language)})
    return judged


def _form_of(out: str | Path | None) -> Form:
    """Return the form of a file with findings by its name."""
    suffix = "" if out is None else Path(out).suffix.casefold().removeprefix(".")
    return next((form for form in get_args(Form) if form == suffix), "text")


def _judged_by_coordinates(
    chart: str | Path, coordinates: Path, step: float | None, options: ReadOptions | None
) -> tuple[PayoffsRead, PayoffDiagnosis]:
    places = {p.city.id: p for p in read_city_coordinates(coordinates, file=str(coordinates))}
    known = [place.city for place in places.values()]
    found = read_payoff_file(local_path(chart), file=str(chart), board=str(coordinates), cities=known, options=options)
    cities = found.chart.cities
    ground = great_circle([places[c].lon for c in cities], [places[c].lat for c in cities])
    names = {place.city.id: place.city.name for place in places.values()}
    return found, check_chart(
        found.chart, distances=CityDistances(cities, ground), names=names, step=step, unread=found.not_read
    )


def repair_payoffs(
    chart: Annotated[str | Path, Argument("", "CHART", "A payoff chart, as for mapkit payoffs read.")],
    *,
    board: Annotated[str | Path, Flag("-b", "BOARD", "The board, as for mapkit build.", reading="name")],
    out: Annotated[
        str | Path | None,
        Output("-o", "CHART", "The corrected chart to write, with the ending of CHART; .toml means --variant."),
    ] = None,
    variant: Annotated[str | Path | None, Output("--variant", "TOML", "The variant file to write.")] = None,
    accept: Annotated[
        Collection[str], Flag("-a", "ID", "A finding to accept, as P08:atlanta:casper. Repeatable.")
    ] = (),
    least: Annotated[float | None, Flag("", "SHARE", "Accept every cell with this score or more.", 0, 1)] = None,
    step: ChartStep = None,
    options: Annotated[ReadOptions | None, Hidden] = None,
    workspace: Workspace = None,
) -> PayoffRepairs:
    """Write accepted corrections of a payoff chart as a variant, each with its reason, or into a copy of the chart.

    The copy has the layout that came: only the corrected cells differ. For JSON, and charts with commas,
    semicolons, tabs or bars between the cells.

    Args:
        chart: A file or a board, as for `read_payoffs`. The variant corrects the board's own amounts, and leaves alone
            those that are wrong in the chart only.
        board: The board that the chart is of, as for `load`.
        out: The corrected chart to write; nowhere by default.
        variant: The variant file to write; nowhere by default.
        accept: Ids of findings of `check_payoffs`.
        options: What the user says of the file.

    Raises:
        MapkitError: `out` has another ending than the chart. Nothing was accepted, the board has all accepted amounts
            already (and no chart is written), or a finding named is not in the chart.
        SourceError: As for `check_payoffs`, or cells of the chart cannot be corrected one by one; likewise
            UnknownNameError, WorkspaceError and OutputError.
    """
    if out is not None and Path(out).suffix.casefold() == _VARIANT:
        if variant is not None:
            raise MapkitError(f"{out} and {variant} are both variant files; name one")
        out, variant = None, out
    if variant is not None and Path(variant).suffix.casefold() != _VARIANT:
        raise MapkitError(f"{variant}: a variant file ends in {_VARIANT}")
    if out is not None:
        refuse_other_ending(chart, out)
    found = check_payoffs(chart, board=board, step=step, workspace=workspace, options=options)
    name = f"{found.board}-payoffs" if variant is None else Path(variant).stem
    own = load(board, workspace=workspace).payoffs
    empty = out is not None and variant is None
    repairs = make_repairs(found, board=str(board), own=own, name=name, accept=accept, least=least, empty=empty)
    if out is not None:
        amounts = list_accepted_amounts(found, accept=accept, least=least)
        content, cells = corrected_chart(chart, amounts, board=board, workspace=workspace, options=options)
        repairs = repairs.model_copy(update={"cells": cells})
        write_files(Path(out).parent, {Path(out).name: content})
    if variant is not None:
        write_files(Path(variant).parent, {Path(variant).name: repairs.variant})
    return repairs
