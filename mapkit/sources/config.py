"""Reading `board.toml`."""

import tomllib
from collections.abc import Collection, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.errors import SourceError, did_you_mean
from mapkit.model.source import BoardConfig

FILE = "board.toml"


def parse_config(text: str) -> BoardConfig:
    """Parse the text of `board.toml`.

    Raises:
        SourceError: It is no TOML, a key is unknown (the nearest is offered), missing, or its value wrong.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SourceError(f"{FILE}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise SourceError(f"{FILE}: nested too deep; make it flat") from error
    try:
        config = BoardConfig.model_validate(data)
    except ValidationError as error:
        raise SourceError([_problem(text, item) for item in error.errors()]) from error
    ids = [region.id for region in config.regions]
    for region in ids:
        if ids.count(region) > 1:
            raise SourceError(f"{FILE}: two regions have the id {region!r}; rename one")
    problems = [
        f"{FILE}:{_row(text, ['spacing', 'regions', region])}: spacing.regions names {region!r}, which is no region"
        f"{did_you_mean(region, ids) or '; the regions are ' + ', '.join(ids)}"
        for region in config.spacing.regions
        if region not in ids
    ]
    if problems:
        raise SourceError(problems)
    return config


def check_railroads(config: BoardConfig, text: str, known: Collection[str]) -> None:
    """Refuse gaps of railroads that the board does not have.

    Args:
        config: As parsed.
        text: The text that it was parsed from.
        known: The ids of the board's railroads.

    Raises:
        SourceError: A railroad is unknown; the nearest is offered.
    """
    problems = [
        f"{FILE}:{_row(text, ['spacing', 'railroads', railroad])}: spacing.railroads names {railroad!r}, which is not "
        f"in railroads.csv{did_you_mean(railroad, known) or '; add it there'}"
        for railroad in config.spacing.railroads
        if railroad not in known
    ]
    if problems:
        raise SourceError(problems)


def _problem(text: str, item: ErrorDetails) -> str:
    keys = [str(part) for part in item["loc"]]
    dotted = ".".join(keys)
    where = f"{FILE}:{_row(text, keys)}"
    if item["type"] == "extra_forbidden":
        known = _known_keys(BoardConfig, item["loc"][:-1])
        hint = did_you_mean(keys[-1], known) or f"; known keys are {', '.join(known)}"
        return f"{where}: unknown key {dotted!r}{hint}"
    if item["type"] == "missing":
        return f"{where}: key {dotted!r} is missing; add it"
    return f"{where}: {dotted} is {item['input']!r}: {item['msg'][:1].lower()}{item['msg'][1:]}"


def _known_keys(model: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    current: Any = model
    for part in loc:
        if isinstance(part, int):
            continue
        annotation = current.model_fields[part].annotation
        current = next(
            (arg for arg in (annotation, *get_args(annotation)) if _is_model(arg)),
            None,
        )
        if current is None:
            return []
    fields: Mapping[str, Any] = current.model_fields
    return sorted(fields)


def _is_model(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _row(text: str, keys: list[str]) -> int:
    """Return the line on which the last key of a path is written, or 1 where it cannot be told."""
    leaf = keys[-1] if keys else ""
    table = [key for key in keys[:-1] if not key.isdigit()]
    index = next((int(key) for key in keys if key.isdigit()), 0)
    current, seen = "", -1
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            head = stripped.split("#")[0].strip()
            current = head.strip("[] ")
            if head.startswith("[[") and table and current == table[0]:
                seen += 1
            if current == leaf or current.endswith(f".{leaf}"):
                return number
        elif stripped.split("=")[0].strip().strip('"') == leaf and current == ".".join(table) and seen in (-1, index):
            return number
    return 1
