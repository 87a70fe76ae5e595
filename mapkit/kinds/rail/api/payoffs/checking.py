"""Judging payoff charts, and repairing them."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

from mapkit.core.errors import MapkitError
from mapkit.core.output import write_files
from mapkit.drawing.words.language import OWN
from mapkit.formats.files import local_path
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.own_charts import board_of_chart
from mapkit.kinds.rail.api.payoffs.correcting import corrected_chart, refuse_other_ending
from mapkit.kinds.rail.api.payoffs.reading import read_payoffs
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
from mapkit.operations.options import Argument, Flag, Hidden, Output, Workspace

_VARIANT = ".toml"
LARGEST_STEP = 10
"""Grids of payoff charts are finer, thousands."""


def check_payoffs(
    chart: str | Path,
    *,
    board: str | Path | None = None,
    coordinates: str | Path | None = None,
    step: float | None = None,
    out: str | Path | None = None,
    form: Form = "html",
    language: str = OWN,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> PayoffDiagnosis:
    """Return which amounts of a payoff chart are likely wrong, how, and what should stand there.

    Every amount is judged by all others: with a board by its rail miles too, with coordinates by great-circle miles,
    with neither by the chart alone. A board's own chart is judged with its board.

    Args:
        chart: A file or a board, as for `read_payoffs`.
        board: The board that the chart is of, as for `load`; by default the board whose own chart it is.
        coordinates: A CSV file with the columns city, lon, lat instead of a board.
        step: The grid of the amounts, thousands; inferred by default.
        out: A file in which to write the findings too; nowhere by default.
        form: How they are written there. `"html"` is a page: the matrix as a heat map of residuals, every cell with
            its route.
        language: Of the page, as in `Look`; without a board the usual language is English. Findings are English in
            every language.
        workspace: As for `load`.
        options: What the user says of the file.

    Raises:
        ChoiceError: mapkit does not print in that language.
        MapkitError: Both a board and coordinates are given.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
        OutputError: The file could not be written.
    """
    if step is not None and not 0 < step <= LARGEST_STEP:
        raise MapkitError(f"a grid of {step:g} thousand is not valid; give a step above 0, up to {LARGEST_STEP}")
    if coordinates is not None:
        if board is not None:
            raise MapkitError("a board has coordinates of its own; give --board or --coordinates, not both")
        loaded, found, judged = None, *_judged_by_coordinates(chart, Path(coordinates), step, options)
    else:
        board = board if board is not None else board_of_chart(chart, PAYOFFS, workspace=workspace)
        loaded = load(board, workspace=workspace) if board is not None else None
        found = read_payoffs(chart, board=board, workspace=workspace, options=options)
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
    step: Annotated[
        float | None,
        Flag("", "THOUSANDS", "The grid of the amounts, thousands; inferred if not given.", 0.01, LARGEST_STEP),
    ] = None,
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
