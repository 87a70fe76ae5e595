"""The types of rows and commands in TypeScript, for the page."""

import re
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from mapkit.editor.changes import Conflict
from mapkit.editor.commands import COMMANDS
from mapkit.editor.document import TABLES
from mapkit.exchange.types_typescript import typescript

_ANY: Final = re.compile(r"readonly commands: .*;")


def command_types() -> str:
    """Return TypeScript declarations: an interface a command, a row and a conflict; `Command` is any command.

    The fields of a command that have defaults may be left out, as `mapkit do` allows.
    """
    kinds = sorted(COMMANDS)
    commands = [COMMANDS[kind] for kind in kinds]
    rows = [TABLES[name] for name in TABLES]
    models: list[type[BaseModel]] = [*commands, *rows, Conflict]
    _, schema = models_json_schema([(model, "validation") for model in models])
    definitions: dict[str, Any] = {name: _plain(one) for name, one in sorted(schema["$defs"].items()) if one}
    for model in commands:
        definitions[model.__name__]["required"] = ["kind", *definitions[model.__name__].get("required", ())]
    for row in rows:
        definitions[row.__name__]["required"] = list(definitions[row.__name__]["properties"])
    document = {
        "title": "Tables",
        "type": "object",
        "description": "The document: table -> key -> row.",
        "required": list(TABLES),
        "properties": {
            name: {"type": "object", "additionalProperties": {"$ref": f"#/$defs/{row.__name__}"}}
            for name, row in TABLES.items()
        },
        "$defs": definitions,
    }
    text = typescript(document).partition("\n")[2].lstrip()
    text = _ANY.sub("readonly commands: readonly Command[];", text)
    names = " |\n  ".join(model.__name__ for model in commands)
    shown = "\n".join(f'  "{kind}": {COMMANDS[kind].__name__};' for kind in kinds)
    return (
        "// Made by tools/make_docs.py from mapkit.editor; change the Python models instead.\n\n"
        "export type JsonValue = null | boolean | number | string | readonly JsonValue[] | "
        "{ readonly [key: string]: JsonValue };\n\n"
        f"{text}\n/** Any command. */\nexport type Command =\n  {names};\n\n"
        f"/** Commands by kind. */\nexport interface CommandByKind {{\n{shown}\n}}\n"
    )


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose values of any kind are `JsonValue`."""
    out = dict(schema)
    if "properties" in out:
        out["properties"] = {key: _value(one) for key, one in out["properties"].items()}
    return out


def _value(schema: Any) -> Any:  # noqa: ANN401 - a part of a JSON Schema
    if not isinstance(schema, dict):
        return schema
    said = {key for key in schema if key not in ("title", "description", "default")}
    if not said:
        return {"$ref": "#/$defs/JsonValue"} | {k: v for k, v in schema.items() if k == "description"}
    out = {key: _value(value) if key in ("items", "additionalProperties") else value for key, value in schema.items()}
    for key in ("anyOf", "prefixItems"):
        if key in out:
            out[key] = [_value(one) for one in out[key]]
    if schema.get("additionalProperties") is True:
        out["additionalProperties"] = {"$ref": "#/$defs/JsonValue"}
    return out
