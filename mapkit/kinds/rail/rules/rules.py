"""Rules of a board's game: every parameter, in groups, with presets.

`Rules()` is the Avalon Hill game. `Rules(preset="ici")` starts from another preset; whatever else is given,
down to a single cell of a table, goes on top. Rule ids such as `RB-F03` begin each field's description.
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Self, cast, get_args

from pydantic import Field, model_validator

from mapkit.core.base import Frozen
from mapkit.core.errors import RulesError, UnknownNameError, did_you_mean
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.house import House, HouseRule
from mapkit.kinds.rail.rules.money import (
    CLASSIC_GROUPS,
    Auction,
    Fees,
    Group,
    GroupPurchase,
    NetWorth,
    Options,
    PlayersTable,
    Purchase,
    TwoPlayers,
)
from mapkit.kinds.rail.rules.options import find_contradictions, missing_needs, option_settings, related_settings
from mapkit.kinds.rail.rules.paths import flatten_nested, merge_nested, nest_value
from mapkit.kinds.rail.rules.play import (
    Bonus,
    Count,
    Destinations,
    Engine,
    Information,
    Money,
    Movement,
    Percent,
    Players,
    Setup,
    Trigger,
    Winning,
)
from mapkit.kinds.rail.rules.tables import Preset

__all__ = [
    "CLASSIC_GROUPS",
    "PRESETS",
    "Auction",
    "Bonus",
    "Count",
    "Destinations",
    "Engine",
    "Fees",
    "Group",
    "GroupPurchase",
    "House",
    "HouseRule",
    "Information",
    "Money",
    "Movement",
    "NetWorth",
    "Options",
    "Percent",
    "Players",
    "PlayersTable",
    "Preset",
    "Purchase",
    "Rules",
    "Setup",
    "Trigger",
    "TwoPlayers",
    "Winning",
    "half_time",
    "preset",
]

PRESETS: tuple[Preset, ...] = get_args(Preset)
"""The names of the presets, the default first."""


class Rules(Frozen):
    """All parameters of the rules of a board's game; those that are not given come from `preset`."""

    preset: Preset = Field(
        default="ah",
        description="RB-V18, RB-V19: the rule set that these rules started from; ah-faq is tournament play",
    )
    setup: Setup = Field(default=Setup(), description="Players, what they start with, and homes")
    destinations: Destinations = Field(default=Destinations(), description="Rolling a destination")
    movement: Movement = Field(default=Movement(), description="Moving from milepost to milepost")
    bonus: Bonus = Field(default=Bonus(), description="The bonus roll")
    purchase: Purchase = Field(default=Purchase(), description="Buying on arrival")
    fees: Fees = Field(default=Fees(), description="What a turn's riding costs")
    auction: Auction = Field(default=Auction(), description="Raising cash for fees, and bankruptcy")
    information: Information = Field(default=Information(), description="What players must tell each other")
    winning: Winning = Field(default=Winning(), description="Declaring, rover play and winning")
    options: Options = Field(default=Options(), description="Options that can be switched on")
    group_purchase: GroupPurchase = Field(default=GroupPurchase(), description="Buying a merged group")
    net_worth: NetWorth = Field(default=NetWorth(), description="Winning by net worth")
    two_players: TwoPlayers = Field(default=TwoPlayers(), description="The imaginary third owner")
    house: House = Field(default=House(), description="House rules in the author's words")

    @model_validator(mode="before")
    @classmethod
    def _start_from_preset(cls, data: object) -> object:
        """Fill in settings that are not given from the preset."""
        if not isinstance(data, Mapping):
            return data
        given_data = cast("Mapping[str, object]", data)
        preset_name = given_data.get("preset", "ah")
        preset_data = _preset_data(preset_name if isinstance(preset_name, str) else "")
        option_names = given_data.get("options")
        if isinstance(option_names, str | int | float):
            raise ValueError(f"options is {option_names!r}: write a list of their names, such as ['half-time']")  # noqa: TRY004 - pydantic catches it
        if not isinstance(option_names, list | tuple):
            return merge_nested(preset_data, given_data)
        single_settings = {key: value for key, value in given_data.items() if key != "options"}
        try:
            switched_settings = option_settings(map(str, option_names), given=flatten_nested(single_settings))
        except RulesError as error:
            raise ValueError(str(error)) from error
        for path, value in switched_settings.items():
            preset_data = merge_nested(preset_data, nest_value(path, value))
        merged_data = merge_nested(preset_data, single_settings)
        missing_options = missing_needs(map(str, option_names), flatten_nested(merged_data))
        if missing_options:
            raise ValueError("\n".join(missing_options))
        return merged_data

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        problems = rule_problems(self)
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def superchief_price(self, players: int) -> int:
        """Return the price of SuperChief in currency units in a game of `players` (RB-P05, RB-V08)."""
        options = self.options
        price = options.superchief_prices.at(players) if options.superchief_by_players else None
        return self.purchase.superchief_price if price is None else price


def rule_problems(rules: Rules) -> list[str]:
    """Return the contradictions in rules, each message naming both sides; none in validated rules."""
    problems = []
    setup = rules.setup
    if setup.min_players > setup.max_players:
        problems.append(f"min_players is {setup.min_players}, more than max_players {setup.max_players}")
    setting_by_path = dict(zip(related_settings(), _related_getter()(rules), strict=True))
    problems += find_contradictions(setting_by_path | {"group_purchase.groups": rules.group_purchase.groups or None})
    group_by_member: dict[str, str] = {}
    for group in rules.group_purchase.groups:
        for member in group.members:
            if member in group_by_member:
                problems.append(
                    f"railroad {member!r} is in group {group_by_member[member]!r} and again in {group.name!r}"
                )
            group_by_member[member] = group.name
    return problems


def preset(name: str) -> Rules:
    """Return the rules of a preset: `ah`, `ici` or `ah-faq` (RB-V19).

    Raises:
        UnknownNameError: there is no preset of that name.
    """
    if name not in PRESETS:
        raise UnknownNameError(f"no rules preset {name!r}{did_you_mean(name, PRESETS)}; there are {', '.join(PRESETS)}")
    return Rules(preset=name)


def half_time(rules: Rules, *, extra_cash: int = 20_000) -> Rules:
    """Return `rules` with half-time play on (RB-V14): lookup, discount, upgrade, rich start, auctions.

    The extension of the B&O is not part of the bundle (D32): it changes the board. `extra_cash` is in
    currency units; the rules leave it to the players (RB-V12).

    Raises:
        pydantic.ValidationError: `extra_cash` is negative or absurd.
    """
    bundle_settings = {
        "software_lookup": True,
        "superchief_by_players": True,
        "free_upgrade": True,
        "extra_starting_cash": extra_cash,
        "opening_auctions": True,
    }
    options = Options.model_validate(rules.options.model_dump() | bundle_settings)
    return rules.model_copy(update={"options": options})


@cache
def _related_getter() -> Callable[[object], tuple[object, ...]]:
    """Return a getter of the settings that relations refer to."""
    return attrgetter(*related_settings())


@cache
def _preset_data(name: str) -> Mapping[str, object]:
    """Return all settings of a preset as nested data; of an unknown preset, the defaults."""
    preset_data: Mapping[str, object] = {
        key: field.default.model_dump()
        for key, field in Rules.model_fields.items()
        if isinstance(field.default, Frozen)
    }
    for path, value in book.preset_settings().get(name, {}).items():
        preset_data = merge_nested(preset_data, nest_value(path, value))
    return preset_data


@cache
def preset_values(name: str) -> Mapping[str, object]:
    """Return the settings of a preset by dotted path, except its name.

    Raises:
        UnknownNameError: There is none.
    """
    return plain_values(preset(name))


def plain_values(rules: Rules) -> dict[str, object]:
    """Return all settings of rules by dotted path, as plain data, except the preset's name."""
    return flatten_nested({key: value for key, value in rules.model_dump(mode="json").items() if key != "preset"})
