"""Taking drawn lines and boards of other programs into source packages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, SourceError, UnknownNameError
from mapkit.core.plurals import join_some
from mapkit.document.changes import apply
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace as OpenWorkspace
from mapkit.document.workspace import is_path, open_workspace
from mapkit.formats.lines.features import ImportOptions, chosen_flag
from mapkit.formats.lines.vector_kinds import VECTOR_FORMATS
from mapkit.kinds.rail.commands.drawings import PlaceDrawings
from mapkit.kinds.rail.exchange.rb3.importing import import_rb3, is_rb3
from mapkit.kinds.rail.exchange.source_package.importing import find_board_reader, import_whole_board
from mapkit.kinds.rail.importing import files as importing_files
from mapkit.kinds.rail.importing.board_of_lines import PixelDrawingError, import_new_board
from mapkit.kinds.rail.importing.files import ImportPlan, import_files
from mapkit.kinds.rail.importing.placing_changes import placing_report
from mapkit.kinds.rail.model.import_report import BoardImportReport, ImportReport, PlacingReport
from mapkit.kinds.rail.package import PACKAGE, write_package
from mapkit.kinds.rail.sources.stage_file import SUFFIX as STAGE_SUFFIX
from mapkit.kinds.rail.sources.stage_file import is_stage
from mapkit.operations.options import Argument, Fields, Flag, ManyMileposts, Workspace

WholeBoard = Literal["rb3", "exported", "stage"]
"""In what form a file holds a whole board, or all of its lines."""


class LineFormat(Frozen):
    """Format of lines: its title, usual suffixes, and the driver that reads it."""

    title: str
    suffixes: tuple[str, ...]
    read_by: str


def import_into_board(
    files: Annotated[
        Sequence[str | Path],
        Argument("", "FILE...", "Lines in any format of --list-formats, recognised by content; or a board."),
    ] = (),
    *,
    into: Annotated[str | Path | None, Flag("--into --board -b", "BOARD", reading="name")] = None,
    options: Annotated[
        ImportOptions | None,
        Fields("column name_column crs layers encoding key_from bbox where rings centre_lines"),
    ] = None,
    railroads: Annotated[
        Mapping[str, str] | None,
        Flag(
            "--map -m",
            "KEY=RAILROAD",
            "The railroad of a key's lines; 'KEY=' leaves them out; '*' is every other key.",
            reading="settings",
            parse="mapkit.kinds.rail.importing.files:parse_map",
        ),
    ] = None,
    new_railroads: bool = False,
    keep_topology: bool = False,
    countries: Annotated[Sequence[str], Flag("--country", "CODE")] = (),
    overwrite: Annotated[bool, Flag("--replace")] = False,
    list_formats: bool = False,
    again: bool = False,
    dry_run: bool = False,
    many: ManyMileposts = False,
    workspace: Workspace = None,
) -> PlacingReport | BoardImportReport | ImportReport | tuple[LineFormat, ...]:
    """Take lines from geodata or drawings into a board.

    Prints what each file holds, key by key, and which railroad each line belongs to. Geodata goes to
    drawings/NAME.geojson in degrees; drawings in pixels are copied, and control_points.csv places them. Then the
    drawings are placed: their lines become station lists in lines/, with their mileposts in places.csv. Lines that you
    changed since stay as they are; --again replaces them too. Each is one step, which mapkit undo takes back.

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

    Args:
        into: Write the lines into this board's source package; without it, make a board of them if there is none in
            the workspace yet, else only show them.
        new_railroads: Add a railroad to railroads.csv for every key that names no railroad.
        keep_topology: Take the network as it is: vertices stay, nothing is spaced or repaired, no drawing is kept.
        countries: Where an RB3 map lies, such as US; 'none' for no country.
        overwrite: Write over the files of an earlier import.
        list_formats: List the formats that are read.
        again: Place all drawings of the board (--into) again, as one step.
        dry_run: Write nothing: only show what the files hold, or what would change.

    Raises:
        ChoiceError: No file is given, or files or options do not go together.
        SourceError: As for `import_lines`, `import_board`, `import_stage` or `place_again`, which does the work.
    """
    if list_formats:
        return tuple(_line_formats())
    for_lines = [flag for field in fields(ImportOptions) if options and (flag := chosen_flag(options, field.name))]
    for_lines += ["--map"] * bool(railroads) + ["--new-railroads"] * new_railroads + ["--keep-topology"] * keep_topology
    for_boards = ["--country"] * bool(countries) + ["--replace"] * overwrite
    if again or not files:
        board = _board_to_place(files, into, [*for_lines, *for_boards], again=again)
        return place_again(board, dry_run=dry_run, many=many, workspace=workspace)
    if overwrite and into is None:
        raise ChoiceError("--replace has no effect without a board; name it with --into, or leave --replace out")
    chosen = options or ImportOptions()
    forms = [whole_board(file) for file in files]
    if "stage" in forms and not for_lines:
        if into is None or len(files) > 1:
            stage = Path(files[forms.index("stage")]).name
            raise ChoiceError(
                f"{stage}: this is a stage of mapkit trace; import it alone, and name its board with --into"
            )
        if for_boards:
            stage = Path(files[0]).name
            raise ChoiceError(f"{stage}: this is a stage of mapkit trace; leave out {join_some(for_boards)}")
        return import_stage(files[0], into=into, dry_run=dry_run, workspace=workspace)
    if "rb3" in forms or ("exported" in forms and not for_lines):  # a board that mapkit wrote holds lines too
        _refuse_for_boards(files, for_lines)
        return import_board(
            files[0], into=None if dry_run else into, countries=countries, overwrite=overwrite, workspace=workspace
        )
    if countries:
        raise ChoiceError("--country is for maps in RB3; leave it out")
    if into is None and not (dry_run or railroads or (open_workspace(workspace).root / "sources").exists()):
        return import_lines_as_board(
            *files, options=chosen, many=many, keep_topology=keep_topology, workspace=workspace
        )
    return import_lines(
        *files,
        into=into,
        options=chosen,
        railroads=railroads,
        new_railroads=new_railroads,
        overwrite=overwrite,
        many=many,
        keep_topology=keep_topology,
        dry_run=dry_run,
        workspace=workspace,
    )


def _line_formats() -> Iterator[LineFormat]:
    yield LineFormat(title="SVG drawing", suffixes=(".svg", ".svgz"), read_by="mapkit")
    yield LineFormat(title="graph as JSON", suffixes=(".json",), read_by="mapkit")
    for each in VECTOR_FORMATS.values():
        yield LineFormat(title=each.title, suffixes=tuple(each.suffixes), read_by=each.driver or "mapkit")


def _board_to_place(
    files: Sequence[str | Path], into: str | Path | None, unused_flags: Sequence[str], *, again: bool
) -> str | Path:
    """Return the board whose drawings are placed again."""
    if not again:
        raise ChoiceError("no file is given; name one, or give --again")
    if into is None or files:
        raise ChoiceError("--again looks up the places of a board again; name the board with --into, and give no files")
    if unused_flags:
        raise ChoiceError(f"--again places drawings as they were imported; leave out {join_some(unused_flags)}")
    return into


def _refuse_for_boards(files: Sequence[str | Path], for_lines: Sequence[str]) -> None:
    name = Path(files[0]).name
    if len(files) > 1:
        raise ChoiceError(f"{name}: holds a whole board; import it alone")
    if for_lines:
        raise ChoiceError(f"{name}: holds a whole board; {for_lines[0]} is for files of lines, leave it out")


def import_lines(
    *files: str | Path,
    into: str | Path | None = None,
    options: ImportOptions | None = None,
    railroads: Mapping[str, str] | None = None,
    new_railroads: bool = False,
    overwrite: bool = False,
    many: bool = False,
    keep_topology: bool = False,
    dry_run: bool = False,
    workspace: str | Path | None = None,
) -> ImportReport:
    """Read files of traced lines, and write them into a source package if one is named.

    Args:
        files: GeoJSON, GeoPackage, Shapefile, KML, KMZ, GML, FlatGeobuf, SVG, or graphs as JSON.
        into: A board of the workspace or the folder of a source package; None only looks.
        options: What the files do not say of themselves: columns, CRS, layers, encoding.
        railroads: Railroads by key; empty to leave its lines out.
        new_railroads: Add a railroad to `railroads.csv` for every key that names no railroad.
        overwrite: Write over files of an earlier import.
        many: Place more mileposts by rule than boards have (1,000); without it that many are refused.
        keep_topology: Take the network as it is: lines of a railroad meet where they share a vertex, those of
            different railroads at points and where a line ends, and nothing is spaced or repaired. The lists are then
            as if typed; no drawing is kept.
        dry_run: Write nothing; keys without a railroad are reported, not refused.
        workspace: As for `load`.

    Raises:
        SourceError: A file cannot be used, or a key is not a railroad.
        UnknownNameError: There is no such board; likewise WorkspaceError and OutputError.
    """
    space = open_workspace(workspace)
    plan = ImportPlan(
        options=options or ImportOptions(),
        railroads=railroads,
        new_railroads=new_railroads,
        replace=overwrite,
        many=many,
        keep_topology=keep_topology,
        dry_run=dry_run,
        write=write_package,
    )
    folder = _folder_for_lines(space, files, into) if into is not None else None
    return import_files([Path(file) for file in files], into=folder, plan=plan)


def import_lines_as_board(
    *files: str | Path,
    options: ImportOptions | None = None,
    many: bool = False,
    keep_topology: bool = False,
    workspace: str | Path | None = None,
) -> ImportReport:
    """Make a board of files of lines alone: a source package named after the first file.

    Its railroads are the keys of the lines, its cities the largest places beside them, and where lines end. Regions,
    charts and prices are made up.

    Args:
        files: Geodata, as for `import_lines`.
        options: As for `import_lines`.
        many: As for `import_lines`.
        keep_topology: As for `import_lines`.
        workspace: As for `load`.

    Raises:
        SourceError: A file cannot be used, is a drawing in pixels, or has no lines near a known place.
        WorkspaceError: There is a board of this name already; likewise OutputError.
    """
    plan = ImportPlan(options=options or ImportOptions(), many=many, keep_topology=keep_topology)
    return import_new_board(open_workspace(workspace), [Path(file) for file in files], plan)


def import_as_board(file: Path, board_id: str, *, crs: str = "", workspace: str | Path | None = None) -> None:
    """Make a board of one file, of lines or of a whole board, without any other option.

    Args:
        file: The file.
        board_id: The new board's id.
        crs: The CRS of a file of lines that states none, or `latlon`.
        workspace: As for `load`.

    Raises:
        NoCrsError: The CRS of its lines must be named.
        SourceError: The file cannot be used, or does not say where it lies.
        WorkspaceError: There is a board of this name already; likewise OutputError.
    """
    form = whole_board(file)
    if form == "stage":
        raise SourceError(f"{file.name}: this is a stage of the tracing of a board, not a board; choose another file")
    if form is not None:
        import_board(file, into=board_id, workspace=workspace)
        return
    try:
        import_new_board(
            open_workspace(workspace), [file], ImportPlan(options=ImportOptions(crs=crs or None)), board_id
        )
    except PixelDrawingError as error:
        raise SourceError(
            f"{file.name}: a drawing in pixels does not say where it lies; begin with a country or region, and "
            "import the drawing into that board"
        ) from error


def _folder_for_lines(space: OpenWorkspace, files: Sequence[str | Path], into: str | Path) -> Path:
    """Return the source package that lines go into; a board that is not there may be one that a file should hold."""
    try:
        return space.own_board_folder(str(into))
    except UnknownNameError as error:
        names = ", ".join(Path(file).name for file in files)
        raise UnknownNameError(
            f"{names}: not a whole board as mapkit export writes it, and lines need a board that is there: {error}"
        ) from error


def place_again(
    board: str | Path, *, dry_run: bool = False, many: bool = False, workspace: str | Path | None = None
) -> PlacingReport:
    """Place the drawings that a board has again: lines that came from them are replaced by what they give now.

    It is one step of the board's journal, which `mapkit undo` takes back, and is saved unless other steps wait to be.

    Args:
        board: A board of the workspace or the folder of a source package.
        dry_run: Only say what it would change.
        many: As for `import_lines`.
        workspace: As for `load`.

    Raises:
        MapkitError: A table or a drawing is wrong, or the drawings cannot be placed.
    """
    folder = open_workspace(workspace).own_board_folder(str(board))
    session = Session.open(folder, PACKAGE)
    before, clean = session.document, not session.unsaved
    command = PlaceDrawings(many=many)
    if dry_run:
        return placing_report(before, apply(before, command.plan(before).patch))
    session.do(command, client="command line")
    written = session.save() if clean else ()
    report = placing_report(before, session.document)
    return report.model_copy(update={"is_step": True, "written": tuple((folder / name).as_posix() for name in written)})


def import_stage(
    file: str | Path, *, into: str | Path, dry_run: bool = False, workspace: str | Path | None = None
) -> PlacingReport:
    """Take a stage of tracing back, edited or not: lines that came from drawings become as it has them.

    Typed lists stay as they are.

    Args:
        file: What `mapkit trace BOARD --out FILE` wrote.
        into: The board that it is of.
        dry_run: Only say what it would change.
        workspace: As for `load`.

    Raises:
        SourceError: The file is not a stage of this board, or its lines cannot be placed; likewise WorkspaceError.
    """
    space = open_workspace(workspace)
    return importing_files.import_stage(
        Path(file), into=space.own_board_folder(str(into)), dry_run=dry_run, write=write_package
    )


def import_board(
    file: str | Path,
    *,
    into: str | Path | None = None,
    countries: Iterable[str] = (),
    overwrite: bool = False,
    workspace: str | Path | None = None,
) -> BoardImportReport:
    """Read a whole board, an RB3 map or what was exported, and make a source package of it if one is named.

    The package builds to the same board; what it does not hold, or makes up, is reported.

    Args:
        file: The file, in a format that is read (`mapkit list formats`).
        into: The board to make in the workspace, or the folder of its source package; None only looks.
        countries: Where its cities are (ISO 3166 alpha-2); inferred from their names by default. `none` for a map of no
            country. For RB3 alone.
        overwrite: Write over the files of an earlier import.
        workspace: As for `load`.

    Raises:
        SourceError: The file is wrong, its cities are not found, or the package is there already.
        ChoiceError: Countries are given for a format whose places have coordinates.
        WorkspaceError: The file is missing, or the name is not valid for a board; likewise OutputError.
    """
    space = open_workspace(workspace)
    folder = None if into is None else space.path(into) if is_path(str(into)) else space.root / "sources" / into
    path = Path(file)
    reader = find_board_reader(path)
    if reader is None:
        return import_rb3(path, into=folder, countries=tuple(countries), replace=overwrite, write=write_package)
    if tuple(countries):
        raise ChoiceError(f"{path.name}: its places have coordinates; leave the countries out")
    return import_whole_board(path, reader, into=folder, replace=overwrite, write=write_package)


def whole_board(file: str | Path) -> WholeBoard | None:
    """Return whether a file holds a whole board, which `import_board` takes.

    Args:
        file: The file.

    Returns:
        `"rb3"` for a map in RB3, `"exported"` for what `mapkit export` wrote in a format that is read back, `"stage"`
        for what `mapkit trace` wrote, which `import_stage` takes; else None.
    """
    path = Path(file)
    if not path.is_file():  # opening a pipe may never end
        return None
    if path.suffix.lower() == STAGE_SUFFIX and is_stage(path):
        return "stage"
    if is_rb3(path):
        return "rb3"
    return "exported" if find_board_reader(path) else None
