"""Words of a language for the script of a page; `words.js` inserts them."""

from collections.abc import Collection

from mapkit.core.base import Frozen
from mapkit.drawing.words.language import Counted, Words
from mapkit.drawing.words.languages import Language
from mapkit.formats.html import read_page_part


class ScriptWords(Frozen):
    """A language as a script receives it; a text with plural forms is a pair of forms for one and for others."""

    language: Language
    point: str
    groups: str
    money: str
    percent: str
    texts: dict[str, str | tuple[str, str]]


def words_for_script(words: Words, groups: Collection[str]) -> ScriptWords:
    """Return the texts of some groups, by their full names, and the number formats."""
    numbers = words.table.numbers
    return ScriptWords(
        language=words.language,
        point=numbers.point,
        groups=numbers.groups,
        money=numbers.money,
        percent=numbers.percent,
        texts={
            name: (text.one, text.other) if isinstance(text, Counted) else text
            for name, text in words.texts.items()
            if name.partition(".")[0] in groups
        },
    )


def words_script() -> str:
    """Return the script that inserts the words."""
    return read_page_part(__package__, "words.js")
