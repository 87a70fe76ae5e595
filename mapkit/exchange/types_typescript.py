"""TypeScript declarations from a JSON Schema."""

import json
import re
from typing import Any, Final

from mapkit.exchange.schemas import values_of

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


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        return _literal(schema.get("enum", [schema.get("const")]))
    options = schema.get("anyOf") or schema.get("oneOf") or [{"type": kind} for kind in _kinds(schema)]
    if len(options) > 1:
        return " | ".join(dict.fromkeys(_type(one) for one in options))
    kind, values = schema.get("type"), values_of(schema)
    if kind == "array":
        return _array(schema)
    if values is not None:
        return f"{{ readonly [key: string]: {_type(values)} }}"
    if kind in _PLAIN:
        return _PLAIN[kind]
    raise ValueError(f"no TypeScript for {json.dumps(schema)[:200]}")


def _kinds(schema: dict[str, Any]) -> list[Any]:
    kind = schema.get("type")
    return kind if isinstance(kind, list) else [kind]


def _literal(values: list[Any]) -> str:
    return " | ".join(json.dumps(value) for value in values)


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"readonly [{', '.join(_type(one) for one in schema['prefixItems'])}]"
    inner = _type(schema["items"])
    return f"readonly ({inner})[]" if "|" in inner or inner.startswith("readonly") else f"readonly {inner}[]"
