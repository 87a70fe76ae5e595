"""What the commands of `mapkit rules` do."""

from collections.abc import Sequence
from pathlib import Path

from mapkit import api, api_rules
from mapkit.cli.printing import result, stages, table, talk
from mapkit.errors import OutputError, RulesError
from mapkit.jsontext import json_text
from mapkit.model.rules import Rules
from mapkit.model.rules_diff import RulesDiff
from mapkit.model.rules_gaps import gaps
from mapkit.model.rules_options import OPTIONS, Option, option_exclusions, shown_value
from mapkit.model.rules_paths import descriptions, get_setting
from mapkit.model.rules_report import RulesReport
from mapkit.model.rules_rows import rows_of
from mapkit.model.rules_switched import options_on
from mapkit.model.rules_words import WORDING, value_words
from mapkit.output import write_files

_FORMS = {".md": "md", ".html": "html", ".htm": "html"}


def show(
    target: str, *, options: Sequence[str], settings: Sequence[str], workspace: Path | None, as_json: bool
) -> None:
    """Run `mapkit rules show`."""
    rules = api_rules.rules(target, options=options, settings=parsed(settings), workspace=workspace)
    result(json_text(rules) if as_json else rules_text(rules))
    if not as_json:
        on = ", ".join(options_on(rules)) or "none"
        talk(f"{target}: preset {rules.preset}; options on: {on}. * left open by the sources, see mapkit rules check")


def rules_text(rules: Rules) -> str:
    """Lay out rules: a row a setting."""
    rows = rows_of()
    open_paths = {gap.setting for gap in gaps(rules)}
    lines = (
        (
            path + ("*" if any(p == path or p.startswith(f"{path}.") for p in open_paths) else ""),
            WORDING[path].matter,
            value_words(path, get_setting(rules, path)),
            " ".join(rows[path]),
        )
        for path in descriptions(Rules)
    )
    return table(("setting", "matter", "value", "rows"), lines)


def options(*, as_json: bool) -> None:
    """Run `mapkit rules options`."""
    if as_json:
        result(json_text([option.model_dump(mode="json") for option in OPTIONS.values()]))
        return
    against: dict[str, list[str]] = {}
    for one, other, _ in option_exclusions():
        against.setdefault(one, []).append(other)
        against.setdefault(other, []).append(one)
    lines = ((o.id, o.title, _sets(o), ", ".join(o.needs), ", ".join(against.get(o.id, ()))) for o in OPTIONS.values())
    result(table(("option", "what it does", "sets", "needs", "not with"), lines))


def _sets(option: Option) -> str:
    if option.includes:
        return "options " + ", ".join(option.includes)
    return ", ".join(f"{path} = {shown_value(value)}" for path, value in option.settings)


def diff(a: str, b: str, *, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit rules diff`."""
    found = api_rules.compare_rules(a, b, workspace=workspace)
    result(json_text(found) if as_json else diff_text(found))


def diff_text(found: RulesDiff) -> str:
    """Lay out a comparison as the rule books' table of disagreements."""
    if not found.differences:
        return f"{found.a} and {found.b} have the same rules."
    lines = ((d.disagreement, f"{d.matter} ({', '.join(d.rows)})", d.a, d.b) for d in found.differences)
    return table(("no", "matter", found.a, found.b), lines)


def check(target: str, *, workspace: Path | None, as_json: bool) -> int:
    """Run `mapkit rules check`; return the exit code."""
    with stages(f"check the rules of {target}") as progress:
        found = api_rules.check_rules(target, workspace=workspace, progress=progress)
    result(json_text(found) if as_json else check_text(found))
    return 0 if found.ok else 1


def check_text(found: RulesReport) -> str:
    """Lay out what there is to say about rules."""
    parts = [
        (
            f"{found.name}: preset {found.preset}; options on: {', '.join(found.options) or 'none'}; "
            f"own settings: {', '.join(found.own) or 'none'}; nothing contradicts itself"
        ),
        *(api.finding_line(f) for f in found.findings),
    ]
    if found.gaps:
        kinds = {"no-figure": "no figure", "assumed": "assumed"}
        lines = ((gap.setting, kinds[gap.kind], gap.why) for gap in found.gaps)
        parts += ["", "Left open by the sources", table(("setting", "", "why"), lines)]
    return "\n".join(parts)


def sheet(
    target: str, *, options: Sequence[str], settings: Sequence[str], out: Path | None, workspace: Path | None
) -> None:
    """Run `mapkit rules sheet`."""
    form = "md" if out is None else _FORMS.get(out.suffix.lower())
    if form is None:
        raise OutputError(f"{out}: rule sheets are written as .md or .html; give such a name")
    text = api_rules.rules_sheet(
        target,
        options=options,
        settings=parsed(settings),
        form="html" if form == "html" else "md",
        workspace=workspace,
    )
    if out is None:
        result(text)
        return
    write_files(out.parent, {out.name: text})
    result(str(out))


def parsed(settings: Sequence[str]) -> dict[str, object]:
    """Return `PATH=VALUE` pairs: whole numbers, true, false, none, or a word.

    Raises:
        RulesError: A pair has no value, or a path is given twice.
    """
    out: dict[str, object] = {}
    for pair in settings:
        path, _, value = pair.partition("=")
        if not path or not value:
            raise RulesError(f"--set {pair!r}: write PATH=VALUE, as fees.own=0")
        if path in out:
            raise RulesError(f"--set {path}: given twice; leave one out")
        out[path] = _value(value)
    return out


def _value(text: str) -> object:
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    plain = text.replace("_", "").removeprefix("-")
    if plain.isascii() and plain.isdecimal() and len(plain) <= 12:  # noqa: PLR2004 - more than any amount
        return int(text)
    return words.get(text.lower(), text)
