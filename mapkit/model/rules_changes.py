"""Changing rules: a preset, options and single settings, applied as a pure function."""

from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from mapkit.errors import RulesError, did_you_mean
from mapkit.model.rules import Rules
from mapkit.model.rules_options import missing_needs, option_settings
from mapkit.model.rules_paths import flattened, merged, nested, setting_paths, unknown_setting
from mapkit.model.rules_presets import CHANGES


def apply_rule_changes(
    rules: Rules,
    changes: Mapping[str, object] | None = None,
    *,
    options_on: Iterable[str] = (),
    preset: str | None = None,
) -> Rules:
    """Return `rules` changed; the same changes in any order of `changes` and `options_on` give the same rules.

    Args:
        rules: What to start from; with `preset` nothing of it stays.
        changes: Dotted path of a setting -> value, such as `{"fees.own": 0}`; cells of a table are
            `"net_worth.target.two"`, a whole table is a mapping.
        options_on: Options by id (`mapkit.model.rules_options.OPTIONS`), some with an amount: `"extra-cash=10000"`.
        preset: A preset to start from instead of `rules`.

    Raises:
        RulesError: A name or path is unknown (the nearest is offered), a value is wrong, or the combination
            contradicts itself; both sides are named.
    """
    base = rules.model_dump()
    if preset is not None:
        if preset not in CHANGES:
            raise RulesError(
                f"no rules preset {preset!r}{did_you_mean(preset, CHANGES)}; there are {', '.join(CHANGES)}"
            )
        base = Rules.model_validate({"preset": preset}).model_dump()
    given = dict(changes or {})
    names = tuple(options_on)
    if "preset" in given:
        raise RulesError("preset is no single setting: choosing one replaces all others; give it as a preset")
    known = setting_paths(Rules)
    single: Mapping[str, object] = {}
    for path, value in given.items():
        if path not in known and not any(k.startswith(f"{path}.") for k in known):
            raise RulesError(unknown_setting(path, known))
        single = merged(single, nested(path, value))
    by_option = option_settings(names, given=flattened(single))
    data: Mapping[str, object] = base
    for path, value in by_option.items():
        data = merged(data, nested(path, value))
    data = merged(data, single)
    missing = missing_needs(names, flattened(data))
    if missing:
        raise RulesError(missing)
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        raise RulesError(
            [_problem(item["loc"], item["type"], item["msg"], item.get("input")) for item in error.errors()]
        ) from error


def _problem(loc: tuple[int | str, ...], kind: str, message: str, value: object) -> str:
    """Return one mistake in words: the setting, its value, and what is wrong with it."""
    path = ".".join(map(str, loc))
    if kind == "extra_forbidden":
        return unknown_setting(path, setting_paths(Rules))
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    return f"rules: {path} is {value!r}: {message[:1].lower()}{message[1:]}"
