"""What commands name: the fields that hold ids, as their annotations say, found and written in other words."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from mapkit.document.command import Command, Makes, Names

Rename = Callable[[str, object], object]
"""Takes what a value names, and the value (an id, or several), to its other name."""


@cache
def _hints(model: type[BaseModel]) -> Mapping[str, Any]:
    hints = get_type_hints(model, include_extras=True)
    return {name: hint for name, hint in hints.items() if name in model.model_fields}


def renamed(command: Command, rename: Rename) -> Command:
    """Return a command with all that it names in other words; the same command if nothing is called otherwise."""
    new = _renamed_fields(command, rename)
    values = {name: getattr(command, name) for name in command.model_fields_set}
    return type(command).model_validate({**values, **new}) if new else command


def _renamed_fields(model: BaseModel, rename: Rename) -> dict[str, object]:
    """Return the fields that name something else then."""
    values = {name: getattr(model, name) for name in model.model_fields_set}
    hints = _hints(type(model))
    data = {name: _renamed(hints[name], value, rename, values) for name, value in values.items() if name in hints}
    return {name: value for name, value in data.items() if value != values[name]}


def named(command: Command) -> Iterator[str]:
    """Yield all ids that a command names."""
    found: list[str] = []

    def note(_what: str, value: object) -> object:
        found.extend([value] if isinstance(value, str) else map(str, value) if isinstance(value, tuple) else [])
        return value

    renamed(command, note)
    yield from found


def made(command: Command) -> Iterator[str]:
    """Yield the ids of what a command makes."""
    for name, hint in _hints(type(command)).items():
        value = getattr(command, name)
        if value is not None and any(isinstance(note, Makes) for note in _notes(hint)):
            yield str(value)


def _notes(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a type
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _renamed(hint: Any, value: object, rename: Rename, beside: Mapping[str, object]) -> object:  # noqa: ANN401
    """Return a value with the ids in it in other words, as far as its type says that they are ids."""
    if get_origin(hint) is Annotated:
        says = next((note for note in _notes(hint) if isinstance(note, Names)), None)
        if says is not None:
            return rename(says.what if not says.by else f"{says.what} of {beside.get(says.by)}", value)
        hint = get_args(hint)[0]
    if isinstance(value, BaseModel):
        return value.model_copy(update=_renamed_fields(value, rename))
    kind, inside = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType) and len(own := [one for one in inside if one is not NoneType]) == 1:
        return _renamed(own[0], value, rename, beside)
    if kind is tuple and isinstance(value, tuple) and inside[1:] == (Ellipsis,):
        return tuple(_renamed(inside[0], one, rename, beside) for one in value)
    if kind is dict and isinstance(value, Mapping):
        return {_renamed(inside[0], key, rename, beside): one for key, one in value.items()}
    return value
