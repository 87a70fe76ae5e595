"""The printed rule sheet against the rows and procedures, on every shipped board with every option and variant."""

import re
import tomllib
from functools import cache
from pathlib import Path

import hexplay
import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.core.errors import BoardError
from mapkit.kinds.hex.api.playtesting import HexPlayTest, board_with_rules
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.playing.match import play_steps
from mapkit.kinds.hex.playing.terms import compile_terms
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.rules_pages import rule_parts
from mapkit.kinds.hex.rules.book import options, rows

BOARDS = ("eastern-us-hex", "great-britain-hex", "mexico-hex", "portugal-hex", "western-us-hex")
VARIANTS = tuple(sorted(path.stem for path in (REPOSITORY / "variants" / "hex").glob("*.toml")))
WORDS = Path(mapkit.__file__).parent / "kinds" / "hex" / "render" / "words" / "en.toml"
BEYOND = {"players", "major_lines"}
"""Sentences on what boards have beside the rows: limits of players, lines with points."""
CITED = {place.partition(":")[2] for row in rows().rows for place in row.places if place.startswith("sentence:")}


def sentence_patterns() -> dict[str, re.Pattern[str]]:
    texts = tomllib.loads(WORDS.read_text(encoding="utf-8"))["texts"]["rules"]
    forms = {key: list(text.values()) if isinstance(text, dict) else [text] for key, text in texts.items()}
    return {
        key: re.compile("|".join(re.sub(r"\\{\w+\\}", ".+", re.escape(form)) for form in found))
        for key, found in forms.items()
    }


def printed_sentences(board: HexBoard) -> set[str]:
    """Return the keys of all sentences of a board's sheet; StopIteration if one is not of the texts."""
    patterns, keys = sentence_patterns(), set()
    for part in rule_parts(HexJob(board)):
        for point in part.points:
            keys.add(next(key for key, pattern in patterns.items() if pattern.fullmatch(point)))
    return keys


@cache
def boards() -> dict[tuple[str, str], HexBoard]:
    """Return every shipped board as it is, with each option and with each of its variants."""
    found: dict[tuple[str, str], HexBoard] = {}
    for name in BOARDS:
        found[name, ""] = mapkit.load_hexes(name, workspace=REPOSITORY).board
        for option in options():
            found[name, option] = board_with_rules(name, HexPlayTest(options=(option,)), (), REPOSITORY)
        for variant in VARIANTS:
            if variant != "united-states-hex" or name == "eastern-us-hex":
                found[name, variant] = mapkit.load_hexes(name, variants=(variant,), workspace=REPOSITORY).board
    return found


def test_every_row_with_a_procedure_has_its_sentence_and_the_reverse() -> None:
    procedural = {row.id for row in rows().rows if any(place.startswith("procedure:") for place in row.places)}
    told = {row.id for row in rows().rows if any(place.startswith("sentence:") for place in row.places)}
    assert procedural <= told
    assert told - procedural == {"RW-O02"}  # its styles are rows of their own
    assert set(sentence_patterns()) >= CITED


def test_sheets_of_all_boards_and_options_print_every_sentence_that_a_row_names() -> None:
    printed: set[str] = set()
    for board in boards().values():
        printed |= printed_sentences(board)
    marsh = {"kind": "set-terrain", "id": "moor", "name": "Moor", "cost": 7000, "colour": "#8a9a5b"}
    settings = {"turn.repeat_actions": False, "end.trigger_undone": True, "income.bonds_repaid": True}
    printed |= printed_sentences(hexplay.board(settings, marsh))
    assert printed - CITED == BEYOND
    assert CITED - printed == set()


@pytest.mark.parametrize("name", BOARDS)
def test_every_option_and_variant_is_played_or_refused_with_its_gap(name: str) -> None:
    gaps = {"rotors": "set rotors.wheel", "fewer-markers": "set end.markers_less"}
    for (board_name, option), board in boards().items():
        if board_name != name:
            continue
        if option in gaps:
            with pytest.raises(BoardError, match=re.escape(gaps[option])):
                compile_terms(board, board.rules.players.least)
            continue
        terms = compile_terms(board, board.rules.players.least)
        *_, (_, state) = play_steps(terms, ("greedy",) * terms.players, 3, 0)
        assert state.over
        assert not state.stalled
