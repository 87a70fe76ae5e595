"""`mapkit do`, `commands`, `undo`, `redo`, `journal`: the editor's commands without the page."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, table
from mapkit.formats.files import MAX_BYTES, decoded

SaveOpt = Annotated[
    bool | None,
    typer.Option(
        "--save/--no-save",
        help="Write the files too, or leave the step in the journal. By default they are written if nothing else "
        "waits to be saved.",
    ),
]
StepsOpt = Annotated[int, typer.Option("--steps", "-n", min=1, metavar="N", help="How many steps.")]


def do(
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
    """Change a board by commands, which can be undone.

    A page of the editor that has the board open shows the change at once. A shipped board is copied to sources/
    first. If a command does not fit, those before it remain done; with --label, all are done or none.
    """
    given = [_typed() if one == "-" else one for one in commands]
    with _stopped(as_json=as_json):
        steps = mapkit.do(board, given, label=label, save=save, workspace=workspace, tell=print_message)
    _print(steps, as_json=as_json)


def commands(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]...", help="Those to show, with their keys; all by default.")
    ] = None,
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="The kind of board: rail, hex or cards.")
    ] = "rail",
    as_json: JsonOpt = False,
) -> None:
    """List the commands of mapkit do, the editor, variants and imports; --json prints their JSON Schemas."""
    found = mapkit.list_commands(tuple(names or ()), kind=kind)
    if as_json:
        print_result(texts.json_text([one.as_json() for one in found]))
    elif names:
        print_result("\n\n".join(one.text() for one in found))
    else:
        print_result(table(("command", "topic", "what it does"), ((c.kind, c.topic, c.summary) for c in found)))
        print_message("mapkit list commands NAME shows the keys of a command")


def _typed() -> "mapkit.CommandText":
    """Return what stands on standard input, which is UTF-8 whatever the system's own encoding is."""
    where = "standard input"
    return mapkit.CommandText(decoded(sys.stdin.buffer.read(MAX_BYTES + 1), name=where), where)


def undo(
    board: BoardArg,
    steps: StepsOpt = 1,
    workspace: WorkspaceOpt = None,
    save: SaveOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Undo steps of a board, the newest first."""
    with _stopped(as_json=as_json):
        found = mapkit.undo(board, steps, save=save, workspace=workspace, tell=print_message)
    _print(found, as_json=as_json)


def redo(
    board: BoardArg,
    steps: StepsOpt = 1,
    workspace: WorkspaceOpt = None,
    save: SaveOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Do undone steps of a board again."""
    with _stopped(as_json=as_json):
        found = mapkit.redo(board, steps, save=save, workspace=workspace, tell=print_message)
    _print(found, as_json=as_json)


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
    """List the steps of a board, and those not yet saved.

    Steps that you undid before doing something else are other branches. They are listed at the end; --goto goes there.
    """
    found = mapkit.journal(board, goto=goto, checkpoint=checkpoint, save=save, workspace=workspace, tell=print_message)
    if goto is not None or save:
        _say_saved(found)
    listed = {**found.history, "revision": found.revision, "unsaved": found.unsaved}
    print_result(texts.json_text(listed) if as_json else _journal_text(listed))
    if found.unsaved:
        what = "1 row is" if found.unsaved_rows == 1 else f"{found.unsaved_rows} rows are"
        print_message(f"{what} not saved; save with: mapkit journal {board} --save")


@contextmanager
def _stopped(*, as_json: bool) -> Iterator[None]:
    """Print the steps that were made before one that could not be."""
    try:
        yield
    except mapkit.StoppedError as error:
        _print(error.steps, as_json=as_json)
        raise


def _print(steps: "mapkit.Steps", *, as_json: bool) -> None:
    _say_saved(steps)
    if not as_json:
        print_result("\n".join(one.label for one in steps.done))
        return
    print_result(
        texts.json_text(
            {
                "revision": steps.revision,
                "position": steps.position,
                "steps": [{"position": d.position, "label": d.label, "rows": len(d.patch)} for d in steps.done],
                "saved": list(steps.saved or ()),
                "unsaved": steps.unsaved,
            }
        )
    )


def _say_saved(steps: "mapkit.Steps") -> None:
    if steps.saved is None:
        if steps.unsaved:
            print_message("in the journal, not in the files; --save writes them")
    elif steps.done or steps.saved:
        print_message(f"saved: {', '.join(steps.saved) or 'no file changes'}")
    else:
        print_message("nothing to save")


def _journal_text(listed: Mapping[str, Any]) -> str:
    def row(step: Mapping[str, Any]) -> tuple[str, ...]:
        marks = ["here"] * (step["n"] == listed["position"]) + ["saved"] * (step["n"] == listed["saved"])
        names = [f"[{name}]" for name in step["checkpoints"]]
        undone = "" if step["done"] else "undone"
        return str(step["n"]), step["label"], step["client"], undone, " ".join([*marks, *names])

    head = ("step", "what", "who", "", "")
    text = table(head, [row(step) for step in listed["steps"]], right=(0,))
    if listed["other"]:
        text += "\n\nOther branches\n" + table(head, [row(step) for step in listed["other"]], right=(0,))
    return text
