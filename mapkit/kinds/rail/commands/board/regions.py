"""Commands of regions and cities, with their charts."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.base import Colour, Frozen, Slug
from mapkit.document.command import Makes
from mapkit.document.document import last_rank, ordered
from mapkit.kinds.rail.commands.board.base import (
    CityId,
    ElementCommand,
    MilepostId,
    Name,
    RegionId,
    Short,
    city,
    gone,
    milepost,
    region,
)
from mapkit.kinds.rail.commands.board.solving import (
    PARITIES,
    cells,
    chances,
    change_fewest,
    cities_in,
    region_ids,
    weights,
)
from mapkit.kinds.rail.commands.command import CommandError, Draft, command
from mapkit.kinds.rail.commands.naming import region_name
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.network.chances import WHOLE
from mapkit.kinds.rail.tables import Cell, City, Declared, Payoff, PayoffCity, Region, payoff_key

Charts = Literal["solve", "keep"]


@command("elements", op="add-region")
class StartRegion(ElementCommand):
    """A new region, last in chart order; its chart is empty until set or solved."""

    kind: Literal["start-region"] = "start-region"
    id: Annotated[Slug, Makes("region")]
    name: Name
    short: Short
    colour: Colour

    def change(self, draft: Draft) -> str:
        """Plan it."""
        if self.id in draft.table("regions") or self.id == REGIONS:
            raise CommandError(f"there is a region or chart {self.id!r} already; choose another id")
        rank = last_rank(draft.table("regions"))
        draft.put("regions", self.id, Region(rank=rank, name=self.name, short=self.short, colour=self.colour))
        with draft.unstamped():
            for parity in PARITIES:
                for total in range(2, 13):
                    draft.put("destinations", f"{self.id}/{parity}/{total}", Cell(item=None))
        return f"Add region {self.name}"


class RegionSays(Frozen):
    """What may change of a region."""

    name: Name | None = None
    short: Short | None = None
    colour: Colour | None = None


@command("elements")
class ChangeRegion(ElementCommand):
    """Change name, short name or colour of a region."""

    kind: Literal["change-region"] = "change-region"
    id: RegionId
    name: Name | None = None
    short: Short | None = None
    colour: Colour | None = None
    was: RegionSays = RegionSays()

    @property
    def changes(self) -> dict[str, object]:
        """Return what is given, field by field."""
        fields = {name: getattr(self, name) for name in RegionSays.model_fields}
        return {name: value for name, value in fields.items() if value is not None}

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = region(draft, self.id)
        for name in RegionSays.model_fields:
            was = getattr(self.was, name)
            if was is not None and getattr(found, name) != was:
                raise CommandError(
                    f"{name} of region {self.id!r} is {getattr(found, name)!r}, not {was!r}; correct `was`"
                )
        draft.update("regions", self.id, **self.changes)
        return f"Change {', '.join(self.changes) or 'nothing'} of {found.name}"


@command("elements")
class RemoveRegion(ElementCommand):
    """Remove a region that has no city any more, with its chart; its cells of the region chart are emptied."""

    kind: Literal["remove-region"] = "remove-region"
    id: RegionId

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = region(draft, self.id)
        left = sorted(key for key, row in draft.rows("cities", City).items() if row.region == self.id)
        if left:
            raise CommandError(f"region {self.id!r} still has {', '.join(left)}; move or remove its cities first")
        draft.rely("destinations", self.id)
        draft.rely("destinations", REGIONS)
        drop_region(draft, self.id)
        return f"Remove region {found.name}"


def drop_region(draft: Draft, ident: str) -> None:
    """Remove a region with its chart and its cells."""
    draft.drop("regions", ident)
    for key in [key for key in cells(draft) if key.startswith(f"{ident}/")]:
        draft.drop("destinations", key)
    for key, row in list(draft.rows("declared", Declared).items()):
        if row.chart == ident:
            draft.drop("declared", key)
        elif row.item == ident:
            with draft.unstamped():
                draft.drop("declared", key)
    _empty(draft, REGIONS, ident)


def _empty(draft: Draft, chart: str, item: str) -> None:
    with draft.unstamped():
        for key in [k for k, cell in cells(draft).items() if cell.item == item and k.startswith(f"{chart}/")]:
            draft.put("destinations", key, Cell(item=None))


@command("elements", op="add-city")
class MakeCity(ElementCommand):
    """Make a city of a milepost, or a twin of one that is a city already (RB-C06).

    `payoffs` says what trips to and from it pay, thousands by city id; cells that are not given are missing until set
    or recomputed. Its region's chart has no cell for it until set or solved.
    """

    kind: Literal["make-city"] = "make-city"
    id: Annotated[Slug, Makes("city")]
    name: Name
    region: RegionId
    milepost: MilepostId
    payoffs: dict[CityId, Annotated[float, Field(ge=0, le=10_000)]] = Field(default_factory=dict)
    before: CityId | None = Field(
        default=None, description="City of the payoff chart before which it stands; else last"
    )

    def change(self, draft: Draft) -> str:
        """Plan it."""
        if self.id in draft.table("cities"):
            raise CommandError(f"there is a city {self.id!r} already; choose another id")
        region(draft, self.region)
        at = milepost(draft, self.milepost)
        for other in (*self.payoffs, *([self.before] if self.before is not None else [])):
            payoff_city(draft, other)
        draft.put(
            "cities",
            self.id,
            City(
                rank=last_rank(draft.table("cities")),
                name=self.name,
                region=self.region,
                lon=at.lon,
                lat=at.lat,
                milepost=self.milepost,
            ),
        )
        rank = _rank_before(draft, self.before)
        draft.put("payoff_cities", self.id, PayoffCity(rank=rank))
        cities = draft.rows("cities", City)
        with draft.unstamped():
            for other in [one for one in draft.table("payoff_cities") if one != self.id]:
                twin = other in cities and cities[other].milepost == self.milepost and other not in self.payoffs
                value = 0.0 if twin else self.payoffs.get(other)
                if value is not None:
                    draft.put("payoffs", payoff_key(self.id, other), Payoff(thousands=value))
        return f"Make {self.name} a city"


def payoff_city(draft: Draft, ident: str) -> None:
    """Refuse a city that the payoff chart has not.

    Raises:
        CommandError: The nearest is offered.
    """
    if ident not in draft.table("payoff_cities"):
        gone("city of the payoff chart", ident, draft.table("payoff_cities"))


def _rank_before(draft: Draft, ident: str | None) -> float:
    if ident is None:
        return last_rank(draft.table("payoff_cities"))
    order = ordered(draft.table("payoff_cities"))
    at = next(n for n, (key, _) in enumerate(order) if key == ident)
    own = order[at][1].rank
    return (own + order[at - 1][1].rank) / 2 if at else own - 1


@command("elements")
class ChangeCity(ElementCommand):
    """Change the name of a city, or put it on another milepost."""

    kind: Literal["change-city"] = "change-city"
    id: CityId
    name: Name | None = None
    milepost: MilepostId | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = city(draft, self.id)
        values: dict[str, object] = {}
        if self.milepost is not None:
            at = milepost(draft, self.milepost)
            values |= {"milepost": self.milepost, "lon": at.lon, "lat": at.lat}
        if self.name is not None:
            values["name"] = self.name
        draft.update("cities", self.id, **values)
        return f"Change {found.name}"


@command("elements", op="move-city")
class MoveCityToRegion(ElementCommand):
    """Move a city to another region, with as few changes of the charts as can be (RB-D01).

    In the old region's chart only the city's own cells change; in the new one it gets cells that come nearest to its
    old chance, the fewest of them. `charts` says what of the region chart: `cities` leaves it, unless the new region
    has no cell in it or the old one no city; `solve` moves the fewest cells from the old region to the new one that
    come nearest to the city's old chance. `keep` leaves all charts for other operations.
    """

    kind: Literal["move-city-to-region"] = "move-city-to-region"
    city: CityId
    region: RegionId
    was: RegionId | None = None
    charts: Literal["cities", "solve", "keep"] = "cities"

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = city(draft, self.city)
        region(draft, self.region)
        if self.was is not None and found.region != self.was:
            raise CommandError(f"{self.city!r} is in {found.region!r}, not in {self.was!r}; correct `was`")
        if found.region == self.region:
            raise CommandError(f"{self.city!r} is in {self.region!r} already; remove this operation")
        before = chances(draft)
        draft.update("cities", self.city, region=self.region)
        if self.charts != "keep":
            draft.rely("destinations")
            _move_cells(draft, self.city, found.region, self.region, before, regions=self.charts == "solve")
        return f"Move {found.name} to {region_name(draft, self.region)}"


def _move_cells(draft: Draft, ident: str, old: str, new: str, before: Mapping[str, Fraction], *, regions: bool) -> None:
    """Change the charts of a city that is in its new region already.

    Args:
        draft: The draft.
        ident: The city.
        old: Its old region.
        new: Its new region.
        before: The chance of each city before.
        regions: Move cells of the region chart too; else only where one region could not be rolled, or holds no city.
    """
    left = cities_in(draft, old)
    rolled = weights(draft, REGIONS)
    if regions or not rolled.get(new) or not left:
        _move_region_cells(draft, old, new, before[ident] if left else Fraction(rolled.get(old, 0), WHOLE))
    if left:
        change_fewest(draft, old, _shares(draft, old, left, before))
    else:
        _empty(draft, old, ident)
    others = [c for c in cities_in(draft, new) if c != ident]
    shares = _shares(draft, new, others, before)
    rest = Fraction(weights(draft, REGIONS).get(new, 0), WHOLE) - before[ident]
    if others and before[ident] and rest > 0:  # what the region has beside the newcomer is for the others
        all_of_them = sum(shares.values())
        shares = {c: share * rest / all_of_them for c, share in shares.items()}
    rarest = min((share for share in shares.values() if share), default=Fraction(1))
    change_fewest(draft, new, {**shares, ident: before[ident] or rarest}, newcomer=ident)


def _move_region_cells(draft: Draft, old: str, new: str, chance: Fraction) -> None:
    """Move the fewest cells of the region chart from one region to another that come nearest to a chance."""
    rolled = weights(draft, REGIONS)
    shares = {r: Fraction(rolled.get(r, 0), WHOLE) for r in region_ids(draft)}
    chance = min(chance, shares[old])
    shares[old] -= chance
    shares[new] += chance or Fraction(1, WHOLE)
    cell_count = sum(cell.item == old for key, cell in cells(draft).items() if key.startswith(f"{REGIONS}/"))
    change_fewest(draft, REGIONS, shares, newcomer=new, givers=(old,) if cell_count > 1 or not shares[old] else None)


def _shares(draft: Draft, chart: str, cities: Sequence[str], before: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the chances of cities; their cells of the chart where the region could not be rolled."""
    if any(before[c] for c in cities):
        return {c: before[c] for c in cities}
    rolled = weights(draft, chart)
    return {c: Fraction(rolled.get(c, 0), WHOLE) for c in cities}


@command("elements")
class RemoveCity(ElementCommand):
    """Make a city a mere milepost: its cells of the charts go.

    `charts` gives the emptied cells to the other cities of its region, so that they come nearest to their old chances;
    all other cells stay. `keep` leaves them empty.
    """

    kind: Literal["remove-city"] = "remove-city"
    id: CityId
    charts: Charts = "solve"

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = city(draft, self.id)
        before = chances(draft)
        drop_city(draft, self.id)
        draft.rely("destinations", found.region)
        if self.charts == "solve":
            draft.rely("destinations")
            left = cities_in(draft, found.region)
            if left:
                change_fewest(draft, found.region, _shares(draft, found.region, left, before))
        return f"Remove the city {found.name}"


def drop_city(draft: Draft, ident: str) -> None:
    """Remove a city and its cells of all charts."""
    found = draft.rows("cities", City)[ident]
    draft.drop("cities", ident)
    _empty(draft, found.region, ident)
    draft.drop("declared", f"{found.region}/{ident}")
    if ident in draft.table("payoff_cities"):
        draft.drop("payoff_cities", ident)
        with draft.unstamped():
            for other in (*draft.table("payoff_cities"), ident):
                draft.drop("payoffs", payoff_key(ident, other))
