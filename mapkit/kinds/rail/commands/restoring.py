"""Rows as they are given, or were at another moment: what may be put."""

from mapkit.core.errors import MapkitError
from mapkit.document.changes import difference
from mapkit.document.document import ranked
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.reading.package import document_of


@COMMANDS.checks_rows
def check_files(draft: Draft) -> None:
    """Refuse rows that could not be written and read again, and files that are not of `lines/`.

    Raises:
        CommandError: A file is in another folder.
        MapkitError: The files would be refused, or say something else.
    """
    after = draft.document
    for path in after.files.keys() - draft.base.files.keys():
        _refuse_path(path)
    if draft.base.table("compiled"):  # a board without sources has no such files
        return
    read, wanted = document_of(all_files(after)), ranked(after)
    if read != wanted:
        first = next(iter(difference(read, wanted)))
        raise MapkitError(f"{first.table} {first.key!r} would not be read from the files as it is here; correct it")


def _refuse_path(path: str) -> None:
    """Refuse a file that is not one of `lines/`, `drawings/` or `layers/`.

    Raises:
        CommandError: It is in another folder.
    """
    folder, _, name = path.partition("/")
    if folder not in ("lines", "drawings", "layers") or not name or name.startswith(".") or set(name) & set("/\\:\0"):
        raise CommandError(f"{path!r} is not a file of a board; those are in lines/, drawings/ and layers/")
