"""Reading `cities.csv`."""

from collections.abc import Iterable

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.formats.tables import Problems, checked, coordinates, number, read_table, refuse_doubles
from mapkit.kinds.rail.model.source import CityRow, RegionConfig
from mapkit.kinds.rail.sources.places import looks_swapped, swapped_message

FILE = "cities.csv"


def read_cities(
    text: str, regions: Iterable[RegionConfig] | None, *, problems: Problems | None = None
) -> list[CityRow]:
    """Read `cities.csv`.

    Args:
        text: The file's text.
        regions: The regions of `board.toml`; None where it cannot be read, so that any will do.
        problems: Takes what is wrong, and the rest is read; without it all is refused.

    Raises:
        SourceError: A region is unknown, an id or name stands twice, or coordinates are wrong.
    """
    ids = {fold(key): region.id for region in regions or () for key in (region.id, region.name)}
    known = [region.name for region in regions or ()]
    out: list[CityRow] = []
    problems = problems or Problems()
    columns = ("id", "name", "region", "lon", "lat")
    for row in read_table(text, file=FILE, required=columns, optional=("milepost", "weight"), problems=problems):
        region = ids.get(fold(row.cells["region"])) if regions is not None else slug(row.cells["region"])
        if region is None:
            name = row.cells["region"]
            hint = did_you_mean(name, known) or f"; the regions are {', '.join(known)}"
            problems.add(row.at(f"region {name!r} of {row.cells['name']!r} is not in board.toml{hint}"))
            continue
        try:
            lon, lat = coordinates(row)
            out.append(
                checked(
                    CityRow,
                    row,
                    id=row.cells["id"],
                    name=row.cells["name"],
                    region=region,
                    lon=lon,
                    lat=lat,
                    milepost=row.cells.get("milepost") or row.cells["name"],
                    weight=number(row, "weight", like="2.5") if row.cells.get("weight") else None,
                )
            )
        except SourceError as error:
            problems.extend(error)
    double = {
        row
        for column in ("id", "name")
        for row in refuse_doubles(problems, FILE, column, [(c.row, str(getattr(c, column))) for c in out])
    }
    _refuse_far(problems, out)
    problems.raise_if_any()
    return [city for city in out if city.row not in double]


def _refuse_far(problems: Problems, cities: list[CityRow]) -> None:
    """Find coordinates that would lie among the other cities if lon and lat were exchanged."""
    for city in cities:
        if looks_swapped((city.lon, city.lat), cities):
            problems.add(f"{FILE}:{city.row}: {swapped_message(city.name, city.lon, city.lat)}")
