"""`mapkit export`, `mapkit list formats` and `mapkit import` for card games."""

from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table


def export(
    board: BoardArg,
    to: Annotated[
        str,
        typer.Option("--to", "-t", metavar="FORMAT[,FORMAT...]|all", help="Formats; mapkit list formats lists them."),
    ],
    out: Annotated[Path, written_option("--out", "-o", metavar="FOLDER", help="Where the files go.")],
    variants: VariantOpt = None,
    language: LanguageOpt = "en",
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", metavar="URL", help="For tts: the address of the folder where you put its pictures."
        ),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a card game in formats of other programs: virtual tables, card makers, 18xx-maker, game servers.

    The files of a single format go into the folder; of several, each format gets a folder of its name, and
    manifest.json lists all files with their hashes. Says what a format does not hold. All files are written or none.
    """
    with stages(f"export {board}") as progress:
        done = mapkit.export_cards(
            board,
            to=to,
            out=out,
            variants=variants or (),
            base_url=base_url,
            language=language,
            workspace=workspace,
            progress=progress,
        )
    if as_json:
        files = [str(path) for path in done.files]
        summary = {"board": done.game.id, "variants": list(variants or ()), "folder": str(out), "files": files}
        print_result(texts.json_text({**summary, "losses": dict(done.losses)}))
        return
    print_result("\n".join(str(path) for path in done.files))
    for name, losses in done.losses.items():
        print_message(f"{name} does not hold: {'; '.join(losses)}" if losses else f"Nothing is lost in: {name}")


def formats(board: BoardArg, workspace: WorkspaceOpt = None, as_json: JsonOpt = False) -> None:  # noqa: ARG001 - they choose this command
    """List the formats of mapkit export for card games: what each carries, and which are read back."""
    found = mapkit.card_formats()
    if as_json:
        keys = ("name", "title", "suffixes", "carries", "losses")
        rows = [{**{key: getattr(form, key) for key in keys}, "reads": form.read is not None} for form in found]
        print_result(texts.json_text(rows))
        return
    head = ("format", "name", "files", "reads", "carries", "cannot carry")
    lines = [
        (f.name, f.title, " ".join(f.suffixes), "yes" if f.read else "no", f.carries, "; ".join(f.losses) or "nothing")
        for f in found
    ]
    print_result(table(head, lines))


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A board file of a card game (board.json).")],
    into: Annotated[
        str | None,
        typer.Option(
            "--into", "--board", "-b", metavar="BOARD", help="The game, made if it is not there; without it, only look."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would change.")] = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Read a card game from a board file.

    A game that is there changes by one step, which mapkit undo takes back.
    """
    found = mapkit.import_cards(file, into=into, dry_run=dry_run, workspace=workspace)
    if as_json:
        print_result(texts.json_text(found))
        return
    print_result(f"{found.title}: {found.holdings} holdings, {found.railroads} railroads, {found.investors} investors")
    if found.changed is not None:
        print_message(f"{found.changed:,} rows {'would change' if dry_run else 'changed'}")
    for path in found.written:
        print_message(f"written: {path}")
    if not found.written and (into is None or dry_run):
        print_message(
            "nothing written; give --into BOARD" if into is None else "nothing written; leave out --dry-run to do it"
        )
