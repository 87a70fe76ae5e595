"""What no source of the rules gives: marked, so that no invented figure looks like a rule."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from mapkit.errors import GapError
from mapkit.model.base import Frozen
from mapkit.model.rules import Rules
from mapkit.model.rules_paths import get_setting, setting_paths
from mapkit.model.rules_presets import ASSUMED

NO_FIGURE: Mapping[str, str] = MappingProxyType(
    {
        "options.superchief_prices.two": "D17: the table starts at three players; the usual price is taken",
        "net_worth.target.two": "RB-V09: the table starts at three players",
        "setup.engine_titles": "RB-C15, D21: no number of engine cards is stated",
    }
)
"""Why a setting may have no value, by dotted path."""


class Gap(Frozen):
    """A setting that the sources leave open."""

    setting: str = Field(description="Dotted path")
    kind: Literal["no-figure", "assumed"] = Field(description="Without a value, or with one that no source gives")
    why: str


def gaps(rules: Rules) -> tuple[Gap, ...]:
    """Return what the sources leave open in `rules`, by path; a value of the author's own is no gap."""
    out = []
    start = Rules(preset=rules.preset)
    for path in setting_paths(Rules):
        value = get_setting(rules, path)
        if value is None:
            out.append(Gap(setting=path, kind="no-figure", why=NO_FIGURE.get(path, "left out by the author")))
        elif path in ASSUMED[rules.preset] and value == get_setting(start, path):
            out.append(Gap(setting=path, kind="assumed", why=ASSUMED[rules.preset][path]))
    return tuple(out)


def figure(rules: Rules, path: str) -> object:
    """Return the value of a setting by dotted path.

    Raises:
        GapError: No source gives it, and nor do these rules; the text says why.
        RulesError: There is no such setting.
    """
    value = get_setting(rules, path)
    if value is None:
        why = NO_FIGURE.get(path, "left out by the author")
        raise GapError(f"{path} has no figure under {rules.preset}: {why}; set it under [rules] to play by one")
    return value


def net_worth_to_win(rules: Rules, players: int) -> int:
    """Return the net worth that wins a game of `players`, in currency units (RB-V09).

    Raises:
        GapError: The table has none for so many players.
    """
    found = rules.net_worth.target.at(players)
    if found is None:
        raise GapError(f"net_worth.target has no figure for {players} players: {NO_FIGURE['net_worth.target.two']}")
    return found
