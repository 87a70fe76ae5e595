"""Generator of a Python module with frozen dataclasses from a JSON Schema."""

import keyword
import re
import textwrap
from collections.abc import Sequence
from typing import Any, Final

from mapkit.exchange.schema_types import Language, type_text


class _PythonSpelling:
    def literal(self, values: Sequence[Any]) -> str:
        return f"Literal[{', '.join(repr(value) for value in values)}]"

    def mapping(self, of: str) -> str:
        return f"dict[str, {of}]"

    def fixed(self, parts: Sequence[str]) -> str:
        return f"tuple[{', '.join(parts)}]"

    def listed(self, of: str) -> str:
        return f"tuple[{of}, ...]"


_PLAIN_TYPES: Final = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}
_PYTHON: Final = Language("Python", "Any", _PLAIN_TYPES, _PythonSpelling())
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")

_READER_TEMPLATE: Final = '''

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
    """Return the text of a module with a dataclass for the schema and each of its definitions, and `load`.

    Raises:
        ValueError: The schema has a construct that the generator does not support.
    """
    root_name = schema["title"]
    module_lines = [
        f'"""{root_name}, as its JSON Schema has it; made by mapkit {schema.get("x-mapkit-version", "")}."""',
        "",
        "from __future__ import annotations",
        "",
        "import json",
        "from dataclasses import dataclass, field, fields, is_dataclass",
        "from types import UnionType",
        "from typing import Any, Literal, Union, get_args, get_origin, get_type_hints",
    ]
    for type_name, type_schema in [*schema.get("$defs", {}).items(), (root_name, schema)]:
        module_lines += ["", "", *_declare_class(type_name, type_schema)]
    return "\n".join(module_lines) + _READER_TEMPLATE.format(root=root_name)


def _declare_class(name: str, schema: dict[str, Any]) -> list[str]:
    if schema.get("type") != "object" or "properties" not in schema:
        return [f"{name} = {type_text(schema, _PYTHON)}"]
    class_lines = ["@dataclass(frozen=True)", f"class {name}:"]
    class_lines += _docstring_lines(schema.get("description") or f"{name}.")
    required_names = set(schema.get("required", ()))
    sorted_properties = sorted(schema["properties"].items(), key=lambda item: item[0] not in required_names)
    for property_name, property_schema in sorted_properties:
        field_name = (
            property_name
            if _IDENTIFIER.fullmatch(property_name) and not keyword.iskeyword(property_name)
            else re.sub(r"\W", "_", property_name) + "_"
        )
        field_type = type_text(property_schema, _PYTHON)
        field_options = [] if field_name == property_name else [f'metadata={{"key": {property_name!r}}}']
        if property_name not in required_names:
            default = property_schema.get("default", {"dict": {}, "tuple": []}.get(field_type.partition("[")[0]))
            is_plain = default is None or isinstance(default, str | int | float)
            field_options.insert(0, f"default={default!r}" if is_plain else _default_factory(default))
            field_type = field_type if default is not None or field_type.endswith("None") else f"{field_type} | None"
        class_lines.append(
            f"    {field_name}: {field_type}" + (f" = field({', '.join(field_options)})" if field_options else "")
        )
    return class_lines


def _default_factory(default: Any) -> str:  # noqa: ANN401 - JSON
    if default in ([], {}):
        return "default_factory=" + ("tuple" if default == [] else "dict")
    frozen_default = tuple(default) if isinstance(default, list) else default
    return f"default_factory=lambda: {frozen_default!r}"


def _docstring_lines(text: str) -> list[str]:
    escaped_text = text.replace("\\", "\\\\").replace('"""', "'''")
    indented_lines = textwrap.indent(escaped_text, "    ").splitlines()
    if len(indented_lines) == 1:
        return [f'    """{escaped_text}"""', ""]
    return [f'    """{indented_lines[0].strip()}', *(line.rstrip() for line in indented_lines[1:]), '    """', ""]
