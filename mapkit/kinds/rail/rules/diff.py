"""Differences of two sets of rules, in the form of the rule books' table of disagreements."""

from mapkit.core.base import Frozen
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.gaps import gaps
from mapkit.kinds.rail.rules.money import PlayersTable
from mapkit.kinds.rail.rules.paths import descriptions, get_setting
from mapkit.kinds.rail.rules.rows import rows_by_setting
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.words import cell_words, value_words


class RuleDifference(Frozen):
    """Setting with different values in two sets of rules."""

    setting: str
    matter: str
    disagreement: str
    rows: tuple[str, ...]
    a: str
    b: str


class RulesDiff(Frozen):
    """Differences of two sets of rules, by disagreement (D01, D02 ...), then by setting."""

    a: str
    b: str
    differences: tuple[RuleDifference, ...]


def diff_rules(a: Rules, b: Rules, *, names: tuple[str, str], symbol: str = "") -> RulesDiff:
    """Return all settings that differ between two sets of rules.

    Args:
        a: One set.
        b: The other.
        names: What to call them.
        symbol: The currency sign for amounts.
    """
    rows_by_path = rows_by_setting()
    differences = [
        RuleDifference(
            setting=path,
            matter=book.wording()[path].matter,
            disagreement=book.wording()[path].disagreement,
            rows=rows_by_path[path],
            a=_difference_words(a, b, path, symbol),
            b=_difference_words(b, a, path, symbol),
        )
        for path in descriptions(Rules)
        if path != "preset" and get_setting(a, path) != get_setting(b, path)
    ]
    differences.sort(key=lambda d: d.disagreement or "X")
    return RulesDiff(a=names[0], b=names[1], differences=tuple(differences))


def _difference_words(mine: Rules, other: Rules, path: str, symbol: str) -> str:
    """Return a value in words: only the differing cells of a table; values without a source are marked as assumed."""
    own_value, other_value = get_setting(mine, path), get_setting(other, path)
    if isinstance(own_value, PlayersTable) and isinstance(other_value, PlayersTable):
        differing_players = [n for n in range(2, 7) if own_value.at(n) != other_value.at(n)]
        return ", ".join(f"{n} players: {cell_words(own_value.at(n), symbol)}" for n in differing_players)
    is_assumed = any(gap.about == path and gap.kind == "assumed" for gap in gaps(mine))
    return value_words(path, own_value, symbol=symbol) + (" (assumed)" if is_assumed else "")
