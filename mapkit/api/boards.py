"""Starting a board, and finding its kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from mapkit.core.checks import AnyCheck
from mapkit.core.errors import ChoiceError, UnknownNameError
from mapkit.core.findings import CheckReport
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import EXAMPLE, NOTHING
from mapkit.document.workspace import Workspace as OpenedWorkspace
from mapkit.document.workspace import open_workspace
from mapkit.kinds.kind import Built, Gaps, Judged, Kind, RegionAsked
from mapkit.kinds.registry import DEFAULT, get_kind, kind_of
from mapkit.kinds.starting import new_board, new_region_board
from mapkit.operations.options import Argument, BoardName, Flag, Output, Variants, Workspace

_QUESTION: Final = "Which region? Countries by name or code, such as Ireland or IE,GB-NIR; Enter leaves it open: "


@dataclass(frozen=True)
class NewBoard:
    """New board: its source package, the files in it, and notes for its author."""

    folder: Path
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        files = [path.relative_to(self.folder).as_posix() for path in self.files]
        return {"board": self.folder.name, "folder": str(self.folder), "files": files, "notes": self.notes}


def new(
    name: Annotated[str, Argument("", "NAME", "The new board's name: letters, digits, hyphens.")],
    source: Annotated[
        str | None,
        Flag("--from", "BOARD", "Copy this board, not the small example; 'empty': start from nothing."),
    ] = None,
    *,
    kind: Annotated[str, Flag("", "KIND", "The kind of board, if it is not a copy.")] = DEFAULT,
    region: RegionAsked | None = None,
    workspace: Workspace = None,
    tell: Progress = quiet,
    ask: Callable[[str], str] | None = None,
) -> NewBoard:
    """Start a new board in sources/NAME, which builds as it is.

    With --from empty and --region, projection, page, gazetteer and extent are those of the region; on a terminal
    mapkit asks for it. With --kind hex and --region, land, water, mountains and cities come from shipped geography, and
    colours of cities are solved.

    Args:
        source: `"example"` for the small example, which is the default, `"empty"`, or the name of a board to copy.
        kind: A copy keeps its own.
        region: Of what region of the earth the board is to be, in place of `source`.
        workspace: The folder that holds `sources/`; the current folder by default.
        tell: Called with what is wrong with an answer.
        ask: Returns the answer to a question; without it the region of an empty board stays open.

    Raises:
        WorkspaceError: The name cannot be used, or is taken.
        UnknownNameError: There is no board `source`, or no such region.
        SourceError: There is no such kind.
        ChoiceError: Boards of the kind are not made from a region, its sizes do not fit, or a copy is asked for too.
        OutputError: The files cannot be written; nothing is left of them.
    """
    space, wanted = open_workspace(workspace), region or RegionAsked()
    if wanted.region and source not in (None, NOTHING):
        raise ChoiceError("a board is a copy or of a region; give --from or --region")
    asks = ask if source == NOTHING and not wanted.region and get_kind(kind, file="--kind").empty_of_region else None
    if asks is None:
        if wanted != RegionAsked() and not wanted.region:
            raise ChoiceError("bounds, sizes, cities and rivers are for boards of a region; give --region too")
        return _started(space, name, source, wanted, kind)
    while True:
        wanted = replace(wanted, region=asks(_QUESTION).strip())
        try:
            return _started(space, name, source, wanted, kind)
        except UnknownNameError as error:
            if not wanted.region:
                raise
            tell(str(error))


def _started(space: OpenedWorkspace, name: str, source: str | None, region: RegionAsked, kind: str) -> NewBoard:
    notes: tuple[str, ...] = ()
    if region.region:
        folder, notes = new_region_board(space, name, region, kind=kind)
    else:
        folder = new_board(space, name, source or EXAMPLE, kind=kind)
    return NewBoard(folder, tuple(sorted(path for path in folder.rglob("*") if path.is_file())), notes)


@dataclass(frozen=True)
class CheckedBoard:
    """Result of `check_board`: the board and the report of its checks."""

    found: Judged
    kind: Kind[Any, Any]

    @property
    def checks(self) -> Sequence[AnyCheck]:
        """Return the checks of its kind of board."""
        return self.kind.all_checks()

    def as_json(self) -> CheckReport:
        """Return the report that `--json` prints."""
        return self.found.report

    @property
    def exit_code(self) -> int:
        """Return 1 if there are errors that the author has not accepted."""
        return int(not self.found.report.ok)


def build_board(
    name: BoardName,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    out: Annotated[Path | None, Output("-o", "FOLDER", "Write the bundle there, not to build/BOARD/.")] = None,
    allow_errors: Annotated[bool, Flag(help="Write the bundle even if the checks find errors.")] = False,
    progress: Progress = quiet,
) -> Built:
    """Compile, check and draw a board of any kind, and write its bundle; all files or none.

    With variants the bundle goes to build/BOARD+VARIANT.../.
    The bundle: board.json, board.svg, payoffs.csv, destinations.csv, findings.json, report.json, and bundle.json with
    their hashes. All files are written or none; with errors in the checks, none (amounts that are only doubted, P08 to
    P11, do not count).

    Args:
        name: A board of the workspace or a shipped one, the folder of a source package, or a `board.json`.
        variants: Variants to apply, in order.
        workspace: The folder that holds `sources/`; the current folder by default.
        out: The folder of the bundle; `build/BOARD/` in the workspace by default.
        progress: Called with the name of each stage as it begins.

    Raises:
        BoardError: The sources cannot be used as they are, or the checks found errors; nothing was written.
        MapkitError: There is no such board or variant, or the folder cannot be written.
    """
    space = open_workspace(workspace)
    return kind_of_board(space, str(name)).build(
        space, str(name), variants=variants, out=out, allow_errors=allow_errors, progress=progress
    )


def check_board(
    name: BoardName,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    form: Annotated[
        Literal["text", "json", "sarif", "commands"],
        Flag("--format -f", "text|json|sarif|commands", "How to print them; commands of --gaps are for mapkit do."),
    ] = "text",
    gaps: Annotated[bool, Flag(help="List places where a link may be missing instead, the likeliest first.")] = False,
    drawing: Annotated[
        bool,
        Flag(
            "--drawing/--no-drawing",
            help="Also lay the board out and check its drawing (R), and judge payoffs by one another (P08 to P11).",
        ),
    ] = True,
    progress: Progress = quiet,
) -> CheckedBoard | Gaps:
    """Check a board: network, charts, rules and drawing.

    Lists errors and warnings; notes and accepted findings are counted. Exits 0 if nothing is wrong, 1 if there are
    errors that the author has not accepted. Findings are accepted in board.toml under [accepted], by id, with a reason.
    --verbose names the rows of the rules behind a finding.

    Args:
        name: As for `build_board`. What of its sources cannot be used is among the findings.
        variants: As for `build_board`.
        workspace: As for `build_board`.
        form: How the command prints the result.
        gaps: Return the places where a link may be missing instead.
        drawing: Whether to lay the board out and check its drawing too, which takes longest.
        progress: Called with the name of each stage as it begins.

    Raises:
        ChoiceError: The result is not printed in that form, or links of such a board are never missing.
        MapkitError: There is no such board or variant.
    """
    if form == ("sarif" if gaps else "commands"):
        reason = "missing links have no SARIF; give text, json or commands" if gaps else "only --gaps has commands"
        raise ChoiceError(f"--format {form}: {reason}")
    space = open_workspace(workspace)
    kind = kind_of_board(space, str(name))
    if gaps:
        return kind.find_gaps(space, str(name), variants)
    return CheckedBoard(kind.judge(space, str(name), variants=variants, drawing=drawing, progress=progress), kind)


def kind_of_board(space: OpenedWorkspace, name: str) -> Kind[Any, Any]:
    """Return the kind of a board of a workspace; a file of a board is of the default kind.

    Raises:
        UnknownNameError: There is no such board.
        SourceError: It is of a kind that there is not.
    """
    if space.is_board_file(name):
        return get_kind(DEFAULT)
    return kind_of(space.board_folder(name))
