"""Commands of cities."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Frozen, Slug
from mapkit.core.names import fold, slug
from mapkit.core.plurals import counted
from mapkit.document.command import Makes
from mapkit.document.document import last_rank, ordered
from mapkit.kinds.rail.commands.chart_solving import (
    cells,
    chances,
    change_fewest,
    cities_in,
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
    city,
    gone,
    has_files,
    milepost,
    region,
)
from mapkit.kinds.rail.commands.findings import drop_accepted, rename_accepted
from mapkit.kinds.rail.commands.naming import region_name
from mapkit.kinds.rail.commands.on_track.pieces import move_milepost
from mapkit.kinds.rail.commands.on_track.polylines import rounded
from mapkit.kinds.rail.commands.payoffs import drop_from_chart, payoff_city, rank_before
from mapkit.kinds.rail.commands.stops import put_place
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.model.board import REGIONS
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
    """Refuse an empty name or one that another city goes by.

    Raises:
        CommandError: Choose another.
    """
    if not has_files(draft):
        return
    if not slug(name) or name.startswith("@") or name != name.strip():
        raise CommandError(f"{name!r} is not a name for a city; use letters or digits")
    for other, row in draft.rows("cities", City).items():
        if other != ident and fold(name) in (fold(other), fold(row.name)):
            raise CommandError(f"there is a city {row.name!r} already; choose another name")
        if other != ident and fold(ident) == fold(row.name):
            raise CommandError(f"the id {ident!r} is the name of another city; choose another id")


class CityFields(Frozen):
    """Fields of a city that may be expected; what is not given may be anything."""

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
        """Plan it."""
        region(draft, self.region)
        ident = self.id or slug(self.name)
        if ident in draft.table("cities"):
            raise CommandError(f"there is a city {ident!r} already; choose another id")
        refuse_taken_name(draft, ident, self.name)
        charted = bool(draft.table("payoff_cities")) or not has_files(draft)
        for other in (*self.payoffs, *([self.before] if self.before is not None else [])) if charted else ():
            payoff_city(draft, other)
        row = City(
            name=self.name,
            region=self.region,
            lon=0.0 if self.lon is None else round(self.lon, 5),
            lat=0.0 if self.lat is None else round(self.lat, 5),
            weight=self.weight,
            rank=last_rank(draft.table("cities")),
        )
        if self.milepost is not None:
            row = at_milepost(draft, row, self.milepost)
        elif not has_files(draft):
            row = row.model_copy(update={"milepost": _own_milepost(draft, ident, row)})
        draft.put("cities", ident, row)
        if charted:
            self._chart(draft, ident, row)
        return f"Add {self.name}"

    def _chart(self, draft: Draft, ident: str, row: City) -> None:
        """Add a row and a column of the payoff chart."""
        rank = rank_before(draft, self.before)
        draft.put("payoff_cities", ident, PayoffCity(rank=rank))
        cities = draft.rows("cities", City)
        with draft.unstamped():
            for other in [one for one in draft.table("payoff_cities") if one != ident]:
                shared = (
                    self.milepost is not None and other in cities and cities[other].milepost_name == row.milepost_name
                )
                value = self.payoffs.get(other, 0.0 if shared else None)
                if value is not None:
                    draft.put("payoffs", payoff_key(ident, other), Payoff(thousands=value))


def at_milepost(draft: Draft, city: City, ident: str) -> City:
    """Return a city as it stands at a milepost of tables or station lists; no place of `places.csv` says where that is.

    Raises:
        CommandError: There is no such milepost.
    """
    if ident in draft.table("mileposts"):
        at = milepost(draft, ident)
        return city.model_copy(update={"lon": at.lon, "lat": at.lat, "milepost": ident})
    text, lon, lat = listed_milepost(draft, ident)
    for key in [key for key in draft.table("places") if fold(key) == fold(text)]:
        draft.drop("places", key)
    own = fold(text) == fold(city.name)
    return city.model_copy(update={"lon": round(lon, 5), "lat": round(lat, 5), "milepost": "" if own else text})


def listed_milepost(draft: Draft, ident: str) -> tuple[str, float, float]:
    """Return the name in station lists and the position of a milepost, by its id.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    laid = compile_document(draft.document, board_id="board").laid
    text = next((text for text, own in sorted(laid.ids.items()) if own == ident), None)
    if text is None:
        gone("milepost", ident, laid.by_id)
    return text, laid.by_id[ident].lon, laid.by_id[ident].lat


def _own_milepost(draft: Draft, ident: str, city: City) -> str:
    """Add the milepost of a new city to a board without sources, and return its id."""
    if ident in draft.table("mileposts") or ident in draft.table("junctions"):
        raise CommandError(f"there is a milepost or junction {ident!r} already; put the city there with `milepost`")
    draft.put("mileposts", ident, Milepost(name=city.name, lon=city.lon, lat=city.lat))
    return ident


@command("cities")
class MoveCity(Command):
    """Move a city, degrees (EPSG:4326); of twins only this one, so that their milepost moves half as far."""

    kind: Literal["move-city"] = "move-city"
    id: CityId
    lon: Lon
    lat: Lat

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = city(draft, self.id)
        lon, lat = rounded(self.lon, self.lat)
        if found.milepost in draft.table("mileposts"):
            at = milepost(draft, found.milepost)
            sharing = [key for key, row in draft.rows("cities", City).items() if row.milepost == found.milepost]
            count = len(sharing)
            lon, lat = rounded(at.lon + (lon - at.lon) / count, at.lat + (lat - at.lat) / count)
            move_milepost(draft, found.milepost, lon, lat)
            for key in sharing:
                draft.update("cities", key, lon=lon, lat=lat)
        else:
            draft.update("cities", self.id, lon=lon, lat=lat)
        return f"Move {found.name}"


@command("cities")
class EditCity(Command):
    """Change what is given of a city; lines, charts and control points follow its name; weight 0 takes it out.

    `charts` says what a move to another region does to the destination charts (RB-D01). `keep` leaves them. With
    `cities` only the city's own cells change in the old region's chart; in the new one it gets cells that come nearest
    to its old chance, the fewest of them; the region chart stays, unless the new region has no cell in it or the old
    one no city. `solve` also moves the fewest cells of the region chart that come nearest to the city's old chance.
    """

    kind: Literal["edit-city"] = "edit-city"
    id: CityId
    name: Name | None = None
    region: RegionId | None = None
    weight: float | None = Field(default=None, ge=0)
    milepost: MilepostId | None = None
    was: CityFields = CityFields()
    charts: Literal["keep", "cities", "solve"] = "keep"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = city(draft, self.id)
        for name, was in self.was.model_dump(exclude_none=True).items():
            if getattr(found, name) != was:
                raise CommandError(f"{name} of {self.id!r} is {getattr(found, name)!r}, not {was!r}; correct `was`")
        changed: list[str] = []
        if self.region is not None:
            changed += self._move(draft, found)
        if self.weight is not None and (self.weight or None) != found.weight:
            draft.update("cities", self.id, weight=self.weight or None)
            changed.append(f"Set weight of {found.name} to {self.weight:g}")
        if self.milepost is not None:
            if found.milepost not in draft.table("mileposts"):
                leave_milepost(draft, self.id, found)
            row = at_milepost(draft, draft.rows("cities", City)[self.id], self.milepost)
            draft.update("cities", self.id, milepost=row.milepost, lon=row.lon, lat=row.lat)
            changed.append(f"Put {found.name} at {self.milepost}")
        if self.name is not None and self.name != found.name:
            refuse_taken_name(draft, self.id, self.name)
            rename_city(draft, self.id, self.name)
            changed.append(f"Rename {found.name} to {self.name}")
        return "; ".join(changed) or f"Change nothing of {found.name}"

    def _move(self, draft: Draft, found: City) -> list[str]:
        """Put the city in another region."""
        wanted = self.region or ""
        region(draft, wanted)
        if found.region == wanted:
            if self.charts != "keep":
                raise CommandError(f"{self.id!r} is in {wanted!r} already; remove this change")
            draft.update("cities", self.id, region=wanted)
            return []
        before = chances(draft)
        move_to_region(draft, self.id, wanted)
        if self.charts != "keep" and draft.table("destinations"):
            draft.rely("destinations")
            move_cells(draft, self.id, found.region, wanted, before, regions=self.charts == "solve")
        return [f"Move {found.name} to {region_name(draft, wanted)}"]


def move_to_region(draft: Draft, ident: str, region: str) -> None:
    """Put a city in another region; its declared odds in the old region's chart go."""
    draft.update("cities", ident, region=region)
    for key, row in list(draft.rows("declared", Declared).items()):
        if row.item == ident and row.chart not in (region, "regions"):
            draft.drop("declared", key)


def rename_city(draft: Draft, ident: str, name: str) -> None:
    """Give a city another name, wherever the old one is written."""
    old = city(draft, ident)
    draft.update("cities", ident, name=name)
    if old.milepost in draft.table("mileposts"):  # it is named by its id
        return
    for key, row in list(draft.rows("cities", City).items()):
        if row.milepost and fold(row.milepost) == fold(old.name):
            draft.update("cities", key, milepost=name)
    rename_stops(draft, {fold(old.name)}, name)
    for key, wish in list(draft.rows("wanted", Wanted).items()):
        if fold(wish.name) == fold(old.name):
            draft.drop("wanted", key)
            draft.put("wanted", wanted_key(wish.chart, name), wish.model_copy(update={"name": name}))
    rename_accepted(draft, slug(old.milepost_name), slug(city(draft, ident).milepost_name))


def rename_stops(draft: Draft, old: set[str], name: str) -> None:
    """Write another name wherever lines and control points name a place, given by its folded spellings."""
    for key, line in list(draft.rows("lines", Line).items()):
        if any(fold(place) in old and not place.startswith("@") for place, _ in line.stops):
            stops = tuple((name if fold(p) in old and not p.startswith("@") else p, kind) for p, kind in line.stops)
            draft.put("lines", key, line.model_copy(update={"stops": stops}))
    for key, point in list(draft.rows("control_points", ControlPoint).items()):
        if point.city and fold(point.city) in old:
            draft.update("control_points", key, city=name)


@command("cities")
class TwinCities(Command):
    """Let cities share one milepost (RB-C06); without a name it is called `Minneapolis/St. Paul`."""

    kind: Literal["twin-cities"] = "twin-cities"
    ids: tuple[str, ...] = Field(min_length=2, max_length=4)
    milepost: str | None = Field(default=None, min_length=1, max_length=200)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        cities = [city(draft, ident) for ident in self.ids]
        for row in cities:
            if row.milepost in draft.table("mileposts"):
                raise CommandError(
                    f"{row.name} is at the milepost {row.milepost!r} of a table; put the other cities there with "
                    "edit-city and `milepost`"
                )
        name = self.milepost or "/".join(row.name for row in cities)
        if not slug(name) or name.startswith("@"):
            raise CommandError(f"{name!r} is not a name for a milepost; use letters or digits")
        for other, row in draft.rows("cities", City).items():
            if other not in self.ids and fold(name) in (fold(row.milepost_name), fold(row.name)):
                raise CommandError(f"{row.name} lies at a milepost {name!r} already; choose another name")
        for ident, row in zip(self.ids, cities, strict=True):
            draft.update("cities", ident, milepost=name)
            rename_stops(draft, {fold(row.milepost_name)} - {fold(row.name)}, name)
            rename_accepted(draft, slug(row.milepost_name), slug(name))
        return f"Make {' and '.join(row.name for row in cities)} twins"


@command("cities")
class UntwinCity(Command):
    """Give a city a milepost of its own again; lines that named the shared one stay with the other."""

    kind: Literal["untwin-city"] = "untwin-city"
    id: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = city(draft, self.id)
        others = [
            key
            for key, other in draft.rows("cities", City).items()
            if key != self.id and fold(other.milepost_name) == fold(found.milepost_name)
        ]
        if not others or found.milepost in draft.table("mileposts"):
            raise CommandError(
                f"{found.name} has no twin in station lists; edit-city with `milepost` puts it elsewhere"
            )
        draft.update("cities", self.id, milepost="")
        if len(others) == 1:
            left = city(draft, others[0])
            rename_stops(draft, {fold(found.milepost_name)}, left.name)
            draft.update("cities", others[0], milepost="")
        return f"Give {found.name} its own milepost"


@command("cities")
class DeleteCity(Command):
    """Delete a city, its cells and amounts in the charts, and what was accepted about it; its milepost stays.

    `charts` leaves its cells empty (`keep`), or gives them to the other cities of its region, so that they come nearest
    to their old chances (`solve`); all other cells stay.
    """

    kind: Literal["delete-city"] = "delete-city"
    id: CityId
    charts: Literal["keep", "solve"] = "keep"

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        found = city(draft, self.id)
        before = chances(draft)
        leave_milepost(draft, self.id, found)
        emptied, amounts = drop_city(draft, self.id)
        for key, wish in list(draft.rows("wanted", Wanted).items()):
            if fold(wish.name) in (fold(found.name), fold(self.id)) and fold(wish.chart) != REGIONS:
                draft.drop("wanted", key)
        drop_accepted(draft, self.id)
        draft.rely("destinations", found.region)
        left = cities_in(draft, found.region)
        if self.charts == "solve" and left and draft.table("destinations"):
            draft.rely("destinations")
            change_fewest(draft, found.region, shares_of(draft, found.region, left, before))
        parts = [counted(emptied, "chart cell")] * bool(emptied) + [counted(amounts, "payoff")] * bool(amounts)
        return f"Delete {found.name}" + (f" with {' and '.join(parts)}" if parts else "")


def drop_city(draft: Draft, ident: str) -> tuple[int, int]:
    """Drop a city with its cells of all charts; return how many cells and amounts went."""
    draft.drop("cities", ident)
    charts = dict.fromkeys(key.split("/")[0] for key, cell in cells(draft).items() if cell.item == ident)
    emptied = sum(empty_cells(draft, chart, ident) for chart in charts if chart != REGIONS)
    for key, row in list(draft.rows("declared", Declared).items()):
        if row.item == ident and row.chart != REGIONS:
            draft.drop("declared", key)
    return emptied, drop_from_chart(draft, ident)


def leave_milepost(draft: Draft, ident: str, city: City) -> None:
    """Let lines and control points that name a city find its place when it is gone."""
    if city.milepost in draft.table("mileposts"):
        return
    shared = fold(city.milepost_name)
    twins = [c for k, c in draft.rows("cities", City).items() if k != ident and fold(c.milepost_name) == shared]
    if twins:
        rename_stops(draft, {fold(city.name)} - {shared}, city.milepost_name)
        if shared == fold(city.name) and all(c.milepost == "" for c in twins):
            rename_stops(draft, {fold(city.name)}, twins[0].name)
        return
    spelled = {shared, fold(city.name)}
    used = any(
        fold(place) in spelled and not place.startswith("@")
        for line in draft.rows("lines", Line).values()
        for place, _ in line.stops
    )
    points = [(key, p) for key, p in draft.rows("control_points", ControlPoint).items() if fold(p.city) in spelled]
    for key, point in points:
        draft.update("control_points", key, city="", lon=city.lon, lat=city.lat, note=point.note or city.name)
    if used:
        rename_stops(draft, {fold(city.name)}, city.milepost_name)
        put_place(draft, city.milepost_name, city.lon, city.lat)


def group_point(draft: Draft, milepost: str) -> tuple[float, float]:
    """Return where the milepost of a city or of twins lies, degrees."""
    cities = ordered(draft.rows("cities", City))
    rows = [city for _, city in cities if fold(city.milepost_name) == fold(milepost)]
    return next(iter(city_points(rows).values()))
