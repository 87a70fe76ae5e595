"""Places of the rows of the rules: their settings, and others."""

import re
from collections.abc import Mapping
from functools import cache

from mapkit.kinds.rail.rules.paths import descriptions
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.tables import RuleRow

_CITED_ROWS = re.compile(r"RB-[A-Z]\d\d(?:, RB-[A-Z]\d\d)*(?=: )")


@cache
def rows_by_setting() -> Mapping[str, tuple[str, ...]]:
    """Return the dotted path of each setting -> the rows cited in its description."""
    match_by_path = {path: _CITED_ROWS.match(text) for path, text in descriptions(Rules).items()}
    return {path: tuple(head[0].split(", ")) if head else () for path, head in match_by_path.items()}


def settings_of(ident: str) -> tuple[str, ...]:
    """Return the settings that implement a row, in the order of the model."""
    return tuple(path for path, rows in rows_by_setting().items() if ident in rows)


def row_places(row: RuleRow) -> tuple[str, ...]:
    """Return all places of a row, `kind:name`, settings first."""
    setting_places = tuple(f"setting:{path}" for path in settings_of(row.id))
    return setting_places + tuple(place for place in row.places if place not in setting_places)
