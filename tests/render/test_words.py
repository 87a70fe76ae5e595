"""Words on boards and sheets: every language has every text, and numbers, amounts and order follow the language."""

import re
import tomllib
from importlib.resources import files
from string import Formatter
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest
from conftest import REPOSITORY

from mapkit.core.errors import ChoiceError
from mapkit.drawing.words.language import Counted
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.kinds.rail.charts.payoffs.typing_slips import Slip
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import Does
from mapkit.kinds.rail.model.payoffs.diagnosis import Basis
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.sheets import sheets
from mapkit.kinds.rail.render.words import in_language, words_in
from mapkit.operations.options import Language

RENDER = REPOSITORY / "mapkit" / "kinds" / "rail" / "render"
FOLDERS = (RENDER, RENDER.parent / "exchange", REPOSITORY / "mapkit" / "drawing", REPOSITORY / "mapkit" / "press")


def forms(text: str | Counted) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else (text.one, text.other)


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text_with_every_part(language: Any) -> None:
    english, other = words_in("en").texts, words_in(language).texts
    assert sorted(other) == sorted(english)
    for name, text in english.items():
        assert isinstance(other[name], type(text)), name
        wanted = set().union(*map(parts, forms(text)))
        for form in forms(other[name]):
            assert parts(form) <= wanted, name
        assert set().union(*map(parts, forms(other[name]))) == wanted, name


def test_every_text_is_used() -> None:
    """By its name, or by the last part of it where code puts the name together."""
    kinds = ("*.py", "*.js", "*.jinja")
    files = [path for folder in FOLDERS for kind in kinds for path in sorted(folder.rglob(kind))]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    names = {name.lower().replace("-", "_") for name in re.findall(r"""["'.]([\w-]+)["']""", code)}
    names |= {"double_six", "any_double", "always"}  # of the rules
    names |= {does.replace("-", "_") for does in get_args(Does)}
    names |= {slip.name.lower() for slip in Slip} | {
        "error",
        "warning",
        "note",
        *(f"by_{basis}" for basis in get_args(Basis)),
    }
    assert [name for name in words_in("en").texts if name.partition(".")[2] not in names] == []


@pytest.mark.parametrize(
    ("language", "number", "amount", "share"),
    [
        ("en", "12,345.5", "$12,000", "8.3 %"),
        ("es", "12.345,5", "12.000 $", "8,3 %"),
        ("es-MX", "12,345.5", "$12,000", "8.3 %"),
        ("pt", "12.345,5", "12.000 $", "8,3 %"),
        ("pt-BR", "12.345,5", "$ 12.000", "8,3%"),
    ],
)
def test_numbers_are_written_as_in_the_language(language: Any, number: str, amount: str, share: str) -> None:
    words = words_in(language)
    assert (words.number(12345.5, 1), words.money("$", 12000), words.percent(8.333, 1)) == (number, amount, share)
    assert words.money("$", 0.5) == amount.replace("12,000", "0.50").replace("12.000", "0,50")


def test_spanish_sorts_its_own_letter_after_n() -> None:
    names = ["Nuevo", "Ñuble", "Oaxaca", "Nápoles", "Ozuluama", "nada"]
    assert sorted(names, key=words_in("es").sort_key) == ["nada", "Nápoles", "Nuevo", "Ñuble", "Oaxaca", "Ozuluama"]
    assert sorted(names, key=words_in("en").sort_key) == ["nada", "Nápoles", "Ñuble", "Nuevo", "Oaxaca", "Ozuluama"]


def test_an_unknown_language_is_refused_with_those_that_there_are(tiny: Board) -> None:
    assert in_language(tiny, "ES-mx").drawing.language == "es-MX"
    assert in_language(tiny, "board") is tiny
    with pytest.raises(
        ChoiceError, match=r"no language is named 'sp'.*; languages are en, es, es-MX, pt, pt-BR, or board"
    ):
        in_language(tiny, "sp")


def drawn_texts(svg: str) -> set[str]:
    return {"".join(node.itertext()).strip() for node in ET.fromstring(svg).iter() if node.tag.endswith("}text")}  # noqa: S314


@pytest.mark.parametrize("language", ["es", "pt"])
def test_no_english_word_is_left_on_board_and_sheets(tiny: Board, language: str) -> None:
    board = in_language(tiny, language)
    english, other = words_in("en").texts, words_in(board.drawing.language).texts
    foreign = {form for name, text in english.items() if text != other[name] for form in forms(text) if "{" not in form}
    foreign -= {form for text in other.values() for form in forms(text)}
    shown = drawn_texts(render_board(board))
    for sheet in sheets(board, only=("reference", "destinations", "payoffs", "deeds", "engines", "chips", "pads")):
        shown |= drawn_texts(sheet.svg)
    assert sorted(shown & foreign) == []
    assert len(shown & {form for text in other.values() for form in forms(text)}) > 40


@pytest.mark.parametrize(
    "package",
    [None, "mapkit.kinds.rail.render.words", "mapkit.kinds.hex.render.words", "mapkit.kinds.cards.render.words"],
)
def test_a_language_that_extends_another_has_what_differs_and_fills_in_the_same_parts(package: str | None) -> None:
    folder = files(package or "mapkit.drawing.words")
    extended, base = (
        tomllib.loads(folder.joinpath(f"{language}.toml").read_text("utf-8"))["texts"] for language in ("pt-BR", "pt")
    )
    pairs = [(text, base[group][name]) for group, texts in extended.items() for name, text in texts.items()]
    assert [text for text, other in pairs if text == other] == []
    for text, other in pairs:
        assert sorted(re.findall(r"{\w+}", str(text))) == sorted(re.findall(r"{\w+}", str(other))), text


def test_help_names_every_language() -> None:
    [mark] = get_args(Language)[1:]
    assert [tag for tag in LANGUAGES if not re.search(rf"\b{tag}(?![\w-])", mark.help)] == []
