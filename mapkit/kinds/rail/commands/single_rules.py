"""Commands of single rules: setting them, switching options, starting from a preset."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from mapkit.core.errors import RulesError, SourceError, UnknownNameError, did_you_mean
from mapkit.document.document import Setting, row_of
from mapkit.document.draft import GONE
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import has_files
from mapkit.kinds.rail.compiler.settings import RULES, rules_preset, rules_set
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.house import House, HouseText, HouseTitle
from mapkit.kinds.rail.rules.options import switches
from mapkit.kinds.rail.rules.paths import flattened, get_setting
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
        """Plan it."""
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
        """Plan it."""
        label = f"Switch {self.option} {'on' if self.on else 'off'}"
        if self.option in book.options():
            self._switch(draft)
            return label
        if "." not in self.option:
            raise CommandError(f"there is no option {self.option!r}{did_you_mean(self.option, book.options())}")
        if self.amount is not None:
            raise CommandError(f"{self.option!r} has no amount; use set-rule")
        now = value_at(draft, self.option)
        if not isinstance(now, bool):
            raise CommandError(f"{self.option!r} is not a switch, it is {now!r}; use set-rule")
        set_value(draft, self.option, self.on)
        return label

    def _switch(self, draft: Draft) -> None:
        """Set what an option of the rules stands for."""
        option = book.options()[self.option]
        if self.amount is not None and option.amount is None:
            raise CommandError(f"option {self.option!r} has no amount; leave it out")
        settings: dict[str, object] = dict(switches(self.option))
        if not self.on:
            if any(value is not True for value in settings.values()):
                raise CommandError(f"option {self.option!r} cannot be switched off, it is a choice; set the other side")
            settings = dict.fromkeys(settings, False)
        if self.amount is not None:
            settings[option.amount or ""] = self.amount
        for path, value in settings.items():
            set_value(draft, path, value)


@command("rules")
class ChoosePreset(Command):
    """Start the rules from a preset; what the board's own rules changed is dropped (RB-V19).

    A preset is laid under what the same draft set before, so that the order of variants does not matter.
    """

    kind: Literal["choose-preset"] = "choose-preset"
    preset: Annotated[str, Field(min_length=1, max_length=50)]

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        try:
            preset(self.preset)
        except UnknownNameError as error:
            raise CommandError(str(error)) from error
        with draft.unstamped():
            own = draft.base.table("settings")
            for key, row in list(draft.rows("settings", Setting).items()):
                if key.startswith(RULES) and own.get(key) is row:
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
        """Plan it."""
        rules = _house_rules(draft)
        if any(rule["title"] == self.title for rule in rules):
            raise CommandError(
                f"there is a house rule {self.title!r} already; delete it first, or choose another title"
            )
        _set_house_rules(draft, [*rules, {"title": self.title, "text": self.text}], self.title, self.text)
        return f"Add house rule {self.title}"


@command("rules")
class DeleteHouseRule(Command):
    """Delete a house rule, by its title."""

    kind: Literal["delete-house-rule"] = "delete-house-rule"
    title: HouseTitle

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        rules = _house_rules(draft)
        titles = [rule["title"] for rule in rules]
        if self.title not in titles:
            raise CommandError(f"there is no house rule {self.title!r}{did_you_mean(self.title, titles)}")
        _set_house_rules(draft, [rule for rule in rules if rule["title"] != self.title], self.title, GONE)
        return f"Delete house rule {self.title}"


def _house_rules(draft: Draft) -> list[dict[str, str]]:
    """Return the house rules as plain data."""
    found = value_at(draft, HOUSE)
    try:
        rules = House.model_validate({"words": found}).words
    except ValidationError as error:
        raise CommandError(f"rule {HOUSE!r} is not a list of house rules, each with title and text; fix it") from error
    return [{"title": rule.title, "text": rule.text} for rule in rules]


def _set_house_rules(draft: Draft, rules: list[dict[str, str]], title: str, text: str) -> None:
    """Set the house rules, of which the one of a title differs: variants that name other titles do not contradict."""
    spell_options_out(draft)
    draft.put_item("settings", f"{RULES}{HOUSE}", row_of(Setting, value=rules), ("value", title), text)


def spell_options_out(draft: Draft) -> None:
    """Write the options that `board.toml` names as the single rules that they set, so that one of these can change."""
    if OPTIONS not in draft.table("settings") or not has_files(draft):
        return
    try:
        rules = config_of(draft.document).rules
    except SourceError as error:
        raise CommandError("; ".join(error.problems)) from error
    usual = preset_values(rules.preset)
    values = {path: value for path, value in plain_values(rules).items() if value != usual[path]}
    for key in [key for key in draft.table("settings") if key.startswith(RULES)]:
        draft.drop("settings", key)
    for path, value in {"preset": rules.preset, **values}.items():
        draft.put("settings", f"{RULES}{path}", row_of(Setting, value=value))


def value_at(draft: Draft, path: str) -> object:
    """Return the value at a dotted path, as plain data.

    Raises:
        CommandError: There is no such setting; the nearest is offered.
    """
    given = rules_set(draft.rows("settings", Setting))
    if path in given:
        return given[path]
    if path == "preset":
        return rules_preset(draft.rows("settings", Setting))
    try:
        found = get_setting(preset(rules_preset(draft.rows("settings", Setting))), path)
    except RulesError as error:
        raise CommandError(str(error)) from error
    if not isinstance(found, BaseModel):
        return found
    data: dict[str, Any] = found.model_dump()
    for key, value in given.items():
        if key.startswith(f"{path}."):
            *groups, leaf = key.removeprefix(f"{path}.").split(".")
            at = data
            for group in groups:
                at = at[group]
            at[leaf] = value
    return data


def set_value(draft: Draft, path: str, value: object, *, was: object = None) -> None:
    """Set what stands at a dotted path; of a group or table, what is given.

    Raises:
        CommandError: There is no such setting, or it was another.
    """
    spell_options_out(draft)
    now = value_at(draft, path)
    if was is not None and _plain(now) != _plain(was):
        raise CommandError(f"rule {path!r} is {now!r}, not {was!r}; correct `was`")
    if isinstance(now, Mapping):
        if not isinstance(value, Mapping):
            raise CommandError(f"rule {path!r} is a group, not {value!r}; set one of {', '.join(map(str, now))}")
        with draft.unstamped():
            for leaf, one in flattened(value).items():
                draft.put("settings", f"{RULES}{path}.{leaf}", row_of(Setting, value=one))
        draft.stamp("settings", f"{RULES}{path}")
        return
    if path == "preset":  # the name alone: what the board plays by stays
        own = rules_set(draft.rows("settings", Setting))
        with draft.unstamped():
            for leaf, usual in preset_values(str(now)).items():
                if leaf not in own:
                    draft.put("settings", f"{RULES}{leaf}", row_of(Setting, value=usual))
    draft.put("settings", f"{RULES}{path}", row_of(Setting, value=value))


def _plain(value: object) -> object:
    """Return lists for tuples, all the way down."""
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value
