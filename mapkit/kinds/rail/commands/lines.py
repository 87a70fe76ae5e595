"""Commands of whole lines: adding, joining, splitting, copying, deleting."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.names import fold
from mapkit.core.outputs.filenames import station_file
from mapkit.core.plurals import count_noun
from mapkit.document.command import Names
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import RailroadId, need_railroad, railroad_name
from mapkit.kinds.rail.commands.on_track.laying import Stops, lay_track
from mapkit.kinds.rail.commands.on_track.pieces import is_in_tables
from mapkit.kinds.rail.commands.stops import (
    check_lines,
    drop_unused_places,
    is_tabled_line,
    make_stops,
    need_line,
    put_stops,
    refuse_line_names,
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


def add_line_row(draft: Draft, owner: str, name: str, stops: tuple[Stop, ...], *, part_of: Line | None = None) -> str:
    """Add a line and return its id; a part of another line gets its file and drawing.

    Raises:
        CommandError: The railroad is not there, or has a line of this name.
    """
    need_railroad(draft, owner)
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


def line_name_from_ends(stops: tuple[Stop, ...]) -> str:
    """Return `Chicago - Miami` for a line's ends."""
    return f"{stops[0][0]} - {stops[-1][0]}"


def last_of_section(line: Line, start: int, end: int | None) -> int:
    """Return the last place of a section of a line.

    Raises:
        CommandError: The section does not run from a place to a later one.
    """
    last_index = len(line.stops) - 1 if end is None else end
    if not start < last_index < len(line.stops):
        raise CommandError(f"a section of {line.name} runs from a place to a later one, 0 to {len(line.stops) - 1}")
    return last_index


@command("lines")
class AddLine(Command):
    """Add track of a railroad along places, a segment from each milepost to the next; bends stand between.

    With `along` a segment runs beside that of another railroad where it joins the same two mileposts; `*` is any
    railroad. In station lists it is a line, called by its ends without a name; other track has no `name`.
    """

    kind: Literal["add-line"] = "add-line"
    railroad: RailroadId
    name: Name | None = None
    stops: Annotated[Stops, Names("way")]
    along: RailroadId | None = None

    def form_for(self, draft: Draft) -> str:
        """Return `track` if it runs beside other track, or all track is in tables."""
        return "track" if self.along is not None or is_in_tables(draft) else ""

    def edit(self, draft: Draft) -> str:
        """Add the line to station lists, or its pieces to tables."""
        need_railroad(draft, self.railroad)
        if is_in_tables(draft):
            if self.name is not None:
                raise CommandError(
                    "track in tables, and track along that of another railroad, has no name; leave it out"
                )
            if self.along not in (None, "*"):
                need_railroad(draft, self.along or "")
            return lay_track(draft, self.railroad, self.stops, self.along)
        stops = make_stops(draft, self.stops)
        name = self.name or free_line_name(draft, self.railroad, line_name_from_ends(stops))
        add_line_row(draft, self.railroad, name, stops)
        check_lines(draft, [self.railroad])
        return f"Add line {name} of {railroad_name(draft, self.railroad)}"


@command("lines", form="lines")
class EditLine(Command):
    """Change the given fields of lines: name, railroad, direction; the id of a line follows its railroad and name.

    Lines of track in tables are called by their ends and have no direction.
    """

    kind: Literal["edit-line"] = "edit-line"
    lines: tuple[str, ...] = Field(min_length=1)
    name: Name | None = None
    railroad: RailroadId | None = None
    reverse: bool = False

    @model_validator(mode="after")
    def _require_change(self) -> Self:
        if self.name is None and self.railroad is None and not self.reverse:
            raise ValueError("nothing to change; give name, railroad or reverse")
        return self

    def edit(self, draft: Draft) -> str:
        """Replace the lines by others with these fields."""
        edited_lines = [need_line(draft, ident) for ident in self.lines]
        if self.name is not None and len(edited_lines) > 1:
            raise CommandError("two lines cannot have one name; name one line at a time")
        if (self.name is not None or self.reverse) and any(is_tabled_line(draft, ident) for ident in self.lines):
            raise CommandError("lines of track in tables have no names and no direction; leave out name and reverse")
        if self.railroad is not None:
            need_railroad(draft, self.railroad)
        for ident, line in zip(self.lines, edited_lines, strict=True):
            stops, owner = line.stops[:: -1 if self.reverse else 1], self.railroad or line.railroad
            if owner == line.railroad and self.name is None:
                put_stops(draft, ident, stops)
                continue
            draft.drop("lines", ident)
            name = self.name or free_line_name(draft, owner, line.name)
            new_id = add_line_row(draft, owner, name, stops, part_of=line)
            if owner == line.railroad:
                draft.update("lines", new_id, rank=line.rank)
        check_lines(draft, {owner for line in edited_lines for owner in (line.railroad, self.railroad) if owner})
        line_text = edited_lines[0].name if len(edited_lines) == 1 else count_noun(len(edited_lines), "line")
        change_texts = [f"Reverse line {line_text}"] * self.reverse
        if self.railroad is not None:
            change_texts.append(f"Move line {line_text} to {railroad_name(draft, self.railroad)}")
        if self.name is not None:
            change_texts.append(f"Rename line {line_text} to {self.name}")
        return "; ".join(change_texts)


@command("lines", form="lines")
class DeleteLine(Command):
    """Delete lines, and the places that no other line names; of one line perhaps a section only.

    The section is that between its places `start` and `end`, counted from 0; the rest becomes one line or two.
    """

    kind: Literal["delete-line"] = "delete-line"
    lines: tuple[str, ...] = Field(min_length=1)
    start: int = Field(default=0, ge=0)
    end: int | None = Field(default=None, ge=1)

    def edit(self, draft: Draft) -> str:
        """Drop the lines, or shorten one and add a line for a second part; drop unused places."""
        deleted_lines = [need_line(draft, ident) for ident in self.lines]
        if len(deleted_lines) > 1 and (self.start or self.end is not None):
            raise CommandError("start and end count the places of one line; name one, or leave them out")
        for ident, line in zip(self.lines, deleted_lines, strict=True):
            last_index = last_of_section(line, self.start, self.end)
            head, tail = line.stops[: self.start + 1], line.stops[last_index:]
            put_stops(draft, ident, head if len(head) > 1 else tail)
            if len(head) > 1 and len(tail) > 1:
                name = free_line_name(draft, line.railroad, line_name_from_ends(tail))
                add_line_row(draft, line.railroad, name, tail, part_of=line)
            drop_unused_places(draft, [place for place, _ in line.stops[self.start : last_index + 1]])
        check_lines(draft, [line.railroad for line in deleted_lines])
        line = deleted_lines[0]
        if len(deleted_lines) > 1:
            return f"Delete {count_noun(len(deleted_lines), 'line')}"
        if self.start or last_index < len(line.stops) - 1:
            return f"Delete {line.stops[self.start][0]} - {line.stops[last_index][0]} of line {line.name}"
        return f"Delete line {line.name} of {railroad_name(draft, line.railroad)}"


@command("lines", form="lines")
class SplitLine(Command):
    """Split a line at one of its places, counted from 0; both parts keep the place."""

    kind: Literal["split-line"] = "split-line"
    line: str
    index: int = Field(ge=1)
    name: Name | None = None

    def edit(self, draft: Draft) -> str:
        """Shorten the line, and add a new one for the other part."""
        line = need_line(draft, self.line)
        if is_tabled_line(draft, self.line):
            raise CommandError(
                "lines of track in tables run on wherever two pieces meet and cannot be split; to change a part, give "
                "its start and end to delete-line, reshape-line or copy-line"
            )
        if self.index >= len(line.stops) - 1:
            raise CommandError("a line is split at a place between its ends; choose another")
        second_part = line.stops[self.index :]
        put_stops(draft, self.line, line.stops[: self.index + 1])
        name = self.name or free_line_name(draft, line.railroad, line_name_from_ends(second_part))
        add_line_row(draft, line.railroad, name, second_part, part_of=line)
        check_lines(draft, [line.railroad])
        return f"Split line {line.name} at {line.stops[self.index][0]}"


@command("lines", form="lines")
class JoinLines(Command):
    """Join two lines of one railroad at the end that they share; the first keeps its name."""

    kind: Literal["join-lines"] = "join-lines"
    a: str
    b: str

    def edit(self, draft: Draft) -> str:
        """Append the places of the second line to the first, and drop the second."""
        first_line, second_line = need_line(draft, self.a), need_line(draft, self.b)
        if self.a == self.b or first_line.railroad != second_line.railroad:
            raise CommandError("two different lines of one railroad can be joined; choose such")
        if is_tabled_line(draft, self.a) or is_tabled_line(draft, self.b):
            raise CommandError(
                "lines of track in tables end where track branches and cannot be joined; name both where a command "
                "takes several lines, as edit-line does"
            )
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


@command("lines", form="lines")
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
        line = need_line(draft, self.line)
        last_index = last_of_section(line, self.start, self.end)
        copied_stops = line.stops[self.start : last_index + 1]
        for owner in self.railroads:
            need_railroad(draft, owner)
            refuse_line_names(draft, owner, self.name)
            if owner == line.railroad:
                raise CommandError(f"{line.name} is {railroad_name(draft, owner)}'s already; choose others")
            is_whole_line = len(copied_stops) == len(line.stops)
            name = self.name or free_line_name(
                draft, owner, line.name if is_whole_line else line_name_from_ends(copied_stops)
            )
            add_line_row(draft, owner, name, copied_stops)
        check_lines(draft, self.railroads)
        return (
            f"Copy line {line.name} to {', '.join(railroad_name(draft, railroad_id) for railroad_id in self.railroads)}"
        )
