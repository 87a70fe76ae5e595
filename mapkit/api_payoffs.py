"""Everything that the commands do with payoff charts, as one call each."""

from collections.abc import Collection, Sequence
from pathlib import Path

from mapkit.api import load
from mapkit.bundle import payoffs_table
from mapkit.charts.payoff_diff import FixedGeometry, Geometry, PayoffDiff, diff_charts, named_apart
from mapkit.charts.payoff_readings import board_read
from mapkit.errors import MapkitError, UnknownNameError
from mapkit.model.board import Board
from mapkit.model.payoff_chart import PayoffsRead
from mapkit.model.payoff_diagnosis import PayoffDiagnosis, PayoffRepairs
from mapkit.model.payoff_model import ComputedPayoffs, ModelName, PayoffModel
from mapkit.output import write_files
from mapkit.sources.board_cities import board_cities
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.config import parse_config
from mapkit.sources.files import read_text
from mapkit.sources.payoff_files import ReadOptions, read_payoff_file
from mapkit.sources.workspace import open_workspace

LARGEST_STEP = 10
"""Grids of payoff charts are finer, thousands."""


def read_payoffs(
    chart: str | Path,
    *,
    board: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> PayoffsRead:
    """Return what a payoff chart's file holds, with its cities matched to a board's.

    Args:
        chart: A file (CSV, TSV, XLSX, JSON, Markdown, copied text), or a board, as for `load`: its own chart.
        board: The board whose cities the chart is for, as for `load`; without one the chart's own names are ids.
        workspace: As for `load`.
        options: What the user says about the file.

    Raises:
        SourceError: The file is no payoff chart, or names cities that the board has not.
        UnknownNameError: There is no such board, or neither such a file nor such a board.
        WorkspaceError: A file may not be read.
    """
    path = Path(chart)
    if not path.is_file():
        space = open_workspace(workspace)
        if str(chart) in space.boards() or path.is_dir():
            return board_read(load(chart, workspace=workspace), name=str(chart))
        raise UnknownNameError(f"{chart}: neither a file nor a board; boards are {', '.join(space.boards())}")
    if board is None:
        return read_payoff_file(path, file=str(chart), options=options)
    known = board_cities(open_workspace(workspace), str(board))
    return read_payoff_file(
        path, file=str(chart), board=known.title, cities=known.cities, payoff_unit=known.payoff_unit, options=options
    )


def diff_payoffs(  # noqa: PLR0913 - the charts, their board, and what speaks for a reading
    charts: Sequence[str | Path],
    *,
    board: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
    geometry: Geometry | str | Path | None = None,
    sd: float | None = None,
    step: float = 0.5,
) -> PayoffDiff:
    """Return where payoff charts disagree, how they vote, which have a common source, and what geometry supports.

    Args:
        charts: Files or boards, as for `read_payoffs`, two or more.
        board: As for `read_payoffs`.
        workspace: As for `load`.
        options: What the user says of all files.
        geometry: A model of what pairs of cities should pay: `"board"` for the model that judges a chart by the
            board's track and the amounts on which most charts agree (`board` must be given), the file of a chart,
            such as a computed one, or a function.
        sd: Where `geometry` is a chart: how far off it is as a rule, thousands; told from the amounts by default.
        step: The grid of the amounts, thousands.

    Raises:
        MapkitError: There are fewer than two charts, or they have no cities in common.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
    """
    read = [read_payoffs(chart, board=board, workspace=workspace, options=options).chart for chart in charts]
    if geometry == "board":
        geometry = _board_geometry(board, workspace, step)
    elif isinstance(geometry, str | Path):
        geometry = FixedGeometry(read_payoffs(geometry, board=board, workspace=workspace, options=options).chart, sd)
    return diff_charts(named_apart(read), geometry=geometry)


def _board_geometry(board: str | Path | None, workspace: str | Path | None, step: float) -> Geometry:
    from mapkit.charts.payoff_distances import board_distances  # noqa: PLC0415 - scipy, and for this alone
    from mapkit.charts.payoff_geometry import DiagnosedGeometry  # noqa: PLC0415

    if board is None:
        raise MapkitError("the geometry of a board takes a board; say which: --board usa")
    loaded = load(board, workspace=workspace)
    return DiagnosedGeometry(board_distances(loaded, [city.id for city in loaded.cities]), step=step)


def has_track(board: str | Path, *, workspace: str | Path | None = None) -> bool:
    """Return whether a board, given as for `load`, has lines that distances can be measured along."""
    space = open_workspace(workspace)
    if str(board).endswith(".json"):
        return bool(load(board, workspace=workspace).segments)
    return any((space.board_folder(str(board)) / "lines").glob("*"))


def check_payoffs(  # noqa: PLR0913 - what it is judged by, and where the page goes
    chart: str | Path,
    *,
    board: str | Path | None = None,
    coordinates: str | Path | None = None,
    step: float = 0.5,
    html: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> PayoffDiagnosis:
    """Return which amounts of a payoff chart are likely wrong, how, and what should stand there.

    Every amount is judged by all others: with a board by its rail miles too, with coordinates by great-circle miles,
    with neither by the chart alone.

    Args:
        chart: A file or a board, as for `read_payoffs`.
        board: The board that the chart is of, as for `load`.
        coordinates: A CSV file with the columns city, lon, lat instead of a board.
        step: The grid of the amounts, thousands.
        html: A file in which to write a page: the matrix as a heat map of residuals, every cell with its route.
        workspace: As for `load`.
        options: What the user says of the file.

    Raises:
        MapkitError: Both a board and coordinates are given, or the chart is too small to judge.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
        OutputError: The page could not be written.
    """
    from mapkit.charts.payoff_distances import CityDistances, board_distances, great_circle  # noqa: PLC0415 - scipy
    from mapkit.checks.payoff_check import check_chart  # noqa: PLC0415

    if not 0 < step <= LARGEST_STEP:
        raise MapkitError(f"a grid of {step:g} thousand is none; give a step above 0, up to {LARGEST_STEP}")
    loaded: Board | None = None
    if coordinates is not None:
        from mapkit.sources.city_coordinates import read_city_coordinates  # noqa: PLC0415

        if board is not None:
            raise MapkitError("a board has coordinates of its own; give --board or --coordinates, not both")
        places = {p.city.id: p for p in read_city_coordinates(Path(coordinates), file=str(coordinates))}
        known = [place.city for place in places.values()]
        read = read_payoff_file(
            Path(chart), file=str(chart), board=str(coordinates), cities=known, options=options
        ).chart
        ground = great_circle([places[c].lon for c in read.cities], [places[c].lat for c in read.cities])
        distances: CityDistances | None = CityDistances(read.cities, ground)
        names = {place.city.id: place.city.name for place in places.values()}
    else:
        found = read_payoffs(chart, board=board, workspace=workspace, options=options)
        read, distances = found.chart, None
        names = {match.city: match.typed for match in reversed(found.names)}
        if board is not None:
            loaded = load(board, workspace=workspace)
            distances = board_distances(loaded, read.cities)
            names = {city.id: city.name for city in loaded.cities}
    judged = check_chart(read, distances=distances, names=names, step=step, board=None if loaded is None else loaded.id)
    if html is not None:
        from mapkit.render.payoff_page import render_payoff_page  # noqa: PLC0415

        page = Path(html)
        write_files(page.parent, {page.name: render_payoff_page(judged, board=loaded)})
    return judged


def repair_payoffs(  # noqa: PLR0913 - the chart, what is accepted, and where it goes
    chart: str | Path,
    *,
    board: str | Path,
    accept: Collection[str] = (),
    least: float | None = None,
    out: str | Path | None = None,
    step: float = 0.5,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> PayoffRepairs:
    """Return accepted corrections of a payoff chart as a variant, each with its reason.

    Args:
        chart: A file or a board, as for `read_payoffs`.
        board: The board that the chart is of, as for `load`.
        accept: Ids of findings of `check_payoffs`, such as `P08:atlanta:casper`.
        least: Accept every finding with this score or more.
        out: The variant file to write; nowhere by default.
        step: The grid of the amounts, thousands.
        workspace: As for `load`.
        options: What the user says of the file.

    Raises:
        MapkitError: Nothing was accepted, or a finding named is none of the chart's.
        SourceError: As for `check_payoffs`; likewise UnknownNameError, WorkspaceError and OutputError.
    """
    from mapkit.checks.payoff_repairs import accepted_repairs  # noqa: PLC0415

    found = check_payoffs(chart, board=board, step=step, workspace=workspace, options=options)
    name = f"{found.board}-payoffs" if out is None else Path(out).stem
    repairs = accepted_repairs(found, board=str(board), name=name, accept=accept, least=least)
    if out is not None:
        write_files(Path(out).parent, {Path(out).name: repairs.variant})
    return repairs


def compute_payoffs(  # noqa: PLR0913 - the model, what it is fitted to, and where the chart goes
    board: str | Path,
    *,
    model: ModelName | None = None,
    like: str | Path | None = None,
    calibrate: bool = False,
    step: float | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
) -> ComputedPayoffs:
    """Return a payoff chart computed from a board's distances.

    The model is the one in `[payoffs]` of `board.toml`; if there is none, or `model`, `like` or `calibrate` is given,
    it is calibrated on a chart by robust regression.

    Args:
        board: As for `load`.
        model: Which distances a payoff is made of; those of `[payoffs]`, or rail miles, by default.
        like: The chart to calibrate on, a file or a board; the board's own by default.
        calibrate: Calibrate although `board.toml` has a model.
        step: The grid, thousands; that of the model, or half a thousand, by default.
        out: The CSV file to write, as `charts/payoffs.csv` is; nowhere by default.
        workspace: As for `load`.

    Raises:
        MapkitError: The chart is too small to calibrate on, or the board lacks distances that the model needs.
        SourceError: As for `load`; likewise UnknownNameError, WorkspaceError and OutputError.
    """
    from mapkit.charts import payoff_compute  # noqa: PLC0415 - scipy
    from mapkit.charts.payoff_diagnosis import one_reading  # noqa: PLC0415
    from mapkit.charts.payoff_distances import board_distances  # noqa: PLC0415

    own = _payoff_model(board, workspace)
    loaded = load(board, workspace=workspace)
    cities = loaded.payoffs.cities
    distances = board_distances(loaded, cities)
    if own is not None and model is None and like is None and not calibrate:
        chosen = own if step is None else own.model_copy(update={"step": step})
        found = payoff_compute.computed_chart(chosen, distances)
    else:
        typed = (
            board_read(loaded, name=str(board))
            if like is None
            else read_payoffs(like, board=board, workspace=workspace)
        )
        if like is None and own is not None and not (set(loaded.provenance.elements["payoffs"]) - _computed(loaded)):
            raise MapkitError(
                f"the chart of {board} is computed by its own [payoffs]; calibrating on it would give that again: "
                "give a chart to calibrate on, --like CHART"
            )
        fitted = payoff_compute.calibrate(
            one_reading(typed.chart.aligned(cities)),
            distances,
            model=model or (own.model if own else "rail"),
            step=step or (own.step if own else 0.5),
        )
        found = payoff_compute.computed_chart(fitted.model, distances, fitted)
    if out is not None:
        board_names = {city.id: city.name for city in loaded.cities}
        text = payoffs_table(found.cities, found.thousands, board_names)
        write_files(Path(out).parent, {Path(out).name: text})
    return found


def _computed(board: Board) -> set[str]:
    return {city for city, origin in board.provenance.elements["payoffs"].items() if origin.how == "computed"}


def _payoff_model(board: str | Path, workspace: str | Path | None) -> PayoffModel | None:
    """Return `[payoffs]` of a source package; a board file has none."""
    if str(board).endswith(".json"):
        return None
    folder = open_workspace(workspace).board_folder(str(board))
    return parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE)).payoffs
