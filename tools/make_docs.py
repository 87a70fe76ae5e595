"""Write the documents that follow from the code: commands, checks, rules, and the schema of the board file.

```
python tools/make_docs.py           # writes cli.md, checks.md, rules.md, schema/*.json
python tools/make_docs.py --check   # writes nothing; exit 1 if a file would change
```
"""

import argparse
import inspect
import sys
import textwrap
from pathlib import Path
from typing import Any

import typer

from mapkit.checks import CHECKS
from mapkit.checks.check import Check
from mapkit.checks.payoff_findings import JUDGED
from mapkit.cli.app import app
from mapkit.cli.boards import json_schema
from mapkit.exchange.schemas import NAMES, described
from mapkit.jsontext import json_text
from mapkit.render.checks import CHECKS as DRAWING

sys.path.insert(0, str(Path(__file__).resolve().parent))
from rules_text import rules_text

DOCS = Path(__file__).resolve().parent.parent / "docs"
WIDTH = 100
LETTERS = {
    "G": "Geometry",
    "N": "Network",
    "D": "Destination charts",
    "P": "Payoff chart",
    "V": "Variants and rules",
    "R": "Drawing",
}
SEVERITIES = {
    "error": "the board cannot be played or exported as it is",
    "warning": "suspicious; a person should look",
    "note": "not wrong, but it matters to play",
}


def documents() -> dict[str, str]:
    """Return the text of each generated file, by its path below `docs/`."""
    return {
        "cli.md": commands_text(),
        "checks.md": checks_text(),
        "rules.md": rules_text(),
        "schema/board.schema.json": json_text(json_schema("board")),
        **{f"schema/{name}.schema.json": json_text(described(name)) for name in NAMES},
    }


def commands_text() -> str:
    """Return `docs/cli.md`: the help of every command."""
    group: Any = typer.main.get_command(app)
    context = group.context_class(group, info_name="mapkit", terminal_width=WIDTH, max_content_width=WIDTH)
    parts = [
        "# Commands",
        "",
        "Written by `tools/make_docs.py` from the help of the program; do not edit.",
        "",
        "Results go to stdout, messages and progress to stderr. Exit codes:",
        "",
        "| code | meaning |",
        "| --- | --- |",
        "| 0 | done; for `check`: no errors but accepted ones |",
        "| 1 | something is wrong with the input, the checks found errors, or a file could not be written |",
        "| 2 | used wrongly: an unknown command, option or value |",
        "| 130 | interrupted |",
        "",
        *fenced("mapkit", group.get_help(context)),
    ]
    return "\n".join([*parts, *subcommands(group, context, "mapkit")]) + "\n"


def subcommands(group: Any, context: Any, title: str) -> list[str]:  # noqa: ANN401 - Click has no types of its own
    """Return a section for each command of a group, and for those of the groups in it."""
    parts: list[str] = []
    for name, command in group.commands.items():
        inner = command.context_class(
            command, info_name=name, parent=context, terminal_width=WIDTH, max_content_width=WIDTH
        )
        parts += ["", *fenced(f"{title} {name}", command.get_help(inner))]
        if hasattr(command, "commands"):
            parts += subcommands(command, inner, f"{title} {name}")
    return parts


def fenced(title: str, text: str) -> list[str]:
    """Return a section that holds a text as it is printed."""
    return [f"## {title}", "", "```text", *(line.rstrip() for line in text.strip().splitlines()), "```"]


def checks_text() -> str:
    """Return `docs/checks.md`: each check with its code, severity and explanation."""
    parts = [
        "# Checks",
        "",
        "Written by `tools/make_docs.py` from the registry of checks; do not edit.",
        "",
        "`mapkit check BOARD` runs all of them. Each finding has a code, a severity, the ids of its elements, a",
        "place, and a sentence that says what is wrong and what to do.",
        "",
        "| severity | meaning |",
        "| --- | --- |",
        *(f"| {severity} | {meaning} |" for severity, meaning in SEVERITIES.items()),
        "",
        "A check is `passed`, has `found` something, is `skipped` if one that it needs did not pass, or has",
        "`crashed`. Skipped and crashed checks are no pass. A finding that is right as it is can be accepted in",
        "`board.toml`, see [source-package.md](source-package.md#accepting-findings).",
    ]
    for letter, topic in LETTERS.items():
        own = [check for check in (*CHECKS, *DRAWING) if check.code.startswith(letter)]
        if not own:
            continue
        parts += ["", f"## {topic}", "", "| code | severity | what holds |", "| --- | --- | --- |"]
        parts += [f"| [{c.code}](#{c.code.lower()}) | {c.severity} | {c.title} |" for c in own]
        for check in own:
            parts += ["", *explained(check)]
    parts += [
        "",
        "## Amounts judged by one another",
        "",
        "`mapkit payoffs check CHART` makes P02 to P07 on the chart as typed, and these. `mapkit check` does not make",
        "them: they judge amounts by a model, which on the classic chart finds misprints that the board keeps as",
        "printed. They are explained in [charts.md](charts.md#judging-a-payoff-chart-by-itself).",
        "",
        "| code | severity | what holds |",
        "| --- | --- | --- |",
        *(f"| [{c.code}](#{c.code.lower()}) | {c.severity} | {c.title} |" for c in JUDGED),
    ]
    for judged in JUDGED:
        title = f"{judged.title[:1].upper()}{judged.title[1:]} ({judged.severity})."
        parts += ["", f"### {judged.code}", "", title, "", *textwrap.wrap(judged.explained, 118)]
    return "\n".join(parts) + "\n"


def explained(check: Check) -> list[str]:
    """Return the section of one check; its explanation is the docstring of its function."""
    needs = f"; runs if {' and '.join(check.needs)} passed" if check.needs else ""
    return [
        f"### {check.code}",
        "",
        f"{check.title[:1].upper()}{check.title[1:]} ({check.severity}{needs}).",
        "",
        inspect.getdoc(check.find) or "",
    ]


def main() -> int:
    """Write the documents, or with --check compare them with what is there."""
    parser = argparse.ArgumentParser(description="Write the documents that follow from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    only_check: bool = parser.parse_args().check
    stale = 0
    for name, text in documents().items():
        path = DOCS / name
        same = path.is_file() and path.read_bytes() == text.encode()
        stale += not same
        if not only_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        print(f"docs/{name}: {'unchanged' if same else 'stale' if only_check else 'written'}")
    return 1 if only_check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
