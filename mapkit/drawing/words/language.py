"""A language: its texts by name, how it counts, writes numbers and amounts, and sorts.

A text is `group.name` of the table `LANGUAGE.toml`. In braces stand what a caller fills in; a text that counts has a
form for one and a form for others. A language may extend another, as Mexican Spanish does, and then has only what
differs.
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
"""What stands for the language that a board's own `[drawing]` names."""


class Counted(Frozen):
    """A text that counts: `one` for 1, `other` for every other number."""

    one: str
    other: str


class Numbers(Frozen):
    """How numbers are written."""

    point: str = Field(description="Before decimals")
    groups: str = Field(description="Between groups of three digits")
    money: str = Field(description="An amount with its symbol")
    percent: str


class TextsTable(Frozen):
    """The file of a kind of boards in a language: its own texts."""

    texts: dict[str, dict[str, str | Counted]] = Field(default_factory=dict)

    @property
    def by_name(self) -> dict[str, str | Counted]:
        """The texts by their full names, `group.name`."""
        return {f"{group}.{name}": text for group, named in self.texts.items() for name, text in named.items()}


class LanguageTable(TextsTable):
    """The file of a language, with the texts that boards of every kind have."""

    name: str = Field(description="What the language calls itself")
    extends: Language | None = None
    numbers: Numbers
    sorts_after: dict[str, str] = Field(
        default_factory=dict, description="Letters of their own: letter -> the letter that it follows"
    )


@dataclass(frozen=True)
class Words:
    """The texts, numbers and order of a language."""

    language: Language
    table: LanguageTable
    texts: Mapping[str, str | Counted]

    @property
    def base(self) -> Language:
        """The language that this one extends, or itself: that of longer texts, which have no variants."""
        return self.table.extends or self.language

    def __call__(self, name: str, **parts: object) -> str:
        """Return a text, with its parts filled in.

        Raises:
            KeyError: There is no such text, or a part is missing.
        """
        text = self.texts[name]
        if isinstance(text, Counted):
            raise KeyError(f"{name} counts; give it a number")
        return text.format(**parts)

    def count(self, name: str, number: int, **parts: object) -> str:
        """Return a text that counts, in the form for a number, which is its part `n`.

        Raises:
            KeyError: As for a call.
        """
        text = self.texts[name]
        if isinstance(text, str):
            raise KeyError(f"{name} does not count")
        return (text.one if number == 1 else text.other).format(n=self.number(number), **parts)

    def number(self, value: float, decimals: int = 0) -> str:
        """Return a number with so many decimals, its digits in groups of three."""
        return self._marked(f"{value:,.{decimals}f}")

    def number_word(self, value: int) -> str:
        """Return a number as a word up to ten, as it stands before something masculine: `two`, `11`."""
        names = self("number.words").split(", ")
        return names[value] if value < len(names) else self.number(value)

    def plain(self, value: float) -> str:
        """Return a number with the decimals that it has, ten at most."""
        return str(int(value)) if value == int(value) else self._marked(f"{value:.10g}")

    def money(self, symbol: str, amount: float) -> str:
        """Return an amount in currency units as players read it; parts of a unit with two decimals."""
        written = self.number(amount, 0 if amount == int(amount) else 2)
        return self.table.numbers.money.format(symbol=symbol, amount=written)

    def percent(self, value: float, decimals: int = 0) -> str:
        """Return a share in percent."""
        return self.table.numbers.percent.format(number=self.number(value, decimals))

    def sort_key(self, name: str) -> tuple[str, str]:
        """Return the key by which names are sorted: accents and case count last, letters of their own do count."""
        kept = "".join(self.table.sorts_after.get(c, "") + "\uffff" if c in self.table.sorts_after else c
                       for c in unicodedata.normalize("NFC", name).casefold())  # fmt: skip
        plain = "".join(c for c in unicodedata.normalize("NFKD", kept) if not unicodedata.combining(c))
        return plain.casefold(), name

    def _marked(self, text: str) -> str:
        """Return a number as Python writes it, with the marks of the language."""
        numbers = self.table.numbers
        return text.translate({ord(","): numbers.groups, ord("."): numbers.point})


@cache
def words_in(language: Language, kind: str | None = None) -> Words:
    """Return the words of a language.

    Args:
        language: The language.
        kind: The package with a table of a kind's own texts for each language; one that extends another needs none.
    """
    table = read_table(__package__, language, LanguageTable)
    texts = dict(words_in(table.extends, kind).texts) if table.extends else {}
    texts |= table.by_name
    if kind is not None and (table.extends is None or is_table(kind, language)):
        texts |= read_table(kind, language, TextsTable).by_name
    return Words(language, table, texts)


def known_language(name: str) -> Language | None:
    """Return a language by its tag in any case; None for the board's own.

    Raises:
        ChoiceError: mapkit does not print in that language; the nearest is offered.
    """
    if name == OWN:
        return None
    for known in LANGUAGES:
        if known.casefold() == name.casefold():
            return known
    raise ChoiceError(
        f"no language is named {name!r}{did_you_mean(name, LANGUAGES)}; languages are "
        f"{', '.join(LANGUAGES)}, or {OWN} (as board.toml says)"
    )
