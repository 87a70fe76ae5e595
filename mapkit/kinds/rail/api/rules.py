"""Reading, comparing and checking rules."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from mapkit.core.errors import UnknownNameError
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.checks.rules import CHECKS as RULE_CHECKS
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.diff import RulesDiff, diff_rules
from mapkit.kinds.rail.rules.report import RulesReport, rules_report
from mapkit.kinds.rail.rules.rules import PRESETS, Rules
from mapkit.kinds.rail.rules.rules import preset as rules_preset
from mapkit.kinds.rail.rules.tables import Option
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.rules_file import read_rules


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
        path = Path(target)
        if path.name != CONFIG_FILE:
            return read_rules(path, name=target)
        return parse_config(read_text(path, name=target)).rules
    try:
        folder = space.board_folder(target)
    except UnknownNameError as error:
        names = ", ".join(PRESETS)
        raise UnknownNameError(f"{error}; it is not a preset of the rules either ({names})") from error
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


def check_rules(
    target: str | Path,
    *,
    options: Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> RulesReport:
    """Return what is on in rules, what the sources leave open in them, and, of a board, what does not fit it.

    Args:
        target: As for `rules`.
        options: As for `rules`.
        settings: As for `rules`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        MapkitError: As for `rules`; rules that contradict themselves are refused.
    """
    name = str(target)
    chosen = rules(name, options=options, settings=settings, workspace=workspace)
    if name in PRESETS or name.endswith(".toml"):
        return rules_report(name, chosen)
    board = load(name, workspace=workspace, progress=progress).model_copy(update={"rules": chosen})
    progress("checking")
    return rules_report(name, chosen, run_checks(board, checks=RULE_CHECKS).findings)


def rule_options() -> tuple[Option, ...]:
    """Return the options of rules that can be switched on, with what each sets, needs and contradicts."""
    return tuple(book.options().values())
