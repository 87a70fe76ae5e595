"""Reading a board, and applying variants to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.errors import SourceError
from mapkit.core.garbage import gc_paused
from mapkit.core.kept import recalled
from mapkit.core.names import board_stem
from mapkit.core.problems import Problem, problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.compiler.package import compile_folder, own_model
from mapkit.kinds.rail.exchange.registry import find_reader
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.model import PayoffModel
from mapkit.kinds.rail.variants import late
from mapkit.kinds.rail.variants.basis import basis_with
from mapkit.variants.applying import PlacedVariant


@dataclass(frozen=True)
class Loaded:
    """Board of readable sources, and the problems of the others."""

    board: Board
    problems: tuple[Problem, ...] = ()


def load(
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Board:
    """Return a board, compiled from its source package or read from a board file, with variants applied.

    Args:
        name: A board of the workspace or a shipped one (`"usa"`), the folder of a source package, or the
            path of a `board.json` or of a board in another format that mapkit reads (`mapkit list formats`).
        variants: Variants of the workspace or shipped ones, or paths of their files; their bases come with them.
        workspace: The folder that holds `sources/`, where boards and variants are looked up; the current folder by
            default. Other files are named from the current folder, whatever the workspace is.
        progress: Called with the name of each stage as it begins.

    Raises:
        SourceError: Something in the source package is wrong.
        UnknownNameError: There is no such board or variant.
        VariantError: A variant is wrong, does not fit the board, or contradicts another.
        WorkspaceError: A folder or file is missing, or the board file is not a board.
    """
    loaded = load_as_it_is(name, variants=variants, workspace=workspace, progress=progress)
    if loaded.problems:
        raise SourceError(problem_lines(loaded.problems))
    return loaded.board


def load_given(
    board: Board | str | Path,
    variants: Sequence[str],
    workspace: str | Path | None,
    progress: Progress,
) -> Board:
    """Return a board with variants applied; it is given as such, or as for `load`.

    Raises:
        MapkitError: As for `load` and `apply`.
    """
    if isinstance(board, Board):
        return apply(board, variants, workspace=workspace) if variants else board
    return load(board, variants=variants, workspace=workspace, progress=progress)


def stem_of(loaded: Board, named: Board | str | Path, variants: Sequence[str]) -> str:
    """Return the beginning of names of a board's files: its id and the variants, as they were asked for.

    Args:
        loaded: The board with its variants.
        named: How it was named; a board, or a file of one, may have variants before any is asked for.
        variants: Those that were asked for.
    """
    is_package = not isinstance(named, Board) and not Path(named).suffix
    return board_stem(loaded.id, variants if is_package else loaded.variants)


@gc_paused()
def load_as_it_is(
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Loaded:
    """Return a board, half-made as it may be, with all that is wrong with its sources.

    Args:
        name: As for `load`.
        variants: As for `load`.
        workspace: As for `load`.
        progress: As for `load`.

    Raises:
        UnknownNameError: There is no such board or variant.
        VariantError: A variant is wrong, does not fit the board, or contradicts another.
        WorkspaceError: A folder or file is missing, or the board file is not a board.
    """
    space = open_workspace(workspace)
    found = late.rail_shelf(space).order(variants) if variants else ()
    given = space.path(name)
    if given.suffix and not given.is_dir() and (reader := find_reader(given.name)) is not None:
        progress("reading the board")
        board = reader.read(given)
        return Loaded(_varied(board, found, None, progress) if found else board)
    folder = space.board_folder(str(name))
    problems: tuple[Problem, ...] = ()

    def compiled_board() -> Board:
        nonlocal problems
        progress("reading the sources")
        progress("tracing the lines")
        made = compile_folder(folder, stored=True)
        problems = made.problems
        if not found:
            return made.board
        if problems:  # variants change what is whole
            raise SourceError(problem_lines(problems))
        return _varied(made.board, found, own_model(made), progress)

    basis = basis_with(folder, variants, found)
    board = recalled("board", basis, Board, compiled_board, worth=lambda _: not problems, progress=progress)
    return Loaded(board, problems)


def apply(board: Board, variants: Sequence[str], *, workspace: str | Path | None = None) -> Board:
    """Return a board with variants applied; the board given stays as it is.

    Args:
        board: The base.
        variants: As for `load`.
        workspace: As for `load`.

    Raises:
        VariantError: As for `load`; likewise UnknownNameError, SourceError and WorkspaceError.
    """
    return _applied(board, late.rail_shelf(open_workspace(workspace)).order(variants))


def _varied(board: Board, found: Sequence[PlacedVariant], model: PayoffModel | None, progress: Progress) -> Board:
    progress("applying variants")
    return _applied(board, found, model)


def _applied(board: Board, found: Sequence[PlacedVariant], model: PayoffModel | None = None) -> Board:
    return late.apply_variants(board, [late.fill_in_charts(placed, board, model) for placed in found])
