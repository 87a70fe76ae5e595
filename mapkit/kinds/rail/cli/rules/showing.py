"""Rules, for people."""

from typing import TYPE_CHECKING

import mapkit
from mapkit.console import texts
from mapkit.console.printing import names_rules, print_message, print_result, table, without_rules
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mapkit.kinds.rail.rules.diff import RulesDiff
    from mapkit.kinds.rail.rules.report import RulesReport
    from mapkit.kinds.rail.rules.rules import Rules
    from mapkit.kinds.rail.rules.tables import Option


def show_rules(rules: "Rules", target: str) -> None:
    """Print rules, and the active options."""
    print_result(rules_text(rules))
    on = ", ".join(late.options_on(rules)) or "none"
    left = "* left open by the sources, see mapkit rules check"
    print_message(f"{target}: preset {rules.preset}; options on: {on}. {left}")


def show_options(known: "Sequence[Option]") -> None:
    """Print options with their settings, needs and contradictions."""
    against: dict[str, list[str]] = {}
    for one, other, _ in late.option_exclusions():
        against.setdefault(one, []).append(other)
        against.setdefault(other, []).append(one)
    lines = ((o.id, o.title, _sets(o), ", ".join(o.needs), ", ".join(against.get(o.id, ()))) for o in known)
    print_result(table(("option", "what it does", "sets", "needs", "not with"), lines))


def show_difference(found: "RulesDiff") -> None:
    """Print the matters of disagreement between rules."""
    print_result(diff_text(found))


def show_checked(found: "RulesReport") -> None:
    """Print the findings on rules."""
    print_result(without_rules(check_text(found)))


def show_sheet(text: str, out: "Path | None") -> None:
    """Print a rule sheet, or its file."""
    print_result(text if out is None else str(out))


def rules_text(rules: "Rules") -> str:
    """Lay out rules: a row a setting."""
    rows = late.rows_by_setting()
    open_paths = {gap.about for gap in late.gaps(rules) if gap.on}
    lines = (
        (
            path + ("*" if any(p == path or p.startswith(f"{path}.") for p in open_paths) else ""),
            late.book.wording()[path].matter,
            late.value_words(path, late.get_setting(rules, path)),
            " ".join(rows[path]),
        )
        for path in late.descriptions(mapkit.Rules)
    )
    head = ("setting", "matter", "value", "rows")
    return table(head, lines) if names_rules() else table(head[:3], (line[:3] for line in lines))


def _sets(option: "Option") -> str:
    if option.includes:
        return "options " + ", ".join(option.includes)
    return ", ".join(f"{path} = {late.shown_value(value)}" for path, value in option.settings)


def diff_text(found: "RulesDiff") -> str:
    """Lay out a comparison as the rule books' table of disagreements."""
    if not found.differences:
        return f"{found.a} and {found.b} have the same rules."
    lines = ((d.disagreement, without_rules(f"{d.matter} ({', '.join(d.rows)})"), d.a, d.b) for d in found.differences)
    return table(("no", "matter", found.a, found.b), lines)


def check_text(found: "RulesReport") -> str:
    """Lay out the findings on rules."""
    parts = [
        (
            f"{found.name}: preset {found.preset}; options on: {', '.join(found.options) or 'none'}; "
            f"own settings: {', '.join(found.own) or 'none'}; nothing contradicts itself"
        ),
        *texts.finding_lines(found.findings, every=True),
    ]
    played = [gap for gap in found.gaps if gap.on]
    if played:
        kinds = {"not-given": "not given", "assumed": "assumed"}
        parts += ["", "Left open by the sources"]
        if names_rules():
            lines = ((gap.about, gap.matter, kinds[gap.kind], gap.why) for gap in played)
            parts += [table(("setting or row", "matter", "", "why"), lines), ""]
            parts += ["D and G number disagreements and gaps of the rule sets: docs/reference/rules.md#numbers"]
        else:
            settings = ((gap.about if "." in gap.about else "", gap.matter, kinds[gap.kind]) for gap in played)
            parts += [table(("setting", "matter", ""), settings)]
    return "\n".join(parts)
