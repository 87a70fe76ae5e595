"""Every row of the rules has its place, and the places are there."""

import re
from typing import get_args

import pytest
from conftest import REPOSITORY
from pydantic import BaseModel

from mapkit.kinds.rail.checks import CHECKS
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.paths import descriptions, get_setting, setting_paths
from mapkit.kinds.rail.rules.rows import row_places, rows_by_setting
from mapkit.kinds.rail.rules.rules import PRESETS, Rules
from mapkit.kinds.rail.rules.words import value_words

CHECKLIST = REPOSITORY.parent / "shared" / "rules" / "checklist.md"
IDS = [row.id for row in book.rows()]
# How many rows each letter has.
COUNTS = {
    "C": 30,
    "S": 13,
    "D": 8,
    "M": 13,
    "B": 13,
    "P": 15,
    "F": 19,
    "A": 17,
    "I": 6,
    "W": 28,
    "V": 19,
    "T": 7,
    "X": 7,
}


def test_all_195_rows_are_there_once() -> None:
    expected = [f"RB-{letter}{n:02}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
    assert expected == IDS
    assert len(IDS) == 195


def test_the_rows_are_those_of_the_checklist() -> None:
    if not CHECKLIST.is_file():
        pytest.skip(f"{CHECKLIST} is not there")
    assert re.findall(r"^\| (RB-[A-Z]\d\d) \|", CHECKLIST.read_text(encoding="utf-8"), re.MULTILINE) == IDS


def test_every_row_has_a_place() -> None:
    assert [row.id for row in book.rows() if not row_places(row)] == []


def test_places_are_there() -> None:
    codes = {check.code for check in CHECKS}
    known = {
        "setting": set(descriptions(Rules)),
        "board": set(Board.model_fields),
        "procedure": set(book.procedures()),
        "check": codes,
        "display": set(LAYERS),
        "preset": {*PRESETS, *book.options()},
    }
    wrong = []
    for row in book.rows():
        for place in row_places(row):
            kind, _, name = place.partition(":")
            assert kind in book.place_kinds(), place
            if kind in known and name not in known[kind]:
                wrong.append((row.id, place))
    assert wrong == []
    used = {place for row in book.rows() for place in row_places(row)}
    assert {f"procedure:{name}" for name in book.procedures()} <= used, "a procedure that no row needs"


# Places that hold a row without anybody carrying it out in play.
HELD = {"board", "check", "display", "variant", "preset", "target", "table"}


def _defined(folder: str, pattern: str) -> list[str]:
    """Return the names of the functions of some files."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((REPOSITORY / folder).glob(pattern))]
    return [name for text in texts for name in re.findall(r"^def (\w+)\(", text, re.MULTILINE)]


def test_every_row_is_carried_out_and_tested_or_is_data() -> None:
    open_matters = set(book.not_given())
    for row in book.rows():
        kinds = {place.partition(":")[0] for place in row_places(row)}
        carried_out = bool(row.code)
        gap = any(place.partition(":")[2] in open_matters for place in row_places(row))
        assert carried_out or kinds & HELD or row.figures or gap, row.id
        assert carried_out or "procedure" not in kinds or "table" in kinds, f"{row.id}: nothing carries it out"
        assert not (carried_out and "table" in kinds), row.id


def test_the_code_and_the_tests_of_rows_are_there() -> None:
    code = _defined("mapkit/kinds/rail/playing", "*.py")
    tests = [name for name in _defined("tests/playing", "test_rows_*.py") if name.startswith("test_")]
    for row in book.rows():
        assert not row.code or code.count(row.code) == 1, row.id
        assert set(row.tests) <= set(tests), row.id
    assert len(tests) == len(set(tests))
    shown = {name for row in book.rows() for name in row.tests}
    assert set(tests) == shown, "a test that no row names"


def test_a_test_that_names_a_row_is_a_test_of_it() -> None:
    for row in book.rows():
        number = f"_{row.id[3:].lower()}_"
        named = {name for name in _defined("tests/playing", "test_rows_*.py") if number in name}
        assert named <= set(row.tests), row.id


def test_rows_that_settings_and_options_name_are_rows() -> None:
    cited = {ident for ids in rows_by_setting().values() for ident in ids}
    cited |= {ident for option in book.options().values() for ident in option.rows}
    cited |= {ident for relation in book.relations() for ident in relation.rows}
    assert {ident for ident in cited if ident.startswith("RB-")} <= set(IDS)


def test_rows_with_a_figure_or_a_choice_are_settings() -> None:
    """A row of the kinds number, table, choice, flag and option is a setting, unless it is the board's."""
    if not CHECKLIST.is_file():
        pytest.skip(f"{CHECKLIST} is not there")
    lines = re.findall(
        r"^\| (RB-[A-Z]\d\d) \|.*\| ([a-z /]+) \| [^|]+ \|$", CHECKLIST.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(lines) == 195
    # prices and charts, twice; turns always go left; the extension of the B&O is a variant of the board
    boards = {"RB-C12", "RB-C13", "RB-C14", "RB-P01", "RB-V15"}
    kinds = {"number", "table", "choice", "flag", "option", "preset", "range"}
    needed = {ident for ident, kind in lines if kind.split("/")[0] in kinds} - boards
    set_by = {ident for ids in rows_by_setting().values() for ident in ids}
    assert needed - set_by == set()


def test_every_setting_is_said_in_words() -> None:
    assert list(book.wording()) == list(descriptions(Rules))
    said: dict[tuple[str, object], str] = {}
    for path in descriptions(Rules):
        kind = _annotation(path)
        values = (True, False) if kind is bool else get_args(kind)
        for value in values:
            if isinstance(value, str | bool) and path != "preset":
                words = value_words(path, value)
                assert words != str(value) or words.isalpha(), (path, value)
                said[path, value] = words
    for path in (path for path, words in book.wording().items() if words.words):
        own = [words for (of, _), words in said.items() if of == path]
        assert len(own) == len(set(own)) >= 1, path


def _annotation(path: str) -> object:
    model: type[BaseModel] = Rules
    *groups, leaf = path.split(".")
    for key in groups:
        annotation = model.model_fields[key].annotation
        assert isinstance(annotation, type)
        model = annotation
    return model.model_fields[leaf].annotation


def test_disagreements_are_where_presets_differ() -> None:
    differ = {path.removesuffix(".two") for name in PRESETS for path in book.preset_settings()[name]}
    numbered = {path for path in differ if book.wording()[path].disagreement}
    # what one rule set states and another does not is no disagreement, but a gap
    assert differ - numbered == {"information.home", "information.cash_lies"} <= set(book.not_given())
    known = {*book.disagreements(), *book.open_matters(), ""}
    assert {book.wording()[path].disagreement for path in book.wording()} <= known
    cited = {ident for option in book.options().values() for ident in option.rows}
    cited |= {ident for relation in book.relations() for ident in relation.rows}
    assert {ident for ident in cited if not ident.startswith("RB-")} <= known


def test_paths_lead_to_values() -> None:
    paths = setting_paths(Rules)
    assert len(paths) == len(set(paths))
    # two tables of five cells each stand for one setting
    assert len(paths) == len(descriptions(Rules)) + 2 * (5 - 1)
    assert get_setting(Rules(), "net_worth.target.three") == 300_000
