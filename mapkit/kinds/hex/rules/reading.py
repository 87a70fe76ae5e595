"""Rules of a board from its settings: the defaults, then options, then single settings."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from mapkit.core.errors import did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.kinds.hex.rules.book import options
from mapkit.kinds.hex.rules.settings import HexRules

OPTIONS = "options"


def read_rules(given: Mapping[str, Any]) -> tuple[HexRules, tuple[str, ...], list[tuple[str, str]]]:
    """Return the rules, the options that are on, and problems as `(key below rules, message)`.

    What is wrong is left out.

    Args:
        given: The table `[rules]`.
    """
    problems: list[tuple[str, str]] = []
    option_ids = _read_options(given.get(OPTIONS, []), problems)
    settings_by_group: dict[str, Any] = {}
    option_by_path: dict[str, str] = {}
    for option_id in option_ids:
        for path, value in options()[option_id].settings.items():
            group, _, name = path.partition(".")
            first_id = option_by_path.setdefault(path, option_id)
            if options()[first_id].settings[path] != value:
                message = f"options: {first_id} and {option_id} contradict, for both set {path}; choose one of them"
                problems.append((OPTIONS, message))
                continue
            settings_by_group.setdefault(group, {})[name] = value
    for group, values in given.items():
        if group != OPTIONS:
            settings_by_group[group] = (
                {**settings_by_group.get(group, {}), **values} if isinstance(values, Mapping) else values
            )
    while True:
        try:
            return HexRules.model_validate(settings_by_group), option_ids, problems
        except ValidationError as error:
            for item in error.errors():
                key_parts = [str(part) for part in item["loc"]]
                hint = _suggest_name(key_parts) if item["type"] == "extra_forbidden" else ""
                problems.append((".".join(key_parts), f"{invalid_value_message(item)}{hint}"))
                _drop_key(settings_by_group, key_parts[:2])


def _read_options(given: object, wrong: list[tuple[str, str]]) -> tuple[str, ...]:
    if not isinstance(given, list):
        wrong.append((OPTIONS, f"options is {given!r}; write a list in brackets"))
        return ()
    for option_id in given:
        if option_id not in options():
            hint = did_you_mean(str(option_id), options())
            known_options = ", ".join(options())
            wrong.append((OPTIONS, f"options: there is no option {option_id!r}{hint}; the options are {known_options}"))
    return tuple(dict.fromkeys(option_id for option_id in given if option_id in options()))


def _suggest_name(where: list[str]) -> str:
    group_fields = HexRules.model_fields
    if len(where) == 1:
        return did_you_mean(where[0], group_fields)
    group_model = group_fields[where[0]].annotation if where[0] in group_fields else None
    return did_you_mean(where[1], getattr(group_model, "model_fields", {}))


def _drop_key(data: dict[str, Any], where: list[str]) -> None:
    group = data.get(where[0])
    if len(where) > 1 and isinstance(group, dict) and where[1] in group:
        del group[where[1]]
    else:
        data.pop(where[0], None)
