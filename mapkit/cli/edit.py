"""The command `mapkit edit`."""

import webbrowser
from pathlib import Path

from mapkit.cli.printing import talk
from mapkit.editor.boards import board_to_edit
from mapkit.editor.server.run import need_page, serve
from mapkit.sources.workspace import open_workspace


def edit(board: str, *, workspace: Path | None, port: int, show: bool) -> None:
    """Run `mapkit edit`.

    Raises:
        WorkspaceError: The port is taken, or the page was not built; likewise UnknownNameError and SourceError.
    """
    need_page()
    edited = board_to_edit(open_workspace(workspace), board)
    if edited.copied:
        talk(f"{board} is shipped with mapkit; it was copied to {edited.folder}, and the copy is edited")

    def started(address: str) -> None:
        talk(f"The editor of {edited.folder} is open at\n  {address}")
        talk("Keep this running; Ctrl+C ends it, and loses nothing.")
        if show:
            webbrowser.open(address)

    serve(edited.folder, port=port, started=started)
