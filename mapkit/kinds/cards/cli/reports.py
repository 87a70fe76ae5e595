"""Reports on card games, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result, table
from mapkit.playing.tables import mean_text, share_text

if TYPE_CHECKING:
    from mapkit.kinds.cards.analysis.report import CardReport

_ROUNDS = (2, 4, 6, 8)


def show_report(found: "CardReport") -> None:
    """Print a report as tables."""
    length = found.length
    facts = [
        f"operating rounds at least: {length.quickest}; from the slowest start {length.slowest_start}",
        f"operating rounds by play: {mean_text(length.rounds, 1)}, in {mean_text(length.sequences, 1)} sequences",
        f"by play: {found.games:,} games of two {found.policy} players, seed {found.seed}",
    ]
    if found.example_ladder:
        facts.append("share values that the source does not give come from the example ladder")
    railroads = table(
        (
            "railroad", "level", "cost $", "income $", "pays after", "goes at",
            *(f"after {count}" for count in _ROUNDS), "runs by play", "gain $", "bought in %",
        ),
        (
            (
                one.face,
                one.level,
                f"{one.cost:,}",
                f"{one.income:,}",
                "never" if one.pays_after is None else one.pays_after,
                one.gone_at or "stays",
                *(f"{one.gains[count - 1]:+,}" for count in _ROUNDS),
                mean_text(one.life, 1),
                f"{one.gain:+,}" if one.life.of else "-",
                share_text(one.bought),
            )
            for one in found.railroads
        ),
        right=range(1, 13),
    )  # fmt: skip
    most = max(len(one.best) for one in found.holdings)
    holdings = table(
        (
            "holding", "operators", "capital $", "which earns $",
            *(f"with {count} $" for count in range(1, most)),
        ),
        (
            (
                one.name,
                one.operators,
                f"{one.capital[0]:,} to {one.capital[1]:,}",
                f"{one.bought[0]:,} to {one.bought[1]:,}",
                *(f"{value:,}" for value in one.best[1:]),
                *("" for _ in range(most - len(one.best))),
            )
            for one in found.holdings
        ),
        right=range(1, 3 + most),
    )  # fmt: skip
    investors = table(
        (
            "investor", "face $", "at once $", "a round $", "a railroad $", "discount %",
            "named $", "holder ahead by $", "wins %",
        ),
        (
            (
                one.name or one.investor,
                f"{one.face:,}",
                f"{one.at_once:,}",
                f"{one.each_round:,}",
                f"{one.each_railroad:,}",
                one.discount,
                mean_text(one.price, 0),
                mean_text(one.ahead, 0),
                share_text(one.wins),
            )
            for one in found.investors
        ),
        right=range(1, 9),
    )  # fmt: skip
    heads = (
        "Railroads: gains in $ after so many operating rounds, and over as many as they run by play",
        "Holdings: what the capital can buy, and the most that so many railroads earn in a round",
        "Investors",
    )
    parts = [f"{head}\n{part}" for head, part in zip(heads, (railroads, holdings, investors), strict=True)]
    print_result("\n\n".join(["\n".join(facts), *parts]))
