"""TypeScript declarations from a JSON Schema."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from mapkit.kinds.rail.exchange.engine.schema_types import Language, type_text


class _Spell:
    def literal(self, values: Sequence[Any]) -> str:
        return " | ".join(json.dumps(value) for value in values)

    def mapping(self, of: str) -> str:
        return f"{{ readonly [key: string]: {of} }}"

    def fixed(self, parts: Sequence[str]) -> str:
        return f"readonly [{', '.join(parts)}]"

    def listed(self, of: str) -> str:
        return f"readonly ({of})[]" if "|" in of or of.startswith("readonly") else f"readonly {of}[]"


_PLAIN: Final = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_TYPESCRIPT: Final = Language("TypeScript", "unknown", _PLAIN, _Spell())
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")


def typescript(schema: dict[str, Any]) -> str:
    """Return an `export interface` for the schema and each of its definitions, in the order of the schema.

    Raises:
        ValueError: The schema says something that no rule here covers.
    """
    out = [f"// {schema['title']}, as its JSON Schema has it; made by mapkit {schema.get('x-mapkit-version', '')}."]
    for name, one in [*schema.get("$defs", {}).items(), (schema["title"], schema)]:
        out += ["", *declared(name, one)]
    return "\n".join(out) + "\n"


def declared(name: str, schema: dict[str, Any]) -> list[str]:
    """Return the lines that declare one type."""
    lines = _comment(schema.get("description"), "")
    if schema.get("type") != "object" or "properties" not in schema:
        return [*lines, f"export type {name} = {type_text(schema, _TYPESCRIPT)};"]
    lines.append(f"export interface {name} {{")
    required = set(schema.get("required", ()))
    for key, value in schema["properties"].items():
        lines += _comment(value.get("description"), "  ")
        mark = "" if key in required else "?"
        shown = key if _WORD.fullmatch(key) else json.dumps(key)
        lines.append(f"  readonly {shown}{mark}: {type_text(value, _TYPESCRIPT)};")
    return [*lines, "}"]


def _comment(text: str | None, indent: str) -> list[str]:
    if not text:
        return []
    lines = text.replace("*/", "* /").splitlines()
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]
