"""Steps of journals that an earlier mapkit wrote, when drawings lay in `lines/` and were not rows."""

from mapkit.document.changes import Change, Patch, tidy
from mapkit.kinds.rail.importing.drawings import drawing_of, goes_along, moved
from mapkit.kinds.rail.tables import RailDocument


def replayed(document: RailDocument, patch: Patch) -> Patch:
    """Return a step of a journal as it is meant now.

    A drawing that it changed lies in `drawings/`. A step that dropped drawings, for it took their lines over as lists
    of its own, drops the lines that they gave; undone, it gives them back.
    """
    files = {change.key for change in patch if change.table == "files" and goes_along(change.key)}
    if not files:
        return patch
    gone = {moved(change.key) for change in patch if change.key in files and change.after is None}
    out: dict[tuple[str, str], Change] = {}
    for key, line in document.lines.items():
        if drawing_of(line) in gone:
            out["lines", key] = Change(table="lines", key=key, before=line, after=None)
    for change in patch:
        key = moved(change.key) if change.table == "files" and change.key in files else change.key
        before = document.get(change.table, key)
        out[change.table, key] = Change(table=change.table, key=key, before=before, after=change.after)
    return tidy(out.values())
