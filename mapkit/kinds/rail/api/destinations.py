"""Solving, reading, checking and comparing destination charts, and proposing regions."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from mapkit.console.interrupts import respond_to_first_interrupt
from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError, SourceError
from mapkit.core.findings import CheckReport
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.formats.cells.literals import SUFFIXES
from mapkit.formats.files import STDIN, local_path, read_text
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.own_charts import BOARD_FILE, board_of_chart, is_board
from mapkit.kinds.rail.charts.destination_csv import destination_table
from mapkit.kinds.rail.charts.destinations import regions as region_solver
from mapkit.kinds.rail.charts.destinations.board_charts import solve_charts
from mapkit.kinds.rail.charts.destinations.chart_targets import WishError
from mapkit.kinds.rail.charts.destinations.diff import DestinationDiff, diff_charts
from mapkit.kinds.rail.charts.destinations.regions import LEAST, MOST, ProposedRegions, RegionPlace
from mapkit.kinds.rail.charts.destinations.solver import SECONDS, SolvedChart
from mapkit.kinds.rail.charts.destinations.stop_requests import StopRequest
from mapkit.kinds.rail.checks.destinations import CHECKS as DESTINATION_CHECKS
from mapkit.kinds.rail.checks.registry import run_checks
from mapkit.kinds.rail.checks.typed_destinations import check_charts
from mapkit.kinds.rail.model.board import REGIONS, Board, DestinationChart
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.model.source import WantedRow
from mapkit.kinds.rail.network.neighbours import find_city_neighbours
from mapkit.kinds.rail.sources.board_cities import cities_of_board
from mapkit.kinds.rail.sources.destinations.files import ChartOptions, ChartsRead, KnownNames, read_destination_file
from mapkit.kinds.rail.sources.odds_targets import check_units, read_wish_rows, read_wishes
from mapkit.kinds.rail.sources.package import load_wanted
from mapkit.kinds.rail.sources.table_files import DESTINATIONS
from mapkit.kinds.rail.sources.target_options import Bounds, add_bounds
from mapkit.kinds.rail.tables import City
from mapkit.operations.options import Argument, BoardName, Fields, Flag, Hidden, Output, Workspace

_TYPED = "mapkit.kinds.rail.sources.payoffs.typed_options"
INTERRUPTED: Final = 130
"""Exit code of a program that Ctrl-C ended."""
_Seconds = Annotated[float, Flag("", "SECONDS", "Longest time for one chart; then the best so far.", 0.05, 3600)]

_ENDINGS = (
    *(".csv", ".tsv", ".txt", ".md", ".xlsx", ".json", ".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp"),
    *sorted(SUFFIXES),
)


class SolvedDestinations(Frozen):
    """Solved charts by id; `not_begun` are those that a stop left out; `files` were written."""

    charts: dict[str, SolvedChart]
    names: dict[str, str]
    not_begun: tuple[str, ...]
    files: tuple[str, ...]
    stopped: bool = Field(default=False, description="Whether the search was stopped before its end")

    @property
    def exit_code(self) -> int:
        """Return the code of Ctrl-C if a stop left something unproven."""
        return INTERRUPTED if self.stopped and not self.proven else 0

    @property
    def proven(self) -> bool:
        """Whether every chart is there and proven to be the best."""
        return not self.not_begun and all(chart.proven for chart in self.charts.values())


@dataclass(frozen=True)
class Wishes:
    """Targets of the chart solver.

    Attributes:
        weights: Weights of cities that have none; as in board.toml by default.
        damping: How much weights from population are damped: 0 counts people, 0.5 takes square roots, 1 makes all
            cities equal; as board.toml says by default.
        file: Wishes, in place of the board's charts/wanted.csv.
    """

    weights: Annotated[Literal["cities", "population"] | None, Flag("", "cities|population")] = None
    damping: Annotated[float | None, Flag("", "SHARE", "", 0, 1)] = None
    file: Annotated[str | Path | None, Flag("--wanted", "CSV")] = None


def solve_destinations(
    target: Annotated[
        str | Path,
        Argument(
            "", "BOARD|FILE", "A board's source package, or a table of wishes for one chart (.csv).", reading="name"
        ),
    ],
    *,
    wishes: Wishes | None = None,
    bounds: Bounds | None = None,
    write: bool = False,
    out: Annotated[str | Path | None, Output("-o", "FILE", "Write the charts there, as CSV.")] = None,
    seconds: _Seconds = SECONDS,
    stop: Annotated[StopRequest | None, Hidden] = None,
    workspace: Workspace = None,
    tell: Callable[[str], None] = quiet,
) -> SolvedDestinations:
    """Find the charts whose odds are nearest to weights, with proof.

    Minimises the largest deviation, then their sum, then the number of runs of equal cells; of the best charts it
    takes the first in chart order, so the answer is the same everywhere. Says which wishes are impossible, and why.
    Ctrl-C prints the best so far, with its gap. NAME is a region or city, CHART:NAME where both have the name.

    Args:
        target: As for `load`.
        wishes: What is wanted beside what the board or the table says.
        bounds: Bounds and cells beside those of the table.
        write: Write the board's charts/destinations.csv, replacing what is there.
        stop: Ends the search earlier, likewise; the first Ctrl-C by default.

    Raises:
        WishError: What is wanted cannot be had; the text names the target and says why.
        SourceError: The wishes or weights are wrong.
        WorkspaceError: The board is a shipped one and was to be written; likewise UnknownNameError and OutputError.
    """
    wishes = wishes or Wishes()
    space = open_workspace(workspace)
    folder: Path | None = None
    if str(target).casefold().endswith(".csv"):
        if write or wishes.file is not None or wishes.weights is not None or wishes.damping is not None:
            raise MapkitError(
                "--write, --wanted, --weights and --damping are for boards; write the chart of a file with --out"
            )
        rows = _wishes_of_file(Path(target))
        order = list(dict.fromkeys(row.chart for row in rows))
    else:
        folder = space.own_board_folder(str(target)) if write else space.board_folder(str(target))
        config, _, rows = load_wanted(
            folder,
            wanted=Path(wishes.file) if wishes.file is not None else None,
            weights=wishes.weights,
            damping=wishes.damping,
        )
        order = [REGIONS, *(r.id for r in config.regions)]
    if bounds is not None:
        rows = add_bounds(rows, bounds)
    chosen_stop = stop or StopRequest()

    def ask_to_stop() -> None:
        tell("stopping; the best so far follows")
        chosen_stop.set()

    try:
        with nullcontext() if stop else respond_to_first_interrupt(ask_to_stop):
            solved = solve_charts(rows, seconds=seconds, stop=chosen_stop)
    except WishError as error:
        raise WishError(f"{Path(target).name}: {error}", chart=error.chart) from error
    names = {row.item: row.name for row in rows if row.name} | {row.chart: row.chart_name or row.chart for row in rows}
    asked = {row.chart for row in rows}
    left_out = tuple(chart for chart in order if chart in asked and chart not in solved)
    files: list[str] = []
    if not left_out:  # half a set of charts is of no use to a board
        text = destination_table({chart: solved[chart].chart for chart in order if chart in solved}, names)
        if write and folder is not None:
            write_files(folder, {DESTINATIONS: text})
            files.append(str(folder / DESTINATIONS))
        if out is not None:
            write_files(Path(out).parent, {Path(out).name: text})
            files.append(str(out))
    return SolvedDestinations(
        charts=solved, names=names, not_begun=left_out, files=tuple(files), stopped=chosen_stop.asked
    )


def _wishes_of_file(path: Path) -> tuple[WantedRow, ...]:
    rows = read_wishes(read_wish_rows(read_text(path, name=path.name), file=path.name))
    problems = Problems()
    for row in rows:
        if row.weight is None:
            problems.add(f"{path.name}:{row.row}: {row.name or row.item} has no weight; type one")
    problems.raise_if_any()
    check_units(rows, problems)
    problems.raise_if_any()
    return rows


def propose_regions(
    board: BoardName,
    *,
    count: Annotated[int | None, Flag("-n", "N", "How many regions.", 1, 40)] = None,
    shares: Annotated[
        Sequence[Fraction], Flag("", "15,12,...", "", reading="commas", parse=f"{_TYPED}:parse_shares")
    ] = (),
    least: Annotated[int, Flag("", "N", "", 1, 22)] = LEAST,
    most: Annotated[int, Flag("", "N", "", 1, 22)] = MOST,
    network: bool = False,
    wishes: Annotated[Wishes | None, Fields("weights damping")] = None,
    seconds: _Seconds = SECONDS,
    workspace: Workspace = None,
) -> ProposedRegions:
    """Propose regions: contiguous, of 8 to 12 cities, near wanted odds.

    Cities are neighbours if no other lies in the circle between them, or by the rails. Prints the regions, each with
    its wanted and its actual odds.

    Args:
        board: As for `load`, but no board file.
        count: How many regions; as many as make about ten cities each by default.
        shares: Wanted odds of the regions; equal by default.
        least: Fewest cities of a region.
        most: Most cities of a region.
        network: Cities are neighbours if the rails join them past no other city.
        wishes: Where weights come from, and how they are damped.
        seconds: Longest time for one chart; then the best so far.

    Raises:
        WishError: The cities cannot be divided so; the text says why.
        SourceError: Weights are missing or wrong; likewise UnknownNameError and WorkspaceError.
    """
    folder = open_workspace(workspace).board_folder(str(board))
    wishes = wishes or Wishes()
    _, cities, rows = load_wanted(folder, weights=wishes.weights, damping=wishes.damping)
    return region_solver.propose_regions(
        _places(cities, rows),
        count=count,
        shares=shares,
        least=least,
        most=most,
        neighbours=find_city_neighbours(load(board, workspace=workspace)) if network else None,
        seconds=seconds,
    )


def _places(cities: Mapping[str, City], rows: tuple[WantedRow, ...]) -> list[RegionPlace]:
    weight = {row.item: Fraction(row.weight or 0) for row in rows if row.chart != REGIONS}
    if any(row.unit == "share" for row in rows if row.chart != REGIONS):
        raise SourceError(
            "charts/wanted.csv: shares of single charts cannot divide cities into regions; type a weight for "
            "each city in cities.csv"
        )
    return [RegionPlace(key, c.lon, c.lat, weight[key], c.milepost_name, c.name) for key, c in cities.items()]


@dataclass(frozen=True)
class CheckedDestinations:
    """Charts read from a file, their names by id, the findings, and notes of the reader."""

    charts: dict[str, DestinationChart]
    names: dict[str, str]
    checks: CheckReport
    notes: tuple[str, ...] = ()

    def as_json(self) -> CheckReport:
        """Return the result as `--json` prints it."""
        return self.checks

    @property
    def exit_code(self) -> int:
        """Return 1 if there are errors."""
        return 0 if self.checks.ok else 1


_File = Annotated[
    str | Path,
    Argument(
        "",
        "FILE",
        "PDF, picture, CSV, TSV, Markdown, XLSX, JSON, source code or copied text with charts; - is standard input.",
    ),
]
_Board = Annotated[str | Path | None, Flag("-b", "BOARD", "The board that the charts are for.", reading="name")]
_Out = Annotated[str | Path | None, Output("-o", "FILE", "Write the charts there, as CSV.")]


def check_destinations(
    file: _File,
    *,
    board: _Board = None,
    declared: Annotated[
        str | Path | None, Flag("", "FILE", "Declared odds: chart, name, odds; FILE may hold them too.")
    ] = None,
    options: Annotated[ChartOptions | None, Fields("chart sheet accept pages box")] = None,
    out: _Out = None,
    workspace: Workspace = None,
    progress: Progress | None = None,
) -> CheckedDestinations:
    """Read destination charts from any file and check them; against declared odds, too.

    Layouts: chart, sum, odd, even; a long list with chart, column, sum, name; a column a chart; text copied from a PDF
    or a page; pages of a PDF, with charts side by side or one above the other. For misspelt names it suggests others,
    which it takes only with --accept. Pictures (PNG, JPEG, TIFF, WebP) and scanned PDFs need the scan reader (mapkit
    doctor); a name that is a letter or two off there is taken for the one of the board that it is nearest to, with a
    note. With --board, charts that are missing or differ from the board's are findings. FILE may also be a board, and a
    board's own charts are checked with their board. Exits 1 if there are errors.

    Args:
        file: The file; or a board, as for `load`: its own charts.
        board: As for `load`; by default the board whose own charts they are.
        options: What the user says about the file.

    Raises:
        ChoiceError: The file is a picture, and the extra for pictures is not installed.
        SourceError: The file holds no charts, or names are wrong; every problem is listed.
        UnknownNameError: There is no such board; likewise WorkspaceError and OutputError.
    """
    own = board_of_chart(file, DESTINATIONS, workspace=workspace)
    if own is not None and is_board(file, workspace=workspace):
        own_board = load(own, workspace=workspace)
        names = _written(ChartsRead(dict(own_board.destinations), {}, _names(own_board)), own_board, out, file)
        checks = run_checks(own_board, checks=DESTINATION_CHECKS)
        return CheckedDestinations(charts=own_board.destinations, names=names, checks=checks)
    board = own if board is None else board
    base = load(board, workspace=workspace) if board is not None else None
    known = _known(base)
    given = _with_progress(options, progress)
    read = read_destination_file(local_path(file), file=str(file), known=known, options=given)
    odds = {name: dict(of) for name, of in read.declared.items()}
    if declared is not None:
        more = read_destination_file(
            local_path(declared), file=str(declared), known=known, options=ChartOptions(chart=given.chart)
        )
        for name, of in more.declared.items():
            odds.setdefault(name, {}).update(of)
    names = _written(read, base, out, file)
    return CheckedDestinations(charts=read.charts, names=names, checks=check_charts(read, odds, base), notes=read.notes)


class DestinationsRead(Frozen):
    """Destination charts of a file; `names` has the names of ids, `notes` those of the reader."""

    charts: dict[str, DestinationChart]
    names: dict[str, str]
    left_out: tuple[NameLeftOut, ...]
    notes: tuple[str, ...]


def read_destinations(
    file: _File,
    *,
    board: _Board = None,
    options: Annotated[ChartOptions | None, Fields("chart sheet accept leave_out pages box")] = None,
    out: _Out = None,
    workspace: Workspace = None,
    progress: Progress | None = None,
) -> DestinationsRead:
    """Read destination charts from any file and say what was understood.

    Layouts and names are as for mapkit destinations check, which also judges the charts. Cells whose names the board
    lacks stay empty, and those names are listed; then it exits 1.

    Args:
        file: As for `check_destinations`, like all that follows.
        options: What the user says about the file.

    Raises:
        MapkitError: As for `check_destinations`.
    """
    base = load(board, workspace=workspace) if board is not None else None
    given = replace(_with_progress(options, progress), leave_out=True)
    read = read_destination_file(local_path(file), file=str(file), known=_known(base), options=given)
    names = _written(read, base, out, file)
    return DestinationsRead(charts=read.charts, names=names, left_out=read.left_out, notes=read.notes)


def _with_progress(options: ChartOptions | None, progress: Progress | None) -> ChartOptions:
    given = options or ChartOptions()
    return given if progress is None else replace(given, say=progress)


def _written(read: ChartsRead, base: Board | None, out: str | Path | None, file: str | Path) -> dict[str, str]:
    """Write the charts of a file where asked; return the names of ids."""
    if not read.charts:
        raise SourceError(f"{file}: odds, but no chart; give the chart, and the odds with --declared {file}")
    names = dict(read.names) | (_names(base) if base else {})
    if out is not None:
        write_files(Path(out).parent, {Path(out).name: destination_table(read.charts, names)})
    return names


def diff_destinations(
    a: Annotated[str | Path, Argument("", "A", "A file with charts, or a board.", reading="name")],
    b: Annotated[str | Path, Argument("", "B", "The same.", reading="name")],
    *,
    board: Annotated[
        str | Path | None, Flag("-b", "BOARD", "The board whose names the files use.", reading="name")
    ] = None,
    workspace: Workspace = None,
) -> DestinationDiff:
    """Compare two destination charts: cells that differ, and the odds that change with them.

    Raises:
        MapkitError: One of the two cannot be read.
    """
    known = _known(load(board, workspace=workspace)) if board is not None else None
    one, other = (_charts(given, known, workspace) for given in (a, b))
    found = diff_charts(one.charts, other.charts)
    names = one.names | other.names
    used = {name for c in found.cells for name in (c.chart, c.a, c.b) if name is not None}
    used |= {name for o in found.odds for name in (o.chart, o.item)} | set(found.missing)
    return found.model_copy(update={"names": {ident: names[ident] for ident in sorted(used & names.keys())}})


def _charts(given: str | Path, known: KnownNames | None, workspace: str | Path | None) -> ChartsRead:
    if str(given) == STDIN or (str(given).casefold().endswith(_ENDINGS) and Path(given).name != BOARD_FILE):
        return read_destination_file(local_path(given), file=str(given), known=known)
    board = load(given, workspace=workspace)
    return ChartsRead(dict(board.destinations), {}, _names(board))


def _known(board: Board | None) -> KnownNames | None:
    if board is None:
        return None
    return KnownNames([(r.id, r.name) for r in board.regions], cities_of_board(board).cities, board.title)


def _names(board: Board) -> dict[str, str]:
    return {r.id: r.name for r in board.regions} | {c.id: c.name for c in board.cities}
