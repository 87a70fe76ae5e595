"""JSON text with the same bytes everywhere: keys in model order, one element of a list a line."""

import json
from collections.abc import Collection, Mapping

from pydantic import BaseModel


def to_plain(value: object) -> object:
    """Return models, tuples and mappings as plain data; whole floats become integers."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:  # most of them
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [(int(item) if item.is_integer() else item) if type(item) is float else to_plain(item) for item in value]
    return to_plain(value.model_dump(mode="json")) if isinstance(value, BaseModel) else value


def json_text(value: object) -> str:
    """Return JSON that people can diff: objects of a top-level list or mapping stand on a line each."""
    plain = to_plain(value)
    return joined_fields(_fields(plain)) if isinstance(plain, dict) else _block(plain, 0) + "\n"


def json_fields(value: BaseModel, names: Collection[str]) -> dict[str, str]:
    """Return the text that each of some fields of a model has in its JSON text."""
    return _fields({name: to_plain(item) for name, item in value.model_dump(mode="json", include={*names}).items()})


def joined_fields(fields: Mapping[str, str]) -> str:
    """Return the JSON text of a model from those of its fields, in their order."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {text}" for key, text in fields.items()) + "\n}\n"


def _fields(plain: Mapping[str, object]) -> dict[str, str]:
    return {key: _block(item, 1) for key, item in plain.items()}


def _block(value: object, depth: int) -> str:
    if isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
        return "[\n" + ",\n".join(_inline(item) for item in value) + "\n]"
    if isinstance(value, dict) and any(isinstance(item, dict) for item in value.values()):
        nested = depth < 2  # noqa: PLR2004 - two levels of objects stand on lines of their own
        lines = [
            f"{json.dumps(key, ensure_ascii=False)}: {_block(item, depth + 1) if nested else _inline(item)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(lines) + "\n}"
    return _inline(value)


def _inline(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
