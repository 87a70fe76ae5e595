"""Placing the drawings of a board again."""

from typing import Literal

from pydantic import Field

from mapkit.core.errors import MapkitError
from mapkit.core.plurals import counted
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.importing import late
from mapkit.kinds.rail.importing.drawings import drawings_of


@command("lines")
class PlaceDrawings(Command):
    """Place the drawings in `drawings/` again: the lines that came from them are replaced by what they give now.

    Lines that no drawing gave stay. What was changed by hand on a drawn line is lost; look at it first.
    """

    kind: Literal["place-drawings"] = "place-drawings"
    many: bool = Field(default=False, description="Place more than 1,000 mileposts by rule, if `[spacing]` says so")

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        before = draft.document
        drawings = drawings_of(before)
        if not drawings:
            raise CommandError("the board has no drawings; take one in with mapkit import")
        try:
            after = late.place_again(before, waiting=True, many=self.many)
        except MapkitError as error:
            raise CommandError(f"the drawings cannot be placed: {error}") from error
        draft.replace(after)
        report = late.placing_report(before, after)
        said = [(report.moved, "moved"), (report.added, "new"), (report.removed, "gone")]
        parts = ", ".join(f"{counted(len(names), 'milepost')} {what}" for names, what in said if names)
        return f"Place {counted(len(drawings), 'drawing')} again" + (f" ({parts})" if parts else "")
