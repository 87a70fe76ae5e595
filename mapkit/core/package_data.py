"""Tables that are shipped with mapkit: TOML files beside the code, each with a model of what it holds."""

import tomllib
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import TableError, did_you_mean
from mapkit.core.invalid import fault

Table = TypeVar("Table", bound=BaseModel)


def read_table(package: str, name: str, model: type[Table]) -> Table:
    """Return the table `name` of a package, which is its file `NAME.toml`; callers keep what they read.

    Raises:
        TableError: As for `parse_table`.
    """
    return parse_table(name, files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"), model)


def is_table(package: str, name: str) -> bool:
    """Whether a package has the table `name`."""
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
    """Return one mistake in words: the file, the key, and what is wrong with it."""
    where = _locate_error(data, item["loc"])
    if item["type"] == "extra_forbidden":
        return f"{file}: {where}: unknown key{did_you_mean(str(item['loc'][-1]), _field_names(model))}"
    if item["type"] == "value_error":
        said = str(item.get("ctx", {}).get("error", item["msg"]))
        return f"{file}: {where}: {said}" if where else f"{file}: {said}"
    return f"{file}: {where}: {fault(item)}"


def _locate_error(data: object, loc: tuple[int | str, ...]) -> str:
    """Return where in a file something is: `options 3 (rich-start).titel`."""
    out = ""
    for key in loc:
        if isinstance(key, int) and isinstance(data, list):
            data = data[key]
            out += f" {key + 1}{_describe_item(data)}"
        else:
            data = data.get(key) if isinstance(data, dict) else None
            out += f".{key}" if out else str(key)
    return out


def _describe_item(item: object) -> str:
    """Return by what a reader knows an item of a list."""
    names = (
        [item[key] for key in ("id", "code", "name", "path", "setting") if key in item]
        if isinstance(item, dict)
        else []
    )
    return f" ({names[0]})" if names else ""


def _field_names(model: type[BaseModel]) -> set[str]:
    """Return the keys that a file may have, at any depth."""
    out = set(model.model_fields)
    for field in model.model_fields.values():
        for kind in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                out |= _field_names(kind)
    return out
