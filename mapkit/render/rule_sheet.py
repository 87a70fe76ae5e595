"""The rule sheet for the players at the table: what holds under exactly these rules, in plain words.

Every setting that plays a part is said, and none that does not. The words are our own.
"""

from collections.abc import Callable

from mapkit.model.base import Frozen
from mapkit.model.board import Board
from mapkit.model.rules import Rules
from mapkit.model.rules_gaps import gaps
from mapkit.model.rules_options import OPTIONS
from mapkit.model.rules_presets import TITLES
from mapkit.model.rules_switched import options_on, own_settings
from mapkit.model.rules_words import WORDING, value_words
from mapkit.render.rule_sheet_money import buying, fees, raising_cash, telling, two_players, winning
from mapkit.render.rule_sheet_play import Sheet, bonus, cities, moving, setting_up, turn

__all__ = ["RuleSheet", "Section", "rule_sheet"]


class Section(Frozen):
    """A heading and its points; of the turn they are numbered."""

    title: str
    points: tuple[str, ...]
    numbered: bool = False


class RuleSheet(Frozen):
    """A rule sheet, before it is laid out."""

    title: str
    rule_set: str
    options: tuple[str, ...]
    sections: tuple[Section, ...]
    open_points: tuple[str, ...]


_SECTIONS: tuple[tuple[str, Callable[[Sheet], list[str]]], ...] = (
    ("Setting up", setting_up),
    ("Rolling a city", cities),
    ("Your turn", turn),
    ("Moving", moving),
    ("Bonus", bonus),
    ("Arriving and buying", buying),
    ("Fees", fees),
    ("Raising cash", raising_cash),
    ("Telling", telling),
    ("Declaring and winning", winning),
    ("Two players", two_players),
)


def rule_sheet(rules: Rules, *, board: Board | None = None) -> RuleSheet:
    """Return the rule sheet of a game.

    Args:
        rules: What is played.
        board: What it is played on: its name, its currency sign, and which merged groups it has.
    """
    sheet = Sheet(rules=rules, board=board)
    sections = tuple(
        Section(title=title, points=tuple(points), numbered=title == "Your turn")
        for title, write in _SECTIONS
        if (points := write(sheet))
    )
    switched = [OPTIONS[ident].title for ident in options_on(rules)]
    own = [
        f"{WORDING[path].matter}: {value_words(path, value, symbol=sheet.symbol)}"
        for path, value in own_settings(rules)
    ]
    assumed = [
        f"{WORDING[gap.setting].matter[:1].upper()}{WORDING[gap.setting].matter[1:]}"
        for gap in gaps(rules)
        if gap.kind == "assumed" and gap.setting in _TOLD
    ]
    return RuleSheet(
        title=f"Rules: {board.title}" if board else "Rules",
        rule_set=TITLES[rules.preset],
        options=(*switched, *own),
        sections=sections,
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
