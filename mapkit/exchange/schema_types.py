"""Types of a JSON Schema, spelled in a programming language."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Spell(Protocol):
    """Spelling of composite types in a language, from parts that are spelled already."""

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
    """Programming language: its name, words for plain types and for any value, and spelling of composite types."""

    name: str
    anything: str
    plain: Mapping[str, str]
    spell: Spell


def type_text(schema: Mapping[str, Any], language: Language) -> str:
    """Return the type of a schema in a language.

    Raises:
        ValueError: The schema has a form that mapkit's schemas do not use.
    """
    if not schema:
        return language.anything
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        return language.spell.literal(schema.get("enum", [schema.get("const")]))
    schema_options = schema.get("anyOf") or schema.get("oneOf") or [{"type": kind} for kind in _json_types(schema)]
    if len(schema_options) > 1:
        return " | ".join(dict.fromkeys(type_text(option_schema, language) for option_schema in schema_options))
    return _single_type_text(schema, language)


def _single_type_text(schema: Mapping[str, Any], language: Language) -> str:
    json_type, value_schema = schema.get("type"), _value_schema(schema)
    if json_type == "array" and "prefixItems" in schema:
        return language.spell.fixed([type_text(item_schema, language) for item_schema in schema["prefixItems"]])
    if json_type == "array":
        return language.spell.listed(type_text(schema["items"], language))
    if value_schema is not None:
        return language.spell.mapping(type_text(value_schema, language))
    if isinstance(json_type, str) and json_type in language.plain:
        return language.plain[json_type]
    raise ValueError(f"no {language.name} type for {json.dumps(schema)[:200]}")


def _value_schema(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of all values of an object that is a mapping; None if it is not one."""
    value_schema = schema.get("additionalProperties") or next(iter(schema.get("patternProperties", {}).values()), None)
    return value_schema if schema.get("type") == "object" and isinstance(value_schema, dict) else None


def _json_types(schema: Mapping[str, Any]) -> list[Any]:
    json_type = schema.get("type")
    return json_type if isinstance(json_type, list) else [json_type]
