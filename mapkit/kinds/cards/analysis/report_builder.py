"""Report on a card game, from its tables and from games by computer players."""

from collections.abc import Iterable, Sequence
from math import ceil, gcd
from typing import Final

from mapkit.core.progress import Progress, quiet
from mapkit.kinds.cards.analysis.report import CardReport, GameLength, HoldingEarnings, InvestorWorth, RailroadReturn
from mapkit.kinds.cards.playing.outcome import NOBODY, Outcome, railroad_levels
from mapkit.kinds.cards.playing.study import CardTable, play_outcomes
from mapkit.kinds.cards.playing.terms import CardTerms, Side
from mapkit.playing.figures import Mean, mean, share

# Figures from the tables of a game: returns, earnings, the fewest rounds.

SHOWN_ROUNDS: Final = 12
"""Operating rounds for which gains of a railroad are given."""


def pays_after(side: Side) -> int | None:
    """Return the number of operating rounds until a railroad has earned its cost; None if it earns nothing."""
    return ceil(side.cost / side.income) if side.income else None


def cumulative_gains(side: Side, rounds: int = SHOWN_ROUNDS) -> tuple[int, ...]:
    """Return earnings less cost after 1, 2, 3 ... operating rounds."""
    return tuple(side.income * count - side.cost for count in range(1, rounds + 1))


def starting_capitals(terms: CardTerms) -> tuple[int, int]:
    """Return the capital of a holding that starts on the lowest and on the highest value (BA-B12)."""
    start_values = [terms.values[line] for line in terms.starts]
    return terms.game.rules.market.capital * min(start_values), terms.game.rules.market.capital * max(start_values)


def best_incomes(terms: CardTerms, holding: int) -> tuple[int, ...]:
    """Return the highest income of a holding with 0, 1, 2 ... railroads, up to one for each operator.

    Operators that keep no railroad are in the network (BA-O05). Without a railroad it earns nothing (BA-O06).
    """
    operators, network_income = terms.operators[holding], terms.game.rules.operating.network_income
    card_incomes = sorted(
        [
            max(terms.sides[at].income for at in sides)
            for sort, sides in enumerate(terms.of_sort)
            for _ in range(terms.game.railroads[sort].count)
        ],
        reverse=True,
    )[:operators]
    return (
        0,
        *(
            sum(card_incomes[:count]) + network_income * (operators - count)
            for count in range(1, len(card_incomes) + 1)
        ),
    )


def income_for(terms: CardTerms, holding: int, money: int) -> int:
    """Return an upper bound of the income of railroads for an amount of money (knapsack problem).

    The order of the stack is left aside, so this is a bound from above. A knapsack over cards, in steps of the greatest
    amount that divides all costs.
    """
    divisor = gcd(*(side.cost for side in terms.sides))
    money_step = divisor if 0 < divisor <= money else 0
    if not money_step:
        return 0
    step_count, operators = money // money_step, terms.operators[holding]
    best_incomes_by_count = [[0] * (step_count + 1) for _ in range(operators + 1)]
    for sort, sides in enumerate(terms.of_sort):
        for _ in range(terms.game.railroads[sort].count):
            _add_card(
                best_incomes_by_count, [(terms.sides[at].cost // money_step, terms.sides[at].income) for at in sides]
            )
    return max(row[step_count] for row in best_incomes_by_count)


def _add_card(best: list[list[int]], faces: Sequence[tuple[int, int]]) -> None:
    """Add a card to the best incomes by number of cards and money; one of its faces can be bought."""
    for count in range(len(best) - 1, 0, -1):
        smaller_row, current_row = best[count - 1], best[count]
        for money in range(len(current_row) - 1, -1, -1):
            for cost, income in faces:
                if cost <= money:
                    current_row[money] = max(current_row[money], smaller_row[money - cost] + income)


def fewest_rounds(terms: CardTerms) -> tuple[int, int]:
    """Return the fewest operating rounds until a holding that always pays ends the track (BA-O08, BA-R06, D50).

    It buys its first railroad in its first round and pays from the second on. One that an investor starts with a
    railroad pays in the first.

    Returns:
        From the start that is quickest, and from the one that is slowest; 0 where no dividend moves a value.
    """
    lines_up, operating_rounds = terms.game.rules.market.dividend_up, terms.game.rules.rounds.operating
    if not lines_up:
        return 0, 0
    starting_lines = [(line, 1) for line in terms.starts]
    starting_lines += [
        (line, 0)
        for (holding, line), (gift_holding, _) in zip(terms.chairs, terms.gifts, strict=True)
        if 0 <= holding == gift_holding
    ]
    round_counts = [rounds_waited + ceil((terms.end - line) / lines_up) for line, rounds_waited in starting_lines]
    if terms.game.rules.disputes.end == "pair":
        round_counts = [operating_rounds * ceil(count / operating_rounds) for count in round_counts]
    return min(round_counts), max(round_counts)


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
