"""Commands of single rules: setting them, switching options, starting from a preset."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from mapkit.core.errors import RulesError, SourceError, UnknownNameError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.document.document import Setting, make_row
from mapkit.document.draft import GONE
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import has_files
from mapkit.kinds.rail.compiler.settings import RULES, rules_preset, rules_set
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.house import House, HouseText, HouseTitle
from mapkit.kinds.rail.rules.options import option_values
from mapkit.kinds.rail.rules.paths import flatten_nested, get_setting
from mapkit.kinds.rail.rules.rules import plain_values, preset, preset_values

HOUSE = "house.words"
"""The path of the house rules."""
OPTIONS = f"{RULES}options"

Value = bool | int | float | str | None | list[object] | dict[str, object]
"""A value of a rule, as TOML writes it; None is written by leaving it out."""


@command("rules")
class SetRule(Command):
    """Set a parameter, table or choice of the rules, named by its dotted path: `fees.own`."""

    kind: Literal["set-rule"] = "set-rule"
    path: str = Field(pattern=r"^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$", max_length=200)
    was: Value = None
    value: Value = None

    def edit(self, draft: Draft) -> str:
        """Set the rule, if it has the expected value."""
        set_value(draft, self.path, self.value, was=self.was)
        return f"Set {self.path}"


@command("rules")
class SwitchOption(Command):
    """Switch an option on by its id (`own-track-free`), or a switch by its path (`options.free_upgrade`)."""

    kind: Literal["switch-option"] = "switch-option"
    option: str = Field(pattern=r"^[a-z_][a-z0-9_.-]*$", max_length=200)
    on: bool = True
    amount: int | None = Field(default=None, ge=0, le=1_000_000_000, description="Of options that have one: extra cash")

    def edit(self, draft: Draft) -> str:
        """Switch the option, or the setting at the path."""
        label = f"Switch {self.option} {'on' if self.on else 'off'}"
        if self.option in book.options():
            option = book.options()[self.option]
            if self.amount is not None and option.amount is None:
                raise CommandError(f"option {self.option!r} has no amount; leave it out")
            option_settings: dict[str, object] = dict(option_values(self.option))
            if not self.on:
                if any(value is not True for value in option_settings.values()):
                    raise CommandError(
                        f"option {self.option!r} cannot be switched off, it is a choice; set the other side"
                    )
                option_settings = dict.fromkeys(option_settings, False)
            if self.amount is not None:
                option_settings[option.amount or ""] = self.amount
            for path, value in option_settings.items():
                set_value(draft, path, value)
            return label
        if "." not in self.option:
            raise CommandError(f"there is no option {self.option!r}{did_you_mean(self.option, book.options())}")
        if self.amount is not None:
            raise CommandError(f"{self.option!r} has no amount; use set-rule")
        current_value = value_at(draft, self.option)
        if not isinstance(current_value, bool):
            raise CommandError(f"{self.option!r} is not a switch, it is {current_value!r}; use set-rule")
        set_value(draft, self.option, self.on)
        return label


@command("rules")
class ChoosePreset(Command):
    """Start the rules from a preset; changes by the board's own rules are dropped (RB-V19).

    Rules that the same draft set before stay on top of the preset, so that the order of variants does not matter.
    """

    kind: Literal["choose-preset"] = "choose-preset"
    preset: Annotated[str, Field(min_length=1, max_length=50)]

    def edit(self, draft: Draft) -> str:
        """Set the preset, and drop the board's own rules."""
        try:
            preset(self.preset)
        except UnknownNameError as error:
            raise CommandError(str(error)) from error
        with draft.unstamped():
            base_settings = draft.base.table("settings")
            for key, row in list(draft.rows("settings", Setting).items()):
                if key.startswith(RULES) and base_settings.get(key) is row:
                    draft.drop("settings", key)
            draft.put("settings", "rules.preset", Setting(value=self.preset))
        return f"Rules: preset {self.preset}"


@command("rules")
class AddHouseRule(Command):
    """Add a house rule in words: no program plays by it, but the rule sheet and the board file have it."""

    kind: Literal["add-house-rule"] = "add-house-rule"
    title: HouseTitle
    text: HouseText

    def edit(self, draft: Draft) -> str:
        """Add the house rule to the list."""
        house_rules = _house_rules(draft)
        if any(rule["title"] == self.title for rule in house_rules):
            raise CommandError(
                f"there is a house rule {self.title!r} already; delete it first, or choose another title"
            )
        _set_house_rules(draft, [*house_rules, {"title": self.title, "text": self.text}], self.title, self.text)
        return f"Add house rule {self.title}"


@command("rules")
class DeleteHouseRule(Command):
    """Delete a house rule, by its title."""

    kind: Literal["delete-house-rule"] = "delete-house-rule"
    title: HouseTitle

    def edit(self, draft: Draft) -> str:
        """Drop the house rule from the list."""
        house_rules = _house_rules(draft)
        titles = [rule["title"] for rule in house_rules]
        if self.title not in titles:
            raise CommandError(f"there is no house rule {self.title!r}{did_you_mean(self.title, titles)}")
        _set_house_rules(draft, [rule for rule in house_rules if rule["title"] != self.title], self.title, GONE)
        return f"Delete house rule {self.title}"


def _house_rules(draft: Draft) -> list[dict[str, str]]:
    """Return the house rules as plain data."""
    current_value = value_at(draft, HOUSE)
    try:
        house_rules = House.model_validate({"words": current_value}).words
    except ValidationError as error:
        raise CommandError(f"rule {HOUSE!r} is not a list of house rules, each with title and text; fix it") from error
    return [{"title": rule.title, "text": rule.text} for rule in house_rules]


def _set_house_rules(draft: Draft, rules: list[dict[str, str]], title: str, text: str) -> None:
    """Set the house rules as an edit of one title, so that variants with other titles do not conflict."""
    spell_options_out(draft)
    draft.put_item("settings", f"{RULES}{HOUSE}", make_row(Setting, value=rules), ("value", title), text)


def spell_options_out(draft: Draft) -> None:
    """Replace the options of `board.toml` by the single rules that they set, so that one of these can change."""
    if OPTIONS not in draft.table("settings") or not has_files(draft):
        return
    try:
        rules = config_of(draft.document).rules
    except SourceError as error:
        raise CommandError("; ".join(error.problems)) from error
    preset_settings = preset_values(rules.preset)
    changed_values = {path: value for path, value in plain_values(rules).items() if value != preset_settings[path]}
    for key in [key for key in draft.table("settings") if key.startswith(RULES)]:
        draft.drop("settings", key)
    for path, value in {"preset": rules.preset, **changed_values}.items():
        draft.put("settings", f"{RULES}{path}", make_row(Setting, value=value))


def value_at(draft: Draft, path: str) -> object:
    """Return the value at a dotted path, as plain data.

    Raises:
        CommandError: There is no such setting; the nearest is offered.
    """
    changed_rules = rules_set(draft.rows("settings", Setting))
    if path in changed_rules:
        return changed_rules[path]
    if path == "preset":
        return rules_preset(draft.rows("settings", Setting))
    try:
        preset_value = get_setting(preset(rules_preset(draft.rows("settings", Setting))), path)
    except RulesError as error:
        raise CommandError(str(error)) from error
    if not isinstance(preset_value, BaseModel):
        return preset_value
    group_data: dict[str, Any] = preset_value.model_dump()
    for key, value in changed_rules.items():
        if key.startswith(f"{path}."):
            *groups, leaf_name = key.removeprefix(f"{path}.").split(".")
            current_group = group_data
            for group in groups:
                current_group = current_group[group]
            current_group[leaf_name] = value
    return group_data


def set_value(draft: Draft, path: str, value: object, *, was: object = None) -> None:
    """Set the value at a dotted path; in a group or table, only the values given.

    Raises:
        CommandError: There is no such setting, or it was another.
    """
    spell_options_out(draft)
    current_value = value_at(draft, path)
    if was is not None and _tuples_to_lists(current_value) != _tuples_to_lists(was):
        raise CommandError(f"rule {path!r} is {current_value!r}, not {was!r}; correct `was`")
    if isinstance(current_value, Mapping):
        if not isinstance(value, Mapping):
            raise CommandError(
                f"rule {path!r} is a group, not {value!r}; set one of {join_some(map(str, current_value))}"
            )
        with draft.unstamped():
            for leaf_path, leaf_value in flatten_nested(value).items():
                draft.put("settings", f"{RULES}{path}.{leaf_path}", make_row(Setting, value=leaf_value))
        draft.stamp("settings", f"{RULES}{path}")
        return
    if path == "preset":  # only the name changes: the rules in force stay
        board_rules = rules_set(draft.rows("settings", Setting))
        with draft.unstamped():
            for leaf_path, preset_value in preset_values(str(current_value)).items():
                if leaf_path not in board_rules:
                    draft.put("settings", f"{RULES}{leaf_path}", make_row(Setting, value=preset_value))
    draft.put("settings", f"{RULES}{path}", make_row(Setting, value=value))


def _tuples_to_lists(value: object) -> object:
    """Convert tuples to lists, at all depths."""
    if isinstance(value, (list, tuple)):
        return [_tuples_to_lists(item) for item in value]
    return {key: _tuples_to_lists(item) for key, item in value.items()} if isinstance(value, dict) else value
