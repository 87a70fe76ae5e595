"""`mapkit export` and `mapkit list formats`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.exchange.format import Format


def export(
    board: BoardArg,
    to: Annotated[
        str,
        typer.Option("--to", "-t", metavar="FORMAT[,FORMAT...]|all", help="Formats; mapkit list formats lists them."),
    ],
    out: Annotated[Path, written_option("--out", "-o", metavar="FOLDER", help="Where the files go.")],
    variants: VariantOpt = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", metavar="URL", help="For tts: the address of the folder where you put its pictures."
        ),
    ] = None,
    board_version: Annotated[
        int,
        typer.Option("--board-version", metavar="1|2", min=1, max=2, help="For engine: the version of the board file."),
    ] = 2,
    encoding: Annotated[
        str,
        typer.Option(
            "--encoding",
            metavar="windows-1252|utf-8",
            help="For rb3: of names. Rail Baron Player takes windows-1252 alone, some other programs utf-8 alone.",
        ),
    ] = "windows-1252",
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a board for other programs.

    The files of a single format go into the folder; of several, each format gets a folder of its name, and
    manifest.json lists all files with their hashes. Says what a format does not hold. All files are written or none.
    """
    with stages(f"export {board}") as progress:
        done = mapkit.export(
            board,
            to=to,
            out=out,
            variants=variants or (),
            base_url=base_url,
            board_version=board_version,
            encoding=encoding,
            workspace=workspace,
            progress=progress,
        )
    if as_json:
        files = [str(path) for path in done.files]
        summary = {"board": done.board.id, "variants": list(done.board.variants), "folder": str(out), "files": files}
        print_result(texts.json_text({**summary, "losses": dict(done.losses)}))
        return
    print_result("\n".join(str(path) for path in done.files))
    for name, losses in done.losses.items():
        if losses:
            print_message(f"{name} does not hold: {'; '.join(losses)}")
    whole = [name for name, losses in done.losses.items() if not losses]
    if whole:
        print_message(f"Nothing is lost in: {', '.join(whole)}")


def formats(
    board: Annotated[
        str | None, typer.Argument(metavar="[BOARD]", help="Boards of other kinds have formats of their own.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """List the formats of mapkit export, with what each carries."""
    del board, workspace  # they choose the command
    found, wrong = mapkit.list_formats()
    for text in wrong:
        print_message(f"warning: {text}")
    if as_json:
        print_result(texts.json_text([described(form) for form in found]))
        return
    head = ("format", "name", "files", "reads", "carries", "cannot carry")
    rows = (
        (
            f.name,
            f.title,
            " ".join(f.suffixes),
            "yes" if isinstance(f, late.ReadingFormat) else "no",
            f.carries,
            f.loses,
        )
        for f in found
    )
    print_result(table(head, rows))


def described(form: "Format") -> dict[str, object]:
    """Return a format as `mapkit list formats --json` prints it."""
    return {
        "name": form.name,
        "title": form.title,
        "suffixes": form.suffixes,
        "reads": isinstance(form, late.ReadingFormat),
        "carries": form.carries,
        "loses": form.loses,
    }


def edited(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What mapkit export wrote, edited: GPKG, GeoJSON, KML, XLSX, ...")
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The variant's name: letters, digits, hyphens.")],
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            "--board",
            "-b",
            metavar="BOARD",
            help="The board that it was exported from, with its variants (usa+first-printing); else the file says.",
        ),
    ] = None,
    title: Annotated[str, typer.Option("--title", "-t", metavar="TEXT", help="Its title.")] = "",
    overwrite: Annotated[bool, typer.Option("--replace", help="Write over a variant of that name.")] = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Turn edits in an exported file into a variant, variants/NAME.toml.

    Moved points, new lines and changed cells become operations, and nothing else does. What the other program dropped
    is taken from the board. Without a change, nothing is written. Exits 1 if no operation can express a change, and
    lists it.
    """
    made = mapkit.variant_from(file, name, of=of, title=title, overwrite=overwrite, workspace=workspace)
    if as_json:
        path = None if made.path is None else str(made.path)
        print_result(texts.json_text({"variant": made.variant, "file": path, "left": list(made.left)}))
    elif made.path is not None:
        print_result(
            "\n".join(f"{number}. {op.kind}: {op.reason}" for number, op in enumerate(made.variant.operations, 1))
        )
    for line in made.left:
        print_message(f"no operation says this: {line}")
    if made.path is None:
        print_message(f"{file.name} holds {made.base.title} as it was; nothing written")
    else:
        print_message(f"written: {made.path}; look: mapkit variant check {name}")
    sys.exit(1 if made.left else 0)
