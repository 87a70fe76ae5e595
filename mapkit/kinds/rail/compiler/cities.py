"""The cities of a board."""

from collections.abc import Mapping

from mapkit.core.names import slug
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.track import track_part
from mapkit.kinds.rail.model.board import City
from mapkit.kinds.rail.tables import City as CityRow


@tracked
def _tabled_ids(db: Reader) -> dict[str, bool]:
    """Return the ids of the mileposts of the table."""
    return dict.fromkeys(db.table("mileposts"), True)


@tracked
def board_cities(db: Reader) -> tuple[City, ...]:
    """Return the cities, sorted by id."""
    found = db.each(_city, db.table("cities"), track_part(db, "own_ids"), _tabled_ids(db))
    return tuple(city for _, city in sorted(found.items()))


def _city(ident: str, row: CityRow, own_ids: Mapping[str, str], tabled: Mapping[str, bool]) -> City:
    milepost = row.milepost if row.milepost in tabled else slug(row.milepost_name) or own_ids[row.milepost_name]
    return City.model_construct(id=ident, name=row.name, region=row.region, milepost=milepost, mark=row.mark)


@tracked
def cities_at(db: Reader) -> dict[str, tuple[str, ...]]:
    """Return the ids of the cities by milepost."""
    out: dict[str, tuple[str, ...]] = {}
    for city in board_cities(db):
        out[city.milepost] = (*out.get(city.milepost, ()), city.id)
    return out
