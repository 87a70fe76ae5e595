"""The columns of the tables as the page of card games shows them: what is typed, and what is chosen from a list."""

from functools import cache
from typing import Any, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.cards.rules.effects import EFFECTS
from mapkit.kinds.cards.rules.settings import CardRules
from mapkit.kinds.cards.tables import REFERS, CardDocument

_HIDDEN: Final = {"settings", "accepted", "files"}
Typed = Literal["text", "number", "check", "colour", "choice"]
"""What stands in a column."""


class Option(Frozen):
    """A value of a list, and what it means."""

    value: str
    about: str = ""


class Column(Frozen):
    """A column of a table.

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
    """A rule that is a setting.

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
def columns() -> dict[str, tuple[Column, ...]]:
    """Return the columns of every table that an author types."""
    return {
        name: tuple(_column(name, *field) for field in _properties(row.model_json_schema()) if field[0] != "rank")
        for name, row in CardDocument.schema.tables.items()
        if name not in _HIDDEN
    }


@cache
def rule_settings() -> tuple[RuleSetting, ...]:
    """Return every setting of the rules, in the order of the model."""
    whole = CardRules.model_json_schema()
    found = []
    for group in CardRules.model_fields:
        for field, shape in _properties(whole["$defs"][group.capitalize()]):
            words = tuple(Option(value=str(one)) for one in shape.get("enum", ()))
            found.append(
                RuleSetting(
                    key=f"rules.{group}.{field}",
                    group=group,
                    kind="choice" if words else "check" if shape["type"] == "boolean" else "number",
                    about=shape.get("description", ""),
                    default=shape["default"],
                    options=words,
                    low=shape.get("minimum"),
                    high=shape.get("maximum"),
                )
            )
    return tuple(found)


def _properties(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(schema["properties"].items())


def _column(table: str, name: str, shape: dict[str, Any]) -> Column:
    plain = next((one for one in shape.get("anyOf", ()) if one.get("type") != "null"), shape)
    about = shape.get("description", "")
    made: dict[str, Any] = {"name": name, "about": about, "empty": shape.get("default", False) in ("", None)}
    if (table, name) in REFERS:
        return Column(kind="choice", names=REFERS[table, name], **made)
    if (table, name) == ("effects", "effect"):
        words = tuple(Option(value=word, about=one.about) for word, one in EFFECTS.items())
        return Column(kind="choice", options=words, **made)
    if "enum" in plain:
        return Column(kind="choice", options=tuple(Option(value=one) for one in plain["enum"]), **made)
    kinds: dict[str, Typed] = {"boolean": "check", "integer": "number"}
    return Column(kind="colour" if name == "colour" else kinds.get(plain["type"], "text"), **made)
