"""Every row of the rules of card games has its place, and the places are there."""

import re

import pytest
from conftest import REPOSITORY

from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.rules.book import card_rows
from mapkit.kinds.cards.rules.settings import CardRules, Disputes

CHECKLIST = REPOSITORY.parent / "shared" / "rules" / "checklist.md"
COUNTS = {"C": 31, "M": 10, "S": 7, "R": 7, "L": 7, "B": 14, "D": 6, "O": 18, "X": 6}
IDS = [row.id for row in card_rows().rows]
PLAY = {"money", "draft", "rounds", "selling", "buying", "director", "operating", "obsolescence"}


def test_all_106_rows_are_there_once() -> None:
    wanted = [f"BA-{letter}{n:02}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
    assert sorted(IDS) == sorted(wanted)
    assert len(IDS) == 106


def test_the_rows_are_those_of_the_checklist() -> None:
    if not CHECKLIST.is_file():
        pytest.skip(f"{CHECKLIST} is not there")
    found = re.findall(r"^\| (BA-[A-Z]\d\d) \|", CHECKLIST.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(found) == sorted(IDS)


def test_places_are_there() -> None:
    tables = CARDS.document.schema.tables
    rules = CardRules()
    known = {
        "setting": {
            f"{group}.{name}" for group in CardRules.model_fields for name in type(getattr(rules, group)).model_fields
        },
        "table": set(tables),
        "column": {f"{table}.{name}" for table, row in tables.items() for name in row.model_fields},
        "check": {check.code for check in CARDS.all_checks()},
        "play": PLAY,
        "outside": {"rulebook"},
    }
    places = [place.partition(":") for row in card_rows().rows for place in row.places]
    assert [name for kind, _, name in places if name not in known[kind]] == []


def test_each_contradiction_is_a_setting() -> None:
    found = [re.match(r"D\d\d", field.description or "") for field in Disputes.model_fields.values()]
    assert [one and one[0] for one in found] == [f"D{n}" for n in range(41, 51)]
