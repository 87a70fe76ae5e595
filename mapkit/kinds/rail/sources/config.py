"""Reading `board.toml`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.invalid import invalid
from mapkit.formats.toml_reading import parse_toml
from mapkit.formats.toml_rows import row_of
from mapkit.geography.gazetteer import country_problem
from mapkit.kinds.rail.model.source import BoardConfig, RegionConfig
from mapkit.kinds.rail.sources.rules_file import rules_problems

FILE = "board.toml"


Settings = dict[str, Any]
"""`board.toml` as plain data."""

LEAST: Final[Mapping[str, Any]] = {
    "title": "Untitled",
    "licence": "unknown",
    "projection": {"name": "plate-carree"},
    "page": {"width": 420, "height": 297},
    "gazetteer": {"countries": ["US"]},
    "regions": [{"id": "none", "name": "No region", "short": "-", "colour": "#dddddd"}],
}
"""What a board cannot be shown without."""


@dataclass(frozen=True)
class ReadConfig:
    """`board.toml` as far as it can be used.

    Args:
        data: What of it can be used.
        config: The same as the board has it, what is missing taken from `LEAST`.
        problems: What is wrong: the top key, and `file:row: what, what to do`.
        regions: Its regions; None if it cannot be read at all.
    """

    data: Settings
    config: BoardConfig
    problems: tuple[tuple[str, str], ...]
    regions: tuple[RegionConfig, ...] | None


@cache
def unreadable() -> ReadConfig:
    """Return what there is of a file that cannot be read at all."""
    return ReadConfig({}, BoardConfig.model_validate(LEAST), (), None)


def parse_config(text: str) -> BoardConfig:
    """Parse the text of `board.toml`.

    Raises:
        SourceError: It is not TOML, a key is unknown (the nearest is offered), missing, or its value wrong.
    """
    read = read_config(text)
    if read.problems:
        raise SourceError([problem for _, problem in read.problems])
    return read.config


def read_config(text: str) -> ReadConfig:
    """Read `board.toml`; what is wrong is left out and reported.

    Raises:
        SourceError: It is the board of another kind.
    """
    broken = ""
    data: Settings = {}
    try:
        data = parse_toml(text, file=FILE)
    except SourceError as error:
        broken = str(error)
    kind = data.get("kind", "rail")
    if kind != "rail":
        raise SourceError(
            f"{FILE}: kind is {kind!r}, but this command is for boards of railroads; give a board of kind 'rail'"
        )
    if broken:
        return replace(unreadable(), problems=(("", broken),))
    data, config, errors = usable(data)
    problems = [(str(item["loc"][0]), problem) for item in errors for problem in _problems(text, item)]
    ids = [region.id for region in config.regions]
    problems += [
        ("regions", f"{FILE}: two regions have the id {region!r}; rename one")
        for region in dict.fromkeys(ids)
        if ids.count(region) > 1
    ]
    problems += [
        (
            "spacing",
            (
                f"{FILE}:{row_of(text, ['spacing', 'regions', region])}: spacing.regions names {region!r}, "
                f"which is not a region{did_you_mean(region, ids) or '; the regions are ' + ', '.join(ids)}"
            ),
        )
        for region in config.spacing.regions
        if region not in ids
    ]
    at = row_of(text, ["gazetteer", "countries"])
    wrong = [said for code in config.gazetteer.countries if (said := country_problem(code)) is not None]
    problems += [("gazetteer", f"{FILE}:{at}: gazetteer.countries: {said}") for said in wrong]
    return ReadConfig(data, config, tuple(problems), config.regions if data.get("regions") else ())


def usable(data: Settings) -> tuple[Settings, BoardConfig, list[ErrorDetails]]:
    """Return what of `board.toml` can be used, the configuration of it, and the errors of what cannot.

    A region with a wrong name, mark or colour gets another, so that its cities have a region; of anything else the
    whole table or top key is left out.
    """
    least: Settings = {}
    errors: list[ErrorDetails] = []
    while True:
        try:
            return data, BoardConfig.model_validate(data | least), errors
        except ValidationError as error:
            # a list of which every row is wrong is not called empty on top of that
            found = [item for item in error.errors() if item["type"] != "too_short" or not item["input"]]
            errors += found
            regions, keys = _corrected(data.get("regions"), found)
            data = {key: value for key, value in data.items() if key not in keys}
            data |= {"regions": regions} if regions and "regions" in data else {}
            least |= {key: LEAST[key] for key in keys if key in LEAST}


def _corrected(regions: object, errors: Sequence[ErrorDetails]) -> tuple[list[Settings], set[str]]:
    """Return the regions that are left, corrected, and the top keys that cannot be used."""
    rows = [dict(row) if isinstance(row, dict) else {} for row in regions] if isinstance(regions, list) else []
    keys: set[str] = set()
    for item in errors:
        key, *rest = item["loc"]
        if key != "regions" or not rest or not isinstance(rest[0], int) or rest[0] >= len(rows):
            keys.add(str(key))
            continue
        row, field = rows[rest[0]], str(rest[1]) if len(rest) > 1 else "id"
        row.pop(field, None)
        name = row.get("name") or row.get("id")
        if field in _CORRECTED and isinstance(name, str):
            row[field] = _CORRECTED[field](name)
    rows = [row for row in rows if "id" in row]
    return rows, keys if rows or not regions else {*keys, "regions"}


_CORRECTED: Final[Mapping[str, Callable[[str], str]]] = {
    "name": lambda name: name,
    "short": lambda name: name[:6],
    "colour": lambda _: "#dddddd",
}


def railroad_problems(config: BoardConfig, text: str, known: Collection[str]) -> list[str]:
    """Return what is wrong with gaps of railroads that the board does not have; the nearest is offered.

    Args:
        config: As parsed.
        text: The text that it was parsed from.
        known: The ids of the board's railroads.
    """
    return [
        f"{FILE}:{row_of(text, ['spacing', 'railroads', railroad])}: spacing.railroads names {railroad!r}, "
        f"which is not in railroads.csv{did_you_mean(railroad, known) or '; add it there'}"
        for railroad in config.spacing.railroads
        if railroad not in known
    ]


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
    return f"{where}: {invalid(item)}"


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
