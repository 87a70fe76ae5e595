"""Commands of cities."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Slug
from mapkit.core.names import fold, slug
from mapkit.core.plurals import counted
from mapkit.document.document import last_rank, ordered
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.findings import drop_accepted, rename_accepted
from mapkit.kinds.rail.commands.naming import region_name
from mapkit.kinds.rail.commands.payoffs import add_to_chart, drop_from_chart
from mapkit.kinds.rail.commands.stops import put_place
from mapkit.kinds.rail.sources.places import city_points
from mapkit.kinds.rail.tables import Cell, City, ControlPoint, Declared, Line, Wanted, wanted_key


def city_of(draft: Draft, ident: str) -> City:
    """Return a city.

    Raises:
        CommandError: There is none.
    """
    draft.need("cities", ident, "city")
    return draft.rows("cities", City)[ident]


def refuse_taken_name(draft: Draft, ident: str, name: str) -> None:
    """Refuse an empty name or one that another city goes by.

    Raises:
        CommandError: Choose another.
    """
    if not slug(name) or name.startswith("@") or name != name.strip():
        raise CommandError(f"{name!r} is not a name for a city; use letters or digits")
    for other, city in draft.rows("cities", City).items():
        if other != ident and fold(name) in (fold(other), fold(city.name)):
            raise CommandError(f"there is a city {city.name!r} already; choose another name")
        if other != ident and fold(ident) == fold(city.name):
            raise CommandError(f"the id {ident!r} is the name of another city; choose another id")


@command("cities")
class AddCity(Command):
    """Add a city, degrees (EPSG:4326); the payoff chart gets an empty row and column for it."""

    kind: Literal["add-city"] = "add-city"
    id: Slug | None = None
    name: str = Field(min_length=1, max_length=200)
    region: str
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)
    weight: float | None = Field(default=None, gt=0)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        draft.need("regions", self.region, "region")
        ident = self.id or slug(self.name)
        if ident in draft.table("cities"):
            raise CommandError(f"there is a city {ident!r} already; choose another id")
        refuse_taken_name(draft, ident, self.name)
        city = City(
            name=self.name,
            region=self.region,
            lon=round(self.lon, 5),
            lat=round(self.lat, 5),
            weight=self.weight,
            rank=last_rank(draft.table("cities")),
        )
        draft.put("cities", ident, city)
        if draft.table("payoff_cities"):
            add_to_chart(draft, ident)
        return f"Add {self.name}"


@command("cities")
class MoveCity(Command):
    """Move a city, degrees (EPSG:4326); of twins only this one, so that their milepost moves half as far."""

    kind: Literal["move-city"] = "move-city"
    id: str
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        city = city_of(draft, self.id)
        draft.update("cities", self.id, lon=round(self.lon, 5), lat=round(self.lat, 5))
        return f"Move {city.name}"


@command("cities")
class EditCity(Command):
    """Change what is given of a city; lines, charts and control points follow its name; weight 0 takes it out."""

    kind: Literal["edit-city"] = "edit-city"
    id: str
    name: str | None = Field(default=None, min_length=1, max_length=200)
    region: str | None = None
    weight: float | None = Field(default=None, ge=0)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        city = city_of(draft, self.id)
        changed: list[str] = []
        if self.region is not None and self.region != city.region:
            draft.need("regions", self.region, "region")
            move_to_region(draft, self.id, self.region)
            changed.append(f"Move {city.name} to {region_name(draft, self.region)}")
        if self.weight is not None and (self.weight or None) != city.weight:
            draft.update("cities", self.id, weight=self.weight or None)
            changed.append(f"Set weight of {city.name} to {self.weight:g}")
        if self.name is not None and self.name != city.name:
            refuse_taken_name(draft, self.id, self.name)
            rename_city(draft, self.id, self.name)
            changed.append(f"Rename {city.name} to {self.name}")
        return "; ".join(changed) or f"Change nothing of {city.name}"


def move_to_region(draft: Draft, ident: str, region: str) -> None:
    """Put a city in another region; its declared odds in the old region's chart go."""
    draft.update("cities", ident, region=region)
    for key, row in list(draft.rows("declared", Declared).items()):
        if row.item == ident and row.chart not in (region, "regions"):
            draft.drop("declared", key)


def rename_city(draft: Draft, ident: str, name: str) -> None:
    """Give a city another name, wherever the old one is written."""
    old = city_of(draft, ident)
    draft.update("cities", ident, name=name)
    for key, city in list(draft.rows("cities", City).items()):
        if city.milepost and fold(city.milepost) == fold(old.name):
            draft.update("cities", key, milepost=name)
    rename_stops(draft, {fold(old.name)}, name)
    for key, wish in list(draft.rows("wanted", Wanted).items()):
        if fold(wish.name) == fold(old.name):
            draft.drop("wanted", key)
            draft.put("wanted", wanted_key(wish.chart, name), wish.model_copy(update={"name": name}))
    rename_accepted(draft, slug(old.milepost_name), slug(city_of(draft, ident).milepost_name))


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
        cities = [city_of(draft, ident) for ident in self.ids]
        name = self.milepost or "/".join(city.name for city in cities)
        if not slug(name) or name.startswith("@"):
            raise CommandError(f"{name!r} is not a name for a milepost; use letters or digits")
        for other, city in draft.rows("cities", City).items():
            if other not in self.ids and fold(name) in (fold(city.milepost_name), fold(city.name)):
                raise CommandError(f"{city.name} lies at a milepost {name!r} already; choose another name")
        for ident, city in zip(self.ids, cities, strict=True):
            draft.update("cities", ident, milepost=name)
            rename_stops(draft, {fold(city.milepost_name)} - {fold(city.name)}, name)
            rename_accepted(draft, slug(city.milepost_name), slug(name))
        return f"Make {' and '.join(city.name for city in cities)} twins"


@command("cities")
class UntwinCity(Command):
    """Give a city a milepost of its own again; lines that named the shared one stay with the other."""

    kind: Literal["untwin-city"] = "untwin-city"
    id: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        city = city_of(draft, self.id)
        others = [
            key
            for key, other in draft.rows("cities", City).items()
            if key != self.id and fold(other.milepost_name) == fold(city.milepost_name)
        ]
        if not others:
            raise CommandError(f"{city.name} has no twin")
        draft.update("cities", self.id, milepost="")
        if len(others) == 1:
            left = city_of(draft, others[0])
            rename_stops(draft, {fold(city.milepost_name)}, left.name)
            draft.update("cities", others[0], milepost="")
        return f"Give {city.name} its own milepost"


@command("cities")
class DeleteCity(Command):
    """Delete a city, its cells and amounts in the charts, and what was accepted about it.

    Lines stay: where they name the city, a milepost of the same name is left.
    """

    kind: Literal["delete-city"] = "delete-city"
    id: str

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        city = city_of(draft, self.id)
        leave_milepost(draft, self.id, city)
        draft.drop("cities", self.id)
        cells = [key for key, cell in draft.rows("destinations", Cell).items() if _is_city(key, cell, self.id)]
        for key in cells:
            draft.put("destinations", key, Cell(item=None))
        amounts = drop_from_chart(draft, self.id)
        for key, row in list(draft.rows("declared", Declared).items()):
            if row.item == self.id and row.chart != "regions":
                draft.drop("declared", key)
        for key, wish in list(draft.rows("wanted", Wanted).items()):
            if fold(wish.name) in (fold(city.name), fold(self.id)) and fold(wish.chart) != "regions":
                draft.drop("wanted", key)
        drop_accepted(draft, self.id)
        parts = [counted(len(cells), "chart cell")] * bool(cells) + [counted(amounts, "payoff")] * bool(amounts)
        return f"Delete {city.name}" + (f" with {' and '.join(parts)}" if parts else "")


def _is_city(key: str, cell: Cell, ident: str) -> bool:
    return cell.item == ident and not key.startswith("regions/")


def leave_milepost(draft: Draft, ident: str, city: City) -> None:
    """Let lines and control points that name a city find its place when it is gone."""
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
