"""Drafting a board again, with other options, and keeping what its author has touched since.

What was touched is found by making the old draft once more: rows that differ from it are the author's. A city that the
author changed or added stays on the board, one that was deleted stays away. A railroad of which the name, the price or
the track was changed stays whole, in place of the new one that is most like it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import dotted, invalid
from mapkit.core.names import fold, slug
from mapkit.document.changes import difference
from mapkit.document.document import Row, Setting
from mapkit.kinds.rail.drafting.options import DraftAsked
from mapkit.kinds.rail.tables import City, Line, RailDocument, document_of_rows, ranked

_EXTENSIONS: Final = "extensions"
_DRAFT: Final = "draft"
"""The extension that says how a draft was made."""
_PLAIN: Final = ("settings", "regions", "accepted", "places", "cities", "wanted", "control_points", "files")


@dataclass(frozen=True)
class Touched:
    """What the author of a draft has changed since.

    Attributes:
        rows: Table and key of each row that is not as the draft made it, or was not there.
        include: Names of cities of the draft that the author changed: they are to stay.
        leave_out: Names of those that the author deleted.
        railroads: Railroads of the author: changed or added, or with other track.
    """

    rows: frozenset[tuple[str, str]] = frozenset()
    include: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    railroads: frozenset[str] = frozenset()


def asked_before(document: RailDocument) -> DraftAsked | None:
    """Return with which options a board was drafted; None if it was not, or its author took that out.

    Raises:
        SourceError: They are wrong.
    """
    said = _extensions(document).get(_DRAFT)
    if not isinstance(said, dict):
        return None
    known = {name: value for name, value in said.items() if name in DraftAsked.model_fields}
    try:
        return DraftAsked.model_validate({n: tuple(v) if isinstance(v, list) else v for n, v in known.items()})
    except ValidationError as error:
        first = error.errors()[0]
        raise SourceError(f"board.toml: [extensions.draft] {invalid(first, where=dotted(first))}") from error


def _extensions(document: RailDocument) -> Mapping[str, object]:
    row = document.settings.get(_EXTENSIONS)
    return row.value if row is not None and isinstance(row.value, dict) else {}


def is_empty(document: RailDocument) -> bool:
    """Return whether nothing is on a board yet."""
    return not (document.cities or document.railroads or document.lines or document.table("mileposts"))


def touched(draft: RailDocument, now: RailDocument) -> Touched:
    """Return what its author changed on a draft.

    Args:
        draft: As it was made.
        now: The board.
    """
    was = renamed(ranked(draft), now.cities)
    mine = ranked(now)
    rows = frozenset(
        change.at
        for change in difference(was, mine)
        if _plain(change.before) != _plain(change.after) and change.key != _EXTENSIONS
    )
    lines = {key for table, key in rows if table == "lines"}
    owners = {line.railroad for found in (was.lines, mine.lines) for key, line in found.items() if key in lines}
    owners |= {key for table, key in rows if table == "railroads"}
    changed = sorted(key for table, key in rows if table == "cities" and key in draft.cities)
    return Touched(
        rows,
        tuple(draft.cities[key].name for key in changed if key in now.cities),
        tuple(draft.cities[key].name for key in changed if key not in now.cities),
        frozenset(owners & now.railroads.keys()),
    )


def _plain(row: Row | None) -> object:
    """Return a row without its place in the table."""
    return None if row is None else row.model_dump(exclude={"rank"})


def renamed(draft: RailDocument, cities: Mapping[str, City]) -> RailDocument:
    """Return a draft whose lines call cities as their author does now."""
    names = {
        row.name: cities[key].name
        for key, row in draft.cities.items()
        if key in cities and cities[key].name != row.name
    }
    if not names:
        return draft
    lines = {
        key: line.model_copy(
            update={"stops": tuple((names.get(place, place), kind) for place, kind in line.stops), "name": line.name}
        )
        for key, line in draft.lines.items()
    }
    return RailDocument({**draft.tables, "lines": lines}, draft.origins)


def merged(draft: RailDocument, now: RailDocument, own: Touched) -> RailDocument:
    """Return a new draft with what its author has touched on the board.

    Args:
        draft: The new draft.
        now: The board.
        own: What its author has touched.
    """
    cities = {key: now.cities[key] for table, key in own.rows if table == "cities" and key in now.cities}
    new = _unlike(_apart(renamed(draft, cities), now, own.railroads), now, own.railroads)
    gone = _replaced(new, now, own.railroads)
    tables: dict[str, dict[str, Row]] = {name: dict(new.table(name)) for name in new.schema.tables}
    for name, key in own.rows:
        row = now.table(name).get(key)
        if row is not None and name in _PLAIN:
            tables[name][key] = row
        elif name in ("settings", "accepted"):
            tables[name].pop(key, None)
    extensions = {**_extensions(now), **_extensions(new)}
    tables["settings"][_EXTENSIONS] = Setting.model_validate({"value": extensions})
    tables["railroads"] = {k: r for k, r in tables["railroads"].items() if k not in gone}
    tables["lines"] = {k: r for k, r in tables["lines"].items() if getattr(r, "railroad", "") not in gone}
    for key in sorted(own.railroads):
        tables["railroads"][key] = now.railroads[key]
    for key, line in now.lines.items():
        if line.railroad in own.railroads:
            tables["lines"][f"{key}-own" if key in tables["lines"] else key] = line
            for place, _ in line.stops:
                if place in now.table("places"):
                    tables["places"].setdefault(place, now.table("places")[place])
    named = {place for row in tables["lines"].values() if isinstance(row, Line) for place, _ in row.stops}
    tables["places"] = {key: row for key, row in tables["places"].items() if key in named}
    _fit_regions(tables, new, now)
    return ranked(document_of_rows({name: list(rows.items()) for name, rows in tables.items()}))


def _apart(new: RailDocument, now: RailDocument, kept: frozenset[str]) -> RailDocument:
    """Return a draft with other names for its places that are called as those of kept railroads, and lie elsewhere."""
    mine, theirs = now.places, new.places
    used = {place for line in now.lines.values() if line.railroad in kept for place, _ in line.stops}
    taken = {fold(name) for name in (*mine, *theirs)}
    other: dict[str, str] = {}
    for name in sorted(used & mine.keys() & theirs.keys()):
        if (mine[name].lon, mine[name].lat) != (theirs[name].lon, theirs[name].lat):
            other[name] = next(free for n in count(2) if fold(free := f"{name} {n}") not in taken)
            taken.add(fold(other[name]))
    if not other:
        return new
    places = {other.get(name, name): row for name, row in theirs.items()}
    lines = {
        key: line.model_copy(update={"stops": tuple((other.get(place, place), kind) for place, kind in line.stops)})
        for key, line in new.lines.items()
    }
    return RailDocument({**new.tables, "places": places, "lines": lines}, new.origins)


def _replaced(new: RailDocument, now: RailDocument, kept: frozenset[str]) -> frozenset[str]:
    """Return the railroads of a new draft that those of the author take the place of: the most alike.

    One without which a city had no track, or the board fell apart, stays.
    """
    own = {key: _places_of(now, key) for key in sorted(kept)}
    theirs = {key: _places_of(new, key) for key in sorted(new.railroads)}
    cities = {city.milepost_name.partition("/")[0] for city in new.cities.values()}
    gone: set[str] = set()
    for mine in own.values():
        left = sorted(theirs.keys() - gone, key=lambda k: (-len(mine & theirs[k] & cities), k))
        for key in left:
            rest = [*own.values(), *(theirs[other] for other in theirs if other not in gone | {key})]
            if _in_one_piece(rest, cities):
                gone.add(key)
                break
    return frozenset(gone)


def _places_of(document: RailDocument, railroad: str) -> set[str]:
    return {place for line in document.lines.values() if line.railroad == railroad for place, _ in line.stops}


def _in_one_piece(railroads: Sequence[set[str]], cities: set[str]) -> bool:
    """Return whether railroads reach all cities, and each other."""
    reached, left = set(railroads[0]), list(railroads[1:])
    while any(reached & one for one in left):
        reached |= set().union(*(one for one in left if reached & one))
        left = [one for one in left if not reached & one]
    return not left and cities <= reached


def _unlike(new: RailDocument, now: RailDocument, kept: frozenset[str]) -> RailDocument:
    """Return a draft whose railroads have other ids and marks than those of the author."""
    marks = {fold(now.railroads[key].short) for key in kept}
    taken = marks | {fold(row.short) for row in new.railroads.values()}
    other: dict[str, tuple[str, str]] = {}
    for key, row in sorted(new.railroads.items()):
        if key in kept or fold(row.short) in marks:
            short = next(free for n in count(2) if fold(free := f"{row.short}{n}") not in taken)
            taken.add(fold(short))
            other[key] = (slug(short), short)
    if not other:
        return new
    railroads = {
        other[key][0] if key in other else key: row.model_copy(update={"short": other[key][1]}) if key in other else row
        for key, row in new.railroads.items()
    }
    lines = {
        key: line
        if line.railroad not in other
        else line.model_copy(
            update={"railroad": other[line.railroad][0], "file": f"lines/{other[line.railroad][0]}.csv"}
        )
        for key, line in new.lines.items()
    }
    return RailDocument({**new.tables, "railroads": railroads, "lines": lines}, new.origins)


def _fit_regions(tables: dict[str, dict[str, Row]], new: RailDocument, now: RailDocument) -> None:
    """Give each city a region that is there: that of the draft, or of its author, or the first."""
    known = tables["regions"]
    for key, row in tables["cities"].items():
        if isinstance(row, City) and row.region not in known:
            if key in new.cities:
                tables["cities"][key] = row.model_copy(update={"region": new.cities[key].region})
            elif row.region in now.regions:
                known[row.region] = now.regions[row.region]
            else:
                tables["cities"][key] = row.model_copy(update={"region": next(iter(known))})


def kept_sentences(own: Touched, now: RailDocument) -> tuple[str, ...]:
    """Return what an author should know of what was kept."""
    out = []
    roads = [now.railroads[key].name for key in sorted(own.railroads) if key in now.railroads]
    cities = sorted(now.cities[key].name for table, key in own.rows if table == "cities" and key in now.cities)
    for what, names in (("railroads", roads), ("cities", cities)):
        if names:
            out.append(f"kept, for you have changed them: {what} {', '.join(names)}")
    if own.leave_out:
        out.append(f"left out, as you did: {', '.join(own.leave_out)}")
    return tuple(out)
