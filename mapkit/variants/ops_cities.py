"""Operations on regions and cities, applied to a board in work."""

from mapkit.model.board import REGIONS, SUMS, City, Region
from mapkit.model.variant import (
    AddCity,
    AddRegion,
    ChangeBoard,
    ChangeCity,
    ChangeRegion,
    MoveCity,
    RemoveCity,
    RemoveRegion,
)
from mapkit.model.variant_board import RegionSays
from mapkit.variants.solving import chances, solve
from mapkit.variants.work import OperationError, Work


def add_region(work: Work, op: AddRegion) -> None:
    """Add a region with an empty chart."""
    if op.id in work.regions or op.id == REGIONS:
        raise OperationError(f"there is a region or chart {op.id!r} already; choose another id")
    work.regions[op.id] = Region(id=op.id, name=op.name, short=op.short, colour=op.colour)
    work.destinations[op.id] = {parity: dict.fromkeys(SUMS) for parity in ("odd", "even")}
    work.stamp("regions", op.id)
    work.wrote("map", "region", op.id, value=op.model_dump(exclude={"reason"}))
    work.wrote("map", "order of regions")


def change_region(work: Work, op: ChangeRegion) -> None:
    """Change what a region is called or looks like."""
    found = work.region(op.id)
    for name in RegionSays.model_fields:
        was = getattr(op.was, name)
        if was is not None and getattr(found, name) != was:
            raise OperationError(f"{name} of region {op.id!r} is {getattr(found, name)!r}, not {was!r}; correct `was`")
    work.regions[op.id] = found.model_copy(update=op.changes)
    work.stamp("regions", op.id)
    for name, value in op.changes.items():
        work.wrote("map", "region", op.id, name, value=value)


def remove_region(work: Work, op: RemoveRegion) -> None:
    """Remove a region without cities."""
    work.region(op.id)
    left = sorted(c.id for c in work.cities.values() if c.region == op.id)
    if left:
        raise OperationError(f"region {op.id!r} still has {', '.join(left)}; move or remove its cities first")
    drop_region(work, op.id)
    work.wrote("map", "region", op.id, value="gone")
    work.wrote("chart", "destination", op.id, value="gone")
    work.wrote("chart", "destination", REGIONS)


def drop_region(work: Work, ident: str) -> None:
    """Remove a region with its chart and its cells."""
    del work.regions[ident]
    work.destinations.pop(ident, None)
    work.declared.pop(ident, None)
    for odds in work.declared.values():
        odds.pop(ident, None)
    work.unstamp("regions", ident)
    _empty(work, REGIONS, ident)
    for kind in ("destinations", "declared"):
        for key in [key for key in work.origins.get(kind, {}) if key.split(":")[0] == ident]:
            work.unstamp(kind, key)


def _empty(work: Work, chart: str, item: str) -> None:
    for column in work.destinations.get(chart, {}).values():
        for total, content in column.items():
            if content == item:
                column[total] = None


def add_city(work: Work, op: AddCity) -> None:
    """Make a city of a milepost."""
    if op.id in work.cities:
        raise OperationError(f"there is a city {op.id!r} already; choose another id")
    work.region(op.region)
    work.milepost(op.milepost)
    for other in op.payoffs:
        work.payoff_index(other)
    at = work.payoff_index(op.before) if op.before is not None else len(work.payoff_cities)
    work.cities[op.id] = City(id=op.id, name=op.name, region=op.region, milepost=op.milepost)
    cells: list[float | None] = [
        0.0
        if other in work.cities and work.cities[other].milepost == op.milepost and other not in op.payoffs
        else op.payoffs.get(other)
        for other in work.payoff_cities
    ]
    for row, value in zip(work.payoffs, cells, strict=True):
        row.insert(at, value)
    cells.insert(at, 0.0)
    work.payoffs.insert(at, cells)
    work.payoff_cities.insert(at, op.id)
    work.payoff_cities_changed()
    work.stamp("cities", op.id)
    work.stamp("payoffs", op.id)
    work.read("map", "milepost", op.milepost, "exists")
    work.read("map", "region", op.region, "exists")
    work.wrote("map", "city", op.id, value=op.model_dump(exclude={"reason"}))
    work.wrote("chart", "payoff", op.id)
    work.wrote("chart", "order of payoffs")


def change_city(work: Work, op: ChangeCity) -> None:
    """Change the name or the milepost of a city."""
    found = work.city(op.id)
    if op.milepost is not None:
        work.milepost(op.milepost)
        work.wrote("map", "city", op.id, "milepost", value=op.milepost)
        work.read("map", "milepost", op.milepost, "exists")
    if op.name is not None:
        work.wrote("map", "city", op.id, "name", value=op.name)
    update = {"name": op.name or found.name, "milepost": op.milepost or found.milepost}
    work.cities[op.id] = found.model_copy(update=update)
    work.stamp("cities", op.id)


def move_city(work: Work, op: MoveCity) -> None:
    """Move a city to another region."""
    found = work.city(op.city)
    work.region(op.region)
    if op.was is not None and found.region != op.was:
        raise OperationError(f"{op.city!r} is in {found.region!r}, not in {op.was!r}; correct `was`")
    if found.region == op.region:
        raise OperationError(f"{op.city!r} is in {op.region!r} already; remove this operation")
    before = chances(work)
    work.cities[op.city] = found.model_copy(update={"region": op.region})
    work.stamp("cities", op.city)
    work.wrote("map", "city", op.city, "region", value=op.region)
    if op.charts == "solve":
        charts = (REGIONS, found.region, op.region)
        for chart in charts:
            work.wrote("chart", "destination", chart)
        work.read("chart", "destination")
        solve(work, charts, before)


def remove_city(work: Work, op: RemoveCity) -> None:
    """Make a city a mere milepost."""
    found = work.city(op.id)
    before = chances(work)
    drop_city(work, op.id)
    work.wrote("map", "city", op.id, value="gone")
    work.wrote("chart", "payoff", op.id, value="gone")
    work.wrote("chart", "destination", found.region)
    if op.charts == "solve":
        solve(work, (found.region,), before)
        work.read("chart", "destination")


def drop_city(work: Work, ident: str) -> None:
    """Remove a city and its cells of all charts."""
    found = work.cities.pop(ident)
    work.unstamp("cities", ident)
    work.unstamp("payoffs", ident)
    work.unstamp("declared", f"{found.region}:{ident}")
    _empty(work, found.region, ident)
    work.declared.get(found.region, {}).pop(ident, None)
    if ident in work.payoff_cities:
        at = work.payoff_index(ident)
        del work.payoffs[at]
        for row in work.payoffs:
            del row[at]
        work.payoff_cities.remove(ident)
        work.payoff_cities_changed()


def change_board(work: Work, op: ChangeBoard) -> None:
    """Change title, page or projection."""
    if op.title is not None:
        work.title = op.title
        work.wrote("board", "title", value=op.title)
    if op.page is not None:
        work.page = op.page
        work.wrote("board", "page", value=op.page)
    if op.projection is not None:
        work.projection = op.projection
        work.reproject = True
        work.wrote("board", "projection", value=op.projection)
