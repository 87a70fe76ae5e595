"""Opening a board in the editor."""

from collections.abc import Callable
from pathlib import Path

from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import EXAMPLE, IN_PAGE, NOTHING, prepare_board
from mapkit.document.workspace import Workspace, open_workspace
from mapkit.editor.server.run import OpenEditor, need_page, serve, serve_new, serve_start
from mapkit.kinds.registry import DEFAULT, get_kind, kind_of
from mapkit.kinds.starting import new_board


def edit(
    board: str | None,
    *,
    new: str | None = None,
    port: int = 0,
    started: Callable[[OpenEditor], None],
    workspace: str | Path | None = None,
    tell: Progress = quiet,
) -> None:
    """Serve the editor of a board, on this machine only, until Ctrl-C.

    If an editor of the board runs already, another page of it can be opened, and this returns at once.

    Args:
        board: A board of the workspace or a shipped one, or the folder of a source package; None to choose on the page.
        new: Make the board first: `"example"`, `"empty"`, `"page"` to choose on the page, or a board to copy.
        port: The port; 0 for the one of last time, or any free one.
        started: Called when pages can be loaded.
        workspace: The folder that holds `sources/`; the current folder by default.
        tell: Called with what there is to know besides, a sentence each.

    Raises:
        WorkspaceError: The port is taken, the page was not built, or a new board cannot be made.
        UnknownNameError: There is no such board.
        SourceError: Its files are wrong.
    """
    space = open_workspace(workspace)
    if board is None:
        need_page(get_kind(DEFAULT).page)
        serve_start(space, port=port, started=started)
        return
    if new is None:
        space.board_folder(board)
    need_page(_page(space, board if new is None else new))
    if new == IN_PAGE:
        serve_new(space, board, port=port, started=started)
        return
    if new is not None:
        tell(f"{board} is new: {new_board(space, board, new)}")
    edited = prepare_board(space, board)
    notices: tuple[str, ...] = ()
    if edited.copied:
        shipped = f"the board {board} is shipped with mapkit"
        notices = (f"{shipped}; it was copied to {edited.folder}, and the copy is edited",)
        tell(notices[0])
    serve(edited.folder, port=port, started=started, notices=notices)


def _page(space: Workspace, source: str) -> str:
    """Return the page of a board, inferred from its kind."""
    if source in (EXAMPLE, NOTHING, IN_PAGE):
        return get_kind(DEFAULT).page
    return kind_of(space.board_folder(source)).page
