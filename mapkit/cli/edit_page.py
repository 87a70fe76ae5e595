"""The command `mapkit edit`."""

import webbrowser
from pathlib import Path

from mapkit.cli.printing import talk
from mapkit.editor.server.run import serve
from mapkit.sources.start import copy_board
from mapkit.sources.workspace import open_workspace


def edit(board: str, *, workspace: Path | None, port: int, show: bool) -> None:
    """Run `mapkit edit`."""
    space = open_workspace(workspace)
    folder = space.board_folder(board)
    own = space.root / "sources"
    if len(Path(board).parts) == 1 and folder.parent != own:
        folder = copy_board(space, board)
        talk(f"{board} is shipped with mapkit; it was copied to {folder}, and the copy is edited")

    def started(address: str) -> None:
        talk(f"The editor of {folder} is open at\n  {address}\nKeep this running; Ctrl+C ends it. Nothing is lost then.")
        if show:
            webbrowser.open(address)

    serve(folder, port=port, started=started)
