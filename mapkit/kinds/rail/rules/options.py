"""Options of the rules: their settings, requirements and contradictions."""

from collections.abc import Iterable, Mapping
from functools import cache

from mapkit.core.errors import RulesError, did_you_mean
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.tables import Value


@cache
def related_settings() -> tuple[str, ...]:
    """Return the settings that relations refer to."""
    conditions = (c for relation in book.relations() for c in (*relation.when, relation.must))
    return tuple(dict.fromkeys(c.setting for c in conditions))


def find_contradictions(settings: Mapping[str, object]) -> list[str]:
    """Return a message for each contradiction in settings (dotted path -> value), naming both sides."""
    messages = []
    for relation in book.relations():
        sides = [*relation.when, relation.must]
        if all(
            condition.holds(settings.get(condition.setting)) for condition in relation.when
        ) and not relation.must.holds(settings.get(relation.must.setting)):
            shown_conditions = [
                f"{condition.setting} = {shown_value(settings.get(condition.setting))}" for condition in sides
            ]
            messages.append(
                f"{' with '.join(shown_conditions[:-1])} contradicts {shown_conditions[-1]}: {relation.why} "
                f"({', '.join(relation.rows)})"
            )
    return messages


def option_settings(names: Iterable[str], *, given: Mapping[str, object]) -> dict[str, Value]:
    """Return the settings of options, dotted path -> value.

    Args:
        names: Option ids, some with an amount: `extra-cash=10000`.
        given: Single settings that are given beside the options.

    Raises:
        RulesError: An option is unknown, an amount is not a number, or two of them, or an option and a given
            setting, want different values of one setting.
    """
    value_by_path: dict[str, tuple[Value, str]] = {}
    default_amounts: dict[str, Value] = {}
    problems: list[str] = []
    for name in names:
        ident, _, amount = str(name).partition("=")
        if ident not in book.options():
            problems.append(
                f"no option {ident!r}{did_you_mean(ident, book.options()) or '; mapkit rules options lists them'}"
            )
            continue
        if "=" in str(name) and (
            book.options()[ident].amount is None or not amount.isdecimal() or not amount.isascii()
        ):
            with_amount = ", ".join(o.id for o in book.options().values() if o.amount)
            problems.append(f"option {name!r}: options with an amount are {with_amount}, as in extra-cash=10000")
            continue
        for path, value, own_amount in _expand_option(ident, amount):
            if own_amount:
                default_amounts.setdefault(path, value)
            elif path in value_by_path and value_by_path[path][0] != value:
                problems.append(
                    f"option {value_by_path[path][1]} contradicts option {name}: {path} would be "
                    f"{shown_value(value_by_path[path][0])} and {shown_value(value)}; leave one out"
                )
            elif path in given and given[path] != value:
                problems.append(
                    f"option {name} contradicts {path} = {shown_value(given[path])}: it sets {shown_value(value)}; "
                    "leave one out"
                )
            else:
                value_by_path.setdefault(path, (value, str(name)))
    if problems:
        raise RulesError(problems)
    unopposed_amounts = {
        path: value for path, value in default_amounts.items() if path not in value_by_path and path not in given
    }
    return dict(sorted((unopposed_amounts | {path: value for path, (value, _) in value_by_path.items()}).items()))


def _expand_option(ident: str, amount: str = "") -> Iterable[tuple[str, Value, bool]]:
    """Yield settings of an option and of those it includes: path, value, and whether it is a default amount."""
    option = book.options()[ident]
    for path, value in option.settings:
        if path == option.amount and amount:
            yield path, int(amount[:12]), False
        else:
            yield path, value, path == option.amount
    for inner in option.includes:
        yield from _expand_option(inner)


def missing_needs(names: Iterable[str], settings: Mapping[str, object]) -> list[str]:
    """Return a message for each option that needs another one that is off in `settings`."""
    option_ids = [str(name).partition("=")[0] for name in names]
    return [
        f"option {ident} needs option {needed}; add it, or leave {ident} out"
        for ident in option_ids
        for needed in book.options()[ident].needs
        if not is_on(needed, settings)
    ]


def is_on(ident: str, settings: Mapping[str, object]) -> bool:
    """Return whether all settings of an option are on in `settings`; any amount but zero counts."""
    return all(
        bool(settings.get(path)) if usual else settings.get(path) == value
        for path, value, usual in _expand_option(ident)
    )


def option_values(ident: str) -> dict[str, Value]:
    """Return the settings of an option -> value, with the default amount."""
    return {path: value for path, value, _ in _expand_option(ident)}


def option_exclusions() -> tuple[tuple[str, str, str], ...]:
    """Return the pairs of contradicting options, with the setting that they contradict in."""
    option_ids = sorted(book.options())
    exclusions = []
    for number, first_option in enumerate(option_ids):
        first_settings = {path: value for path, value, usual in _expand_option(first_option) if not usual}
        for second_option in option_ids[number + 1 :]:
            second_settings = {path: value for path, value, usual in _expand_option(second_option) if not usual}
            conflicting_paths = sorted(
                path
                for path in first_settings.keys() & second_settings.keys()
                if first_settings[path] != second_settings[path]
            )
            if conflicting_paths:
                exclusions.append((first_option, second_option, conflicting_paths[0]))
    return tuple(exclusions)


def shown_value(value: object) -> str:
    """Return a value as shown in messages: `1,000`, `on`, `'free'`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "not given"
    return f"{value:,}" if isinstance(value, int) else repr(value)
