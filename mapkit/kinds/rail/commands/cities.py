"""Commands of cities."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Frozen, Slug
from mapkit.core.names import fold, slug
from mapkit.core.plurals import count_noun
from mapkit.document.command import Makes
from mapkit.document.document import last_rank, sort_rows
from mapkit.kinds.rail.commands.chart_solving import (
    cells,
    change_fewest_cells,
    cities_in,
    city_chances_of,
    empty_cells,
    move_cells,
    shares_of,
)
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import (
    CityId,
    Lat,
    Lon,
    MilepostId,
    Name,
    RegionId,
    has_files,
    need_city,
    need_milepost,
    need_region,
    refuse_unexpected,
    refuse_unknown_id,
    region_name,
)
from mapkit.kinds.rail.commands.findings import drop_accepted, rename_accepted
from mapkit.kinds.rail.commands.on_track.line_rows import track_in_lines
from mapkit.kinds.rail.commands.on_track.pieces import move_milepost
from mapkit.kinds.rail.commands.on_track.polylines import round_position
from mapkit.kinds.rail.commands.payoffs import drop_from_chart, need_payoff_city, rank_before
from mapkit.kinds.rail.commands.stops import put_place
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.model.board import REGIONS, CityMark
from mapkit.kinds.rail.sources.places import city_points
from mapkit.kinds.rail.tables import (
    City,
    ControlPoint,
    Declared,
    Line,
    Milepost,
    Payoff,
    PayoffCity,
    Wanted,
    payoff_key,
    wanted_key,
)


def refuse_taken_name(draft: Draft, ident: str, name: str) -> None:
    """Refuse an empty name, or one used by another city.

    Raises:
        CommandError: Choose another.
    """
    if not has_files(draft):
        return
    if not slug(name) or name.startswith("@") or name != name.strip():
        raise CommandError(f"{name!r} is not a name for a city; use letters or digits")
    for other_id, other_city in draft.rows("cities", City).items():
        if other_id != ident and fold(name) in (fold(other_id), fold(other_city.name)):
            raise CommandError(f"there is a city {other_city.name!r} already; choose another name")
        if other_id != ident and fold(ident) == fold(other_city.name):
            raise CommandError(f"the id {ident!r} is the name of another city; choose another id")


class CityFields(Frozen):
    """Fields of a city to expect; a field that is not given may have any value."""

    name: Name | None = None
    region: RegionId | None = None
    weight: float | None = None
    milepost: MilepostId | None = None


@command("cities")
class AddCity(Command):
    """Add a city at `lon`, `lat` or at a milepost, there perhaps as a twin of another (RB-C06).

    The payoff chart gets a row and a column for it, with the `payoffs` that are given (thousands by city id); trips to
    a twin pay 0. Its region's chart has no cell for it until set or solved.
    """

    kind: Literal["add-city"] = "add-city"
    id: Annotated[Slug | None, Makes("city")] = None
    name: Name
    region: RegionId
    lon: Lon | None = None
    lat: Lat | None = None
    milepost: MilepostId | None = None
    weight: float | None = Field(default=None, gt=0)
    payoffs: dict[CityId, Annotated[float, Field(ge=0, le=10_000)]] = Field(default_factory=dict)
    before: CityId | None = Field(
        default=None, description="City of the payoff chart before which it stands; else last"
    )

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.lon is None) != (self.lat is None) or (self.lon is None) == (self.milepost is None):
            raise ValueError("give lon and lat, or a milepost")
        return self

    def edit(self, draft: Draft) -> str:
        """Add the city, with its milepost and its row and column of the payoff chart."""
        need_region(draft, self.region)
        ident = self.id or slug(self.name)
        if ident in draft.table("cities"):
            raise CommandError(f"there is a city {ident!r} already; choose another id")
        refuse_taken_name(draft, ident, self.name)
        is_charted = bool(draft.table("payoff_cities")) or not has_files(draft)
        for other_city in (*self.payoffs, *([self.before] if self.before is not None else [])) if is_charted else ():
            need_payoff_city(draft, other_city)
        city_row = City(
            name=self.name,
            region=self.region,
            lon=0.0 if self.lon is None else round(self.lon, 5),
            lat=0.0 if self.lat is None else round(self.lat, 5),
            weight=self.weight,
            rank=last_rank(draft.table("cities")),
        )
        if self.milepost is not None:
            city_row = place_at_milepost(draft, city_row, self.milepost)
        elif not has_files(draft):
            if ident in draft.table("mileposts") or ident in draft.table("junctions"):
                raise CommandError(
                    f"there is a milepost or junction {ident!r} already; put the city there with `milepost`"
                )
            draft.put("mileposts", ident, Milepost(name=city_row.name, lon=city_row.lon, lat=city_row.lat))
            city_row = city_row.model_copy(update={"milepost": ident})
        draft.put("cities", ident, city_row)
        if is_charted:
            self._add_to_chart(draft, ident, city_row)
        return f"Add {self.name}"

    def _add_to_chart(self, draft: Draft, ident: str, row: City) -> None:
        """Add a row and a column of the payoff chart."""
        rank = rank_before(draft, self.before)
        draft.put("payoff_cities", ident, PayoffCity(rank=rank))
        cities = draft.rows("cities", City)
        with draft.unstamped():
            for other_city in [charted_city for charted_city in draft.table("payoff_cities") if charted_city != ident]:
                is_twin = (
                    self.milepost is not None
                    and other_city in cities
                    and cities[other_city].milepost_name == row.milepost_name
                )
                payoff_thousands = self.payoffs.get(other_city, 0.0 if is_twin else None)
                if payoff_thousands is not None:
                    draft.put("payoffs", payoff_key(ident, other_city), Payoff(thousands=payoff_thousands))


def place_at_milepost(draft: Draft, city: City, ident: str) -> City:
    """Return a city placed at a milepost of tables or station lists; drop the milepost's row of `places.csv`.

    Raises:
        CommandError: There is no such milepost.
    """
    if ident in draft.table("mileposts"):
        city_milepost = need_milepost(draft, ident)
        return city.model_copy(update={"lon": city_milepost.lon, "lat": city_milepost.lat, "milepost": ident})
    text, lon, lat = find_listed_milepost(draft, ident)
    for key in [key for key in draft.table("places") if fold(key) == fold(text)]:
        draft.drop("places", key)
    is_own = fold(text) == fold(city.name)
    return city.model_copy(update={"lon": round(lon, 5), "lat": round(lat, 5), "milepost": "" if is_own else text})


def find_listed_milepost(draft: Draft, ident: str) -> tuple[str, float, float]:
    """Return the name in station lists and the position of a milepost, by its id.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    laid = compile_document(draft.document, board_id="board").laid
    place_name = next(
        (place_name for place_name, milepost_id in sorted(laid.ids.items()) if milepost_id == ident), None
    )
    if place_name is None:
        refuse_unknown_id("milepost", ident, laid.by_id)
    return place_name, laid.by_id[ident].lon, laid.by_id[ident].lat


@command("cities")
class EditCity(Command):
    """Change the given fields of a city; lines, charts and control points follow its name; weight 0 removes the weight.

    `lon` and `lat` move it, degrees (EPSG:4326); of twins only this one, so that their milepost moves half as far. An
    empty `milepost` gives a twin its own again; lines that named the shared one stay with the other.
    `charts` is the effect of a move to another region on the destination charts (RB-D01). `keep` leaves them. `cities`
    changes only the city's own cells in the old region's chart, and gives it the fewest cells nearest to its old chance
    in the new one; the region chart stays, unless the new region has no cell in it or the old one no city. `solve` also
    moves the fewest cells of the region chart that come nearest to the city's old chance.
    """

    kind: Literal["edit-city"] = "edit-city"
    id: CityId
    name: Name | None = None
    region: RegionId | None = None
    weight: float | None = Field(default=None, ge=0)
    mark: CityMark | Literal["none"] | None = None
    milepost: MilepostId | None = None
    lon: Lon | None = None
    lat: Lat | None = None
    was: CityFields = CityFields()
    charts: Literal["keep", "cities", "solve"] = "keep"

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.lon is None) != (self.lat is None) or None not in (self.lon, self.milepost):
            raise ValueError("give lon and lat, or a milepost")
        return self

    def edit(self, draft: Draft) -> str:
        """Change the given fields of the city, and the charts if its region changes."""
        edited_city = need_city(draft, self.id)
        refuse_unexpected(edited_city, self.was, repr(self.id))
        change_texts: list[str] = []
        if self.region is not None:
            change_texts += self._move_to_region(draft, edited_city)
        if self.weight is not None and (self.weight or None) != edited_city.weight:
            draft.update("cities", self.id, weight=self.weight or None)
            change_texts.append(f"Set weight of {edited_city.name} to {self.weight:g}")
        if self.mark is not None:
            mark = None if self.mark == "none" else self.mark
            draft.update("cities", self.id, mark=mark)
            change_texts.append(
                f"Mark {edited_city.name} as {mark}" if mark else f"Take the mark off {edited_city.name}"
            )
        if self.milepost == "":
            with track_in_lines(draft) as draft_in_lines:
                change_texts.append(untwin_city(draft_in_lines, self.id))
        elif self.milepost is not None:
            if edited_city.milepost not in draft.table("mileposts"):
                leave_milepost(draft, self.id, edited_city)
            placed_city = place_at_milepost(draft, draft.rows("cities", City)[self.id], self.milepost)
            draft.update("cities", self.id, milepost=placed_city.milepost, lon=placed_city.lon, lat=placed_city.lat)
            change_texts.append(f"Put {edited_city.name} at {self.milepost}")
        if self.lon is not None and self.lat is not None:
            move_city(draft, self.id, *round_position(self.lon, self.lat))
            change_texts.append(f"Move {edited_city.name}")
        if self.name is not None and self.name != edited_city.name:
            refuse_taken_name(draft, self.id, self.name)
            rename_city(draft, self.id, self.name)
            change_texts.append(f"Rename {edited_city.name} to {self.name}")
        return "; ".join(change_texts) or f"Change nothing of {edited_city.name}"

    def _move_to_region(self, draft: Draft, found: City) -> list[str]:
        """Put the city in another region."""
        new_region = self.region or ""
        need_region(draft, new_region)
        if found.region == new_region:
            if self.charts != "keep":
                raise CommandError(f"{self.id!r} is in {new_region!r} already; remove this change")
            draft.update("cities", self.id, region=new_region)
            return []
        chances_before = city_chances_of(draft)
        move_to_region(draft, self.id, new_region)
        if self.charts != "keep" and draft.table("destinations"):
            draft.rely("destinations")
            move_cells(draft, self.id, found.region, new_region, chances_before, regions=self.charts == "solve")
        return [f"Move {found.name} to {region_name(draft, new_region)}"]


def move_city(draft: Draft, ident: str, lon: float, lat: float) -> None:
    """Move a city, or its milepost of the table with all cities there."""
    post_id = need_city(draft, ident).milepost
    if post_id not in draft.table("mileposts"):
        draft.update("cities", ident, lon=lon, lat=lat)
        return
    post = need_milepost(draft, post_id)
    sharing = [key for key, row in draft.rows("cities", City).items() if row.milepost == post_id]
    lon, lat = round_position(post.lon + (lon - post.lon) / len(sharing), post.lat + (lat - post.lat) / len(sharing))
    move_milepost(draft, post_id, lon, lat)
    for key in sharing:
        draft.update("cities", key, lon=lon, lat=lat)


def move_to_region(draft: Draft, ident: str, region: str) -> None:
    """Put a city in another region; drop its declared odds in the old region's chart."""
    draft.update("cities", ident, region=region)
    for key, row in list(draft.rows("declared", Declared).items()):
        if row.item == ident and row.chart not in (region, "regions"):
            draft.drop("declared", key)


def rename_city(draft: Draft, ident: str, name: str) -> None:
    """Give a city another name in all rows with the old one."""
    renamed_city = need_city(draft, ident)
    draft.update("cities", ident, name=name)
    if renamed_city.milepost in draft.table("mileposts"):  # it is named by its id
        return
    for key, row in list(draft.rows("cities", City).items()):
        if row.milepost and fold(row.milepost) == fold(renamed_city.name):
            draft.update("cities", key, milepost=name)
    rename_stops(draft, {fold(renamed_city.name)}, name)
    for key, wish in list(draft.rows("wanted", Wanted).items()):
        if fold(wish.name) == fold(renamed_city.name):
            draft.drop("wanted", key)
            draft.put("wanted", wanted_key(wish.chart, name), wish.model_copy(update={"name": name}))
    rename_accepted(draft, slug(renamed_city.milepost_name), slug(need_city(draft, ident).milepost_name))


def rename_stops(draft: Draft, old: set[str], name: str) -> None:
    """Replace a place, given by its folded spellings, by another name in lines and control points."""
    for key, line in list(draft.rows("lines", Line).items()):
        if any(fold(place) in old and not place.startswith("@") for place, _ in line.stops):
            stops = tuple((name if fold(p) in old and not p.startswith("@") else p, kind) for p, kind in line.stops)
            draft.put("lines", key, line.model_copy(update={"stops": stops}))
    for key, point in list(draft.rows("control_points", ControlPoint).items()):
        if point.city and fold(point.city) in old:
            draft.update("control_points", key, city=name)


@command("cities", form="lines")
class TwinCities(Command):
    """Let cities share one milepost (RB-C06); without a name it is called `Minneapolis/St. Paul`."""

    kind: Literal["twin-cities"] = "twin-cities"
    ids: tuple[str, ...] = Field(min_length=2, max_length=4)
    milepost: str | None = Field(default=None, min_length=1, max_length=200)

    def edit(self, draft: Draft) -> str:
        """Write the shared milepost into all cities and lines that name their own."""
        twin_cities = [need_city(draft, ident) for ident in self.ids]
        milepost_name = self.milepost or "/".join(row.name for row in twin_cities)
        if not slug(milepost_name) or milepost_name.startswith("@"):
            raise CommandError(f"{milepost_name!r} is not a name for a milepost; use letters or digits")
        for other_id, row in draft.rows("cities", City).items():
            if other_id not in self.ids and fold(milepost_name) in (fold(row.milepost_name), fold(row.name)):
                raise CommandError(f"{row.name} lies at a milepost {milepost_name!r} already; choose another name")
        for ident, row in zip(self.ids, twin_cities, strict=True):
            draft.update("cities", ident, milepost=milepost_name)
            rename_stops(draft, {fold(row.milepost_name)} - {fold(row.name)}, milepost_name)
            rename_accepted(draft, slug(row.milepost_name), slug(milepost_name))
        return f"Make {' and '.join(row.name for row in twin_cities)} twins"


def untwin_city(draft: Draft, ident: str) -> str:
    """Clear the shared milepost of a city, and of the last other city; return the label."""
    city_row = need_city(draft, ident)
    twin_ids = [
        key
        for key, other_city in draft.rows("cities", City).items()
        if key != ident and fold(other_city.milepost_name) == fold(city_row.milepost_name)
    ]
    if not twin_ids:
        raise CommandError(f"{city_row.name} has no twin; name the milepost to which it moves")
    draft.update("cities", ident, milepost="")
    if len(twin_ids) == 1:
        last_twin = need_city(draft, twin_ids[0])
        rename_stops(draft, {fold(city_row.milepost_name)}, last_twin.name)
        draft.update("cities", twin_ids[0], milepost="")
    return f"Give {city_row.name} its own milepost"


@command("cities")
class DeleteCity(Command):
    """Delete a city, its cells and amounts in the charts, and accepted findings about it; its milepost stays.

    `charts` leaves its cells empty (`keep`), or gives them to the other cities of its region, so that they come nearest
    to their old chances (`solve`); all other cells stay.
    """

    kind: Literal["delete-city"] = "delete-city"
    id: CityId
    charts: Literal["keep", "solve"] = "keep"

    def edit(self, draft: Draft) -> str:
        """Drop the city everywhere, and refill its region's chart if asked."""
        deleted_city = need_city(draft, self.id)
        chances_before = city_chances_of(draft)
        leave_milepost(draft, self.id, deleted_city)
        cell_count, payoff_count = drop_city(draft, self.id)
        for key, wish in list(draft.rows("wanted", Wanted).items()):
            if fold(wish.name) in (fold(deleted_city.name), fold(self.id)) and fold(wish.chart) != REGIONS:
                draft.drop("wanted", key)
        drop_accepted(draft, self.id)
        draft.rely("destinations", deleted_city.region)
        remaining_cities = cities_in(draft, deleted_city.region)
        if self.charts == "solve" and remaining_cities and draft.table("destinations"):
            draft.rely("destinations")
            change_fewest_cells(
                draft, deleted_city.region, shares_of(draft, deleted_city.region, remaining_cities, chances_before)
            )
        count_texts = [count_noun(cell_count, "chart cell")] * bool(cell_count) + [
            count_noun(payoff_count, "payoff")
        ] * bool(payoff_count)
        return f"Delete {deleted_city.name}" + (f" with {' and '.join(count_texts)}" if count_texts else "")


def drop_city(draft: Draft, ident: str) -> tuple[int, int]:
    """Drop a city with its cells of all charts; return the numbers of cells and amounts dropped."""
    draft.drop("cities", ident)
    city_charts = dict.fromkeys(key.split("/")[0] for key, cell in cells(draft).items() if cell.item == ident)
    cell_count = sum(empty_cells(draft, chart, ident) for chart in city_charts if chart != REGIONS)
    for key, row in list(draft.rows("declared", Declared).items()):
        if row.item == ident and row.chart != REGIONS:
            draft.drop("declared", key)
    return cell_count, drop_from_chart(draft, ident)


def leave_milepost(draft: Draft, ident: str, city: City) -> None:
    """Keep the place of a city findable for lines and control points after the city is gone."""
    if city.milepost in draft.table("mileposts"):
        return
    shared = fold(city.milepost_name)
    twins = [c for k, c in draft.rows("cities", City).items() if k != ident and fold(c.milepost_name) == shared]
    if twins:
        rename_stops(draft, {fold(city.name)} - {shared}, city.milepost_name)
        if shared == fold(city.name) and all(c.milepost == "" for c in twins):
            rename_stops(draft, {fold(city.name)}, twins[0].name)
        return
    folded_names = {shared, fold(city.name)}
    is_used = any(
        fold(place) in folded_names and not place.startswith("@")
        for line in draft.rows("lines", Line).values()
        for place, _ in line.stops
    )
    named_points = [
        (key, p) for key, p in draft.rows("control_points", ControlPoint).items() if fold(p.city) in folded_names
    ]
    for key, point in named_points:
        draft.update("control_points", key, city="", lon=city.lon, lat=city.lat, note=point.note or city.name)
    if is_used:
        rename_stops(draft, {fold(city.name)}, city.milepost_name)
        put_place(draft, city.milepost_name, city.lon, city.lat)


def milepost_position(draft: Draft, milepost: str) -> tuple[float, float]:
    """Return the position of the milepost of a city or of twins, degrees."""
    cities = sort_rows(draft.rows("cities", City))
    cities_there = [city for _, city in cities if fold(city.milepost_name) == fold(milepost)]
    return next(iter(city_points(cities_there).values()))
