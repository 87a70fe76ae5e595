"""Commands of places: moving, naming and deleting them on all lines."""

from collections.abc import Collection
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Frozen
from mapkit.core.errors import PlaceError
from mapkit.core.names import fold, slug
from mapkit.core.plurals import count_noun, join_some
from mapkit.document.command import Names
from mapkit.kinds.rail.commands.cities import find_listed_milepost, milepost_position, rename_stops
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import Lat, Lon, Name, RailroadId, need_milepost, need_railroad
from mapkit.kinds.rail.commands.findings import drop_accepted, rename_accepted
from mapkit.kinds.rail.commands.on_track.cutting import find_city_mileposts
from mapkit.kinds.rail.commands.on_track.pieces import (
    find_milepost_named,
    move_milepost,
    piece_rows_of,
    take_milepost_out,
    track_index,
)
from mapkit.kinds.rail.commands.on_track.polylines import round_position
from mapkit.kinds.rail.commands.stops import (
    check_lines,
    drop_unused_places,
    free_milepost_name,
    is_tabled_line,
    place_rows,
    put_place,
    put_stops,
    refuse_taken_place,
    remove_stop_at,
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


def bend_form(place: str) -> str:
    """Return the form of the document in which a command changes a place: bends are places of lines only."""
    return "lines" if place.startswith("@") else ""


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


def replace_place_name(draft: Draft, old: str, new: str) -> None:
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
    replace_place_name(draft, place, new_name)
    return new_name


def find_listed_name(draft: Draft, text: str) -> str:
    """Return the name of a place in station lists, given by that name or its id as a milepost."""
    try:
        is_known = names_place(draft.document, place_id(text))
    except PlaceError as error:
        raise CommandError(str(error)) from error
    return text if is_known or not draft.table("lines") or slug(text) != text else find_listed_milepost(draft, text)[0]


class PlaceFields(Frozen):
    """Fields of a place to expect; a field that is not given may have any value."""

    name: str | None = None
    lon: float | None = None
    lat: float | None = None


@command("places")
class EditPlace(Command):
    """Change the given fields of a milepost or bend: its position, its name in all rows, its note in `places.csv`.

    It is given by its id, or as station lists write it. `lon` and `lat` (degrees, EPSG:4326) move it with all track
    through it, and a city with it, twins together. In tables its id stays when it is renamed.
    """

    kind: Literal["edit-place"] = "edit-place"
    place: PlaceName
    name: Name | None = None
    lon: Lon | None = None
    lat: Lat | None = None
    note: str | None = Field(default=None, max_length=500)
    was: PlaceFields = PlaceFields()

    @model_validator(mode="after")
    def _whole_position(self) -> Self:
        if (self.lon is None) != (self.lat is None):
            raise ValueError("give lon and lat, or neither")
        return self

    def form_for(self, draft: Draft) -> str:  # noqa: ARG002 - as the command
        """Return `lines` for a bend."""
        return bend_form(self.place)

    def edit(self, draft: Draft) -> str:
        """Change the row of the milepost, its cities, or the place on all lines."""
        change_texts: list[str] = []
        if self.note is not None:
            change_texts.append(write_note(draft, self.place, self.note))
        milepost_id = None
        if self.name is not None or self.lon is not None:
            milepost_id = find_milepost_named(draft, self.place)
        if milepost_id is not None:
            post = need_milepost(draft, milepost_id)
            self._expect(post.name, post.lon, post.lat)
            if self.lon is not None and self.lat is not None:
                move_milepost(draft, milepost_id, *round_position(self.lon, self.lat))
                change_texts.append(f"Move {post.name}")
            if self.name is not None:
                draft.update("mileposts", milepost_id, name=self.name)
                change_texts.append(f"Rename {post.name} to {self.name}")
            return "; ".join(change_texts)
        if self.name is not None or self.lon is not None:
            place_name = find_listed_name(draft, self.place)
            canonical, lon, lat = need_place(draft, place_name)
            self._expect(canonical, lon, lat)
            if self.name is not None:
                change_texts.append(rename_place(draft, place_name, self.name))
                place_name = self.name
            if self.lon is not None and self.lat is not None:
                change_texts.append(move_place(draft, place_name, self.lon, self.lat))
        return "; ".join(change_texts) or f"Change nothing of {self.place}"

    def _expect(self, name: str, lon: float, lat: float) -> None:
        if self.was.name not in (None, name):
            raise CommandError(f"milepost {self.place!r} is called {name!r}, not {self.was.name!r}; correct `was`")
        expected = (lon if self.was.lon is None else self.was.lon, lat if self.was.lat is None else self.was.lat)
        if round_position(*expected) != round_position(lon, lat):
            raise CommandError(
                f"milepost {self.place!r} stands at {lon:g}, {lat:g}, not at {expected[0]:g}, {expected[1]:g}; "
                "correct `was`"
            )


def write_note(draft: Draft, place: str, note: str) -> str:
    """Set the note of a place in `places.csv`; return the label.

    Raises:
        CommandError: The place has no row there.
    """
    note_keys = place_rows(draft, place_id(find_listed_name(draft, place)))
    if not note_keys:
        raise CommandError(f"{place!r} has no row in places.csv, which holds the notes; leave out note")
    draft.need("places", note_keys[0], "place")
    draft.update("places", note_keys[0], note=note.strip())
    return f"Note on {note_keys[0]}"


def move_place(draft: Draft, place: str, lon: float, lat: float) -> str:
    """Move a place of station lists with its cities; return the label."""
    canonical, _, _ = need_place(draft, place)
    cities_there = cities_at(draft, place)
    if cities_there:
        milepost_name = next(iter(cities_there.values())).milepost_name
        old_lon, old_lat = milepost_position(draft, milepost_name)
        for key, row in cities_there.items():
            draft.update("cities", key, lon=round(row.lon + lon - old_lon, 5), lat=round(row.lat + lat - old_lat, 5))
        return f"Move {milepost_name}"
    if canonical.startswith("@"):
        all_railroads = {line.railroad for line in draft.rows("lines", Line).values()}
        replace_place_name(draft, canonical, coordinate_name(lon, lat))
        check_lines(draft, all_railroads)
        return "Move bend"
    put_place(draft, canonical, lon, lat)
    return f"Move {canonical}"


def rename_place(draft: Draft, place: str, name: str) -> str:
    """Rename a place of station lists in all rows, with accepted findings about it; return the label."""
    canonical, lon, lat = need_place(draft, place)
    cities_there = cities_at(draft, place)
    if fold(name) != fold(canonical):
        refuse_taken_place(draft, name)
    if cities_there:
        for key in cities_there:
            draft.update("cities", key, milepost=name)
        rename_stops(draft, {fold(canonical)}, name)
    elif canonical.startswith("@"):
        if all(
            is_tabled_line(draft, key)
            for key, line in draft.rows("lines", Line).items()
            if place_id(canonical) in line_places(line)
        ):
            raise CommandError("bends of track in tables have no names; make it a milepost with set-stop-kind")
        name_bend(draft, canonical, name)
    else:
        old_spellings = {place_id(place), fold(canonical)}
        place_key = next((key for key in draft.table("places") if fold(key) in old_spellings), None)
        if place_key is not None:
            place_row = draft.table("places")[place_key]
            draft.drop("places", place_key)
            draft.put("places", name, place_row)
        else:
            put_place(draft, name, lon, lat)
        rename_stops(draft, old_spellings, name)
    rename_accepted(draft, slug(canonical), slug(name))
    return f"Rename {'bend' if canonical.startswith('@') else canonical} to {name}"


@command("places")
class DeletePlace(Command):
    """Take a milepost or bend out of all track, or that of some railroads; or a junction that joins none any more.

    `track` is the treatment of the track through it: `straight` leads it past the place; `join` keeps its shape, and
    the place becomes a bend (with three or more arms a junction); `remove` deletes it up to the next places. Track that
    ends there ends at the milepost before.
    """

    kind: Literal["delete-place"] = "delete-place"
    place: Annotated[str, Field(min_length=1, max_length=200), Names("node")]
    railroads: tuple[RailroadId, ...] | None = None
    track: Literal["straight", "join", "remove"] = "straight"

    def form_for(self, draft: Draft) -> str:
        """Return `track` to remove track, for a milepost of the table or a junction; `lines` for a bend."""
        is_junction = slug(self.place) == self.place.replace("--", "-") != self.place
        if (
            self.track == "remove"
            or is_junction
            or any(self.place in draft.table(table) for table in ("mileposts", "junctions"))
        ):
            return "track"
        return bend_form(self.place)

    def edit(self, draft: Draft) -> str:
        """Take the place out of rows of track, or out of station lists."""
        for railroad in self.railroads or ():
            need_railroad(draft, railroad)
        if self.track != "straight" and self.place.startswith("@"):
            raise CommandError("a bend only shapes its track, which stays as it is or gets straight; leave out track")
        if self.place in draft.table("junctions"):
            if arm_ids := track_index(draft).arms(self.place):
                raise CommandError(f"junction {self.place!r} joins {join_some(arm_ids)}; delete these pieces first")
            draft.drop("junctions", self.place)
            return f"Delete junction {self.place}"
        milepost_id = find_milepost_named(draft, self.place)
        return self._delete_from_lines(draft) if milepost_id is None else self._delete_from_track(draft, milepost_id)

    def _delete_from_track(self, draft: Draft, ident: str) -> str:
        """Take a milepost out of rows of track."""
        milepost_row = need_milepost(draft, ident)
        for key, row in draft.rows("cities", City).items():
            if row.milepost == ident and self.railroads is None:
                raise CommandError(f"milepost {ident!r} is that of the city {key!r}; delete the city first")
        owners = sorted({piece_rows_of(draft)[p].railroad for p in track_index(draft).arms(ident)})
        if self.railroads is not None:
            owners = [railroad_id for railroad_id in owners if railroad_id in self.railroads]
            self._need_track(owners)
        for owner in owners:
            take_milepost_out(draft, ident, owner, self.track)
        if self.railroads is None or not (track_index(draft).arms(ident) or ident in find_city_mileposts(draft)):
            draft.drop("mileposts", ident)
        return f"Delete milepost {milepost_row.name}"

    def _need_track(self, owners: Collection[str]) -> None:
        if not owners:
            raise CommandError(f"no track of these railroads runs through {self.place!r}; choose others")

    def _delete_from_lines(self, draft: Draft) -> str:
        """Take a place out of station lists."""
        place_name = find_listed_name(draft, self.place)
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
                    remove_stop_at(draft, key, n)
        if self.railroads is None:
            drop_accepted(draft, slug(canonical))
        else:
            self._need_track(changed_railroads)
        drop_unused_places(draft, [*names_before, canonical, place_name])
        check_lines(draft, changed_railroads)
        return f"Delete {'bend' if canonical.startswith('@') else canonical} from {count_noun(line_count, 'line')}"
