"""The rule sheet: what holds under the settings of a game, in our own words."""

from collections.abc import Iterator
from dataclasses import dataclass

from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.others import end_value, obsolete_pairs


@dataclass(frozen=True)
class CardRulePart:
    """A heading and its points."""

    title: str
    points: tuple[str, ...]
    numbered: bool = False


def rule_sheets(job: CardJob) -> list[Sheet]:
    """Return the rule sheet as pages."""
    return column_sheets(job, "rules", job.words("rules.title"), ColumnText("", card_rule_parts(job)))


def card_rule_parts(job: CardJob) -> tuple[CardRulePart, ...]:
    """Return the sections of the rule sheet."""
    made = {
        "setup": _setup,
        "rounds": _rounds,
        "market": _market,
        "operating": _operating,
        "railroads": _railroads,
        "end": _end,
    }
    return tuple(
        CardRulePart(job.words(f"rules.{name}"), tuple(say(job)), name == "operating") for name, say in made.items()
    )


def _setup(job: CardJob) -> Iterator[str]:
    words, rules = job.words, job.game.rules
    setup = rules.setup
    yield words("rules.players", players=setup.players, cash=job.money(setup.cash))
    if job.game.investors and setup.drafted:
        yield words(f"rules.draft_{setup.bids}")
        yield words.count("rules.drafted", setup.drafted)
        if len(job.game.investors) > setup.drafted:
            yield words(f"rules.left_{rules.disputes.fifth_investor}")


def _rounds(job: CardJob) -> Iterator[str]:
    words, rounds = job.words, job.game.rules.rounds
    name = "sequence" if rounds.stock == 1 else "sequence_many"
    yield words(f"rules.{name}", stock=rounds.stock, operating=rounds.operating)
    if rounds.removes_top:
        yield words("rules.removes")
        if any(len(one.faces) > 1 for one in job.game.railroads):
            yield words(f"rules.removed_{job.game.rules.disputes.removed}")


def _market(job: CardJob) -> Iterator[str]:
    words, rules = job.words, job.game.rules
    limits, market = rules.limits, rules.market
    yield words("rules.turn")
    yield words("rules.price")
    yield words("rules.director_first")
    yield words("rules.limit", certificates=limits.certificates, stock=words.percent(limits.player_stock))
    yield words("rules.bank", stock=words.percent(limits.bank_stock))
    yield words("rules.director")
    if market.seller_down:
        yield words.count("rules.seller", market.seller_down)
    yield words("rules.capital", sold=words.percent(market.sold_to_operate), times=market.capital)


def _operating(job: CardJob) -> Iterator[str]:
    words, rules = job.words, job.game.rules
    operating = rules.operating
    yield words("rules.holdings", names=", ".join(one.name for one in job.game.holdings))
    yield words("rules.add")
    if operating.network_a_round:
        yield words.count("rules.network", operating.network_a_round, income=job.money(operating.network_income))
    yield words.count("rules.dividend", rules.market.dividend_up)
    yield words("rules.buy", price=job.money(operating.price_between))
    yield words("rules.help_operator" if rules.disputes.help_needs_operator else "rules.help")
    yield words("rules.discard")


def _railroads(job: CardJob) -> Iterator[str]:
    for level, gone in obsolete_pairs(job.game):
        yield job.words("rules.goes", level=level, gone=gone)
    levels = {face.level for one in job.game.railroads for face in one.faces}
    if any(not level.isdigit() for level in levels):
        yield job.words("rules.one_level" if job.game.rules.disputes.last_levels == "same" else "rules.two_levels")


def _end(job: CardJob) -> Iterator[str]:
    value = end_value(job.game)
    if value is not None:
        name = "ends" if job.game.rules.disputes.end == "running" else "ends_pair"
        yield job.words(f"rules.{name}", value=value)
    yield job.words("rules.wins")
