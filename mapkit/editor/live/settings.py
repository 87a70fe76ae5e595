"""`board.toml` of an open document, as a build reads it; what is wrong is left out and told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from mapkit.editor.config import config_data
from mapkit.editor.document import Document, Row
from mapkit.editor.live.railroads import Problem
from mapkit.model.source import BoardConfig

_LEAST: Final[Mapping[str, Any]] = {
    "title": "Untitled",
    "licence": "unknown",
    "projection": {"name": "plate-carree"},
    "page": {"width": 420, "height": 297},
    "gazetteer": {"countries": ["US"]},
    "regions": [{"id": "none", "name": "No region", "short": "-", "colour": "#dddddd"}],
}
"""What a board cannot be shown without."""


@dataclass(frozen=True)
class Settings:
    """The configuration, and what of it was left out."""

    config: BoardConfig
    problems: tuple[Problem, ...]
    tables: tuple[Mapping[str, Row], ...] = field(repr=False)


def read_settings(document: Document, before: Settings | None = None) -> Settings:
    """Read the settings of a document, or take those of the one before where nothing changed."""
    tables = (document.table("settings"), document.table("regions"), document.table("accepted"))
    if before is not None and all(one is other for one, other in zip(before.tables, tables, strict=True)):
        return before
    data = config_data(document)
    problems: list[Problem] = []
    while True:
        try:
            return Settings(BoardConfig.model_validate(data), tuple(problems), tables)
        except ValidationError as error:
            for key, message in {str(e["loc"][0]): _told(e["loc"], e["msg"]) for e in error.errors()}.items():
                problems.append(Problem("settings", key, message))
                data = {k: v for k, v in data.items() if k != key}
                data |= {key: _LEAST[key]} if key in _LEAST else {}


def _told(loc: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, loc))}: {message[:1].lower()}{message[1:]}"
