"""Card games for tests of play: the shipped ones, and games that stand where a test begins."""

from collections.abc import Sequence
from functools import cache

from conftest import REPOSITORY
from hypothesis import strategies as st

from mapkit.document.workspace import Workspace
from mapkit.kinds.cards.game import (
    CardGame,
    CardRailroad,
    CardZone,
    Certificate,
    Deck,
    Denomination,
    Effect,
    Face,
    Holding,
    Investor,
    ShareSpace,
    Tokens,
)
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.playing.match import play_steps
from mapkit.kinds.cards.playing.moves import begin_game, carry_out
from mapkit.kinds.cards.playing.state import OUT, GameState, Phase
from mapkit.kinds.cards.playing.terms import CardTerms, Move, compile_terms
from mapkit.kinds.cards.rules.effects import EFFECTS
from mapkit.kinds.cards.rules.settings import CardRules


@cache
def game(name: str = "barons", *variants: str) -> CardGame:
    return CARDS.load(Workspace(REPOSITORY), name, variants)[0].board


@cache
def terms(name: str = "barons", *variants: str) -> CardTerms:
    return compile_terms(game(name, *variants))


@cache
def changed(group: str, **settings: object) -> CardTerms:
    """Return the published game with other settings of a group."""
    found = game()
    rules = found.rules.model_copy(update={group: getattr(found.rules, group).model_copy(update=settings)})
    return compile_terms(found.model_copy(update={"rules": rules}))


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
    state = begin_game(of or terms())
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


NAMES = st.text("abcdefgh &'ßéo", min_size=1, max_size=12).map(str.strip).filter(bool)


def ids(what: str, most: int) -> st.SearchStrategy[list[str]]:
    return st.integers(1, most).map(lambda count: [f"{what}-{number}" for number in range(count)])


@st.composite
def card_games(draw: st.DrawFn) -> CardGame:
    """Any game that a document can hold, sensible or not."""
    holdings = draw(ids("h", 4))
    levels = st.from_regex(r"\A[1-9][0-9]?[ab]?\Z")
    money = st.integers(0, 2000)
    effects = [
        Effect(
            id=f"e-{number}",
            kind=draw(st.sampled_from(sorted(EFFECTS))),
            amount=draw(st.none() | money),
            holding=draw(st.sampled_from(["", *holdings])),
            level=draw(st.just("") | levels),
        )
        for number in range(draw(st.integers(0, 5)))
    ]
    cut = draw(st.integers(0, len(effects)))
    investors = draw(ids("i", 4))
    owners = [draw(st.sampled_from(investors)) for _ in effects[:cut]]
    rules = CardRules.model_validate(
        {
            "setup": {"cash": draw(money), "bids": draw(st.sampled_from(["free", "face"]))},
            "disputes": {"end": draw(st.sampled_from(["running", "pair"])), "last_step": draw(st.sampled_from([3, 4]))},
            "rounds": {"removes_top": draw(st.booleans()), "operating": draw(st.integers(1, 10))},
        }
    )
    return CardGame(
        id="random",
        title=draw(NAMES),
        description=draw(st.just("") | NAMES),
        track_is_example=draw(st.booleans()),
        rules=rules,
        holdings=tuple(
            Holding(
                id=one,
                name=draw(NAMES),
                short=draw(st.just("") | NAMES),
                colour=f"#{draw(st.integers(0, 0xFFFFFF)):06x}",
                operators=draw(st.integers(0, 9)),
                certificates=tuple(
                    Certificate(id=f"{one}-c{n}", percent=draw(st.integers(1, 100)), director=draw(st.booleans()))
                    for n in range(draw(st.integers(0, 4)))
                ),
            )
            for one in holdings
        ),
        railroads=tuple(
            CardRailroad(
                id=one,
                category=draw(st.sampled_from("ABCZ")),
                name=draw(st.just("") | NAMES),
                count=draw(st.integers(1, 9)),
                faces=tuple(
                    Face(
                        id=f"{one}-f{n}",
                        level=draw(levels),
                        cost=draw(money),
                        income=draw(money),
                        gone_at=draw(st.none() | st.integers(1, 99)),
                    )
                    for n in range(draw(st.integers(1, 2)))
                ),
            )
            for one in draw(ids("r", 5))
        ),
        investors=tuple(
            Investor(
                id=one,
                name=draw(st.just("") | NAMES),
                value=draw(money),
                text=draw(st.just("") | NAMES),
                effects=tuple(effect for effect, owner in zip(effects, owners, strict=False) if owner == one),
            )
            for one in investors
        ),
        unassigned=tuple(effects[cut:]),
        track=tuple(
            ShareSpace(
                id=f"s-{n}",
                value=draw(st.none() | st.integers(1, 999)),
                start=draw(st.booleans()),
                end=draw(st.booleans()),
            )
            for n in range(draw(st.integers(0, 6)))
        ),
        tokens=tuple(
            Tokens(id=f"t-{n}", holding=draw(st.sampled_from(holdings)), use=use, count=draw(st.integers(0, 99)))
            for n, use in enumerate(draw(st.lists(st.sampled_from(["operator", "marker", "surplus"]), max_size=4)))
        ),
        zones=tuple(
            CardZone(id=f"z-{n}", meaning=meaning, text=draw(st.just("") | NAMES))
            for n, meaning in enumerate(draw(st.lists(st.sampled_from(["add", "keep", "network", "cash"]), max_size=3)))
        ),
        decks=tuple(
            Deck(
                id=f"d-{n}",
                cards=cards,
                count=draw(st.none() | money),
                order=draw(st.sampled_from(["stacked", "open"])),
            )
            for n, cards in enumerate(draw(st.lists(st.sampled_from(["railroads", "investors"]), max_size=2)))
        ),
        money=tuple(
            Denomination(id=str(one), count=draw(st.none() | money))
            for one in draw(st.lists(st.integers(1, 1000), max_size=4, unique=True))
        ),
    )


def play_game(terms: CardTerms, names: Sequence[str], seed: int, match: int) -> GameState:
    """Play a game, and return its end."""
    state = begin_game(terms)
    for _, after in play_steps(terms, names, seed, match):
        state = after
    return state
