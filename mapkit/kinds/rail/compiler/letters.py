"""Names with letters that the shipped fonts lack, refused with a cure."""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from mapkit.core.names import undrawn_script
from mapkit.core.problems import Problem
from mapkit.document.changes import Patch
from mapkit.document.document import Row, Setting
from mapkit.kinds.rail.model.source import RegionConfig
from mapkit.kinds.rail.tables import City, Line, Milepost, RailDocument, Railroad, Region

if TYPE_CHECKING:
    from mapkit.kinds.rail.compiler.railroads import FoundLine

_CALLED: Final[Mapping[type[Row], str]] = {Region: "the region", City: "the city", Milepost: "the milepost"}

_Names = Iterable[tuple[str, str, int | None, str, str]]
"""Names with the row that they stand in: table, key, part of it, what has the name."""


def undrawn_names(document: RailDocument, title: str, regions: Iterable[RegionConfig]) -> Iterator[Problem]:
    """Yield a problem for each name in settings and tables that cannot be drawn."""
    return _undrawn(_names(document, title, regions))


def undrawn_in(patch: Patch) -> Iterator[Problem]:
    """Yield a problem for each name that a patch brings and that cannot be drawn."""
    return _undrawn(_names_in(patch))


def undrawn_stops(lines: "Iterable[FoundLine]", cities: Container[str]) -> Iterator[Problem]:
    """Yield a problem for each name of a milepost of a line that cannot be drawn; cities have theirs already."""
    return _undrawn(_stops(lines, cities))


def _undrawn(names: _Names) -> Iterator[Problem]:
    for table, key, part, what, name in names:
        if script := undrawn_script(name):
            yield Problem(
                table,
                key,
                f"{what} {name!r} has {script} letters, which mapkit cannot draw; write it in Latin, Greek or Cyrillic "
                "letters",
                part=part,
            )


def _names(document: RailDocument, title: str, regions: Iterable[RegionConfig]) -> _Names:
    yield "settings", "title", None, "the title", title
    for region in regions:
        yield "regions", region.id, None, "the region", region.name
    for ident, railroad in document.railroads.items():
        yield "railroads", ident, None, "the railroad", railroad.name
        yield "railroads", ident, None, "the mark", railroad.short
    for ident, city in document.cities.items():
        yield "cities", ident, None, "the city", city.name
    for ident, milepost in document.mileposts.items():
        yield "mileposts", ident, None, "the milepost", milepost.name


def _names_in(patch: Patch) -> _Names:
    for change in patch:
        row, was = change.after, change.before
        for what, name in _named(change.key, row):
            if (what, name) not in _named(change.key, was):
                yield change.table, change.key, None, what, name


def _named(key: str, row: Row | None) -> list[tuple[str, str]]:
    """Return the named fields of a row."""
    if isinstance(row, Setting):
        return [("the title", str(row.value))] if key == "title" else []
    if isinstance(row, Railroad):
        return [("the railroad", row.name), ("the mark", row.short)]
    if isinstance(row, Line):
        return [("the milepost", place) for place, kind in row.stops if kind == "milepost"]
    return [(_CALLED[type(row)], row.name)] if isinstance(row, (Region, City, Milepost)) else []


def _stops(lines: "Iterable[FoundLine]", cities: Container[str]) -> _Names:
    for line in lines:
        for stop, number in zip(line.stops, line.typed, strict=True):
            if stop.kind == "milepost" and stop.place not in cities:
                yield "lines", line.id, number, "the milepost", stop.place
