"""What no source of the rules gives: marked, so that no invented figure looks like a rule."""

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
    """A setting, or a procedure of play, that the sources leave open."""

    about: str = Field(description="Dotted path of the setting, or row of the procedure: `RB-A17`")
    matter: str = Field(description="The same in words, for players")
    kind: Literal["not-given", "assumed"] = Field(description="Without a value, or with one that no source gives")
    why: str
    on: bool = Field(description="Whether it plays a part; what belongs to an option that is off does not")


def gaps(rules: Rules) -> tuple[RuleGap, ...]:
    """Return what the sources leave open in `rules`: settings by path, then procedures by row.

    A value of the author's own is not a gap.
    """
    out = []
    start, assumed, not_given = Rules(preset=rules.preset), book.assumed()[rules.preset], book.not_given()
    for path in setting_paths(Rules):
        value = get_setting(rules, path)
        if value is None or value == UNSTATED:
            known = not_given.get(path)
            matter, why, when = (known.matter, known.why, known.when) if known else (_matter(path), _LEFT_OUT, ())
            out.append(RuleGap(about=path, matter=matter, kind="not-given", why=why, on=_hold(rules, when)))
        elif path in assumed and value == get_setting(start, path):
            row = assumed[path]
            on = _hold(rules, row.when)
            out.append(RuleGap(about=path, matter=_matter(path), kind="assumed", why=row.why, on=on))
    for ident, procedure in sorted(book.assumed_procedures()[rules.preset].items()):
        out.append(RuleGap(about=ident, matter=procedure.matter, kind="assumed", why=procedure.why, on=True))
    return tuple(out)


def _hold(rules: Rules, when: Iterable[Condition]) -> bool:
    return all(condition.holds(get_setting(rules, condition.setting)) for condition in when)


def _matter(path: str) -> str:
    """Return the matter of a setting, or of the table that it is a cell of."""
    words = book.wording()
    return words[path if path in words else path.rpartition(".")[0]].matter


def figure(rules: Rules, path: str) -> object:
    """Return the value of a setting by dotted path.

    Raises:
        GapError: No source gives it, and nor do these rules; the text says why.
        RulesError: There is no such setting.
    """
    value = get_setting(rules, path)
    if value is None:
        known = book.not_given().get(path)
        why = known.why if known else _LEFT_OUT
        raise GapError(f"{path} has no figure under {rules.preset}: {why}; set it under [rules] to play by one")
    return value


def net_worth_to_win(rules: Rules, players: int) -> int:
    """Return the net worth that wins a game of `players`, in currency units (RB-V09).

    Raises:
        GapError: The table has none for so many players.
    """
    found = rules.net_worth.target.at(players)
    if found is None:
        why = book.not_given()["net_worth.target.two"].why
        raise GapError(f"net_worth.target has no figure for {players} players: {why}")
    return found
