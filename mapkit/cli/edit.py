"""The command `mapkit edit`."""

import sys
import webbrowser
from pathlib import Path

from mapkit.cli.printing import talk
from mapkit.editor.boards import EXAMPLE, NOTHING, board_to_edit, new_board
from mapkit.errors import UnknownNameError
from mapkit.sources.names import slug
from mapkit.sources.start import free_folder
from mapkit.sources.workspace import Workspace, open_workspace

_IN_PAGE = "page"


def edit(board: str, *, new: str | None, workspace: Path | None, port: int, show: bool) -> None:
    """Run `mapkit edit`.

    Raises:
        WorkspaceError: The port is taken, the page was not built, or a new board cannot be made; likewise
            UnknownNameError and SourceError.
    """
    space = open_workspace(workspace)
    if new is None:
        try:
            space.board_folder(board)
        except UnknownNameError as error:
            new = _asked(space, board, error)
    from mapkit.editor.server.run import need_page, serve, serve_new  # noqa: PLC0415 - heavy; a wrong name is told first

    need_page()
    if new == _IN_PAGE:
        free_folder(space, board)
        serve_new(space, board, port=port, started=lambda address: _started(board, address, show=show))
        return
    if new is not None:
        talk(f"{board} is new: {new_board(space, board, new)}")
    edited = board_to_edit(space, board)
    notices: tuple[str, ...] = ()
    if edited.copied:
        shipped = f"the board {board} is shipped with mapkit"
        notices = (f"{shipped}; it was copied to {edited.folder}, and the copy is edited",)
        talk(notices[0])
    serve(
        edited.folder,
        port=port,
        started=lambda address: _started(str(edited.folder), address, show=show),
        notices=notices,
    )


def _started(what: str, address: str, *, show: bool) -> None:
    talk(f"The editor of {what} is open at\n  {address}")
    talk("Keep this running; Ctrl+C ends it, and loses nothing.")
    if show:
        webbrowser.open(address)


def _asked(space: Workspace, board: str, error: UnknownNameError) -> str:
    """Return what a board that does not exist begins with, asked on a terminal.

    Raises:
        UnknownNameError: There is no terminal to ask on, the name is no id, or nothing is wanted.
    """
    if slug(board) != board or not sys.stdin.isatty() or not sys.stderr.isatty():
        raise UnknownNameError(f"{error}; to make a new one: mapkit edit {board} --new {EXAMPLE}|{NOTHING}|BOARD")
    talk(f"{error}.\nMake a new board {board!r}? It begins with")
    choices = [
        (EXAMPLE, "a small example in six cities, to be changed"),
        (NOTHING, "nothing: an empty page that says what to do first"),
        *((name, f"a copy of {name}") for name in space.boards()),
        (_IN_PAGE, "what you choose in the browser"),
    ]
    for number, (_, text) in enumerate(choices, start=1):
        talk(f"  {number}  {text}")
    sys.stderr.write(f"1-{len(choices)}, or Enter to leave it: ")
    sys.stderr.flush()
    typed = sys.stdin.readline().strip()
    if not typed.isdecimal() or not 1 <= int(typed) <= len(choices):
        raise UnknownNameError(f"no board {board!r} was made")
    return choices[int(typed) - 1][0]
