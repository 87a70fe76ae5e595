"""Options that are on in rules, and other differences from their preset."""

from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.options import is_on, option_values
from mapkit.kinds.rail.rules.paths import TABLE_KEYS, descriptions, flatten_nested, get_setting
from mapkit.kinds.rail.rules.rules import Rules


def options_on(rules: Rules) -> tuple[str, ...]:
    """Return the options that are on beyond the preset; a bundle stands for its members."""
    current_settings, preset_settings = (
        flatten_nested(rules.model_dump()),
        flatten_nested(Rules(preset=rules.preset).model_dump()),
    )
    option_ids = [
        ident for ident in book.options() if is_on(ident, current_settings) and not is_on(ident, preset_settings)
    ]
    covered_paths: set[str] = set()
    listed_options = []
    # A bundle stands before its members in the list, and of two options that say the same the first counts.
    for ident in option_ids:
        changed_paths = {path for path in option_values(ident) if current_settings[path] != preset_settings[path]}
        if not changed_paths <= covered_paths:
            listed_options.append(ident)
            covered_paths |= changed_paths
    return tuple(listed_options)


def own_settings(rules: Rules) -> tuple[tuple[str, object], ...]:
    """Return the settings, with values, that neither the preset nor an option explains; tables by players are whole."""
    current_settings, preset_settings = (
        flatten_nested(rules.model_dump()),
        flatten_nested(Rules(preset=rules.preset).model_dump()),
    )
    explained_paths = {path for ident in options_on(rules) for path in option_values(ident)}
    changed_paths = [
        path
        for path in current_settings
        if current_settings[path] != preset_settings.get(path) and path not in explained_paths and path != "preset"
    ]
    own_paths = {path.rpartition(".")[0] if path.rpartition(".")[2] in TABLE_KEYS else path for path in changed_paths}
    changed_amounts = {
        path
        for ident in options_on(rules)
        for path, usual in option_values(ident).items()
        if usual is not None and current_settings[path] != usual
    }
    return tuple(
        (path, get_setting(rules, path)) for path in descriptions(Rules) if path in own_paths | changed_amounts
    )
