"""Report on a card game, from its tables and from games by computer players."""

from collections.abc import Iterable, Sequence

from mapkit.core.progress import Progress, quiet
from mapkit.kinds.cards.analysis.earnings import (
    best_incomes,
    cumulative_gains,
    fewest_rounds,
    income_for,
    pays_after,
    starting_capitals,
)
from mapkit.kinds.cards.analysis.report import CardReport, GameLength, HoldingEarnings, InvestorWorth, RailroadReturn
from mapkit.kinds.cards.playing.outcome import NOBODY, Outcome, railroad_levels
from mapkit.kinds.cards.playing.study import CardTable, play_outcomes
from mapkit.kinds.cards.playing.terms import CardTerms
from mapkit.playing.figures import Mean, mean, share

_GAMES_A_BATCH = 20


def make_card_report(
    table: CardTable, games: int, *, variants: Sequence[str] = (), progress: Progress = quiet
) -> CardReport:
    """Return the report on a card game.

    Args:
        table: The game, who plays, and the seed.
        games: How many games are played.
        variants: Of the game.
        progress: Called with how many are played.
    """
    terms, game_outcomes = table.terms, _play_games(table, games, progress)
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
            rounds=_mean_of(outcome.rounds for outcome in game_outcomes),
            sequences=_mean_of(outcome.sequences for outcome in game_outcomes),
        ),
        railroads=tuple(_railroad_return(terms, number, game_outcomes) for number in range(len(terms.sides))),
        holdings=tuple(_holding_earnings(terms, number) for number in range(terms.holdings)),
        investors=tuple(_investor_worth(terms, number, game_outcomes) for number in range(terms.investors)),
    )


def _play_games(table: CardTable, games: int, progress: Progress) -> list[Outcome]:
    game_outcomes: list[Outcome] = []
    for first_game in range(0, games, _GAMES_A_BATCH):
        progress(f"playing game {first_game + 1:,} of {games:,}")
        game_outcomes += play_outcomes(table, first_game, min(_GAMES_A_BATCH, games - first_game))
    return game_outcomes


def _railroad_return(terms: CardTerms, at: int, played: Sequence[Outcome]) -> RailroadReturn:
    side = terms.sides[at]
    railroad = terms.game.railroads[side.sort]
    mean_life = _mean_of(rounds for outcome in played if (rounds := _rounds_in_game(terms, at, outcome)) is not None)
    return RailroadReturn(
        railroad=railroad.id,
        name=railroad.name,
        face=side.id,
        level=side.level,
        cost=side.cost,
        income=side.income,
        pays_after=pays_after(side),
        gone_at=side.gone_at or None,
        gains=cumulative_gains(side),
        life=mean_life,
        gain=round(mean_life.mean * side.income - side.cost),
        bought=share(sum(outcome.bought[at] > 0 for outcome in played), len(played)),
    )


def _rounds_in_game(terms: CardTerms, at: int, one: Outcome) -> int | None:
    """Return the operating rounds that a face was in the game; None if its level never came."""
    side, levels = terms.sides[at], railroad_levels(terms)
    round_before = one.level_round[levels.index(side.level)]
    if round_before == NOBODY:
        return None
    end_rounds = [one.rounds]
    if side.gone_at:
        end_rounds += [one.level_round[k] for k, level in enumerate(levels) if level >= side.gone_at]
    return min(end for end in end_rounds if end != NOBODY) - round_before


def _holding_earnings(terms: CardTerms, at: int) -> HoldingEarnings:
    holding, (least_capital, most_capital) = terms.game.holdings[at], starting_capitals(terms)
    return HoldingEarnings(
        holding=holding.id,
        name=holding.name,
        operators=holding.operators,
        capital=(least_capital, most_capital),
        bought=(income_for(terms, at, least_capital), income_for(terms, at, most_capital)),
        best=best_incomes(terms, at),
    )


def _investor_worth(terms: CardTerms, at: int, played: Sequence[Outcome]) -> InvestorWorth:
    investor = terms.game.investors[at]
    drafted_games = [outcome for outcome in played if outcome.backer[at] != NOBODY]
    leads = [outcome.worth[outcome.backer[at]] - outcome.worth[1 - outcome.backer[at]] for outcome in drafted_games]
    holding, line = terms.chairs[at]
    gift_value = terms.values[line] * terms.chair_percent[holding] // 10 if holding >= 0 else 0
    gift_holding, level = terms.gifts[at]
    if gift_holding >= 0:
        gift_value += min(side.cost for side in terms.sides if side.level == level)
    return InvestorWorth(
        investor=investor.id,
        name=investor.name,
        face=investor.value,
        at_once=gift_value,
        each_round=terms.once[at],
        each_railroad=terms.each[at],
        discount=terms.rebate[at],
        price=_mean_of(outcome.price[at] for outcome in drafted_games),
        ahead=_mean_of(leads),
        wins=share(sum(lead > 0 for lead in leads), len(leads)),
    )


def _mean_of(values: Iterable[int]) -> Mean:
    value_list = list(values)
    return mean(sum(value_list), sum(value * value for value in value_list), len(value_list))
