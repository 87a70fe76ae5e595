"""Where the rows of the rules live: their settings, and their other places."""

import re
from collections.abc import Mapping
from functools import cache

from mapkit.kinds.rail.rules.paths import descriptions
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.tables import RuleRow

_CITED = re.compile(r"RB-[A-Z]\d\d(?:, RB-[A-Z]\d\d)*(?=: )")


@cache
def rows_of() -> Mapping[str, tuple[str, ...]]:
    """Return dotted path of each setting -> the rows that its description begins with."""
    heads = {path: _CITED.match(text) for path, text in descriptions(Rules).items()}
    return {path: tuple(head[0].split(", ")) if head else () for path, head in heads.items()}


def settings_of(ident: str) -> tuple[str, ...]:
    """Return the settings that stand for a row, in the order of the model."""
    return tuple(path for path, rows in rows_of().items() if ident in rows)


def places(row: RuleRow) -> tuple[str, ...]:
    """Return every place of a row, `kind:name`, settings first."""
    own = tuple(f"setting:{path}" for path in settings_of(row.id))
    return own + tuple(place for place in row.places if place not in own)
