"""Write the files that follow from the code: commands, checks, calls, rules, schemas, types of the page.

```
python tools/make_docs.py           # docs/reference/*.md, docs/schema, types in mapkit/editor/web
python tools/make_docs.py --check   # writes nothing; exit 1 if a file would change
```
"""

import argparse
import ast
import inspect
import sys
import textwrap
from collections.abc import Collection, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel

import mapkit
from mapkit.cli.app import app
from mapkit.core.acceptances import NAMES as ACCEPTANCE_NAMES
from mapkit.core.acceptances import TITLES, UNEXPLAINED, UNUSED
from mapkit.core.causes import PROBLEM
from mapkit.core.jsontext import json_text
from mapkit.core.problems import NAME as PROBLEM_NAME
from mapkit.core.problems import TITLE as PROBLEM_TITLE
from mapkit.drawing.theme.theme import ThemeTable
from mapkit.drawing.words.language import LanguageTable, TextsTable
from mapkit.exchange.json_schemas import DRAFT, model_schema
from mapkit.exchange.typescript import declare_type, typescript_declarations
from mapkit.kinds.cards.checks import CHECKS as CARD_CHECKS
from mapkit.kinds.rail.api.schemas import schema
from mapkit.kinds.rail.checks import CHECKS
from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.checks.table import (
    CheckTable,
    OtherCheckRow,
    load_amount_check_rows,
    load_chart_check_rows,
    load_scan_check_rows,
)
from mapkit.kinds.rail.exchange.engine.schemas import NAMES, file_schema
from mapkit.kinds.rail.network.routes import Route
from mapkit.kinds.rail.render.checks import CHECKS as DRAWING
from mapkit.kinds.rail.render.rule_sheet.points import RuleLanguage
from mapkit.kinds.rail.rules import book

sys.path.insert(0, str(Path(__file__).resolve().parent))
from board_file_text import board_file_text
from capabilities_text import capabilities_text
from cards_text import cards_rules_text
from clients_text import clients_text
from errors_text import errors_text, messages_of
from hex_text import checks_of_kind_text, hex_checks_text, hex_rules_text
from operations_text import operations_text
from package_text import package_text
from rules_text import rules_text
from upgrade_text import upgrade_text
from variants_text import variants_text
from wire_types import wire_text

ROOT = Path(__file__).resolve().parent.parent
PAGE_TYPES = "mapkit/editor/web/src/generated.ts"
BOARD_TYPES = "mapkit/editor/web/board/src/board.ts"
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
    """Return the text of each generated file, by its path."""
    return {
        "docs/reference/capabilities.md": capabilities_text(),
        "docs/reference/clients.md": clients_text(),
        "docs/reference/commands.md": commands_text(),
        "docs/reference/checks.md": checks_text(),
        "docs/reference/checks-cards.md": checks_of_kind_text("Checks of card games", CARD_CHECKS),
        "docs/reference/checks-hex.md": hex_checks_text(),
        "docs/reference/python.md": calls_text(),
        "docs/reference/rules.md": rules_text(),
        "docs/reference/rules-cards.md": cards_rules_text(),
        "docs/reference/rules-hex.md": hex_rules_text(),
        "docs/reference/board-file.md": board_file_text(),
        "docs/reference/errors.md": errors_text(),
        "docs/reference/operations.md": operations_text(),
        "docs/reference/source-package.md": package_text(),
        "docs/reference/upgrade-0.3.md": upgrade_text(),
        "docs/reference/variants.md": variants_text(),
        "docs/schema/board.schema.json": json_text(schema("board")),
        "docs/schema/board-cards.schema.json": json_text(schema("board-cards")),
        "docs/schema/board-hex.schema.json": json_text(schema("board-hex")),
        **{f"docs/schema/{name}.schema.json": json_text(file_schema(name)) for name in NAMES},
        **{
            f"docs/schema/rules/{name}.schema.json": json_text(table_schema(model))
            for name, model in book.TABLES.items()
        },
        "docs/schema/checks.schema.json": json_text(table_schema(CheckTable)),
        "docs/schema/themes.schema.json": json_text(table_schema(ThemeTable)),
        "docs/schema/language.schema.json": json_text(table_schema(LanguageTable)),
        "docs/schema/texts.schema.json": json_text(table_schema(TextsTable)),
        "docs/schema/rule_language.schema.json": json_text(table_schema(RuleLanguage)),
        PAGE_TYPES: wire_text(),
        BOARD_TYPES: board_types_text(),
    }


def board_types_text() -> str:
    """Return the types of the npm package: the board file, and the results of a route."""
    route_schema = model_schema(Route, "route")
    route_types = {**route_schema["$defs"], "Route": route_schema}
    return typescript_declarations(schema("board")) + "".join(
        "\n".join(["", *declare_type(name, type_schema), ""]) for name, type_schema in route_types.items()
    )


def table_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of a table that is shipped with mapkit, as its TOML file is written."""
    return {"$schema": DRAFT, **model.model_json_schema(mode="validation")}


def commands_text() -> str:
    """Return `docs/reference/commands.md`: the help of every command."""
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
        "| 0 | done, perhaps with notes; checks found no errors but accepted ones |",
        "| 1 | wrong input: a file or name is wrong, checks found errors, or names, cells or changes remain |",
        "| 2 | wrong usage: an option or value does not exist, does not apply, or contradicts another |",
        "| 130 | interrupted |",
        "",
        "A file or folder that a command reads or writes is named from the current folder, as the shell completes it.",
        "`--workspace` is another folder in which boards, variants, themes and computer players are looked up, by name",
        "or by path. A draft looks up `--lines` and `--polygon` there too, for `board.toml` names them. What has no",
        "name of yours is written there: bundles, drawings, sheets.",
        "",
        *fenced("mapkit", group.get_help(context)),
    ]
    return "\n".join([*parts, *subcommands(group, context, "mapkit")]) + "\n"


def subcommands(group: Any, context: Any, title: str) -> list[str]:  # noqa: ANN401 - Click has no types of its own
    """Return a section for each command of a group, and for those of the groups in it."""
    parts: list[str] = []
    for name in group.list_commands(context):
        if group.commands[name].hidden:
            continue
        _, command, _ = group.resolve_command(context, [name])
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


def acceptances_text() -> list[str]:
    """Return what `docs/reference/checks.md` says of accepted findings."""
    said = {
        UNUSED: "An id under `[accepted]` that no finding has: the finding is gone, or the id is misspelt. Nothing is "
        "said of\nchecks that did not run, and on boards with variants.",
        UNEXPLAINED: "An id under `[accepted]` without a text. Whoever reads the board later should know why it is "
        "right.",
    }
    return [line for code, text in said.items() for line in _section(code, TITLES[code], text)]


def _section(code: str, title: str, text: str) -> list[str]:
    return ["", f"### {code}", "", f"{title[:1].upper()}{title[1:]} (warning).", "", text]


def checks_text() -> str:
    """Return `docs/reference/checks.md`: each check with its code, severity and explanation."""
    parts = [
        "# Checks",
        "",
        "Written by `tools/make_docs.py` from the registry of checks; do not edit.",
        "",
        "`mapkit check BOARD` runs all of them. Each finding has a code and a name, a severity, the ids of its",
        "elements, a place, and a sentence that says what is wrong and what to do.",
        "",
        "| severity | meaning |",
        "| --- | --- |",
        *(f"| {severity} | {meaning} |" for severity, meaning in SEVERITIES.items()),
        "",
        "A check is `passed`, has `found` something, is `skipped` if one that it needs did not pass, or has",
        "`crashed`. Only `passed` is a pass.",
        "",
        "## Accept a finding",
        "",
        "If a finding is right as it is, write its id and a reason into `board.toml`:",
        "",
        "```toml",
        "[accepted]",
        '"N04:san-ysidro-ca" = "The line ends at the border, as on the printed board."',
        "```",
        "",
        "The id is the code or the name, and the ids of the elements in alphabetical order, joined by colons;",
        "`mapkit check --json` has `code`, `name` and `elements`. A finding keeps its id while its elements keep",
        "theirs. `mapkit check --all` still lists it, and an accepted error no longer stops `mapkit build`.",
        "",
        "## Sources",
        "",
        "| code | name | severity | what holds |",
        "| --- | --- | --- | --- |",
        f"| [{PROBLEM}](#{PROBLEM.lower()}) | `{PROBLEM_NAME}` | error | {PROBLEM_TITLE} |",
        *(
            f"| [{code}](#{code.lower()}) | `{ACCEPTANCE_NAMES[code]}` | warning | {title} |"
            for code, title in TITLES.items()
        ),
        "",
        f"### {PROBLEM}",
        "",
        f"{PROBLEM_TITLE[:1].upper()}{PROBLEM_TITLE[1:]} (error).",
        "",
        "Rows that cannot be used are left out or corrected, so that the rest can be checked; checks with nothing left",
        "to look at are skipped. All mistakes in all files are listed, with file and row. Such a board is not built,",
        "and these errors cannot be accepted.",
        *acceptances_text(),
    ]
    for letter, topic in LETTERS.items():
        own = [check for check in (*CHECKS, *DRAWING) if check.code.startswith(letter)]
        if not own:
            continue
        parts += ["", f"## {topic}", "", "| code | name | severity | what holds |", "| --- | --- | --- | --- |"]
        parts += [f"| [{c.code}](#{c.code.lower()}) | `{c.name}` | {c.severity} | {c.title} |" for c in own]
        for check in own:
            parts += ["", *explained(check)]
    parts += [
        "",
        "## Amounts judged by one another",
        "",
        "`mapkit check` runs these too, with the checks of the drawing, except P12, which is for charts without a",
        "board.",
        "`mapkit payoffs check CHART` runs all of them, and P02 to P07, on a chart in any file. They judge amounts by",
        "a [model](../explanation/charts.md#payoff-charts-one-chart). Misprints that a board keeps as printed are",
        "accepted findings; a file with the same amount has them accepted too.",
        *_others(load_amount_check_rows().values()),
        "",
        "## Destination charts compared with their board",
        "",
        "`mapkit destinations check FILE --board BOARD` runs D00 to D06 on the charts of the file, and these.",
        *_others(load_chart_check_rows().values()),
        "",
        "## Scans of boards",
        "",
        "`mapkit scan trace PICTURE --board BOARD` runs these on what it reads ([scans](../how-to/scans.md#boards)).",
        *_others(load_scan_check_rows().values()),
    ]
    return "\n".join(parts) + "\n"


def _others(rows: Collection[OtherCheckRow]) -> list[str]:
    """Return the table and the sections of checks that another command makes."""
    parts = ["", "| code | name | severity | what holds |", "| --- | --- | --- | --- |"]
    parts += [f"| [{row.code}](#{row.code.lower()}) | `{row.name}` | {row.severity} | {row.title} |" for row in rows]
    for row in rows:
        title = f"{row.title[:1].upper()}{row.title[1:]} ({row.severity})."
        parts += ["", f"### {row.code}", "", title, "", *textwrap.wrap(row.explained, 118)]
    return parts


def explained(check: Check) -> list[str]:
    """Return the section of one check; its explanation is the docstring of its function."""
    needs = f"; runs if {' and '.join(check.needs)} passed" if check.needs else ""
    return [
        f"### {check.code}",
        "",
        f"{check.title[:1].upper()}{check.title[1:]} ({check.severity}{needs}).",
        "",
        inspect.getdoc(check.find) or "",
        *messages_of(check.find),
    ]


def calls_text() -> str:
    """Return `docs/reference/python.md`: what `import mapkit` gives, by the module that has it."""
    parts = [
        "# Calls in Python",
        "",
        "Written by `tools/make_docs.py` from `mapkit/__init__.pyi`; do not edit.",
        "",
        "`import mapkit` gives these names. A name is imported when it is first used. `help(mapkit.load)` explains the",
        "parameters of a call, what it returns and what it raises.",
    ]
    stub = ast.parse(Path(mapkit.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    names: dict[str, list[str]] = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module != "mapkit.version":
            names.setdefault(node.module, []).extend(alias.name for alias in node.names)
    for module, own in names.items():
        if ".api." in module:
            parts += ["", f"## {summary(import_module(module)).rstrip('.')}", "", f"In `{module}`:", ""]
            parts += ["| name | what it is |", "| --- | --- |"]
            parts += [f"| `{called(name, thing)}` | {summary(thing)} |" for name, thing in things_of(module, own)]
    parts += ["", "## What the calls take and give, and single steps", "", "| name | what it is | module |"]
    parts += ["| --- | --- | --- |"]
    parts += [
        f"| `{called(name, thing)}` | {summary(thing)} | `{module}` |"
        for module, own in names.items()
        if ".api." not in module
        for name, thing in things_of(module, own)
    ]
    models = import_module("mapkit.schema")
    parts += ["", f"## {summary(models)}", ""]
    parts += ["`model_validate_json` reads a file, `model_dump_json` writes it; both are typed.", ""]
    parts += ["| name | what it is |", "| --- | --- |"]
    parts += [f"| `{name}` | {summary(thing)} |" for name, thing in things_of("mapkit.schema", models.__all__)]
    return "\n".join(parts) + "\n"


def summary(thing: object) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


def things_of(module: str, names: Iterable[str]) -> list[tuple[str, Any]]:
    """Return the objects of a module with their names."""
    return [(name, getattr(import_module(module), name)) for name in names]


def called(name: str, thing: Any) -> str:  # noqa: ANN401 - a function or class
    """Return a function with the names of its parameters, or a class by its name."""
    if inspect.isclass(thing):
        return name
    words: list[str] = []
    for one in inspect.signature(thing).parameters.values():
        if one.kind is one.KEYWORD_ONLY and "*" not in "".join(words):
            words.append("*")
        words.append(f"*{one.name}" if one.kind is one.VAR_POSITIONAL else one.name)
    return f"{name}({', '.join(words)})"


def main() -> int:
    """Write the documents, or with --check compare them with what is there."""
    parser = argparse.ArgumentParser(description="Write the documents that follow from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    only_check: bool = parser.parse_args().check
    stale = 0
    for name, text in documents().items():
        path = ROOT / name
        same = path.is_file() and path.read_bytes() == text.encode()
        stale += not same
        if not only_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        print(f"{name}: {'unchanged' if same else 'stale' if only_check else 'written'}")
    return 1 if only_check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
