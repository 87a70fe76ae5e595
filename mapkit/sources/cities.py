"""Reading `cities.csv`."""

from mapkit.errors import SourceError, did_you_mean
from mapkit.model.source import BoardConfig, CityRow
from mapkit.sources.names import fold
from mapkit.sources.places import looks_swapped, swapped_message
from mapkit.sources.tables import Problems, checked, coordinates, number, read_table, refuse_doubles

FILE = "cities.csv"


def read_cities(text: str, config: BoardConfig) -> list[CityRow]:
    """Read `cities.csv`.

    Raises:
        SourceError: A region is unknown, an id or name stands twice, or coordinates are wrong.
    """
    regions = {fold(key): region.id for region in config.regions for key in (region.id, region.name)}
    known = [region.name for region in config.regions]
    out: list[CityRow] = []
    problems = Problems()
    columns = ("id", "name", "region", "lon", "lat")
    for row in read_table(text, file=FILE, required=columns, optional=("milepost", "weight")):
        region = regions.get(fold(row.cells["region"]))
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
                    weight=number(row, "weight") if row.cells.get("weight") else None,
                )
            )
        except SourceError as error:
            problems.extend(error)
    for column in ("id", "name"):
        refuse_doubles(problems, FILE, column, [(c.row, str(getattr(c, column))) for c in out])
    _refuse_far(problems, out)
    problems.raise_if_any()
    return out


def _refuse_far(problems: Problems, cities: list[CityRow]) -> None:
    """Find coordinates that would lie among the other cities if lon and lat were exchanged."""
    for city in cities:
        if looks_swapped((city.lon, city.lat), cities):
            problems.add(f"{FILE}:{city.row}: {swapped_message(city.name, city.lon, city.lat)}")
