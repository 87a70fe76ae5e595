"""Reading price lists of railroads."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from mapkit.core.csvtext import csv_text
from mapkit.core.output import write_files
from mapkit.core.progress import Progress
from mapkit.formats.files import local_path
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.model.price_list import PriceList
from mapkit.kinds.rail.sources.price_lists import PriceOptions, read_price_list
from mapkit.operations.options import Argument, Flag, Output, Workspace


def read_prices(
    file: Annotated[
        str | Path,
        Argument("", "FILE", "PDF, picture, CSV, TSV, XLSX, JSON, Markdown, or copied text; - is standard input."),
    ],
    *,
    board: Annotated[str | Path, Flag("-b", "BOARD", "The board whose railroads they are.", reading="name")],
    out: Annotated[str | Path | None, Output("-o", "CSV", "Write the list there: id, name, price.")] = None,
    options: PriceOptions | None = None,
    workspace: Workspace = None,
    progress: Progress | None = None,
) -> PriceList:
    """Read a list of prices of railroads from any file, and compare it with the board.

    A name and the amount behind it are a price, wherever they stand; a row may hold several. Railroads match by id,
    short name or name, with or without words like Railroad; other spellings are suggested, and taken only with
    --accept. Pictures (PNG, JPEG, TIFF, WebP) and scanned PDFs need the scan reader (mapkit doctor); prices that
    the picture leaves in doubt are listed. Exits 1 if a price is in doubt.

    Args:
        file: A file, as for the command.
        board: As for `load`.
        out: Where to write the list, if no price is in doubt.
        options: What the user says about the file.

    Raises:
        ChoiceError: The file is a picture, and the extra for pictures is not installed.
        SourceError: The file holds no prices, or railroads that the board has not; every problem is listed.
        UnknownNameError: There is no such board; likewise WorkspaceError and OutputError.
    """
    given = options or PriceOptions()
    given = given if progress is None else replace(given, say=progress)
    found = read_price_list(local_path(file), load(board, workspace=workspace), file=str(file), options=given)
    if out is not None and not found.in_doubt:
        rows = [("id", "name", "price"), *((one.railroad, one.name, one.price) for one in found.prices)]
        write_files(Path(out).parent, {Path(out).name: csv_text(rows)})
    return found
