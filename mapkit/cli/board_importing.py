"""What `mapkit import` does with a whole board of another program."""

from collections.abc import Sequence
from pathlib import Path

from mapkit import api
from mapkit.cli.printing import result, table, talk
from mapkit.errors import SourceError
from mapkit.jsontext import json_text
from mapkit.model.import_report import BoardImportReport

_WORST = 10


def import_board(
    files: Sequence[Path],
    *,
    into: str | None,
    countries: Sequence[str],
    overwrite: bool,
    others: Sequence[str],
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit import` for a file that holds a board.

    Args:
        files: One file.
        into: The board to make.
        countries: Where it lies.
        overwrite: Write over an earlier import.
        others: Options that were given and mean nothing for boards.
        workspace: The workspace.
        as_json: Print JSON.

    Raises:
        SourceError: There are several files, or an option is for lines only.
    """
    if len(files) > 1:
        raise SourceError(f"{files[0].name}: holds a whole board; import it alone")
    if others:
        raise SourceError(f"{files[0].name}: holds a whole board; {others[0]} is for files of lines, leave it out")
    report = api.import_board(files[0], into=into, countries=countries, overwrite=overwrite, workspace=workspace)
    result(json_text(report) if as_json else board_text(report))
    for path in report.written:
        talk(f"written: {path}")
    if not report.written:
        talk("nothing written; give --into BOARD to make a source package of it")


def board_text(report: BoardImportReport) -> str:
    """Lay out what a board's file holds and how it lies on the earth."""
    head = (
        f"{report.file}: {report.title}: {report.regions} regions, {report.cities} cities, {report.railroads} "
        f"railroads, {report.dots} dots, {report.steps} steps"
    )
    parts = [head, *report.warnings]
    if report.found:
        parts.append(
            f"placed by {len(report.found)} cities in {', '.join(report.countries)}: an affine map misses them by "
            f"{_miles(report.rms_miles)} miles (root mean square); a city left out is missed by "
            f"{_miles(report.left_out_rms_miles)}"
        )
        worst = sorted(report.found, key=lambda city: (-city.miles, city.name))[:_WORST]
        rows = [(city.name, city.place, f"{city.miles:.1f}") for city in worst]
        parts.append(table(("farthest off", "taken for", "miles"), rows, right=(2,)))
    if report.missing:
        parts.append(f"not found, placed by the drawing: {', '.join(report.missing)}")
    return "\n".join([*parts, *(f"not kept, or made up: {lost}" for lost in report.lost)])


def _miles(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
