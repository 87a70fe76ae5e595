"""`mapkit rules show`, `options`, `diff` and `check`."""

from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.console.settings import parsed
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt, TargetArg

if TYPE_CHECKING:
    from mapkit.kinds.rail.rules.diff import RulesDiff
    from mapkit.kinds.rail.rules.report import RulesReport
    from mapkit.kinds.rail.rules.rules import Rules
    from mapkit.kinds.rail.rules.tables import Option


def show(
    target: TargetArg = "ah",
    options: OptionOpt = None,
    settings: SetOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Show every setting of the rules with its value, its rows, and what the sources leave open."""
    rules = mapkit.rules(target, options=options or (), settings=parsed(settings or ()), workspace=workspace)
    print_result(texts.json_text(rules) if as_json else rules_text(rules))
    if not as_json:
        on = ", ".join(late.options_on(rules)) or "none"
        print_message(
            f"{target}: preset {rules.preset}; options on: {on}. * left open by the sources, see mapkit rules check"
        )


def options(as_json: JsonOpt = False) -> None:
    """List the options that can be switched on, with what each sets, needs and contradicts."""
    known = mapkit.rule_options()
    if as_json:
        print_result(texts.json_text([option.model_dump(mode="json") for option in known]))
        return
    against: dict[str, list[str]] = {}
    for one, other, _ in late.option_exclusions():
        against.setdefault(one, []).append(other)
        against.setdefault(other, []).append(one)
    lines = ((o.id, o.title, _sets(o), ", ".join(o.needs), ", ".join(against.get(o.id, ()))) for o in known)
    print_result(table(("option", "what it does", "sets", "needs", "not with"), lines))


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A preset, a board, or a rules file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compare two sets of rules: every matter in which they disagree, in words."""
    found = mapkit.compare_rules(a, b, workspace=workspace)
    print_result(texts.json_text(found) if as_json else diff_text(found))


def check(
    target: TargetArg = "usa",
    options: OptionOpt = None,
    settings: SetOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Check rules: contradictions, what the sources leave open, and whether they fit the board.

    Exits 1 if the rules contradict themselves or a check finds an error.
    """
    with stages(f"check the rules of {target}") as progress:
        found = mapkit.check_rules(
            target, options=options or (), settings=parsed(settings or ()), workspace=workspace, progress=progress
        )
    print_result(texts.json_text(found) if as_json else check_text(found))
    raise typer.Exit(0 if found.ok else 1)


def rules_text(rules: "Rules") -> str:
    """Lay out rules: a row a setting."""
    rows = late.rows_of()
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
    return table(("setting", "matter", "value", "rows"), lines)


def _sets(option: "Option") -> str:
    if option.includes:
        return "options " + ", ".join(option.includes)
    return ", ".join(f"{path} = {late.shown_value(value)}" for path, value in option.settings)


def diff_text(found: "RulesDiff") -> str:
    """Lay out a comparison as the rule books' table of disagreements."""
    if not found.differences:
        return f"{found.a} and {found.b} have the same rules."
    lines = ((d.disagreement, f"{d.matter} ({', '.join(d.rows)})", d.a, d.b) for d in found.differences)
    return table(("no", "matter", found.a, found.b), lines)


def check_text(found: "RulesReport") -> str:
    """Lay out what there is to say about rules."""
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
        lines = ((gap.about, gap.matter, kinds[gap.kind], gap.why) for gap in played)
        parts += ["", "Left open by the sources", table(("setting or row", "matter", "", "why"), lines)]
        parts += ["", "D and G number disagreements and gaps of the rule sets: docs/reference/rules.md#numbers"]
    return "\n".join(parts)
