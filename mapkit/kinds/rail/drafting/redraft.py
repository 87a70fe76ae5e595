"""Redrafting of a board with other options, keeping all that its author has changed since.

What was touched is found by making the old draft once more: rows that differ from it are the author's. A city that the
author changed or added stays on the board, one that was deleted stays away. A railroad of which the name, the price or
the track was changed stays whole, in place of the new one that is most like it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import dotted_location, invalid_value_message
from mapkit.core.names import fold, slug
from mapkit.document.changes import difference
from mapkit.document.document import Row, Setting
from mapkit.kinds.rail.drafting.options import DraftAsked
from mapkit.kinds.rail.tables import City, Line, RailDocument, document_of_rows, ranked

_EXTENSIONS: Final = "extensions"
_DRAFT_EXTENSION: Final = "draft"
"""The extension that says how a draft was made."""
_MERGED_TABLES: Final = ("settings", "regions", "accepted", "places", "cities", "wanted", "control_points", "files")


@dataclass(frozen=True)
class AuthorChanges:
    """Changes that the author of a draft has made since.

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


def read_earlier_options(document: RailDocument) -> DraftAsked | None:
    """Return the options that a board was drafted with; None if it was not drafted or they were deleted.

    Raises:
        SourceError: They are wrong.
    """
    draft_table = _extensions(document).get(_DRAFT_EXTENSION)
    if not isinstance(draft_table, dict):
        return None
    known_options = {name: value for name, value in draft_table.items() if name in DraftAsked.model_fields}
    try:
        return DraftAsked.model_validate({n: tuple(v) if isinstance(v, list) else v for n, v in known_options.items()})
    except ValidationError as error:
        first_error = error.errors()[0]
        raise SourceError(
            f"board.toml: [extensions.draft] {invalid_value_message(first_error, where=dotted_location(first_error))}"
        ) from error


def _extensions(document: RailDocument) -> Mapping[str, object]:
    row = document.settings.get(_EXTENSIONS)
    return row.value if row is not None and isinstance(row.value, dict) else {}


def is_empty(document: RailDocument) -> bool:
    """Return whether a board has no content yet."""
    return not (document.cities or document.railroads or document.lines or document.table("mileposts"))


def find_author_changes(draft: RailDocument, now: RailDocument) -> AuthorChanges:
    """Return the changes that the author made to a draft.

    Args:
        draft: As it was made.
        now: The board.
    """
    draft_rows = rename_cities(ranked(draft), now.cities)
    board_rows = ranked(now)
    changed_rows = frozenset(
        change.at
        for change in difference(draft_rows, board_rows)
        if _drop_rank(change.before) != _drop_rank(change.after) and change.key != _EXTENSIONS
    )
    changed_lines = {key for table, key in changed_rows if table == "lines"}
    line_owners = {
        line.railroad
        for line_table in (draft_rows.lines, board_rows.lines)
        for key, line in line_table.items()
        if key in changed_lines
    }
    line_owners |= {key for table, key in changed_rows if table == "railroads"}
    changed_cities = sorted(key for table, key in changed_rows if table == "cities" and key in draft.cities)
    return AuthorChanges(
        changed_rows,
        tuple(draft.cities[key].name for key in changed_cities if key in now.cities),
        tuple(draft.cities[key].name for key in changed_cities if key not in now.cities),
        frozenset(line_owners & now.railroads.keys()),
    )


def _drop_rank(row: Row | None) -> object:
    """Return a row without its place in the table."""
    return None if row is None else row.model_dump(exclude={"rank"})


def rename_cities(draft: RailDocument, cities: Mapping[str, City]) -> RailDocument:
    """Return a draft with the author's present names of cities in its lines."""
    new_names = {
        row.name: cities[key].name
        for key, row in draft.cities.items()
        if key in cities and cities[key].name != row.name
    }
    if not new_names:
        return draft
    renamed_lines = {
        key: line.model_copy(
            update={
                "stops": tuple((new_names.get(place, place), kind) for place, kind in line.stops),
                "name": line.name,
            }
        )
        for key, line in draft.lines.items()
    }
    return RailDocument({**draft.tables, "lines": renamed_lines}, draft.origins)


def merge_author_changes(draft: RailDocument, now: RailDocument, own: AuthorChanges) -> RailDocument:
    """Merge a new draft with the author's changes to the board.

    Args:
        draft: The new draft.
        now: The board.
        own: What its author has touched.
    """
    changed_cities = {key: now.cities[key] for table, key in own.rows if table == "cities" and key in now.cities}
    new_draft = _rename_conflicting_railroads(
        _rename_conflicting_places(rename_cities(draft, changed_cities), now, own.railroads), now, own.railroads
    )
    replaced = _find_replaced_railroads(new_draft, now, own.railroads)
    tables: dict[str, dict[str, Row]] = {name: dict(new_draft.table(name)) for name in new_draft.schema.tables}
    for name, key in own.rows:
        row = now.table(name).get(key)
        if row is not None and name in _MERGED_TABLES:
            tables[name][key] = row
        elif name in ("settings", "accepted"):
            tables[name].pop(key, None)
    extensions = {**_extensions(now), **_extensions(new_draft)}
    tables["settings"][_EXTENSIONS] = Setting.model_validate({"value": extensions})
    tables["railroads"] = {k: r for k, r in tables["railroads"].items() if k not in replaced}
    tables["lines"] = {k: r for k, r in tables["lines"].items() if getattr(r, "railroad", "") not in replaced}
    for key in sorted(own.railroads):
        tables["railroads"][key] = now.railroads[key]
    for key, line in now.lines.items():
        if line.railroad in own.railroads:
            tables["lines"][f"{key}-own" if key in tables["lines"] else key] = line
            for place, _ in line.stops:
                if place in now.table("places"):
                    tables["places"].setdefault(place, now.table("places")[place])
    used_places = {place for row in tables["lines"].values() if isinstance(row, Line) for place, _ in row.stops}
    tables["places"] = {key: row for key, row in tables["places"].items() if key in used_places}
    _repair_regions(tables, new_draft, now)
    return ranked(document_of_rows({name: list(rows.items()) for name, rows in tables.items()}))


def _rename_conflicting_places(new: RailDocument, now: RailDocument, kept: frozenset[str]) -> RailDocument:
    """Rename places of a draft that have the name of a place of a kept railroad but another position."""
    board_places, draft_places = now.places, new.places
    kept_places = {place for line in now.lines.values() if line.railroad in kept for place, _ in line.stops}
    taken_names = {fold(name) for name in (*board_places, *draft_places)}
    new_names: dict[str, str] = {}
    for name in sorted(kept_places & board_places.keys() & draft_places.keys()):
        if (board_places[name].lon, board_places[name].lat) != (draft_places[name].lon, draft_places[name].lat):
            new_names[name] = next(free_name for n in count(2) if fold(free_name := f"{name} {n}") not in taken_names)
            taken_names.add(fold(new_names[name]))
    if not new_names:
        return new
    renamed_places = {new_names.get(name, name): row for name, row in draft_places.items()}
    renamed_lines = {
        key: line.model_copy(update={"stops": tuple((new_names.get(place, place), kind) for place, kind in line.stops)})
        for key, line in new.lines.items()
    }
    return RailDocument({**new.tables, "places": renamed_places, "lines": renamed_lines}, new.origins)


def _find_replaced_railroads(new: RailDocument, now: RailDocument, kept: frozenset[str]) -> frozenset[str]:
    """Return the railroads of a new draft to replace by those of the author: the most alike.

    One without which a city had no track, or the board fell apart, stays.
    """
    kept_railroads = {key: _railroad_places(now, key) for key in sorted(kept)}
    new_railroads = {key: _railroad_places(new, key) for key in sorted(new.railroads)}
    city_places = {city.milepost_name.partition("/")[0] for city in new.cities.values()}
    replaced: set[str] = set()
    for own_places in kept_railroads.values():
        candidates = sorted(
            new_railroads.keys() - replaced, key=lambda k: (-len(own_places & new_railroads[k] & city_places), k)
        )
        for key in candidates:
            remaining_railroads = [
                *kept_railroads.values(),
                *(new_railroads[other] for other in new_railroads if other not in replaced | {key}),
            ]
            reached_places, unreached_railroads = set(remaining_railroads[0]), list(remaining_railroads[1:])
            while any(reached_places & railroad_places for railroad_places in unreached_railroads):
                reached_places |= set().union(
                    *(railroad_places for railroad_places in unreached_railroads if reached_places & railroad_places)
                )
                unreached_railroads = [
                    railroad_places for railroad_places in unreached_railroads if not reached_places & railroad_places
                ]
            if not unreached_railroads and city_places <= reached_places:
                replaced.add(key)
                break
    return frozenset(replaced)


def _railroad_places(document: RailDocument, railroad: str) -> set[str]:
    return {place for line in document.lines.values() if line.railroad == railroad for place, _ in line.stops}


def _rename_conflicting_railroads(new: RailDocument, now: RailDocument, kept: frozenset[str]) -> RailDocument:
    """Give railroads of a draft other ids and marks than those of the author."""
    kept_marks = {fold(now.railroads[key].short) for key in kept}
    taken_marks = kept_marks | {fold(row.short) for row in new.railroads.values()}
    renamed_railroads: dict[str, tuple[str, str]] = {}
    for key, row in sorted(new.railroads.items()):
        if key in kept or fold(row.short) in kept_marks:
            new_mark = next(free_mark for n in count(2) if fold(free_mark := f"{row.short}{n}") not in taken_marks)
            taken_marks.add(fold(new_mark))
            renamed_railroads[key] = (slug(new_mark), new_mark)
    if not renamed_railroads:
        return new
    railroads = {
        renamed_railroads[key][0] if key in renamed_railroads else key: row.model_copy(
            update={"short": renamed_railroads[key][1]}
        )
        if key in renamed_railroads
        else row
        for key, row in new.railroads.items()
    }
    lines = {
        key: line
        if line.railroad not in renamed_railroads
        else line.model_copy(
            update={
                "railroad": renamed_railroads[line.railroad][0],
                "file": f"lines/{renamed_railroads[line.railroad][0]}.csv",
            }
        )
        for key, line in new.lines.items()
    }
    return RailDocument({**new.tables, "railroads": railroads, "lines": lines}, new.origins)


def _repair_regions(tables: dict[str, dict[str, Row]], new: RailDocument, now: RailDocument) -> None:
    """Give each city an existing region: that of the draft, that of its author, or the first."""
    region_rows = tables["regions"]
    for key, row in tables["cities"].items():
        if isinstance(row, City) and row.region not in region_rows:
            if key in new.cities:
                tables["cities"][key] = row.model_copy(update={"region": new.cities[key].region})
            elif row.region in now.regions:
                region_rows[row.region] = now.regions[row.region]
            else:
                tables["cities"][key] = row.model_copy(update={"region": next(iter(region_rows))})


def describe_kept_changes(own: AuthorChanges, now: RailDocument) -> tuple[str, ...]:
    """Return sentences on the author's changes that were kept."""
    sentences = []
    railroad_names = [now.railroads[key].name for key in sorted(own.railroads) if key in now.railroads]
    city_names = sorted(now.cities[key].name for table, key in own.rows if table == "cities" and key in now.cities)
    for noun, names in (("railroads", railroad_names), ("cities", city_names)):
        if names:
            sentences.append(f"kept, for you have changed them: {noun} {', '.join(names)}")
    if own.leave_out:
        sentences.append(f"left out, as you did: {', '.join(own.leave_out)}")
    return tuple(sentences)
