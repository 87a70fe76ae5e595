"""Scenarios of the rules of hexagon boards, each named for its row of the rules."""

import importlib
import re
from functools import reduce
from typing import Any

import pytest
from hexplay import board, city, hexes, put, rest, started, terms

from mapkit.core.errors import BoardError, ChoiceError
from mapkit.kinds.hex.playing.building import add_link
from mapkit.kinds.hex.playing.findings import linkable_groups, play_findings
from mapkit.kinds.hex.playing.state import HexState, IllegalMoveError, taken_colours
from mapkit.kinds.hex.playing.terms import HexTerms, Move, TrackLink, compile_terms
from mapkit.kinds.hex.playing.turns import begin_game, carry_out, end_turn, open_cards
from mapkit.kinds.hex.rules.book import rows
from mapkit.kinds.hex.rules.colours import GOODS

RED, BLUE, BLACK, YELLOW, PURPLE = range(5)
ALDER_BIRCH = ("2-2", "3-3", "4-3", "4-4")


def build(game: HexTerms, state: HexState, *way: str) -> None:
    carry_out(game, state, Move("build", way=hexes(game, *way)))


def refused(game: HexTerms, state: HexState, move: Move, rule: str) -> None:
    with pytest.raises(IllegalMoveError) as error:
        carry_out(game, state, move)
    assert error.value.rule == rule


def auction(style: str, *moves: int, players: int = 3) -> tuple[HexTerms, HexState]:
    """Play an auction: an amount for each bid, 0 for a pass."""
    game = terms({"auction.style": style}, players=players)
    state = begin_game(game, 1, 0)
    state.cash = [10_000] * players
    for amount in moves:
        carry_out(game, state, Move("bid", amount) if amount else Move("pass"))
    return game, state


def linked(*links: tuple[str, str, int], **settings: Any) -> tuple[HexTerms, HexState]:
    """Return a game with links (two cities, owner), whose player 0 acts."""
    game = terms({path.replace("__", "."): value for path, value in settings.items()})
    state = started(game)
    for one, other, owner in links:
        add_link(state, TrackLink(city(game, one), city(game, other), owner))
    return game, state


def deliver(game: HexTerms, start: str, colour: int, *links: int) -> Move:
    return Move("deliver", city=city(game, start), colour=colour, way=links)


def test_every_procedure_is_there_and_every_row_with_one_has_a_scenario() -> None:
    for name in rows().procedures:
        module, *path = name.split(".")
        assert reduce(getattr, path, importlib.import_module(f"mapkit.kinds.hex.playing.{module}"))
    scenarios = {match[1] for name in globals() if (match := re.match(r"test_rw_([a-z]\d\d)_", name))}
    wanted = {row.id for row in rows().rows if any(place.startswith("procedure:") for place in row.places)}
    assert {f"RW-{scenario.upper()}" for scenario in scenarios} == wanted
    used = {place for row in rows().rows for place in row.places}
    assert all(f"procedure:{name}" in used for name in rows().procedures)


# Setup


def test_rw_c05_a_gray_city_takes_a_new_city_tile() -> None:
    game = terms()
    state = started(game)
    carry_out(game, state, Move("urbanize", city=city(game, "cedar"), colour=RED))
    assert state.takes[city(game, "cedar")] == 1 << RED
    assert state.new_tiles == [1, 2, 2, 2, 2]
    refused(game, state, Move("urbanize", city=city(game, "birch"), colour=RED), "RW-E01")


def test_rw_c06_the_game_is_laid_out() -> None:
    game = terms()
    state = begin_game(game, 1, 0)
    assert [sum(cubes) for cubes in state.cubes] == [3, 2, 2, 2, 3, 2, 2]
    assert len(state.bag) == 125 - 16
    assert len(open_cards(game, state)) + 2 == 5 + 2 + 6  # marked cards and two a player, less two that are awarded
    assert len(set(state.barons)) == 3
    assert begin_game(game, 1, 0).bag == state.bag != begin_game(game, 1, 1).bag


def test_rw_c07_points_say_the_income() -> None:
    game = terms()
    assert [game.income_at(points) for points in (-3, 0, 1, 5)] == [0, 0, 1000, 5000]
    assert game.income_at(500) == game.income_at(len(game.income_by_points) - 1)


# Turn


def test_rw_t01_a_turn_is_auction_actions_income() -> None:
    game = terms()
    state = started(game)
    state.points = [4, 0, 0]
    assert state.phase == "actions"
    refused(game, state, Move("bid", 1000), "RW-T03")
    rest(game, state, 9)
    assert (state.phase, state.turn, state.cash) == ("auction", 2, [4000, 0, 0])


def test_rw_t02_three_rounds_of_one_action() -> None:
    game = terms()
    state, actors = started(game), []
    for _ in range(9):
        actors.append(state.actor)
        rest(game, state)
    assert actors == [0, 1, 2] * 3
    assert state.phase == "auction"


def test_rw_t03_the_actions() -> None:
    game = terms({"mines.enabled": True})
    state = started(game)
    refused(game, state, Move("wait"), "RW-T03")
    refused(terms(), started(terms()), Move("mine", city=city(game, "cedar")), "RW-T03")
    number = next(card for card in open_cards(game, state) if game.cards[card].effect == "money")
    put(game, state, "alder", "blue")
    build(game, state, *ALDER_BIRCH)
    carry_out(game, state, Move("engine"))
    carry_out(game, state, Move("card", card=number))
    carry_out(game, state, deliver(game, "alder", BLUE, 0))
    carry_out(game, state, Move("mine", city=city(game, "cedar")))
    carry_out(game, state, Move("urbanize", city=city(game, "cedar"), colour=RED))
    assert state.actions == [["build", "deliver"], ["engine", "mine"], ["card", "urbanize"]]


@pytest.mark.parametrize("repeats", [True, False])
def test_rw_t04_the_same_action_again(repeats: bool) -> None:  # noqa: FBT001 - a case
    game = terms({"turn.repeat_actions": repeats})
    state = started(game)
    carry_out(game, state, Move("engine"))
    rest(game, state, 2)
    if repeats:
        carry_out(game, state, Move("engine"))
        assert state.engine[0] == 3
    else:
        refused(game, state, Move("engine"), "RW-T04")


def test_rw_t05_clockwise_from_the_first_player() -> None:
    assert auction("traditional", 0, 1000, 0)[1].order == [1, 2, 0]


# Auction


def test_rw_a01_the_least_bid() -> None:
    game, state = auction("traditional")
    refused(game, state, Move("bid", 500), "RW-A01")
    carry_out(game, state, Move("bid", 3000))
    refused(game, state, Move("bid", 3000), "RW-A01")
    carry_out(game, state, Move("bid", 4000))


def test_rw_a02_the_previous_first_player_bids_first_and_a_pass_is_final() -> None:
    game, state = auction("traditional", 0, 1000, 2000)
    assert state.actor == 1  # player 0 has passed
    carry_out(game, state, Move("pass"))
    rest(game, state, 9)
    assert (state.phase, state.actor) == ("auction", 2)


def test_rw_a03_traditional_the_winner_pays_all_and_others_nothing() -> None:
    _, state = auction("traditional", 1000, 3000, 0, 0)
    assert (state.order, state.cash) == ([1, 2, 0], [10_000, 7000, 10_000])


def test_rw_a04_traditional_all_pass_moves_the_marker() -> None:
    assert auction("traditional", 0, 0, 0)[1].order == [1, 2, 0]


def test_rw_a05_first_to_pass_passers_pay_half_rounded_up() -> None:
    _, state = auction("first-to-pass", 1000, 3000, 4000, 0, 0)
    assert state.cash == [9000, 8000, 6000]


def test_rw_a06_first_to_pass_is_last() -> None:
    assert auction("first-to-pass", 1000, 0, 2000, 0)[1].order == [2, 0, 1]


def test_rw_a07_first_to_pass_the_last_to_pass_is_first() -> None:
    assert auction("first-to-pass", 0, 0, 0)[1].order == [2, 1, 0]


def test_rw_a08_worst_is_first_has_one_auction() -> None:
    game, state = auction("worst-is-first", 0, 0, 1000)
    assert (state.order, state.cash[2]) == ([2, 0, 1], 9000)
    state.points = [5, 9, 7]
    rest(game, state, 9)
    assert (state.phase, state.turn, state.order) == ("actions", 2, [0, 2, 1])


def test_rw_a09_worst_is_first_of_a_tie_the_later_player_goes_first() -> None:
    game, state = auction("worst-is-first", 0, 0, 1000)
    state.points = [5, 5, 7]
    rest(game, state, 9)
    assert state.order == [1, 0, 2]


def test_rw_a10_worst_is_first_has_no_executives() -> None:
    assert any(card.effect == "executive" for card in terms().cards)
    assert not any(card.effect == "executive" for card in terms({"auction.style": "worst-is-first"}).cards)


def test_rw_a11_the_order_stays_for_all_rounds() -> None:
    game, state = auction("traditional", 0, 1000, 0)
    order = list(state.order)
    put(game, state, "alder", "blue")
    for _ in range(8):
        rest(game, state)
        assert state.order == order


# Track


def test_rw_b01_one_to_four_tiles() -> None:
    game = terms()
    state = started(game)
    refused(game, state, Move("build", way=hexes(game, "2-2")), "RW-B01")
    long_way = ("2-2", "3-2", "4-2", "5-3", "6-3", "7-4")
    refused(game, state, Move("build", way=hexes(game, *long_way)), "RW-B01")
    build(game, state, *long_way[:-1])
    assert [len(track) for track in state.open_tracks[0]] == [5]


def test_rw_b02_track_begins_at_a_city_or_at_own_open_track() -> None:
    game = terms()
    state = started(game)
    refused(game, state, Move("build", way=hexes(game, "3-3", "4-3")), "RW-B02")
    build(game, state, "2-2", "3-3")
    refused(game, state, Move("build", way=hexes(game, "3-3", "4-3", "4-4")), "RW-B02")  # of another player
    rest(game, state, 2)
    build(game, state, "3-3", "4-3", "4-4")
    assert state.links[0].hexes == hexes(game, "3-3", "4-3")
    refused(game, state, Move("build", way=hexes(game, "2-2", "3-3")), "RW-B02")  # the edge has track


@pytest.mark.parametrize(
    ("way", "cost"), [(("2-2", "3-3"), 2000), (("2-2", "2-3"), 3000), (("4-4", "5-4", "6-4"), 10_000)]
)
def test_way_costs(way: tuple[str, ...], cost: int) -> None:
    game = terms()
    state = started(game)
    state.cash = [20_000] * 3
    build(game, state, *way)
    assert state.cash[0] == 20_000 - cost


def test_rw_b03_plains_cost_2000() -> None:
    test_way_costs(("2-2", "3-3"), 2000)


def test_rw_b04_water_costs_3000() -> None:
    test_way_costs(("2-2", "2-3"), 3000)


def test_rw_b05_mountains_cost_4000() -> None:
    test_way_costs(("7-2", "6-2"), 4000)


def test_rw_b06_crossing_a_ridge_costs_4000_more() -> None:
    test_way_costs(("4-4", "5-4", "6-4"), 2000 + 4000 + 4000)


def test_rw_b07_a_link_joins_one_city_with_exactly_one_other() -> None:
    game = terms()
    state = started(game)
    refused(game, state, Move("build", way=hexes(game, "2-2", "3-3", "4-3", "4-4", "5-4")), "RW-B07")
    refused(game, state, Move("build", way=hexes(game, "2-2", "3-3", "3-2", "2-2")), "RW-B07")
    build(game, state, *ALDER_BIRCH)
    assert [(link.a, link.b, link.owner) for link in state.links] == [(city(game, "alder"), city(game, "birch"), 0)]


def test_rw_b08_open_track_is_removed_after_the_actions() -> None:
    game = terms()
    state = started(game)
    build(game, state, "2-2", "3-3")
    rest(game, state, 7)
    assert state.lines[hexes(game, "3-3")[0]] == 1
    rest(game, state)
    assert (sum(state.lines), state.edges, state.open_tracks) == (0, set(), [[], [], []])


def test_a_second_line_replaces_the_tile_while_tiles_have_two_lines() -> None:
    game = terms()
    state = started(game)
    for way in (("2-2", "3-3", "4-3", "4-4"), ("2-2", "3-2", "4-2", "4-3", "5-4")):
        build(game, state, *way)
    refused(game, state, Move("build", way=hexes(game, "4-4", "5-4", "5-3", "4-3")), "RW-B02")
    no_cross = terms({}, {"kind": "remove-component", "id": "tiles-cross"})
    state = started(no_cross)
    build(no_cross, state, "2-2", "3-3", "4-3", "4-4")
    refused(no_cross, state, Move("build", way=hexes(no_cross, "2-2", "3-2", "4-2", "4-3")), "RW-B02")


# Urbanize, engine


def test_rw_e01_urbanize_costs_10000_and_brings_two_cubes() -> None:
    game = terms()
    state = started(game)
    put(game, state, "cedar")
    state.cash[0] = 10_000
    drawn = state.bag[-2:]
    carry_out(game, state, Move("urbanize", city=city(game, "cedar"), colour=RED))
    assert state.cash[0] == 0
    assert state.cubes[city(game, "cedar")] == [drawn.count(colour) for colour in range(5)]


def test_rw_e02_the_engine_goes_up_one_step_for_its_price() -> None:
    game = terms({"engine.prices": [3000]})
    state = started(game)
    state.cash[0] = 3000
    carry_out(game, state, Move("engine"))
    assert (state.engine[0], state.cash[0]) == (2, 0)
    rest(game, state, 2)
    refused(game, state, Move("engine"), "RW-E02")


# Delivery


def test_rw_d01_a_cube_goes_to_a_city_of_its_colour() -> None:
    game, state = linked(("alder", "birch", 0))
    put(game, state, "alder", "blue", "black")
    refused(game, state, deliver(game, "alder", RED, 0), "RW-D01")
    carry_out(game, state, deliver(game, "alder", BLUE, 0))
    assert state.cubes[city(game, "alder")] == [0, 0, 1, 0, 0]


def test_rw_d02_no_more_links_than_the_engine_is_strong() -> None:
    game, state = linked(("alder", "cedar", 0), ("cedar", "birch", 0))
    put(game, state, "alder", "blue")
    refused(game, state, deliver(game, "alder", BLUE, 0, 1), "RW-D02")
    state.engine[0] = 2
    carry_out(game, state, deliver(game, "alder", BLUE, 0, 1))


def test_rw_d03_a_move_ends_in_a_delivery() -> None:
    game, state = linked(("alder", "cedar", 0))
    put(game, state, "alder", "blue")
    refused(game, state, deliver(game, "alder", BLUE, 0), "RW-D03")
    refused(game, state, deliver(game, "alder", BLUE), "RW-D03")


def test_rw_d04_no_passing_of_a_city_of_the_colour() -> None:
    links = (("alder", "birch", 0), ("birch", "gorse", 0), ("gorse", "fir", 0))
    game, state = linked(*links)
    put(game, state, "cedar", "red")
    add_link(state, TrackLink(city(game, "cedar"), city(game, "alder"), 0))
    state.engine[0] = 3
    refused(game, state, deliver(game, "cedar", RED, 3, 0, 1), "RW-D04")
    free_game, free_state = linked(*links, delivery__pass_own_colour=True)
    put(free_game, free_state, "cedar", "red")
    add_link(free_state, TrackLink(city(free_game, "cedar"), city(free_game, "alder"), 0))
    free_state.engine[0] = 3
    carry_out(free_game, free_state, deliver(free_game, "cedar", RED, 3, 0, 1))
    assert free_state.points[0] >= 3


def test_rw_d05_the_first_link_is_the_own() -> None:
    game, state = linked(("alder", "birch", 1))
    put(game, state, "alder", "blue")
    refused(game, state, deliver(game, "alder", BLUE, 0), "RW-D05")


def test_rw_d06_each_link_scores_for_its_owner() -> None:
    game, state = linked(("alder", "cedar", 0), ("cedar", "birch", 2))
    state.card_lies = [False] * len(state.card_lies)
    put(game, state, "alder", "blue")
    state.engine[0] = 2
    carry_out(game, state, deliver(game, "alder", BLUE, 0, 1))
    assert state.points == [1, 0, 1]


def test_rw_d07_links_of_others_after_the_first() -> None:
    game, state = linked(("alder", "cedar", 0), ("cedar", "birch", 2), delivery__links_of_others=False)
    put(game, state, "alder", "blue")
    state.engine[0] = 2
    refused(game, state, deliver(game, "alder", BLUE, 0, 1), "RW-D07")


# Cards


def card_of(game: HexTerms, effect: str) -> int:
    return next(number for number, card in enumerate(game.cards) if card.effect == effect)


def test_rw_k01_a_card_works_at_once_or_is_kept() -> None:
    game, state = linked(("alder", "birch", 0))
    money, depot, hotel, grant = (card_of(game, one) for one in ("money", "trading-depot", "hotel", "land-grant"))
    state.card_lies = [number in (money, depot, hotel, grant) for number in range(len(game.cards))]
    put(game, state, "alder", "blue", "black")
    put(game, state, "birch")
    carry_out(game, state, Move("card", card=depot))
    assert state.card_holder[depot] == 0
    carry_out(game, state, Move("card", card=money))
    refused(game, state, Move("card", card=money), "RW-K01")
    carry_out(game, state, Move("card", card=hotel, city=city(game, "birch")))
    carry_out(game, state, Move("use", card=depot, city=city(game, "alder"), colour=BLACK, target=city(game, "birch")))
    assert (state.actor, state.card_holder[depot]) == (0, -1)  # the action is still to come
    carry_out(game, state, deliver(game, "alder", BLUE, 0))
    assert (state.cash[1], state.points[2]) == (10_000, 1)
    assert state.cubes[city(game, "birch")][BLACK] == 1
    carry_out(game, state, Move("card", card=grant, way=hexes(game, "7-2", "8-2", "9-3")))
    assert (state.links[-1].owner, state.cash[1]) == (1, 10_000)


def test_rw_k01_a_first_delivery_gets_its_card() -> None:
    game, state = linked(("alder", "birch", 0))
    state.card_lies = [card.effect == "first-delivery" for card in game.cards]
    put(game, state, "alder", "blue", "blue")
    refused(game, state, Move("card", card=card_of(game, "first-delivery")), "RW-K01")
    carry_out(game, state, deliver(game, "alder", BLUE, 0))
    assert (state.points[0], sum(state.card_lies)) == (1 + 3, 1)


def test_rw_k01_an_executive_is_first_in_the_next_turn() -> None:
    game = terms()
    state = started(game)
    state.card_lies[card_of(game, "executive")] = True
    rest(game, state)
    carry_out(game, state, Move("card", card=card_of(game, "executive")))
    rest(game, state, 7)
    carry_out(game, state, Move("bid", 1000))
    rest(game, state, 2)
    assert state.order == [1, 2, 0]


def test_rw_k02_a_card_removes_an_empty_city_marker() -> None:
    game = terms()
    state = started(game)
    card, birch = card_of(game, "take-marker"), city(game, "birch")
    state.card_lies[card] = True
    refused(game, state, Move("card", card=card, city=birch), "RW-K02")
    put(game, state, "birch")
    state.marked[birch], state.markers_left = True, state.markers_left - 1
    carry_out(game, state, Move("card", card=card, city=birch))
    assert (state.marked[birch], state.markers_left, sum(state.cubes[birch])) == (False, 5, 1)


def test_rw_k03_baron_cards_score_at_the_end() -> None:
    game, state = linked(("alder", "birch", 1))
    state.barons = [
        next(number for number, card in enumerate(game.board.barons) if card.effect == effect)
        for effect in ("most-cubes", "most-links", "fewest-bonds")
    ]
    state.bonds, state.cash = [0, 2, 1], [9000] * 3
    state.triggered_in, state.turn = 1, 2
    end_turn(game, state)
    assert state.points == [0, 6 - 2, 0 - 1]


# Income


def test_rw_i01_income_by_points() -> None:
    game = terms()
    state = started(game)
    state.points = [3, 0, 12]
    rest(game, state, 9)
    assert state.cash == [3000, 0, 12_000]


def test_rw_i02_dividends_of_1000_for_each_bond() -> None:
    game = terms()
    state = started(game)
    state.bonds, state.cash = [2, 0, 0], [5000, 0, 0]
    rest(game, state, 9)
    assert state.cash == [3000, 0, 0]


def test_rw_i03_bonds_cover_a_lack_of_cash_even_for_dividends() -> None:
    game = terms()
    state = started(game)
    build(game, state, *ALDER_BIRCH)
    assert (state.bonds, state.cash) == ([1, 0, 0], [1000, 0, 0])
    state.bonds[0] = 7
    rest(game, state, 8)
    assert (state.bonds[0], state.cash[0]) == (9, 1000 - 7000 + 10_000)
    refused(game, state, Move("repay"), "RW-T01")
    with pytest.raises(BoardError, match="RW-I03"):
        terms({"income.bonds_compulsory": False})


def test_bonds_are_paid_back_where_the_rules_allow_it() -> None:
    game = terms({"income.bonds_repaid": True})
    state = started(game)
    state.bonds[0], state.cash[0] = 1, 5000
    carry_out(game, state, Move("repay"))
    assert (state.bonds[0], state.cash[0], state.actor) == (0, 0, 0)
    refused(game, state, Move("repay"), "RW-I03")


# End


def empty_alder() -> tuple[HexTerms, HexState]:
    game, state = linked(("alder", "birch", 0))
    put(game, state, "alder", "blue")
    return game, state


def test_rw_z01_the_last_cube_leaves_a_marker() -> None:
    game, state = empty_alder()
    carry_out(game, state, deliver(game, "alder", BLUE, 0))
    assert (state.marked[city(game, "alder")], state.markers_left) == (True, 4)


def test_rw_z02_the_last_marker_triggers_the_end() -> None:
    game, state = empty_alder()
    state.markers_left = 1
    carry_out(game, state, deliver(game, "alder", BLUE, 0))
    assert state.triggered_in == 1


def test_rw_z02_a_board_without_the_number_of_markers_is_refused() -> None:
    with pytest.raises(BoardError, match=r"end\.markers\.two \(RW-Z02\)"):
        terms({"end.markers.two": None}, players=2)
    with pytest.raises(BoardError, match="RW-Z02"):
        terms({"end.markers.two": 0}, players=2)


def test_rw_z03_the_turn_is_completed_and_one_more_is_played() -> None:
    game, state = empty_alder()
    state.markers_left = 1
    carry_out(game, state, deliver(game, "alder", BLUE, 0))
    rest(game, state, 8)
    assert (state.phase, state.turn) == ("auction", 2)
    rest(game, state, 3 + 8)
    assert not state.over
    rest(game, state)
    assert (state.over, state.turn) == (True, 2)
    refused(game, state, Move("rest"), "RW-Z03")


def test_rw_z04_markers_come_off_by_urbanizing_and_not_by_mines() -> None:
    game = terms({"mines.enabled": True})
    state = started(game)
    cedar = city(game, "cedar")
    put(game, state, "cedar")
    state.marked[cedar], state.markers_left = True, 4
    carry_out(game, state, Move("mine", city=cedar))
    assert state.marked[cedar]
    carry_out(game, state, Move("urbanize", city=cedar, colour=RED))
    assert (state.marked[cedar], state.markers_left) == (False, 5)


@pytest.mark.parametrize("undone", [True, False])
def test_rw_z05_the_end_is_not_taken_back(undone: bool) -> None:  # noqa: FBT001 - a case
    game = terms({"end.trigger_undone": undone})
    state = started(game)
    state.marked[city(game, "cedar")], state.markers_left, state.triggered_in = True, 0, 1
    carry_out(game, state, Move("urbanize", city=city(game, "cedar"), colour=RED))
    assert bool(state.triggered_in) is not undone


def test_rw_z06_final_scoring_follows_the_last_income() -> None:
    game = terms()
    state = started(game)
    state.barons = []
    state.points, state.bonds, state.triggered_in, state.turn = [9, 4, 0], [3, 0, 1], 1, 2
    rest(game, state, 9)
    assert (state.over, state.points) == (True, [6, 4, -1 - 1])  # a last dividend took one more bond
    assert state.cash[0] == 6000


# Rotors and mines


def rotors() -> tuple[HexTerms, HexState]:
    return linked(
        ("birch", "alder", 0), rotors__enabled=True, rotors__wheel=["red", "blue", "black", "yellow", "purple"]
    )


def test_rw_r01_a_rotor_adds_a_second_colour() -> None:
    game, state = rotors()
    assert taken_colours(game, state, city(game, "alder")) == 1 << RED | 1 << BLUE
    assert taken_colours(terms(), started(terms()), city(game, "alder")) == 1 << RED


def test_rw_r02_cubes_of_both_colours_end_there() -> None:
    game, state = rotors()
    add_link(state, TrackLink(city(game, "alder"), city(game, "elm"), 0))
    state.engine[0] = 2
    put(game, state, "birch", "blue")
    refused(game, state, deliver(game, "birch", BLUE, 0, 1), "RW-D04")
    carry_out(game, state, deliver(game, "birch", BLUE, 0))


def test_rw_r03_a_rotor_turns_after_each_delivery() -> None:
    game, state = rotors()
    put(game, state, "birch", "red")
    carry_out(game, state, deliver(game, "birch", RED, 0))
    assert taken_colours(game, state, city(game, "alder")) == 1 << RED | 1 << BLACK


def test_rw_r04_the_wheel_gives_the_order_and_a_missing_one_is_refused() -> None:
    game, state = rotors()
    assert game.wheels[city(game, "alder")] == tuple(range(len(GOODS)))
    with pytest.raises(BoardError, match=r"rotors\.wheel \(RW-R04\)"):
        terms({"rotors.enabled": True})
    assert state.rotor[city(game, "birch")] == -1


def mine(*bag: int, **settings: Any) -> tuple[HexTerms, HexState]:
    game = terms({"mines.enabled": True, **{path.replace("__", "."): value for path, value in settings.items()}})
    state = started(game)
    put(game, state, "cedar")
    state.bag = list(reversed(bag))
    state.cash[0] = 10_000
    return game, state


def test_rw_m01_two_mines_a_player() -> None:
    game, state = mine(RED, RED, mines__uses=1, mines__per_city=2)
    carry_out(game, state, Move("mine", city=city(game, "cedar")))
    rest(game, state, 2)
    refused(game, state, Move("mine", city=city(game, "cedar")), "RW-M01")
    assert terms().board.rules.mines.uses == 2


def test_rw_m02_a_mine_costs_10000() -> None:
    game, state = mine(RED, RED)
    carry_out(game, state, Move("mine", city=city(game, "cedar")))
    assert state.cash[0] == 0


def test_rw_m03_a_mine_at_each_gray_city_once() -> None:
    game, state = mine(RED, RED)
    refused(game, state, Move("mine", city=city(game, "birch")), "RW-M03")
    carry_out(game, state, Move("mine", city=city(game, "cedar")))
    refused(game, state, Move("mine", city=city(game, "cedar")), "RW-M03")


def test_rw_m04_cubes_are_drawn_until_a_colour_repeats() -> None:
    game, state = mine(RED, BLUE, RED, BLACK)
    carry_out(game, state, Move("mine", city=city(game, "cedar")))
    assert state.bag == [BLACK]
    game, state = mine(RED, BLUE, BLACK, YELLOW, PURPLE, RED)
    carry_out(game, state, Move("mine", city=city(game, "cedar")))
    assert (state.bag, state.cubes[city(game, "cedar")]) == ([RED], [1] * 5)


def test_rw_m05_the_repeating_cube_is_discarded() -> None:
    game, state = mine(RED, BLUE, RED)
    carry_out(game, state, Move("mine", city=city(game, "cedar")))
    assert (state.bag, state.cubes[city(game, "cedar")]) == ([], [1, 1, 0, 0, 0])


def test_rw_o05_fewer_markers_need_the_authors_number() -> None:
    with pytest.raises(BoardError, match=r"end\.markers_less \(RW-O05\)"):
        terms({"end.fewer_markers": True})
    assert terms({"end.fewer_markers": True, "end.markers_less": 2}).markers == 3


# Bad input


def test_boards_that_cannot_be_played_say_why() -> None:
    with pytest.raises(ChoiceError, match="6 players; New board has 2 to 3"):
        compile_terms(board(), 6)
    blank = board().model_copy(update={"components": (), "track": ()})
    with pytest.raises(BoardError, match=r"track.csv \(RW-I01\)\n.*the bag has 0 cubes, and cities begin with 16"):
        compile_terms(blank, 3)
    emptied = board()
    cities = tuple(one.model_copy(update={"cubes": 0, "cubes_by_players": {}}) for one in emptied.cities)
    with pytest.raises(BoardError, match="no city has cubes"):
        compile_terms(emptied.model_copy(update={"cities": cities}), 2)


def test_a_board_without_a_home_of_a_colour_is_played_with_a_finding() -> None:
    game = terms({}, {"kind": "remove-city", "id": "fir"})
    assert play_findings(game) == ("no city takes purple: cubes of that colour stay until a New City tile is laid",)
    assert "it may not end" in play_findings(terms({"end.markers.three": 9}))[-1]
    assert "3 players: the game may end before" in play_findings(terms({"end.markers.three": 2}))[-1]


def test_cities_that_no_link_can_reach_are_found() -> None:
    sea = {"kind": "paint-hexes", "hexes": ["9-2", "8-2", "8-3", "10-3", "9-4", "10-2"], "terrain": "sea"}
    game = terms({}, sea)
    assert len(linkable_groups(terms())) == 1
    assert play_findings(game)[0] == "the land is not connected: no link joins elm to the 7 others"
    drowned = {"kind": "paint-hexes", "hexes": [one.id for one in board().hexes], "terrain": "sea"}
    assert play_findings(terms({}, drowned, {"kind": "remove-link", "id": "cedar-overseas"}))[0] == (
        "no two cities can be linked: nothing can be delivered"
    )
