"""Sentences of a rule sheet, by section, from `points.LANGUAGE.txt.jinja`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.formats.html import plain_text
from mapkit.kinds.rail.render.rule_sheet.facts import SheetFacts
from mapkit.kinds.rail.render.rule_sheet.settings import get_setting_names, sheet_language
from mapkit.kinds.rail.rules.gaps import RuleGap, gaps
from mapkit.kinds.rail.rules.rules import Engine

ASSUMED = "*"
"""Mark behind a sentence that the printed rules do not settle."""

_ASSUMED_MARK = "\x00"


ENGINES: Final[tuple[Engine, ...]] = ("freight", "express", "superchief")


@dataclass(frozen=True)
class RulePoints:
    """Sentences of a rule sheet, and the matters in them that the printed rules leave open, in the order of sentences.

    Sections go by their id, which is the same in every language: `turn`.
    """

    of: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, str]
    open: tuple[RuleGap, ...]


def make_rule_points(facts: SheetFacts) -> RulePoints:
    """Return the points of each section that has some, by its id, and the titles."""
    rules, words = facts.rules, facts.words
    setting_names = get_setting_names(words)
    superchief_prices = rules.options.superchief_prices
    open_gaps = {gap.about: gap for gap in gaps(rules) if gap.on}
    mentioned_gaps: dict[str, RuleGap] = {}

    def mark(about: str) -> str:
        """Note that a sentence mentions a setting or a row; return a mark if that is assumed."""
        if about not in open_gaps:
            return ""
        mentioned_gaps[about] = open_gaps[about]
        return _ASSUMED_MARK if open_gaps[about].kind == "assumed" else ""

    sheet_text = plain_text(
        __package__,
        f"points.{sheet_language(words)}.txt.jinja",
        rules=rules,
        mark=mark,
        money=facts.money,
        public=facts.public,
        junctions=facts.junctions,
        twins=facts.twins,
        superchief_table=facts.table(superchief_prices) if rules.options.superchief_by_players else "",
        superchief_gap=facts.lacking(superchief_prices),
        net_worth_table=facts.table(rules.net_worth.target),
        net_worth_gap=facts.lacking(rules.net_worth.target),
        groups=_describe_groups(facts) if rules.group_purchase.enabled else [],
        engines={engine: words(f"engine.{engine}") for engine in ENGINES},
        earned=lambda engine: setting_names.value(f"bonus.{engine}", getattr(rules.bonus, engine)),
        number=facts.number,
        dice=facts.dice,
        share=facts.share,
    )
    section_parts = [section.partition("\n") for section in re.split(r"^## ", sheet_text, flags=re.MULTILINE)[1:]]
    section_heads = [head.partition(" ") for head, _, _ in section_parts]
    points = (
        tuple(
            re.sub(rf"\s*{_ASSUMED_MARK}", ASSUMED, to_single_line(point))
            for point in re.split(r"^- ", body, flags=re.MULTILINE)[1:]
        )
        for _, _, body in section_parts
    )
    return RulePoints(
        of={ident: section_sentences for (ident, _, _), section_sentences in zip(section_heads, points, strict=True)},
        titles={ident: title for ident, _, title in section_heads},
        open=tuple(mentioned_gaps.values()),
    )


def _describe_groups(facts: SheetFacts) -> list[str]:
    """Return the merged groups that the board can have, each with its members and price."""
    reporting_marks = {r.id: r.short for r in facts.board.railroads} if facts.board else {}
    group_texts = []
    for group in facts.rules.group_purchase.groups:
        if facts.board is None or set(group.members) <= reporting_marks.keys():
            member_text = ", ".join(reporting_marks.get(m, m.upper()) for m in group.members)
            group_texts.append(f"{to_single_line(group.name)} ({member_text}) {facts.money(group.price)}")
    return group_texts


def to_single_line(text: str) -> str:
    """Join a text to one line with single spaces."""
    return " ".join(text.split())
