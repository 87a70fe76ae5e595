"""The rule sheet for the players at the table: what holds under exactly these rules, in plain words.

Every setting that plays a part is said, and none that does not. The words are our own.
"""

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.rule_sheet.facts import SheetFacts
from mapkit.kinds.rail.render.rule_sheet.points import one_line, rule_points
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.switched import options_on, own_settings
from mapkit.kinds.rail.rules.words import value_words

__all__ = ["RuleSection", "RuleSheet", "rule_sheet"]


class RuleSection(Frozen):
    """A heading and its points; of the turn they are numbered."""

    title: str
    points: tuple[str, ...]
    numbered: bool = False


class RuleSheet(Frozen):
    """A rule sheet, before it is laid out.

    `assumed` are the matters of the sentences that have a mark: the printed rules leave them open. For those in
    `not_given` they have no value, and nor have these rules.
    """

    title: str
    rule_set: str
    options: tuple[str, ...]
    sections: tuple[RuleSection, ...]
    assumed: tuple[str, ...]
    not_given: tuple[str, ...]


def rule_sheet(rules: Rules, *, board: Board | None = None) -> RuleSheet:
    """Return the rule sheet of a game.

    Args:
        rules: What is played.
        board: What it is played on: its name, its currency sign, its twin cities and merged groups, and whether it
            has junctions and public railroads.
    """
    facts = SheetFacts(rules=rules, board=board)
    points = rule_points(facts)
    sections = dict(points.of)
    if rules.house.words:
        sections["House rules"] = tuple(f"{rule.title}: {one_line(rule.text)}" for rule in rules.house.words)
    switched = [book.options()[ident].title for ident in options_on(rules)]
    own = [
        f"{book.wording()[path].matter}: {value_words(path, value, symbol=facts.symbol)}"
        for path, value in own_settings(rules)
        if path != "house.words"  # they have a section of their own
    ]
    return RuleSheet(
        title=f"Rules: {board.title}" if board else "Rules",
        rule_set=book.preset_titles()[rules.preset],
        options=(*switched, *own),
        sections=tuple(
            RuleSection(title=title, points=said, numbered=title == "Your turn") for title, said in sections.items()
        ),
        assumed=tuple(gap.matter for gap in points.open if gap.kind == "assumed"),
        not_given=tuple(gap.matter for gap in points.open if gap.kind == "not-given"),
    )
