"""Findings on a terminal: a table with colours, as wide as the terminal; elsewhere a line a finding, for editors."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mapkit.console import texts
from mapkit.console.printing import is_plain, result, talk
from mapkit.console.terminal import unescaped
from mapkit.core import heavy
from mapkit.core.characters import escape_characters
from mapkit.core.findings import MOST_LISTED, CheckReport, Finding, is_pressing, message_of, rest_sentence, state_of

_STYLES: Final = {"error": "bold red", "warning": "bold yellow", "note": "cyan", "accepted": "green"}


def show_report(report: CheckReport, title: str, *, folder: Path | None = None, every: bool = False) -> None:
    """Print the findings of a board, and count them.

    Args:
        report: The findings.
        title: The board's title.
        folder: Where the files lie that findings name; paths are links to them.
        every: Whether accepted findings and notes are listed too, and all findings of each check.
    """
    shown = report.findings if every else tuple(filter(is_pressing, report.findings))
    if shown and is_plain(sys.stdout):
        result("\n".join(texts.finding_lines(shown, every=every)))
    elif shown:
        _print_table(shown, folder, every=every)
    hidden = "" if len(shown) == len(report.findings) else "; --all lists them"
    talk(f"{title}: {texts.counted(report)}{hidden}")


def _print_table(findings: Sequence[Finding], folder: Path | None, *, every: bool) -> None:
    table = heavy.Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    kinds = Counter((finding.code, state_of(finding)) for finding in findings)
    seen: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        kind = finding.code, state_of(finding)
        seen[kind] += 1
        if every or seen[kind] <= MOST_LISTED:
            table.add_row(heavy.Text(kind[1], _STYLES[kind[1]]), kind[0], _said(finding, folder))
        elif seen[kind] == kinds[kind]:
            table.add_row("", "", heavy.Text(f"... {rest_sentence(kinds[kind])}", "dim"))
    heavy.console.Console(file=unescaped(sys.stdout), highlight=False).print(table)


def _said(finding: Finding, folder: Path | None) -> "heavy.Text":
    said = heavy.Text(escape_characters(message_of(finding)))
    if where := finding.place.text:
        file = None if folder is None or finding.place.file is None else folder / finding.place.file
        link = f" link {file.resolve().as_uri()}" if file is not None and file.is_file() else ""
        said.append("\n")
        said.append(escape_characters(where), f"dim{link}")
    return said
