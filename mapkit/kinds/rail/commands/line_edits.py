"""Commands that change a line's course: extending, reshaping, adding and removing its places."""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import need_railroad, railroad_name
from mapkit.kinds.rail.commands.places import name_bend
from mapkit.kinds.rail.commands.stops import (
    StopInput,
    check_lines,
    drop_unused_places,
    make_place,
    make_stops,
    need_line,
    put_stops,
    remove_stop_at,
)
from mapkit.kinds.rail.editing.place_names import city_spellings, line_places, place_id
from mapkit.kinds.rail.tables import Kind, Line, Stop

Some = Annotated[tuple[StopInput, ...], Field(min_length=1, max_length=20_000)]


def need_stop_index(line: Line, index: int) -> int:
    """Return the index of a place of a line, if the line has one.

    Raises:
        CommandError: It has no such place.
    """
    if not 0 <= index < len(line.stops):
        raise CommandError(f"line {line.name} has places 0 to {len(line.stops) - 1}, no {index}")
    return index


@command("lines", form="lines")
class ExtendLine(Command):
    """Extend a line beyond one of its ends; places in drawing order."""

    kind: Literal["extend-line"] = "extend-line"
    line: str
    end: Literal["start", "end"]
    stops: Some

    def edit(self, draft: Draft) -> str:
        """Add the places at the end of the line."""
        line = need_line(draft, self.line)
        new_stops = make_stops(draft, self.stops)
        all_stops = (*new_stops[::-1], *line.stops) if self.end == "start" else (*line.stops, *new_stops)
        put_stops(draft, self.line, all_stops)
        check_lines(draft, [line.railroad])
        return f"Extend line {line.name} to {new_stops[-1][0]}"


@command("lines", form="lines")
class ReshapeLine(Command):
    """Replace the places of a line from one to another, counted from 0, both included; all of them by default."""

    kind: Literal["reshape-line"] = "reshape-line"
    line: str
    stops: Some
    start: int = Field(default=0, ge=0)
    end: int | None = Field(default=None, ge=0)

    def edit(self, draft: Draft) -> str:
        """Replace the places, and drop those that are no longer used."""
        line = need_line(draft, self.line)
        last_index = len(line.stops) - 1 if self.end is None else need_stop_index(line, self.end)
        if need_stop_index(line, self.start) > last_index:
            raise CommandError("the places to replace run from one to a later one")
        replaced_stops = line.stops[self.start : last_index + 1]
        new_stops = make_stops(draft, self.stops)
        put_stops(draft, self.line, (*line.stops[: self.start], *new_stops, *line.stops[last_index + 1 :]))
        if self.line not in draft.table("lines"):
            raise CommandError("a line runs through at least two places")
        drop_unused_places(draft, [place for place, _ in replaced_stops])
        check_lines(draft, [line.railroad])
        return f"Reshape line {line.name}"


@command("lines", form="lines")
class AddStop(Command):
    """Add a place to a line before its place `index`, and to all stretches of its railroad between the same two.

    `railroads` names others that get it too where they run between the same two places.
    """

    kind: Literal["add-stop"] = "add-stop"
    line: str
    index: int = Field(ge=1)
    stop: StopInput
    railroads: tuple[str, ...] = ()

    def edit(self, draft: Draft) -> str:
        """Insert the place into all lines of the railroads that run between the same two places."""
        line = need_line(draft, self.line)
        if self.index >= len(line.stops):
            raise CommandError(f"a place is added between two, before place 1 to {len(line.stops) - 1}")
        place_name = make_place(draft, self.stop)
        new_stop: Stop = (place_name, self.stop.kind)
        neighbour_ids = {place_id(line.stops[n][0]) for n in (self.index - 1, self.index)}
        chosen_railroads = {line.railroad, *self.railroads}
        changed_railroads: set[str] = set()
        for line_id, other_line in list(draft.rows("lines", Line).items()):
            if other_line.railroad in chosen_railroads:
                new_stops: list[Stop] = [other_line.stops[0]]
                for previous_stop, next_stop in zip(other_line.stops, other_line.stops[1:], strict=False):
                    if {place_id(previous_stop[0]), place_id(next_stop[0])} == neighbour_ids:
                        new_stops.append(new_stop)
                    new_stops.append(next_stop)
                if len(new_stops) != len(other_line.stops):
                    put_stops(draft, line_id, new_stops)
                    changed_railroads.add(other_line.railroad)
        for owner in sorted(chosen_railroads - changed_railroads):
            need_railroad(draft, owner)
            raise CommandError(f"{railroad_name(draft, owner)} does not run between these two places; leave it out")
        check_lines(draft, changed_railroads)
        stop_text = "bend" if self.stop.kind == "via" else f"milepost {place_name}"
        return f"Add {stop_text} on line {line.name} of {railroad_name(draft, line.railroad)}"


@command("lines", form="lines")
class DeleteStop(Command):
    """Take a place out of a line, counted from 0, and out of the same stretch on its railroad's other lines.

    At an end the line becomes shorter, up to the next milepost.
    """

    kind: Literal["delete-stop"] = "delete-stop"
    line: str
    index: int = Field(ge=0)

    def edit(self, draft: Draft) -> str:
        """Remove the place from the line and from the same stretch of other lines."""
        line = need_line(draft, self.line)
        place = line.stops[need_stop_index(line, self.index)][0]
        ident = place_id(place)
        around_ids = {place_id(line.stops[n][0]) for n in (self.index - 1, self.index + 1) if 0 <= n < len(line.stops)}
        is_inner = 0 < self.index < len(line.stops) - 1
        remove_stop_at(draft, self.line, self.index)
        for line_id, other_line in list(draft.rows("lines", Line).items()):
            if line_id == self.line or other_line.railroad != line.railroad or not is_inner:
                continue
            for n in range(len(other_line.stops) - 2, 0, -1):
                other_neighbours = {place_id(other_line.stops[m][0]) for m in (n - 1, n + 1)}
                if place_id(other_line.stops[n][0]) == ident and other_neighbours == around_ids:
                    remove_stop_at(draft, line_id, n)
        drop_unused_places(draft, [place for place, _ in line.stops])
        check_lines(draft, [line.railroad])
        return f"Delete {'bend' if place.startswith('@') else place} from line {line.name}"


@command("lines", form="lines")
class SetStopKind(Command):
    """Make a place a milepost or a via of railroads, on all their lines; of all that name it by default."""

    kind: Literal["set-stop-kind"] = "set-stop-kind"
    place: str = Field(min_length=1)
    to: Kind
    railroads: tuple[str, ...] | None = None
    name: str | None = Field(default=None, min_length=1, max_length=200, description="For a bend that becomes one")

    def edit(self, draft: Draft) -> str:
        """Change the kind of the place on all lines of the railroads."""
        place = self.place
        for railroad in self.railroads or ():
            need_railroad(draft, railroad)
        if self.name is not None and (self.to == "via" or not place.startswith("@")):
            raise CommandError("name is for a bend without one that becomes a milepost; leave it out")
        if self.to == "milepost" and place.startswith("@"):
            place = name_bend(draft, place, self.name)
        place_spellings = city_spellings(draft.document, place)
        changed_railroads: set[str] = set()
        is_named = False
        for key, line in list(draft.rows("lines", Line).items()):
            if self.railroads is not None and line.railroad not in self.railroads:
                continue
            is_named |= not place_spellings.isdisjoint(line_places(line))
            stops = tuple((p, self.to if place_id(p) in place_spellings else kind) for p, kind in line.stops)
            if stops != line.stops:
                draft.put("lines", key, line.model_copy(update={"stops": stops}))
                changed_railroads.add(line.railroad)
        if not changed_railroads and (place == self.place or not is_named):
            those_railroads = "" if self.railroads is None else " of these railroads"
            raise CommandError(
                f"no line{those_railroads} names {self.place!r}, or it is a {self.to} already; choose another"
            )
        check_lines(draft, changed_railroads)
        return f"Make {place} a {self.to}"
