"""Commands of whole lines: adding, joining, splitting, copying, deleting."""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.names import fold
from mapkit.core.outputs.filenames import station_file
from mapkit.core.plurals import counted
from mapkit.document.command import Names
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import RailroadId, railroad
from mapkit.kinds.rail.commands.naming import railroad_name
from mapkit.kinds.rail.commands.on_track.laying import Stops, lay_track
from mapkit.kinds.rail.commands.on_track.pieces import is_in_tables
from mapkit.kinds.rail.commands.stops import (
    check_lines,
    drop_unused_places,
    line_of,
    make_stops,
    put_stops,
)
from mapkit.kinds.rail.editing.place_names import same_stop
from mapkit.kinds.rail.tables import Line, Stop, line_key

Name = Annotated[str, Field(min_length=1, max_length=200)]


def free_line_name(draft: Draft, owner: str, wish: str) -> str:
    """Return a name that no line of the railroad has: the wish, or with a number."""
    taken_names = {fold(line.name) for line in draft.rows("lines", Line).values() if line.railroad == owner}
    name, number = wish, 2
    while fold(name) in taken_names or not fold(name):
        name, number = f"{wish} {number}", number + 1
    return name


def new_line(draft: Draft, owner: str, name: str, stops: tuple[Stop, ...], *, part_of: Line | None = None) -> str:
    """Add a line and return its id; a part of another line gets its file and drawing.

    Raises:
        CommandError: The railroad is not there, or has a line of this name.
    """
    railroad(draft, owner)
    if free_line_name(draft, owner, name) != name:
        raise CommandError(f"{railroad_name(draft, owner)} has a line {name!r} already; choose another name")
    ident = line_key(owner, name, set(draft.table("lines")))
    line_rank = last_rank(draft.table("lines"))
    file = part_of.file if part_of and part_of.railroad == owner else station_file(owner)
    feature = part_of.feature if part_of else ""
    draft.put("lines", ident, Line(railroad=owner, name=name, file=file, feature=feature, stops=(), rank=line_rank))
    put_stops(draft, ident, stops)
    if ident not in draft.table("lines"):
        raise CommandError("a line runs through at least two places")
    return ident


def ends_name(stops: tuple[Stop, ...]) -> str:
    """Return `Chicago - Miami` for a line's ends."""
    return f"{stops[0][0]} - {stops[-1][0]}"


@command("lines")
class AddLine(Command):
    """Add track of a railroad along places, a segment from each milepost to the next; bends stand between.

    With `along` a segment runs beside that of another railroad where it joins the same two mileposts; `*` is any
    railroad. In station lists it is a line, called by its ends without a name.
    """

    kind: Literal["add-line"] = "add-line"
    railroad: RailroadId
    name: Name | None = None
    stops: Annotated[Stops, Names("way")]
    along: RailroadId | None = None

    def is_prepared(self, draft: Draft) -> bool:  # noqa: ARG002 - as the command
        """Return whether the command works on rows of track: if it runs beside other track."""
        return self.along is not None

    def edit(self, draft: Draft) -> str:
        """Add the line to station lists, or its pieces to tables."""
        railroad(draft, self.railroad)
        if is_in_tables(draft):
            if self.along not in (None, "*"):
                railroad(draft, self.along or "")
            return lay_track(draft, self.railroad, self.stops, self.along)
        stops = make_stops(draft, self.stops)
        name = self.name or free_line_name(draft, self.railroad, ends_name(stops))
        new_line(draft, self.railroad, name, stops)
        check_lines(draft, [self.railroad])
        return f"Add line {name} of {railroad_name(draft, self.railroad)}"


@command("lines")
class RenameLine(Command):
    """Give a line another name; its id follows."""

    kind: Literal["rename-line"] = "rename-line"
    line: str
    name: Name

    def edit(self, draft: Draft) -> str:
        """Replace the line by one with the new name and id."""
        line = line_of(draft, self.line)
        draft.drop("lines", self.line)
        new_id = new_line(draft, line.railroad, self.name, line.stops, part_of=line)
        draft.update("lines", new_id, rank=line.rank)
        return f"Rename line {line.name} to {self.name}"


@command("lines")
class DeleteLine(Command):
    """Delete lines, and the places that no other line names."""

    kind: Literal["delete-line"] = "delete-line"
    lines: tuple[str, ...] = Field(min_length=1)

    def edit(self, draft: Draft) -> str:
        """Drop the lines and their unused places."""
        deleted_lines = [line_of(draft, ident) for ident in self.lines]
        for ident in self.lines:
            draft.drop("lines", ident)
        drop_unused_places(draft, [place for line in deleted_lines for place, _ in line.stops])
        check_lines(draft, [line.railroad for line in deleted_lines])
        first_title = f"line {deleted_lines[0].name} of {railroad_name(draft, deleted_lines[0].railroad)}"
        return f"Delete {first_title if len(deleted_lines) == 1 else counted(len(deleted_lines), 'line')}"


@command("lines")
class SplitLine(Command):
    """Split a line at one of its places, counted from 0; both parts keep the place."""

    kind: Literal["split-line"] = "split-line"
    line: str
    index: int = Field(ge=1)
    name: Name | None = None

    def edit(self, draft: Draft) -> str:
        """Shorten the line, and add a new one for the other part."""
        line = line_of(draft, self.line)
        if self.index >= len(line.stops) - 1:
            raise CommandError("a line is split at a place between its ends; choose another")
        second_part = line.stops[self.index :]
        put_stops(draft, self.line, line.stops[: self.index + 1])
        name = self.name or free_line_name(draft, line.railroad, ends_name(second_part))
        new_line(draft, line.railroad, name, second_part, part_of=line)
        check_lines(draft, [line.railroad])
        return f"Split line {line.name} at {line.stops[self.index][0]}"


@command("lines")
class JoinLines(Command):
    """Join two lines of one railroad at the end that they share; the first keeps its name."""

    kind: Literal["join-lines"] = "join-lines"
    a: str
    b: str

    def edit(self, draft: Draft) -> str:
        """Append the places of the second line to the first, and drop the second."""
        first_line, second_line = line_of(draft, self.a), line_of(draft, self.b)
        if self.a == self.b or first_line.railroad != second_line.railroad:
            raise CommandError("two different lines of one railroad can be joined; choose such")
        first_stops, second_stops = first_line.stops, second_line.stops
        if same_stop(first_stops[-1], second_stops[0]):
            joined_stops = (*first_stops, *second_stops[1:])
        elif same_stop(first_stops[-1], second_stops[-1]):
            joined_stops = (*first_stops, *second_stops[-2::-1])
        elif same_stop(first_stops[0], second_stops[-1]):
            joined_stops = (*second_stops, *first_stops[1:])
        elif same_stop(first_stops[0], second_stops[0]):
            joined_stops = (*second_stops[:0:-1], *first_stops)
        else:
            raise CommandError(
                f"{first_line.name} and {second_line.name} share no end; let them end at one place first"
            )
        put_stops(draft, self.a, joined_stops)
        draft.drop("lines", self.b)
        check_lines(draft, [first_line.railroad])
        return f"Join lines {first_line.name} and {second_line.name}"


@command("lines")
class ReverseLine(Command):
    """Turn a line around."""

    kind: Literal["reverse-line"] = "reverse-line"
    line: str

    def edit(self, draft: Draft) -> str:
        """Reverse the places of the line."""
        line = line_of(draft, self.line)
        put_stops(draft, self.line, line.stops[::-1])
        return f"Reverse line {line.name}"


@command("lines")
class DeleteSection(Command):
    """Delete a line between two of its places, counted from 0; the remaining parts become one line or two."""

    kind: Literal["delete-section"] = "delete-section"
    line: str
    start: int = Field(ge=0)
    end: int = Field(ge=1)

    def edit(self, draft: Draft) -> str:
        """Shorten the line, add a line for a second part, and drop unused places."""
        line = line_of(draft, self.line)
        if not self.start < self.end < len(line.stops):
            raise CommandError(f"a section of {line.name} runs from a place to a later one, 0 to {len(line.stops) - 1}")
        head, tail = line.stops[: self.start + 1], line.stops[self.end :]
        deleted_stops = line.stops[self.start : self.end + 1]
        put_stops(draft, self.line, head)
        if len(head) == 1:
            if len(tail) > 1:
                draft.put("lines", self.line, line)
                put_stops(draft, self.line, tail)
        elif len(tail) > 1:
            name = free_line_name(draft, line.railroad, ends_name(tail))
            new_line(draft, line.railroad, name, tail, part_of=line)
        drop_unused_places(draft, [place for place, _ in deleted_stops])
        check_lines(draft, [line.railroad])
        return f"Delete {deleted_stops[0][0]} - {deleted_stops[-1][0]} of line {line.name}"


@command("lines")
class CopyLine(Command):
    """Lay parallel track: the same places, or some of them, as lines of other railroads."""

    kind: Literal["copy-line"] = "copy-line"
    line: str
    railroads: tuple[str, ...] = Field(min_length=1)
    start: int = Field(default=0, ge=0)
    end: int | None = Field(default=None, ge=1)
    name: Name | None = None

    def edit(self, draft: Draft) -> str:
        """Add a line with these places to each railroad."""
        line = line_of(draft, self.line)
        last_index = len(line.stops) - 1 if self.end is None else self.end
        if not self.start < last_index < len(line.stops):
            raise CommandError(f"a section of {line.name} runs from a place to a later one, 0 to {len(line.stops) - 1}")
        copied_stops = line.stops[self.start : last_index + 1]
        for owner in self.railroads:
            railroad(draft, owner)
            if owner == line.railroad:
                raise CommandError(f"{line.name} is {railroad_name(draft, owner)}'s already; choose others")
            is_whole_line = len(copied_stops) == len(line.stops)
            name = self.name or free_line_name(draft, owner, line.name if is_whole_line else ends_name(copied_stops))
            new_line(draft, owner, name, copied_stops)
        check_lines(draft, self.railroads)
        return (
            f"Copy line {line.name} to {', '.join(railroad_name(draft, railroad_id) for railroad_id in self.railroads)}"
        )


@command("lines")
class MoveLine(Command):
    """Give lines to another railroad."""

    kind: Literal["move-line"] = "move-line"
    lines: tuple[str, ...] = Field(min_length=1)
    railroad: str

    def edit(self, draft: Draft) -> str:
        """Replace the lines by lines of the other railroad."""
        railroad(draft, self.railroad)
        moved_lines = [line_of(draft, ident) for ident in self.lines]
        for ident, line in zip(self.lines, moved_lines, strict=True):
            draft.drop("lines", ident)
            new_line(draft, self.railroad, free_line_name(draft, self.railroad, line.name), line.stops, part_of=line)
        check_lines(draft, [self.railroad, *(line.railroad for line in moved_lines)])
        line_text = moved_lines[0].name if len(moved_lines) == 1 else counted(len(moved_lines), "line")
        return f"Move line {line_text} to {railroad_name(draft, self.railroad)}"
