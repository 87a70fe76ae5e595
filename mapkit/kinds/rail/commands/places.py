"""Commands of places: moving, naming and deleting them wherever lines name them."""

from typing import Literal

from pydantic import Field

from mapkit.core.errors import PlaceError
from mapkit.core.names import fold, slug
from mapkit.core.plurals import counted
from mapkit.kinds.rail.commands.cities import group_point, rename_stops
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.findings import drop_accepted, rename_accepted
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
    """Return the cities whose milepost a name means."""
    spelled = city_spellings(draft.document, name)
    return {key: c for key, c in draft.rows("cities", City).items() if fold(c.milepost_name) in spelled}


def respell(draft: Draft, old: str, new: str) -> None:
    """Write another place wherever lines name one; what then appears twice in a row is dropped."""
    ident = place_id(old)
    for key, line in list(draft.rows("lines", Line).items()):
        if ident in line_places(line):
            put_stops(draft, key, [(new if place_id(p) == ident else p, kind) for p, kind in line.stops])


def name_bend(draft: Draft, place: str, name: str | None) -> str:
    """Give a place that is written as coordinates a name, and return it."""
    _, lon, lat = need_place(draft, place)
    fresh = name or free_milepost_name(draft)
    refuse_taken_place(draft, fresh)
    put_place(draft, fresh, lon, lat)
    respell(draft, place, fresh)
    return fresh


@command("places")
class MovePlace(Command):
    """Move a place, degrees (EPSG:4326), with all lines through it; a city moves with its milepost, twins together."""

    kind: Literal["move-place"] = "move-place"
    place: str = Field(min_length=1)
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        canonical, _, _ = need_place(draft, self.place)
        cities = cities_at(draft, self.place)
        if cities:
            at = group_point(draft, next(iter(cities.values())).milepost_name)
            for key, city in cities.items():
                lon, lat = city.lon + self.lon - at[0], city.lat + self.lat - at[1]
                draft.update("cities", key, lon=round(lon, 5), lat=round(lat, 5))
            return f"Move {next(iter(cities.values())).milepost_name}"
        if canonical.startswith("@"):
            before = {line.railroad for line in draft.rows("lines", Line).values()}
            respell(draft, canonical, coordinate_name(self.lon, self.lat))
            check_lines(draft, before)
            return "Move bend"
        put_place(draft, canonical, self.lon, self.lat)
        return f"Move {canonical}"


@command("places")
class RenamePlace(Command):
    """Give a place another name wherever it is written; a city is renamed by `edit-city`."""

    kind: Literal["rename-place"] = "rename-place"
    place: str = Field(min_length=1)
    name: str = Field(min_length=1, max_length=200)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        canonical, lon, lat = need_place(draft, self.place)
        cities = cities_at(draft, self.place)
        if len(cities) == 1:
            raise CommandError(f"{canonical} is a city; rename the city")
        if fold(self.name) != fold(canonical):
            refuse_taken_place(draft, self.name)
        if cities:
            for key in cities:
                draft.update("cities", key, milepost=self.name)
            rename_stops(draft, {fold(canonical)}, self.name)
        elif canonical.startswith("@"):
            name_bend(draft, canonical, self.name)
        else:
            old = {place_id(self.place), fold(canonical)}
            row = next((key for key in draft.table("places") if fold(key) in old), None)
            if row is not None:
                place = draft.table("places")[row]
                draft.drop("places", row)
                draft.put("places", self.name, place)
            else:
                put_place(draft, self.name, lon, lat)
            rename_stops(draft, old, self.name)
        rename_accepted(draft, slug(canonical), slug(self.name))
        return f"Rename {'bend' if canonical.startswith('@') else canonical} to {self.name}"


@command("places")
class DeletePlace(Command):
    """Take a milepost or bend out of all lines, or those of some railroads; lines then run straight past it.

    With `keep_shape` it becomes a via where lines go on: track stays as it is. A line that ends there ends at the
    milepost before; one that has no other place goes.
    """

    kind: Literal["delete-place"] = "delete-place"
    place: str = Field(min_length=1)
    railroads: tuple[str, ...] | None = None
    keep_shape: bool = False

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        canonical, lon, lat = need_place(draft, self.place)
        spelled = city_spellings(draft.document, self.place)
        if cities_at(draft, self.place) and self.railroads is None:
            raise CommandError(f"{canonical} is a city; delete the city, or say which railroads pass it by")
        bend = coordinate_name(lon, lat)
        touched: set[str] = set()
        before: set[str] = set()
        lines = 0
        for key, line in list(draft.rows("lines", Line).items()):
            if line_places(line).isdisjoint(spelled):
                continue
            inside = [n for n, ident in enumerate(stop_ids(line)) if ident in spelled]
            if self.railroads is not None and line.railroad not in self.railroads:
                continue
            lines += 1
            touched.add(line.railroad)
            before.update(place for place, _ in line.stops)
            for n in reversed(inside):
                if key not in draft.table("lines"):
                    break
                now = draft.rows("lines", Line)[key]
                if self.keep_shape and 0 < n < len(now.stops) - 1:
                    put_stops(draft, key, [*now.stops[:n], (bend, "via"), *now.stops[n + 1 :]])
                else:
                    remove_at(draft, key, n)
        if self.railroads is None:
            drop_accepted(draft, slug(canonical))
        drop_unused_places(draft, [*before, canonical, self.place])
        check_lines(draft, touched)
        return f"Delete {'bend' if canonical.startswith('@') else canonical} from {counted(lines, 'line')}"


@command("places")
class SetPlaceNote(Command):
    """Write a note beside a place in `places.csv`."""

    kind: Literal["set-place-note"] = "set-place-note"
    place: str
    note: str = Field(max_length=500)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("places", self.place, "place")
        draft.update("places", self.place, note=self.note.strip())
        return f"Note on {self.place}"
