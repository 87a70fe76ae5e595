"""Command that places the drawings of a board again."""

from typing import Literal

from pydantic import Field

from mapkit.core.errors import MapkitError
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.importing import late
from mapkit.kinds.rail.importing.drawings import drawings_of


@command("lines")
class PlaceDrawings(Command):
    """Place the drawings in `drawings/` again, and replace the lines that came from them.

    Lines without a drawing stay. Manual changes to drawn lines are lost; look at them first.
    """

    kind: Literal["place-drawings"] = "place-drawings"
    many: bool = Field(default=False, description="Place more than 1,000 mileposts by rule, if `[spacing]` says so")

    def edit(self, draft: Draft) -> str:
        """Replace the document by one with the drawings placed again."""
        document_before = draft.document
        drawings = drawings_of(document_before)
        if not drawings:
            raise CommandError("the board has no drawings; take one in with mapkit import")
        try:
            document_after = late.place_again(document_before, waiting=True, many=self.many)
        except MapkitError as error:
            raise CommandError(f"the drawings cannot be placed: {error}") from error
        draft.replace(document_after)
        placing_report = late.placing_report(document_before, document_after)
        changed_mileposts = [
            (placing_report.moved, "moved"),
            (placing_report.added, "new"),
            (placing_report.removed, "gone"),
        ]
        change_texts = ", ".join(
            f"{count_noun(len(names), 'milepost')} {change_word}" for names, change_word in changed_mileposts if names
        )
        return f"Place {count_noun(len(drawings), 'drawing')} again" + (f" ({change_texts})" if change_texts else "")
