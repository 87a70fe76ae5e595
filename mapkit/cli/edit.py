"""The command `mapkit edit`."""

import webbrowser
from typing import Annotated

import typer

import mapkit
from mapkit.console.options import WorkspaceOpt
from mapkit.console.printing import ask, can_ask, print_message
from mapkit.core.errors import UnknownNameError
from mapkit.core.outputs.filenames import invalid_id_reason
from mapkit.document.boards import EXAMPLE, IN_PAGE, NOTHING
from mapkit.document.workspace import Workspace, open_workspace


def edit(
    board: Annotated[
        str | None,
        typer.Argument(
            metavar="BOARD",
            help="A board of the workspace or a shipped one (usa), or the folder of a source package; without one, "
            "choose on the page.",
        ),
    ] = None,
    workspace: WorkspaceOpt = None,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            "-p",
            metavar="N",
            min=0,
            max=65535,
            help="The port on this machine; 0 for that of last time, or any free one.",
        ),
    ] = 0,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    new: Annotated[
        str | None,
        typer.Option(
            metavar="example|empty|BOARD", help="Make a new board first: the small example, empty, or a copy."
        ),
    ] = None,
) -> None:
    """Open a board in the editor, in your browser.

    Every step is saved at once in sources/BOARD.journal and can be undone, even after the editor was closed; Save
    writes the files of the source package. A shipped board is copied into sources/ first. Only this machine can reach
    the page. If the board is open already, another page of it is opened. If it does not exist, mapkit offers to make
    it; --new says what to start with. Without BOARD, the page lists the boards and begins new ones.
    """
    if board is None and new is not None:
        raise typer.BadParameter("a new board needs a name; give BOARD too", param_hint="--new")
    space = open_workspace(workspace)
    if board is not None and new is None:
        try:
            space.board_folder(board)
        except UnknownNameError as error:
            new = _asked(space, board, error)

    def started(opened: mapkit.OpenEditor) -> None:
        print_message(
            f"The editor of {opened.what} is open{' already' if opened.before else ''} at\n  {opened.new_address()}"
        )
        print_message("The address lets one page in, within ten minutes; the same command gives another.")
        if not opened.before:
            print_message("Keep this running; Ctrl+C ends it, and loses nothing.")
        if show:
            webbrowser.open(opened.new_address())

    mapkit.edit(board, new=new, port=port, started=started, workspace=workspace, tell=print_message)


def _asked(space: Workspace, board: str, error: UnknownNameError) -> str:
    """Ask on a terminal for the start of a new board.

    Raises:
        UnknownNameError: There is no terminal to ask on, the name is not an id, or nothing is wanted.
    """
    if why := invalid_id_reason(board, "a board"):
        raise UnknownNameError(f"{error}; {why}")
    if not can_ask():
        raise UnknownNameError(f"{error}; to make a new one: mapkit edit {board} --new {EXAMPLE}|{NOTHING}|BOARD")
    print_message(f"{error}.\nMake a new board {board!r}? It begins with")
    choices = [
        (EXAMPLE, "a small example in six cities, to be changed"),
        (NOTHING, "nothing: an empty page that says what to do first"),
        *((name, f"a copy of {name}") for name in space.boards()),
        (IN_PAGE, "what you choose in the browser"),
    ]
    for number, (_, text) in enumerate(choices, start=1):
        print_message(f"  {number}  {text}")
    typed = ask(f"1-{len(choices)}, or Enter to leave it: ").strip()
    if not typed.isdecimal() or not 1 <= int(typed) <= len(choices):
        raise UnknownNameError(f"no board {board!r} was made")
    return choices[int(typed) - 1][0]
