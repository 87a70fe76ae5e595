"""The settings of a document as the text of `board.toml` has them."""

from copy import deepcopy
from typing import Any

from pydantic import ValidationError

from mapkit.editor.document import Document, ordered
from mapkit.errors import SourceError
from mapkit.model.source import BoardConfig


def config_data(document: Document) -> dict[str, Any]:
    """Return `board.toml` as plain data: settings, regions, accepted findings."""
    out: dict[str, Any] = {}
    for key, setting in ordered(document.settings):
        *tables, last = key.split(".")
        at = out
        for table in tables:
            at = at.setdefault(table, {})
        if setting.value == {} and isinstance(at.get(last), dict):
            continue
        at[last] = deepcopy(setting.value)
    out["regions"] = [
        {"id": ident, "name": r.name, "short": r.short, "colour": r.colour} for ident, r in ordered(document.regions)
    ]
    accepted = {key: row.reason for key, row in ordered(document.accepted)}
    return out | ({"accepted": accepted} if accepted else {})


def config_of(document: Document) -> BoardConfig:
    """Return the configuration of a document.

    Raises:
        SourceError: A setting is wrong or missing.
    """
    try:
        return BoardConfig.model_validate(config_data(document))
    except ValidationError as error:
        raise SourceError(
            [f"{'.'.join(map(str, e['loc']))}: {e['msg'][:1].lower()}{e['msg'][1:]}" for e in error.errors()[:10]]
        ) from error
