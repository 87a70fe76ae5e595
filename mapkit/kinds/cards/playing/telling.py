"""A game in words, step by step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from mapkit.kinds.cards.playing.log import SEATS
from mapkit.kinds.cards.playing.match import Step, seated, steps
from mapkit.kinds.cards.playing.moves import begin
from mapkit.kinds.cards.playing.state import GameState, Phase, worth
from mapkit.kinds.cards.playing.terms import CardTerms, Move

_TRADING: Final = (Phase.PRIORITY, Phase.STOCK)
_DRAFT: Final = (Phase.OFFER, Phase.CHOICE)


def game_in_words(terms: CardTerms, names: Sequence[str], seed: int, match: int) -> Iterator[str]:
    """Play a game and yield a line for each step, with headings for its rounds, and the end."""
    who = " against ".join(f"{seat} ({name})" for seat, name in zip(SEATS, seated(names, match), strict=True))
    yield f"{terms.game.title}, game {match} of seed {seed}: {who}"
    state = begin(terms)
    before, money, heading = state.copy(), _money(state), ""
    for step, after in steps(terms, names, seed, match):
        now = _heading(terms, before)
        if now != heading:
            heading = now
            yield f"\n{heading}"
        yield f"{step.number:>4}. {SEATS[step.player]} {_line(terms, before, step)}{_changes(terms, money, after)}"
        before, money = after.copy(), _money(after)
    ends = ", ".join(f"{seat} has ${worth(terms, before, at):,}" for at, seat in enumerate(SEATS))
    yield f"\nThe end: {ends}"


def _money(state: GameState) -> tuple[list[int], list[int], list[int]]:
    return state.cash[:], state.till[:], state.line[:]


def _heading(terms: CardTerms, state: GameState) -> str:
    if state.phase in _DRAFT:
        return "The draft"
    if state.phase in _TRADING:
        return f"Sequence {state.sequence}, stock round {state.round + 1}"
    return f"Sequence {state.sequence}, operating round {state.round + 1}: {terms.game.holdings[state.holding].name}"


def _changes(terms: CardTerms, before: tuple[list[int], list[int], list[int]], after: GameState) -> str:
    """Return what a step changed: money of players and holdings, share values."""
    cash, till, line = before
    names = [one.short or one.name for one in terms.game.holdings]
    said = [
        f"{name} ${new:,} ({new - old:+,})"
        for name, old, new in (*zip(SEATS, cash, after.cash, strict=True), *zip(names, till, after.till, strict=True))
        if old != new
    ]
    said += [
        f"{name} at {terms.values[new]}" for name, old, new in zip(names, line, after.line, strict=True) if old != new
    ]
    return f"; {', '.join(said)}" if said else ""


def _line(terms: CardTerms, state: GameState, step: Step) -> str:
    return _SAID[step.move.kind](terms, state, step.move)


def _share(terms: CardTerms, at: int) -> str:
    share = terms.shares[at]
    chair = " (Director)" if share.director else ""
    return f"{share.percent} % of {terms.game.holdings[share.holding].name}{chair}"


def _investor(terms: CardTerms, at: int) -> str:
    found = terms.game.investors[at]
    return found.name or f"the ${found.value} investor"


def _railroad(terms: CardTerms, at: int) -> str:
    side = terms.sides[at]
    return f"railroad {side.id} for ${side.cost}"


def _offer(terms: CardTerms, _state: GameState, move: Move) -> str:
    return f"names ${move.b} for {_investor(terms, move.a)}"


def _money_taken(_terms: CardTerms, state: GameState, _move: Move) -> str:
    return f"takes ${state.offered[1]}"


def _investor_taken(terms: CardTerms, state: GameState, _move: Move) -> str:
    return f"takes {_investor(terms, state.offered[0])}"


def _deal(terms: CardTerms, state: GameState, move: Move) -> str:
    buyer, seller = terms.game.holdings[state.holding].name, terms.game.holdings[move.a].name
    return f"offers {seller} ${move.c} for railroad {terms.sides[move.b].id}, to {buyer}"


def _placed(_terms: CardTerms, _state: GameState, move: Move) -> str:
    return f"places operators: {move.a} in the network, {move.b} on (+), the others on ( )"


_SAID: Final[Mapping[str, Callable[[CardTerms, GameState, Move], str]]] = MappingProxyType(
    {
        "offer": _offer,
        "money": _money_taken,
        "investor": _investor_taken,
        "switch": lambda terms, _state, move: f"switches the Priority Deal by {_investor(terms, move.a)}",
        "go-on": lambda _terms, _state, _move: "leaves the Priority Deal",
        "sell": lambda terms, _state, move: f"sells {_share(terms, move.a)}",
        "swap-down": lambda terms, _state, move: f"exchanges {_share(terms, move.a)} for {_share(terms, move.b)}",
        "swap-up": lambda terms, _state, move: f"exchanges {_share(terms, move.a)} for {_share(terms, move.b)}",
        "buy": lambda terms, _state, move: f"buys {_share(terms, move.a)}",
        "start": lambda terms, _state, move: f"starts {terms.game.holdings[move.a].name} at {terms.values[move.b]}",
        "done": lambda _terms, _state, _move: "ends the turn",
        "pass": lambda _terms, _state, _move: "passes",
        "place": _placed,
        "pay": lambda _terms, _state, _move: "pays the dividend",
        "withhold": lambda _terms, _state, _move: "keeps the income in the holding",
        "railroad": lambda terms, _state, move: f"buys {_railroad(terms, move.a)}",
        "deal": _deal,
        "accept": lambda _terms, _state, _move: "accepts",
        "refuse": lambda _terms, _state, _move: "refuses",
        "assign": lambda terms, _state, move: f"gives {_investor(terms, move.a)} to the holding",
        "end": lambda _terms, _state, _move: "buys nothing more",
        "discard": lambda terms, _state, move: f"gives up railroad {terms.sides[move.a].id}",
    }
)
