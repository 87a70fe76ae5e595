"""The settings of a card game's `board.toml`: read key by key, so that one mistake does not hide the others."""

from typing import Any, Final

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import did_you_mean
from mapkit.core.invalid import invalid
from mapkit.core.problems import Problem
from mapkit.document.document import Document
from mapkit.document.toml_file import CONFIG_FILE, settings_data
from mapkit.kinds.cards.rules.settings import CardRules

_GROUPED: Final = 2


class CardConfig(Frozen):
    """What `board.toml` says."""

    kind: str = "cards"
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=5000)
    example_track: bool = Field(default=False, description="Whether values of track.csv are an example")
    rules: CardRules = CardRules()


def read_card_config(document: Document) -> tuple[CardConfig, tuple[Problem, ...]]:
    """Return the settings of a document, and what is wrong with them; a wrong key has its default."""
    data = settings_data(document)
    problems: list[Problem] = []
    while True:
        try:
            return CardConfig.model_validate(data), tuple(problems)
        except ValidationError as error:
            for item in error.errors():
                where = [str(part) for part in item["loc"]]
                hint = _hint(where) if item["type"] == "extra_forbidden" else ""
                problems.append(Problem("settings", ".".join(where), f"{invalid(item)}{hint}", file=CONFIG_FILE))
                _drop(data, where)


def _hint(where: list[str]) -> str:
    fields: Any = CardConfig.model_fields
    for part in where[:-1]:
        fields = getattr(fields[part].annotation, "model_fields", {}) if part in fields else {}
    return did_you_mean(where[-1], fields)


def _drop(data: dict[str, Any], where: list[str]) -> None:
    inside: Any = data
    for part in where[:-1]:
        inside = inside[part]
    del inside[where[-1]]
