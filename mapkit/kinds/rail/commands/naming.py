"""What labels call things."""

from mapkit.kinds.rail.commands.command import Draft
from mapkit.kinds.rail.tables import City, Railroad, Region


def city_name(draft: Draft, ident: str) -> str:
    """Return a city's name, or its id if it has none."""
    city = draft.rows("cities", City).get(ident)
    return ident if city is None else city.name


def railroad_name(draft: Draft, ident: str) -> str:
    """Return a railroad's reporting mark, or its id if it has none."""
    railroad = draft.rows("railroads", Railroad).get(ident)
    return ident if railroad is None else railroad.short


def region_name(draft: Draft, ident: str) -> str:
    """Return a region's name, or its id if it has none."""
    region = draft.rows("regions", Region).get(ident)
    return ident if region is None else region.name
