"""Rows as they were at another moment: taking back single changes."""

from typing import Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.commands.rows import MAX_ROWS, RowChange
from mapkit.errors import MapkitError, SourceError


@command("document")
class RestoreRows(Command):
    """Put rows back as they were at another moment; the question `revert` says what they were."""

    kind: Literal["restore-rows"] = "restore-rows"
    label: str = Field(min_length=1, max_length=200)
    rows: tuple[RowChange, ...] = Field(min_length=1, max_length=MAX_ROWS)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        from mapkit.editor.opening import document_of  # noqa: PLC0415
        from mapkit.editor.saving import all_files  # noqa: PLC0415

        for then in self.rows:
            if then.table == "files" and then.row is not None and draft.base.get("files", then.key) is None:
                _refuse_path(then.key)
            then.put(draft)
        after = draft.document
        try:
            document_of(all_files(after))
        except SourceError as error:
            raise CommandError(
                f"this cannot be taken back by itself: {'; '.join(error.problems[:3])}; take back more with it"
            ) from error
        except MapkitError as error:
            raise CommandError(f"this cannot be taken back by itself: {error}") from error
        return self.label


def _refuse_path(path: str) -> None:
    """Refuse a file that is not one of `lines/`.

    Raises:
        CommandError: It is elsewhere.
    """
    folder, _, name = path.partition("/")
    if folder != "lines" or not name or name.startswith(".") or set(name) & set("/\\:\0"):
        raise CommandError(f"{path!r} is no file of a board; those are in lines/")
