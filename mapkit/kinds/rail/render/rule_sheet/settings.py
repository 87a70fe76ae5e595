"""Options, settings, their values and open matters as a language says them.

English has its names in the tables of the rules themselves; every other language has a file `settings.LANGUAGE.toml`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.package_data import read_table
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.gaps import RuleGap
from mapkit.kinds.rail.rules.words import Terms, value_words

_ENGLISH: Final = LANGUAGES[0]


class RuleLanguage(Frozen):
    """`settings.LANGUAGE.toml`: names of what the rules hold."""

    presets: dict[str, str]
    options: dict[str, str]
    procedures: dict[str, str]
    not_given: dict[str, str]
    matters: dict[str, str]
    flags: dict[str, str]
    words: dict[str, dict[str, str]]


@dataclass(frozen=True)
class SettingNames:
    """What options, settings, values and open matters are called in a language."""

    words: Words
    table: RuleLanguage

    def preset(self, ident: str) -> str:
        """Return the title of a preset."""
        return self.table.presets[ident]

    def option(self, ident: str) -> str:
        """Return the title of an option."""
        return self.table.options[ident]

    def matter(self, path: str) -> str:
        """Return what a setting is about."""
        return self.table.matters[path]

    def open_matter(self, gap: RuleGap) -> str:
        """Return what a gap is about."""
        table = self.table
        if gap.kind == "not-given" and gap.about in table.not_given:
            return table.not_given[gap.about]
        if gap.about in table.procedures:
            return table.procedures[gap.about]
        cell_of = gap.about.rpartition(".")[0]
        return table.matters.get(gap.about) or table.matters[cell_of]

    def value(self, path: str, value: object, symbol: str = "") -> str:
        """Return the value of a setting."""
        return value_words(path, value, symbol=symbol, terms=self._terms)

    @property
    def _terms(self) -> Terms:
        words = self.words
        return Terms(
            of=self._said,
            number=words.number,
            amount=words.money,
            percent=words.percent,
            of_list_price=lambda share: words("rules.of_list_price", share=share),
            half=words("rules.half"),
            none=words("rules.none"),
            not_given=words("rules.value_not_given"),
        )

    def _said(self, path: str, value: object) -> str:
        """Return a choice or a flag; one without words of its own is itself, or on or off."""
        key = ("on" if value else "off") if isinstance(value, bool) else str(value)
        return self.table.words.get(path, {}).get(key) or self.table.flags.get(key, key)


def settings_in(words: Words) -> SettingNames:
    """Return the names in the language of some words."""
    return SettingNames(words, _english() if words.base == _ENGLISH else _translated(words.base))


@cache
def _translated(language: Language) -> RuleLanguage:
    return read_table(__package__, f"settings.{language}", RuleLanguage)


@cache
def _english() -> RuleLanguage:
    """Return the names that the tables of the rules have."""
    wording, procedures = book.wording(), book.assumed_procedures()
    return RuleLanguage(
        presets=dict(book.preset_titles()),
        options={ident: option.title for ident, option in book.options().items()},
        procedures={row: found.matter for of in procedures.values() for row, found in of.items()},
        not_given={path: found.matter for path, found in book.not_given().items()},
        matters={path: row.matter for path, row in wording.items()},
        flags={},
        words={path: dict(row.words) for path, row in wording.items() if row.words},
    )
