"""Settings by dotted path: reading them from rules, setting them in data, and what a path should have been."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import cast

from pydantic import BaseModel

from mapkit.core.errors import RulesError, did_you_mean

TABLE_KEYS = ("two", "three", "four", "five", "six")
"""The keys of a table by players, from two players on."""


def nested(path: str, value: object) -> Mapping[str, object]:
    """Return `value` at the dotted `path`: `a.b` gives `{"a": {"b": value}}`."""
    for key in reversed(path.split(".")):
        value = {key: value}
    return cast("Mapping[str, object]", value)


def merged(base: Mapping[str, object], over: Mapping[str, object]) -> Mapping[str, object]:
    """Return `base` with `over` on top, mapping by mapping; lists and models replace."""
    out = dict(base)
    for key, value in over.items():
        below = out.get(key)
        out[key] = merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return out


def flattened(data: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Return nested data as dotted path -> value; an empty mapping is nothing."""
    out: dict[str, object] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            out |= flattened(cast("Mapping[str, object]", value), f"{prefix}{key}.")
        else:
            out[f"{prefix}{key}"] = value
    return out


@cache
def setting_paths(model: type[BaseModel], prefix: str = "") -> tuple[str, ...]:
    """Return the dotted path of every setting of a rules model, cells of tables by players included."""
    out: list[str] = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            out += setting_paths(kind, f"{prefix}{name}.")
        else:
            out.append(f"{prefix}{name}")
    return tuple(out)


def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Return dotted path -> description of every setting; a table by players is one setting."""
    out: dict[str, str] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel) and {*kind.model_fields} != {*TABLE_KEYS}:
            out |= {f"{name}.{path}": text for path, text in descriptions(kind).items()}
        else:
            out[name] = field.description or ""
    return out


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
    """Return the hint for a path that no setting has: the nearest whole path, or one with the same last key."""
    paths = tuple(known)
    leaf = path.rpartition(".")[2]
    same = [p for p in paths if p.rpartition(".")[2] == leaf]
    hint = f" (did you mean {same[0]!r}?)" if same else did_you_mean(path, paths)
    return f"no setting {path!r} in the rules{hint or '; mapkit rules show lists them'}"
