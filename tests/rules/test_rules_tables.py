"""The tables of the rules are TOML files that hold to schemas; mistakes in them are named with file and key."""

import json
import re
import subprocess
import sys
import textwrap
import tomllib
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin

import jsonschema
import pytest
from conftest import REPOSITORY
from pydantic import BaseModel

from mapkit.core.errors import TableError
from mapkit.core.package_data import parse_table
from mapkit.kinds.rail.rules import book, tables
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.paths import setting_paths
from mapkit.kinds.rail.rules.rules import Rules

ROOM = files("mapkit.kinds.rail.rules")
SCHEMAS = REPOSITORY / "docs" / "schema" / "rules"


def text_of(name: str) -> str:
    return ROOM.joinpath(f"{name}.toml").read_text(encoding="utf-8")


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_every_file_is_a_table() -> None:
    assert {path.name for path in ROOM.iterdir() if path.name.endswith(".toml")} == {f"{n}.toml" for n in book.TABLES}


@pytest.mark.parametrize("name", book.TABLES)
def test_each_file_holds_to_its_model_and_its_schema(name: str) -> None:
    text = text_of(name)
    assert text.startswith(f"#:schema ../../../../docs/schema/rules/{name}.schema.json\n")
    assert parse_table(name, text, book.TABLES[name]).model_config["frozen"]
    validator(name).validate(tomllib.loads(text))


@pytest.mark.parametrize("name", book.TABLES)
def test_a_key_that_a_table_does_not_have_is_refused_by_both(name: str) -> None:
    text = f'titel = "x"\n{text_of(name)}'
    with pytest.raises(TableError, match=rf"^{name}\.toml: titel: unknown key"):
        parse_table(name, text, book.TABLES[name])
    assert not validator(name).is_valid(tomllib.loads(text))


OPTION = '[[options]]\nid = "a"\ntitle = "A"\nrows = ["RB-F03"]\nsettings = { "fees.own" = 0 }\n'
RELATION = """
[[relations]]
rows = ["D01"]
why = "x"
when = [{ setting = "a.b", tset = "is", value = 1 }]
must = { setting = "a.c", value = 1 }
"""
ROWS = (
    '[kinds]\nboard = "b"\nprocedure = "p"\n[procedures]\nfees = "f"\n[topics]\nF = "Fees"\n[disagreements]\n[gaps]\n'
)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "options",
            OPTION + 'titel = "x"',
            "options.toml: options 1 (a).titel: unknown key (did you mean 'title'?)",
        ),
        ("options", OPTION.replace('"fees.own" = 0', '"Fees own" = 0'), "options.toml: options 1 (a).settings"),
        ("options", OPTION.replace("= 0", "= 0.5"), "options.toml: options 1 (a).settings"),
        (
            "options",
            OPTION.replace("RB-F03", "F03"),
            "options.toml: options 1 (a).rows 1: it has letters or signs",
        ),
        ("options", OPTION + OPTION, "options.toml: option 'a' is there twice"),
        (
            "options",
            OPTION + 'needs = ["b"]\n' + OPTION.replace('"a"', '"bb"'),
            "options.toml: option 'a' names option 'b', which does not exist (did you mean 'bb'?)",
        ),
        (
            "options",
            OPTION + 'amount = "fees.bank"',
            "options.toml: option 'a': its amount 'fees.bank' is not one of its settings",
        ),
        (
            "options",
            OPTION.replace('settings = { "fees.own" = 0 }\n', ""),
            "options.toml: option 'a' switches nothing; give it settings or includes",
        ),
        ("options", "[[options]", "options.toml: not valid TOML: "),
        (
            "relations",
            RELATION,
            "relations.toml: relations 1.when 1 (a.b).tset: unknown key (did you mean 'test'?)",
        ),
        (
            "presets",
            '[[presets]]\nid = "ahh"\ntitle = "x"',
            "presets.toml: presets 1 (ahh).id: write 'ah', 'ici' or 'ah-faq'",
        ),
        ("words", '[[settings]]\npath = "fees.own"', "words.toml: settings 1 (fees.own).matter: it is missing; add it"),
        (
            "rows",
            f'rows = [{{ id = "RB-F01", title = "x", places = ["procedure:fee"] }}]\n{ROWS}',
            "rows.toml: row 'RB-F01' names the procedure 'fee', which does not exist (did you mean 'fees'?)",
        ),
        (
            "rows",
            f'rows = [{{ id = "RB-F01", title = "x", places = ["bord:fees"] }}]\n{ROWS}',
            "rows.toml: row 'RB-F01' names the kind of place 'bord', which does not exist (did you mean 'board'?)",
        ),
        (
            "rows",
            f'rows = [{{ id = "RB-G01", title = "x" }}]\n{ROWS}',
            "rows.toml: row 'RB-G01': there is no topic 'G'",
        ),
    ],
)
def test_mistakes_are_named_with_file_and_key(name: str, text: str, message: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_table(name, text, book.TABLES[name])
    assert message in str(caught.value)


def test_all_mistakes_of_a_file_are_said_at_once() -> None:
    with pytest.raises(TableError) as caught:
        parse_table("options", OPTION.replace("title", "titel").replace('"a"', '"A"'), tables.OptionTable)
    assert len(caught.value.problems) == 3


def test_tables_name_settings_that_the_models_have_with_values_that_they_take() -> None:
    paths = set(setting_paths(Rules))
    for option in book.options().values():
        assert {path for path, _ in option.settings} <= paths, option.id
    for preset, settings in book.preset_settings().items():
        assert set(settings) <= paths, preset
    assert set(book.not_given()) <= paths
    rows = {row.id for row in book.rows()}
    assert {ident for of_preset in book.assumed_procedures().values() for ident in of_preset} <= rows
    assert {path for of_preset in book.assumed().values() for path in of_preset} <= paths


def choices(model: type[BaseModel]) -> set[Any]:
    out: set[Any] = set()
    for field in model.model_fields.values():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            out |= choices(kind)
        elif get_origin(kind) is Literal:
            out |= set(get_args(kind))
    return out


def test_no_choice_is_called_as_files_say_that_there_is_no_figure() -> None:
    found = choices(Rules)
    assert "free" in found
    assert tables.NO_FIGURE not in found
    assert book.preset_settings()["ici"]["setup.engine_titles"] is None


def test_words_are_those_of_values_that_there_are() -> None:
    for path, words in book.wording().items():
        model: type[BaseModel] = Rules
        *groups, leaf = path.split(".")
        for group in groups:
            inner = model.model_fields[group].annotation
            assert isinstance(inner, type)
            model = inner
        kind = model.model_fields[leaf].annotation
        known = {"on", "off"} if kind is bool else set(get_args(kind))
        assert set(words.words) <= known, path
        if get_origin(kind) is Literal and path != "preset":  # presets have titles
            assert set(words.words) == known, path


def opened(*arguments: str) -> list[str]:
    """Return the tables of the rules that a command reads."""
    code = (
        "import sys\n"
        "seen = []\n"
        "def look(event, args):\n"
        "    if event == 'open' and str(args[0]).endswith('.toml'):\n"
        "        seen.append(str(args[0]).replace('\\\\', '/'))\n"
        "sys.addaudithook(look)\n"
        f"sys.argv = ['mapkit', *{arguments!r}]\n"
        "from mapkit.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*(path.rpartition('/')[2] for path in seen if '/rail/rules/' in path), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    assert done.stdout
    return sorted(done.stderr.splitlines()[-1].split())


@pytest.mark.slow
def test_a_command_reads_only_the_tables_that_it_needs_each_once() -> None:
    assert opened("--help") == []
    assert opened("rules", "options", "--json") == ["options.toml"]
    assert opened("rules", "diff", "ah", "ici") == ["gaps.toml", "presets.toml", "relations.toml", "words.toml"]


def test_the_option_that_contributing_adds_is_an_option() -> None:
    page = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("## Add an option of the rules")[2].partition("\n## ")[0]
    (block,) = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    text = f"{text_of('options')}\n{textwrap.dedent('   ' + block.lstrip())}"
    added = parse_table("options", text, tables.OptionTable)
    (new,) = (option for option in added.options if option.id not in book.options())
    assert apply_rule_changes(Rules(), dict(new.settings)).movement.dice == 3
    assert set(new.rows) <= {row.id for row in book.rows()}
    paths = re.findall(r"`(mapkit/\S+)`", section)
    assert len(paths) >= 4
    assert [path for path in paths if not (REPOSITORY / path).exists()] == []
