"""Reading scans of boards."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Annotated, Final

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.output import write_files
from mapkit.core.outputs.filenames import compose_accents, is_there
from mapkit.core.progress import Progress, quiet
from mapkit.document.plain_tables import TableReader
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.formats.pixels import Pixels, read_pixels
from mapkit.formats.recognising.engine import require_recogniser
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.api.scans.reporting import ScanReport
from mapkit.kinds.rail.api.scans.settling import check_link_answers, settle_links
from mapkit.kinds.rail.importing.files import ImportPlan, import_files
from mapkit.kinds.rail.model.board_scan import BoardScan
from mapkit.kinds.rail.package import write_package
from mapkit.kinds.rail.render.link_page.page import render_link_page
from mapkit.kinds.rail.scanning.colours import check_colour, guess_symbol_colours, read_colours
from mapkit.kinds.rail.scanning.drawing import board_to_svg
from mapkit.kinds.rail.scanning.legend import read_legend_colours
from mapkit.kinds.rail.scanning.lettering import read_texts
from mapkit.kinds.rail.scanning.naming import find_placed_names, make_numbered_names
from mapkit.kinds.rail.scanning.scan import scan_board
from mapkit.kinds.rail.scanning.symbols import Symbol
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.control_points import load_control_points
from mapkit.kinds.rail.sources.package import read_railroads
from mapkit.kinds.rail.sources.table_files import CITIES, CONTROL_POINTS, RAILROADS
from mapkit.kinds.rail.tables import Railroad
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference, georeference
from mapkit.operations.options import Argument, Flag, ManyMileposts, Output, Workspace
from mapkit.playing.compiling import report_compilation

_SETTLING: Final = "mapkit.kinds.rail.api.scans.settling"


@dataclass(frozen=True, kw_only=True)
class ScanOptions:
    """How a picture of a board is read.

    Attributes:
        colours: Colours in the picture: railroad, then colour (#rrggbb), or x and y of a pixel on its line, which
            shows its pattern too; those of railroads.csv by default.
        legend: Learn the colours from the picture's legend; needs the scan reader (mapkit doctor).
        symbols: What dots and squares are filled with; found by default.
        least: Links less sure than this are listed, not drawn.
        accept: Answer on a doubtful link by its finding: + right, - not there, or its railroad; @FILE has one a line.
        crops: Write a picture of each doubtful link into this folder, and index.html, which shows them.
    """

    colours: Annotated[str | Path | None, Flag("", "FILE.csv")] = None
    legend: bool = False
    symbols: Annotated[str | None, Flag("", "#RRGGBB")] = None
    least: Annotated[float, Flag("", "0-1")] = 0.5
    accept: Annotated[
        Mapping[str, str],
        Flag("-a", "FINDING=ANSWER", reading="settings", parse=f"{_SETTLING}:parse_link_answers"),
    ] = field(default_factory=dict)
    crops: Annotated[str | Path | None, Output("--crops", "FOLDER")] = None


def trace_scan(
    picture: Annotated[str | Path, Argument("", "PICTURE", "A scan of a board: PNG, JPEG, WebP or TIFF.")],
    *,
    board: Annotated[
        str | Path,
        Flag("-b", "BOARD", "The board that its lines go into, with its railroads.", reading="name"),
    ],
    options: ScanOptions | None = None,
    dry_run: Annotated[bool, Flag("", help="Only say what the picture shows.")] = False,
    overwrite: Annotated[bool, Flag("--replace", help="Write over the drawing of an earlier scan.")] = False,
    many: ManyMileposts = False,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> BoardScan:
    """Read dots, squares and lines of railroads from a scan of a board, as a first draft.

    Finds dots and squares by their shape and size, follows the ink of each railroad between them, and says how sure it
    is of each link. The result is a drawing in pixels, drawings/NAME.svg, imported like any other: control_points.csv
    places it, and gives mileposts names of cities and of the gazetteer. Without control points the drawing waits.
    Each doubtful link is a finding (T01), as is each railroad without links (T02); those accepted in board.toml under
    [accepted] are counted only.

    Raises:
        SourceError: The picture cannot be read or shows no board, or a table is wrong.
        UnknownNameError: There is no such board.
        ChoiceError: An answer is for no link, or names no railroad.
        WorkspaceError: A folder or file is missing; likewise OutputError.
    """
    how = options or ScanOptions()
    if not 0 <= how.least <= 1:
        raise SourceError(f"least sure {how.least:g}: give a number from 0 to 1, such as 0.5")
    space = open_workspace(workspace)
    folder = space.own_board_folder(str(board))
    path = Path(picture)
    accepted = parse_config(read_text(folder / CONFIG, name=CONFIG)).accepted
    reader = TableReader({RAILROADS: read_text(folder / RAILROADS, name=RAILROADS)})
    railroads = read_railroads(reader)
    reader.raise_if_any()
    check_link_answers(how.accept, railroads)
    stated = {key: row.colour for key, row in railroads.items()}
    filled = (check_colour(how.symbols),) if how.symbols is not None else None
    progress("reading the picture")
    pixels = read_pixels(path)
    wanted: Mapping[str, str] = stated
    clicks: Mapping[str, Point] = {}
    if how.legend:
        wanted = stated | _learned(path.name, pixels, railroads, progress)
    if how.colours is not None:
        table = Path(how.colours)
        given = read_colours(read_text(table, name=table.name), pixels, file=table.name, railroads=stated)
        wanted = {**wanted, **given.colours} if how.legend else given.colours
        clicks = given.clicks
    try:
        with report_compilation(progress, "looking for symbols and lines"):
            scanned = scan_board(
                pixels, wanted, filled or guess_symbol_colours(pixels), clicks=clicks, progress=progress
            )
    except SourceError as error:
        raise SourceError(f"{path.name}: {error}") from error
    if not scanned.links:
        raise SourceError(
            f"{path.name}: {len(scanned.stray)} dots and squares, but no line of a railroad's colour runs into them; "
            "give the colours that lines have in the picture (--colours)"
        )
    progress("naming mileposts")
    names, placed = _names(folder, scanned.symbols)
    scanned = settle_links(scanned, names, how.accept)
    files: dict[str, bytes] = {}
    writer = ScanReport(
        picture=PurePath(picture),
        board=scanned,
        names=names,
        placed=placed,
        least=how.least,
        colours=wanted,
        accepted=accepted,
        crops=None if how.crops is None else PurePath(how.crops),
    )
    report = writer.listed(pixels, files)
    imported = None
    if not dry_run:
        progress("importing the lines")
        file = f"{compose_accents(path.stem)}.svg"
        with tempfile.TemporaryDirectory(prefix="mapkit-scan-") as made:
            drawn = board_to_svg(scanned, names, file=file, least=how.least)
            write_files(Path(made), {file: drawn.encode()})
            plan = ImportPlan(replace=overwrite, many=many, write=write_package)
            imported = import_files([Path(made) / file], into=folder, plan=plan)
    if how.crops is not None:
        files["index.html"] = render_link_page(report).encode()
        write_files(Path(how.crops), files)
    return report.model_copy(update={"imported": imported})


def _learned(picture: str, pixels: Pixels, railroads: Mapping[str, Railroad], progress: Progress) -> dict[str, str]:
    """Return the colours that the legend of a picture gives."""
    require_recogniser(f"{picture}: the legend of a picture")
    texts = read_texts(pixels, progress=progress)
    found = read_legend_colours(pixels, texts, {key: (row.short, row.name) for key, row in railroads.items()})
    if not found:
        raise SourceError(
            f"{picture}: no legend found that names two railroads of {RAILROADS} beside samples of their lines; leave "
            "out --legend, or give the colours by --colours"
        )
    return found


def _names(folder: Path, symbols: Sequence[Symbol]) -> tuple[list[str], Georeference | None]:
    """Return the names of symbols, and where the picture lies if control points say so."""
    if not is_there(folder / CONTROL_POINTS):
        return make_numbered_names(symbols), None
    read = load_control_points(folder)
    config = read.config
    if config is None or len(read.points) < 3:  # noqa: PLR2004 - fewer place nothing
        return make_numbered_names(symbols), None
    placed = georeference(read.points, model=config.tracing.georeference, projection=config.projection)
    cities = load_cities(folder, config)[0] if (folder / CITIES).exists() else {}
    return find_placed_names(symbols, placed, [*cities.values()], load_gazetteer(config.gazetteer.countries)), placed
