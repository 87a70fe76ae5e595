"""What no source of the rules gives: marked, so that no invented figure looks like a rule."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import GapError
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.paths import get_setting, setting_paths
from mapkit.kinds.rail.rules.rules import Rules


class RuleGap(Frozen):
    """A setting that the sources leave open."""

    setting: str = Field(description="Dotted path")
    kind: Literal["no-figure", "assumed"] = Field(description="Without a value, or with one that no source gives")
    why: str


def gaps(rules: Rules) -> tuple[RuleGap, ...]:
    """Return what the sources leave open in `rules`, by path; a value of the author's own is not a gap."""
    out = []
    start, assumed = Rules(preset=rules.preset), book.assumed()[rules.preset]
    for path in setting_paths(Rules):
        value = get_setting(rules, path)
        if value is None:
            why = book.no_figure().get(path, "left out by the author")
            out.append(RuleGap(setting=path, kind="no-figure", why=why))
        elif path in assumed and value == get_setting(start, path):
            out.append(RuleGap(setting=path, kind="assumed", why=assumed[path]))
    return tuple(out)


def figure(rules: Rules, path: str) -> object:
    """Return the value of a setting by dotted path.

    Raises:
        GapError: No source gives it, and nor do these rules; the text says why.
        RulesError: There is no such setting.
    """
    value = get_setting(rules, path)
    if value is None:
        why = book.no_figure().get(path, "left out by the author")
        raise GapError(f"{path} has no figure under {rules.preset}: {why}; set it under [rules] to play by one")
    return value


def net_worth_to_win(rules: Rules, players: int) -> int:
    """Return the net worth that wins a game of `players`, in currency units (RB-V09).

    Raises:
        GapError: The table has none for so many players.
    """
    found = rules.net_worth.target.at(players)
    if found is None:
        raise GapError(
            f"net_worth.target has no figure for {players} players: {book.no_figure()['net_worth.target.two']}"
        )
    return found
