"""Gaps in the sources of the rules, marked so that an assumed figure does not look like a rule."""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import GapError
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.paths import get_setting, setting_paths
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.tables import UNSTATED, Condition

_LEFT_OUT = "left out by the author"


class RuleGap(Frozen):
    """Setting or procedure of play that the sources leave open."""

    about: str = Field(description="Dotted path of the setting, or row of the procedure: `RB-A17`")
    matter: str = Field(description="The same in words, for players")
    kind: Literal["not-given", "assumed"] = Field(description="Without a value, or with one that no source gives")
    why: str
    on: bool = Field(description="Whether it plays a part; what belongs to an option that is off does not")


def gaps(rules: Rules) -> tuple[RuleGap, ...]:
    """Return the gaps of the sources in `rules`: settings by path, then procedures by row.

    A value of the author's own is not a gap.
    """
    rule_gaps = []
    preset_rules, assumed, not_given = Rules(preset=rules.preset), book.assumed()[rules.preset], book.not_given()
    for path in setting_paths(Rules):
        value = get_setting(rules, path)
        if value is None or value == UNSTATED:
            missing_row = not_given.get(path)
            matter, why, conditions = (
                (missing_row.matter, missing_row.why, missing_row.when)
                if missing_row
                else (_setting_subject(path), _LEFT_OUT, ())
            )
            rule_gaps.append(
                RuleGap(about=path, matter=matter, kind="not-given", why=why, on=_all_hold(rules, conditions))
            )
        elif path in assumed and value == get_setting(preset_rules, path):
            row = assumed[path]
            is_active = _all_hold(rules, row.when)
            rule_gaps.append(
                RuleGap(about=path, matter=_setting_subject(path), kind="assumed", why=row.why, on=is_active)
            )
    for row_id, procedure in sorted(book.assumed_procedures()[rules.preset].items()):
        rule_gaps.append(RuleGap(about=row_id, matter=procedure.matter, kind="assumed", why=procedure.why, on=True))
    return tuple(rule_gaps)


def _all_hold(rules: Rules, when: Iterable[Condition]) -> bool:
    return all(condition.holds(get_setting(rules, condition.setting)) for condition in when)


def _setting_subject(path: str) -> str:
    """Return the subject of a setting, or of the table of a cell."""
    wording_by_path = book.wording()
    return wording_by_path[path if path in wording_by_path else path.rpartition(".")[0]].matter


def figure(rules: Rules, path: str) -> object:
    """Return the value of a setting by dotted path.

    Raises:
        GapError: No source gives it, and nor do these rules; the text says why.
        RulesError: There is no such setting.
    """
    value = get_setting(rules, path)
    if value is None:
        missing_row = book.not_given().get(path)
        why = missing_row.why if missing_row else _LEFT_OUT
        raise GapError(f"{path} has no figure under {rules.preset}: {why}; set it under [rules] to play by one")
    return value


def net_worth_to_win(rules: Rules, players: int) -> int:
    """Return the net worth that wins a game of `players`, in currency units (RB-V09).

    Raises:
        GapError: The table has none for so many players.
    """
    target = rules.net_worth.target.at(players)
    if target is None:
        why = book.not_given()["net_worth.target.two"].why
        raise GapError(f"net_worth.target has no figure for {players} players: {why}")
    return target
