"""Reproducible JSON text: keys in model order, one element of a list a line."""

import json
from collections.abc import Collection, Mapping

from pydantic import BaseModel


def to_plain(value: object) -> object:
    """Return models, tuples and mappings as plain data; whole floats become integers."""
    value_type = type(value)
    if value_type is str or value_type is int or value_type is bool or value is None:  # most of them
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [(int(item) if item.is_integer() else item) if type(item) is float else to_plain(item) for item in value]
    return to_plain(value.model_dump(mode="json")) if isinstance(value, BaseModel) else value


def json_text(value: object) -> str:
    """Return JSON that diffs well: objects of a top-level list or mapping are on a line each."""
    plain_value = to_plain(value)
    return (
        join_fields(_field_texts(plain_value)) if isinstance(plain_value, dict) else _block_text(plain_value, 0) + "\n"
    )


def json_fields(value: BaseModel, names: Collection[str]) -> dict[str, str]:
    """Return the JSON text of each of some fields of a model."""
    return _field_texts(
        {name: to_plain(item) for name, item in value.model_dump(mode="json", include={*names}).items()}
    )


def join_fields(fields: Mapping[str, str]) -> str:
    """Return the JSON text of a model from the texts of its fields, in their order."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {text}" for key, text in fields.items()) + "\n}\n"


def _field_texts(plain: Mapping[str, object]) -> dict[str, str]:
    return {key: _block_text(item, 1) for key, item in plain.items()}


def _block_text(value: object, depth: int) -> str:
    if isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
        return "[\n" + ",\n".join(_inline_text(item) for item in value) + "\n]"
    if isinstance(value, dict) and any(isinstance(item, dict) for item in value.values()):
        is_nested = depth < 2  # noqa: PLR2004 - two levels of objects stand on lines of their own
        lines = [
            f"{_inline_text(key)}: {_block_text(item, depth + 1) if is_nested else _inline_text(item)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(lines) + "\n}"
    return _inline_text(value)


def _inline_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
