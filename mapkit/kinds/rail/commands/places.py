"""Commands of places: moving, naming and deleting them on all lines."""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.errors import PlaceError
from mapkit.core.names import fold, slug
from mapkit.core.plurals import counted
from mapkit.document.command import Names
from mapkit.kinds.rail.commands.cities import group_point, listed_milepost, rename_stops
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import Lat, Lon, Name, Place, RailroadId, milepost
from mapkit.kinds.rail.commands.findings import drop_accepted, rename_accepted
from mapkit.kinds.rail.commands.on_track.cutting import at_cities
from mapkit.kinds.rail.commands.on_track.pieces import milepost_named, move_milepost, rows, take_out, tracks
from mapkit.kinds.rail.commands.on_track.polylines import rounded
from mapkit.kinds.rail.commands.stops import (
    check_lines,
    drop_unused_places,
    free_milepost_name,
    put_place,
    put_stops,
    refuse_taken_place,
    remove_at,
)
from mapkit.kinds.rail.editing.place_names import (
    city_spellings,
    find_place,
    line_places,
    names_place,
    place_id,
    stop_ids,
)
from mapkit.kinds.rail.sources.places import coordinate_name
from mapkit.kinds.rail.tables import City, Line

PlaceName = Annotated[str, Field(min_length=1, max_length=200), Names("milepost")]
"""A milepost by its id or as station lists write it, or a bend by its coordinates."""


def need_place(draft: Draft, name: str) -> tuple[str, float, float]:
    """Return `(canonical name, lon, lat)` of a place that the board names.

    Raises:
        CommandError: The board does not name it, or it cannot be found.
    """
    try:
        if not names_place(draft.document, place_id(name)):
            raise CommandError(f"no line and no table names {name!r}; choose a place of the board")
        return find_place(draft.document, name)
    except PlaceError as error:
        raise CommandError(str(error)) from error


def cities_at(draft: Draft, name: str) -> dict[str, City]:
    """Return the cities at a milepost, given by any of its names."""
    place_spellings = city_spellings(draft.document, name)
    return {key: c for key, c in draft.rows("cities", City).items() if fold(c.milepost_name) in place_spellings}


def respell(draft: Draft, old: str, new: str) -> None:
    """Replace a place by another on all lines; of a place twice in a row one is dropped."""
    old_id = place_id(old)
    for key, line in list(draft.rows("lines", Line).items()):
        if old_id in line_places(line):
            put_stops(draft, key, [(new if place_id(p) == old_id else p, kind) for p, kind in line.stops])


def name_bend(draft: Draft, place: str, name: str | None) -> str:
    """Give a place that is written as coordinates a name, and return it."""
    _, lon, lat = need_place(draft, place)
    new_name = name or free_milepost_name(draft)
    refuse_taken_place(draft, new_name)
    put_place(draft, new_name, lon, lat)
    respell(draft, place, new_name)
    return new_name


def listed_name(draft: Draft, text: str) -> str:
    """Return the name of a place in station lists, given by that name or its id as a milepost."""
    try:
        is_known = names_place(draft.document, place_id(text))
    except PlaceError as error:
        raise CommandError(str(error)) from error
    return text if is_known or not draft.table("lines") or slug(text) != text else listed_milepost(draft, text)[0]


@command("places")
class MovePlace(Command):
    """Move a milepost or bend, degrees (EPSG:4326), with all track through it; a city moves along, twins together.

    A milepost is given by its id, or as station lists write it.
    """

    kind: Literal["move-place"] = "move-place"
    place: PlaceName
    lon: Lon
    lat: Lat
    was: Place | None = None

    def edit(self, draft: Draft) -> str:
        """Move the row of the milepost, its cities, or the bend on all lines."""
        milepost_id = milepost_named(draft, self.place)
        if milepost_id is not None:
            milepost_row = milepost(draft, milepost_id)
            self._expect(milepost_row.lon, milepost_row.lat)
            move_milepost(draft, milepost_id, *rounded(self.lon, self.lat))
            return f"Move {milepost_row.name}"
        place_name = listed_name(draft, self.place)
        canonical, *place_position = need_place(draft, place_name)
        self._expect(*place_position)
        cities_there = cities_at(draft, place_name)
        if cities_there:
            lon, lat = group_point(draft, next(iter(cities_there.values())).milepost_name)
            for key, row in cities_there.items():
                draft.update(
                    "cities", key, lon=round(row.lon + self.lon - lon, 5), lat=round(row.lat + self.lat - lat, 5)
                )
            return f"Move {next(iter(cities_there.values())).milepost_name}"
        if canonical.startswith("@"):
            all_railroads = {line.railroad for line in draft.rows("lines", Line).values()}
            respell(draft, canonical, coordinate_name(self.lon, self.lat))
            check_lines(draft, all_railroads)
            return "Move bend"
        put_place(draft, canonical, self.lon, self.lat)
        return f"Move {canonical}"

    def _expect(self, lon: float, lat: float) -> None:
        if self.was is not None and rounded(*self.was) != rounded(lon, lat):
            raise CommandError(
                f"milepost {self.place!r} stands at {lon:g}, {lat:g}, not at {self.was[0]:g}, {self.was[1]:g}; "
                "correct `was`"
            )


@command("places")
class RenamePlace(Command):
    """Give a milepost or bend another name in all rows; in tables its id stays."""

    kind: Literal["rename-place"] = "rename-place"
    place: PlaceName
    name: Name
    was: str | None = None

    def edit(self, draft: Draft) -> str:
        """Rename the milepost in tables and lines, with accepted findings about it."""
        milepost_id = milepost_named(draft, self.place)
        if milepost_id is not None:
            old_name = milepost(draft, milepost_id).name
            self._expect(old_name)
            draft.update("mileposts", milepost_id, name=self.name)
            return f"Rename {old_name} to {self.name}"
        place_name = listed_name(draft, self.place)
        canonical, lon, lat = need_place(draft, place_name)
        self._expect(canonical)
        cities_there = cities_at(draft, place_name)
        if fold(self.name) != fold(canonical):
            refuse_taken_place(draft, self.name)
        if cities_there:
            for key in cities_there:
                draft.update("cities", key, milepost=self.name)
            rename_stops(draft, {fold(canonical)}, self.name)
        elif canonical.startswith("@"):
            name_bend(draft, canonical, self.name)
        else:
            old_spellings = {place_id(place_name), fold(canonical)}
            place_key = next((key for key in draft.table("places") if fold(key) in old_spellings), None)
            if place_key is not None:
                place_row = draft.table("places")[place_key]
                draft.drop("places", place_key)
                draft.put("places", self.name, place_row)
            else:
                put_place(draft, self.name, lon, lat)
            rename_stops(draft, old_spellings, self.name)
        rename_accepted(draft, slug(canonical), slug(self.name))
        return f"Rename {'bend' if canonical.startswith('@') else canonical} to {self.name}"

    def _expect(self, name: str) -> None:
        if self.was is not None and name != self.was:
            raise CommandError(f"milepost {self.place!r} is called {name!r}, not {self.was!r}; correct `was`")


@command("places")
class DeletePlace(Command):
    """Take a milepost or bend out of all track, or that of some railroads.

    `track` is the treatment of the track through it: `straight` leads it past the place; `join` keeps its shape, and
    the place becomes a bend (with three or more arms a junction); `remove` deletes it up to the next places. Track that
    ends there ends at the milepost before.
    """

    kind: Literal["delete-place"] = "delete-place"
    place: PlaceName
    railroads: tuple[RailroadId, ...] | None = None
    track: Literal["straight", "join", "remove"] = "straight"

    def is_prepared(self, draft: Draft) -> bool:
        """Return whether the command works on rows of track: to remove track, or for a milepost of the table."""
        return self.track == "remove" or self.place in draft.table("mileposts")

    def edit(self, draft: Draft) -> str:
        """Take the place out of rows of track, or out of station lists."""
        milepost_id = milepost_named(draft, self.place)
        return self._delete_from_lines(draft) if milepost_id is None else self._delete_from_track(draft, milepost_id)

    def _delete_from_track(self, draft: Draft, ident: str) -> str:
        """Take a milepost out of rows of track."""
        milepost_row = milepost(draft, ident)
        for key, row in draft.rows("cities", City).items():
            if row.milepost == ident and self.railroads is None:
                raise CommandError(f"milepost {ident!r} is that of the city {key!r}; delete the city first")
        owners = sorted({rows(draft)[p].railroad for p in tracks(draft).arms(ident)})
        for owner in (
            owners
            if self.railroads is None
            else [railroad_id for railroad_id in owners if railroad_id in self.railroads]
        ):
            take_out(draft, ident, owner, self.track)
        if self.railroads is None or not (tracks(draft).arms(ident) or ident in at_cities(draft)):
            draft.drop("mileposts", ident)
        return f"Delete milepost {milepost_row.name}"

    def _delete_from_lines(self, draft: Draft) -> str:
        """Take a place out of station lists."""
        place_name = listed_name(draft, self.place)
        canonical, lon, lat = need_place(draft, place_name)
        place_spellings = city_spellings(draft.document, place_name)
        if cities_at(draft, place_name) and self.railroads is None:
            raise CommandError(f"{canonical} is a city; delete the city, or say which railroads pass it by")
        bend_name = coordinate_name(lon, lat)
        changed_railroads: set[str] = set()
        names_before: set[str] = set()
        line_count = 0
        for key, line in list(draft.rows("lines", Line).items()):
            if line_places(line).isdisjoint(place_spellings):
                continue
            stop_indices = [n for n, ident in enumerate(stop_ids(line)) if ident in place_spellings]
            if self.railroads is not None and line.railroad not in self.railroads:
                continue
            line_count += 1
            changed_railroads.add(line.railroad)
            names_before.update(name for name, _ in line.stops)
            for n in reversed(stop_indices):
                if key not in draft.table("lines"):
                    break
                current_line = draft.rows("lines", Line)[key]
                if self.track == "join" and 0 < n < len(current_line.stops) - 1:
                    put_stops(draft, key, [*current_line.stops[:n], (bend_name, "via"), *current_line.stops[n + 1 :]])
                else:
                    remove_at(draft, key, n)
        if self.railroads is None:
            drop_accepted(draft, slug(canonical))
        drop_unused_places(draft, [*names_before, canonical, place_name])
        check_lines(draft, changed_railroads)
        return f"Delete {'bend' if canonical.startswith('@') else canonical} from {counted(line_count, 'line')}"


@command("places")
class SetPlaceNote(Command):
    """Write a note beside a place in `places.csv`."""

    kind: Literal["set-place-note"] = "set-place-note"
    place: str
    note: str = Field(max_length=500)

    def edit(self, draft: Draft) -> str:
        """Set the note of the place."""
        draft.need("places", self.place, "place")
        draft.update("places", self.place, note=self.note.strip())
        return f"Note on {self.place}"
