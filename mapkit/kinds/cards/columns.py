"""Columns of the tables on the page of card games: typed values, and choices from lists."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.cards.rules.effects import EFFECTS
from mapkit.kinds.cards.rules.settings import CardRules
from mapkit.kinds.cards.tables import REFERS, CardDocument

_HIDDEN_TABLES: Final = {"settings", "accepted", "files"}
Typed = Literal["text", "number", "check", "colour", "choice"]
"""What stands in a column."""


MEANINGS: Final = {
    "rules.setup.bids": {
        "free": "who offers an investor names any value",
        "face": "the value is the one that is printed on it",
    },
    "rules.disputes.last_step": {
        "3": "the discard is a second step 3, as the rules number it",
        "4": "the discard is step 4, as it comes after step 3",
    },
    "rules.disputes.income": {
        "one": "both levels of a card earn the same",
        "by-face": "each level earns what its own face says",
    },
    "rules.disputes.stack": {
        "category": "by the letters of the categories, A on top",
        "cost": "by the lowest cost of each card, the cheapest on top",
    },
    "rules.disputes.last_levels": {
        "same": "8a and 8b count as one level",
        "two": "8a and 8b are two levels, one after the other",
    },
    "rules.disputes.removed": {
        "lower": "it counts as the lower of its levels",
        "higher": "it counts as the higher of its levels",
    },
    "rules.disputes.fifth_investor": {
        "both": "it leaves the game, and both players get its face value",
        "drafted": "it is drafted like the others: one gets the ability, one the money",
    },
    "rules.disputes.capital": {
        "current": "ten times the value on the day that it begins to operate",
        "initial": "ten times the value at which it started",
    },
    "rules.disputes.abilities": {
        "open": "nobody has them",
        "listed": "they go to the investors without one, in the order of the rows",
    },
    "rules.disputes.end": {
        "running": "the game ends with the running operating round",
        "pair": "the game ends with the last operating round of the sequence",
    },
    "tokens.use": {
        "operator": "runs a railroad, or lies in the network",
        "marker": "stands on the track of share values",
        "surplus": "is in the box, and has no use",
    },
    "zones.meaning": {
        "add": "(+) operators, which a holding may add to a railroad",
        "keep": "() operators, which keep a railroad running",
        "network": "operators in the network, which earn every round",
        "cash": "the money of the holding",
    },
    "decks.cards": {
        "railroads": "the cards of railroads",
        "investors": "the cards of investors",
        "certificates": "the certificates",
        "holdings": "the cards of holdings",
        "overviews": "the summaries of the rules",
    },
    "decks.order": {
        "stacked": "lies in a stack, in the order of the rows",
        "open": "lies open for everybody to see",
        "each": "each player gets one",
    },
}
"""What the words of a list mean, by the setting or the column: `rules.setup.bids`, `tokens.use`."""


class Option(Frozen):
    """Value of a list, and its meaning."""

    value: str
    about: str = ""


class Column(Frozen):
    """Column of a table.

    Attributes:
        name: Its name in the file.
        kind: What stands in it.
        about: What it means; empty where the name says it.
        options: What a `choice` offers; the page adds an unknown value that stands there.
        names: The table whose ids a `choice` offers instead.
        empty: Whether it may be empty.
    """

    name: str
    kind: Typed
    about: str = ""
    options: tuple[Option, ...] = ()
    names: str = ""
    empty: bool = False


class RuleSetting(Frozen):
    """Rule with a setting.

    Attributes:
        key: Of `board.toml`: `rules.setup.players`.
        group: The heading that it stands under.
        kind: What is typed.
        about: What it means, with its row of the rules.
        default: Its value where `board.toml` does not say.
        options: What a `choice` offers.
        low: The least number.
        high: The greatest.
    """

    key: str
    group: str
    kind: Literal["number", "check", "choice"]
    about: str
    default: Any = Field(description="A number, a word or a truth value")
    options: tuple[Option, ...] = ()
    low: int | None = None
    high: int | None = None


@cache
def table_columns() -> dict[str, tuple[Column, ...]]:
    """Return the columns of every table of the author."""
    return {
        name: tuple(
            _make_column(name, *field) for field in _schema_properties(row.model_json_schema()) if field[0] != "rank"
        )
        for name, row in CardDocument.schema.tables.items()
        if name not in _HIDDEN_TABLES
    }


@cache
def rule_settings() -> tuple[RuleSetting, ...]:
    """Return every setting of the rules, in the order of the model."""
    rules_schema = CardRules.model_json_schema()
    settings = []
    for group in CardRules.model_fields:
        for field, field_schema in _schema_properties(rules_schema["$defs"][group.capitalize()]):
            value_options = _make_options(f"rules.{group}.{field}", field_schema.get("enum", ()))
            settings.append(
                RuleSetting(
                    key=f"rules.{group}.{field}",
                    group=group,
                    kind="choice" if value_options else "check" if field_schema["type"] == "boolean" else "number",
                    about=field_schema.get("description", ""),
                    default=field_schema["default"],
                    options=value_options,
                    low=field_schema.get("minimum"),
                    high=field_schema.get("maximum"),
                )
            )
    return tuple(settings)


def _make_options(of: str, words: Iterable[object]) -> tuple[Option, ...]:
    meanings = MEANINGS.get(of, {})
    return tuple(Option(value=str(word), about=meanings.get(str(word), "")) for word in words)


def _schema_properties(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(schema["properties"].items())


def _make_column(table: str, name: str, shape: dict[str, Any]) -> Column:
    value_schema = next(
        (schema_part for schema_part in shape.get("anyOf", ()) if schema_part.get("type") != "null"), shape
    )
    description = shape.get("description", "")
    common_fields: dict[str, Any] = {
        "name": name,
        "about": description,
        "empty": shape.get("default", False) in ("", None),
    }
    if (table, name) in REFERS:
        return Column(kind="choice", names=REFERS[table, name], **common_fields)
    if (table, name) == ("effects", "effect"):
        effect_options = tuple(Option(value=word, about=effect_kind.about) for word, effect_kind in EFFECTS.items())
        return Column(kind="choice", options=effect_options, **common_fields)
    if "enum" in value_schema:
        return Column(kind="choice", options=_make_options(f"{table}.{name}", value_schema["enum"]), **common_fields)
    input_by_type: dict[str, Typed] = {"boolean": "check", "integer": "number"}
    return Column(
        kind="colour" if name == "colour" else input_by_type.get(value_schema["type"], "text"), **common_fields
    )
