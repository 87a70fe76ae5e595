"""Reading scans of boards."""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Annotated, Final

import numpy as np

from mapkit.core.base import Point
from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.core.output import write_files
from mapkit.core.outputs.filenames import compose_accents, is_there
from mapkit.core.progress import Progress, quiet
from mapkit.document.plain_tables import TableReader
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.formats.pixels import Pixels, read_pixels
from mapkit.formats.recognising.engine import require_recogniser
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.checks.scanned_links import (
    LinkInPicture,
    list_link_ids,
    make_link_findings,
    make_railroad_findings,
    sort_by_confidence,
)
from mapkit.kinds.rail.importing.files import ImportPlan, import_files
from mapkit.kinds.rail.model.board_scan import BoardScan, LinkFound, RailroadFound, ScannedMilepost
from mapkit.kinds.rail.package import write_package
from mapkit.kinds.rail.render.link_page.page import render_link_page
from mapkit.kinds.rail.scanning.colours import check_colour, guess_symbol_colours, read_colours
from mapkit.kinds.rail.scanning.dots import warn_of_symbols
from mapkit.kinds.rail.scanning.drawing import board_to_svg, box_around, crop_around
from mapkit.kinds.rail.scanning.legend import read_legend_colours
from mapkit.kinds.rail.scanning.lettering import read_texts
from mapkit.kinds.rail.scanning.links import SURE, describe_doubts
from mapkit.kinds.rail.scanning.naming import find_placed_names, make_numbered_names
from mapkit.kinds.rail.scanning.scan import ScannedBoard, ScannedLine, ScannedLink, scan_board
from mapkit.kinds.rail.scanning.symbols import Symbol
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.control_points import load_control_points
from mapkit.kinds.rail.sources.package import read_railroads
from mapkit.kinds.rail.sources.payoffs.typed_options import expand_files
from mapkit.kinds.rail.sources.table_files import CITIES, CONTROL_POINTS, RAILROADS
from mapkit.kinds.rail.tables import Railroad
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference, georeference
from mapkit.operations.options import Argument, Flag, ManyMileposts, Output, Workspace
from mapkit.playing.compiling import report_compilation

# Report on a scan of a board, with findings.

_MOST: Final = 0.5
"""Part of the links in doubt from which on a warning says so."""


@dataclass(frozen=True, kw_only=True)
class ScanReport:
    """Input of a report on a scan.

    Attributes:
        picture: The file of the scan, as the user names it.
        board: What it shows.
        names: The name of each of its symbols.
        placed: Where it lies, if control points say so.
        least: Links less sure than this are not drawn.
        colours: The colour of each railroad.
        accepted: Finding id -> why the author keeps what it reports.
        crops: The folder for pictures of doubtful links, as the user names it; None for no pictures.
    """

    picture: PurePath
    board: ScannedBoard
    names: Sequence[str]
    placed: Georeference | None
    least: float
    colours: Mapping[str, str]
    accepted: Mapping[str, str]
    crops: PurePath | None

    def listed(self, pixels: Pixels, files: dict[str, bytes]) -> BoardScan:
        """Return the report; the crops of doubtful links go into `files`."""
        board = self.board
        stops: dict[int, set[str]] = defaultdict(set)
        for link in board.links:
            stops[link.a].add(link.railroad)
            stops[link.b].add(link.railroad)
        seen: list[LinkInPicture] = []
        for number, link in enumerate(board.links):
            crop = ""
            if self.crops is not None and link.confidence < SURE:
                crop = f"{link.railroad}-{number + 1}.png"
                files[crop] = crop_around(pixels, link.line)
            seen.append(LinkInPicture(self._link(link, crop), box_around(pixels, link.line), self._middle(link)))
        findings = make_link_findings(seen, self.accepted, picture=self.picture.as_posix(), crops=self.crops)
        found = [
            one.link if finding is None else one.link.model_copy(update={"finding": finding.id})
            for one, finding in zip(seen, findings, strict=True)
        ]
        counts = Counter(link.railroad for link in found)
        doubtful = Counter(link.railroad for link in found if link.confidence < SURE)
        return BoardScan(
            picture=self.picture.name,
            width=board.width,
            height=board.height,
            dot_width=round(2 * board.sizes.dot, 1),
            square_width=round(2 * board.sizes.square, 1),
            placed=self.placed is not None,
            mileposts=tuple(
                scanned_milepost(symbol, name, stops[i])
                for i, (symbol, name) in enumerate(zip(board.symbols, self.names, strict=True))
            ),
            stray=tuple(scanned_milepost(symbol, "", ()) for symbol in board.stray),
            railroads=tuple(
                RailroadFound(railroad=ident, colour=colour, links=counts[ident], doubtful=doubtful[ident])
                for ident, colour in sorted(self.colours.items())
            ),
            links=tuple(sorted(found, key=lambda link: (link.railroad, link.confidence, link.a, link.b))),
            findings=sort_by_confidence(
                [
                    *make_railroad_findings(self.colours, found, self.accepted, picture=self.picture.as_posix()),
                    *findings,
                ]
            ),
            warnings=tuple(filter(None, [warn_of_symbols(board.symbols), _doubt_of_links(board.links)])),
        )

    def _link(self, link: ScannedLink, crop: str) -> LinkFound:
        return LinkFound(
            railroad=link.railroad,
            a=self.names[link.a],
            b=self.names[link.b],
            confidence=round(link.confidence, 2),
            why=", ".join(describe_doubts(link.evidence)) if link.confidence < SURE else "",
            crop=crop,
            drawn=link.confidence >= self.least,
        )

    def _middle(self, link: ScannedLink) -> tuple[float, float] | None:
        """Return the middle vertex of a link in degrees, if that is known."""
        if self.placed is None:
            return None
        lon, lat = self.placed.lonlat_or_nan(link.line[len(link.line) // 2][None])[0]
        return (round(float(lon), 5), round(float(lat), 5)) if np.isfinite((lon, lat)).all() else None


def _doubt_of_links(links: Sequence[ScannedLink]) -> str:
    """Return a warning if most links are in doubt; else nothing."""
    doubtful = sum(link.confidence < SURE for link in links)
    if doubtful <= _MOST * len(links):
        return ""
    return (
        f"of {len(links)} links, {doubtful} are in doubt: is this a board, and are the colours those of its lines "
        "(--colours)?"
    )


def scanned_milepost(symbol: Symbol, name: str, railroads: Sequence[str] | set[str]) -> ScannedMilepost:
    """Return a symbol as it is reported."""
    return ScannedMilepost(
        name=name,
        kind=symbol.kind,
        x=round(symbol.x, 1),
        y=round(symbol.y, 1),
        confidence=round(symbol.sure, 2),
        railroads=tuple(sorted(railroads)),
    )


# Answers of the author on doubtful links of a scan: right as followed, not there, or of another railroad.

RIGHT: Final = "+"
NOT_THERE: Final = "-"


def parse_link_answers(items: Iterable[str]) -> dict[str, str]:
    """Return the answer on each link by the id of its finding; the lines of a file stand for `@FILE`.

    Raises:
        ValueError: An item is not `FINDING=ANSWER`, or a file cannot be read.
    """
    answers: dict[str, str] = {}
    for item in expand_files(items):
        finding, sign, answer = (part.strip() for part in item.rpartition("="))
        if not (finding and sign and answer):
            raise ValueError(f"{item!r} is not FINDING=ANSWER, such as T01:albany:boston:nyc=+")
        answers[finding] = answer
    return answers


def check_link_answers(answers: Mapping[str, str], railroads: Collection[str]) -> None:
    """Check answers as far as that can be done before a scan is read.

    Raises:
        ChoiceError: An answer names no railroad.
    """
    for finding, answer in answers.items():
        if answer not in (RIGHT, NOT_THERE) and answer not in railroads:
            hint = (
                did_you_mean(answer, railroads) or f"; say {RIGHT} (right), {NOT_THERE} (not there) or a railroad's id"
            )
            raise ChoiceError(f"--accept {finding}={answer}: there is no railroad {answer!r}{hint}")


def settle_links(board: ScannedBoard, names: Sequence[str], answers: Mapping[str, str]) -> ScannedBoard:
    """Return a scanned board with the author's answers in it.

    Links that are not there lose their own line; a stretch shared with other links stays.

    Args:
        board: The board as it was read.
        names: The name of each of its symbols.
        answers: By the id of a link's finding: `+` if it is right, `-` if it is not there, or the id of its railroad.

    Raises:
        ChoiceError: An answer is for no link of the scan.
    """
    ids = list_link_ids((link.railroad, names[link.a], names[link.b]) for link in board.links)
    for finding, answer in answers.items():
        if finding not in ids:
            hint = did_you_mean(finding, ids) or "; answers fit the scan that they were given for"
            raise ChoiceError(f"--accept {finding}={answer}: the scan has no such link{hint}")
    links: list[ScannedLink] = []
    lines = list(board.lines)
    for link, finding in zip(board.links, ids, strict=True):
        if finding not in answers:
            links.append(link)
            continue
        answer = answers[finding]
        lines = [line for line in lines if not _draws_only(line, link)]
        if answer != NOT_THERE:
            railroad = link.railroad if answer == RIGHT else answer
            links.append(replace(link, railroad=railroad, confidence=1.0))
            lines.append(ScannedLine(railroad, link.a, link.b, 1.0, link.line))
    return replace(board, links=tuple(links), lines=tuple(lines))


def _draws_only(line: ScannedLine, link: ScannedLink) -> bool:
    """Return whether a line draws a link and no other one."""
    is_between_same = (line.railroad, line.a, line.b) == (link.railroad, link.a, link.b)
    return is_between_same and np.array_equal(line.line, link.line)


_SETTLING: Final = "mapkit.kinds.rail.api.scans.tracing"


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
