"""`mapkit check` for a board of any kind, and the results of `new`, `build` and `verify`."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.finding_table import show_report
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages
from mapkit.core.errors import MapkitError
from mapkit.core.plurals import join_some
from mapkit.document.workspace import open_workspace

if TYPE_CHECKING:
    from mapkit.api.boards import NewBoard
    from mapkit.document.bundle_manifest import BundleVerification
    from mapkit.kinds.kind import Built

_FORMS = ("text", "json", "sarif", "commands")


def show_verified(found: "BundleVerification") -> None:
    """Print what of a bundle does not belong together, and whether its sources have changed."""
    for names, what in ((found.missing, "is missing"), (found.changed, "is not as it was built")):
        if names:
            print_result("\n".join(f"{found.folder}/{name}: {what}" for name in names))
    if found.exit_code:
        print_message(f"the bundle does not belong together; build it again: mapkit build {found.board}")
    else:
        variants = f" with {', '.join(found.variants)}" if found.variants else ""
        print_result(f"{found.folder}: the files belong together, a build of {found.board}{variants}")
    if not found.source_folder:
        print_message(f"the sources of {found.board} are not here")
    elif found.changed_sources:
        print_message(f"{found.source_folder} has changed since: {join_some(found.changed_sources)}")
    else:
        print_message(f"it was built from {found.source_folder} as it is now")


def show_built(built: "Built") -> None:
    """Print the files of a bundle, and what there is to say about them."""
    print_message(built.sentences[0])
    print_result("\n".join(str(path) for path in built.files))
    for text in built.sentences[1:]:
        print_message(text)


def check(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="text|json|sarif|commands",
            help="How to print them; commands of --gaps are for mapkit do.",
        ),
    ] = "text",
    every: Annotated[bool, typer.Option("--all", help="List notes and accepted findings too.")] = False,
    gaps: Annotated[
        bool,
        typer.Option("--gaps", help="List places where a link may be missing instead, the likeliest first."),
    ] = False,
    as_json: JsonOpt = False,
    drawing: Annotated[
        bool,
        typer.Option(
            "--drawing/--no-drawing",
            help="Also lay the board out and check its drawing (R), and judge payoffs by one another (P08 to P11).",
        ),
    ] = True,
) -> None:
    """Check a board: network, charts, rules and drawing.

    Lists errors and warnings; notes and accepted findings are counted. Exits 0 if nothing is wrong, 1 if there are
    errors that the author has not accepted. Findings are accepted in board.toml under [accepted], by id, with a reason.
    --verbose names the rows of the rules behind a finding.
    """
    if form not in _FORMS:
        raise typer.BadParameter(f"{form!r} is not one of {', '.join(_FORMS)}", param_hint="--format")
    if form == ("sarif" if gaps else "commands"):
        raise typer.BadParameter(
            "missing links have no SARIF; give text, json or commands" if gaps else "only --gaps has commands",
            param_hint="--format",
        )
    if gaps:
        found_gaps = mapkit.find_gaps(board, variants=variants or (), workspace=workspace)
        if form == "commands":
            commands = found_gaps.commands(every=every)
            (print_result if commands else print_message)(commands or "no link is likely; --all prints all commands")
        else:
            print_result(texts.json_text(found_gaps) if as_json or form == "json" else found_gaps.text(every=every))
        return
    with stages(f"check {board}") as progress:
        checked = mapkit.check_board(
            board, variants=variants or (), workspace=workspace, drawing=drawing, progress=progress
        )
    found, report = checked.found, checked.found.report
    if as_json or form == "json":
        print_result(texts.json_text(report))
    elif form == "sarif":
        print_result(texts.json_text(texts.sarif(report, checked.checks, folder=f"sources/{found.board}")))
    else:
        show_report(report, found.title, folder=_package_folder(board, workspace), every=every)
    sys.exit(0 if report.ok else 1)


def _package_folder(board: str, workspace: Path | None) -> Path | None:
    with suppress(MapkitError):
        return open_workspace(workspace).board_folder(board)
    return None


def show_new(made: "NewBoard", name: str) -> None:
    """Print the folder of a new board, notes on it, and what to do next."""
    print_result(str(made.folder))
    for note in made.notes:
        print_message(note)
    if len(made.files) == 1:
        print_message(f"1 file; change it, then run: mapkit check {name}")
    else:
        print_message(f"{len(made.files)} files; build it with: mapkit build {name}")
