"""Reading lists of prices of railroads."""

from pathlib import Path

from mapkit.core.csvtext import csv_text
from mapkit.core.output import write_files
from mapkit.formats.files import local_path
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.model.price_list import PriceList
from mapkit.kinds.rail.sources.price_lists import PriceOptions, read_price_list


def read_prices(
    file: str | Path,
    *,
    board: str | Path,
    options: PriceOptions | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
) -> PriceList:
    """Return the prices of railroads in a file, each beside the board's (RB-C12).

    Args:
        file: PDF, picture, CSV, TSV, XLSX, JSON, Markdown, or copied text.
        board: The board whose railroads they are, as for `load`.
        options: What the user says about the file.
        out: Where to write the list (CSV: id, name, price), if no price is in doubt.
        workspace: As for `load`.

    Raises:
        ChoiceError: The file is a picture, and the extra for pictures is not installed.
        SourceError: The file holds no prices, or railroads that the board has not; every problem is listed.
        UnknownNameError: There is no such board; likewise WorkspaceError and OutputError.
    """
    found = read_price_list(local_path(file), load(board, workspace=workspace), file=str(file), options=options)
    if out is not None and not found.in_doubt:
        rows = [("id", "name", "price"), *((one.railroad, one.name, one.price) for one in found.prices)]
        write_files(Path(out).parent, {Path(out).name: csv_text(rows)})
    return found
