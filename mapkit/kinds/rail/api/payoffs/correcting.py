"""Writing a payoff chart with some cells corrected, in the layout that came."""

from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory

from mapkit.core.errors import MapkitError, SourceError
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import STDIN, local_path, read_bytes
from mapkit.kinds.rail.api.payoffs.reading import read_payoffs
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.payoffs.cell_correction import Amounts, correct_text, expected_readings
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions


def refuse_other_ending(chart: str | Path, out: str | Path) -> None:
    """Raise an error if a corrected chart cannot be written to a file of that name.

    Raises:
        MapkitError: The chart is a board or has another ending.
    """
    if not local_path(chart).is_file():
        if Path(chart).suffix:  # a file that is missing: reading it says so
            return
        raise MapkitError(f"{out}: {chart} is not a file, so it has no layout to keep; write a variant: --variant FILE")
    if str(chart) != STDIN and Path(chart).suffix.casefold() != Path(out).suffix.casefold():
        raise MapkitError(
            f"{out}: the corrected chart keeps the layout of {chart}, so its name must end in "
            f"{Path(chart).suffix or 'nothing'} too; a variant ends in .toml"
        )


def corrected_chart(
    chart: str | Path,
    amounts: Amounts,
    *,
    board: str | Path,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> tuple[bytes, int]:
    """Return a chart's file with some amounts corrected, and how many cells that changed; the result is read back.

    Raises:
        SourceError: Its cells cannot be corrected one by one, or the result reads otherwise than it should.
    """
    before = read_payoffs(chart, board=board, workspace=workspace, options=options)
    unit = board_cities(open_workspace(workspace), str(board)).payoff_unit
    try:
        text = read_bytes(local_path(chart), name=str(chart)).decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{chart}: not UTF-8, so its cells cannot be corrected one by one; save it as UTF-8"
        ) from error
    made, cells = correct_text(text, before, amounts, payoff_unit=unit)
    content = made.encode("utf-8")
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / Path(chart).name
            path.write_bytes(content)
            after = read_payoffs(path, board=board, workspace=workspace, options=options).chart
    except SourceError as error:
        raise SourceError(f"{chart}: with these cells corrected it could not be read; correct it by hand") from error
    wanted = expected_readings(before, amounts)
    found = {(each.row, each.col): each.value for each in after.readings}
    if after.cities != before.chart.cities or wanted.keys() != found.keys():
        raise SourceError(f"{chart}: with these cells corrected, others would be read; correct it by hand")
    for (row, col), value in wanted.items():
        if not _alike(value, found[row, col]):
            pair = f"{after.cities[row]} - {after.cities[col]}"
            raise SourceError(f"{chart}: {pair} would read {found[row, col]}, not {value}; correct it by hand")
    return content, cells


def _alike(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and other is not None and isclose(one, other, abs_tol=1e-6))
