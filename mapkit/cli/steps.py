"""`mapkit do`, `undo`, `redo`, `journal`: the editor's commands without the page."""

from typing import Annotated

import typer

from mapkit.cli.options import BoardArg, JsonOpt, WorkspaceOpt

steps_app = typer.Typer()

SaveOpt = Annotated[
    bool | None,
    typer.Option(
        "--save/--no-save",
        help="Write the files too, or leave the step in the journal. By default they are written if nothing else "
        "waits to be saved.",
    ),
]


@steps_app.command("do")
def do_(
    board: BoardArg,
    commands: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND|FILE...",
            help='Commands as JSON, such as \'{"kind": "move-city", "id": "miami", "lon": -80.2, "lat": 25.8}\', or '
            "files of them (a list, or one a line); - for standard input.",
        ),
    ],
    label: Annotated[
        str | None, typer.Option("--label", metavar="TEXT", help="Make one step of all commands, called this.")
    ] = None,
    workspace: WorkspaceOpt = None,
    save: SaveOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Change a board by commands, as the editor does; each is a step that can be undone.

    A page of the editor that has the board open shows the change at once. A shipped board is copied to sources/
    first. If a command does not fit, those before it stay done; with --label all are done or none.
    """
    from mapkit.cli import editing  # noqa: PLC0415

    editing.do(board, commands, label=label, workspace=workspace, save=save, as_json=as_json)


@steps_app.command()
def undo(
    board: BoardArg,
    steps: Annotated[int, typer.Option("--steps", "-n", min=1, metavar="N", help="How many steps.")] = 1,
    workspace: WorkspaceOpt = None,
    save: SaveOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Undo steps of a board, the newest first."""
    from mapkit.cli import editing  # noqa: PLC0415

    editing.move(board, -steps, workspace=workspace, save=save, as_json=as_json)


@steps_app.command()
def redo(
    board: BoardArg,
    steps: Annotated[int, typer.Option("--steps", "-n", min=1, metavar="N", help="How many steps.")] = 1,
    workspace: WorkspaceOpt = None,
    save: SaveOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Do undone steps of a board again."""
    from mapkit.cli import editing  # noqa: PLC0415

    editing.move(board, steps, workspace=workspace, save=save, as_json=as_json)


@steps_app.command()
def journal(
    board: BoardArg,
    goto: Annotated[
        int | None, typer.Option("--goto", min=0, metavar="N", help="Go to this step, also of another branch.")
    ] = None,
    checkpoint: Annotated[
        str | None, typer.Option("--checkpoint", metavar="NAME", help="Give the present step a name.")
    ] = None,
    workspace: WorkspaceOpt = None,
    save: SaveOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """List the steps of a board: what was done, where one stands, what is not saved.

    Steps of other branches, which undo and something new left behind, stand at the end; --goto leads there.
    """
    from mapkit.cli import editing  # noqa: PLC0415

    editing.journal(board, goto=goto, checkpoint=checkpoint, workspace=workspace, save=save, as_json=as_json)
