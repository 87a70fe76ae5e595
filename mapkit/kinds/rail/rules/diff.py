"""Where two sets of rules differ, as the table of disagreements of the rule books is written."""

from mapkit.core.base import Frozen
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.gaps import gaps
from mapkit.kinds.rail.rules.money import PlayersTable
from mapkit.kinds.rail.rules.paths import descriptions, get_setting
from mapkit.kinds.rail.rules.rows import rows_of
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.words import cell_words, value_words


class RuleDifference(Frozen):
    """A setting that two sets of rules have differently."""

    setting: str
    matter: str
    disagreement: str
    rows: tuple[str, ...]
    a: str
    b: str


class RulesDiff(Frozen):
    """How two sets of rules differ, by disagreement (D01, D02 ...), then by setting."""

    a: str
    b: str
    differences: tuple[RuleDifference, ...]


def diff_rules(a: Rules, b: Rules, *, names: tuple[str, str], symbol: str = "") -> RulesDiff:
    """Return every setting in which two sets of rules differ.

    Args:
        a: One set.
        b: The other.
        names: What to call them.
        symbol: The currency sign for amounts.
    """
    rows = rows_of()
    found = [
        RuleDifference(
            setting=path,
            matter=book.wording()[path].matter,
            disagreement=book.wording()[path].disagreement,
            rows=rows[path],
            a=_said(a, b, path, symbol),
            b=_said(b, a, path, symbol),
        )
        for path in descriptions(Rules)
        if path != "preset" and get_setting(a, path) != get_setting(b, path)
    ]
    found.sort(key=lambda d: d.disagreement or "X")
    return RulesDiff(a=names[0], b=names[1], differences=tuple(found))


def _said(mine: Rules, other: Rules, path: str, symbol: str) -> str:
    """Return a value in words; of a table the cells that differ; what no source gives is marked as assumed."""
    value, against = get_setting(mine, path), get_setting(other, path)
    if isinstance(value, PlayersTable) and isinstance(against, PlayersTable):
        cells = [n for n in range(2, 7) if value.at(n) != against.at(n)]
        return ", ".join(f"{n} players: {cell_words(value.at(n), symbol)}" for n in cells)
    assumed = any(gap.about == path and gap.kind == "assumed" for gap in gaps(mine))
    return value_words(path, value, symbol=symbol) + (" (assumed)" if assumed else "")
