"""Reading `board.toml`."""

import tomllib
from collections.abc import Collection, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.errors import SourceError, did_you_mean
from mapkit.model.source import BoardConfig
from mapkit.sources.rules_file import rules_problems
from mapkit.sources.toml_rows import row_of

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
        raise SourceError([problem for item in error.errors() for problem in _problems(text, item)]) from error
    ids = [region.id for region in config.regions]
    for region in ids:
        if ids.count(region) > 1:
            raise SourceError(f"{FILE}: two regions have the id {region!r}; rename one")
    problems = [
        f"{FILE}:{row_of(text, ['spacing', 'regions', region])}: spacing.regions names {region!r}, "
        "which is no region"
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
        f"{FILE}:{row_of(text, ['spacing', 'railroads', railroad])}: spacing.railroads names {railroad!r}, "
        f"which is not in railroads.csv{did_you_mean(railroad, known) or '; add it there'}"
        for railroad in config.spacing.railroads
        if railroad not in known
    ]
    if problems:
        raise SourceError(problems)


def _problems(text: str, item: ErrorDetails) -> list[str]:
    if item["loc"][:1] == ("rules",):
        return rules_problems(item, text=text, file=FILE, before=["rules"])
    return [_problem(text, item)]


def _problem(text: str, item: ErrorDetails) -> str:
    keys = [str(part) for part in item["loc"]]
    dotted = ".".join(keys)
    where = f"{FILE}:{row_of(text, keys)}"
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
