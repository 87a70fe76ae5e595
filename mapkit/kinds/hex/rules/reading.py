"""The rules of a board from its settings: the defaults, then options, then single settings."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from mapkit.core.errors import did_you_mean
from mapkit.core.invalid import invalid
from mapkit.kinds.hex.rules.book import options
from mapkit.kinds.hex.rules.settings import HexRules

OPTIONS = "options"


def read_rules(given: Mapping[str, Any]) -> tuple[HexRules, tuple[str, ...], list[tuple[str, str]]]:
    """Return the rules, the options that are on, and what is wrong as `(key below rules, message)`.

    What is wrong is left out.

    Args:
        given: The table `[rules]`.
    """
    wrong: list[tuple[str, str]] = []
    on = _options(given.get(OPTIONS, []), wrong)
    data: dict[str, Any] = {}
    for one in on:
        for path, value in options()[one].settings.items():
            group, _, name = path.partition(".")
            data.setdefault(group, {})[name] = value
    for group, values in given.items():
        if group != OPTIONS:
            data[group] = {**data.get(group, {}), **values} if isinstance(values, Mapping) else values
    while True:
        try:
            return HexRules.model_validate(data), on, wrong
        except ValidationError as error:
            for item in error.errors():
                where = [str(part) for part in item["loc"]]
                hint = _hint(where) if item["type"] == "extra_forbidden" else ""
                wrong.append((".".join(where), f"{invalid(item)}{hint}"))
                _drop(data, where[:2])


def _options(given: object, wrong: list[tuple[str, str]]) -> tuple[str, ...]:
    if not isinstance(given, list):
        wrong.append((OPTIONS, f"options is {given!r}; write a list in brackets"))
        return ()
    for one in given:
        if one not in options():
            hint = did_you_mean(str(one), options())
            known = ", ".join(options())
            wrong.append((OPTIONS, f"options: there is no option {one!r}{hint}; the options are {known}"))
    return tuple(dict.fromkeys(one for one in given if one in options()))


def _hint(where: list[str]) -> str:
    fields = HexRules.model_fields
    if len(where) == 1:
        return did_you_mean(where[0], fields)
    group = fields[where[0]].annotation if where[0] in fields else None
    return did_you_mean(where[1], getattr(group, "model_fields", {}))


def _drop(data: dict[str, Any], where: list[str]) -> None:
    group = data.get(where[0])
    if len(where) > 1 and isinstance(group, dict) and where[1] in group:
        del group[where[1]]
    else:
        data.pop(where[0], None)
