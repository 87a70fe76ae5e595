"""Every row of the rules of card games has its place, and the places are there."""

import re
from itertools import takewhile
from typing import Any, get_args

import pytest
import test_card_play
from conftest import REPOSITORY

import mapkit
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.playing import market, moves, railroads, state
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.rules_pages import card_rule_parts
from mapkit.kinds.cards.render.words import card_words
from mapkit.kinds.cards.rules.book import card_rows
from mapkit.kinds.cards.rules.settings import CardRules, Disputes

CHECKLIST = REPOSITORY.parent / "shared" / "rules" / "checklist.md"
PLAYED = (market, moves, state, railroads)
COUNTS = {"C": 31, "M": 10, "S": 7, "R": 7, "L": 7, "B": 14, "D": 6, "O": 18, "X": 6}
DISPUTES = [
    (name, value)
    for name, field in Disputes.model_fields.items()
    for value in (get_args(field.annotation) or (True, False))
]
SENTENCES = {
    key.removeprefix("rules."): [text] if isinstance(text, str) else [text.one, text.other]
    for key, text in card_words("en").texts.items()
    if key.startswith("rules.")
}
IDS = [row.id for row in card_rows().rows]
ROW = re.compile(r"([cmsrlbdox])(\d\d)")


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
        "play": {f"{module.__name__.rpartition('.')[2]}.{name}" for module in PLAYED for name in vars(module)},
        "sentence": set(SENTENCES),
        "outside": {"rulebook"},
    }
    places = [place.partition(":") for row in card_rows().rows for place in row.places]
    assert [name for kind, _, name in places if name not in known[kind]] == []


def test_played_rows_have_their_sentences_and_sheets_print_no_others() -> None:
    """On both shipped games with every dispute settled either way."""
    told = {row.id: [place[9:] for place in row.places if place.startswith("sentence:")] for row in card_rows().rows}
    played = {row.id for row in card_rows().rows if any(place.startswith("play:") for place in row.places)}
    assert {row for row in played if not told[row]} == set()
    cited, printed = {key for keys in told.values() for key in keys}, set[str]()
    patterns = {
        key: re.compile("|".join(re.sub(r"\\{\w+\\}", ".+", re.escape(form)) for form in forms))
        for key, forms in SENTENCES.items()
    }
    choices: list[dict[str, Any]] = [
        {},
        *({"disputes": {name: value}} for name, value in DISPUTES),
        {"setup": {"bids": "face"}, "rounds": {"stock": 2}},
    ]
    for name in ("barons", "caminhos"):
        game = mapkit.load_cards(name, workspace=REPOSITORY).board
        for changes in choices:
            rules = CardRules.model_validate(changes)
            for part in card_rule_parts(CardJob(game.model_copy(update={"rules": rules}))):
                for point in part.points:
                    printed.add(next(key for key, pattern in patterns.items() if pattern.fullmatch(point)))
    assert printed - cited == {"unknown"}  # what the sources do not say of investors
    assert cited - printed == set()


def rows_with_tests() -> set[str]:
    """Return the rows that name a test of play: `test_o03_o17_…` is of two rows, `test_x01_to_x03_…` of three."""
    out: set[str] = set()
    for name in (one for one in vars(test_card_play) if one.startswith("test_")):
        parts = name.removeprefix("test_").split("_")
        rows = [*takewhile(lambda part: part == "to" or ROW.fullmatch(part), parts)]
        out.update(row.upper() for row in rows if row != "to")
        for before, to, after in zip(rows, rows[1:], rows[2:], strict=False):
            if to == "to":
                out.update(f"{before[0].upper()}{n:02}" for n in range(int(before[1:]), int(after[1:]) + 1))
    return out


def test_what_is_carried_out_has_a_test_that_its_row_names() -> None:
    played = {row.id.removeprefix("BA-") for row in card_rows().rows if any(p.startswith("play:") for p in row.places)}
    assert len(played) > 60
    assert sorted(played - rows_with_tests()) == []


def test_each_contradiction_is_a_setting() -> None:
    found = [re.match(r"D\d\d", field.description or "") for field in Disputes.model_fields.values()]
    assert [one and one[0] for one in found] == [f"D{n}" for n in range(41, 51)]
