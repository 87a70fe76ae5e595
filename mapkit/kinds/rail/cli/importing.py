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
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Print what was taken in, notes on it, and the files that were written."""
    if isinstance(found, tuple):
        text, unwritten = formats_text(found), ""
    elif hasattr(found, "drawings"):
        text = placing_text(cast("PlacingReport", found))
        unwritten = "nothing written; leave out --dry-run to do it" if dry_run else ""
    elif hasattr(found, "files"):
        text = import_text(cast("ImportReport", found))
        unwritten = "nothing written; give --into BOARD to take the lines into its source package"
    else:
        text = board_text(found)
        unwritten = "nothing written; give --into BOARD to make a source package of it"
    if not as_json:
        print_result(text)
    for name in getattr(found, "new_railroads", ()):
        print_message(f"new in railroads.csv: {name}; set its price, reporting mark and colour")
    _show_notes(getattr(found, "notes", ()))
    if by_rule := getattr(found, "by_rule", 0):
        print_message(f"mileposts placed by rule: {by_rule:,}")
    written: Sequence[str] = getattr(found, "written", ())
    for path in written:
        print_message(f"written: {path}")
    if not written and unwritten:
        print_message(unwritten)


def _show_notes(notes: Sequence[str]) -> None:
    for note in notes[:_NOTES_SHOWN]:
        print_message(note)
    if len(notes) > _NOTES_SHOWN:
        print_message(f"... and {len(notes) - _NOTES_SHOWN:,} more notes; mapkit check --all lists them")
