"""Every row of the rules has its place, and the places are there."""

import re

import pytest
from conftest import REPOSITORY
from pydantic import BaseModel

from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.render.board import LAYERS
from mapkit.kinds.hex.render.words import hex_words
from mapkit.kinds.hex.rules.book import options, rows
from mapkit.kinds.hex.rules.reading import read_rules
from mapkit.kinds.hex.rules.settings import HexRules

CHECKLIST = REPOSITORY.parent / "shared" / "rules" / "checklist.md"
COUNTS = {"U": 9, "O": 5, "C": 7, "T": 5, "A": 11, "B": 8, "E": 2, "D": 7, "K": 3, "I": 3, "Z": 6, "R": 4, "M": 5}
FIGURES = {"turns", "links", "deliveries", "income"}
IDS = [row.id for row in rows().rows]


def settings_of(model: type[BaseModel], above: str = "") -> dict[str, str]:
    out = {}
    for name, field in model.model_fields.items():
        out[f"{above}{name}"] = field.description or ""
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            out |= settings_of(field.annotation, f"{above}{name}.")
    return out


def test_all_75_rows_are_there_once() -> None:
    wanted = {f"RW-{letter}{n:02}" for letter, count in COUNTS.items() for n in range(1, count + 1)}
    assert set(IDS) == wanted
    assert len(IDS) == len(wanted) == 75


def test_the_rows_are_those_of_the_checklist() -> None:
    if not CHECKLIST.is_file():
        pytest.skip(f"{CHECKLIST} is not there")
    found = re.findall(r"^\| (RW-[A-Z]\d\d) \|", CHECKLIST.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(found) == sorted(IDS)


def test_places_are_there() -> None:
    tables = HEX.document.schema.tables
    known = {
        "setting": set(settings_of(HexRules)),
        "table": set(tables),
        "column": {f"{table}.{name}" for table, row in tables.items() for name in row.model_fields},
        "option": set(options()),
        "check": {check.code for check in HEX.all_checks()},
        "figure": FIGURES,
        "drawing": set(LAYERS),
        "client": {"zoom", "help", "preferences"},
        "procedure": set(rows().procedures),
        "sentence": {key.removeprefix("rules.") for key in hex_words("en").texts if key.startswith("rules.")},
    }
    wrong = [
        f"{row.id}: {place}"
        for row in rows().rows
        for place in row.places
        if place.partition(":")[2] not in known[place.partition(":")[0]]
    ]
    assert wrong == []


def test_settings_name_rows_that_name_them() -> None:
    cited = {(row, path) for path, about in settings_of(HexRules).items() for row in re.findall(r"RW-[A-Z]\d\d", about)}
    assert {row for row, _ in cited} <= set(IDS)
    placed = {(row.id, place.partition(":")[2]) for row in rows().rows for place in row.places if "setting:" in place}
    assert {pair for pair in placed if pair not in cited and pair[0] not in ("RW-A03", "RW-A08")} == set()


def test_gaps_have_no_value_and_every_option_can_be_switched_on() -> None:
    start = HexRules()
    assert start.rotors.wheel is None
    assert [start.end.markers.of(players) for players in range(2, 7)] == [None] * 5
    assert start.end.markers_less is None
    for option in options().values():
        rules, on, wrong = read_rules({"options": [option.id]})
        assert (on, wrong) == ((option.id,), [])
        assert rules != start
    assert set(rows().gaps) == {f"G{number}" for number in range(10, 20)}
    assert set(rows().disagreements) == {f"D{number}" for number in range(61, 66)}


def test_single_settings_come_after_options() -> None:
    rules, _, wrong = read_rules({"options": ["rotors"], "rotors": {"enabled": False, "wheel": ["red", "blue"]}})
    assert wrong == []
    assert rules.rotors.enabled is False
    assert rules.rotors.wheel == ("red", "blue")


def test_fewer_markers_need_a_number() -> None:
    rules, _, _ = read_rules({"options": ["fewer-markers"], "end": {"markers": {"two": 9}}})
    assert rules.end.markers_for(2) is None
    rules, _, _ = read_rules({"options": ["fewer-markers"], "end": {"markers": {"two": 9}, "markers_less": 4}})
    assert (rules.end.markers_for(2), rules.end.markers_for(3)) == (5, None)
