"""Rule sheet for the settings of a game, in mapkit's own words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.render.investors import end_value, obsolete_pairs
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.railroads import railroad_title
from mapkit.kinds.cards.rules.settings import PICKS


@dataclass(frozen=True)
class CardRulePart:
    """Section of the rule sheet: a heading and its points."""

    title: str
    points: tuple[str, ...]
    numbered: ClassVar[bool] = False


def rule_sheets(job: CardJob) -> list[Sheet]:
    """Return the rule sheet as pages."""
    return column_sheets(job, "rules", job.words("rules.title"), ColumnText("", card_rule_parts(job)))


def card_rule_parts(job: CardJob) -> tuple[CardRulePart, ...]:
    """Return the sections of the rule sheet; the steps of operating a holding are numbered (BA-O01, D41)."""
    words = job.words
    first_writers = {
        "setup": _setup_points,
        "draft": _draft_points,
        "rounds": _round_points,
        "market": _market_points,
        "director": _director_points,
    }
    step_writers = {
        "place": _placing_points,
        "revenue": _revenue_points,
        "buy": _purchase_points,
        "discard": _discard_points,
    }
    last_writers = {"railroads": _railroad_points, "investors": _investor_points, "end": _end_points}
    step_numbers = (1, 2, 3, job.game.rules.disputes.last_step)
    titles_and_writers = [
        *((words(f"rules.{name}"), write_points) for name, write_points in first_writers.items()),
        (words("rules.operating"), _operating_points),
        *(
            (words("rules.step", number=number, title=words(f"rules.step_{name}")), write_points)
            for number, (name, write_points) in zip(step_numbers, step_writers.items(), strict=True)
        ),
        *((words(f"rules.{name}"), write_points) for name, write_points in last_writers.items()),
    ]
    return tuple(
        CardRulePart(title, points)
        for title, write_points in titles_and_writers
        if (points := tuple(write_points(job)))
    )


def _setup_points(job: CardJob) -> Iterator[str]:
    """Yield the points on the beginning of a game (BA-C27, BA-M01, BA-S06, BA-S07)."""
    words, setup_rules = job.words, job.game.rules.setup
    yield words("rules.players", players=setup_rules.players, cash=job.money(setup_rules.cash))
    if job.game.railroads:
        yield words("rules.table", top=railroad_title(job, job.game.railroads[0]))
    yield words("rules.first_deal")


def _draft_points(job: CardJob) -> Iterator[str]:
    """Yield the points on the draft of investors (BA-S01 to BA-S05, D46)."""
    words, rules, investors = job.words, job.game.rules, job.game.investors
    is_every_drafted = rules.disputes.fifth_investor == "drafted"
    pick_count = len(investors) if is_every_drafted else min(rules.setup.drafted, len(investors))
    if not pick_count:
        return
    yield words(f"rules.draft_{rules.setup.bids}")
    yield words("rules.picks", order=", ".join("AB"[PICKS[at % len(PICKS)]] for at in range(pick_count)))
    yield words.count("rules.drafted", pick_count)
    if len(investors) > rules.setup.drafted:
        yield words(f"rules.left_{rules.disputes.fifth_investor}")
    starting_effects = {effect.kind for investor in investors for effect in investor.effects} & {
        "director",
        "free-railroad",
    }
    if len(investors) > pick_count and starting_effects:
        yield words("rules.undrafted")


def _round_points(job: CardJob) -> Iterator[str]:
    """Yield the points on the order of rounds (BA-R01, BA-R02, D45)."""
    words, round_rules = job.words, job.game.rules.rounds
    text_key = "sequence" if round_rules.stock == 1 else "sequence_many"
    yield words(f"rules.{text_key}", stock=round_rules.stock, operating=round_rules.operating)
    if round_rules.removes_top:
        yield words("rules.removes")
        if _has_two_levels(job):
            yield words(f"rules.removed_{job.game.rules.disputes.removed}")


def _market_points(job: CardJob) -> Iterator[str]:
    """Yield the points on stock rounds (BA-R03 to BA-R05, BA-L, BA-B, BA-M04 to BA-M06)."""
    words, rules = job.words, job.game.rules
    limit_rules, market_rules = rules.limits, rules.market
    yield words("rules.passes")
    yield words("rules.turn")
    yield words("rules.sales")
    yield words("rules.price")
    yield words("rules.director_first")
    start_values = [job.money(space.value) for space in job.game.track if space.start and space.value is not None]
    if start_values:
        yield words("rules.start", values=", ".join(start_values))
    yield words("rules.exchange")
    yield words("rules.no_return")
    yield words("rules.limit", certificates=limit_rules.certificates, stock=words.percent(limit_rules.player_stock))
    yield words("rules.over")
    yield words("rules.bank", stock=words.percent(limit_rules.bank_stock))
    yield words("rules.capital", sold=words.percent(market_rules.sold_to_operate), times=market_rules.capital)
    yield words("rules.below")
    yield words("rules.next_deal")


def _director_points(job: CardJob) -> Iterator[str]:
    """Yield the points on the Director of a holding (BA-D01 to BA-D05, BA-L04, BA-L06, BA-L07)."""
    words, market_rules = job.words, job.game.rules.market
    yield words("rules.director_is")
    yield words("rules.chair")
    yield words("rules.chair_sale")
    if market_rules.seller_down:
        yield words.count("rules.seller", market_rules.seller_down)
        yield words("rules.seller_once")


def _operating_points(job: CardJob) -> Iterator[str]:
    """Yield the points on the operation of holdings (BA-C13, BA-M02, BA-M08)."""
    yield job.words("rules.holdings", names=", ".join(one.name for one in job.game.holdings))
    yield job.words("rules.apart")


def _placing_points(job: CardJob) -> Iterator[str]:
    """Yield the points on placing operators (BA-O02 to BA-O05)."""
    words, operating_rules = job.words, job.game.rules.operating
    yield words("rules.place")
    yield words("rules.plus")
    yield words("rules.bare")
    if operating_rules.network_a_round:
        yield words.count(
            "rules.network", operating_rules.network_a_round, income=job.money(operating_rules.network_income)
        )


def _revenue_points(job: CardJob) -> Iterator[str]:
    """Yield the points on income and its distribution (BA-O06 to BA-O09)."""
    words, lines_up = job.words, job.game.rules.market.dividend_up
    yield words("rules.revenue")
    yield words("rules.pay")
    if lines_up:
        yield words.count("rules.dividend", lines_up)
    yield words("rules.keep")
    yield words("rules.bank_pays")


def _purchase_points(job: CardJob) -> Iterator[str]:
    """Yield the points on buying railroads and assigning investors (BA-C25, BA-O11 to BA-O16, D48)."""
    words, rules = job.words, job.game.rules
    yield words("rules.buy", price=job.money(rules.operating.price_between))
    if any(len(one.faces) > 1 for one in job.game.railroads):
        yield words("rules.two_sides")
    yield words("rules.help_operator" if rules.disputes.help_needs_operator else "rules.help")
    if job.game.investors:
        yield words("rules.assign")
    yield words("rules.never_sold")
    yield words("rules.one_owner")


def _discard_points(job: CardJob) -> Iterator[str]:
    """Yield the point on excess railroads (BA-O18)."""
    yield job.words("rules.discard_too_many")


def _railroad_points(job: CardJob) -> Iterator[str]:
    """Yield the points on obsolescence, and on the income of cards with two levels (BA-X, D42, D44)."""
    words, dispute_rules = job.words, job.game.rules.disputes
    pairs = obsolete_pairs(job.game)
    for level, obsolete_level in pairs:
        yield words("rules.goes", level=level, gone=obsolete_level)
    if pairs:
        yield words("rules.no_more")
    level_names = {face.level for railroad in job.game.railroads for face in railroad.faces}
    if any(not level.isdigit() for level in level_names):
        yield words("rules.one_level" if dispute_rules.last_levels == "same" else "rules.two_levels")
    if _has_two_levels(job):
        yield words("rules.one_income" if dispute_rules.income == "one" else "rules.face_income")


def _investor_points(job: CardJob) -> Iterator[str]:
    """Yield the points on abilities of investors (BA-C28 to BA-C30, D49)."""
    effect_kinds = {effect.kind for investor in job.game.investors for effect in investor.effects}
    if job.game.investors:
        yield job.words("rules.cards")
    if effect_kinds & {"income-each", "income-once"}:
        yield job.words("rules.bonus")
    if any(not investor.effects and not investor.text for investor in job.game.investors):
        yield job.words("rules.unknown")


def _end_points(job: CardJob) -> Iterator[str]:
    """Yield the points on the end and the winner (BA-R06, BA-R07, D50)."""
    value = end_value(job.game)
    if value is not None:
        text_key = "ends" if job.game.rules.disputes.end == "running" else "ends_pair"
        yield job.words(f"rules.{text_key}", value=value)
    yield job.words("rules.wins")
    yield job.words("rules.tie")


def _has_two_levels(job: CardJob) -> bool:
    """Return whether any card has faces with different level numbers; 8a and 8b have the same number."""
    return any(len({face.number for face in one.faces}) > 1 for one in job.game.railroads)
