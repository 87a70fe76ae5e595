"""Rule sheet for the players at the table: the rules of one game in plain words.

It mentions every setting that matters, and no other, in our own words.
"""

from mapkit.core.base import Frozen
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.rule_sheet.points import SheetFacts, get_setting_names, make_rule_points, to_single_line
from mapkit.kinds.rail.rules.active_options import options_on, own_settings
from mapkit.kinds.rail.rules.rules import Rules

__all__ = ["RuleSection", "RuleSheet", "make_rule_sheet"]


class RuleSection(Frozen):
    """Heading with its points; those of the turn are numbered."""

    id: str
    title: str
    points: tuple[str, ...]
    numbered: bool = False


class RuleSheet(Frozen):
    """Rule sheet before its layout.

    `assumed` are the matters of marked sentences, left open by the printed rules. Matters in `not_given` have no value
    in the printed rules, nor here.
    """

    language: Language = LANGUAGES[0]
    title: str
    rule_set: str
    options: tuple[str, ...]
    sections: tuple[RuleSection, ...]
    assumed: tuple[str, ...]
    not_given: tuple[str, ...]


def make_rule_sheet(rules: Rules, *, board: Board | None = None, language: Language | None = None) -> RuleSheet:
    """Make the rule sheet of a game.

    Args:
        rules: The rules of the game.
        board: The board of the game: its name, its currency sign, its twin cities and merged groups, and whether it
            has junctions and public railroads.
        language: Of the words; by default that of the board, and English without one. Names and house rules stay as
            their authors wrote them.
    """
    sheet_facts = SheetFacts(rules=rules, board=board, language=language)
    words, setting_names, sheet_points = (
        sheet_facts.words,
        get_setting_names(sheet_facts.words),
        make_rule_points(sheet_facts),
    )
    rule_sections = [
        RuleSection(id=ident, title=sheet_points.titles[ident], points=section_sentences, numbered=ident == "turn")
        for ident, section_sentences in sheet_points.of.items()
    ]
    if rules.house.words:
        section_sentences = tuple(f"{rule.title}: {to_single_line(rule.text)}" for rule in rules.house.words)
        rule_sections.append(RuleSection(id="house", title=words("rules.house"), points=section_sentences))
    switched_options = [setting_names.option(ident) for ident in options_on(rules)]
    changed_settings = [
        f"{setting_names.matter(path)}: {setting_names.value(path, value, sheet_facts.symbol)}"
        for path, value in own_settings(rules)
        if path != "house.words"  # they have a section of their own
    ]
    return RuleSheet(
        language=words.language,
        title=words("rules.titled", board=board.title) if board else words("rules.title"),
        rule_set=setting_names.preset(rules.preset),
        options=(*switched_options, *changed_settings),
        sections=tuple(rule_sections),
        assumed=tuple(setting_names.open_matter(gap) for gap in sheet_points.open if gap.kind == "assumed"),
        not_given=tuple(setting_names.open_matter(gap) for gap in sheet_points.open if gap.kind == "not-given"),
    )
