"""TypeScript declarations from a JSON Schema."""

import json
import re
from typing import Any, Final

_PLAIN: Final = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")


def typescript(schema: dict[str, Any]) -> str:
    """Return an `export interface` for the schema and each of its definitions, in the order of the schema.

    Raises:
        ValueError: The schema says something that no rule here covers.
    """
    out = [f"// {schema['title']}, as its JSON Schema has it; made by mapkit {schema.get('x-mapkit-version', '')}."]
    for name, one in [*schema.get("$defs", {}).items(), (schema["title"], schema)]:
        out += ["", *_declared(name, one)]
    return "\n".join(out) + "\n"


def _declared(name: str, schema: dict[str, Any]) -> list[str]:
    lines = _comment(schema.get("description"), "")
    if schema.get("type") != "object" or "properties" not in schema:
        return [*lines, f"export type {name} = {_type(schema)};"]
    lines.append(f"export interface {name} {{")
    required = set(schema.get("required", ()))
    for key, value in schema["properties"].items():
        lines += _comment(value.get("description"), "  ")
        mark = "" if key in required else "?"
        shown = key if _WORD.fullmatch(key) else json.dumps(key)
        lines.append(f"  readonly {shown}{mark}: {_type(value)};")
    return [*lines, "}"]


def _comment(text: str | None, indent: str) -> list[str]:
    if not text:
        return []
    lines = text.replace("*/", "* /").splitlines()
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _type(schema: dict[str, Any]) -> str:  # noqa: PLR0911 - a rule each
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(_type(one) for one in schema[key]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_PLAIN[one] for one in kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"readonly [{', '.join(_type(one) for one in schema['prefixItems'])}]"
        inner = _type(schema["items"])
        return f"readonly ({inner})[]" if "|" in inner else f"readonly {inner}[]"
    if kind == "object":
        inner = schema.get("additionalProperties")
        if isinstance(inner, dict):
            return f"{{ readonly [key: string]: {_type(inner)} }}"
    if kind in _PLAIN:
        return _PLAIN[kind]
    raise ValueError(f"no TypeScript for {json.dumps(schema)[:200]}")
