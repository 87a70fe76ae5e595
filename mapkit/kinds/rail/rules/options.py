"""Options of the rules: what each switches, what it needs, and what contradicts what."""

from collections.abc import Iterable, Mapping
from functools import cache

from mapkit.core.errors import RulesError, did_you_mean
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.tables import Value


@cache
def related() -> tuple[str, ...]:
    """Return the settings that some relation is about."""
    conditions = (c for relation in book.relations() for c in (*relation.when, relation.must))
    return tuple(dict.fromkeys(c.setting for c in conditions))


def contradictions(settings: Mapping[str, object]) -> list[str]:
    """Return what contradicts itself in settings (dotted path -> value); each message names both sides."""
    out = []
    for relation in book.relations():
        sides = [*relation.when, relation.must]
        if all(c.holds(settings.get(c.setting)) for c in relation.when) and not relation.must.holds(
            settings.get(relation.must.setting)
        ):
            shown = [f"{c.setting} = {shown_value(settings.get(c.setting))}" for c in sides]
            out.append(
                f"{' with '.join(shown[:-1])} contradicts {shown[-1]}: {relation.why} ({', '.join(relation.rows)})"
            )
    return out


def option_settings(names: Iterable[str], *, given: Mapping[str, object]) -> dict[str, Value]:
    """Return the settings that options switch, dotted path -> value.

    Args:
        names: Option ids, some with an amount: `extra-cash=10000`.
        given: Single settings that are given beside the options.

    Raises:
        RulesError: An option is unknown, an amount is not a number, or two of them, or an option and a given
            setting, want different values of one setting.
    """
    wanted: dict[str, tuple[Value, str]] = {}
    usual: dict[str, Value] = {}
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
        for path, value, own_amount in _expanded(ident, amount):
            if own_amount:
                usual.setdefault(path, value)
            elif path in wanted and wanted[path][0] != value:
                problems.append(
                    f"option {wanted[path][1]} contradicts option {name}: {path} would be "
                    f"{shown_value(wanted[path][0])} and {shown_value(value)}; leave one out"
                )
            elif path in given and given[path] != value:
                problems.append(
                    f"option {name} contradicts {path} = {shown_value(given[path])}: it sets {shown_value(value)}; "
                    "leave one out"
                )
            else:
                wanted.setdefault(path, (value, str(name)))
    if problems:
        raise RulesError(problems)
    agreed = {path: value for path, value in usual.items() if path not in wanted and path not in given}
    return dict(sorted((agreed | {path: value for path, (value, _) in wanted.items()}).items()))


def _expanded(ident: str, amount: str = "") -> Iterable[tuple[str, Value, bool]]:
    """Yield setting, value, and whether the value is only the usual amount, of an option and those it includes."""
    option = book.options()[ident]
    for path, value in option.settings:
        if path == option.amount and amount:
            yield path, int(amount[:12]), False
        else:
            yield path, value, path == option.amount
    for inner in option.includes:
        yield from _expanded(inner)


def missing_needs(names: Iterable[str], settings: Mapping[str, object]) -> list[str]:
    """Return a message for each option that needs another one which is not on in the resulting `settings`."""
    idents = [str(name).partition("=")[0] for name in names]
    return [
        f"option {ident} needs option {needed}; add it, or leave {ident} out"
        for ident in idents
        for needed in book.options()[ident].needs
        if not is_on(needed, settings)
    ]


def is_on(ident: str, settings: Mapping[str, object]) -> bool:
    """Return whether all that an option switches is so in `settings`; any amount but zero counts."""
    return all(
        bool(settings.get(path)) if usual else settings.get(path) == value for path, value, usual in _expanded(ident)
    )


def switches(ident: str) -> dict[str, Value]:
    """Return the settings that an option switches -> the value; of an amount its usual one."""
    return {path: value for path, value, _ in _expanded(ident)}


def option_exclusions() -> tuple[tuple[str, str, str], ...]:
    """Return the pairs of options that contradict each other, with the setting that both want."""
    ids = sorted(book.options())
    out = []
    for i, one in enumerate(ids):
        mine = {path: value for path, value, usual in _expanded(one) if not usual}
        for other in ids[i + 1 :]:
            theirs = {path: value for path, value, usual in _expanded(other) if not usual}
            clash = sorted(path for path in mine.keys() & theirs.keys() if mine[path] != theirs[path])
            if clash:
                out.append((one, other, clash[0]))
    return tuple(out)


def shown_value(value: object) -> str:
    """Return a value as messages show it: `1,000`, `on`, `'free'`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "not given"
    return f"{value:,}" if isinstance(value, int) else repr(value)
