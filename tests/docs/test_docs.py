"""The documents say what is: generated ones are up to date, examples run, links lead somewhere."""

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import typer
from conftest import REPOSITORY, Run
from optional import program
from svg_client import read_board_svg
from walking import check_output, check_program

import mapkit
from mapkit.cli.app import OF_ANY_KIND, OF_EACH_KIND, app
from mapkit.console.derived import Entry
from mapkit.kinds.cards.exchange.registry import FORMATS as CARD_FORMATS
from mapkit.kinds.hex.exchange.registry import FORMATS as HEX_FORMATS
from mapkit.kinds.rail.checks import CHECKS
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.exchange.engine.schemas import NAMES
from mapkit.kinds.rail.exchange.format import ReadingFormat
from mapkit.kinds.rail.exchange.registry import BUILT_IN, get_format
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.file import BoardFile
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.rules.book import TABLES
from mapkit.kinds.rail.sources.table_files import FORMS
from mapkit.kinds.rail.tables import TABLES as TABLES_OF_ROWS
from mapkit.kinds.registry import command_tables

README = REPOSITORY / "README.md"
DOCS = REPOSITORY / "docs"
COMMANDS_PAGE = DOCS / "how-to" / "commands.md"
INSTALL = DOCS / "how-to" / "install.md"
REFERENCE = DOCS / "reference"
PAGES = sorted(
    [
        *REPOSITORY.glob("*.md"),
        *DOCS.rglob("*.md"),
        REPOSITORY / "sources" / "README.md",
        REPOSITORY / "variants" / "README.md",
    ]
)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [body for kind, body in FENCE.findall(text) if kind == language]


@cache
def generated() -> dict[str, str]:
    spec = spec_from_file_location("make_docs", REPOSITORY / "tools" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    documents: dict[str, str] = module.documents()
    return documents


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, made as code hosts make them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


SCHEMAS = sorted(
    f"schema/{name}.schema.json"
    for name in (
        "board",
        "board-cards",
        "board-hex",
        "checks",
        "language",
        "rule_language",
        "texts",
        "themes",
        *NAMES,
        *(f"rules/{name}" for name in TABLES),
    )
)
GENERATED = [
    f"docs/{name}"
    for name in (
        *(
            f"reference/{page}.md"
            for page in (
                "board-file",
                "capabilities",
                "checks",
                "checks-cards",
                "checks-hex",
                "clients",
                "commands",
                "errors",
                "operations",
                "python",
                "rules",
                "rules-cards",
                "rules-hex",
                "source-package",
                "upgrade-0.3",
                "variants",
            )
        ),
        *SCHEMAS,
    )
]
GENERATED += ["mapkit/editor/web/board/src/board.ts", "mapkit/editor/web/src/generated.ts"]


@pytest.mark.parametrize("name", GENERATED)
def test_generated_documents_are_up_to_date(name: str) -> None:
    found = (REPOSITORY / name).read_text(encoding="utf-8")
    assert found == generated()[name], "run: python tools/make_docs.py"


def test_nothing_else_is_generated() -> None:
    assert sorted(generated()) == sorted(GENERATED)
    assert {path.relative_to(REPOSITORY).as_posix() for path in REFERENCE.iterdir()} == {
        name for name in GENERATED if name.startswith("docs/reference/")
    }


@pytest.mark.parametrize("page", sorted(REFERENCE.iterdir()), ids=lambda page: page.stem)
def test_a_generated_page_carries_a_mark(page: Path) -> None:
    assert re.match(r"# .+\n\nWritten by `tools/make_docs.py` .+; do not edit\.\n", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(REPOSITORY).as_posix())
def test_relative_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_readme_opens_with_title_claim_and_picture() -> None:
    lines = [line for line in README.read_text(encoding="utf-8").splitlines() if line]
    assert lines[0] == "# mapkit"
    assert lines[1].endswith(".")
    assert "(docs/pictures/usa-classic.png)" in lines[2]


def test_readme_has_two_commands_for_a_fresh_machine() -> None:
    run, test = (body.strip() for body in blocks(README, "sh")[:2])
    assert run.count("\n") == test.count("\n") == 0
    assert run.startswith("python3 -m venv .venv && ")
    assert run.endswith(".venv/bin/mapkit build usa")
    assert test.endswith(".venv/bin/python tests/run.py")
    for command in (run, test):
        for name in re.findall(r"-r (\S+)", command):
            assert (REPOSITORY / name).is_file()


def test_the_readme_is_one_screen() -> None:
    """What it is, the two commands, three pictures, and a link to each kind of page."""
    text = README.read_text(encoding="utf-8")
    assert [kind for kind, _ in FENCE.findall(text)] == ["sh", "sh"]
    assert text.count("![") == 3
    for kind in ("tutorials", "how-to-guides", "reference", "explanation"):
        assert f"(docs/README.md#{kind})" in text


def test_the_install_page_says_what_is_installed() -> None:
    """Its packages are locked, and its megabytes add up."""
    text = INSTALL.read_text(encoding="utf-8").partition("\n## What is installed\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if re.match(r"\| .* \| \d+ \|", line)]
    locked = (REPOSITORY / "requirements.txt").read_text(encoding="utf-8")
    named = {name for row in rows for name in re.findall("`([a-z-]+)`", row[0] + row[2])} - {"pip", "setuptools"}
    assert named <= set(re.findall("(?m)^([a-z0-9-]+)==", locked))
    total = re.search(r"has (\d+) MB", text)
    assert total is not None
    assert int(total[1]) == sum(int(row[1]) for row in rows) <= 800


def test_the_setup_script_installs_what_the_readme_says() -> None:
    """The script and the commands install the same files."""
    script = (REPOSITORY / "setup").read_text(encoding="utf-8")
    assert os.access(REPOSITORY / "setup", os.X_OK) or os.name == "nt"
    run, test = blocks(README, "sh")[:2]
    for command in (run, test):
        (name,) = re.findall(r"-r (\S+)", command)
        assert name in script
    assert all(part in script for part in ("--require-hashes", "--no-compile", ".venv/bin/mapkit build usa"))


def test_ci_runs_the_test_command_of_the_readme() -> None:
    """The script takes the command out of the README itself."""
    script = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
    found = re.search(r"awk '[^']+' README\.md", script)
    assert found is not None
    bash = program("bash", "it runs the script of CI, so nothing needs it elsewhere")
    done = subprocess.run(
        [bash, "-c", found[0]], cwd=REPOSITORY, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert [done.stdout] == blocks(README, "sh")[1:2]


def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = blocks(DOCS / "how-to" / "python.md", "python")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "python.md", "exec"), {})  # noqa: S102 - our own example
    printed = re.findall(r"print\(.*\)\s+# (.+)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == printed
    assert (tmp_path / "build" / "usa" / "board.svg").is_file()


def test_the_example_for_engines_places_its_buttons_on_the_picture(run: Run, tmp_path: Path) -> None:
    """The example of docs/how-to/clients.md, run where it says, gives the places of the squares in the picture."""
    page = (DOCS / "how-to" / "clients.md").read_text(encoding="utf-8")
    found = re.findall(r"^ *```python\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
    [example] = [body for body in found if "drawn_x" in body]
    assert run("export", REPOSITORY / "build/usa/board.json", "--to", "engine", "--out", tmp_path).code == 0
    done = subprocess.run(
        [sys.executable, "-c", dedent(example)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    picture = read_board_svg((REPOSITORY / "build/usa/board.svg").read_text(encoding="utf-8"))
    board = mapkit.load(REPOSITORY / "build/usa/board.json")
    shown = {line.rsplit(" ", 2)[0]: tuple(map(int, line.rsplit(" ", 2)[1:])) for line in done.stdout.splitlines()}
    assert len(shown) == len(board.cities)
    scale = 1600 / board.page.width
    for city in board.cities:
        assert shown[city.name] == pytest.approx([scale * v for v in picture.places[f"c-{city.id}"]], abs=0.6)


def console_examples() -> list[tuple[str, str]]:
    out = []
    for body in blocks(COMMANDS_PAGE, "console"):
        first, _, rest = body.partition("\n")
        assert first.startswith("$ mapkit ")
        out.append((first[2:], rest))
    return out


@pytest.mark.parametrize(("command", "shown"), console_examples(), ids=lambda text: text.partition("\n")[0])
def test_commands_print_what_is_shown(tmp_path: Path, command: str, shown: str) -> None:
    check_output(command, shown, tmp_path)


def test_a_command_runs_as_a_program(tmp_path: Path) -> None:
    [shown] = [shown for command, shown in console_examples() if command == "mapkit list formats"]
    check_program("mapkit list formats", shown, tmp_path)


def test_every_command_is_documented() -> None:
    group = typer.main.get_command(app)
    commands = {name for name, command in group.commands.items() if not command.hidden}  # type: ignore[attr-defined]
    reference = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    assert {name for name in commands if f"## mapkit {name}\n" not in reference} == set()
    # each is shown at work, and run, on a page
    shown = "".join(
        block
        for folder in ("how-to", "tutorials")
        for page in (DOCS / folder).iterdir()
        for block in blocks(page, "console")
    )
    assert set(re.findall(r"^\$ mapkit ([\w-]+)", shown, re.MULTILINE)) >= commands


def test_commands_without_json_are_named() -> None:
    """The page says of all others that they take `--json`."""
    without = {
        f"{name} {inner}".strip()
        for _, commands in command_tables(OF_EACH_KIND)
        for name, part in {**OF_ANY_KIND, **commands}.items()
        for inner, entry in ([("", part)] if isinstance(part, Entry) else part.commands.items())
        if not entry.show and not any("json" in name for name in inspect.signature(function_of(entry)).parameters)
    }
    [sentence] = re.findall(r"All but (.*?) take `--json`", COMMANDS_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert set(re.findall("`([^`]+)`", sentence)) == without


def function_of(entry: Entry) -> Any:
    module, _, name = entry.where.partition(":")
    return getattr(import_module(module), name)


def test_formats_are_listed_as_they_are() -> None:
    """The page of capabilities has each format of each kind, and says which are read back."""
    page = REFERENCE / "capabilities.md"
    rows = {row[0].strip("`"): row[1] for row in table_rows(page, "format | `rail`")}
    assert {name for name, state in rows.items() if state} == set(BUILT_IN)
    assert {name for name, state in rows.items() if "read back" in state} == {
        name for name in BUILT_IN if isinstance(get_format(name), ReadingFormat)
    }
    text = page.read_text(encoding="utf-8")
    for kind, names in (("hex", HEX_FORMATS.names()), ("cards", CARD_FORMATS.names())):
        section = text.partition(f"### Formats of `{kind}`")[2].partition("\n#")[0]
        assert sorted(re.findall(r"^\| `([\w-]+)`", section, re.MULTILINE)) == sorted(names)


def test_every_check_is_documented_and_explained() -> None:
    text = (REFERENCE / "checks.md").read_text(encoding="utf-8")
    for check in CHECKS:
        assert f"### {check.code}\n" in text
        assert f"| `{check.name}` | {check.severity} | {check.title} |" in text
        assert check.find.__doc__, f"{check.code} has no docstring to explain it"


def test_every_field_of_the_board_file_is_documented() -> None:
    text = (REFERENCE / "board-file.md").read_text(encoding="utf-8")
    fields = {name: field.annotation for name, field in BoardFile.model_fields.items()}
    assert {name for name in fields if f"`{name}`" not in text and f"`{name}[]`" not in text} == set()
    parts = BoardFile.model_json_schema()["$defs"]
    inner = {
        f"{kind}.{name}"
        for kind in (
            "Units",
            "Projection",
            "Page",
            "Region",
            "Milepost",
            "City",
            "Railroad",
            "Junction",
            "Piece",
            "Segment",
            "Crossing",
            "DrawingSettings",
        )
        for name in parts[kind]["properties"]
        if f"`{name}`" not in text and f"`{name}." not in text
    }
    assert inner == set()


def table_rows(page: Path, head: str) -> list[list[str]]:
    """Return the cells of the rows of a page's table, given how its header begins."""
    text = page.read_text(encoding="utf-8")
    table = text[text.index(f"| {head} |") :].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def test_layers_of_the_picture_are_documented_in_order() -> None:
    documented = [row[0].strip("`") for row in table_rows(REFERENCE / "board-file.md", "layer | content")]
    assert tuple(documented) == LAYERS


def test_elements_of_the_picture_are_as_documented(usa: Board) -> None:
    root = ET.fromstring(render_board(usa))  # noqa: S314 - our own drawing
    for layer, ident, css, data in table_rows(REFERENCE / "board-file.md", "layer | id"):
        group = root.find(f".//*[@id='layer-{layer.strip('`')}']")
        assert group is not None
        found = [e for e in group.iter() if css.strip("`") in e.get("class", "").split()]
        assert found, css
        prefixes = tuple(part.strip("` ").removesuffix("ID") for part in ident.split(","))
        names = {f"data-{name}" for name in re.findall(r"`([^`]+)`", data)}
        for element in found:
            assert element.get("id", "").startswith(prefixes)
            assert {name for name in element.keys() if name.startswith("data-")} == names  # noqa: SIM118


def test_documents_fit_the_style() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert text.endswith("\n"), page
        assert "@@" not in text, f"{page}: something was left to fill in"
        assert not re.search(r"[\U0001f300-\U0001faff]", text), page


def test_operations_and_variants_are_described() -> None:
    """Every operation has each of its keys, and every shipped variant a row."""
    shipped = {path.stem for path in (REPOSITORY / "variants").rglob("*.toml")}
    rows = (REFERENCE / "variants.md").read_text(encoding="utf-8").splitlines()
    assert {line.split("`")[1] for line in rows if line.startswith("| `")} == shipped
    operations = (REFERENCE / "operations.md").read_text(encoding="utf-8")
    described = {part.partition("`")[0]: part for part in operations.split("\n### `")[1:]}
    assert described.keys() == COMMANDS.keys()
    for name, model in COMMANDS.items():
        keys = set(model.model_fields) - {"kind", "reason"}
        named = {line.split("`")[1] for line in described[name].splitlines() if line.startswith("| `")}
        assert keys <= named, name
    assert (
        "| `track` | `straight`, `join` or `remove` | `straight` |" in described["delete-place"]
    )  # literals and defaults
    assert "| `charts` | `keep`, `cities` or `solve` | `keep` |" in described["edit-city"]
    assert "| `lat` | number, -90 to 90 | needed |" in described["add-junction"]
    assert "`model.base`" in described["recompute-payoffs"]


def test_every_name_of_the_last_version_is_there_or_explained() -> None:
    generated()  # puts tools on the path
    upgrade = import_module("upgrade_text")
    assert upgrade.unexplained((REFERENCE / "upgrade-0.3.md").read_text(encoding="utf-8")) == []


def test_columns_of_tables_are_listed() -> None:
    """The page of the source package has each column of each plain table."""
    text = (REFERENCE / "source-package.md").read_text(encoding="utf-8")
    for table, form in FORMS.items():
        columns = {form.columns.get(name, name) for name in TABLES_OF_ROWS[table].model_fields} - {"rank"}
        assert f"`{form.file}`" in text or f"## {form.file}" in text
        assert {name for name in columns if f"`{name}`" not in text} == set(), table


def _choices(schema: Any) -> Iterator[str]:
    """Yield every text that a schema lists or fixes, wherever it does."""
    if isinstance(schema, dict):
        listed = schema.get("enum", [schema["const"]] if "const" in schema else [])
        yield from (value for value in listed if isinstance(value, str))
        for part in schema.values():
            yield from _choices(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _choices(part)


def test_every_choice_of_the_board_file_is_told_in_words() -> None:
    schema = json.loads((DOCS / "schema" / "board.schema.json").read_text(encoding="utf-8"))
    told = "".join((REFERENCE / name).read_text(encoding="utf-8") for name in ("board-file.md", "rules.md"))
    assert [one for one in dict.fromkeys(_choices(schema)) if f"`{one}`" not in told and f'"{one}"' not in told] == []
