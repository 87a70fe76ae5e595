"""A language: its texts by name, plural forms, number and money formats, and sort order.

A text is `group.name` of the table `LANGUAGE.toml`, with placeholders in braces; a text with a number has a form for
one and a form for others. A language may extend another, as Mexican Spanish does, and then states only differences.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.package_data import is_table, read_table
from mapkit.drawing.words.languages import LANGUAGES, Language

OWN: Final = "board"
"""Name that stands for the language in the board's own `[drawing]`."""


class Counted(Frozen):
    """A text with plural forms: `one` for 1, `other` for every other number."""

    one: str
    other: str


class Numbers(Frozen):
    """Number formats."""

    point: str = Field(description="Before decimals")
    groups: str = Field(description="Between groups of three digits")
    money: str = Field(description="An amount with its symbol")
    percent: str


class TextsTable(Frozen):
    """File of a kind's own texts in a language."""

    texts: dict[str, dict[str, str | Counted]] = Field(default_factory=dict)

    @property
    def by_name(self) -> dict[str, str | Counted]:
        """Texts by their full names, `group.name`."""
        return {f"{group}.{name}": text for group, named in self.texts.items() for name, text in named.items()}


class LanguageTable(TextsTable):
    """File of a language, with the texts for boards of every kind."""

    name: str = Field(description="What the language calls itself")
    extends: Language | None = None
    numbers: Numbers
    sorts_after: dict[str, str] = Field(
        default_factory=dict, description="Letters of their own: letter -> the letter that it follows"
    )


@dataclass(frozen=True)
class Words:
    """Texts, number formats and sort order of a language."""

    language: Language
    table: LanguageTable
    texts: Mapping[str, str | Counted]

    @property
    def base(self) -> Language:
        """Language that this one extends, or itself; longer texts exist only for base languages."""
        return self.table.extends or self.language

    def __call__(self, name: str, **parts: object) -> str:
        """Return a text with its placeholders filled in.

        Raises:
            KeyError: There is no such text, or a part is missing.
        """
        plain_text = self.texts[name]
        if isinstance(plain_text, Counted):
            raise KeyError(f"{name} counts; give it a number")
        return plain_text.format(**parts)

    def count(self, name: str, number: int, **parts: object) -> str:
        """Return the plural form of a text for a number, its placeholder `n`.

        Raises:
            KeyError: As for a call.
        """
        plural_text = self.texts[name]
        if isinstance(plural_text, str):
            raise KeyError(f"{name} does not count")
        return (plural_text.one if number == 1 else plural_text.other).format(n=self.number(number), **parts)

    def number(self, value: float, decimals: int = 0) -> str:
        """Return a number with so many decimals, its digits in groups of three."""
        return self._localize_number(f"{value:,.{decimals}f}")

    def number_word(self, value: int) -> str:
        """Return a number as a word up to ten, in the masculine form: `two`, `11`."""
        number_words = self("number.words").split(", ")
        return number_words[value] if value < len(number_words) else self.number(value)

    def plain(self, value: float) -> str:
        """Return a number with all its decimals, up to ten digits."""
        return str(int(value)) if value == int(value) else self._localize_number(f"{value:.10g}")

    def money(self, symbol: str, amount: float) -> str:
        """Return an amount in currency units for players; fractional amounts have two decimals."""
        amount_text = self.number(amount, 0 if amount == int(amount) else 2)
        return self.table.numbers.money.format(symbol=symbol, amount=amount_text)

    def percent(self, value: float, decimals: int = 0) -> str:
        """Return a share in percent."""
        return self.table.numbers.percent.format(number=self.number(value, decimals))

    def sort_key(self, name: str) -> tuple[str, str]:
        """Return the sort key of a name: accents and case count last, additional letters of the alphabet do count."""
        expanded_name = "".join(self.table.sorts_after.get(c, "") + "\uffff" if c in self.table.sorts_after else c
                       for c in unicodedata.normalize("NFC", name).casefold())  # fmt: skip
        unaccented_name = "".join(
            c for c in unicodedata.normalize("NFKD", expanded_name) if not unicodedata.combining(c)
        )
        return unaccented_name.casefold(), name

    def _localize_number(self, text: str) -> str:
        """Return a number in Python's format with the separators of the language."""
        numbers = self.table.numbers
        return text.translate({ord(","): numbers.groups, ord("."): numbers.point})


@cache
def words_in(language: Language, kind: str | None = None) -> Words:
    """Return the words of a language.

    Args:
        language: The language.
        kind: The package with a table of a kind's own texts for each language; one that extends another needs none.
    """
    language_table = read_table(__package__, language, LanguageTable)
    all_texts = dict(words_in(language_table.extends, kind).texts) if language_table.extends else {}
    all_texts |= language_table.by_name
    if kind is not None and (language_table.extends is None or is_table(kind, language)):
        all_texts |= read_table(kind, language, TextsTable).by_name
    return Words(language, language_table, all_texts)


def find_language(name: str) -> Language | None:
    """Return a language by its tag in any case; None for the board's own.

    Raises:
        ChoiceError: mapkit does not print in that language; the nearest is offered.
    """
    if name == OWN:
        return None
    for known_tag in LANGUAGES:
        if known_tag.casefold() == name.casefold():
            return known_tag
    raise ChoiceError(
        f"no language is named {name!r}{did_you_mean(name, LANGUAGES)}; languages are "
        f"{', '.join(LANGUAGES)}, or {OWN} (as board.toml says)"
    )
