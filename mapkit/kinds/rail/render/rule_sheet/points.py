"""The sentences of a rule sheet, by section; `points.txt.jinja` holds them."""

import re

from mapkit.formats.html import plain_text
from mapkit.kinds.rail.render.rule_sheet.facts import ENGINE_NAMES, SheetFacts, dice, number, share
from mapkit.kinds.rail.rules import book


def rule_points(facts: SheetFacts) -> dict[str, tuple[str, ...]]:
    """Return title -> points of each section that has some."""
    rules = facts.rules
    text = plain_text(
        __package__,
        "points.txt.jinja",
        rules=rules,
        money=facts.money,
        public=facts.public,
        superchief_table=facts.table(rules.options.superchief_prices) if rules.options.superchief_by_players else "",
        superchief_gap=_without_price(facts),
        net_worth_table=facts.table(rules.net_worth.target),
        groups=_groups(facts) if rules.group_purchase.enabled else [],
        engines=ENGINE_NAMES,
        wording=book.wording(),
        number=number,
        dice=dice,
        share=share,
    )
    sections = (section.partition("\n") for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:])
    return {title: tuple(map(_one_line, re.split(r"^- ", body, flags=re.MULTILINE)[1:])) for title, _, body in sections}


def _without_price(facts: SheetFacts) -> list[int]:
    """Return the numbers of players for which the table of SuperChief's price has none."""
    setup, prices = facts.rules.setup, facts.rules.options.superchief_prices
    return [n for n in range(setup.min_players, setup.max_players + 1) if prices.at(n) is None]


def _groups(facts: SheetFacts) -> list[str]:
    """Return the merged groups that the board can have, each with its members and price."""
    short = {r.id: r.short for r in facts.board.railroads} if facts.board else {}
    out = []
    for group in facts.rules.group_purchase.groups:
        if facts.board is None or set(group.members) <= short.keys():
            members = ", ".join(short.get(m, m.upper()) for m in group.members)
            out.append(f"{_one_line(group.name)} ({members}) {facts.money(group.price)}")
    return out


def _one_line(text: str) -> str:
    return " ".join(text.split())
