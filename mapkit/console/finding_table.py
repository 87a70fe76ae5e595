"""Table of findings, with colours and as wide as the terminal; one line for each finding where there is none."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mapkit.console import texts
from mapkit.console.printing import is_plain, print_message, print_result
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
    """Print the findings of a board, and count them.

    Args:
        report: The findings.
        title: The board's title.
        folder: Where the files lie that findings name; paths are links to them.
        every: Whether accepted findings and notes are listed too, and all findings of each check.
    """
    listed = report.findings if every else tuple(filter(needs_attention, report.findings))
    if listed and is_plain(sys.stdout):
        print_result("\n".join(texts.finding_lines(listed, every=every)))
    elif listed:
        _print_table(listed, folder, every=every)
    hidden = "" if len(listed) == len(report.findings) else "; --all lists them"
    print_message(f"{title}: {texts.counted(report)}{hidden}")


def _print_table(findings: Sequence[Finding], folder: Path | None, *, every: bool) -> None:
    table = heavy.Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding, rest in limit_findings(findings, every=every):
        if rest:
            table.add_row("", "", heavy.Text(f"... {rest}", "dim"))
        else:
            state = finding_state(finding)
            table.add_row(heavy.Text(state, _STYLES[state]), finding.code, _format_message(finding, folder))
    heavy.console.Console(file=unescaped(sys.stdout), highlight=False).print(table)


def _format_message(finding: Finding, folder: Path | None) -> "heavy.Text":
    """Return the message of a finding, and below it the check's name, file and row, as a link if the file exists."""
    text = heavy.Text(escape_characters(finding_message(finding)))
    location = finding.place.text
    if finding.name:
        text.append(f"\n{finding.name}", "dim")
    if location:
        file = None if folder is None or finding.place.file is None else folder / finding.place.file
        link = f" link {file.resolve().as_uri()}" if file is not None and file.is_file() else ""
        text.append("  " if finding.name else "\n")
        text.append(escape_characters(location), f"dim{link}")
    return text
