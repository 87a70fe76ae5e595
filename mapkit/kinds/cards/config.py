"""Settings of a card game's `board.toml`, read key by key, so that one mistake does not hide the others."""

from typing import Any

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.core.problems import Problem
from mapkit.document.document import Document
from mapkit.document.toml_file import CONFIG_FILE, settings_data
from mapkit.kinds.cards.rules.settings import CardRules


class CardConfig(Frozen):
    """Settings of `board.toml`."""

    kind: str = "cards"
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=5000)
    example_track: bool = Field(default=False, description="Whether values of track.csv are an example")
    rules: CardRules = CardRules()


def read_card_config(document: Document) -> tuple[CardConfig, tuple[Problem, ...]]:
    """Read the settings of a document, and their problems; an invalid key gets its default."""
    settings_by_key = settings_data(document)
    problems: list[Problem] = []
    while True:
        try:
            return CardConfig.model_validate(settings_by_key), tuple(problems)
        except ValidationError as error:
            for item in error.errors():
                key_parts = [str(part) for part in item["loc"]]
                hint = _suggest_name(key_parts) if item["type"] == "extra_forbidden" else ""
                problems.append(
                    Problem("settings", ".".join(key_parts), f"{invalid_value_message(item)}{hint}", file=CONFIG_FILE)
                )
                _drop_key(settings_by_key, key_parts)


def _suggest_name(where: list[str]) -> str:
    known_fields: Any = CardConfig.model_fields
    for part in where[:-1]:
        known_fields = getattr(known_fields[part].annotation, "model_fields", {}) if part in known_fields else {}
    return did_you_mean(where[-1], known_fields)


def _drop_key(data: dict[str, Any], where: list[str]) -> None:
    inner_table: Any = data
    for part in where[:-1]:
        inner_table = inner_table[part]
    del inner_table[where[-1]]
