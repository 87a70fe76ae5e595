"""Where the presets of the rules differ, and where their texts leave a gap.

The defaults of the models are the preset `ah`. D numbers are the rows where the rule sets disagree, G numbers
what no source gives.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Preset = Literal["ah", "ici", "ah-faq"]
"""Avalon Hill, Intersystem Concepts, and Avalon Hill with the rulings of the FAQ (tournament play)."""

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "ah": "Avalon Hill",
        "ici": "Intersystem Concepts",
        "ah-faq": "Avalon Hill with the tournament rulings",
    }
)
"""The name of each preset."""

CHANGES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "ah": MappingProxyType({}),
        "ici": MappingProxyType(
            {
                "fees.own": 0,  # D01
                "setup.same_home": "allowed",  # D02
                "setup.home_swap": True,  # D03
                "bonus.superchief_timing": "with-normal-roll",  # D04
                "movement.thinking": "allowed",  # D05
                "auction.bid_rule": "at-least-step",  # D07
                "auction.seller_ride": "free",  # D10
                "auction.bankrupt_cash": "to-bank",  # D11
                "fees.sell_out": "bank-sold-out",  # D12
                "information.announce_when": "reached",  # D13
                "information.announce_times": "once",  # D13
                "winning.reuse_to_alternate": "segments-of-trip",  # D14
                "options.superchief_prices.two": 40_000,  # D17
                "setup.first_player": "three-dice",  # D19
                "setup.markers": "chip-at-home-and-destination",  # D20
                "setup.freight_card": True,  # D21
                "setup.engine_titles": None,  # D21
            }
        ),
        "ah-faq": MappingProxyType(
            {
                "bonus.superchief_timing": "either",  # D04
                "movement.thinking": "not-enforced",  # D05
                "movement.take_back": "until-fees",  # D06
                "auction.others_on_it": "full-fee",  # D09
                "fees.sell_out": "bank-sold-out",  # D12
                "information.announce_times": "once",  # D13
            }
        ),
    }
)
"""For each preset, dotted path of a setting -> its value where that is not the default."""

_OPEN = {
    "setup.reroll_ties": "G02",
    "group_purchase.single_purchases": "G02",
    "net_worth.undeclared_by": "D34",
    "options.extra_starting_cash": "RB-V12: agreed by the players",
}
_AH_OPEN = _OPEN | {"setup.min_players": "G03", "setup.first_player": "D19: high roll, dice not named"}

ASSUMED: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "ah": MappingProxyType(
            _AH_OPEN
            | {
                "auction.others_on_it": "D09: follows from RB-F11",
                "auction.seller_ride": "D10: follows from RB-F03, RB-F09 and RB-F14",
                "auction.bankrupt_cash": "D11: as the FAQ",
                "purchase.public_for_sale": "D22: as ICI",
                "winning.bonus_pending_at_home": "D16: as the FAQ",
                "winning.same_alternate_loses_turn": "D15: as the FAQ",
            }
        ),
        "ici": MappingProxyType(
            _OPEN
            | {
                "auction.passing": "D08: as AH",
                "information.announce_times": "D13: follows from `on reaching`",
                "setup.engine_titles": "RB-C15: no figure",
            }
        ),
        "ah-faq": MappingProxyType(_AH_OPEN | {"purchase.public_for_sale": "D22: as ICI"}),
    }
)
"""For each preset, dotted path of a setting that its texts leave open -> why it has its value."""
