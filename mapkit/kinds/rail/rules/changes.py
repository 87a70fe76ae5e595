"""Changing rules: a preset, options and single settings, applied as a pure function."""

from collections.abc import Iterable, Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mapkit.core.errors import RulesError, did_you_mean
from mapkit.core.invalid import invalid
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.options import missing_needs, option_settings
from mapkit.kinds.rail.rules.paths import flattened, merged, nested, setting_paths, unknown_setting
from mapkit.kinds.rail.rules.rules import Rules, rule_problems


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
        options_on: Options by id (`mapkit rules options` lists them), some with an amount: `"extra-cash=10000"`.
        preset: A preset to start from instead of `rules`.

    Raises:
        RulesError: A name or path is unknown (the nearest is offered), a value is wrong, or the combination
            contradicts itself; both sides are named.
    """
    base = rules
    if preset is not None:
        known = book.preset_titles()
        if preset not in known:
            raise RulesError(
                f"there is no rules preset {preset!r}{did_you_mean(preset, known)}; presets are {', '.join(known)}"
            )
        base = Rules(preset=preset)
    names = tuple(options_on)
    wanted = _single(changes or {})
    switched = option_settings(names, given=flattened(wanted)) if names else {}
    for path, value in switched.items():
        wanted = merged(nested(path, value), wanted)
    changed = base.model_copy(update=_groups(base, wanted))
    problems = rule_problems(changed)
    if names:
        problems += missing_needs(names, flattened(changed.model_dump()))
    if problems:
        raise RulesError(problems)
    return changed


def _single(changes: Mapping[str, object]) -> Mapping[str, object]:
    """Return single settings as nested data.

    Raises:
        RulesError: A path is not a setting, or it is the preset.
    """
    known = setting_paths(Rules)
    out: Mapping[str, object] = {}
    for path, value in changes.items():
        if path == "preset":
            raise RulesError("preset is not a single setting: choosing one replaces all others; give it as a preset")
        if path not in known and not any(k.startswith(f"{path}.") for k in known):
            raise RulesError(unknown_setting(path, known))
        out = merged(out, nested(path, value))
    return out


def _groups(base: Rules, wanted: Mapping[str, object]) -> dict[str, object]:
    """Return the groups of settings that change, each made and checked again; the others need not be.

    Raises:
        RulesError: A key is unknown, or a value wrong.
    """
    out: dict[str, object] = {}
    problems: list[str] = []
    for name, change in wanted.items():
        group = getattr(base, name)
        data = merged(group.model_dump(), change) if isinstance(change, Mapping) else change
        try:
            out[name] = type(group).model_validate(data)
        except ValidationError as error:
            problems += [_problem(".".join(map(str, (name, *item["loc"]))), item) for item in error.errors()]
    if problems:
        raise RulesError(problems)
    return out


def _problem(path: str, item: ErrorDetails) -> str:
    """Return one mistake in words: the setting, its value, and what is wrong with it."""
    if item["type"] == "extra_forbidden":
        return unknown_setting(path, setting_paths(Rules))
    if item["type"] == "value_error":
        return item["msg"].removeprefix("Value error, ")
    return f"rules: {invalid(item, where=path)}"
