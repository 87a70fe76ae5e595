"""The report of a card game: what its tables say, and what games by computer players add."""

from collections.abc import Iterable, Sequence

from mapkit.core.progress import Progress, quiet
from mapkit.kinds.cards.analysis.earnings import best_incomes, capitals, fewest_rounds, gains, income_for, pays_after
from mapkit.kinds.cards.analysis.report import CardReport, GameLength, HoldingEarnings, InvestorWorth, RailroadReturn
from mapkit.kinds.cards.playing.outcome import NOBODY, Outcome, levels_of
from mapkit.kinds.cards.playing.study import CardTable, outcomes
from mapkit.kinds.cards.playing.terms import CardTerms
from mapkit.playing.figures import Mean, mean, share

_AT_A_TIME = 20


def report_of(table: CardTable, games: int, *, variants: Sequence[str] = (), progress: Progress = quiet) -> CardReport:
    """Return the report of a card game.

    Args:
        table: The game, who plays, and the seed.
        games: How many games are played.
        variants: Of the game.
        progress: Called with how many are played.
    """
    terms, played = table.terms, _played(table, games, progress)
    quickest, slowest = fewest_rounds(terms)
    return CardReport(
        game=terms.game.id,
        variants=tuple(variants),
        example_ladder=terms.example,
        games=games,
        policy=" against ".join(dict.fromkeys(table.names)),
        seed=table.seed,
        length=GameLength(
            quickest=quickest,
            slowest_start=slowest,
            rounds=_mean(one.rounds for one in played),
            sequences=_mean(one.sequences for one in played),
        ),
        railroads=tuple(_railroad(terms, at, played) for at in range(len(terms.sides))),
        holdings=tuple(_holding(terms, at) for at in range(terms.holdings)),
        investors=tuple(_investor(terms, at, played) for at in range(terms.investors)),
    )


def _played(table: CardTable, games: int, progress: Progress) -> list[Outcome]:
    out: list[Outcome] = []
    for first in range(0, games, _AT_A_TIME):
        progress(f"playing game {first + 1:,} of {games:,}")
        out += outcomes(table, first, min(_AT_A_TIME, games - first))
    return out


def _railroad(terms: CardTerms, at: int, played: Sequence[Outcome]) -> RailroadReturn:
    side = terms.sides[at]
    railroad = terms.game.railroads[side.sort]
    life = _mean(rounds for one in played if (rounds := _life(terms, at, one)) is not None)
    return RailroadReturn(
        railroad=railroad.id,
        name=railroad.name,
        face=side.id,
        level=side.level,
        cost=side.cost,
        income=side.income,
        pays_after=pays_after(side),
        gone_at=side.gone_at or None,
        gains=gains(side),
        life=life,
        gain=round(life.mean * side.income - side.cost),
        bought=share(sum(one.bought[at] > 0 for one in played), len(played)),
    )


def _life(terms: CardTerms, at: int, one: Outcome) -> int | None:
    """Return the operating rounds from when the level of a face came to when it went; None if it never came."""
    side, levels = terms.sides[at], levels_of(terms)
    came = one.level_round[levels.index(side.level)]
    if came == NOBODY:
        return None
    ends = [one.rounds]
    if side.gone_at:
        ends += [one.level_round[k] for k, level in enumerate(levels) if level >= side.gone_at]
    return min(end for end in ends if end != NOBODY) - came


def _holding(terms: CardTerms, at: int) -> HoldingEarnings:
    holding, (least, most) = terms.game.holdings[at], capitals(terms)
    return HoldingEarnings(
        holding=holding.id,
        name=holding.name,
        operators=holding.operators,
        capital=(least, most),
        bought=(income_for(terms, at, least), income_for(terms, at, most)),
        best=best_incomes(terms, at),
    )


def _investor(terms: CardTerms, at: int, played: Sequence[Outcome]) -> InvestorWorth:
    investor = terms.game.investors[at]
    drafted = [one for one in played if one.backer[at] != NOBODY]
    ahead = [one.worth[one.backer[at]] - one.worth[1 - one.backer[at]] for one in drafted]
    return InvestorWorth(
        investor=investor.id,
        name=investor.name,
        face=investor.value,
        at_once=_at_once(terms, at),
        each_round=terms.once[at],
        each_railroad=terms.each[at],
        discount=terms.rebate[at],
        price=_mean(one.price[at] for one in drafted),
        ahead=_mean(ahead),
        wins=share(sum(more > 0 for more in ahead), len(ahead)),
    )


def _at_once(terms: CardTerms, at: int) -> int:
    """Return the value of the certificate that an investor brings, and the cost of its railroad."""
    holding, line = terms.chairs[at]
    total = terms.values[line] * terms.chair_percent[holding] // 10 if holding >= 0 else 0
    to, level = terms.gifts[at]
    if to >= 0:
        total += min(side.cost for side in terms.sides if side.level == level)
    return total


def _mean(values: Iterable[int]) -> Mean:
    found = list(values)
    return mean(sum(found), sum(value * value for value in found), len(found))
