"""Reading payoff charts."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from mapkit.core.errors import ChoiceError, MapkitError, SourceError, UnknownNameError
from mapkit.core.output import write_files
from mapkit.core.plurals import count_noun, join_some
from mapkit.core.progress import Progress
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import local_path
from mapkit.formats.page_files import cut_crops
from mapkit.kinds.rail.api.own_charts import BOARD_FILE, is_board
from mapkit.kinds.rail.api.payoffs import late
from mapkit.kinds.rail.charts.payoffs.board_readings import read_board_chart
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.charts.payoffs.read_doubts import doubt_by_others, is_pictured
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.board_cities import BoardCities, board_cities
from mapkit.kinds.rail.sources.payoffs.doubtful_cells import drop_doubts
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions
from mapkit.kinds.rail.sources.payoffs.files import payoffs_csv, read_payoff_file
from mapkit.operations.options import Argument, Fields, Flag, Output, Workspace

ChartBoard = Annotated[
    str | Path | None,
    Flag("-b", "BOARD", "The board whose cities the chart is for, as for mapkit build.", reading="name"),
]


def read_payoffs(
    chart: Annotated[
        str | Path | Sequence[str | Path],
        Argument(
            "",
            "FILE...",
            "PDF, picture, CSV, TSV, XLSX, JSON, source code, Markdown, or copied text; several pictures are pages of "
            "one chart; - is standard input.",
        ),
    ],
    *,
    board: ChartBoard = None,
    out: Annotated[
        str | Path | None, Output("-o", "CSV", "Write the chart there, in the form of charts/payoffs.csv.")
    ] = None,
    page: Annotated[
        str | Path | None, Output("--html", "HTML", "Write a page there to settle cells in doubt by clicking.")
    ] = None,
    options: Annotated[ReadOptions | None, Fields(leave_out=True)] = None,
    workspace: Workspace = None,
    progress: Progress | None = None,
) -> PayoffsRead:
    """Read a payoff chart from any file and say what was understood.

    A square or a triangle, with the diagonal or without, a list of pairs; amounts like 25.5, 25,500 or $25.5. City
    names match the board's whatever their case, accents, punctuation, Saint, Fort and states; other spellings are
    suggested, and taken only with --accept; the chart is read without them. Pictures (PNG, JPEG, TIFF, WebP) and
    scanned PDFs need the scan reader (mapkit doctor); cells that the picture leaves in doubt are listed, and --html
    shows them. Exits 1 if a cell could not be read or is in doubt, or a name fits no city.

    Args:
        chart: A file, several pictures, or a board, as for `load`: its own chart.
        board: As for `load`; without one the chart's own names are ids.
        out: Where to write the chart; cells that could not be read or are in doubt stay empty.
        page: Where to write a page as `write_doubts` does.
        options: What the user says about the file; a name that fits no city is an error unless it is left out.
        workspace: As for `load`.

    Raises:
        ChoiceError: The chart is that of a board, and an option says how to read a file.
        SourceError: The file is not a payoff chart, or names cities that the board has not.
        UnknownNameError: There is no such board, or neither such a file nor such a board.
        WorkspaceError: A file may not be read; likewise OutputError.
    """
    file, given = part_pages(chart, options, progress)
    found = _read(file, board, workspace, given)
    if found.kind == "board" and (board, replace(given, leave_out=False, say=None)) != (None, ReadOptions()):
        raise ChoiceError(
            f"{file} is a board, and its chart is read as the board has it; leave out further files, --board, and the "
            "options of how to read a file"
        )
    _refuse_unused([found])
    if page is not None:
        write_doubts(found, page)
    if out is not None:
        write_payoffs(found, out, board=board, gaps=True, workspace=workspace)
    return found


def part_pages(
    chart: str | Path | Sequence[str | Path], options: ReadOptions | None, progress: Progress | None
) -> tuple[str | Path, ReadOptions]:
    """Return the first file of a chart, and options with its further pages and the receiver of progress."""
    file, *more = [chart] if isinstance(chart, str | Path) else chart
    given = options or ReadOptions()
    return file, replace(given, more=(*given.more, *map(Path, more)), say=progress or given.say)


def read_several(
    charts: Sequence[str | Path],
    *,
    board: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> list[PayoffsRead]:
    """Read charts of one board as `read_payoffs` does; a name that is accepted needs to be in one of them only."""
    found = [_read(chart, board, workspace, options) for chart in charts]
    _refuse_unused(found)
    return found


def _refuse_unused(found: Sequence[PayoffsRead]) -> None:
    """Raise an error about accepted names that no file has."""
    files = [read for read in found if read.kind != "board"]
    names = [name for name in files[0].unused if all(name in read.unused for read in files)] if files else []
    if names:
        lone = f"{files[0].chart.file}: --accept {{}}=...: the file has no such name; correct it or drop it"
        line = lone if len(files) == 1 else "--accept {}=...: no file has such a name; correct it or drop it"
        raise SourceError("\n".join(line.format(name) for name in names))


def _read(
    chart: str | Path, board: str | Path | None, workspace: str | Path | None, options: ReadOptions | None
) -> PayoffsRead:
    path = local_path(chart)
    if not path.is_file() or path.name == BOARD_FILE:
        if is_board(chart, workspace=workspace):
            found = read_board_chart(
                late.load(path.resolve() if path.exists() else chart, workspace=workspace), name=str(chart)
            )
            if board is not None:
                _refuse_foreign_cities(found, board_cities(open_workspace(workspace), str(board)))
            return found
        boards = ", ".join(open_workspace(workspace).boards())
        raise UnknownNameError(f"{chart}: neither a file nor a board; boards are {boards}")
    if board is None:
        return doubt_by_others(read_payoff_file(path, file=str(chart), options=options), None)
    known = board_cities(open_workspace(workspace), str(board))
    found = read_payoff_file(
        path, file=str(chart), board=known.title, cities=known.cities, payoff_unit=known.payoff_unit, options=options
    )
    return doubt_by_others(found, _distances(found, board, workspace)) if is_pictured(found) else found


def _refuse_foreign_cities(found: PayoffsRead, known: BoardCities) -> None:
    known_ids = {city.id for city in known.cities}
    foreign_names = [match.typed for match in found.names if match.city not in known_ids]
    if foreign_names:
        raise SourceError(
            f"{found.chart.file}: {len(foreign_names)} of its {count_noun(len(found.names), 'city', 'cities')} "
            f"({join_some(foreign_names)}) are not in {known.title}; is it a payoff chart of this board?"
        )


def _distances(found: PayoffsRead, board: str | Path, workspace: str | Path | None) -> CityDistances | None:
    """Return distances between the cities of a chart; None if its board is not whole yet."""
    try:
        return late.board_distances(late.load(board, workspace=workspace), found.chart.cities)
    except MapkitError:
        return None


def write_payoffs(
    found: PayoffsRead,
    out: str | Path,
    *,
    board: str | Path | None = None,
    gaps: bool = False,
    workspace: str | Path | None = None,
) -> None:
    """Write a payoff chart that was read as `charts/payoffs.csv` is.

    Args:
        found: What `read_payoffs` gave.
        out: The file.
        board: The board whose names the file gets, in its order; those of the chart by default.
        gaps: Write it even if cells could not be read or are in doubt; they stay empty.
        workspace: As for `load`.

    Raises:
        SourceError: Cells could not be read or are in doubt; nothing was written.
        OutputError: The file cannot be written.
    """
    if found.not_read and not gaps:
        raise SourceError(
            f"{out} was not written: {count_noun(len(found.not_read), 'cell')} could not be read; correct them, "
            "or write the chart without them: --gaps"
        )
    if found.in_doubt and not gaps:
        raise SourceError(
            f"{out} was not written: {count_noun(len(found.in_doubt), 'cell')} in doubt; settle them with --accept, or "
            "write the chart without them: --gaps"
        )
    names = [(match.city, match.typed) for match in found.names]
    if board is not None:
        names = [(city.id, city.name) for city in board_cities(open_workspace(workspace), str(board)).cities]
    path = Path(out)
    write_files(path.parent, {path.name: payoffs_csv(drop_doubts(found), names)})


def write_doubts(found: PayoffsRead, out: str | Path) -> None:
    """Write a page that shows the cells in doubt as they are in the picture; a click settles each.

    Args:
        found: What `read_payoffs` gave of a picture or a PDF.
        out: The page to write, HTML.

    Raises:
        SourceError: The picture cannot be read any more; likewise WorkspaceError.
        OutputError: The page cannot be written.
    """
    path = Path(out)
    spots = [(cell.page, cell.box) for cell in found.in_doubt]
    more = [Path(file) for file in found.more]
    crops = cut_crops(local_path(found.chart.file), spots, more, file=found.chart.file) if spots else []
    write_files(path.parent, {path.name: late.render_doubt_page(found, crops)})
