"""The rule sheet: what holds under the settings of a game, in our own words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.others import end_value, obsolete_pairs
from mapkit.kinds.cards.render.railroads import railroad_title
from mapkit.kinds.cards.rules.settings import PICKS


@dataclass(frozen=True)
class CardRulePart:
    """A heading and its points."""

    title: str
    points: tuple[str, ...]
    numbered: ClassVar[bool] = False


def rule_sheets(job: CardJob) -> list[Sheet]:
    """Return the rule sheet as pages."""
    return column_sheets(job, "rules", job.words("rules.title"), ColumnText("", card_rule_parts(job)))


def card_rule_parts(job: CardJob) -> tuple[CardRulePart, ...]:
    """Return the sections of the rule sheet; those of the steps of a holding have their numbers (BA-O01, D41)."""
    words = job.words
    plain = {"setup": _setup, "draft": _draft, "rounds": _rounds, "market": _market, "director": _director}
    steps = {"place": _place, "revenue": _revenue, "buy": _buy, "discard": _discard}
    last = {"railroads": _railroads, "investors": _investors, "end": _end}
    numbers = (1, 2, 3, job.game.rules.disputes.last_step)
    parts = [
        *((words(f"rules.{name}"), say) for name, say in plain.items()),
        (words("rules.operating"), _operating),
        *(
            (words("rules.step", number=number, title=words(f"rules.step_{name}")), say)
            for number, (name, say) in zip(numbers, steps.items(), strict=True)
        ),
        *((words(f"rules.{name}"), say) for name, say in last.items()),
    ]
    return tuple(CardRulePart(title, points) for title, say in parts if (points := tuple(say(job))))


def _setup(job: CardJob) -> Iterator[str]:
    """Say how a game begins (BA-C27, BA-M01, BA-S06, BA-S07)."""
    words, setup = job.words, job.game.rules.setup
    yield words("rules.players", players=setup.players, cash=job.money(setup.cash))
    if job.game.railroads:
        yield words("rules.table", top=railroad_title(job, job.game.railroads[0]))
    yield words("rules.first_deal")


def _draft(job: CardJob) -> Iterator[str]:
    """Say how investors come to players (BA-S01 to BA-S05, D46)."""
    words, rules, investors = job.words, job.game.rules, job.game.investors
    every = rules.disputes.fifth_investor == "drafted"
    picks = len(investors) if every else min(rules.setup.drafted, len(investors))
    if not picks:
        return
    yield words(f"rules.draft_{rules.setup.bids}")
    yield words("rules.picks", order=", ".join("AB"[PICKS[at % len(PICKS)]] for at in range(picks)))
    yield words.count("rules.drafted", picks)
    if len(investors) > rules.setup.drafted:
        yield words(f"rules.left_{rules.disputes.fifth_investor}")
    brings = {effect.kind for one in investors for effect in one.effects} & {"director", "free-railroad"}
    if len(investors) > picks and brings:
        yield words("rules.undrafted")


def _rounds(job: CardJob) -> Iterator[str]:
    """Say how rounds follow each other (BA-R01, BA-R02, D45)."""
    words, rounds = job.words, job.game.rules.rounds
    name = "sequence" if rounds.stock == 1 else "sequence_many"
    yield words(f"rules.{name}", stock=rounds.stock, operating=rounds.operating)
    if rounds.removes_top:
        yield words("rules.removes")
        if _two_levels(job):
            yield words(f"rules.removed_{job.game.rules.disputes.removed}")


def _market(job: CardJob) -> Iterator[str]:
    """Say what a stock round is (BA-R03 to BA-R05, BA-L, BA-B, BA-M04 to BA-M06)."""
    words, rules = job.words, job.game.rules
    limits, market = rules.limits, rules.market
    yield words("rules.passes")
    yield words("rules.turn")
    yield words("rules.sales")
    yield words("rules.price")
    yield words("rules.director_first")
    starts = [job.money(one.value) for one in job.game.track if one.start and one.value is not None]
    if starts:
        yield words("rules.start", values=", ".join(starts))
    yield words("rules.exchange")
    yield words("rules.no_return")
    yield words("rules.limit", certificates=limits.certificates, stock=words.percent(limits.player_stock))
    yield words("rules.over")
    yield words("rules.bank", stock=words.percent(limits.bank_stock))
    yield words("rules.capital", sold=words.percent(market.sold_to_operate), times=market.capital)
    yield words("rules.below")
    yield words("rules.next_deal")


def _director(job: CardJob) -> Iterator[str]:
    """Say who directs a holding (BA-D01 to BA-D05, BA-L04, BA-L06, BA-L07)."""
    words, market = job.words, job.game.rules.market
    yield words("rules.director_is")
    yield words("rules.chair")
    yield words("rules.chair_sale")
    if market.seller_down:
        yield words.count("rules.seller", market.seller_down)
        yield words("rules.seller_once")


def _operating(job: CardJob) -> Iterator[str]:
    """Say who operates (BA-C13, BA-M02, BA-M08)."""
    yield job.words("rules.holdings", names=", ".join(one.name for one in job.game.holdings))
    yield job.words("rules.apart")


def _place(job: CardJob) -> Iterator[str]:
    """Say where operators go (BA-O02 to BA-O05)."""
    words, operating = job.words, job.game.rules.operating
    yield words("rules.place")
    yield words("rules.plus")
    yield words("rules.bare")
    if operating.network_a_round:
        yield words.count("rules.network", operating.network_a_round, income=job.money(operating.network_income))


def _revenue(job: CardJob) -> Iterator[str]:
    """Say what a holding earns, and who gets it (BA-O06 to BA-O09)."""
    words, up = job.words, job.game.rules.market.dividend_up
    yield words("rules.revenue")
    yield words("rules.pay")
    if up:
        yield words.count("rules.dividend", up)
    yield words("rules.keep")
    yield words("rules.bank_pays")


def _buy(job: CardJob) -> Iterator[str]:
    """Say how railroads and investors come to a holding (BA-C25, BA-O11 to BA-O16, D48)."""
    words, rules = job.words, job.game.rules
    yield words("rules.buy", price=job.money(rules.operating.price_between))
    if any(len(one.faces) > 1 for one in job.game.railroads):
        yield words("rules.two_sides")
    yield words("rules.help_operator" if rules.disputes.help_needs_operator else "rules.help")
    if job.game.investors:
        yield words("rules.assign")
    yield words("rules.never_sold")


def _discard(job: CardJob) -> Iterator[str]:
    """Say what a holding may keep (BA-O18)."""
    yield job.words("rules.discard_too_many")


def _railroads(job: CardJob) -> Iterator[str]:
    """Say what makes railroads obsolete, and what cards of two levels earn (BA-X, D42, D44)."""
    words, disputes = job.words, job.game.rules.disputes
    for level, gone in obsolete_pairs(job.game):
        yield words("rules.goes", level=level, gone=gone)
    levels = {face.level for one in job.game.railroads for face in one.faces}
    if any(not level.isdigit() for level in levels):
        yield words("rules.one_level" if disputes.last_levels == "same" else "rules.two_levels")
    if _two_levels(job):
        yield words("rules.one_income" if disputes.income == "one" else "rules.face_income")


def _investors(job: CardJob) -> Iterator[str]:
    """Say what investors do (BA-C28 to BA-C30, D49)."""
    kinds = {effect.kind for one in job.game.investors for effect in one.effects}
    if job.game.investors:
        yield job.words("rules.cards")
    if kinds & {"income-each", "income-once"}:
        yield job.words("rules.bonus")
    if any(not one.effects and not one.text for one in job.game.investors):
        yield job.words("rules.unknown")


def _end(job: CardJob) -> Iterator[str]:
    """Say when a game ends, and who wins (BA-R06, BA-R07, D50)."""
    value = end_value(job.game)
    if value is not None:
        name = "ends" if job.game.rules.disputes.end == "running" else "ends_pair"
        yield job.words(f"rules.{name}", value=value)
    yield job.words("rules.wins")
    yield job.words("rules.tie")


def _two_levels(job: CardJob) -> bool:
    """Return whether a card has faces of two levels: 8a and 8b are one number."""
    return any(len({face.number for face in one.faces}) > 1 for one in job.game.railroads)
