"""Everything that the commands do with rules, as one call each."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from mapkit.api import Progress, load, quiet
from mapkit.checks import run_checks
from mapkit.checks.rules import CHECKS as RULE_CHECKS
from mapkit.errors import UnknownNameError
from mapkit.model.rules import PRESETS, Rules
from mapkit.model.rules import preset as rules_preset
from mapkit.model.rules_changes import apply_rule_changes
from mapkit.model.rules_diff import RulesDiff, diff_rules
from mapkit.model.rules_report import RulesReport, rules_report
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.config import parse_config
from mapkit.sources.files import read_text
from mapkit.sources.rules_file import read_rules
from mapkit.sources.workspace import open_workspace


def rules(
    target: str | Path = "ah",
    *,
    options: Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
    workspace: str | Path | None = None,
) -> Rules:
    """Return the rules of a preset, a rules file or a board, with options and single settings on top.

    Args:
        target: A preset (`"ah"`, `"ici"`, `"ah-faq"`), a rules file (`.toml`), or a board, as for `load`.
        options: Options to switch on, such as `"half-time"`, `"extra-cash=10000"`.
        settings: Dotted path -> value, such as `{"fees.own": 0}`.
        workspace: As for `load`.

    Raises:
        RulesError: An option or setting is unknown or wrong, or the combination contradicts itself.
        SourceError: The file or the board's `board.toml` is wrong.
        UnknownNameError: There is no such preset or board; likewise WorkspaceError.
    """
    base = _rules_of(str(target), workspace)
    on = tuple(options)
    return apply_rule_changes(base, settings, options_on=on) if on or settings else base


def _rules_of(target: str, workspace: str | Path | None) -> Rules:
    if target in PRESETS:
        return rules_preset(target)
    space = open_workspace(workspace)
    if target.endswith(".json"):
        return load(target, workspace=workspace).rules
    if target.endswith(".toml"):
        path = space.root / target
        if path.name != CONFIG_FILE:
            return read_rules(path, name=target)
        return parse_config(read_text(path, name=target)).rules
    try:
        folder = space.board_folder(target)
    except UnknownNameError as error:
        names = ", ".join(PRESETS)
        raise UnknownNameError(f"{error}; it is no preset of the rules either ({names})") from error
    return parse_config(read_text(folder / CONFIG_FILE, name=f"{target}/{CONFIG_FILE}")).rules


def compare_rules(a: str | Path, b: str | Path, *, workspace: str | Path | None = None) -> RulesDiff:
    """Return the settings in which two sets of rules differ, in words, by disagreement of the rule books.

    Args:
        a: A preset, rules file or board, as for `rules`.
        b: The other.
        workspace: As for `load`.

    Raises:
        MapkitError: As for `rules`.
    """
    one, other = rules(a, workspace=workspace), rules(b, workspace=workspace)
    return diff_rules(one, other, names=(str(a), str(b)))


def check_rules(target: str | Path, *, workspace: str | Path | None = None, progress: Progress = quiet) -> RulesReport:
    """Return what is on in rules, what the sources leave open in them, and, of a board, what does not fit it.

    Args:
        target: As for `rules`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        MapkitError: As for `rules`; rules that contradict themselves are refused.
    """
    name = str(target)
    if name in PRESETS or name.endswith(".toml"):
        return rules_report(name, rules(name, workspace=workspace))
    board = load(name, workspace=workspace, progress=progress)
    progress("checking")
    return rules_report(name, board.rules, run_checks(board, checks=RULE_CHECKS).findings)


def rules_sheet(
    target: str | Path = "ah",
    *,
    options: Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
    form: Literal["md", "html"] = "md",
    workspace: str | Path | None = None,
) -> str:
    """Return the rule sheet for the players at the table, for exactly the options chosen.

    Args:
        target: As for `rules`; a board gives its name, its currency and its groups.
        options: As for `rules`.
        settings: As for `rules`.
        form: Markdown, or one printable page of HTML (A4 or Letter).
        workspace: As for `load`.

    Raises:
        MapkitError: As for `rules`.
    """
    from mapkit.render.rule_sheet import rule_sheet  # noqa: PLC0415 - for this alone
    from mapkit.render.rule_sheet_page import sheet_html, sheet_markdown  # noqa: PLC0415

    name = str(target)
    chosen = rules(name, options=options, settings=settings, workspace=workspace)
    board = None if name in PRESETS or name.endswith(".toml") else load(name, workspace=workspace)
    sheet = rule_sheet(chosen, board=board)
    return sheet_html(sheet) if form == "html" else sheet_markdown(sheet)
