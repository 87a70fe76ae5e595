"""Fields of commands, look-up of rows by their ids, and names of elements in labels."""

from collections.abc import Iterable
from typing import Annotated, Any, NoReturn

from pydantic import Field

from mapkit.core.base import Frozen, Point, Slug
from mapkit.core.errors import did_you_mean
from mapkit.document.command import Names
from mapkit.document.document import Row
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.tables import City, Junction, Milepost, Railroad, Region

Lon = Annotated[float, Field(ge=-180, le=180)]
Lat = Annotated[float, Field(ge=-90, le=90)]
Place = tuple[Lon, Lat]
"""A point of a line, `[lon, lat]`."""
Name = Annotated[str, Field(min_length=1, max_length=200)]
Price = Annotated[int, Field(ge=0, le=10_000_000)]
Short = Annotated[str, Field(min_length=1, max_length=6)]
Line = Annotated[tuple[Place, ...], Field(min_length=2, max_length=100_000)]

MilepostId = Annotated[str, Names("milepost")]
NodeId = Annotated[Slug, Names("node")]
RailroadId = Annotated[str, Names("railroad")]
RegionId = Annotated[str, Names("region")]
CityId = Annotated[str, Names("city")]
SegmentIds = Annotated[tuple[Slug, ...], Field(min_length=1, max_length=100_000), Names("sections")]
"""Segments; of one that was cut in two, both parts are meant."""


def has_files(draft: Draft) -> bool:
    """Return whether a document is a source package, so that railroads, cities and regions have names in files."""
    return not draft.table("compiled")


def refuse_unknown_id(what: str, ident: str, known: Iterable[str]) -> NoReturn:
    """Raise an error about an unknown id.

    Raises:
        CommandError: Always; the nearest is offered.
    """
    hint_text = did_you_mean(ident, known) or "; it may have been removed or renamed"
    raise CommandError(f"there is no {what} {ident!r}{hint_text}")


def _need_row(draft: Draft, table: str, ident: str, what: str) -> Any:  # noqa: ANN401 - the row of the table
    row = draft.table(table).get(ident)
    if row is None:
        refuse_unknown_id(what, ident, draft.table(table))
    draft.rely_on_row(table, ident, row)
    return row


def need_milepost(draft: Draft, ident: str) -> Milepost:
    """Return a milepost, and record that the command relies on it.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    milepost_row: Milepost = _need_row(draft, "mileposts", ident, "milepost")
    return milepost_row


def refuse_unexpected(row: Row, was: Frozen, what: str) -> None:
    """Refuse a row with other values than those that a command expects.

    Raises:
        CommandError: A field has another value.
    """
    for name, expected in was.model_dump(exclude_none=True).items():
        if getattr(row, name) != expected:
            raise CommandError(f"{name} of {what} is {getattr(row, name)!r}, not {expected!r}; correct `was`")


def need_railroad(draft: Draft, ident: str) -> Railroad:
    """Return a railroad."""
    railroad_row: Railroad = _need_row(draft, "railroads", ident, "railroad")
    return railroad_row


def need_region(draft: Draft, ident: str) -> Region:
    """Return a region."""
    region_row: Region = _need_row(draft, "regions", ident, "region")
    return region_row


def need_city(draft: Draft, ident: str) -> City:
    """Return a city."""
    city_row: City = _need_row(draft, "cities", ident, "city")
    return city_row


def need_node(draft: Draft, ident: str) -> Milepost | Junction:
    """Return a milepost or junction."""
    for table in ("mileposts", "junctions"):
        row: Row | None = draft.table(table).get(ident)
        if isinstance(row, (Milepost, Junction)):
            draft.rely_on_row(table, ident, row)
            return row
    return refuse_unknown_id("milepost or junction", ident, [*draft.table("mileposts"), *draft.table("junctions")])


def need_position(draft: Draft, ident: str) -> Point:
    """Return the position of a milepost or junction, and record that the command relies on it."""
    node_row = need_node(draft, ident)
    draft.get("mileposts" if isinstance(node_row, Milepost) else "junctions", ident, "lon", "lat")
    return node_row.lon, node_row.lat


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
