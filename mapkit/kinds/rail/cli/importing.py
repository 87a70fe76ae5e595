"""Lines and boards that were imported, for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from mapkit.console.printing import print_message, print_result
from mapkit.kinds.rail.cli.import_reports import board_text, formats_text, import_text, placing_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.importing import LineFormat
    from mapkit.kinds.rail.model.import_report import BoardImportReport, ImportReport, PlacingReport

_NOTES_SHOWN: Final = 50


def show_import(
    found: "PlacingReport | BoardImportReport | ImportReport | tuple[LineFormat, ...]",
    into: str | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Print what was taken in, notes on it, and the files that were written."""
    if isinstance(found, tuple):
        text = formats_text(found)
    elif hasattr(found, "drawings"):
        text = placing_text(cast("PlacingReport", found))
    elif hasattr(found, "files"):
        text = import_text(cast("ImportReport", found))
    else:
        text = board_text(found)
    if not as_json:
        print_result(text)
    for name in getattr(found, "new_railroads", ()):
        new = "would be new" if dry_run else "new"
        print_message(f"{new} in railroads.csv: {name}; set its price, reporting mark and colour")
    _show_notes(getattr(found, "notes", ()))
    if gap_mi := getattr(found, "suggested_gap_mi", None):
        print_message(
            f"board.toml has no [spacing], so that mileposts are only where lines end or meet; with gap_mi = {gap_mi} "
            "under [spacing], mapkit import --again places them along the lines too"
        )
    if by_rule := getattr(found, "by_rule", 0):
        print_message(f"mileposts placed by rule: {by_rule:,}")
    written: Sequence[str] = getattr(found, "written", ())
    for path in written:
        print_message(f"written: {path}")
    if closing := _undo_text(found, into) if written else _unwritten_reason(found, into, dry_run=dry_run):
        print_message(closing)


def _undo_text(
    found: "PlacingReport | BoardImportReport | ImportReport | tuple[LineFormat, ...]", into: str | None
) -> str:
    """Return whether what was written can be taken back; nothing of a board that is new."""
    if getattr(found, "is_step", False):
        return f"mapkit undo {into} takes this back"
    obstacle = getattr(found, "undo_obstacle", "")
    return obstacle and f"mapkit undo does not take this back: {obstacle}"


def _unwritten_reason(
    found: "PlacingReport | BoardImportReport | ImportReport | tuple[LineFormat, ...]",
    into: str | None,
    *,
    dry_run: bool,
) -> str:
    """Return why nothing was written, and what to do."""
    if isinstance(found, tuple) or (hasattr(found, "drawings") and not dry_run):
        return ""
    if into is None:
        what = "take the lines into its source package" if hasattr(found, "files") else "make a source package of it"
        return f"nothing written; give --into BOARD to {what}"
    if not dry_run:
        return f"nothing has changed: {into} has these lines already"
    if any(file.problems for file in getattr(found, "files", ())):
        return "nothing written; first map keys with --map 'KEY=railroad', or make railroads with --new-railroads"
    return "nothing written; leave out --dry-run to do it"


def _show_notes(notes: Sequence[str]) -> None:
    for note in notes[:_NOTES_SHOWN]:
        print_message(note)
    if len(notes) > _NOTES_SHOWN:
        print_message(f"... and {len(notes) - _NOTES_SHOWN:,} more notes; mapkit check --all lists them")
