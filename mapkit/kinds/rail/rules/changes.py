"""Changes of rules: a preset, options and single settings, applied as a pure function."""

from collections.abc import Iterable, Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import RulesError, did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.options import missing_needs, option_settings
from mapkit.kinds.rail.rules.paths import flatten_nested, merge_nested, nest_value, setting_paths, unknown_setting
from mapkit.kinds.rail.rules.rules import Rules, rule_problems


def apply_rule_changes(
    rules: Rules,
    changes: Mapping[str, object] | None = None,
    *,
    options_on: Iterable[str] = (),
    preset: str | None = None,
) -> Rules:
    """Return `rules` with changes; the order of `changes` and `options_on` does not matter.

    Args:
        rules: What to start from; with `preset` nothing of it stays.
        changes: Dotted path of a setting -> value, such as `{"fees.own": 0}`; cells of a table are
            `"net_worth.target.two"`, a whole table is a mapping.
        options_on: Options by id (`mapkit rules options` lists them), some with an amount: `"extra-cash=10000"`.
        preset: A preset to start from instead of `rules`.

    Raises:
        RulesError: A name or path is unknown (the nearest is offered), a value is wrong, or the combination
            contradicts itself; both sides are named.
    """
    start_rules = rules
    if preset is not None:
        preset_titles = book.preset_titles()
        if preset not in preset_titles:
            raise RulesError(
                f"there is no rules preset {preset!r}{did_you_mean(preset, preset_titles)}; "
                f"presets are {', '.join(preset_titles)}"
            )
        start_rules = Rules(preset=preset)
    option_names = tuple(options_on)
    nested_changes = _nest_settings(changes or {})
    switched_settings = option_settings(option_names, given=flatten_nested(nested_changes)) if option_names else {}
    for path, value in switched_settings.items():
        nested_changes = merge_nested(nest_value(path, value), nested_changes)
    changed_rules = start_rules.model_copy(update=_change_groups(start_rules, nested_changes))
    problems = rule_problems(changed_rules)
    if option_names:
        problems += missing_needs(option_names, flatten_nested(changed_rules.model_dump()))
    if problems:
        raise RulesError(problems)
    return changed_rules


def _nest_settings(changes: Mapping[str, object]) -> Mapping[str, object]:
    """Return single settings as nested data.

    Raises:
        RulesError: A path is not a setting, or it is the preset.
    """
    known_paths = setting_paths(Rules)
    nested_settings: Mapping[str, object] = {}
    for path, value in changes.items():
        if path == "preset":
            raise RulesError("preset is not a single setting: choosing one replaces all others; give it as a preset")
        if path not in known_paths and not any(k.startswith(f"{path}.") for k in known_paths):
            raise RulesError(unknown_setting(path, known_paths))
        nested_settings = merge_nested(nested_settings, nest_value(path, value))
    return nested_settings


def _change_groups(base: Rules, wanted: Mapping[str, object]) -> dict[str, object]:
    """Return the changed groups of settings, validated again; the others need no check.

    Raises:
        RulesError: A key is unknown, or a value wrong.
    """
    changed_groups: dict[str, object] = {}
    problems: list[str] = []
    for group_name, change in wanted.items():
        group = getattr(base, group_name)
        group_data = merge_nested(group.model_dump(), change) if isinstance(change, Mapping) else change
        try:
            changed_groups[group_name] = type(group).model_validate(group_data)
        except ValidationError as error:
            problems += [
                _error_message(".".join(map(str, (group_name, *item["loc"]))), item) for item in error.errors()
            ]
    if problems:
        raise RulesError(problems)
    return changed_groups


def _error_message(path: str, item: ErrorDetails) -> str:
    """Return an error as a message: the setting, its value, and the mistake."""
    if item["type"] == "extra_forbidden":
        return unknown_setting(path, setting_paths(Rules))
    if item["type"] == "value_error":
        return item["msg"].removeprefix("Value error, ")
    return f"rules: {invalid_value_message(item, where=path)}"
