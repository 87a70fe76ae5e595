"""Course of a game: setup, moves in their order, income, end and final scoring (RW-T, RW-I, RW-Z)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from mapkit.kinds.hex.playing.auction import begin_auction, pass_bid, place_bid
from mapkit.kinds.hex.playing.building import (
    add_link,
    build_printed_link,
    build_track,
    place_mine,
    printed_link,
    remove_open_track,
    upgrade_engine,
    urbanize,
)
from mapkit.kinds.hex.playing.cards import AWARDED, award_lines, baron_points, take_card, use_card
from mapkit.kinds.hex.playing.delivering import deliver_cube
from mapkit.kinds.hex.playing.state import HexState, draw_cubes, pay_bank, put_cubes, refuse_move
from mapkit.kinds.hex.playing.terms import (
    COLOUR_BITS,
    MOST_TURNS,
    NOBODY,
    OPEN_CARDS_PER_PLAYER,
    STALLED_TURNS,
    HexTerms,
    Move,
    TrackLink,
)
from mapkit.kinds.hex.rules.colours import GOODS

FREE_MOVES: Final = ("use", "repay")
"""Moves that come before an action and do not count as one."""


def make_draws(seed: int, match: int, purpose: int) -> np.random.Generator:
    """Return the random numbers of a game for a purpose: 0 for the setup, 1 and more for players (Philox)."""
    key = np.array([seed, match], dtype=np.uint64)
    counter = np.array([0, 0, 0, purpose], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


def begin_game(terms: HexTerms, seed: int, match: int) -> HexState:
    """Return the position at the start: bag and deck are mixed, cubes drawn, baron cards dealt (RW-C06, RW-K03)."""
    board, players, draws = terms.board, terms.players, make_draws(seed, match, 0)
    counts = [sum(one.count or 0 for one in board.components if _is_cube(one, colour)) for colour in GOODS]
    bag = [colour for colour, count in enumerate(counts) for _ in range(count)]
    draws.shuffle(bag)
    deck = draws.permutation(len(terms.cards)).tolist()
    barons = draws.permutation(len(board.barons)).tolist()[:players]
    tiles = [one for one in board.components if one.kind == "new-city" and one.colour in COLOUR_BITS]
    is_limited = bool(tiles) and all(one.count is not None for one in tiles)
    node_count, city_count = len(terms.node_ids), terms.city_count
    state = HexState(
        bag=bag,
        cash=[0] * players,
        points=[0] * players,
        bonds=[0] * players,
        engine=[board.rules.engine.first_level] * players,
        mines_left=[board.rules.mines.uses] * players,
        cubes=[[0] * len(GOODS) for _ in range(city_count)],
        takes=[0] * node_count,
        rotor=[
            wheel.index(GOODS.index(city.start)) if wheel and city.start and GOODS.index(city.start) in wheel else -1
            for city, wheel in zip(board.cities, terms.wheels, strict=True)
        ],
        new_tiles=[sum(one.count or 0 for one in tiles if one.colour == colour) for colour in GOODS]
        if is_limited
        else None,
        barons=barons,
        card_lies=[card.open for card in terms.cards],
        card_holder=[NOBODY] * len(terms.cards),
        lines=[0] * len(terms.hex_ids),
        markers_left=terms.markers,
        marked=[False] * city_count,
        mined=[0] * city_count,
        urbanized=[False] * city_count,
        served=[False] * city_count,
        actions=[[] for _ in range(players)],
        open_tracks=[[] for _ in range(players)],
        links_at=[[] for _ in range(node_count)],
        lines_done=[NOBODY] * len(board.lines),
        cubes_delivered=[0] * players,
        longest_delivery=[0] * players,
    )
    for city, row in enumerate(board.cities):
        state.takes[city] = _mask(row.wants)
        put_cubes(state, city, draw_cubes(state, row.cubes_for(players)))
    for card in [number for number in deck if not state.card_lies[number]][: OPEN_CARDS_PER_PLAYER * players]:
        state.card_lies[card] = True
    for number, link in enumerate(board.links):
        if link.b is None:
            state.takes[terms.node_ids.index(link.id)] = _mask(link.colours)
        if link.owner == "first-builder":
            state.printed_left.append(number)
        else:
            add_link(state, printed_link(terms, number, NOBODY))
    _join_twins(terms, state)
    begin_auction(terms, state)
    return state


def _is_cube(component: object, colour: str) -> bool:
    return getattr(component, "kind", "") == "cube" and getattr(component, "colour", "") == colour


def _mask(colours: tuple[str, ...]) -> int:
    mask = 0
    for colour in colours:
        mask |= COLOUR_BITS.get(colour, 0)
    return mask


def _join_twins(terms: HexTerms, state: HexState) -> None:
    """Join twins, which lie beside each other as one, by links of nobody."""
    cities = terms.board.cities
    for city, row in enumerate(cities):
        twin = next((other for other in range(city) if row.twins and cities[other].twins == row.twins), None)
        if twin is not None:
            add_link(state, TrackLink(twin, city, NOBODY))


def carry_out(terms: HexTerms, state: HexState, move: Move) -> None:
    """Carry out the move of the player whose turn it is, and all that follows before the next decision.

    Raises:
        IllegalMoveError: The move breaks a rule; the position may then not be used any more.
    """
    if state.over:
        refuse_move("RW-Z03", "the game is over")
    state.steps += 1
    if state.phase == "auction":
        if move.kind not in _BIDS:
            refuse_move("RW-T01", f"{move.kind} comes in the auction; bid or pass")
        _BIDS[move.kind](terms, state, move)
        return
    if move.kind not in _ACTIONS:
        refuse_move("RW-T03", f"{move.kind} is not an action")
    player = state.actor
    kind = "build" if move.kind == "link" else move.kind
    if not terms.board.rules.turn.repeat_actions and kind in state.actions[player] and kind != "rest":
        refuse_move("RW-T04", f"{kind} a second time in a turn")
    _ACTIONS[move.kind](terms, state, player, move)
    if move.kind in ("build", "link", "card"):
        award_lines(terms, state, player)
    if move.kind not in FREE_MOVES:
        state.actions[player].append(kind)
        # Go on to the next player, round or turn (RW-T01, RW-T02).
        state.at += 1
        if state.at == terms.players:
            state.at, state.round = 0, state.round + 1
            if state.round > terms.board.rules.turn.action_rounds:
                end_turn(terms, state)


def end_turn(terms: HexTerms, state: HexState) -> None:
    """Remove open track, pay incomes and dividends, and begin the next turn or end the game (RW-B08, RW-I, RW-Z03)."""
    remove_open_track(state)
    pay_incomes(terms, state)
    if state.triggered_in and state.turn >= state.triggered_in + terms.board.rules.end.turns_after:
        score_end(terms, state)
        return
    if state.turn - state.last_delivery_turn >= STALLED_TURNS or state.turn >= MOST_TURNS:
        state.stalled, state.phase = True, "over"
        return
    state.turn += 1
    begin_auction(terms, state)


def pay_incomes(terms: HexTerms, state: HexState) -> None:
    """Pay each player's income, then the dividends of bonds; new bonds cover a lack (RW-I01 to RW-I03)."""
    for player in range(terms.players):
        dividends = state.bonds[player] * terms.board.rules.income.dividend
        pay_bank(terms, state, player, dividends - terms.income_at(state.points[player]))


def score_end(terms: HexTerms, state: HexState) -> None:
    """Score bonds and baron cards after the last income (RW-Z06)."""
    barons = [baron_points(terms, state, player) for player in range(terms.players)]
    for player in range(terms.players):
        state.points[player] += state.bonds[player] * terms.board.rules.end.bond_points + barons[player]
    state.phase = "over"


def _repay_bond(terms: HexTerms, state: HexState, player: int, _move: Move) -> None:
    """Pay a bond back, where the rules allow it (RW-I03)."""
    rules = terms.board.rules.income
    if not rules.bonds_repaid:
        refuse_move("RW-I03", "bonds are not paid back")
    if not state.bonds[player] or state.cash[player] < rules.bond_value:
        refuse_move("RW-I03", "no bond, or too little cash, to pay one back")
    state.cash[player] -= rules.bond_value
    state.bonds[player] -= 1


_BIDS: Final[Mapping[str, Callable[[HexTerms, HexState, Move], None]]] = MappingProxyType(
    {"bid": place_bid, "pass": pass_bid}
)
_ACTIONS: Final[Mapping[str, Callable[[HexTerms, HexState, int, Move], object]]] = MappingProxyType(
    {
        "build": lambda terms, state, player, move: build_track(terms, state, player, move.way),
        "link": lambda terms, state, player, move: build_printed_link(terms, state, player, move.way),
        "urbanize": urbanize,
        "engine": lambda terms, state, player, _move: upgrade_engine(terms, state, player),
        "deliver": deliver_cube,
        "card": take_card,
        "mine": lambda terms, state, player, move: place_mine(terms, state, player, move.city),
        "use": use_card,
        "repay": _repay_bond,
        "rest": lambda _terms, _state, _player, _move: None,
    }
)
"""Action -> its procedure (RW-T03)."""


def open_cards(terms: HexTerms, state: HexState) -> list[int]:
    """Return the cards that can be taken (RW-K01)."""
    return [number for number, card in enumerate(terms.cards) if state.card_lies[number] and card.effect not in AWARDED]
