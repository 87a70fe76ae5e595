"""Reading, comparing and checking rules."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from mapkit.core.errors import ChoiceError, UnknownNameError, did_you_mean
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
from mapkit.kinds.rail.sources.config import parse_config, read_rules
from mapkit.operations.options import Argument, Flag, Settings, Workspace

RulesTarget = Annotated[
    str | Path,
    Argument("", "[BOARD|PRESET|FILE.toml]", "A preset (ah, ici, ah-faq), a board, or a rules file.", reading="name"),
]
RuleOptions = Annotated[Sequence[str], Flag("--option -O", "NAME[=AMOUNT]", "Switch this option on. Repeatable.")]
RuleSettings = Annotated[
    Settings, Flag("--set -s", "PATH=VALUE", "Set a single setting, as fees.own=0. Repeatable.", reading="settings")
]

RulePreset = Annotated[str | None, Flag("--rules", "PRESET", "ah, ici or ah-faq in place of the board's rules.")]


def find_preset(name: str) -> Rules:
    """Return the rules of a preset.

    Raises:
        ChoiceError: There is none of that name.
    """
    if name not in PRESETS:
        raise ChoiceError(
            f"no preset of the rules is named {name!r}{did_you_mean(name, PRESETS)}; there are {', '.join(PRESETS)}"
        )
    return rules_preset(name)


def rules(
    target: RulesTarget = "ah",
    *,
    preset: RulePreset = None,
    options: RuleOptions = (),
    settings: RuleSettings = None,
    workspace: Workspace = None,
) -> Rules:
    """Show every setting of the rules with its value, its rows, and what the sources leave open.

    Returns:
        The rules of a preset, a rules file or a board, with options and single settings on top.

    Raises:
        RulesError: An option or setting is unknown or wrong, or the combination contradicts itself.
        SourceError: The file or the board's `board.toml` is wrong.
        UnknownNameError: There is no such preset or board; likewise WorkspaceError.
        ChoiceError: No preset has that name.
    """
    base = _rules_of(str(target), workspace) if preset is None else find_preset(preset)
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


def compare_rules(
    a: Annotated[str | Path, Argument("", "A", "A preset, a board, or a rules file.", reading="name")],
    b: Annotated[str | Path, Argument("", "B", "Another.", reading="name")],
    *,
    workspace: Workspace = None,
) -> RulesDiff:
    """Compare two sets of rules: every matter in which they disagree, in words.

    Raises:
        MapkitError: As for `rules`.
    """
    one, other = rules(a, workspace=workspace), rules(b, workspace=workspace)
    return diff_rules(one, other, names=(str(a), str(b)))


def check_rules(
    target: RulesTarget = "usa",
    *,
    preset: RulePreset = None,
    options: RuleOptions = (),
    settings: RuleSettings = None,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> RulesReport:
    """Check rules: contradictions, what the sources leave open, and whether they fit the board.

    Exits 1 if the rules contradict themselves or a check finds an error.

    Raises:
        MapkitError: As for `rules`; rules that contradict themselves are refused.
    """
    name = str(target)
    chosen = rules(name, preset=preset, options=options, settings=settings, workspace=workspace)
    if name in PRESETS or name.endswith(".toml"):
        return rules_report(name, chosen)
    board = load(name, workspace=workspace, progress=progress).model_copy(update={"rules": chosen})
    progress("checking")
    return rules_report(name, chosen, run_checks(board, checks=RULE_CHECKS).findings)


def rule_options() -> tuple[Option, ...]:
    """List the options that can be switched on, with what each sets, needs and contradicts."""
    return tuple(book.options().values())
