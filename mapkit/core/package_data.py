"""Tables that mapkit ships: TOML files beside the code, each with a model."""

import tomllib
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import TableError, did_you_mean
from mapkit.core.invalid import value_cure

Table = TypeVar("Table", bound=BaseModel)


def read_table(package: str, name: str, model: type[Table]) -> Table:
    """Return the table `name` of a package, stored as `NAME.toml`; callers cache it themselves.

    Raises:
        TableError: As for `parse_table`.
    """
    return parse_table(name, files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"), model)


def is_table(package: str, name: str) -> bool:
    """Return whether a package has the table `name`."""
    return files(package).joinpath(f"{name}.toml").is_file()


def parse_table(name: str, text: str, model: type[Table]) -> Table:
    """Return the table `name` from the text of its file.

    Raises:
        TableError: It is not valid TOML, or a key is unknown or a value wrong; with file and key.
    """
    file = f"{name}.toml"
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{file}: not valid TOML: {error}") from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise TableError([_describe_error(file, data, item, model) for item in error.errors()]) from error


def _describe_error(file: str, data: object, item: ErrorDetails, model: type[BaseModel]) -> str:
    """Return one mistake in words: the file, the key, and the problem."""
    error_place = _locate_error(data, item["loc"])
    if item["type"] == "extra_forbidden":
        return f"{file}: {error_place}: unknown key{did_you_mean(str(item['loc'][-1]), _field_names(model))}"
    if item["type"] == "value_error":
        error_text = str(item.get("ctx", {}).get("error", item["msg"]))
        return f"{file}: {error_place}: {error_text}" if error_place else f"{file}: {error_text}"
    return f"{file}: {error_place}: {value_cure(item)}"


def _locate_error(data: object, loc: tuple[int | str, ...]) -> str:
    """Return the location of an error in a file: `options 3 (rich-start).titel`."""
    location = ""
    for key in loc:
        if isinstance(key, int) and isinstance(data, list):
            data = data[key]
            location += f" {key + 1}{_describe_item(data)}"
        else:
            data = data.get(key) if isinstance(data, dict) else None
            location += f".{key}" if location else str(key)
    return location


def _describe_item(item: object) -> str:
    """Return the identifying value of an item of a list."""
    item_names = (
        [item[key] for key in ("id", "code", "name", "path", "setting") if key in item]
        if isinstance(item, dict)
        else []
    )
    return f" ({item_names[0]})" if item_names else ""


def _field_names(model: type[BaseModel]) -> set[str]:
    """Return the allowed keys of a file, at any depth."""
    field_names = set(model.model_fields)
    for field in model.model_fields.values():
        for kind in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                field_names |= _field_names(kind)
    return field_names
