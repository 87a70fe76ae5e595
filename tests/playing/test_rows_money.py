"""Purchases, groups, the third owner, raising cash and auctions, row by row (RB-P, RB-V, RB-T, RB-A)."""

import pytest
from positions import DALE, FIR, SPENDS, Position, Will, kinds, only

from mapkit.core.errors import GapError, RulesError
from mapkit.kinds.rail.playing.fees import hand_over, ride_railroad
from mapkit.kinds.rail.playing.money import (
    _auction_railroad,
    _count_purchase,
    _sell_back,
    buy_after_payoff,
    lowest_next_bid,
    run_auction,
    run_opening_auctions,
    settle_fees,
)
from mapkit.kinds.rail.playing.policies import SHIPPED, shipped_policy
from mapkit.kinds.rail.playing.state import BANK, GIFTS, NONE, PURCHASES, RAISED, WINNER
from mapkit.kinds.rail.playing.terms import UNLIMITED, make_terms
from mapkit.kinds.rail.rules.rules import Rules

FREIGHT, EXPRESS, SUPERCHIEF = range(3)
BIDS = Will(bids=1_000_000)
"""Bids all that he has."""
PASSES = Will()


def price(position: Position, now: int, wanted: int) -> int:
    position.state.engine[0] = now
    return position.engine_price(0, wanted)


def sells(position: Position, seller: int, railroad: str) -> tuple[int, list[tuple[str, int, int]]]:
    """Auction a railroad; return its new owner, and who bid what or passed."""
    number = position.railroad(railroad)
    if not _auction_railroad(position.track, position.state, position.terms, seller, number, position.minds):
        _sell_back(position.track, position.state, position.terms, seller, number)
    said = only(position.noted(), "bids", "passes", "no-bid")
    return int(position.state.owner[number]), [(e.does, e.player, e.two) for e in said]


def owe(position: Position, player: int, railroad: str) -> None:
    ride_railroad(position.state, position.terms, player, position.railroad(railroad))


# purchases


def test_p03_one_purchase_a_payoff_and_only_for_cash_on_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, SPENDS)
    position.state.cash[0] = 9_999
    position.owns(0, "blue")
    buy_after_payoff(position.track, position.state, position.terms, 0, position.minds)
    assert [(e.does, e.one, e.two) for e in position.noted()] == [("buys", position.railroad("green"), 8_000)]
    assert position.cash(0) == 1_999
    two = Position(monkeypatch, {"purchase": {"per_payoff": 2}})
    two.plays(0, SPENDS)
    buy_after_payoff(two.track, two.state, two.terms, 0, two.minds)
    assert [e.one for e in only(two.noted(), "buys")] == [two.railroad("red"), two.railroad("green")]


def test_p08_no_player_buys_what_the_cash_on_hand_does_not_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    monkeypatch.undo()  # the shipped players decide
    for name in SHIPPED:
        position.minds[0] = shipped_policy(name).weights()
        position.state.cash[0] = 3_999
        buy_after_payoff(position.track, position.state, position.terms, 0, position.minds)
    assert position.noted() == []
    position.minds[0] = shipped_policy("naive").weights()
    position.state.cash[0] = 10_000
    buy_after_payoff(position.track, position.state, position.terms, 0, position.minds)
    assert [(e.does, e.two) for e in position.noted()] == [("buys", 10_000)]


def test_p04_p05_p06_p07_prices_of_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    ah = Position(monkeypatch)
    assert [price(ah, FREIGHT, EXPRESS), price(ah, FREIGHT, SUPERCHIEF)] == [4_000, 40_000]
    assert price(ah, EXPRESS, SUPERCHIEF) == 40_000, "Express counts for nothing"
    assert price(ah, SUPERCHIEF, SUPERCHIEF) == price(ah, SUPERCHIEF, EXPRESS) == UNLIMITED
    assert price(ah, EXPRESS, EXPRESS) == price(ah, FREIGHT, FREIGHT) == UNLIMITED
    trade = Position(monkeypatch, {"purchase": {"express_trade_in": 2_000, "second_superchief": True}})
    assert price(trade, EXPRESS, SUPERCHIEF) == 38_000
    assert price(trade, SUPERCHIEF, SUPERCHIEF) == 40_000


def test_c15_an_engine_without_a_title_left_is_not_sold(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, Will(buys="express"))
    assert position.state.titles.tolist() == [6, 6, 6]
    buy_after_payoff(position.track, position.state, position.terms, 0, position.minds)
    assert position.state.titles[EXPRESS] == 5
    position.state.titles[:] = 0
    assert price(position, FREIGHT, EXPRESS) == price(position, FREIGHT, SUPERCHIEF) == UNLIMITED


def test_v08_the_price_of_superchief_falls_with_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {"options": {"superchief_by_players": True}, "setup": {"same_home": "allowed"}}
    prices = [Position(monkeypatch, rules, players=n).terms.superchief_price for n in (3, 4, 5, 6)]
    assert prices == [40_000, 36_000, 32_000, 28_000]


def test_v11_express_is_upgraded_free_as_a_purchase(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"options": {"free_upgrade": True}})
    assert price(position, FREIGHT, SUPERCHIEF) == 40_000
    position.plays(0, Will(buys="superchief"))
    position.state.engine[0], position.state.titles[EXPRESS] = EXPRESS, 5
    buy_after_payoff(position.track, position.state, position.terms, 0, position.minds)
    assert (position.state.engine[0], position.cash(0)) == (SUPERCHIEF, 20_000)
    assert position.state.titles.tolist() == [6, 6, 5]


def test_p09_buying_comes_before_fees_and_may_spend_the_fee_money(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, SPENDS)
    position.plays(1, PASSES)
    position.plays(2, PASSES)
    position.state.cash[0] = 5_500
    position.put(0, "ash", "dale")
    noted = position.turn(0, 1, 2)
    assert kinds(noted)[:3] == ["rolls", "arrives", "buys"]
    assert only(noted, "buys")[0].one == position.railroad("red")
    assert position.state.playing[0] == 1
    assert only(noted, "sells-back", "pays-bank")[0].does == "sells-back"


def test_p10_c11_public_railroads_are_never_sold_and_ridden_as_the_banks(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.terms.for_sale[position.railroad("red")] = 0
    position.plays(0, SPENDS)
    position.state.cash[0] = 100_000
    for _ in range(3):
        buy_after_payoff(position.track, position.state, position.terms, 0, position.minds)
    assert position.state.owner.tolist() == [0, 0, BANK]
    assert position.state.game[RAISED] == 1, "the bank holds no private railroad"
    owe(position, 1, "red")
    assert position.state.bank_due[0] == 1_000


def test_p11_three_railroads_at_most_in_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, SPENDS)
    position.state.cash[0] = 100_000
    position.put(0, "ash", "dale", at="dale")
    position.state.engine[0], position.state.due[0] = EXPRESS, 1
    noted = position.turn(0, *FIR, 3, 3, *DALE, 6)
    assert kinds(noted) == [
        "arrives", "buys", "region", "destination", "rolls", "arrives", "buys",
        "region", "destination", "bonus", "arrives", "buys", "fees-rise", "pays-bank",
    ]  # fmt: skip


def test_p14_buying_with_the_last_cash_then_auctioning_for_the_fee(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    red, blue = position.railroad("red"), position.railroad("blue")
    position.track.price[red] = 40_000  # stands for AT&SF
    position.track.price[blue] = 6_000  # for RF&P
    position.owns(0, "blue")
    position.plays(0, SPENDS)
    position.plays(1, BIDS)
    position.put(0, "ash", "dale")
    position.state.cash[0] = 40_000 - 4_500
    position.state.cash[1:3] = (3_400, 0)
    noted = position.turn(0, 1, 2)
    assert [(e.does, e.one) for e in only(noted, "buys", "auctioned")] == [("buys", red), ("auctioned", blue)]
    assert position.state.owner.tolist() == [1, BANK, 0]
    assert position.cash(0) == 0 + 3_000 - 1_000
    assert kinds(noted)[-1] == "pays-bank"


# groups


GROUP = {
    "group_purchase": {"enabled": True, "groups": [{"name": "Coast", "members": ("blue", "green"), "price": 13_000}]}
}


def test_v01_a_group_is_one_purchase_at_its_price_whatever_the_bank_holds_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for held, owners in (((), [0, 0, 1]), (("blue",), [2, 0, 1])):
        position = Position(monkeypatch, GROUP)
        position.owns(1, "red")
        position.owns(2, *held)
        position.plays(0, Will(buys="group"))
        buy_after_payoff(position.track, position.state, position.terms, 0, position.minds)
        assert position.cash(0) == 7_000
        assert position.state.owner.tolist() == owners
        assert position.state.game[PURCHASES] == 1


def test_v01_members_are_sold_alone_unless_a_setting_forbids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Position(monkeypatch, GROUP)
    assert [alone.sold_alone(r) for r in range(3)] == [True, True, True]
    never = {"group_purchase": {**GROUP["group_purchase"], "single_purchases": False}}
    together = Position(monkeypatch, never)
    assert [together.sold_alone(r) for r in range(3)] == [False, False, True]


# two players


PAIR = {"preset": "ici", "two_players": {"third_owner": True}}


def test_t01_t02_t03_t04_the_third_owner_is_given_a_random_railroad(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, PAIR, players=2)
    given = []
    for _ in range(8):
        position.will_draw(0)
        _count_purchase(position.track, position.state, position.terms, 1)
        given.append(len(only(position.noted(), "given")))
    assert given == [0, 0, 0, 1, 1, 2, 2, 3]
    assert position.state.owner.tolist() == [2, 2, 2]
    assert position.state.game[RAISED] == 1
    drawn = Position(monkeypatch, PAIR, players=2)
    drawn.owns(0, "blue")
    drawn.will_draw(1)
    _count_purchase(drawn.track, drawn.state, drawn.terms, 4)
    assert drawn.state.owner.tolist() == [0, BANK, 2], "the second of the two that the bank holds"
    none = Position(monkeypatch, PAIR, players=3)
    _count_purchase(none.track, none.state, none.terms, 8)
    assert only(none.noted(), "given") == [], "an option for two"


def test_t05_selling_back_takes_one_off_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, PAIR, players=2)
    position.owns(0, "blue")
    _count_purchase(position.track, position.state, position.terms, 3)
    _sell_back(position.track, position.state, position.terms, 0, position.railroad("blue"))
    _count_purchase(position.track, position.state, position.terms, 1)
    assert only(position.noted(), "given") == []
    _count_purchase(position.track, position.state, position.terms, 1)
    assert len(only(position.noted(), "given")) == 1


@pytest.mark.parametrize(("raised", "fee"), [(False, 5_000), (True, 10_000)])
def test_t06_half_the_third_owners_fee_goes_to_the_other_player(
    monkeypatch: pytest.MonkeyPatch,
    raised: bool,  # noqa: FBT001 - a case
    fee: int,
) -> None:
    position = Position(monkeypatch, PAIR, players=2)
    position.owns(2, "red")
    position.state.game[RAISED] = raised
    owe(position, 0, "red")
    settle_fees(position.track, position.state, position.terms, 0, position.minds)
    assert (position.cash(0), position.cash(1)) == (20_000 - fee, 20_000 + fee // 2)
    assert [(e.does, e.player, e.one) for e in position.noted()] == [
        ("pays-fee", 0, fee),
        ("gets-share", 1, fee // 2),
    ]


def test_t07_twenty_railroads_for_the_players_and_eight_for_the_third_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, PAIR, players=2)
    many = 28
    track = position.track._replace(serves=position.track.serves[[0] * many])
    track = track._replace(price=position.track.price[[0] * many])
    terms = position.terms._replace(for_sale=position.terms.for_sale[[0] * many])
    s = position.state
    s = s._replace(
        **{name: getattr(s, name)[[0] * many] for name in ("owner", "bought", "own_due", "sold_out_owner")},
        kept_fee=s.kept_fee[:, [0] * many],
    )
    bought = 0
    while BANK in s.owner:
        railroad = int((s.owner == BANK).argmax())
        s.bought[railroad] = 1
        hand_over(track, s, terms, railroad, bought % 2)
        bought += 1
        _count_purchase(track, s, terms, 1)
    assert (bought, int((s.owner == 2).sum()), int(s.game[GIFTS])) == (20, 8, 9)


# opening auctions


def test_v13_random_deeds_are_auctioned_one_for_each_player(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"options": {"opening_auctions": True}})
    position.will_draw(2, 0, 0)
    position.plays(1, BIDS)
    for player in (0, 2):
        position.plays(player, PASSES)
    position.state.cash[1] = 5_000
    run_opening_auctions(position.track, position.state, position.terms, 0, position.minds)
    assert [(e.does, e.one) for e in only(position.noted(), "auctioned", "no-bid")] == [
        ("auctioned", position.railroad("red")),
        ("no-bid", position.railroad("blue")),
        ("no-bid", position.railroad("green")),
    ]
    assert position.state.owner.tolist() == [BANK, BANK, 1], "what nobody wanted is the bank's"
    assert position.cash(1) == 0


# raising cash


def test_a01_a03_a04_a12_sales_only_for_fees_until_they_can_be_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    for player in range(3):
        position.plays(player, PASSES)
    position.owns(0, "blue", "green")
    position.owns(1, "red")
    position.state.cash[0] = 5_000
    owe(position, 0, "red")
    settle_fees(position.track, position.state, position.terms, 0, position.minds)
    assert kinds(position.noted()) == ["pays-fee"]
    position.state.cash[0] = 0
    owe(position, 0, "red")
    settle_fees(position.track, position.state, position.terms, 0, position.minds)
    assert [(e.does, e.one, e.two) for e in only(position.noted(), "sells-back")] == [
        ("sells-back", position.railroad("blue"), 3_000),
        ("sells-back", position.railroad("green"), 4_000),
    ]
    assert position.cash(0) == 3_000 + 4_000 - 5_000
    assert position.state.owner.tolist() == [BANK, BANK, 1]
    owe(position, 2, "blue")
    assert position.state.bank_due[0] == 1_000
    assert position.sold_alone(position.railroad("blue"))


def test_a02_engines_are_sold_only_where_a_setting_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for allowed, ends in ((False, ["bankrupt"]), (True, ["sells-engine", "pays-fee"])):
        position = Position(monkeypatch, {"auction": {"engines_for_sale": allowed}})
        position.owns(1, "red")
        position.state.cash[0], position.state.engine[0] = 0, SUPERCHIEF
        owe(position, 0, "red")
        settle_fees(position.track, position.state, position.terms, 0, position.minds)
        assert kinds(position.noted()) == ends
        assert position.state.engine[0] == (FREIGHT if allowed else SUPERCHIEF)
        assert position.cash(0) == (15_000 if allowed else 0)


@pytest.mark.parametrize(
    ("rule", "high", "least"),
    [
        ("at-least-step", 0, 4_250),
        ("at-least-step", 4_250, 4_750),
        ("multiple-of-step", 0, 4_500),
        ("multiple-of-step", 4_500, 5_000),
        ("multiple-of-step", 4_600, 5_000),
    ],
)
def test_a05_a06_the_first_bid_is_half_the_price_and_bids_rise(
    monkeypatch: pytest.MonkeyPatch, rule: str, high: int, least: int
) -> None:
    position = Position(monkeypatch, {"auction": {"bid_rule": rule}})
    assert lowest_next_bid(position.terms, high, 4_250) == least


def test_a07_a09_bids_go_round_from_the_sellers_left_up_to_the_cash_on_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    for player in range(3):
        position.plays(player, BIDS)
    position.owns(1, "red")
    position.state.cash[:3] = (5_600, 0, 6_200)
    owner, said = sells(position, 1, "red")
    assert said == [
        ("bids", 2, 5_000),
        ("bids", 0, 5_500),
        ("bids", 2, 6_000),
        ("passes", 0, 0),
    ]
    assert owner == 2
    assert position.state.cash.tolist() == [5_600, 6_000, 200, 0]


@pytest.mark.parametrize(("passing", "asked"), [("may-return", 2), ("out", 1)])
def test_a08_who_passed_may_bid_again_or_is_out(monkeypatch: pytest.MonkeyPatch, passing: str, asked: int) -> None:
    position = Position(monkeypatch, {"auction": {"passing": passing}}, players=4)
    for player in range(4):
        position.plays(player, BIDS)
    position.plays(1, PASSES)
    position.state.cash[:4] = (0, 9_000, 5_500, 6_000)
    run_auction(position.track, position.state, position.terms, 0, position.railroad("red"), 1, position.minds)
    assert [e.player for e in only(position.noted(), "passes")].count(1) == asked
    assert [(e.player, e.two) for e in only(position.noted(), "bids")] == [(2, 5_000), (3, 5_500)]


def test_a10_a11_without_a_bid_the_bank_buys_what_is_offered_at_half(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    for player in range(3):
        position.plays(player, PASSES)
    position.owns(0, "red")
    owner, said = sells(position, 0, "red")
    assert (owner, said[-1]) == (BANK, ("no-bid", 0, 0))
    assert position.cash(0) == 25_000


@pytest.mark.parametrize(("kept", "rest"), [("to-bank", 0), ("kept", 900)])
def test_a15_a16_bankrupt_when_nothing_is_left_to_sell_and_no_creditor_is_paid(
    monkeypatch: pytest.MonkeyPatch, kept: str, rest: int
) -> None:
    position = Position(monkeypatch, {"auction": {"bankrupt_cash": kept}})
    position.owns(1, "red")
    position.state.cash[0] = 900
    owe(position, 0, "red")
    settle_fees(position.track, position.state, position.terms, 0, position.minds)
    assert (position.cash(0), position.cash(1), position.state.playing[0]) == (rest, 20_000, 0)
    assert position.state.game[WINNER] == NONE


def test_a17_the_last_player_left_wins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.owns(1, "red", "green", "blue")
    position.state.playing[2] = 0
    position.state.cash[0] = 0
    position.put(0, "ash", "dale")
    noted = position.turn(0, 1, 1)
    assert kinds(noted) == ["rolls", "bankrupt"]
    assert position.state.game[WINNER] == 1


# gaps


def test_v09_what_no_source_gives_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Position(monkeypatch).board
    rules = Rules.model_validate({"net_worth": {"enabled": True}, "setup": {"same_home": "allowed"}})
    with pytest.raises(GapError, match=r"net_worth\.target has no figure for 2 players"):
        make_terms(board, rules, 2)
    assert [make_terms(board, rules, n).net_worth for n in (3, 4, 5, 6)] == [300_000, 250_000, 225_000, 200_000]


@pytest.mark.parametrize("players", [1, 7])
def test_c20_other_numbers_of_players_are_refused(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    board = Position(monkeypatch).board
    with pytest.raises(RulesError, match=f"{players} players: these rules are for 2 to 6"):
        make_terms(board, board.rules, players)
