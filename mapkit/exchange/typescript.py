"""Generator of TypeScript declarations from a JSON Schema."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel

from mapkit.core.jsontext import json_text
from mapkit.exchange.json_schemas import model_schema
from mapkit.exchange.schema_types import Language, type_text


class _TypeScriptSpelling:
    def literal(self, values: Sequence[Any]) -> str:
        return " | ".join(json.dumps(value) for value in values)

    def mapping(self, of: str) -> str:
        return f"{{ readonly [key: string]: {of} }}"

    def fixed(self, parts: Sequence[str]) -> str:
        return f"readonly [{', '.join(parts)}]"

    def listed(self, of: str) -> str:
        return f"readonly ({of})[]" if "|" in of or of.startswith("readonly") else f"readonly {of}[]"


_PLAIN_TYPES: Final = {
    "string": "string",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "null": "null",
}
_TYPESCRIPT: Final = Language("TypeScript", "unknown", _PLAIN_TYPES, _TypeScriptSpelling())
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]*")


def type_files(model: type[BaseModel], name: str, stem: str) -> dict[str, str]:
    """Return the JSON Schema and the TypeScript declarations of the files of a model.

    Args:
        model: The model.
        name: That of the schema.
        stem: What the names of the files begin with.
    """
    schema = model_schema(model, name)
    return {f"{stem}.schema.json": json_text(schema), f"{stem}.d.ts": typescript_declarations(schema)}


def typescript_declarations(schema: dict[str, Any]) -> str:
    """Return an `export interface` for the schema and each of its definitions, in schema order.

    Raises:
        ValueError: The schema has a construct that the generator does not support.
    """
    declaration_lines = [
        f"// {schema['title']}, as its JSON Schema has it; made by mapkit {schema.get('x-mapkit-version', '')}."
    ]
    for type_name, type_schema in [*schema.get("$defs", {}).items(), (schema["title"], schema)]:
        declaration_lines += ["", *declare_type(type_name, type_schema)]
    return "\n".join(declaration_lines) + "\n"


def declare_type(name: str, schema: dict[str, Any]) -> list[str]:
    """Return the lines that declare one type."""
    declaration_lines = _doc_comment(schema.get("description"), "")
    if schema.get("type") != "object" or "properties" not in schema:
        return [*declaration_lines, f"export type {name} = {type_text(schema, _TYPESCRIPT)};"]
    declaration_lines.append(f"export interface {name} {{")
    required_names = set(schema.get("required", ()))
    for property_name, property_schema in schema["properties"].items():
        declaration_lines += _doc_comment(property_schema.get("description"), "  ")
        optional_mark = "" if property_name in required_names else "?"
        property_text = property_name if _IDENTIFIER.fullmatch(property_name) else json.dumps(property_name)
        declaration_lines.append(
            f"  readonly {property_text}{optional_mark}: {type_text(property_schema, _TYPESCRIPT)};"
        )
    return [*declaration_lines, "}"]


def _doc_comment(text: str | None, indent: str) -> list[str]:
    if not text:
        return []
    comment_lines = text.replace("*/", "* /").splitlines()
    if len(comment_lines) == 1:
        return [f"{indent}/** {comment_lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in comment_lines), f"{indent} */"]
