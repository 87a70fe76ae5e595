"""Ids in the fields of commands, found by type annotations and renamed."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from mapkit.document.command import Command, Makes, Names

Rename = Callable[[str, object], object]
"""Takes what a value names, and the value (an id, or several), to its other name."""


@cache
def _field_hints(model: type[BaseModel]) -> Mapping[str, Any]:
    hints = get_type_hints(model, include_extras=True)
    return {name: hint for name, hint in hints.items() if name in model.model_fields}


def rename_ids(command: Command, rename: Rename) -> Command:
    """Return a command with renamed ids; the same command if none changes."""
    new_fields = _rename_fields(command, rename)
    old_fields = {name: getattr(command, name) for name in command.model_fields_set}
    return type(command).model_validate({**old_fields, **new_fields}) if new_fields else command


def _rename_fields(model: BaseModel, rename: Rename) -> dict[str, object]:
    """Return the fields with changed ids."""
    values = {name: getattr(model, name) for name in model.model_fields_set}
    hints = _field_hints(type(model))
    new_values = {
        name: _rename_value(hints[name], value, rename, values) for name, value in values.items() if name in hints
    }
    return {name: value for name, value in new_values.items() if value != values[name]}


def list_named_ids(command: Command) -> Iterator[str]:
    """Yield all ids that a command refers to."""
    named_ids: list[str] = []

    def record_ids(_what: str, value: object) -> object:
        named_ids.extend([value] if isinstance(value, str) else map(str, value) if isinstance(value, tuple) else [])
        return value

    rename_ids(command, record_ids)
    yield from named_ids


def created_ids(command: Command) -> Iterator[str]:
    """Yield the ids that a command creates."""
    for name, hint in _field_hints(type(command)).items():
        value = getattr(command, name)
        if value is not None and any(isinstance(note, Makes) for note in _annotations(hint)):
            yield str(value)


def _annotations(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a type
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _rename_value(hint: Any, value: object, rename: Rename, beside: Mapping[str, object]) -> object:  # noqa: ANN401
    """Return a value with its ids renamed, as far as its type marks them as ids."""
    if get_origin(hint) is Annotated:
        names_note = next((note for note in _annotations(hint) if isinstance(note, Names)), None)
        if names_note is not None:
            return rename(
                names_note.what if not names_note.by else f"{names_note.what} of {beside.get(names_note.by)}", value
            )
        hint = get_args(hint)[0]
    if isinstance(value, BaseModel):
        return value.model_copy(update=_rename_fields(value, rename))
    kind, type_arguments = get_origin(hint), get_args(hint)
    if (
        kind in (Union, UnionType)
        and len(union_member := [nested_value for nested_value in type_arguments if nested_value is not NoneType]) == 1
    ):
        return _rename_value(union_member[0], value, rename, beside)
    if kind is tuple and isinstance(value, tuple):
        item_types = type_arguments[:1] * len(value) if type_arguments[1:] == (Ellipsis,) else type_arguments
        return tuple(_rename_value(*item, rename, beside) for item in zip(item_types, value, strict=True))
    if kind is dict and isinstance(value, Mapping):
        return {
            _rename_value(type_arguments[0], key, rename, beside): nested_value for key, nested_value in value.items()
        }
    return value
