"""The sentences of a rule sheet, by section; `points.LANGUAGE.txt.jinja` holds them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.formats.html import plain_text
from mapkit.kinds.rail.render.rule_sheet.facts import SheetFacts
from mapkit.kinds.rail.render.rule_sheet.settings import settings_in
from mapkit.kinds.rail.rules.gaps import RuleGap, gaps
from mapkit.kinds.rail.rules.rules import Engine

ASSUMED = "*"
"""What stands behind a sentence that the printed rules do not settle."""

_MARK = "\x00"


ENGINES: Final[tuple[Engine, ...]] = ("freight", "express", "superchief")


@dataclass(frozen=True)
class Points:
    """The sentences of a rule sheet, and what of them the printed rules leave open, in the order of the sentences.

    Sections go by their id, which is the same in every language: `turn`.
    """

    of: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, str]
    open: tuple[RuleGap, ...]


def rule_points(facts: SheetFacts) -> Points:
    """Return the points of each section that has some, by its id, and the titles."""
    rules, words = facts.rules, facts.words
    named = settings_in(words)
    prices = rules.options.superchief_prices
    left_open = {gap.about: gap for gap in gaps(rules) if gap.on}
    mentioned: dict[str, RuleGap] = {}

    def mark(about: str) -> str:
        """Note that a sentence says a setting or a row; if that is assumed, return a mark."""
        if about not in left_open:
            return ""
        mentioned[about] = left_open[about]
        return _MARK if left_open[about].kind == "assumed" else ""

    text = plain_text(
        __package__,
        f"points.{words.base}.txt.jinja",
        rules=rules,
        mark=mark,
        money=facts.money,
        public=facts.public,
        junctions=facts.junctions,
        twins=facts.twins,
        superchief_table=facts.table(prices) if rules.options.superchief_by_players else "",
        superchief_gap=facts.lacking(prices),
        net_worth_table=facts.table(rules.net_worth.target),
        net_worth_gap=facts.lacking(rules.net_worth.target),
        groups=_groups(facts) if rules.group_purchase.enabled else [],
        engines={engine: words(f"engine.{engine}") for engine in ENGINES},
        earned=lambda engine: named.value(f"bonus.{engine}", getattr(rules.bonus, engine)),
        number=facts.number,
        dice=facts.dice,
        share=facts.share,
    )
    sections = [section.partition("\n") for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]]
    heads = [head.partition(" ") for head, _, _ in sections]
    points = (tuple(map(_point, re.split(r"^- ", body, flags=re.MULTILINE)[1:])) for _, _, body in sections)
    return Points(
        of={ident: said for (ident, _, _), said in zip(heads, points, strict=True)},
        titles={ident: title for ident, _, title in heads},
        open=tuple(mentioned.values()),
    )


def _groups(facts: SheetFacts) -> list[str]:
    """Return the merged groups that the board can have, each with its members and price."""
    short = {r.id: r.short for r in facts.board.railroads} if facts.board else {}
    out = []
    for group in facts.rules.group_purchase.groups:
        if facts.board is None or set(group.members) <= short.keys():
            members = ", ".join(short.get(m, m.upper()) for m in group.members)
            out.append(f"{one_line(group.name)} ({members}) {facts.money(group.price)}")
    return out


def _point(text: str) -> str:
    return re.sub(rf"\s*{_MARK}", ASSUMED, one_line(text))


def one_line(text: str) -> str:
    """Return a text on one line, its spaces single."""
    return " ".join(text.split())
