"""The rule sheet for the players at the table: what holds under exactly these rules, in plain words.

Every setting that plays a part is said, and none that does not. The words are our own.
"""

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.rule_sheet.facts import SheetFacts
from mapkit.kinds.rail.render.rule_sheet.points import rule_points
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.gaps import gaps
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
    """A rule sheet, before it is laid out."""

    title: str
    rule_set: str
    options: tuple[str, ...]
    sections: tuple[RuleSection, ...]
    open_points: tuple[str, ...]


def rule_sheet(rules: Rules, *, board: Board | None = None) -> RuleSheet:
    """Return the rule sheet of a game.

    Args:
        rules: What is played.
        board: What it is played on: its name, its currency sign, and which merged groups it has.
    """
    sheet = SheetFacts(rules=rules, board=board)
    points = rule_points(sheet)
    if rules.house.words:
        points["House rules"] = tuple(f"{rule.title}: {' '.join(rule.text.split())}" for rule in rules.house.words)
    switched = [book.options()[ident].title for ident in options_on(rules)]
    own = [
        f"{book.wording()[path].matter}: {value_words(path, value, symbol=sheet.symbol)}"
        for path, value in own_settings(rules)
        if path != "house.words"  # they have a section of their own
    ]
    assumed = [
        f"{book.wording()[gap.setting].matter[:1].upper()}{book.wording()[gap.setting].matter[1:]}"
        for gap in gaps(rules)
        if gap.kind == "assumed" and gap.setting in _TOLD
    ]
    return RuleSheet(
        title=f"Rules: {board.title}" if board else "Rules",
        rule_set=book.preset_titles()[rules.preset],
        options=(*switched, *own),
        sections=tuple(
            RuleSection(title=title, points=said, numbered=title == "Your turn") for title, said in points.items()
        ),
        open_points=tuple(assumed),
    )


_TOLD = {
    "setup.reroll_ties",
    "setup.first_player",
    "auction.others_on_it",
    "auction.seller_ride",
    "auction.bankrupt_cash",
    "auction.passing",
    "winning.bonus_pending_at_home",
    "winning.same_alternate_loses_turn",
}
"""The settings of which players are told that the printed rules leave them open."""
