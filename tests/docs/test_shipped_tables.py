"""The tables of checks and themes hold to their models and schemas, and each check of them exists."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from conftest import REPOSITORY
from pydantic import BaseModel

from mapkit.core.errors import TableError
from mapkit.core.package_data import parse_table
from mapkit.drawing.theme.theme import THEMES, ThemeTable
from mapkit.kinds.rail.checks.registry import CHECKS
from mapkit.kinds.rail.checks.table import CheckTable, load_check_rows
from mapkit.kinds.rail.render.checks import CHECKS as DRAWING

PACKAGE = REPOSITORY / "mapkit"
TABLES: dict[Path, type[BaseModel]] = {
    PACKAGE / "kinds" / "rail" / "checks" / "checks.toml": CheckTable,
    PACKAGE / "drawing" / "theme" / "themes.toml": ThemeTable,
}


def is_valid(path: Path, text: str) -> bool:
    schema = json.loads((REPOSITORY / "docs" / "schema" / f"{path.stem}.schema.json").read_text(encoding="utf-8"))
    return bool(jsonschema.Draft202012Validator(schema).is_valid(tomllib.loads(text)))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_holds_to_its_model_and_its_schema(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert (path.parent / text.splitlines()[0].removeprefix("#:schema ")).resolve().is_file()
    assert is_valid(path, text)
    wrong = f'titel = "x"\n{text}'
    assert not is_valid(path, wrong)
    with pytest.raises(TableError, match=rf"^{path.name}: titel: unknown key"):
        parse_table(path.stem, wrong, TABLES[path])


def test_every_check_has_a_row_and_every_row_a_check() -> None:
    assert sorted(check.code for check in (*CHECKS, *DRAWING)) == sorted(load_check_rows())


ROW = 'code = "N01"\nname = "x"\nseverity = "error"\ntitle = "x"\n'
BARE = '[[themes]]\nname = "bare"\n'


@pytest.mark.parametrize(
    ("name", "model", "text", "message"),
    [
        (
            "checks",
            CheckTable,
            f"judged = []\ncompared = []\nscanned = []\n[[checks]]\n{ROW}[[checks]]\n{ROW}",
            "check 'N01' appears twice",
        ),
        (
            "checks",
            CheckTable,
            f'judged = []\ncompared = []\nscanned = []\n[[checks]]\n{ROW}needs = ["N02"]\n',
            "'N01' needs 'N02', which does not",
        ),
        (
            "checks",
            CheckTable,
            f"judged = []\ncompared = []\nscanned = []\n[[checks]]\n{ROW.replace('error', 'bad')}",
            "checks 1 (N01).severity: ",
        ),
        ("themes", ThemeTable, BARE, "themes.toml: themes 1 (bare).water: it is missing; add it"),
        ("themes", ThemeTable, "themes = 1", "themes.toml: themes: write a list"),
    ],
)
def test_mistakes_are_named_with_file_and_key(name: str, model: type[BaseModel], text: str, message: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_table(name, text, model)
    assert message in str(caught.value)


def test_what_a_theme_does_not_state_is_as_in_the_first() -> None:
    whole = (PACKAGE / "drawing" / "theme" / "themes.toml").read_text(encoding="utf-8")
    text = f'{whole}\n[[themes]]\nname = "sepia"\nland = "#f1e7d0"\n'
    sepia = parse_table("themes", text, ThemeTable).themes[-1]
    first = THEMES["classic"]
    assert sepia == first.model_copy(update={"name": "sepia", "about": "", "land": "#f1e7d0"})
