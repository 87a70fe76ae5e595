"""The type that a JSON Schema describes, spelled in a programming language."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Spell(Protocol):
    """What a language writes for types made of others, each given as it is written."""

    def literal(self, values: Sequence[Any]) -> str:
        """Return the type of some values."""

    def mapping(self, of: str) -> str:
        """Return the type of a mapping from texts."""

    def fixed(self, parts: Sequence[str]) -> str:
        """Return the type of a tuple with these parts."""

    def listed(self, of: str) -> str:
        """Return the type of a list."""


@dataclass(frozen=True)
class Language:
    """A language: its name, its words for plain types by those of JSON Schema, for any value, how it joins types."""

    name: str
    anything: str
    plain: Mapping[str, str]
    spell: Spell


def type_text(schema: Mapping[str, Any], language: Language) -> str:
    """Return the type of a schema in a language.

    Raises:
        ValueError: The schema has a form that ours do not have.
    """
    if not schema:
        return language.anything
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        return language.spell.literal(schema.get("enum", [schema.get("const")]))
    options = schema.get("anyOf") or schema.get("oneOf") or [{"type": kind} for kind in _kinds(schema)]
    if len(options) > 1:
        return " | ".join(dict.fromkeys(type_text(one, language) for one in options))
    return _one(schema, language)


def _one(schema: Mapping[str, Any], language: Language) -> str:
    kind, values = schema.get("type"), _values(schema)
    if kind == "array" and "prefixItems" in schema:
        return language.spell.fixed([type_text(one, language) for one in schema["prefixItems"]])
    if kind == "array":
        return language.spell.listed(type_text(schema["items"], language))
    if values is not None:
        return language.spell.mapping(type_text(values, language))
    if isinstance(kind, str) and kind in language.plain:
        return language.plain[kind]
    raise ValueError(f"no {language.name} type for {json.dumps(schema)[:200]}")


def _values(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of all values of an object that is a mapping; None if it is not one."""
    values = schema.get("additionalProperties") or next(iter(schema.get("patternProperties", {}).values()), None)
    return values if schema.get("type") == "object" and isinstance(values, dict) else None


def _kinds(schema: Mapping[str, Any]) -> list[Any]:
    kind = schema.get("type")
    return kind if isinstance(kind, list) else [kind]
