"""Command of rules as a whole: options switched on and off, single settings set and reset to the preset's."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import Field, JsonValue, ValidationError

from mapkit.core.errors import did_you_mean
from mapkit.core.plurals import join_some
from mapkit.document.document import Setting
from mapkit.document.frame_commands import put_setting
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.settings import check_config
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.options import is_on, missing_needs, option_settings, option_values
from mapkit.kinds.rail.rules.paths import descriptions, flatten_nested, setting_paths, unknown_setting
from mapkit.kinds.rail.rules.rules import PRESETS, Rules, preset
from mapkit.kinds.rail.rules.words import cell_words, value_words
from mapkit.kinds.rail.tables import RailDocument

HEAD = "rules."
LIST = "rules.options"


@command("rules")
class EditRules(Command):
    """Choose a preset, switch options on and off, set single settings; null takes one back to the preset's."""

    kind: Literal["edit-rules"] = "edit-rules"
    preset: str | None = None
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    values: dict[str, JsonValue] = Field(default_factory=dict)

    def edit(self, draft: Draft) -> str:
        """Apply the changes to the rules, check them, and write the settings."""
        rules_state = RulesState(draft.document)
        change_texts = []
        if self.preset is not None:
            if self.preset not in PRESETS:
                raise CommandError(f"no rules preset {self.preset!r}{did_you_mean(self.preset, PRESETS)}")
            rules_state.preset = self.preset
            change_texts.append(f"preset {self.preset}")
        for ident in self.off:
            rules_state.switch_off(ident)
            change_texts.append(f"{ident} off")
        for name in self.on:
            rules_state.switch_on(name)
            change_texts.append(f"{name} on")
        for path, value in self.values.items():
            change_texts.append(rules_state.set(path, value))
        read_rules(rules_state.data())
        rules_state.write(draft)
        check_config(draft)
        return f"Rules: {', '.join(change_texts) or 'nothing'}"[:200]


def read_rules(data: Mapping[str, Any]) -> Rules:
    """Parse and validate rules.

    Raises:
        CommandError: They contradict themselves, or a value is wrong; one sentence each.
    """
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        problem_lines: list[str] = []
        for error_item in error.errors():
            message = error_item["msg"].removeprefix("Value error, ")
            field_path = ".".join(map(str, error_item["loc"]))
            problem_lines += (
                message.split("\n")
                if error_item["type"] == "value_error"
                else [f"{field_path} is {error_item['input']!r}: {message}"]
            )
        raise CommandError("; ".join(dict.fromkeys(problem_lines))) from error


class RulesState:
    """`[rules]` of a document under change: preset, names of options, single settings by dotted path."""

    def __init__(self, document: RailDocument) -> None:
        rule_values = {
            key.removeprefix(HEAD): row.value
            for key, row in document.table("settings").items()
            if key.startswith(HEAD) and isinstance(row, Setting)
        }
        preset_given = rule_values.pop("preset", "ah")
        self.preset = preset_given if isinstance(preset_given, str) and preset_given in PRESETS else "ah"
        option_names = rule_values.pop("options", None)
        self.names: list[str] = [str(name) for name in option_names] if isinstance(option_names, list) else []
        self.single: dict[str, Any] = {path: value for path, value in rule_values.items() if value != {}}

    def data(self) -> dict[str, Any]:
        """Return the rules as nested data."""
        nested_data: dict[str, Any] = {"preset": self.preset}
        for path, value in self.single.items():
            current_group = nested_data
            *groups, leaf_name = path.split(".")
            for group_name in groups:
                current_group = current_group.setdefault(group_name, {})
            current_group[leaf_name] = value
        if self.names:
            nested_data["options"] = list(self.names)
        return nested_data

    def values(self) -> dict[str, Any]:
        """Return every setting, flat, without validating their combination."""
        preset_settings = flatten_nested(preset(self.preset).model_dump())
        option_values = option_settings(self.names, given={}) if self.names else {}
        return preset_settings | option_values | self.single

    def switch_off(self, ident: str) -> None:
        """Switch an option off.

        Raises:
            CommandError: The preset has it, or another option.
        """
        _need_option(ident)
        self.names = list(_drop_option(self.names, ident))
        own_switches = option_values(ident)
        for path in own_switches:
            self.single.pop(path, None)
        if is_on(ident, self.values()):
            other_options = [
                name for name in self.names if option_values(name.partition("=")[0]).keys() & own_switches.keys()
            ]
            if other_options:
                raise CommandError(f"option {ident} is on through {join_some(other_options)}; switch that off")
            raise CommandError(
                f"the preset {self.preset} plays by {ident}; switch on the option against it, or choose another preset"
            )

    def switch_on(self, name: str) -> None:
        """Switch an option on; contradicting single settings are dropped."""
        ident = name.partition("=")[0]
        _need_option(ident)
        for path in option_values(ident):
            self.single.pop(path, None)
        self.names = [other_option for other_option in self.names if other_option.partition("=")[0] != ident]
        if any(path.startswith("options.") for path in self.single):
            new_values = option_settings([name], given={})
            self.single |= {path: value for path, value in new_values.items() if value is not None}
            missing_options = missing_needs([name], self.values())
            if missing_options:
                raise CommandError("; ".join(missing_options))
        else:
            self.names.append(name)

    def set(self, path: str, value: Any) -> str:  # noqa: ANN401 - any value of a setting
        """Set a setting, or reset it to the preset's; return a description of the change."""
        known_paths = (*setting_paths(Rules), *descriptions(Rules))
        if path not in known_paths or path == "preset":
            raise CommandError(unknown_setting(path, known_paths))
        for name in self.names:
            ident = name.partition("=")[0]
            if book.options()[ident].amount == path and isinstance(value, int) and value > 0:
                self.names[self.names.index(name)] = f"{ident}={value}"
                return _describe_setting(path, value)
        if any(path in option_values(name.partition("=")[0]) for name in self.names) or (
            path.startswith("options.") and self.names
        ):
            self._spell_out(path)
        preset_settings = flatten_nested(preset(self.preset).model_dump())
        if value is None or preset_settings.get(path, ...) == value:
            self.single.pop(path, None)
            return f"{book.wording()[worded_path(path)].matter} as in the preset"
        self.single[path] = value
        return _describe_setting(path, value)

    def _spell_out(self, path: str) -> None:
        """Replace options by the settings that they switch, where one of these is to change."""
        affected_options = [
            name for name in self.names if path.startswith("options.") or path in option_values(name.partition("=")[0])
        ]
        for name in affected_options:
            new_values = option_settings([name], given={})
            self.single = {p: v for p, v in new_values.items() if v is not None} | self.single
        self.names = [name for name in self.names if name not in affected_options]
        if any(p.startswith("options.") for p in self.single) and self.names:
            self._spell_out("options.")

    def write(self, draft: Draft) -> None:
        """Write the rules into the settings of a draft; unchanged rows stay."""
        old_rows = {k: r for k, r in draft.rows("settings", Setting).items() if k == "rules" or k.startswith(HEAD)}
        new_values: dict[str, Any] = {f"{HEAD}{path}": value for path, value in self.single.items()}
        if self.preset != "ah" or f"{HEAD}preset" in old_rows:
            new_values[f"{HEAD}preset"] = self.preset
        if self.names:
            new_values[LIST] = self.names
        for key in old_rows.keys() - new_values.keys():
            draft.drop("settings", key)
        for key in sorted(new_values):
            if key not in old_rows or old_rows[key].value != new_values[key]:
                put_setting(draft, key, new_values[key])


def _need_option(ident: str) -> None:
    if ident not in book.options():
        raise CommandError(f"no option {ident!r}{did_you_mean(ident, book.options())}")


def _drop_option(names: Iterable[str], ident: str) -> Iterable[str]:
    """Yield options without one; replace a bundle with it by the bundle's other members."""
    for name in names:
        option_id = name.partition("=")[0]
        if option_id == ident or ident in _included_options(option_id):
            if option_id != ident:
                yield from _drop_option(book.options()[option_id].includes, ident)
        else:
            yield name


def _included_options(ident: str) -> set[str]:
    included_ids = set(book.options()[ident].includes)
    return included_ids.union(*(_included_options(included_id) for included_id in included_ids))


def worded_path(path: str) -> str:
    """Return the path of a setting that has a text: its own, or that of the setting it is part of."""
    return path if path in book.wording() else path.rpartition(".")[0]


def _describe_setting(path: str, value: Any) -> str:  # noqa: ANN401 - any value of a setting
    whole_path = worded_path(path)
    value_text = cell_words(value) if whole_path != path else value_words(path, value)
    return f"{book.wording()[whole_path].matter} {value_text}"
