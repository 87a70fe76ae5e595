"""The rule sheet for the players at the table: what holds under exactly these rules, in plain words.

Every setting that plays a part is said, and none that does not. The words are our own.
"""

from mapkit.core.base import Frozen
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.rule_sheet.facts import SheetFacts
from mapkit.kinds.rail.render.rule_sheet.points import one_line, rule_points
from mapkit.kinds.rail.render.rule_sheet.settings import settings_in
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.switched import options_on, own_settings

__all__ = ["RuleSection", "RuleSheet", "rule_sheet"]


class RuleSection(Frozen):
    """A heading and its points; of the turn they are numbered."""

    id: str
    title: str
    points: tuple[str, ...]
    numbered: bool = False


class RuleSheet(Frozen):
    """A rule sheet, before it is laid out.

    `assumed` are the matters of the sentences that have a mark: the printed rules leave them open. For those in
    `not_given` they have no value, and nor have these rules.
    """

    language: Language = LANGUAGES[0]
    title: str
    rule_set: str
    options: tuple[str, ...]
    sections: tuple[RuleSection, ...]
    assumed: tuple[str, ...]
    not_given: tuple[str, ...]


def rule_sheet(rules: Rules, *, board: Board | None = None, language: Language | None = None) -> RuleSheet:
    """Return the rule sheet of a game.

    Args:
        rules: What is played.
        board: What it is played on: its name, its currency sign, its twin cities and merged groups, and whether it
            has junctions and public railroads.
        language: Of the words; by default that of the board, and English without one. Names and house rules stay as
            their authors wrote them.
    """
    facts = SheetFacts(rules=rules, board=board, language=language)
    words, named, points = facts.words, settings_in(facts.words), rule_points(facts)
    sections = [
        RuleSection(id=ident, title=points.titles[ident], points=said, numbered=ident == "turn")
        for ident, said in points.of.items()
    ]
    if rules.house.words:
        said = tuple(f"{rule.title}: {one_line(rule.text)}" for rule in rules.house.words)
        sections.append(RuleSection(id="house", title=words("rules.house"), points=said))
    switched = [named.option(ident) for ident in options_on(rules)]
    own = [
        f"{named.matter(path)}: {named.value(path, value, facts.symbol)}"
        for path, value in own_settings(rules)
        if path != "house.words"  # they have a section of their own
    ]
    return RuleSheet(
        language=words.language,
        title=words("rules.titled", board=board.title) if board else words("rules.title"),
        rule_set=named.preset(rules.preset),
        options=(*switched, *own),
        sections=tuple(sections),
        assumed=tuple(named.open_matter(gap) for gap in points.open if gap.kind == "assumed"),
        not_given=tuple(named.open_matter(gap) for gap in points.open if gap.kind == "not-given"),
    )
