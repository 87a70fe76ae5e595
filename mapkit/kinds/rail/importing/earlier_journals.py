"""Conversion of journals of an earlier mapkit, with drawings in `lines/` and without rows for them."""

from mapkit.document.changes import Change, Patch, tidy_changes
from mapkit.kinds.rail.importing.drawings import belongs_to_drawing, drawing_of, moved_path
from mapkit.kinds.rail.tables import RailDocument


def update_patch(document: RailDocument, patch: Patch) -> Patch:
    """Return a step of a journal in its present form.

    Changed drawings are now in `drawings/`. A step that deleted drawings, because it replaced them by lists, deletes
    the lines made from them; undoing it restores these lines.
    """
    file_keys = {change.key for change in patch if change.table == "files" and belongs_to_drawing(change.key)}
    if not file_keys:
        return patch
    removed_drawings = {moved_path(change.key) for change in patch if change.key in file_keys and change.after is None}
    change_by_row: dict[tuple[str, str], Change] = {}
    for row_key, line in document.lines.items():
        if drawing_of(line) in removed_drawings:
            change_by_row["lines", row_key] = Change(table="lines", key=row_key, before=line, after=None)
    for change in patch:
        row_key = moved_path(change.key) if change.table == "files" and change.key in file_keys else change.key
        current_row = document.get(change.table, row_key)
        change_by_row[change.table, row_key] = Change(
            table=change.table, key=row_key, before=current_row, after=change.after
        )
    return tidy_changes(change_by_row.values())
