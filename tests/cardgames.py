"""Card games for tests of play: the shipped ones, and games that stand where a test begins."""

from functools import cache

from conftest import REPOSITORY

from mapkit.document.workspace import Workspace
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.playing.moves import Move, begin, carry_out
from mapkit.kinds.cards.playing.state import OUT, GameState, Phase
from mapkit.kinds.cards.playing.terms import CardTerms, terms_of


@cache
def game(name: str = "barons", *variants: str) -> CardGame:
    return CARDS.load(Workspace(REPOSITORY), name, variants)[0].board


@cache
def terms(name: str = "barons", *variants: str) -> CardTerms:
    return terms_of(game(name, *variants))


@cache
def changed(group: str, **settings: object) -> CardTerms:
    """Return the published game with other settings of a group."""
    found = game()
    rules = found.rules.model_copy(update={group: getattr(found.rules, group).model_copy(update=settings)})
    return terms_of(found.model_copy(update={"rules": rules}))


def holding(name: str, of: CardTerms | None = None) -> int:
    return [one.id for one in (of or terms()).game.holdings].index(name)


def certificate(name: str, of: CardTerms | None = None) -> int:
    return [one.id for one in (of or terms()).shares].index(name)


def face(name: str, of: CardTerms | None = None) -> int:
    return [one.id for one in (of or terms()).sides].index(name)


def line(value: int, of: CardTerms | None = None) -> int:
    return (of or terms()).values.index(value)


def investor(name: str, of: CardTerms | None = None) -> int:
    return [one.id for one in (of or terms()).game.investors].index(name)


def at_stock_round(of: CardTerms | None = None, cash: int = 2000) -> GameState:
    """Return a game at its first stock round, nobody having an investor; player A begins."""
    state = begin(of or terms())
    state.backer = [OUT] * len(state.backer)
    state.bank -= 2 * cash - sum(state.cash)
    state.cash = [cash, cash]
    state.phase, state.actor = Phase.STOCK, 0
    return state


def play(state: GameState, *moves: Move, of: CardTerms | None = None) -> GameState:
    """Make moves, and return the state."""
    for move in moves:
        carry_out(of or terms(), state, move)
    return state


def started(name: str, value: int = 100, *, more: str = "", of: CardTerms | None = None) -> GameState:
    """Return a game in which player A has started a holding, and bought one more of its certificates."""
    state = play(at_stock_round(of), Move("start", holding(name, of), line(value, of)), of=of)
    if more:
        play(state, Move("pass"), Move("buy", certificate(more, of)), of=of)
    return state


def operating(
    name: str = "marley", value: int = 100, *, rails: tuple[str, ...] = (), till: int | None = None
) -> GameState:
    """Return a game in which a holding of player A, who has 70 per cent, places its operators."""
    state = started(name, value, more=f"{name}-30")
    own = holding(name)
    state.rails[own] = [face(one) for one in rails]
    if till is not None:
        state.bank += state.till[own] - till
        state.till[own] = till
    return play(state, Move("pass"), Move("pass"))
