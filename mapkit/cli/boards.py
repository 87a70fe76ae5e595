"""Results of `check`, `new`, `build` and `verify`, for a board of any kind."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from mapkit.console import texts
from mapkit.console.finding_table import show_report
from mapkit.console.printing import print_message, print_result
from mapkit.core.errors import MapkitError
from mapkit.core.plurals import join_some
from mapkit.document.workspace import open_workspace
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from mapkit.api.boards import CheckedBoard, NewBoard
    from mapkit.document.bundle_manifest import BundleVerification
    from mapkit.kinds.kind import Built, Gaps


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


def show_checked(
    checked: "CheckedBoard | Gaps",
    board: str,
    workspace: Path | None,
    form: str,
    *,
    every: Annotated[bool, Flag("--all", help="List notes and accepted findings too.")] = False,
) -> None:
    """Print findings, or places where a link may be missing."""
    if not hasattr(checked, "found"):
        if form == "commands":
            commands = checked.commands(every=every)
            (print_result if commands else print_message)(commands or "no link is likely; --all prints all commands")
        else:
            print_result(texts.json_text(checked) if form == "json" else checked.text(every=every))
        return
    checked = cast("CheckedBoard", checked)
    found, report = checked.found, checked.found.report
    if form == "json":
        print_result(texts.json_text(report))
    elif form == "sarif":
        print_result(texts.json_text(texts.sarif(report, checked.checks, folder=f"sources/{found.board}")))
    else:
        show_report(report, found.title, folder=_package_folder(board, workspace), every=every)


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
