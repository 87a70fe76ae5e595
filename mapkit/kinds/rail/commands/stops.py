"""Stops of commands, and checks of lines after a command."""

from collections.abc import Iterable, Sequence

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import PlaceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.document.document import last_rank
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.fields import railroad_name
from mapkit.kinds.rail.editing.place_names import (
    find_place,
    line_places,
    named_places,
    names_place,
    place_id,
    place_keys,
    railroad_problems,
)
from mapkit.kinds.rail.sources.places import coordinate_name
from mapkit.kinds.rail.tables import Kind, Line, Place, Stop, Track

MAX_STOPS = 20_000


class StopInput(Frozen):
    """Stop of a line: a place of the board or the gazetteer by name, or a new one at `lon, lat` (EPSG:4326).

    Without a name a via is written as its coordinates, and a milepost is called `Milepost 1`, 2, ...
    """

    place: str | None = Field(default=None, min_length=1, max_length=200)
    kind: Kind = "milepost"
    lon: float | None = Field(default=None, ge=-180, le=180)
    lat: float | None = Field(default=None, ge=-90, le=90)


def make_stops(draft: Draft, stops: Iterable[str | StopInput]) -> tuple[Stop, ...]:
    """Return stops in the form of lines; new places are added to the draft.

    Raises:
        CommandError: A place is unknown, or a new one has the name of another.
    """
    stop_inputs = [StopInput(place=stop) if isinstance(stop, str) else stop for stop in stops]
    return tuple((make_place(draft, stop), stop.kind) for stop in stop_inputs)


def make_place(draft: Draft, stop: StopInput) -> str:
    """Return the name of a stop's place; a new place is added to the draft.

    Raises:
        CommandError: As for `make_stops`.
    """
    if (stop.lon is None) != (stop.lat is None):
        raise CommandError("a place has lon and lat; give both, or none and a name")
    if stop.lon is None or stop.lat is None:
        if stop.place is None:
            raise CommandError("a stop has no position; give a place, or lon and lat")
        try:
            if not _is_known(draft, stop.place, place_id(stop.place)):
                find_place(draft.document, stop.place)
        except PlaceError as error:
            raise CommandError(str(error)) from error
        return stop.place
    if stop.place is None and stop.kind == "via":
        return coordinate_name(stop.lon, stop.lat)
    if stop.place is not None:
        refuse_taken_place(draft, stop.place)
    name = stop.place or free_milepost_name(draft)
    put_place(draft, name, stop.lon, stop.lat)
    return name


def refuse_taken_place(draft: Draft, name: str) -> None:
    """Refuse a new place's name.

    Raises:
        CommandError: It cannot become an id, or a place of the board has it.
    """
    if name.startswith("@") or not slug(name) or name != name.strip():
        raise CommandError(f"{name!r} is not a name for a place; use letters or digits")
    if _is_known(draft, name, fold(name)):
        raise CommandError(f"there is a place {name!r} already; choose another name, or leave out lon and lat")


def _is_known(draft: Draft, name: str, ident: str) -> bool:
    """Return whether the board has a place of a name, or the table a milepost with its id."""
    return slug(name) in draft.table("mileposts") or names_place(draft.document, ident)


def put_place(draft: Draft, name: str, lon: float, lat: float) -> None:
    """Set a place's position in `places.csv`, degrees."""
    place_keys_found = place_rows(draft, fold(name))
    if place_keys_found:
        draft.update("places", place_keys_found[0], lon=round(lon, 5), lat=round(lat, 5))
        return
    rank = last_rank(draft.table("places"))
    draft.put("places", name, Place(lon=round(lon, 5), lat=round(lat, 5), rank=rank))


def place_rows(draft: Draft, folded: str) -> list[str]:
    """Return the rows of `places.csv` with a folded name."""
    current_rows, base_rows = draft.rows("places", Place), draft.base.places
    known_keys = [key for key in place_keys(base_rows).get(folded, ()) if key in current_rows]
    return (
        known_keys
        if current_rows is base_rows
        else [*known_keys, *(key for key in current_rows if key not in base_rows and fold(key) == folded)]
    )


def free_milepost_name(draft: Draft) -> str:
    """Return `Milepost 12`, with the first free number."""
    taken_names = named_places(draft.document)
    number = 1
    while fold(f"Milepost {number}") in taken_names:
        number += 1
    return f"Milepost {number}"


def need_line(draft: Draft, ident: str) -> Line:
    """Return a line.

    Raises:
        CommandError: There is none.
    """
    if ident not in draft.table("lines") and (
        tabled_lines := sorted(draft.base.table("track").keys() & draft.base.lines)
    ):
        hint = did_you_mean(ident, draft.table("lines")) or f", such as {tabled_lines[0]!r}"
        raise CommandError(
            f"line {ident!r} is not on this board; a line of track in tables has the id of a piece{hint}"
        )
    draft.need("lines", ident, "line")
    return draft.rows("lines", Line)[ident]


def is_tabled_line(draft: Draft, ident: str) -> bool:
    """Return whether a line stands for track of tables: its id is that of a piece."""
    return ident in draft.base.table("track")


def refuse_line_names(draft: Draft, owner: str, name: str | None) -> None:
    """Refuse a name for new track of a railroad that will stand in tables.

    Raises:
        CommandError: There is a name, and the track would lose it.
    """
    base_track, base_lines = draft.base.table("track"), draft.base.lines
    listed_owners = {line.railroad for key, line in base_lines.items() if key not in base_track}
    tabled_owners = {row.railroad for row in base_track.values() if isinstance(row, Track)}
    is_tabled = owner in tabled_owners - listed_owners if listed_owners else bool(base_track)
    if name is not None and is_tabled:
        raise CommandError("lines of track in tables have no names; leave out name")


def put_stops(draft: Draft, ident: str, stops: Sequence[Stop]) -> None:
    """Set the stops of a line; drop repeated places, and the line if fewer than two are left.

    Raises:
        CommandError: There are too many.
    """
    if len(stops) > MAX_STOPS:
        raise CommandError(f"a line has at most {MAX_STOPS} places; make several of it")
    kept_stops: list[Stop] = []
    for stop in stops:
        if kept_stops and place_id(kept_stops[-1][0]) == place_id(stop[0]):
            if stop[1] == "milepost":
                kept_stops[-1] = stop
            continue
        kept_stops.append(stop)
    if len(kept_stops) < 2:  # noqa: PLR2004 - a line has two ends
        draft.drop("lines", ident)
    else:
        draft.put("lines", ident, need_line(draft, ident).model_copy(update={"stops": tuple(kept_stops)}))


def remove_stop_at(draft: Draft, key: str, index: int) -> None:
    """Take a place out of a line; a line that then ends at a bend ends at the milepost before it."""
    line = need_line(draft, key)
    stops = [*line.stops[:index], *line.stops[index + 1 :]]
    if index == 0:
        while stops and stops[0][1] == "via":
            stops.pop(0)
    if index == len(line.stops) - 1:
        while stops and stops[-1][1] == "via":
            stops.pop()
    put_stops(draft, key, stops)


def check_lines(draft: Draft, railroads: Iterable[str]) -> None:
    """Refuse lines that cannot be built, unless they could not be built before either.

    Raises:
        CommandError: Something would be wrong that was not.
    """
    for railroad in sorted(set(railroads)):
        problems_now = railroad_problems(
            line for line in draft.rows("lines", Line).values() if line.railroad == railroad
        )
        problems_before = railroad_problems(line for line in draft.base.lines.values() if line.railroad == railroad)
        if problems_now - problems_before:
            raise CommandError(f"{railroad_name(draft, railroad)}: {min(problems_now - problems_before)}")


def drop_unused_places(draft: Draft, names: Iterable[str]) -> None:
    """Drop rows of `places.csv` that no line and no control point uses any more."""
    folded_names = {fold(name) for name in names if not name.startswith("@")}
    if not folded_names:
        return
    unused_names = folded_names.difference(*map(line_places, draft.rows("lines", Line).values()))
    unused_names -= {fold(str(getattr(point, "city", ""))) for point in draft.table("control_points").values()}
    for key in [key for name in sorted(unused_names) for key in place_rows(draft, name)]:
        draft.drop("places", key)
