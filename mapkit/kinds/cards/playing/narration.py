"""Description of a game in words, step by step."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from mapkit.kinds.cards.playing.log import SEATS, read_move
from mapkit.kinds.cards.playing.match import Step, play_steps, players_by_seat, replay_steps
from mapkit.kinds.cards.playing.moves import begin_game
from mapkit.kinds.cards.playing.state import GameState, Phase, player_worth
from mapkit.kinds.cards.playing.terms import CardTerms, Move

_TRADING_PHASES: Final = (Phase.PRIORITY, Phase.STOCK)
_DRAFT_PHASES: Final = (Phase.OFFER, Phase.CHOICE)


def narrate_game(terms: CardTerms, names: Sequence[str], seed: int, match: int) -> Iterator[str]:
    """Play a game and yield a line for each step, with headings for its rounds, and the end."""
    yield f"{terms.game.title}, game {match} of seed {seed}: {_players_text(players_by_seat(names, match))}"
    yield from _narrate_steps(terms, play_steps(terms, names, seed, match))


def narrate_log(
    terms: CardTerms, title: str, players: Sequence[str], lines: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield a line for each step of a legal log, with headings for its rounds, and the end."""
    yield f"{title}: {_players_text(players)}" if players else title
    yield from _narrate_steps(terms, replay_steps(terms, (read_move(terms, line) for line in lines if "move" in line)))


def _players_text(players: Sequence[str]) -> str:
    return " against ".join(f"{seat} ({name})" for seat, name in zip(SEATS, players, strict=False))


def _narrate_steps(terms: CardTerms, steps: Iterable[tuple[Step, GameState]]) -> Iterator[str]:
    state = begin_game(terms)
    state_before, money_before, heading = state.copy(), _copy_money(state), ""
    for step, state_after in steps:
        new_heading = _round_heading(terms, state_before)
        if new_heading != heading:
            heading = new_heading
            yield f"\n{heading}"
        text = f"{_step_text(terms, state_before, step)}{_changes_text(terms, money_before, state_after)}"
        yield f"{step.number:>4}. {SEATS[step.player]} {text}"
        state_before, money_before = state_after.copy(), _copy_money(state_after)
    worth_texts = ", ".join(f"{seat} has ${player_worth(terms, state_before, at):,}" for at, seat in enumerate(SEATS))
    yield f"\nThe end: {worth_texts}"


def _copy_money(state: GameState) -> tuple[list[int], list[int], list[int]]:
    return state.cash[:], state.till[:], state.line[:]


def _round_heading(terms: CardTerms, state: GameState) -> str:
    if state.phase in _DRAFT_PHASES:
        return "The draft"
    if state.phase in _TRADING_PHASES:
        return f"Sequence {state.sequence}, stock round {state.round + 1}"
    return f"Sequence {state.sequence}, operating round {state.round + 1}: {terms.game.holdings[state.holding].name}"


def _changes_text(terms: CardTerms, old_counts: tuple[list[int], list[int], list[int]], after: GameState) -> str:
    """Return the changes of a step in words: money of players and holdings, share values."""
    cash, till, line = old_counts
    holding_names = [one.short or one.name for one in terms.game.holdings]
    change_texts = [
        f"{name} ${new:,} ({new - old:+,})"
        for name, old, new in (
            *zip(SEATS, cash, after.cash, strict=True),
            *zip(holding_names, till, after.till, strict=True),
        )
        if old != new
    ]
    change_texts += [
        f"{name} at {terms.values[new]}"
        for name, old, new in zip(holding_names, line, after.line, strict=True)
        if old != new
    ]
    return f"; {', '.join(change_texts)}" if change_texts else ""


def _step_text(terms: CardTerms, state: GameState, step: Step) -> str:
    return _TEXT_BY_MOVE[step.move.kind](terms, state, step.move)


def _share_text(terms: CardTerms, at: int) -> str:
    share = terms.shares[at]
    chair_text = " (Director)" if share.director else ""
    return f"{share.percent} % of {terms.game.holdings[share.holding].name}{chair_text}"


def _investor_text(terms: CardTerms, at: int) -> str:
    investor_row = terms.game.investors[at]
    return investor_row.name or f"the ${investor_row.value} investor"


def _railroad_text(terms: CardTerms, at: int) -> str:
    side = terms.sides[at]
    return f"railroad {side.id} for ${side.cost}"


def _offer_text(terms: CardTerms, _state: GameState, move: Move) -> str:
    return f"names ${move.b} for {_investor_text(terms, move.a)}"


def _money_taken_text(_terms: CardTerms, state: GameState, _move: Move) -> str:
    return f"takes ${state.offered[1]}"


def _investor_taken_text(terms: CardTerms, state: GameState, _move: Move) -> str:
    return f"takes {_investor_text(terms, state.offered[0])}"


def _deal_text(terms: CardTerms, state: GameState, move: Move) -> str:
    buyer, seller = terms.game.holdings[state.holding].name, terms.game.holdings[move.a].name
    return f"offers {seller} ${move.c} for railroad {terms.sides[move.b].id}, to {buyer}"


def _placement_text(_terms: CardTerms, _state: GameState, move: Move) -> str:
    return f"places operators: {move.a} in the network, {move.b} on (+), the others on ( )"


_TEXT_BY_MOVE: Final[Mapping[str, Callable[[CardTerms, GameState, Move], str]]] = MappingProxyType(
    {
        "offer": _offer_text,
        "money": _money_taken_text,
        "investor": _investor_taken_text,
        "switch": lambda terms, _state, move: f"switches the Priority Deal by {_investor_text(terms, move.a)}",
        "go-on": lambda _terms, _state, _move: "leaves the Priority Deal",
        "sell": lambda terms, _state, move: f"sells {_share_text(terms, move.a)}",
        "swap-down": lambda terms, _state, move: (
            f"exchanges {_share_text(terms, move.a)} for {_share_text(terms, move.b)}"
        ),
        "swap-up": lambda terms, _state, move: (
            f"exchanges {_share_text(terms, move.a)} for {_share_text(terms, move.b)}"
        ),
        "buy": lambda terms, _state, move: f"buys {_share_text(terms, move.a)}",
        "start": lambda terms, _state, move: f"starts {terms.game.holdings[move.a].name} at {terms.values[move.b]}",
        "done": lambda _terms, _state, _move: "ends the turn",
        "pass": lambda _terms, _state, _move: "passes",
        "place": _placement_text,
        "pay": lambda _terms, _state, _move: "pays the dividend",
        "withhold": lambda _terms, _state, _move: "keeps the income in the holding",
        "railroad": lambda terms, _state, move: f"buys {_railroad_text(terms, move.a)}",
        "deal": _deal_text,
        "accept": lambda _terms, _state, _move: "accepts",
        "refuse": lambda _terms, _state, _move: "refuses",
        "assign": lambda terms, _state, move: f"gives {_investor_text(terms, move.a)} to the holding",
        "end": lambda _terms, _state, _move: "buys nothing more",
        "discard": lambda terms, _state, move: f"gives up railroad {terms.sides[move.a].id}",
    }
)
