"""Table of findings, with colours and as wide as the terminal; one line for each finding where there is none."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mapkit.console import texts
from mapkit.console.printing import end_moving_line, is_plain, names_rules, print_message, print_result
from mapkit.console.terminal import unescaped
from mapkit.core import heavy
from mapkit.core.characters import escape_characters
from mapkit.core.findings import (
    CheckReport,
    Finding,
    finding_message,
    finding_state,
    limit_findings,
    needs_attention,
)

_STYLES: Final = {"error": "bold red", "warning": "bold yellow", "note": "cyan", "accepted": "green"}


def show_report(report: CheckReport, title: str, *, folder: Path | None = None, every: bool = False) -> None:
    """Print the findings of a board, and count them; arguments as for `show_findings`.

    Args:
        report: The findings.
        title: The board's title.
        folder: As there.
        every: As there.
    """
    hidden = show_findings(report, folder=folder, every=every)
    print_message(f"{title}: {texts.count_findings(report)}{hidden}")


def show_findings(report: CheckReport, *, folder: Path | None = None, every: bool = False) -> str:
    """Print findings, and return how to list the others.

    Args:
        report: The findings.
        folder: Where the files lie that findings name; paths are links to them.
        every: Whether accepted findings and notes are listed too, and all findings of each check.
    """
    listed = report.findings if every else tuple(filter(needs_attention, report.findings))
    if names_rules():
        listed = tuple(map(_name_rules, listed))
    if listed and is_plain(sys.stdout):
        print_result("\n".join(texts.finding_lines(listed, every=every)))
    elif listed:
        _print_table(listed, folder, every=every)
    if listed and not is_plain(sys.stderr):
        print_message(f"mapkit list checks {listed[0].code} explains what is checked")
    hides = len(listed) < len(report.findings) or (not every and any(finding.follows for finding in listed))
    return "; --all lists them" if hides else ""


def _name_rules(finding: Finding) -> Finding:
    """Return a finding that names the rows of the rules behind it."""
    rules = finding.data.get("rules")
    message = f"{finding.message} ({', '.join(map(str, rules))})" if isinstance(rules, list) else finding.message
    return finding.model_copy(update={"message": message})


def _print_table(findings: Sequence[Finding], folder: Path | None, *, every: bool) -> None:
    table = heavy.Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for listed in limit_findings(findings, every=every):
        if listed.is_rest:
            table.add_row("", "", heavy.Text(f"... {listed.below}", "dim"))
        else:
            state = finding_state(listed.finding)
            finding = listed.finding
            message = heavy.Text(escape_characters(finding_message(finding)))
            location = finding.place.text
            if finding.name:
                message.append(f"\n{finding.name}", "dim")
            if location:
                file = None if folder is None or finding.place.file is None else folder / finding.place.file
                link = f" link {file.resolve().as_uri()}" if file is not None and file.is_file() else ""
                message.append("  " if finding.name else "\n")
                message.append(escape_characters(location), f"dim{link}")
            if listed.below:
                message.append(f"\n{escape_characters(listed.below)}", "italic")
            table.add_row(heavy.Text(state, _STYLES[state]), listed.finding.code, message)
    end_moving_line()
    heavy.console.Console(file=unescaped(sys.stdout), highlight=False).print(table)
