"""The rule sheet says the same in every language: the same sections, points, amounts and marks, and no English."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import mapkit
from mapkit.cli.app import app
from mapkit.core.errors import ChoiceError, RulesError
from mapkit.drawing.words.language import words_in as words_of_kind
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.rule_sheet.page import describe_rule_set, format_html, list_open_matters
from mapkit.kinds.rail.render.rule_sheet.points import RuleLanguage, get_setting_names
from mapkit.kinds.rail.render.rule_sheet.sheet import RuleSheet, make_rule_sheet
from mapkit.kinds.rail.render.words import in_language, words_in
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.rules import PRESETS, Rules, preset

pytestmark = pytest.mark.slow

OTHERS = LANGUAGES[1:]
EVERYTHING = (
    "half-time", "group-purchase", "net-worth", "home-swap", "bonus-either-way", "take-back-until-lifted",
    "freight-card", "auctioned-full-fee",
)  # fmt: skip


def games() -> list[Rules]:
    """Return every preset, alone and with each option that can be on alone."""
    out = []
    for name in PRESETS:
        out += [preset(name), apply_rule_changes(preset(name), options_on=EVERYTHING)]
        for ident, option in book.options().items():
            try:
                out.append(apply_rule_changes(preset(name), options_on=[*option.needs, ident]))
            except RulesError:
                continue  # it contradicts the preset
    return list(dict.fromkeys(out))


GAMES = games()


def digits(text: str, language: Any) -> Counter[str]:
    """Return the amounts of money in a text, without the marks of the language."""
    numbers = words_in(language).table.numbers
    found = re.findall(rf"\d{{1,3}}(?:{re.escape(numbers.groups)}\d{{3}})+", text)
    return Counter(one.replace(numbers.groups, "") for one in found)


def shingles(sheet: RuleSheet) -> set[tuple[str, ...]]:
    """Return all runs of four words of a sheet."""
    out: set[tuple[str, ...]] = set()
    groups = Rules().group_purchase.groups
    names = {word for group in groups for word in re.findall(r"[^\W\d]+", f"{group.name} {group.members}".casefold())}
    for text in (p for section in sheet.sections for p in (section.title, *section.points)):
        words = re.findall(r"[^\W\d]+", text.casefold())
        out |= set(zip(words, words[1:], words[2:], words[3:], strict=False))
    return {run for run in out if not names.intersection(run)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_game_reads_the_same(language: Any) -> None:
    english_runs: set[tuple[str, ...]] = set()
    other_runs: set[tuple[str, ...]] = set()
    for rules in GAMES:
        english, other = make_rule_sheet(rules), make_rule_sheet(rules, language=language)
        assert [s.id for s in other.sections] == [s.id for s in english.sections]
        for ours, theirs in zip(english.sections, other.sections, strict=True):
            assert len(theirs.points) == len(ours.points), ours.id
            assert theirs.numbered == ours.numbered
            for one, two in zip(ours.points, theirs.points, strict=True):
                assert digits(two, language) == digits(one, "en"), two
                assert two.count("*") == one.count("*"), two
                assert two[0].isupper() or two[0].isdigit(), two
                assert two[-1] in ".:" or two.endswith(".*"), two
                assert "  " not in two
                assert " ," not in two
                assert " ." not in two
        assert len(other.assumed) == len(english.assumed)
        assert len(other.not_given) == len(english.not_given)
        assert len(other.options) == len(english.options)
        english_runs |= shingles(english)
        other_runs |= shingles(other)
    assert english_runs & other_runs == set()


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_names_everything_that_rules_hold(language: Any) -> None:
    """Every preset, option, setting, choice and open matter has a name, and none is left of what is gone."""
    english, other = get_setting_names(words_in("en")).table, get_setting_names(words_in(language)).table
    for group in RuleLanguage.model_fields:
        if group not in ("flags", "words"):
            assert sorted(getattr(other, group)) == sorted(getattr(english, group)), group
    assert {path: sorted(of) for path, of in other.words.items()} == {p: sorted(of) for p, of in english.words.items()}
    # Names of makers and engines are the same everywhere.
    same = {"Avalon Hill", "Intersystem Concepts", "SuperChief"}
    for group in ("options", "procedures", "not_given", "matters"):
        ours, theirs = getattr(english, group), getattr(other, group)
        assert {ours[key] for key in ours if ours[key] == theirs[key]} <= same, group


def test_values_are_said_as_in_the_language() -> None:
    rules = apply_rule_changes(
        preset("ici"), {"fees.own": 1500, "auction.opening_percent": 40, "group_purchase.enabled": True}
    )
    spanish, portuguese = (make_rule_sheet(rules, language=language) for language in ("es", "pt"))
    assert "tarifa de los ferrocarriles propios: 1.500 $" in spanish.options
    assert "primera puja: 40 % del precio de lista" in spanish.options
    assert "primeiro lance: 40 % do preço de tabela" in portuguese.options


def test_brazilians_do_not_read_the_portuguese_of_portugal() -> None:
    """No word that only Portugal uses, no one is called tu, and pronouns stand where Brazil puts them."""
    of_portugal = re.compile(
        r"\b(comboios?|troços?|apanh\w+|\w*bónus|património|gémeas|teus?|tuas?|tens|podes|estás|licitar|ficheiros?|"
        r"secç\w+|aceites?|registo|facto|equipa|utilizador\w*|cinzent\w+|planear|regressa\w*|"
        r"(?:lança|pode|faz|vende|move|conta)-se)\b",
        re.IGNORECASE,
    )
    sheets = [make_rule_sheet(rules, language="pt-BR") for rules in GAMES]
    points = {point for sheet in sheets for section in sheet.sections for point in section.points}
    points |= {text for sheet in sheets for text in (*sheet.options, *list_open_matters(sheet))}
    for kind in ("rail", "hex", "cards"):
        words = words_of_kind("pt-BR", f"mapkit.kinds.{kind}.render.words").texts.values()
        points |= {text for word in words for text in ([word] if isinstance(word, str) else [word.one, word.other])}
    assert [found[0] for text in sorted(points) if (found := of_portugal.search(text))] == []
    assert any("você pode desfazer" in text.casefold() for text in points)


def test_the_board_decides_and_names_stay(tiny: Board) -> None:
    words = [{"title": "Ferry", "text": "Free on Sundays."}]
    rules = apply_rule_changes(Rules(), {"house.words": words})
    sheet = make_rule_sheet(rules, board=in_language(tiny, "es-MX"))
    assert sheet.title == f"Reglas: {tiny.title}"
    assert '<html lang="es-MX">' in format_html(sheet)
    assert "$20,000" in sheet.sections[2].points[1]
    assert (sheet.sections[-1].title, sheet.sections[-1].points) == ("Reglas de la casa", ("Ferry: Free on Sundays.",))
    assert describe_rule_set(sheet) == "Reglamento: Avalon Hill."
    assert all("printed rules" not in note for note in list_open_matters(sheet))


def test_the_command_takes_a_language(tmp_path: Path) -> None:
    out = tmp_path / "regras.html"
    done = CliRunner().invoke(app, ["rules", "sheet", "ah", "--language", "PT", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "<h2>A tua jogada</h2>" in out.read_text(encoding="utf-8")
    with pytest.raises(ChoiceError, match="no language is named 'sp'"):
        mapkit.rules_sheet("ah", language="sp")
