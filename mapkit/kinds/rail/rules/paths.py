"""Settings by dotted path: get, set, flatten, and suggest near paths."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import cast

from pydantic import BaseModel

from mapkit.core.errors import RulesError, did_you_mean

TABLE_KEYS = ("two", "three", "four", "five", "six")
"""The keys of a table by players, from two players on."""


def nest_value(path: str, value: object) -> Mapping[str, object]:
    """Return `value` at the dotted `path`: `a.b` gives `{"a": {"b": value}}`."""
    for key in reversed(path.split(".")):
        value = {key: value}
    return cast("Mapping[str, object]", value)


def merge_nested(base: Mapping[str, object], over: Mapping[str, object]) -> Mapping[str, object]:
    """Return `base` with `over` on top, merging nested mappings; lists and models are replaced."""
    merged_data = dict(base)
    for key, value in over.items():
        base_value = merged_data.get(key)
        merged_data[key] = (
            merge_nested(base_value, value) if isinstance(base_value, Mapping) and isinstance(value, Mapping) else value
        )
    return merged_data


def flatten_nested(data: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Return nested data as dotted path -> value, without empty mappings."""
    value_by_path: dict[str, object] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            value_by_path |= flatten_nested(cast("Mapping[str, object]", value), f"{prefix}{key}.")
        else:
            value_by_path[f"{prefix}{key}"] = value
    return value_by_path


@cache
def setting_paths(model: type[BaseModel], prefix: str = "") -> tuple[str, ...]:
    """Return the dotted paths of all settings of a rules model, including cells of tables by players."""
    dotted_paths: list[str] = []
    for name, field in model.model_fields.items():
        field_type = field.annotation
        if isinstance(field_type, type) and issubclass(field_type, BaseModel):
            dotted_paths += setting_paths(field_type, f"{prefix}{name}.")
        else:
            dotted_paths.append(f"{prefix}{name}")
    return tuple(dotted_paths)


def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Return dotted path -> description of every setting; a table by players is one setting."""
    description_by_path: dict[str, str] = {}
    for name, field in model.model_fields.items():
        field_type = field.annotation
        if (
            isinstance(field_type, type)
            and issubclass(field_type, BaseModel)
            and {*field_type.model_fields} != {*TABLE_KEYS}
        ):
            description_by_path |= {f"{name}.{path}": text for path, text in descriptions(field_type).items()}
        else:
            description_by_path[name] = field.description or ""
    return description_by_path


def get_setting(rules: BaseModel, path: str) -> object:
    """Return the value of a setting.

    Raises:
        RulesError: There is no such setting; the nearest is offered.
    """
    value: object = rules
    for key in path.split("."):
        if not isinstance(value, BaseModel) or key not in type(value).model_fields:
            raise RulesError(unknown_setting(path, setting_paths(type(rules))))
        value = getattr(value, key)
    return value


def unknown_setting(path: str, known: Iterable[str]) -> str:
    """Return a message for an unknown path, with a near path or one with the same last key."""
    paths = tuple(known)
    last_key = path.rpartition(".")[2]
    same_key_paths = [p for p in paths if p.rpartition(".")[2] == last_key]
    hint = f" (did you mean {same_key_paths[0]!r}?)" if same_key_paths else did_you_mean(path, paths)
    return f"no setting {path!r} in the rules{hint or '; mapkit rules show lists them'}"
