"""`mapkit import`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, get_args

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt, YesOpt
from mapkit.console.printing import print_message, print_result
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.import_reports import board_text, formats_text, import_text, placing_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.import_report import ImportReport, PlacingReport

_NOTES_SHOWN: Final = 50


def import_(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE...", help="Lines in any format of --list-formats, recognised by content; or a board."
        ),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            "--board",
            "-b",
            metavar="BOARD",
            help="Write the lines into this board's source package; without it, make a board of them if there is none "
            "in the workspace yet, else only show them.",
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", "-c", metavar="NAME", help="The attribute with the railroad; 'railroad' by default."),
    ] = None,
    name_column: Annotated[
        str | None, typer.Option("--name-column", metavar="NAME", help="The attribute with the mileposts' names.")
    ] = None,
    crs: Annotated[
        str | None,
        typer.Option(
            "--crs",
            metavar="EPSG:n",
            help="The CRS of files that state none; 'latlon' for degrees with the latitude first, 'pixels' for those "
            "of a picture.",
        ),
    ] = None,
    layers: Annotated[
        list[str] | None, typer.Option("--layer", "-l", metavar="NAME", help="Read this layer only; may be repeated.")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option("--encoding", metavar="NAME", help="Encoding of a Shapefile's attributes, such as cp1252."),
    ] = None,
    key_from: Annotated[
        str,
        typer.Option(
            "--key-from", metavar="auto|own|group|layer|id|class", help="Where an SVG names the railroad of a line."
        ),
    ] = "auto",
    bbox: Annotated[
        str | None,
        typer.Option(
            "--bbox", metavar="W,S,E,N", help="Take only what reaches into this box, in degrees; geodata only."
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="COLUMN=VALUE",
            help="Take only features with this attribute, or without it (!=); geodata only; may be repeated.",
        ),
    ] = None,
    rings: Annotated[bool, typer.Option("--rings", help="Take the rings of polygons as lines.")] = False,
    centre_lines: Annotated[
        bool,
        typer.Option("--centre-lines", help="The file holds outlines of lines: take the lines along their middle."),
    ] = False,
    mapped: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            "-m",
            metavar="KEY=RAILROAD",
            help="The railroad of a key's lines; 'KEY=' leaves them out; '*' is every other key.",
        ),
    ] = None,
    new_railroads: Annotated[
        bool,
        typer.Option("--new-railroads", help="Add a railroad to railroads.csv for every key that names no railroad."),
    ] = False,
    keep_topology: Annotated[
        bool,
        typer.Option(
            "--keep-topology",
            help="Take the network as it is: vertices stay, nothing is spaced or repaired, no drawing is kept.",
        ),
    ] = False,
    countries: Annotated[
        list[str] | None,
        typer.Option("--country", metavar="CODE", help="Where an RB3 map lies, such as US; 'none' for no country."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--replace", help="Write over the files of an earlier import.")] = False,
    list_formats: Annotated[bool, typer.Option("--list-formats", help="List the formats that are read.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Place all drawings of the board (--into) again, as one step.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing: only show what the files hold, or what would change.")
    ] = False,
    yes: YesOpt = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Take lines from geodata or drawings into a board.

    Prints what each file holds, key by key, and which railroad each line belongs to. Geodata goes to
    drawings/NAME.geojson in degrees; drawings in pixels are copied, and control_points.csv places them. Then the
    drawings are placed: their lines become station lists in lines/, with their mileposts in places.csv. Lines that you
    changed since stay as they are; --again replaces them too, in one step that mapkit undo takes back.

    Lines of one railroad are joined where they meet. Railroads meet at points, and where a line ends: the milepost
    there belongs to every railroad within tracing.snap_mi. Where lines only cross, railroads stay apart. A point with
    the attribute railroads, or lines of different level, keep two stations apart.

    With --keep-topology a network is taken as it is: lines of a railroad meet where they share a vertex, railroads at
    points, cities and where a line ends as above, and each doubt is a finding. The lists are then as if typed.

    In a workspace without boards, and without --into, lines in degrees become a board named after the file: each key
    is a railroad, and the largest places beside the lines and those at their ends are cities.

    A file of a whole board becomes a new source package: what mapkit export wrote in a format that is read back, or an
    RB3 map, which is placed by the names of its cities. With options for lines, only the lines of such a file are
    imported. A stage that mapkit trace wrote, edited or not, takes the place of the board's drawn lines. All files are
    written or none.
    """
    stages = [file for file in files or () if mapkit.whole_board(file) == "stage"]
    if list_formats:
        print_result(formats_text())
        return
    if again or not files:
        board_name = _board_to_place(files, into, again=again)
        placed = mapkit.place_again(board_name, dry_run=dry_run, many=yes, workspace=workspace)
        _say_placing(placed, as_json=as_json, dry_run=dry_run)
        return
    given = {
        "--column": column, "--name-column": name_column, "--crs": crs, "--layer": layers, "--encoding": encoding,
        "--key-from": key_from != "auto", "--rings": rings,
        "--centre-lines": centre_lines, "--map": mapped, "--new-railroads": new_railroads,
        "--bbox": bbox, "--where": where, "--keep-topology": keep_topology,
    }  # fmt: skip
    others = [option for option, value in given.items() if value]
    if stages and not others:
        if into is None or len(files) > 1:
            raise SourceError(
                f"{stages[0].name}: this is a stage of mapkit trace; import it alone, and name its board with --into"
            )
        staged = mapkit.import_stage(stages[0], into=into, dry_run=dry_run, workspace=workspace)
        _say_placing(staged, as_json=as_json, dry_run=dry_run)
        return
    if _is_board(files, others):
        _refuse_for_boards(files, others)
        board = mapkit.import_board(
            files[0], into=into, countries=countries or (), overwrite=overwrite, workspace=workspace
        )
        print_result(texts.json_text(board) if as_json else board_text(board))
        _say_written(board.written, "nothing written; give --into BOARD to make a source package of it")
        return
    if countries:
        raise SourceError("--country is for maps in RB3; leave it out")
    options = mapkit.ImportOptions(
        column=column,
        name_column=name_column,
        crs=crs,
        layers=tuple(layers or ()),
        encoding=encoding,
        key_from=_key_from(key_from),
        rings=rings,
        centre_lines=centre_lines,
        bbox=late.parse_bbox(bbox) if bbox else None,
        where=late.parse_conditions(where or ()),
    )
    if into is None and not (dry_run or mapped or (Path(workspace or ".") / "sources").exists()):
        report = mapkit.import_lines_as_board(
            *files, options=options, many=yes, keep_topology=keep_topology, workspace=workspace
        )
    else:
        report = mapkit.import_lines(
            *files,
            into=None if dry_run else into,
            options=options,
            railroads=late.parse_map(mapped or ()) or None,
            new_railroads=new_railroads,
            overwrite=overwrite,
            many=yes,
            keep_topology=keep_topology,
            workspace=workspace,
        )
    print_result(texts.json_text(report) if as_json else import_text(report))
    for name in report.new_railroads:
        print_message(f"new in railroads.csv: {name}; set its price, reporting mark and colour")
    _say_placed(report)
    _say_written(report.written, "nothing written; give --into BOARD to take the lines into its source package")


def _board_to_place(files: "Sequence[Path] | None", into: str | None, *, again: bool) -> str:
    """Return the board whose drawings are placed again."""
    if not again:
        raise SourceError("no file is given; name one, or give --again")
    if into is None or files:
        raise SourceError("--again looks up the places of a board again; name the board with --into, and give no files")
    return into


def _key_from(text: str) -> "late.KeyFrom":
    """Return where the keys of an SVG are, as typed."""
    keys: tuple[late.KeyFrom, ...] = get_args(late.KeyFrom)
    for known in keys:
        if known == text:
            return known
    raise SourceError(f"--key-from {text!r}{did_you_mean(text, keys)}; write one of {', '.join(keys)}")


def _say_placing(report: "PlacingReport", *, as_json: bool, dry_run: bool) -> None:
    print_result(texts.json_text(report) if as_json else placing_text(report))
    _say_placed(report)
    _say_written(report.written, "nothing written; leave out --dry-run to do it" if dry_run else "")


def _is_board(files: Sequence[Path], others: Sequence[str]) -> bool:
    """Return whether a file is to be taken as a whole board; a board that mapkit wrote holds lines too."""
    found = [mapkit.whole_board(file) for file in files]
    return "rb3" in found or ("exported" in found and not others)


def _refuse_for_boards(files: Sequence[Path], others: Sequence[str]) -> None:
    if len(files) > 1:
        raise SourceError(f"{files[0].name}: holds a whole board; import it alone")
    if others:
        raise SourceError(f"{files[0].name}: holds a whole board; {others[0]} is for files of lines, leave it out")


def _say_placed(report: "ImportReport | PlacingReport") -> None:
    for note in report.notes[:_NOTES_SHOWN]:
        print_message(note)
    if len(report.notes) > _NOTES_SHOWN:
        print_message(f"... and {len(report.notes) - _NOTES_SHOWN:,} more notes; mapkit check --all lists them")
    if report.by_rule:
        print_message(f"mileposts placed by rule: {report.by_rule:,}")


def _say_written(paths: Sequence[str], otherwise: str) -> None:
    for path in paths:
        print_message(f"written: {path}")
    if not paths and otherwise:
        print_message(otherwise)
