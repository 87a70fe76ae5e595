"""Where two sets of rules differ, as the table of disagreements of the rule books is written."""

from mapkit.model.base import Frozen
from mapkit.model.rules import Rules
from mapkit.model.rules_gaps import gaps
from mapkit.model.rules_money import PlayersTable
from mapkit.model.rules_paths import descriptions, get_setting
from mapkit.model.rules_rows import rows_of
from mapkit.model.rules_words import WORDING, cell_words, value_words


class Difference(Frozen):
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
    differences: tuple[Difference, ...]


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
        Difference(
            setting=path,
            matter=WORDING[path].matter,
            disagreement=WORDING[path].disagreement,
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
    assumed = any(gap.setting == path and gap.kind == "assumed" for gap in gaps(mine))
    return value_words(path, value, symbol=symbol) + (" (assumed)" if assumed else "")
