"""Which options are on in rules, and what else differs from their preset."""

from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.options import is_on, switches
from mapkit.kinds.rail.rules.paths import TABLE_KEYS, descriptions, flattened, get_setting
from mapkit.kinds.rail.rules.rules import Rules


def options_on(rules: Rules) -> tuple[str, ...]:
    """Return the options that are on and that the preset does not have on; of a bundle the bundle alone."""
    now, start = flattened(rules.model_dump()), flattened(Rules(preset=rules.preset).model_dump())
    on = [ident for ident in book.options() if is_on(ident, now) and not is_on(ident, start)]
    covered: set[str] = set()
    out = []
    # A bundle stands before its members in the list, and of two options that say the same the first counts.
    for ident in on:
        changed = {path for path in switches(ident) if now[path] != start[path]}
        if not changed <= covered:
            out.append(ident)
            covered |= changed
    return tuple(out)


def own_settings(rules: Rules) -> tuple[tuple[str, object], ...]:
    """Return the settings (tables by players whole) that neither the preset nor an option explains, with value."""
    now, start = flattened(rules.model_dump()), flattened(Rules(preset=rules.preset).model_dump())
    explained = {path for ident in options_on(rules) for path in switches(ident)}
    changed = [path for path in now if now[path] != start.get(path) and path not in explained and path != "preset"]
    whole = {path.rpartition(".")[0] if path.rpartition(".")[2] in TABLE_KEYS else path for path in changed}
    amounts = {
        path
        for ident in options_on(rules)
        for path, usual in switches(ident).items()
        if usual is not None and now[path] != usual
    }
    return tuple((path, get_setting(rules, path)) for path in descriptions(Rules) if path in whole | amounts)
