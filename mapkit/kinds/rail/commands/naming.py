"""Names of elements in labels."""

from mapkit.kinds.rail.commands.command import Draft
from mapkit.kinds.rail.tables import City, Railroad, Region


def city_name(draft: Draft, ident: str) -> str:
    """Return a city's name, or its id if it has none."""
    city_row = draft.rows("cities", City).get(ident)
    return ident if city_row is None else city_row.name


def railroad_name(draft: Draft, ident: str) -> str:
    """Return a railroad's reporting mark, or its id if it has none."""
    railroad_row = draft.rows("railroads", Railroad).get(ident)
    return ident if railroad_row is None else railroad_row.short


def region_name(draft: Draft, ident: str) -> str:
    """Return a region's name, or its id if it has none."""
    region_row = draft.rows("regions", Region).get(ident)
    return ident if region_row is None else region_row.name
