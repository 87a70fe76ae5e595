"""Fields of commands, and rows by their ids."""

from collections.abc import Iterable
from typing import Annotated, Any, NoReturn

from pydantic import Field

from mapkit.core.base import Point, Slug
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
JunctionId = Annotated[Slug, Names("junction")]
RailroadId = Annotated[str, Names("railroad")]
RegionId = Annotated[str, Names("region")]
CityId = Annotated[str, Names("city")]
SegmentIds = Annotated[tuple[Slug, ...], Field(min_length=1, max_length=100_000), Names("sections")]
"""Segments; of one that was cut in two, both parts are meant."""


def has_files(draft: Draft) -> bool:
    """Return whether a document is a source package, in whose files people name railroads, cities and regions."""
    return not draft.table("compiled")


def gone(what: str, ident: str, known: Iterable[str]) -> NoReturn:
    """Say that there is no such thing.

    Raises:
        CommandError: Always; the nearest is offered.
    """
    hint = did_you_mean(ident, known) or "; it may have been removed or renamed"
    raise CommandError(f"there is no {what} {ident!r}{hint}")


def _found(draft: Draft, table: str, ident: str, what: str) -> Any:  # noqa: ANN401 - the row of the table
    row = draft.table(table).get(ident)
    if row is None:
        gone(what, ident, draft.table(table))
    draft.rely_on_row(table, ident, row)
    return row


def milepost(draft: Draft, ident: str) -> Milepost:
    """Return a milepost; likewise the others.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    found: Milepost = _found(draft, "mileposts", ident, "milepost")
    return found


def railroad(draft: Draft, ident: str) -> Railroad:
    """Return a railroad."""
    found: Railroad = _found(draft, "railroads", ident, "railroad")
    return found


def region(draft: Draft, ident: str) -> Region:
    """Return a region."""
    found: Region = _found(draft, "regions", ident, "region")
    return found


def city(draft: Draft, ident: str) -> City:
    """Return a city."""
    found: City = _found(draft, "cities", ident, "city")
    return found


def node(draft: Draft, ident: str) -> Milepost | Junction:
    """Return a milepost or junction."""
    for table in ("mileposts", "junctions"):
        row: Row | None = draft.table(table).get(ident)
        if isinstance(row, (Milepost, Junction)):
            draft.rely_on_row(table, ident, row)
            return row
    return gone("milepost or junction", ident, [*draft.table("mileposts"), *draft.table("junctions")])


def place(draft: Draft, ident: str) -> Point:
    """Return where a milepost or junction stands; what is done then relies on that."""
    found = node(draft, ident)
    draft.get("mileposts" if isinstance(found, Milepost) else "junctions", ident, "lon", "lat")
    return found.lon, found.lat
