"""Card game as numbers, for quick look-ups in play."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mapkit.core.errors import BoardError
from mapkit.kinds.cards.game import CardGame, Effect

EXAMPLE_LADDER: Final = (75, 80, 90, 100, 110, 125, 140, 155, 175, 200, 225, 255, 285, 315, 350)
"""A ladder of another game, offered as an example: the published values between 100 and 350 are not known."""
PLAYERS: Final = 2
_WHOLE_PERCENT: Final = 100


class Move(NamedTuple):
    """Move of a player: its kind, and up to three numbers; `log.py` gives them in words."""

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0


class Gain(NamedTuple):
    """Purchase or exchange of a certificate, with the per cent to pay for and the per cent given in return."""

    move: Move
    comes: int
    goes: int


Position = tuple[Hashable, ...]
"""What stands where, in a game."""
Trades = tuple[tuple[Move, ...], tuple[Gain, ...]]
"""Sales, and purchases and exchanges, of a holding."""


@dataclass(frozen=True)
class Share:
    """Certificate with its id, holding and per cent, and whether it is the Director's."""

    id: str
    holding: int
    percent: int
    director: bool


@dataclass(frozen=True)
class Side:
    """Face of a railroad card: its id, sort, level, cost and income, and the level that makes it obsolete."""

    id: str
    sort: int
    level: int
    cost: int
    income: int
    gone_at: int


@dataclass(frozen=True)
class CardTerms:
    """Game as numbers; holdings, investors, certificates and faces are counted from 0.

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
        """Return the number of holdings."""
        return len(self.operators)

    @property
    def investors(self) -> int:
        """Return the number of investors."""
        return len(self.each)


def compile_terms(game: CardGame) -> CardTerms:
    """Return a game as numbers.

    Raises:
        BoardError: It cannot be played: it is not for two players, a holding has no Director's certificate, the track
            has no start or no end, or an effect names what is not there.
    """
    if game.rules.setup.players != PLAYERS:
        raise BoardError(
            f"rules.setup.players is {game.rules.setup.players}: mapkit plays games for two players; set it to 2"
        )
    values, starts, end, example = _read_track(game)
    number_by_holding = {holding.id: at for at, holding in enumerate(game.holdings)}
    shares = tuple(
        Share(certificate.id, number_by_holding[holding.id], certificate.percent, certificate.director)
        for holding in game.holdings
        for certificate in holding.certificates
    )
    of_holding = tuple(
        tuple(at for at, share in enumerate(shares) if share.holding == holding)
        for holding in range(len(game.holdings))
    )
    chairs = []
    for holding, own_certificates in zip(game.holdings, of_holding, strict=True):
        director_certificates = [at for at in own_certificates if shares[at].director]
        if len(director_certificates) != 1 or sum(shares[at].percent for at in own_certificates) != _WHOLE_PERCENT:
            raise BoardError(f"{holding.name} cannot be played: its certificates need one Director's, and 100 per cent")
        chairs.append(director_certificates[0])
    sides = tuple(
        Side(face.id, at, face.number, face.cost, face.income, face.gone_at or 0)
        for at, railroad in enumerate(game.railroads)
        for face in railroad.faces
    )
    of_sort = tuple(
        tuple(at for at, side in enumerate(sides) if side.sort == sort) for sort in range(len(game.railroads))
    )
    effects_by_investor = [_investor_effects(game, at) for at in range(len(game.investors))]
    income_each, income_once, rebate = (
        tuple(_sum_amounts(own_effects, kind) for own_effects in effects_by_investor)
        for kind in ("income-each", "income-once", "discount")
    )
    return CardTerms(
        game=game,
        values=values,
        starts=starts,
        end=end,
        example=example,
        shares=shares,
        of_holding=of_holding,
        chair=tuple(chairs),
        chair_percent=tuple(shares[at].percent for at in chairs),
        operators=tuple(holding.operators for holding in game.holdings),
        sides=sides,
        of_sort=of_sort,
        least=tuple(min(sides[at].cost for at in own_sides) for own_sides in of_sort),
        stack=_order_stack(game, of_sort, sides),
        each=income_each,
        once=income_once,
        rebate=rebate,
        switches=tuple(
            any(effect.kind == "switch-priority" for effect in own_effects) for own_effects in effects_by_investor
        ),
        chairs=tuple(_find_chair(own_effects, number_by_holding, values) for own_effects in effects_by_investor),
        gifts=tuple(_find_gift(own_effects, number_by_holding) for own_effects in effects_by_investor),
        useful=tuple(bool(own_effects) for own_effects in effects_by_investor),
        earning=tuple(at for at in range(len(effects_by_investor)) if income_each[at] or income_once[at]),
        saving=tuple(at for at in range(len(effects_by_investor)) if rebate[at]),
    )


def _read_track(game: CardGame) -> tuple[tuple[int, ...], tuple[int, ...], int, bool]:
    """Return values, starts and end of the track; a gap is filled from the example ladder."""
    share_values: list[int] = []
    start_lines: list[int] = []
    end_line, has_gap = -1, False
    for space in game.track:
        if space.value is None:
            has_gap = True
            continue
        if has_gap and share_values:
            share_values += [value for value in EXAMPLE_LADDER if share_values[-1] < value < space.value]
        if space.start:
            start_lines.append(len(share_values))
        if space.end:
            end_line = len(share_values)
        share_values.append(space.value)
    if not start_lines or end_line < 0:
        raise BoardError("track.csv has no space to start on, or none that ends the game; mark them")
    has_example = any(space.value is None for space in game.track)
    return tuple(share_values), tuple(start_lines), end_line, has_example or game.track_is_example


def _order_stack(game: CardGame, of_sort: Sequence[Sequence[int]], sides: Sequence[Side]) -> tuple[int, ...]:
    """Return the sorts of the stack from the top: by category, or by least cost (D43)."""
    sort_order = list(range(len(game.railroads)))
    if game.rules.disputes.stack == "cost":
        sort_order.sort(key=lambda sort: (min(sides[at].cost for at in of_sort[sort]), sort))
    return tuple(sort for sort in sort_order for _ in range(game.railroads[sort].count))


def _investor_effects(game: CardGame, investor: int) -> tuple[Effect, ...]:
    """Return the effects of an investor; unassigned abilities are dealt in order if D49 is settled so."""
    own_effects = game.investors[investor].effects
    if game.rules.disputes.abilities == "open" or own_effects:
        return own_effects
    investors_without_effects = [at for at, investor_row in enumerate(game.investors) if not investor_row.effects]
    bare_index = investors_without_effects.index(investor)
    return game.unassigned[bare_index : bare_index + 1]


def _sum_amounts(effects: Sequence[Effect], kind: str) -> int:
    return sum(effect.amount or 0 for effect in effects if effect.kind == kind)


def _find_chair(effects: Sequence[Effect], number: dict[str, int], values: tuple[int, ...]) -> tuple[int, int]:
    for effect in effects:
        if effect.kind == "director":
            if effect.holding not in number or effect.amount not in values:
                raise BoardError(
                    f"{effect.id}: no holding {effect.holding!r}, or no line at {effect.amount}; correct it"
                )
            return number[effect.holding], values.index(effect.amount)
    return -1, -1


def _find_gift(effects: Sequence[Effect], number: dict[str, int]) -> tuple[int, int]:
    for effect in effects:
        if effect.kind == "free-railroad":
            if effect.holding not in number or not effect.level[:1].isdigit():
                raise BoardError(f"{effect.id}: no holding {effect.holding!r}, or no level; correct it")
            return number[effect.holding], int("".join(character for character in effect.level if character.isdigit()))
    return -1, -1
