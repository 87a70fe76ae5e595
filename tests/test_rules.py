"""The rules model: complete, exact, and its presets differ only where the rule sets do."""

import json
import re
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from mapkit.core.errors import UnknownNameError
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules import rules as r
from mapkit.kinds.rail.rules.rules import Rules, half_time, preset

# Every number, table, choice, flag, option and preset of the rules. Not here, since they are the board's:
# list prices and charts (RB-C12 to RB-C14, RB-P01) and the extension of the B&O (RB-C23, RB-V15), a variant.
RULE_IDS = [
    "RB-C11", "RB-C15", "RB-C17", "RB-C18", "RB-C20",
    "RB-S01", "RB-S02", "RB-S04", "RB-S07", "RB-S08", "RB-S09", "RB-S11",
    "RB-D04", "RB-D08",
    "RB-M01", "RB-M02", "RB-M03", "RB-M07",
    "RB-B01", "RB-B02", "RB-B03", "RB-B04", "RB-B05", "RB-B07", "RB-B13",
    "RB-P03", "RB-P04", "RB-P05", "RB-P06", "RB-P07", "RB-P10",
    "RB-F02", "RB-F03", "RB-F04", "RB-F05", "RB-F06", "RB-F07", "RB-F08", "RB-F10", "RB-F11", "RB-F12",
    "RB-A02", "RB-A03", "RB-A05", "RB-A06", "RB-A08", "RB-A10", "RB-A11", "RB-A13", "RB-A14", "RB-A16",
    "RB-I01", "RB-I02", "RB-I04", "RB-I05",
    "RB-W01", "RB-W06", "RB-W10", "RB-W14", "RB-W21",
    "RB-V01", "RB-V02", "RB-V03", "RB-V04", "RB-V05", "RB-V06", "RB-V07", "RB-V08", "RB-V09",
    "RB-V10", "RB-V11", "RB-V12", "RB-V13", "RB-V14",
    "RB-V16", "RB-V17", "RB-V18", "RB-V19",
    "RB-T01", "RB-T02", "RB-T03", "RB-T06",
]  # fmt: skip

LIST_PRICES = {
    "acl": 12_000, "bo": 24_000, "cbq": 20_000, "co": 20_000, "gmo": 12_000, "gn": 17_000, "ic": 14_000,
    "ln": 18_000, "mp": 21_000, "np": 14_000, "nyc": 28_000, "nynhh": 4_000, "pa": 30_000, "sal": 14_000,
    "tp": 10_000,
}  # fmt: skip

# One row for each disagreement that changes a setting: where AH and ICI, and AH and AH with the FAQ, differ.
AH_ICI = {
    "fees.own": (1_000, 0),  # D01
    "setup.same_home": ("reroll", "allowed"),  # D02
    "setup.home_swap": (False, True),  # D03
    "bonus.superchief_timing": ("after-normal-move", "with-normal-roll"),  # D04
    "movement.thinking": ("forbidden", "allowed"),  # D05
    "auction.bid_rule": ("multiple-of-step", "at-least-step"),  # D07
    "auction.seller_ride": ("own-fee", "free"),  # D10
    "auction.bankrupt_cash": ("kept", "to-bank"),  # D11
    "fees.sell_out": ("all-bought-once", "bank-sold-out"),  # D12
    "information.announce_when": ("exceeded", "reached"),  # D13
    "information.announce_times": ("whenever", "once"),  # D13
    "information.home": ("unstated", "told"),  # RB-I04
    "information.cash_lies": ("unstated", "in-view"),  # RB-I05
    "winning.reuse_to_alternate": ("segments-heading-home", "segments-of-trip"),  # D14
    "options.superchief_prices.two": (None, 40_000),  # D17
    "setup.first_player": ("high-roll", "three-dice"),  # D19
    "setup.markers": ("both-chips-at-home", "chip-at-home-and-destination"),  # D20
    "setup.freight_card": (False, True),  # D21
    "setup.engine_titles": (6, None),  # D21
}
AH_FAQ = {
    "bonus.superchief_timing": ("after-normal-move", "either"),  # D04
    "movement.thinking": ("forbidden", "not-enforced"),  # D05
    "movement.take_back": ("never", "until-fees"),  # D06
    "auction.others_on_it": ("former-fee", "full-fee"),  # D09
    "fees.sell_out": ("all-bought-once", "bank-sold-out"),  # D12
    "information.announce_times": ("whenever", "once"),  # D13
}


def flat(value: Any, path: str = "") -> dict[str, Any]:
    """Return a dump as dotted path -> value."""
    if not isinstance(value, dict):
        return {path: value}
    return {k: v for key, part in value.items() for k, v in flat(part, f"{path}.{key}".lstrip(".")).items()}


def differences(one: Rules, other: Rules) -> dict[str, tuple[Any, Any]]:
    a, b = flat(one.model_dump()), flat(other.model_dump())
    assert a.keys() == b.keys()
    return {k: (a[k], b[k]) for k in a if a[k] != b[k] and k != "preset"}


def fields(model: type[BaseModel]) -> dict[str, str]:
    """Return dotted path -> description of every setting."""
    out: dict[str, str] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        part = isinstance(kind, type) and issubclass(kind, BaseModel) and kind is not r.PlayersTable
        if isinstance(kind, type) and issubclass(kind, BaseModel) and part:
            out |= {f"{name}.{k}": v for k, v in fields(kind).items()}
        else:
            out[name] = field.description or ""
    return out


def cited(description: str) -> list[str]:
    head = re.match(r"(RB-[A-Z]\d\d(?:, RB-[A-Z]\d\d)*): ", description)
    return head[1].split(", ") if head else []


def test_every_rule_is_a_setting_and_every_setting_names_its_rules() -> None:
    by_path = {path: cited(text) for path, text in fields(Rules).items()}
    assert [path for path, ids in by_path.items() if not ids] == ["house.words"]  # no rule of the printed game
    assert sorted({i for ids in by_path.values() for i in ids}) == sorted(RULE_IDS)


def test_amounts_of_money_say_their_unit() -> None:
    for path, value in flat(Rules().model_dump()).items():
        if isinstance(value, int) and value >= 500:
            text = fields(Rules)[re.sub(r"\.(two|three|four|five|six)$", "", path)]
            assert "currency units" in text, path


def test_the_figures() -> None:
    rules = Rules()
    figures = {
        "setup.starting_cash": 20_000,
        "setup.starting_engine": "freight",
        "setup.engine_titles": 6,
        "movement.dice": 2,
        "movement.segment_reuse": "once-per-trip",
        "bonus.freight": "double-six",
        "bonus.express": "any-double",
        "bonus.superchief": "always",
        "bonus.dice": 1,
        "bonus.rolls_per_turn": 1,
        "purchase.per_payoff": 1,
        "purchase.express_price": 4_000,
        "purchase.superchief_price": 40_000,
        "purchase.express_trade_in": 0,
        "fees.bank": 1_000,
        "fees.own": 1_000,
        "fees.opponent": 5_000,
        "fees.opponent_after_sell_out": 10_000,
        "auction.sell_back_percent": 50,
        "auction.opening_percent": 50,
        "auction.bid_step": 500,
        "information.announce_cash": 150_000,
        "winning.cash": 200_000,
        "winning.rover_payment": 50_000,
        "net_worth.announce_cash": 50_000,
        "two_players.first_gift_after": 4,
        "two_players.gift_every": 2,
        "two_players.fee_to_bank_percent": 50,
    }
    got = flat(rules.model_dump())
    assert {path: got[path] for path in figures} == figures
    assert rules.preset == "ah"


def test_options_are_off_by_default() -> None:
    switches = {
        "options.software_lookup", "options.superchief_by_players", "options.free_upgrade",
        "options.opening_auctions", "group_purchase.enabled", "net_worth.enabled", "two_players.third_owner",
    }  # fmt: skip
    for name in r.PRESETS:
        got = flat(preset(name).model_dump())
        assert not any(got[path] for path in switches)
        assert got["options.extra_starting_cash"] == 0


def test_tables_by_players_have_the_gaps_of_the_rules() -> None:
    ah, ici = Rules(), preset("ici")
    prices = [ah.options.superchief_prices.at(n) for n in range(1, 8)]
    assert prices == [None, None, 40_000, 36_000, 32_000, 28_000, None]
    assert [ici.options.superchief_prices.at(n) for n in range(2, 7)] == [
        40_000, 40_000, 36_000, 32_000, 28_000,
    ]  # fmt: skip
    for rules in (ah, ici):
        assert [rules.net_worth.target.at(n) for n in range(2, 7)] == [
            None, 300_000, 250_000, 225_000, 200_000,
        ]  # fmt: skip


def test_superchief_price_needs_the_option_and_falls_back_on_the_usual() -> None:
    assert [Rules().superchief_price(n) for n in (2, 6)] == [40_000, 40_000]
    on = Rules.model_validate({"options": {"superchief_by_players": True}, "purchase": {"superchief_price": 41_000}})
    assert [on.superchief_price(n) for n in (2, 3, 4, 5, 6)] == [41_000, 40_000, 36_000, 32_000, 28_000]


def test_a_group_costs_the_sum_of_its_members() -> None:
    groups = Rules().group_purchase.groups
    assert {g.name: g.price for g in groups} == {
        "Penn Central": 62_000,
        "Friendly": 44_000,
        "C & O": 44_000,
        "Burlington Northern": 51_000,
        "Illinois Central Gulf": 26_000,
        "MP and T & P": 31_000,
    }
    assert [g.price for g in groups] == [sum(LIST_PRICES[m] for m in g.members) for g in groups]
    assert sorted(m for g in groups for m in g.members) == sorted(LIST_PRICES)


def test_presets_differ_exactly_where_the_rule_sets_do() -> None:
    assert preset("ah") == Rules()
    assert differences(Rules(), preset("ici")) == AH_ICI
    assert differences(Rules(), preset("ah-faq")) == AH_FAQ
    assert r.PRESETS == get_args(r.Preset) == tuple(book.preset_titles()) == tuple(book.assumed())


def test_what_a_preset_assumes_is_a_setting() -> None:
    paths = fields(Rules).keys()
    for name in r.PRESETS:
        assert set(book.assumed()[name]) <= paths
    # What one text leaves open and the other sets have is in no doubt there.
    assert "auction.passing" in book.assumed()["ici"].keys() - book.assumed()["ah"].keys()
    assert "auction.bankrupt_cash" in book.assumed()["ah"].keys() - book.assumed()["ah-faq"].keys()


@pytest.mark.parametrize("name", r.PRESETS)
def test_round_trip_through_json(name: str) -> None:
    rules = half_time(preset(name))
    text = rules.model_dump_json()
    assert Rules.model_validate_json(text) == rules
    assert Rules.model_validate(json.loads(text)).model_dump_json() == text
    assert Rules.model_validate_json(preset(name).model_dump_json()) == preset(name)


def test_what_is_given_goes_on_top_of_the_preset() -> None:
    mine = Rules.model_validate(
        {"preset": "ici", "fees": {"own": 1_000}, "net_worth": {"target": {"two": 350_000}}, "setup": {}}
    )
    assert differences(preset("ici"), mine) == {
        "fees.own": (0, 1_000),
        "net_worth.target.two": (None, 350_000),
    }
    assert Rules(preset="ici", fees=r.Fees()).fees.own == 1_000


@given(
    name=st.sampled_from(r.PRESETS),
    cash=st.integers(0, 10**9),
    reuse=st.sampled_from(["once-per-trip", "unlimited"]),
    table=st.dictionaries(st.sampled_from(["two", "three", "six"]), st.none() | st.integers(0, 10**6)),
)
def test_only_what_is_given_changes(name: str, cash: int, reuse: str, table: dict[str, int | None]) -> None:
    changes = {
        "winning": {"cash": cash},
        "movement": {"segment_reuse": reuse},
        "options": {"superchief_prices": table},
    }
    got = Rules.model_validate({"preset": name} | changes)
    assert flat(got.model_dump()) == flat(preset(name).model_dump()) | flat(changes)
    assert Rules.model_validate_json(got.model_dump_json()) == got


def test_half_time_is_its_five_options_and_nothing_else() -> None:
    assert differences(Rules(), half_time(Rules())) == {
        "options.software_lookup": (False, True),
        "options.superchief_by_players": (False, True),
        "options.free_upgrade": (False, True),
        "options.extra_starting_cash": (0, 20_000),
        "options.opening_auctions": (False, True),
    }
    assert half_time(preset("ici"), extra_cash=10_000).options.extra_starting_cash == 10_000


def test_an_unknown_preset_offers_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"'ah-fax' \(did you mean 'ah-faq'\?\); there are ah, ici, ah-faq"):
        preset("ah-fax")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"preset": "boxcars"}, "preset"),
        ({"preset": 3}, "preset"),
        ({"fees": {"ownn": 0}}, "fees.ownn"),
        ({"fees": 3}, "fees"),
        ({"fees": {"own": -1}}, "fees.own"),
        ({"auction": {"bid_step": 0}}, "auction.bid_step"),
        ({"auction": {"opening_percent": 101}}, "auction.opening_percent"),
        ({"setup": {"max_players": 7}}, "setup.max_players"),
        ({"setup": {"min_players": 1}}, "setup.min_players"),
        ({"movement": {"die_sides": 1}}, "movement.die_sides"),
        ({"winning": {"cash": 10**9 + 1}}, "winning.cash"),
        ({"setup": {"min_players": 5, "max_players": 4}}, "min_players is 5, more than max_players 4"),
        (
            {"group_purchase": {"groups": [{"name": n, "members": ["pa", "bo"], "price": 1} for n in "AB"]}},
            "railroad 'pa' is in group 'A' and again in 'B'",
        ),
        ([], "Input should be"),
    ],
)
def test_bad_rules_are_refused(data: object, message: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(message)):
        Rules.model_validate(data)


def test_rules_never_change() -> None:
    rules = Rules()
    with pytest.raises(ValidationError):
        rules.fees = r.Fees(own=0)  # type: ignore[misc]
    assert hash(rules) == hash(Rules())
