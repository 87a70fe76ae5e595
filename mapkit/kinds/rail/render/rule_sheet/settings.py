"""Names of options, settings, their values and open matters in each language.

English has its names in the tables of the rules themselves; every other language has a file `settings.LANGUAGE.toml`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.package_data import is_table, read_table
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.gaps import RuleGap
from mapkit.kinds.rail.rules.words import Terms, value_words

_ENGLISH: Final = LANGUAGES[0]


class RuleLanguage(Frozen):
    """Contents of `settings.LANGUAGE.toml`: names of the parts of the rules."""

    presets: dict[str, str]
    options: dict[str, str]
    procedures: dict[str, str]
    not_given: dict[str, str]
    matters: dict[str, str]
    flags: dict[str, str]
    words: dict[str, dict[str, str]]


@dataclass(frozen=True)
class SettingNames:
    """Names of options, settings, values and open matters in a language."""

    words: Words
    table: RuleLanguage

    def preset(self, ident: str) -> str:
        """Return the title of a preset."""
        return self.table.presets[ident]

    def option(self, ident: str) -> str:
        """Return the title of an option."""
        return self.table.options[ident]

    def matter(self, path: str) -> str:
        """Return the subject of a setting."""
        return self.table.matters[path]

    def open_matter(self, gap: RuleGap) -> str:
        """Return the subject of a gap."""
        name_table = self.table
        if gap.kind == "not-given" and gap.about in name_table.not_given:
            return name_table.not_given[gap.about]
        if gap.about in name_table.procedures:
            return name_table.procedures[gap.about]
        cell_of = gap.about.rpartition(".")[0]
        return name_table.matters.get(gap.about) or name_table.matters[cell_of]

    def value(self, path: str, value: object, symbol: str = "") -> str:
        """Return the value of a setting."""
        return value_words(path, value, symbol=symbol, terms=self._terms)

    @property
    def _terms(self) -> Terms:
        words = self.words
        return Terms(
            of=self._choice_words,
            number=words.number,
            amount=words.money,
            percent=words.percent,
            of_list_price=lambda share: words("rules.of_list_price", share=share),
            half=words("rules.half"),
            none=words("rules.none"),
            not_given=words("rules.value_not_given"),
        )

    def _choice_words(self, path: str, value: object) -> str:
        """Return the words of a choice or a flag; without any, the choice itself, or on or off."""
        word_key = ("on" if value else "off") if isinstance(value, bool) else str(value)
        return self.table.words.get(path, {}).get(word_key) or self.table.flags.get(word_key, word_key)


def get_setting_names(words: Words) -> SettingNames:
    """Return the names in the language of some words."""
    language = sheet_language(words)
    return SettingNames(words, _collect_english() if language == _ENGLISH else _read_translation(language))


def sheet_language(words: Words) -> Language:
    """Return the language of the sheet's own texts: that of the words, or the one that it extends."""
    return words.language if is_table(__package__, f"settings.{words.language}") else words.base


@cache
def _read_translation(language: Language) -> RuleLanguage:
    return read_table(__package__, f"settings.{language}", RuleLanguage)


@cache
def _collect_english() -> RuleLanguage:
    """Return the names from the tables of the rules."""
    setting_rows, assumed_procedures = book.wording(), book.assumed_procedures()
    return RuleLanguage(
        presets=dict(book.preset_titles()),
        options={ident: option.title for ident, option in book.options().items()},
        procedures={
            row: open_matter.matter
            for section_procedures in assumed_procedures.values()
            for row, open_matter in section_procedures.items()
        },
        not_given={path: open_matter.matter for path, open_matter in book.not_given().items()},
        matters={path: row.matter for path, row in setting_rows.items()},
        flags={},
        words={path: dict(row.words) for path, row in setting_rows.items() if row.words},
    )
