"""Checks of rows and files that a patch sets directly."""

from mapkit.core.errors import MapkitError
from mapkit.document.changes import difference
from mapkit.document.document import rank_rows
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.reading.package import document_of


@COMMANDS.checks_rows
def check_files(draft: Draft) -> None:
    """Refuse rows that cannot be written and read back, and files outside the board's folders.

    Raises:
        CommandError: A file is in another folder.
        MapkitError: The files would be refused, or say something else.
    """
    document_after = draft.document
    for path in document_after.files.keys() - draft.base.files.keys():
        folder, _, name = path.partition("/")
        if (
            folder not in ("lines", "drawings", "layers", "pictures")
            or not name
            or name.startswith(".")
            or set(name) & set("/\\:\0")
        ):
            raise CommandError(
                f"{path!r} is not a file of a board; those are in lines/, drawings/, layers/ and pictures/"
            )
    if draft.base.table("compiled"):  # a board without sources has no such files
        return
    document_read, document_wanted = document_of(all_files(document_after)), rank_rows(document_after)
    if document_read != document_wanted:
        first_change = next(iter(difference(document_read, document_wanted)))
        raise MapkitError(
            f"{first_change.table} {first_change.key!r} would change when it is saved and read again; correct it"
        )
