"""Command that changes an id, with everything that names it."""

import base64
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Self

from pydantic import JsonValue, model_validator

from mapkit.core.base import Slug
from mapkit.core.csvtext import csv_text
from mapkit.core.names import fold
from mapkit.document.document import File, Setting
from mapkit.formats.tables import raw_rows
from mapkit.kinds.rail.commands.cities import refuse_taken_name
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import CityId, RailroadId, RegionId, need_city, need_railroad, need_region
from mapkit.kinds.rail.commands.findings import rename_accepted
from mapkit.kinds.rail.commands.railroads import GROUPS, refuse_taken
from mapkit.kinds.rail.commands.regions import refuse_taken_region
from mapkit.kinds.rail.importing.drawings import MAPPING, file_row
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.tables import Cell, City, Declared, Line, Wanted, line_key, payoff_key, wanted_key


@command("board")
class ChangeId(Command):
    """Change the id of a city, railroad or region, with everything on the board that names it; its name stays.

    Lines, charts, spacing, merged groups, accepted findings and layers follow. Variants in other files do not.
    """

    kind: Literal["change-id"] = "change-id"
    city: CityId | None = None
    railroad: RailroadId | None = None
    region: RegionId | None = None
    to: Slug

    @model_validator(mode="after")
    def _require_one(self) -> Self:
        if sum(one is not None for one in (self.city, self.railroad, self.region)) != 1:
            raise ValueError("give one of city, railroad and region")
        return self

    def edit(self, draft: Draft) -> str:
        """Move the row to the new id, and the rows that name it."""
        if self.city is not None:
            return _change_city_id(draft, self.city, self.to)
        if self.railroad is not None:
            return _change_railroad_id(draft, self.railroad, self.to)
        return _change_region_id(draft, self.region or "", self.to)


def _change_city_id(draft: Draft, old: str, new: str) -> str:
    name = need_city(draft, old).name
    _move_row(draft, "cities", old, new)
    refuse_taken_name(draft, new, name)
    _rename_items(draft, lambda chart: chart != REGIONS, old, new)
    if old in draft.table("payoff_cities"):
        _move_row(draft, "payoff_cities", old, new)
    for key in [key for key in draft.table("payoffs") if old in key.split("|")]:
        _move_row(draft, "payoffs", key, payoff_key(*(new if city == old else city for city in key.split("|"))))
    rename_accepted(draft, old, new)
    return f"Change the id of {name} to {new}"


def _change_railroad_id(draft: Draft, old: str, new: str) -> str:
    name = need_railroad(draft, old).short
    _move_row(draft, "railroads", old, new)
    refuse_taken(draft, new)
    for table in ("junctions", "track"):
        for key in [key for key, row in draft.table(table).items() if getattr(row, "railroad", None) == old]:
            draft.update(table, key, railroad=new)
    own_lines = [(key, line) for key, line in draft.rows("lines", Line).items() if line.railroad == old]
    for key, line in own_lines:
        draft.drop("lines", key)
        draft.put(
            "lines", line_key(new, line.name, set(draft.table("lines"))), line.model_copy(update={"railroad": new})
        )
    _move_setting(draft, f"spacing.railroads.{old}", f"spacing.railroads.{new}")
    groups = draft.rows("settings", Setting).get(GROUPS)
    if groups is not None and old in str(groups.value):
        draft.update("settings", GROUPS, value=_replace_values(groups.value, old, new))
    _edit_files(draft, MAPPING, lambda text: _rename_in_mapping(text, old, new))
    rename_accepted(draft, old, new)
    return f"Change the id of {name} to {new}"


def _change_region_id(draft: Draft, old: str, new: str) -> str:
    name = need_region(draft, old).name
    _move_row(draft, "regions", old, new)
    refuse_taken_region(draft, new, name)
    for key in [key for key, city in draft.rows("cities", City).items() if city.region == old]:
        draft.update("cities", key, region=new)
    _rename_items(draft, lambda chart: chart == REGIONS, old, new)
    for key in [key for key in draft.table("destinations") if key.startswith(f"{old}/")]:
        _move_row(draft, "destinations", key, f"{new}/{key.partition('/')[2]}")
    for key, odds in list(draft.rows("declared", Declared).items()):
        if odds.chart == old:
            draft.drop("declared", key)
            draft.put("declared", f"{new}/{odds.item}", odds.model_copy(update={"chart": new}))
    for key, wish in list(draft.rows("wanted", Wanted).items()):
        renamed = {field: new for field in ("chart", "name") if fold(getattr(wish, field)) == fold(old)}
        if renamed:
            row = wish.model_copy(update=renamed)
            draft.drop("wanted", key)
            draft.put("wanted", wanted_key(row.chart, row.name), row)
    _move_setting(draft, f"spacing.regions.{old}", f"spacing.regions.{new}")
    pattern = re.compile(rf'("region"\s*:\s*)"{re.escape(old)}"')
    _edit_files(draft, "layers/", lambda text: pattern.sub(rf'\1"{new}"', text))
    rename_accepted(draft, old, new)
    return f"Change the id of {name} to {new}"


def _move_row(draft: Draft, table: str, old: str, new: str) -> None:
    """Put a row under another key.

    Raises:
        CommandError: There is one already.
    """
    if new in draft.table(table):
        raise CommandError(f"there is {new!r} already; choose another id")
    row = draft.table(table)[old]
    draft.drop(table, old)
    draft.put(table, new, row)


def _rename_items(draft: Draft, is_chart: Callable[[str], bool], old: str, new: str) -> None:
    """Change an item of charts, in their cells and declared odds."""
    for key in [key for key, cell in draft.rows("destinations", Cell).items() if cell.item == old]:
        if is_chart(key.partition("/")[0]):
            draft.update("destinations", key, item=new)
    for key, odds in list(draft.rows("declared", Declared).items()):
        if odds.item == old and is_chart(odds.chart):
            draft.drop("declared", key)
            draft.put("declared", f"{odds.chart}/{new}", odds.model_copy(update={"item": new}))


def _move_setting(draft: Draft, old: str, new: str) -> None:
    if old in draft.table("settings"):
        _move_row(draft, "settings", old, new)


def _replace_values(value: JsonValue, old: str, new: str) -> JsonValue:
    """Return a value of settings with a text in it replaced."""
    if isinstance(value, dict):
        return {key: _replace_values(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_replace_values(one, old, new) for one in value]
    return new if value == old else value


def _edit_files(draft: Draft, start: str, edit: Callable[[str], str]) -> None:
    """Change the text of files of the package whose paths begin so; files that are no text stay."""
    for path, file in list(draft.rows("files", File).items()):
        if path.startswith(start):
            with suppress(UnicodeDecodeError):
                text = base64.b64decode(file.content).decode()
                if (edited := edit(text)) != text:
                    draft.put("files", path, file_row(edited.encode()))


def _rename_in_mapping(text: str, old: str, new: str) -> str:
    """Return `drawings/mapping.csv` with another id of a railroad."""
    rows = [list(cells) for _, cells in raw_rows(text, file=MAPPING)]
    column = rows[0].index("railroad") if rows and "railroad" in rows[0] else None
    if column is None or not any(cells[column : column + 1] == [old] for cells in rows):
        return text
    return csv_text([[new if n == column and cell == old else cell for n, cell in enumerate(cells)] for cells in rows])
