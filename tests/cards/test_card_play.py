"""The card game carried out: every procedure of the rules, by the row that states it, and every worked example."""

import numpy as np
import pytest
from cardgames import (
    at_stock_round,
    certificate,
    changed,
    face,
    game,
    holding,
    investor,
    line,
    operating,
    play,
    started,
    terms,
)
from cardgames import play_game as played
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.core.errors import BoardError
from mapkit.kinds.cards.playing import market, railroads
from mapkit.kinds.cards.playing.match import play_steps, players_by_seat
from mapkit.kinds.cards.playing.moves import begin_game, carry_out, legal_moves
from mapkit.kinds.cards.playing.players import (
    PLAYERS,
    Weights,
    after_trade,
    estimate_advantage,
    holding_stake,
    judge_trades,
)
from mapkit.kinds.cards.playing.state import AT_HOLDING, BANK, OUT, POOL, GameState, Phase, money_in, player_worth
from mapkit.kinds.cards.playing.terms import Move, compile_terms

MARLEY, SEEDY, MCGREED = holding("marley"), holding("seedy"), holding("mcgreed")


def kinds(state: GameState) -> set[str]:
    return {move.kind for move in legal_moves(terms(), state)}


# Money and ownership


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(("barons", "caminhos")))
def test_m02_money_is_neither_made_nor_lost(seed: int, name: str) -> None:
    """Players, holdings and the bank together always have as much; nobody owes anything."""
    for count, (_, state) in enumerate(play_steps(terms(name), ("random", "greedy"), seed, 0)):
        assert money_in(state) == 0
        assert min(*state.cash, *state.till) >= 0
        for at, _one in enumerate(state.line):
            assert state.share[0][at] + state.share[1][at] <= 100
        if count > 400:
            break


def test_m02_cash_of_a_holding_stays_with_it_when_its_director_changes() -> None:
    state = started("marley", more="marley-10")
    before, till = state.cash[:], state.till[MARLEY]
    play(state, Move("buy", certificate("marley-30")), Move("pass"), Move("buy", certificate("marley-20")))
    assert state.boss[MARLEY] == 0, "50 against 50: whoever had it first"
    play(state, Move("sell", certificate("marley-10")), Move("done"))
    assert (state.boss[MARLEY], state.till[MARLEY]) == (1, till)
    assert before != state.cash


def test_m07_dividends_are_paid_on_stock_of_players_only() -> None:
    state = play(operating(rails=("c-3",)), Move("place", 0, 0))
    before = state.cash[:]
    play(state, Move("pay"))
    assert [after - one for after, one in zip(state.cash, before, strict=True)] == [56, 0], "70 % of 80"


def test_m08_a_holding_without_a_railroad_operates() -> None:
    state = play(operating(), Move("place", 0, 1))
    assert (state.phase, railroads.holding_revenue(terms(), state, MARLEY)) == (Phase.PURCHASES, 0)


def test_m09_a_railroad_belongs_to_one_holding() -> None:
    state = play(operating(till=1000), Move("place", 0, 2), Move("railroad", face("a-2")))
    assert [len(own) for own in state.rails] == [1, 0, 0, 0, 0]


def test_m10_a_player_may_direct_every_holding() -> None:
    state = at_stock_round(cash=9000)
    for name in ("marley", "seedy", "rice", "picable", "mcgreed"):
        play(state, Move("start", holding(name), line(70)), Move("pass"))
    assert state.boss == [0] * 5


# Setup and draft


def test_s01_one_picks_and_values_and_the_other_chooses() -> None:
    state = begin_game(terms())
    assert (state.phase, state.actor) == (Phase.OFFER, 0)
    play(state, Move("offer", investor("i40"), 45))
    assert (state.phase, state.actor) == (Phase.CHOICE, 1)
    play(state, Move("money"))
    assert state.cash == [200, 245]
    assert state.backer[investor("i40")] == 0


def test_s02_with_face_values_only_those_may_be_named() -> None:
    face_value = changed("setup", bids="face")
    assert [move.b for move in legal_moves(face_value, begin_game(face_value))] == [30, 40, 50, 60, 450]


def test_s03_players_pick_in_the_order_a_b_b_a() -> None:
    state, order = begin_game(terms()), []
    while state.phase in (Phase.OFFER, Phase.CHOICE):
        if state.phase == Phase.OFFER:
            order.append(state.actor)
        carry_out(terms(), state, legal_moves(terms(), state)[0])
    assert order == [0, 1, 1, 0]


def drafted(*names: str) -> GameState:
    """Return the game after a draft in which nobody wants the money."""
    state = begin_game(terms())
    for name in names:
        play(state, Move("offer", investor(name), 0), Move("investor"))
    return state


def test_s04_both_get_the_face_value_of_the_last_investor() -> None:
    state = drafted("i30", "i40", "i50", "i450")
    assert state.cash == [260, 260]
    assert state.backer[investor("i60")] == OUT


def test_s05_certificate_and_railroad_go_back_if_the_450_investor_is_left() -> None:
    state = drafted("i30", "i40", "i50", "i60")
    assert state.owner[certificate("marley-40")] == BANK
    assert state.line[MARLEY] == -1
    assert len(state.stack) == 28
    taken = drafted("i450", "i40", "i50", "i60")
    assert (taken.owner[certificate("marley-40")], taken.boss[MARLEY], taken.line[MARLEY]) == (1, 1, line(100))
    assert (taken.rails[MARLEY], len(taken.stack)) == ([face("a-2")], 27)
    assert taken.cash == [230, 230]


def test_s06_player_a_has_the_priority_deal() -> None:
    state = drafted("i40", "i50", "i60", "i450")
    assert (state.phase, state.actor) == (Phase.STOCK, 0)


def test_s07_everything_lies_on_the_table_at_the_start() -> None:
    state = begin_game(terms())
    assert set(state.owner) == {BANK}
    assert set(state.backer) == {POOL}
    assert state.line == [-1] * 5


def test_c28_the_priority_deal_is_switched_once() -> None:
    state = drafted("i30", "i40", "i50", "i60")
    assert (state.phase, state.actor, kinds(state)) == (Phase.PRIORITY, 1, {"go-on", "switch"})
    play(state, Move("switch", investor("i30")))
    assert (state.phase, state.actor) == (Phase.STOCK, 1)
    play(state, Move("pass"), Move("pass"))
    assert state.phase == Phase.STOCK, "it cannot be switched again"


# Rounds


def test_r01_a_stock_round_two_operating_rounds_and_the_top_card_goes() -> None:
    state = play(operating(till=0), Move("place", 0, 0), Move("end"))
    assert (state.phase, state.sequence, len(state.stack)) == (Phase.OPERATORS, 1, 28)
    play(state, Move("place", 0, 0), Move("end"))
    assert (state.phase, state.sequence, len(state.stack)) == (Phase.STOCK, 2, 27)


def test_r02_a_removed_card_counts_as_a_purchase_at_its_lower_level() -> None:
    state = operating("marley", rails=("a-2", "c-3"))
    state.stack = [4]  # category E, level 4
    railroads.remove_top(terms(), state)
    assert (state.rails[MARLEY], state.reached) == ([face("c-3")], 4)
    other = operating("marley", rails=("a-2",))
    other.stack = [3]  # category D, level 3 or 4
    railroads.remove_top(terms(), other)
    assert (other.rails[MARLEY], other.reached) == ([face("a-2")], 3)
    higher = changed("disputes", removed="higher")
    other.stack = [3]
    railroads.remove_top(higher, other)
    assert other.rails[MARLEY] == []


def test_r03_a_turn_is_sales_and_then_a_purchase_or_one_of_them_or_a_pass() -> None:
    state = started("marley", more="marley-10")
    play(state, Move("pass"))
    assert {"sell", "buy", "start", "pass"} <= kinds(state)
    play(state, Move("sell", certificate("marley-10")))
    assert state.actor == 0
    assert "pass" not in kinds(state)
    assert {"start", "done"} <= kinds(state)
    play(state, Move("start", SEEDY, line(70)))
    assert state.actor == 1, "one purchase ends the turn"


def test_r04_a_stock_round_ends_when_both_pass_in_a_row() -> None:
    state = play(at_stock_round(), Move("pass"), Move("start", MARLEY, line(70)), Move("pass"))
    assert state.phase == Phase.STOCK
    play(state, Move("pass"))
    assert (state.phase, state.sequence) == (Phase.STOCK, 2), "no holding operates, so the next sequence begins"


def test_r05_the_priority_deal_goes_to_who_did_not_deal_last() -> None:
    state = play(at_stock_round(), Move("start", MARLEY, line(70)), Move("pass"), Move("pass"))
    assert (state.priority, state.actor) == (1, 1)
    play(state, Move("pass"), Move("pass"))
    assert state.priority == 1, "nobody dealt: it stays"


def ending(of_end: str) -> GameState:
    state = operating(rails=("c-3",))
    state.line[MARLEY] = terms().end - 1
    return play(state, Move("place", 0, 0), Move("pay"), Move("end"), of=changed("disputes", end=of_end))


def test_r06_the_game_ends_with_the_running_operating_round() -> None:
    assert ending("running").phase == Phase.OVER
    pair = ending("pair")
    assert (pair.phase, pair.final) == (Phase.OPERATORS, True)
    play(pair, Move("place", 0, 0), Move("pay"), Move("end"), of=changed("disputes", end="pair"))
    assert pair.phase == Phase.OVER


def test_r07_shares_and_own_cash_decide() -> None:
    state = started("marley", more="marley-30")
    assert player_worth(terms(), state, 0) == 2000, "700 in shares at 100, 1,300 in cash; nothing of the holding's own"
    state.line[MARLEY] = line(110)
    assert (player_worth(terms(), state, 0), player_worth(terms(), state, 1)) == (2070, 2000)


# Selling


def test_l01_stock_is_sold_to_the_bank_at_its_value() -> None:
    state = play(started("marley", more="marley-30"), Move("pass"))
    cash = state.cash[0]
    play(state, Move("sell", certificate("marley-30")))
    assert (state.cash[0] - cash, state.owner[certificate("marley-30")]) == (300, BANK)


def test_l02_a_certificate_is_exchanged_for_a_smaller_one() -> None:
    state = play(started("marley", more="marley-30"), Move("pass"))
    cash = state.cash[0]
    play(state, Move("swap-down", certificate("marley-30"), certificate("marley-10")))
    assert (state.cash[0] - cash, state.share[0][MARLEY]) == (200, 50)
    assert state.line[MARLEY] == line(90), "it is a sale of the Director"


def test_l03_several_holdings_are_sold_in_one_turn() -> None:
    state = started("marley", more="marley-30")
    play(state, Move("start", SEEDY, line(90)), Move("buy", certificate("seedy-30")), Move("pass"))
    cash = state.cash[0]
    play(state, Move("sell", certificate("marley-30")), Move("sell", certificate("seedy-30")))
    assert state.cash[0] - cash == 300 + 270
    assert (state.line[MARLEY], state.line[SEEDY]) == (line(90), line(90)), "player B directs Seedy"


def test_l04_the_directors_certificate_is_sold_only_if_the_other_has_as_much() -> None:
    state = play(started("marley", more="marley-10"), Move("pass"))
    assert not market.may_sell(terms(), state, 0, certificate("marley-40"))
    play(state, Move("pass"))
    other = started("marley")
    play(other, Move("buy", certificate("marley-30")), Move("pass"), Move("buy", certificate("marley-10")))
    assert market.may_sell(terms(), other, 0, certificate("marley-40"))
    play(other, Move("sell", certificate("marley-40")))
    assert (other.boss[MARLEY], other.owner[certificate("marley-40")]) == (1, 1)
    assert [other.share[player][MARLEY] for player in (0, 1)] == [0, 40]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_l05_somebody_always_has_as_much_as_the_directors_certificate(seed: int) -> None:
    for count, (_, state) in enumerate(play_steps(terms(), ("random",) * 2, seed, 0)):
        for at, on in enumerate(state.line):
            if on >= 0:
                assert max(state.share[0][at], state.share[1][at]) >= 40
                assert state.share[state.boss[at]][at] >= state.share[1 - state.boss[at]][at]
        if count > 300:
            break


def test_l06_a_director_who_sells_lowers_the_value_once_whatever_the_amount() -> None:
    state = started("marley", more="marley-30")
    play(state, Move("pass"), Move("buy", certificate("marley-10")), Move("pass"))
    cash = state.cash[0]
    play(state, Move("sell", certificate("marley-30")), Move("sell", certificate("marley-10")))
    assert (state.cash[0] - cash, state.line[MARLEY]) == (400, line(90)), "both at 100"


def test_l07_a_sale_of_somebody_else_leaves_the_value() -> None:
    state = started("marley")
    play(state, Move("buy", certificate("marley-30")), Move("pass"), Move("sell", certificate("marley-30")))
    assert state.line[MARLEY] == line(100)


def test_m05_the_bank_takes_no_more_than_sixty_per_cent_of_an_operating_holding() -> None:
    state = started("marley", more="marley-30")
    play(state, Move("pass"), Move("sell", certificate("marley-30")), Move("done"))
    assert state.floated[MARLEY]
    assert market.bank_percent(state, MARLEY) == 60
    assert not market.has_bank_room(terms(), state, MARLEY, 10)


# Buying and starting


def test_b01_one_certificate_of_the_bank_a_turn() -> None:
    state = started("marley")
    play(state, Move("buy", certificate("marley-30")))
    assert state.actor == 0
    assert Move("buy", certificate("marley-30")) not in legal_moves(terms(), state)


def test_b02_the_directors_certificate_is_the_first() -> None:
    state = at_stock_round()
    assert {move.kind for move in legal_moves(terms(), state)} == {"start", "pass"}
    play(state, Move("start", MARLEY, line(70)))
    names = [terms().shares[move.a].id for move in legal_moves(terms(), state) if move.kind == "buy"]
    assert names == ["marley-30", "marley-20", "marley-10"]


def test_b03_a_certificate_costs_its_parts() -> None:
    state = started("marley", 90)
    play(state, Move("buy", certificate("marley-30")))
    assert state.cash[1] == 2000 - 270


def test_b04_a_certificate_is_exchanged_for_a_larger_one() -> None:
    state = started("marley", more="marley-10")
    play(state, Move("pass"), Move("swap-up", certificate("marley-10"), certificate("marley-30")))
    assert (state.cash[0], state.share[0][MARLEY]) == (2000 - 400 - 100 - 200, 70)
    assert state.actor == 1


def test_b05_ten_per_cent_at_100_are_twenty_for_100_more() -> None:
    """The printed example: 200, or 100 and the certificate of 10 per cent."""
    state = started("marley", more="marley-10")
    play(state, Move("pass"))
    cash = state.cash[0]
    assert market.certificate_price(terms(), state, certificate("marley-20")) == 200
    play(state, Move("swap-up", certificate("marley-10"), certificate("marley-20")))
    assert cash - state.cash[0] == 100


def test_b06_what_was_sold_is_not_bought_again_in_the_round() -> None:
    state = started("marley", more="marley-10")
    play(state, Move("pass"), Move("sell", certificate("marley-10")), Move("done"), Move("pass"))
    assert not any(
        terms().shares[move.a].holding == MARLEY for move in legal_moves(terms(), state) if move.kind == "buy"
    )
    play(state, Move("pass"), Move("place", 0, 0), Move("end"), Move("place", 0, 0), Move("end"))
    assert state.phase == Phase.STOCK
    assert market.may_buy(terms(), state, 0, certificate("marley-10")), "the next round forgets it"


def test_b07_certificates_are_not_merged_but_for_the_directors() -> None:
    state = started("marley", more="marley-10")
    play(state, Move("pass"), Move("buy", certificate("marley-20")), Move("pass"))
    swaps = [move for move in legal_moves(terms(), state) if move.kind.startswith("swap")]
    assert all(market.may_swap_up(terms(), state, 0, move.a, move.b) for move in swaps)
    assert {terms().shares[move.b].id for move in swaps} == {"marley-30"}, "one for one"


def test_b08_at_the_limit_nothing_is_bought_but_exchanged() -> None:
    tight = changed("limits", certificates=2)
    state = started("marley", more="marley-10", of=tight)
    play(state, Move("pass"), of=tight)
    moves = {move.kind for move in legal_moves(tight, state)}
    assert moves == {"sell", "swap-up", "pass"}


def test_b09_the_starter_chooses_the_value() -> None:
    values = {terms().values[move.b] for move in legal_moves(terms(), at_stock_round()) if move.kind == "start"}
    assert values == {70, 80, 90, 100}


def test_b10_a_start_costs_four_share_values() -> None:
    assert started("marley", 80).cash[0] == 2000 - 320


def test_b11_the_starter_gets_holding_and_operators() -> None:
    state = play(operating("seedy"))
    assert (state.boss[SEEDY], state.actor) == (0, 0)
    assert max(move.b for move in legal_moves(terms(), state)) == 6


def test_b12_a_holding_gets_its_capital_at_half() -> None:
    state = started("marley")
    assert state.till[MARLEY] == 0
    play(state, Move("buy", certificate("marley-10")))
    assert (state.till[MARLEY], state.floated[MARLEY]) == (1000, True)


def test_b13_it_operates_in_the_next_round_and_goes_on_below_half() -> None:
    idle = play(started("marley"), Move("pass"), Move("pass"))
    assert idle.phase == Phase.STOCK
    state = started("marley", more="marley-10")
    play(state, Move("pass"), Move("sell", certificate("marley-10")), Move("done"), Move("pass"), Move("pass"))
    assert (state.phase, state.holding, state.share[0][MARLEY]) == (Phase.OPERATORS, MARLEY, 40)


def test_b14_mcgreed_at_90() -> None:
    """The printed example: 360 for 40 per cent, and a capital of 900 once 10 per cent more is bought."""
    state = started("mcgreed", 90)
    assert (state.cash[0], state.till[MCGREED]) == (2000 - 360, 0)
    play(state, Move("buy", certificate("mcgreed-10")))
    assert state.till[MCGREED] == 900


# Director


def test_d01_whoever_has_most_directs_and_on_equal_stock_who_had_it_first() -> None:
    state = started("marley")
    play(state, Move("buy", certificate("marley-30")), Move("pass"), Move("buy", certificate("marley-10")))
    assert (state.share[0][MARLEY], state.share[1][MARLEY], state.boss[MARLEY]) == (40, 40, 0)


def test_d02_only_more_stock_changes_the_director() -> None:
    state = started("marley")
    play(state, Move("buy", certificate("marley-30")), Move("pass"), Move("buy", certificate("marley-20")))
    assert state.boss[MARLEY] == 1


def test_d03_everything_of_the_holding_passes_over() -> None:
    state = operating(rails=("c-3",))
    state.backer[investor("i40")] = AT_HOLDING + MARLEY
    state.boss[MARLEY] = 1
    assert (state.rails[MARLEY], state.till[MARLEY]) == ([face("c-3")], 1000)
    state.actor, state.phase, state.plus = 1, Phase.PURCHASES, 2
    assert "railroad" in kinds(state), "the new Director acts for it"


def test_d04_the_directors_certificate_is_swapped_for_several() -> None:
    state = started("marley")
    play(
        state, Move("buy", certificate("marley-30")), Move("pass"), Move("buy", certificate("marley-10")), Move("pass")
    )
    assert state.boss[MARLEY] == 0
    play(state, Move("buy", certificate("marley-20")))
    owned = {
        player: {terms().shares[at].id for at, own in enumerate(state.owner) if own == player} for player in (0, 1)
    }
    assert owned == {0: {"marley-30", "marley-10"}, 1: {"marley-40", "marley-20"}}


def test_d05_the_swap_waits_until_it_can_be_made() -> None:
    """The printed example: 40 per cent against 30 and 20, later 10."""
    state = started("marley")
    play(
        state, Move("buy", certificate("marley-30")), Move("pass"), Move("buy", certificate("marley-20")), Move("pass")
    )
    assert state.boss[MARLEY] == 1
    assert state.owner[certificate("marley-40")] == 0, "30 and 20 do not make 40"
    play(state, Move("buy", certificate("marley-10")))
    assert state.owner[certificate("marley-40")] == 1
    assert {terms().shares[at].id for at, own in enumerate(state.owner) if own == 0} == {"marley-30", "marley-10"}


def test_d06_who_is_over_the_limit_must_sell() -> None:
    tight = changed("limits", certificates=1)
    state = started("marley", of=tight)
    state.owner[certificate("marley-30")] = 0
    state.share[0][MARLEY] = 70
    state.actor = 0
    assert "pass" not in {move.kind for move in legal_moves(tight, state)}


# Operating rounds


def test_o01_the_steps_of_a_holding_follow_each_other() -> None:
    state, seen = operating(rails=("c-3", "c-3"), till=1000), []
    for move in (Move("place", 0, 5), Move("pay"), Move("end"), Move("discard", face("c-3"))):
        seen.append(state.phase)
        play(state, move)
    assert seen == [Phase.OPERATORS, Phase.REVENUE, Phase.PURCHASES, Phase.DISCARD]


def test_o02_operators_are_placed_anew_each_round() -> None:
    state = play(operating(till=0), Move("place", 0, 6), Move("end"))
    assert max(move.b for move in legal_moves(terms(), state)) == 6


def test_o03_o17_two_plus_operators_allow_two_additions() -> None:
    """The printed example: two (+) and two ( ): two railroads, or a railroad and an investor."""
    state = operating("mcgreed", till=1000)
    state.backer[investor("i40")] = 0
    play(state, Move("place", 0, 2))
    assert (state.plus, state.keep) == (2, 2)
    one = play(state.copy(), Move("railroad", face("a-2")), Move("railroad", face("a-2")))
    assert kinds(one) == {"end"}
    other = play(state.copy(), Move("railroad", face("a-2")), Move("assign", investor("i40")))
    assert kinds(other) == {"end"}


def test_o04_bare_operators_say_how_many_stay() -> None:
    state = play(operating(rails=("a-2", "b-2", "c-3")), Move("place", 0, 4), Move("pay"), Move("end"))
    assert (state.keep, state.phase) == (2, Phase.DISCARD)


def test_o05_one_operator_a_round_goes_to_the_network_for_good() -> None:
    state = operating(rails=("c-3",))
    assert {move.a for move in legal_moves(terms(), state)} == {0, 1}
    play(state, Move("place", 1, 0))
    assert railroads.holding_revenue(terms(), state, MARLEY) == 90
    play(state, Move("pay"), Move("end"))
    assert max(move.b for move in legal_moves(terms(), state)) == 5
    bare = play(operating(), Move("place", 1, 0))
    assert railroads.holding_revenue(terms(), bare, MARLEY) == 0, "only with a railroad"


def test_o06_revenue_is_railroads_network_and_investors() -> None:
    listed = changed("disputes", abilities="listed")
    state = operating(rails=("a-2", "c-3"))
    state.net[MARLEY] = 2
    state.backer[investor("i40")] = AT_HOLDING + MARLEY
    state.backer[investor("i50")] = AT_HOLDING + MARLEY
    assert railroads.holding_revenue(listed, state, MARLEY) == 50 + 80 + 2 * 10 + 2 * 10 + 20
    state.rails[MARLEY] = []
    assert railroads.holding_revenue(listed, state, MARLEY) == 0


def test_o07_the_bank_pays_either_way() -> None:
    for move in ("pay", "withhold"):
        state = play(operating(rails=("c-3",)), Move("place", 0, 0))
        bank = state.bank
        play(state, Move(move))
        assert bank - state.bank == (56 if move == "pay" else 80)


def test_o08_a_dividend_raises_the_value_by_a_line() -> None:
    state = play(operating(rails=("c-3",)), Move("place", 0, 0), Move("pay"))
    assert state.line[MARLEY] == line(100) + 1


def test_o09_what_is_kept_goes_to_the_holding_and_the_value_stays() -> None:
    state = play(operating(rails=("c-3",)), Move("place", 0, 0), Move("withhold"))
    assert (state.till[MARLEY], state.line[MARLEY]) == (1080, line(100))


def test_o10_a_hundred_for_fifty_and_thirty_per_cent() -> None:
    """The printed example: 50 and 30."""
    state = started("marley", more="marley-30")
    play(state, Move("buy", certificate("marley-10")), Move("sell", certificate("marley-30")))
    play(
        state, Move("done"), Move("buy", certificate("marley-30")), Move("pass"), Move("sell", certificate("marley-10"))
    )
    play(state, Move("start", SEEDY, line(70)), Move("pass"), Move("pass"))
    state.share[0][MARLEY], state.share[1][MARLEY] = 50, 30
    state.rails[MARLEY] = [face("a-2"), face("b-2")]
    before = state.cash[:]
    play(state, Move("place", 0, 0), Move("pay"))
    assert [after - one for after, one in zip(state.cash, before, strict=True)] == [50, 30]


def test_o11_railroads_come_from_the_top_at_their_price() -> None:
    state = play(operating(till=1000), Move("place", 0, 1))
    assert [move.a for move in legal_moves(terms(), state) if move.kind == "railroad"] == [face("a-2")]
    play(state, Move("railroad", face("a-2")))
    assert (state.till[MARLEY], len(state.stack)) == (900, 27)
    two = play(operating(till=1000), Move("place", 0, 1))
    two.stack = two.stack[4:]
    assert {move.a for move in legal_moves(terms(), two) if move.kind == "railroad"} == {face("b-2"), face("b-3")}


def test_c29_a_discount_takes_a_fifth_off_new_railroads() -> None:
    listed = changed("disputes", abilities="listed")
    state = operating(till=1000)
    state.backer[investor("i60")] = AT_HOLDING + MARLEY
    assert railroads.railroad_price(listed, state, MARLEY, face("c-3")) == 160


def test_o12_holdings_trade_railroads_at_one_dollar_or_more() -> None:
    state = operating("seedy", till=500)
    state.rails[MARLEY], state.boss[MARLEY], state.line[MARLEY] = [face("c-3")], 1, line(100)
    play(state, Move("place", 0, 1))
    play(state, Move("deal", MARLEY, face("c-3"), 123))
    assert (state.phase, state.actor) == (Phase.ANSWER, 1), "the other player is asked"
    agreed = play(state.copy(), Move("accept"))
    assert (agreed.rails[SEEDY], agreed.till[MARLEY], agreed.till[SEEDY]) == ([face("c-3")], 123, 377)
    refused = play(state.copy(), Move("refuse"))
    assert (refused.rails[SEEDY], refused.actor, refused.phase) == ([], 0, Phase.PURCHASES)


def test_o13_nothing_is_discarded_before_the_purchases() -> None:
    state = play(operating(rails=("a-2", "b-2"), till=1000), Move("place", 0, 5), Move("pay"))
    assert "discard" not in kinds(state)
    play(state, Move("railroad", face("a-2")), Move("end"))
    assert kinds(state) == {"discard"}


def test_o14_nothing_is_sold_to_the_bank() -> None:
    state = play(operating(rails=("a-2",), till=1000), Move("place", 0, 3), Move("pay"))
    assert kinds(state) == {"end", "railroad"}


def test_o15_a_director_adds_exactly_what_is_missing() -> None:
    state = play(operating(till=30), Move("place", 0, 1))
    cash = state.cash[0]
    play(state, Move("railroad", face("a-2")))
    assert (state.cash[0], state.till[MARLEY]) == (cash - 70, 0)
    owning = play(operating(rails=("a-2",), till=30), Move("place", 0, 1), Move("pay"))
    assert "railroad" not in kinds(owning), "it has a railroad"
    assert (
        railroads.director_contribution(terms(), play(operating(till=30), Move("place", 0, 0)), MARLEY, face("a-2"))
        == -1
    )
    lax = changed("disputes", help_needs_operator=False)
    assert (
        railroads.director_contribution(lax, play(operating(till=30), Move("place", 0, 0)), MARLEY, face("a-2")) == 70
    )


def test_o16_investors_are_assigned_and_never_come_back() -> None:
    state = operating(till=500)
    state.backer[investor("i40")] = 0
    state.backer[investor("i50")] = AT_HOLDING + SEEDY
    state.backer[investor("i60")] = 1
    state.boss[SEEDY] = 0
    play(state, Move("place", 0, 2))
    assert {move.a for move in legal_moves(terms(), state) if move.kind == "assign"} == {
        investor("i40"),
        investor("i50"),
    }
    play(state, Move("assign", investor("i50")))
    assert state.backer[investor("i50")] == AT_HOLDING + MARLEY


def test_o18_surplus_railroads_leave_the_game_without_money() -> None:
    state = play(operating(rails=("a-2", "c-3")), Move("place", 0, 5), Move("pay"))
    money = (state.cash[:], state.till[:], state.bank)
    play(state, Move("end"), Move("discard", face("a-2")))
    assert state.rails[MARLEY] == [face("c-3")]
    assert money == (state.cash, state.till, state.bank)


# Obsolescence


@pytest.mark.parametrize(("comes", "goes"), [(4, "a-2"), (6, "c-3"), (8, "e-4")])
def test_x01_to_x03_the_first_of_a_level_takes_an_older_one_away(comes: int, goes: str) -> None:
    state = operating(rails=(goes, "g-5"))
    state.reached = comes - 1
    railroads.remove_obsolete(terms(), state, comes)
    assert state.rails[MARLEY] == [face("g-5")]


def test_x04_level_five_and_up_stay() -> None:
    state = operating(rails=("f-5", "g-5", "h-6", "ik-8a"))
    railroads.remove_obsolete(terms(), state, 8)
    assert len(state.rails[MARLEY]) == 4


def test_x05_nobody_gets_anything_for_what_goes() -> None:
    state = operating(rails=("a-2",))
    money = (state.cash[:], state.till[:], state.bank)
    railroads.remove_obsolete(terms(), state, 4)
    assert (state.rails[MARLEY], money) == ([], (state.cash, state.till, state.bank))


def test_x06_a_card_of_category_d_counts_at_the_level_it_was_bought() -> None:
    for bought, left in (("d-3", ["a-2", "d-3"]), ("d-4", ["d-4"])):
        state = play(operating(rails=("a-2",), till=1000), Move("place", 0, 1), Move("pay"))
        state.stack = [3]
        play(state, Move("railroad", face(bought)))
        assert state.rails[MARLEY] == [face(one) for one in left]


# Players


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), rules=st.sampled_from(("published", "initial", "small bank", "caminhos")))
def test_a_trade_is_reckoned_as_it_would_be_carried_out(seed: int, rules: str) -> None:
    """What a player reckons of a trade without making it is what comes of making it."""
    of = {
        "published": terms(),
        "initial": changed("disputes", capital="initial"),
        "small bank": changed("limits", bank_stock=40),
        "caminhos": terms("caminhos"),
    }[rules]
    trades = 0
    for _, state in play_steps(of, ("random",) * 2, seed, 0):
        if state.phase != Phase.STOCK:
            continue
        player, moves = state.actor, legal_moves(of, state)
        before = estimate_advantage(of, state, player, Weights())
        for value, move in judge_trades(of, state, Weights(), moves):
            after = state.copy()
            carry_out(of, after, move)
            assert before + value == pytest.approx(estimate_advantage(of, after, player, Weights()), abs=1e-3), move
            if move.kind not in ("pass", "done"):
                at = move.a if move.kind == "start" else of.shares[move.a].holding
                money, stands = after_trade(of, state, move, at, holding_stake(state, player, at))
                assert (state.cash[player] + money, stands) == (after.cash[player], holding_stake(after, player, at))
                trades += 1
        if trades > 200:
            break
    assert trades


def test_a_planner_wins_against_a_greedy_player_in_either_seat() -> None:
    for match in range(6):
        end = played(terms(), ("planner", "greedy"), 1, match)
        planner = players_by_seat(("planner", "greedy"), match).index("planner")
        assert player_worth(terms(), end, planner) > player_worth(terms(), end, 1 - planner)


def test_a_planner_gives_nothing_for_an_investor_that_does_nothing() -> None:
    """D49: as long as nobody knows what it does, an investor at 40 is worth nothing, and the money something."""
    draws = np.random.default_rng(1)
    state = play(begin_game(terms()), Move("offer", investor("i40"), 5))
    assert PLAYERS["planner"](terms(), state, draws) == Move("money")
    few = begin_game(terms())
    few.backer = [POOL if name == "i60" else OUT for name in ("i30", "i40", "i50", "i60", "i450")]
    assert PLAYERS["planner"](terms(), few, draws) == Move("offer", investor("i60"), 0)


def test_a_planner_names_the_value_at_which_both_choices_end_alike() -> None:
    """The $450 investor brings 40 per cent of MS&C: for much less everybody takes it, for much more nobody does."""
    draws = np.random.default_rng(1)
    move = PLAYERS["planner"](terms(), begin_game(terms()), draws)
    assert (move.kind, move.a) == ("offer", investor("i450"))
    assert 225 < move.b < 675
    for value, takes in ((move.b // 2, "investor"), (2 * move.b, "money")):
        offered = play(begin_game(terms()), Move("offer", investor("i450"), value))
        assert PLAYERS["planner"](terms(), offered, draws) == Move(takes)
    face_value = changed("setup", bids="face")
    assert PLAYERS["planner"](face_value, begin_game(face_value), draws) == Move("offer", investor("i450"), 450)


# The frame


def test_a_game_for_more_players_is_refused() -> None:
    found = game()
    rules = found.rules.model_copy(update={"setup": found.rules.setup.model_copy(update={"players": 3})})
    with pytest.raises(BoardError, match=r"rules.setup.players is 3: mapkit plays games for two players; set it to 2"):
        compile_terms(found.model_copy(update={"rules": rules}))


def test_d46_the_fifth_investor_may_be_drafted_too() -> None:
    state = begin_game(changed("disputes", fifth_investor="drafted"))
    picks = 0
    while state.phase in (Phase.OFFER, Phase.CHOICE):
        picks += state.phase == Phase.OFFER
        carry_out(changed("disputes", fifth_investor="drafted"), state, legal_moves(terms(), state)[0])
    assert picks == 5


def test_d43_the_stack_may_be_in_the_order_of_cost() -> None:
    by_cost = changed("disputes", stack="cost")
    costs = [min(by_cost.sides[side].cost for side in by_cost.of_sort[sort]) for sort in by_cost.stack]
    assert costs == sorted(costs)
    assert by_cost.stack != terms().stack, "8b costs less than G and H"


def test_a_gap_of_the_track_has_the_values_of_the_example() -> None:
    assert terms().values == (70, 80, 90, 100, 110, 125, 140, 155, 175, 200, 225, 255, 285, 315, 350)
    assert terms().example
