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
    taken = {fold(line.name) for line in draft.rows("lines", Line).values() if line.railroad == owner}
    name, number = wish, 2
    while fold(name) in taken or not fold(name):
        name, number = f"{wish} {number}", number + 1
    return name


def new_line(draft: Draft, owner: str, name: str, stops: tuple[Stop, ...], *, part_of: Line | None = None) -> str:
    """Add a line and return its id; part of another, it stands in the same file and came from the same drawing.

    Raises:
        CommandError: The railroad is not there, or has a line of this name.
    """
    railroad(draft, owner)
    if free_line_name(draft, owner, name) != name:
        raise CommandError(f"{railroad_name(draft, owner)} has a line {name!r} already; choose another name")
    ident = line_key(owner, name, set(draft.table("lines")))
    rank = last_rank(draft.table("lines"))
    file = part_of.file if part_of and part_of.railroad == owner else station_file(owner)
    feature = part_of.feature if part_of else ""
    draft.put("lines", ident, Line(railroad=owner, name=name, file=file, feature=feature, stops=(), rank=rank))
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
        """Return whether it works on rows of track: beside other track."""
        return self.along is not None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
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
        """Plan it."""
        line = line_of(draft, self.line)
        draft.drop("lines", self.line)
        ident = new_line(draft, line.railroad, self.name, line.stops, part_of=line)
        draft.update("lines", ident, rank=line.rank)
        return f"Rename line {line.name} to {self.name}"


@command("lines")
class DeleteLine(Command):
    """Delete lines, and the places that no other line names."""

    kind: Literal["delete-line"] = "delete-line"
    lines: tuple[str, ...] = Field(min_length=1)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = [line_of(draft, ident) for ident in self.lines]
        for ident in self.lines:
            draft.drop("lines", ident)
        drop_unused_places(draft, [place for line in found for place, _ in line.stops])
        check_lines(draft, [line.railroad for line in found])
        first = f"line {found[0].name} of {railroad_name(draft, found[0].railroad)}"
        return f"Delete {first if len(found) == 1 else counted(len(found), 'line')}"


@command("lines")
class SplitLine(Command):
    """Split a line at one of its places, counted from 0; both parts keep the place."""

    kind: Literal["split-line"] = "split-line"
    line: str
    index: int = Field(ge=1)
    name: Name | None = None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        line = line_of(draft, self.line)
        if self.index >= len(line.stops) - 1:
            raise CommandError("a line is split at a place between its ends; choose another")
        rest = line.stops[self.index :]
        put_stops(draft, self.line, line.stops[: self.index + 1])
        name = self.name or free_line_name(draft, line.railroad, ends_name(rest))
        new_line(draft, line.railroad, name, rest, part_of=line)
        check_lines(draft, [line.railroad])
        return f"Split line {line.name} at {line.stops[self.index][0]}"


@command("lines")
class JoinLines(Command):
    """Join two lines of one railroad at the end that they share; the first keeps its name."""

    kind: Literal["join-lines"] = "join-lines"
    a: str
    b: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        one, other = line_of(draft, self.a), line_of(draft, self.b)
        if self.a == self.b or one.railroad != other.railroad:
            raise CommandError("two different lines of one railroad can be joined; choose such")
        first, second = one.stops, other.stops
        if same_stop(first[-1], second[0]):
            stops = (*first, *second[1:])
        elif same_stop(first[-1], second[-1]):
            stops = (*first, *second[-2::-1])
        elif same_stop(first[0], second[-1]):
            stops = (*second, *first[1:])
        elif same_stop(first[0], second[0]):
            stops = (*second[:0:-1], *first)
        else:
            raise CommandError(f"{one.name} and {other.name} share no end; let them end at one place first")
        put_stops(draft, self.a, stops)
        draft.drop("lines", self.b)
        check_lines(draft, [one.railroad])
        return f"Join lines {one.name} and {other.name}"


@command("lines")
class ReverseLine(Command):
    """Turn a line around."""

    kind: Literal["reverse-line"] = "reverse-line"
    line: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        line = line_of(draft, self.line)
        put_stops(draft, self.line, line.stops[::-1])
        return f"Reverse line {line.name}"


@command("lines")
class DeleteSection(Command):
    """Delete a line between two of its places, counted from 0; what is left becomes one line or two."""

    kind: Literal["delete-section"] = "delete-section"
    line: str
    start: int = Field(ge=0)
    end: int = Field(ge=1)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        line = line_of(draft, self.line)
        if not self.start < self.end < len(line.stops):
            raise CommandError(f"a section of {line.name} runs from a place to a later one, 0 to {len(line.stops) - 1}")
        head, tail = line.stops[: self.start + 1], line.stops[self.end :]
        gone = line.stops[self.start : self.end + 1]
        put_stops(draft, self.line, head)
        if len(head) == 1:
            if len(tail) > 1:
                draft.put("lines", self.line, line)
                put_stops(draft, self.line, tail)
        elif len(tail) > 1:
            name = free_line_name(draft, line.railroad, ends_name(tail))
            new_line(draft, line.railroad, name, tail, part_of=line)
        drop_unused_places(draft, [place for place, _ in gone])
        check_lines(draft, [line.railroad])
        return f"Delete {gone[0][0]} - {gone[-1][0]} of line {line.name}"


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
        """Plan it."""
        line = line_of(draft, self.line)
        end = len(line.stops) - 1 if self.end is None else self.end
        if not self.start < end < len(line.stops):
            raise CommandError(f"a section of {line.name} runs from a place to a later one, 0 to {len(line.stops) - 1}")
        stops = line.stops[self.start : end + 1]
        for owner in self.railroads:
            railroad(draft, owner)
            if owner == line.railroad:
                raise CommandError(f"{line.name} is {railroad_name(draft, owner)}'s already; choose others")
            whole = len(stops) == len(line.stops)
            name = self.name or free_line_name(draft, owner, line.name if whole else ends_name(stops))
            new_line(draft, owner, name, stops)
        check_lines(draft, self.railroads)
        return f"Copy line {line.name} to {', '.join(railroad_name(draft, one) for one in self.railroads)}"


@command("lines")
class MoveLine(Command):
    """Give lines to another railroad."""

    kind: Literal["move-line"] = "move-line"
    lines: tuple[str, ...] = Field(min_length=1)
    railroad: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        railroad(draft, self.railroad)
        found = [line_of(draft, ident) for ident in self.lines]
        for ident, line in zip(self.lines, found, strict=True):
            draft.drop("lines", ident)
            new_line(draft, self.railroad, free_line_name(draft, self.railroad, line.name), line.stops, part_of=line)
        check_lines(draft, [self.railroad, *(line.railroad for line in found)])
        what = found[0].name if len(found) == 1 else counted(len(found), "line")
        return f"Move line {what} to {railroad_name(draft, self.railroad)}"
