"""A card game as numbers: what carrying it out looks up again and again."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mapkit.core.errors import BoardError
from mapkit.kinds.cards.game import CardGame, Effect

EXAMPLE_LADDER: Final = (75, 80, 90, 100, 110, 125, 140, 155, 175, 200, 225, 255, 285, 315, 350)
"""A ladder of another game, offered as an example: the published values between 100 and 350 are not known."""
PLAYERS: Final = 2
_HUNDRED: Final = 100


class Move(NamedTuple):
    """A step of a player: what it is, and up to three numbers; `log.py` says them in words."""

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0


class Gain(NamedTuple):
    """A purchase or an exchange of a certificate, and the per cent that the player must pay for and gets paid for."""

    move: Move
    comes: int
    goes: int


Position = tuple[Hashable, ...]
"""What stands where, in a game."""
Trades = tuple[tuple[Move, ...], tuple[Gain, ...]]
"""Sales, and purchases and exchanges, of a holding."""


@dataclass(frozen=True)
class Share:
    """A certificate: its id, its holding, its per cent, whether it is the Director's."""

    id: str
    holding: int
    percent: int
    director: bool


@dataclass(frozen=True)
class Side:
    """A face of a railroad card: its id, its sort, its level, what it costs and earns, what makes it obsolete."""

    id: str
    sort: int
    level: int
    cost: int
    income: int
    gone_at: int


@dataclass(frozen=True)
class CardTerms:
    """A game as numbers; holdings, investors, certificates and faces are counted from 0.

    Args:
        game: The game.
        values: Of the lines of the track, the lowest first.
        starts: Lines on which a holding may start.
        end: The line that ends the game.
        example: Whether values are those of the example ladder.
        shares: The certificates.
        of_holding: Certificates of each holding.
        chair: The Director's certificate of each holding.
        chair_percent: Its per cent.
        operators: Of each holding.
        sides: The faces.
        of_sort: Faces of each sort of railroad.
        least: What the cheapest face of each sort costs.
        stack: Sorts of the stack, the top first.
        each: Income that each investor adds for each railroad of its holding.
        once: Income that it adds for its holding.
        rebate: Per cent that it takes off new railroads.
        switches: Whether it can switch the Priority Deal.
        chairs: The holding and the line of the Director's certificate that it brings, -1 for none.
        gifts: The holding and the level of the railroad that it brings, -1 for none.
        useful: Whether an investor does anything.
        earning: Investors that add income.
        saving: Investors that take off the cost of railroads.
        ahead: What positions of one stock round come to for the first player, as the planner has found.
        trades: What trades a holding allows, by how its certificates lie; filled as games are played.
    """

    game: CardGame
    values: tuple[int, ...]
    starts: tuple[int, ...]
    end: int
    example: bool
    shares: tuple[Share, ...]
    of_holding: tuple[tuple[int, ...], ...]
    chair: tuple[int, ...]
    chair_percent: tuple[int, ...]
    operators: tuple[int, ...]
    sides: tuple[Side, ...]
    of_sort: tuple[tuple[int, ...], ...]
    least: tuple[int, ...]
    stack: tuple[int, ...]
    each: tuple[int, ...]
    once: tuple[int, ...]
    rebate: tuple[int, ...]
    switches: tuple[bool, ...]
    chairs: tuple[tuple[int, int], ...]
    gifts: tuple[tuple[int, int], ...]
    useful: tuple[bool, ...]
    earning: tuple[int, ...]
    saving: tuple[int, ...]
    ahead: dict[Position, dict[Position, float]] = field(default_factory=dict, compare=False, repr=False)
    trades: dict[tuple[int, ...], Trades] = field(default_factory=dict, compare=False, repr=False)

    @property
    def holdings(self) -> int:
        """How many holdings there are."""
        return len(self.operators)

    @property
    def investors(self) -> int:
        """How many investors there are."""
        return len(self.each)


def terms_of(game: CardGame) -> CardTerms:
    """Return a game as numbers.

    Raises:
        BoardError: It cannot be played: it is not for two players, a holding has no Director's certificate, the track
            has no start or no end, or an effect names what is not there.
    """
    if game.rules.setup.players != PLAYERS:
        raise BoardError(
            f"rules.setup.players is {game.rules.setup.players}: mapkit plays games for two players (BA-C01); "
            "set it to 2"
        )
    values, starts, end, example = _track(game)
    number = {holding.id: at for at, holding in enumerate(game.holdings)}
    shares = tuple(
        Share(one.id, number[holding.id], one.percent, one.director)
        for holding in game.holdings
        for one in holding.certificates
    )
    of_holding = tuple(
        tuple(at for at, share in enumerate(shares) if share.holding == holding)
        for holding in range(len(game.holdings))
    )
    chair = []
    for holding, own in zip(game.holdings, of_holding, strict=True):
        found = [at for at in own if shares[at].director]
        if len(found) != 1 or sum(shares[at].percent for at in own) != _HUNDRED:
            raise BoardError(f"{holding.name} cannot be played: its certificates need one Director's, and 100 per cent")
        chair.append(found[0])
    sides = tuple(
        Side(face.id, at, face.number, face.cost, face.income, face.gone_at or 0)
        for at, railroad in enumerate(game.railroads)
        for face in railroad.faces
    )
    of_sort = tuple(
        tuple(at for at, side in enumerate(sides) if side.sort == sort) for sort in range(len(game.railroads))
    )
    effects = [_effects(game, at) for at in range(len(game.investors))]
    each, once, rebate = (
        tuple(_sum(one, kind) for one in effects) for kind in ("income-each", "income-once", "discount")
    )
    return CardTerms(
        game=game,
        values=values,
        starts=starts,
        end=end,
        example=example,
        shares=shares,
        of_holding=of_holding,
        chair=tuple(chair),
        chair_percent=tuple(shares[at].percent for at in chair),
        operators=tuple(holding.operators for holding in game.holdings),
        sides=sides,
        of_sort=of_sort,
        least=tuple(min(sides[at].cost for at in own) for own in of_sort),
        stack=_stack(game, of_sort, sides),
        each=each,
        once=once,
        rebate=rebate,
        switches=tuple(any(effect.kind == "switch-priority" for effect in one) for one in effects),
        chairs=tuple(_chair(one, number, values) for one in effects),
        gifts=tuple(_gift(one, number) for one in effects),
        useful=tuple(bool(one) for one in effects),
        earning=tuple(at for at in range(len(effects)) if each[at] or once[at]),
        saving=tuple(at for at in range(len(effects)) if rebate[at]),
    )


def _track(game: CardGame) -> tuple[tuple[int, ...], tuple[int, ...], int, bool]:
    """Return values, starts and end of the track; a gap has the values of the example ladder that lie in it."""
    values: list[int] = []
    starts: list[int] = []
    end, gap = -1, False
    for space in game.track:
        if space.value is None:
            gap = True
            continue
        if gap and values:
            values += [value for value in EXAMPLE_LADDER if values[-1] < value < space.value]
        if space.start:
            starts.append(len(values))
        if space.end:
            end = len(values)
        values.append(space.value)
    if not starts or end < 0:
        raise BoardError("track.csv has no space to start on, or none that ends the game; mark them")
    example = any(space.value is None for space in game.track)
    return tuple(values), tuple(starts), end, example or game.track_is_example


def _stack(game: CardGame, of_sort: Sequence[Sequence[int]], sides: Sequence[Side]) -> tuple[int, ...]:
    """Return the sorts of the stack from the top: by category, or by least cost (D43)."""
    order = list(range(len(game.railroads)))
    if game.rules.disputes.stack == "cost":
        order.sort(key=lambda sort: (min(sides[at].cost for at in of_sort[sort]), sort))
    return tuple(sort for sort in order for _ in range(game.railroads[sort].count))


def _effects(game: CardGame, investor: int) -> tuple[Effect, ...]:
    """Return what an investor does; abilities whose investor is not known are given out in order where D49 says so."""
    own = game.investors[investor].effects
    if game.rules.disputes.abilities == "open" or own:
        return own
    bare = [at for at, one in enumerate(game.investors) if not one.effects]
    place = bare.index(investor)
    return game.unassigned[place : place + 1]


def _sum(effects: Sequence[Effect], kind: str) -> int:
    return sum(effect.amount or 0 for effect in effects if effect.kind == kind)


def _chair(effects: Sequence[Effect], number: dict[str, int], values: tuple[int, ...]) -> tuple[int, int]:
    for effect in effects:
        if effect.kind == "director":
            if effect.holding not in number or effect.amount not in values:
                raise BoardError(
                    f"{effect.id}: no holding {effect.holding!r}, or no line at {effect.amount}; correct it"
                )
            return number[effect.holding], values.index(effect.amount)
    return -1, -1


def _gift(effects: Sequence[Effect], number: dict[str, int]) -> tuple[int, int]:
    for effect in effects:
        if effect.kind == "free-railroad":
            if effect.holding not in number or not effect.level[:1].isdigit():
                raise BoardError(f"{effect.id}: no holding {effect.holding!r}, or no level; correct it")
            return number[effect.holding], int("".join(one for one in effect.level if one.isdigit()))
    return -1, -1
