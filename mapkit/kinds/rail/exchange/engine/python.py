"""A Python module of frozen dataclasses from a JSON Schema; it needs the standard library only."""

import keyword
import re
import textwrap
from collections.abc import Sequence
from typing import Any, Final

from mapkit.kinds.rail.exchange.engine.schema_types import Language, type_text


class _Spell:
    def literal(self, values: Sequence[Any]) -> str:
        return f"Literal[{', '.join(repr(value) for value in values)}]"

    def mapping(self, of: str) -> str:
        return f"dict[str, {of}]"

    def fixed(self, parts: Sequence[str]) -> str:
        return f"tuple[{', '.join(parts)}]"

    def listed(self, of: str) -> str:
        return f"tuple[{of}, ...]"


_PLAIN: Final = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}
_PYTHON: Final = Language("Python", "Any", _PLAIN, _Spell())
_WORD: Final = re.compile(r"[A-Za-z_]\w*")

_READER: Final = '''

def load(path: str) -> "{root}":
    """Return what a JSON file holds."""
    with open(path, encoding="utf-8") as stream:
        return from_plain({root}, json.load(stream))


def from_plain(kind: Any, value: Any) -> Any:
    """Return plain JSON data as a type of this module; raises TypeError where it does not fit."""
    if kind is Any:
        return value
    if get_origin(kind) in (Union, UnionType):
        for option in get_args(kind):
            try:
                return from_plain(option, value)
            except TypeError:
                continue
        raise TypeError(f"{{value!r:.80}} is not one of {{kind}}")
    if get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
    elif get_origin(kind) is tuple and isinstance(value, list):
        inner = get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(from_plain(inner[0], item) for item in value)
        if len(inner) == len(value):
            return tuple(from_plain(one, item) for one, item in zip(inner, value))
    elif get_origin(kind) is dict and isinstance(value, dict):
        return {{key: from_plain(get_args(kind)[1], item) for key, item in value.items()}}
    elif is_dataclass(kind) and isinstance(value, dict):
        hints = get_type_hints(kind)
        names = {{one.name: one.metadata.get("key", one.name) for one in fields(kind)}}
        unknown = set(value) - set(names.values())
        if not unknown:
            return kind(**{{name: from_plain(hints[name], value[key]) for name, key in names.items() if key in value}})
    elif kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    elif kind is type(None) or kind is None:
        if value is None:
            return None
    elif isinstance(kind, type) and type(value) is kind:
        return value
    raise TypeError(f"{{value!r:.80}} is no {{kind}}")
'''


def python_module(schema: dict[str, Any]) -> str:
    """Return the text of a module: a dataclass for the schema and each of its definitions, and `load`.

    Raises:
        ValueError: The schema says something that no rule here covers.
    """
    root = schema["title"]
    parts = [
        f'"""{root}, as its JSON Schema has it; made by mapkit {schema.get("x-mapkit-version", "")}."""',
        "",
        "from __future__ import annotations",
        "",
        "import json",
        "from dataclasses import dataclass, field, fields, is_dataclass",
        "from types import UnionType",
        "from typing import Any, Literal, Union, get_args, get_origin, get_type_hints",
    ]
    for name, one in [*schema.get("$defs", {}).items(), (root, schema)]:
        parts += ["", "", *_class(name, one)]
    return "\n".join(parts) + _READER.format(root=root)


def _class(name: str, schema: dict[str, Any]) -> list[str]:
    if schema.get("type") != "object" or "properties" not in schema:
        return [f"{name} = {type_text(schema, _PYTHON)}"]
    lines = ["@dataclass(frozen=True)", f"class {name}:"]
    lines += _docstring(schema.get("description") or f"{name}.")
    required = set(schema.get("required", ()))
    listed = sorted(schema["properties"].items(), key=lambda item: item[0] not in required)
    for key, value in listed:
        safe = key if _WORD.fullmatch(key) and not keyword.iskeyword(key) else re.sub(r"\W", "_", key) + "_"
        kind = type_text(value, _PYTHON)
        options = [] if safe == key else [f'metadata={{"key": {key!r}}}']
        if key not in required:
            default = value.get("default", {"dict": {}, "tuple": []}.get(kind.partition("[")[0]))
            plain = default is None or isinstance(default, str | int | float)
            options.insert(0, f"default={default!r}" if plain else _factory(default))
            kind = kind if default is not None or kind.endswith("None") else f"{kind} | None"
        lines.append(f"    {safe}: {kind}" + (f" = field({', '.join(options)})" if options else ""))
    return lines


def _factory(default: Any) -> str:  # noqa: ANN401 - JSON
    if default in ([], {}):
        return "default_factory=" + ("tuple" if default == [] else "dict")
    frozen = tuple(default) if isinstance(default, list) else default
    return f"default_factory=lambda: {frozen!r}"


def _docstring(text: str) -> list[str]:
    safe = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = textwrap.indent(safe, "    ").splitlines()
    if len(lines) == 1:
        return [f'    """{safe}"""', ""]
    return [f'    """{lines[0].strip()}', *(line.rstrip() for line in lines[1:]), '    """', ""]
