"""Names and ids: slugs, folded forms for comparison, near names, letters that cannot be drawn."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from mapkit.core import heavy

_NON_WORD = re.compile(r"[^a-z0-9]+")
_UNFOLDED = re.compile(r"[^\w&]|_")
LONGEST_SLUG = 80
LONGEST_JOINED = 180
"""Ids may have 200 characters; the rest is room for an appended number or railroad id."""
_DIGEST_LENGTH = 8
_CACHE_SIZE = 50_000  # names; the editor looks up the same ones after every edit
_MIN_SIMILARITY = 60  # of a near name, from 0 to 100
_STATE_SUFFIX = re.compile(r"\s+([A-Z]{2,3})$")
_CODE_SUFFIX = re.compile(r"\s+([A-Z0-9]{1,3})$")


_TO_LATIN = str.maketrans(
    dict(zip("αβγδεζηικλμνξοπρστυφω", "avgdeziiklmnxoprstyfo", strict=True))
    | {"θ": "th", "ς": "s", "χ": "ch", "ψ": "ps"}
    | dict(zip("абвгдезийклмнопрстуфыэіјґ", "abvgdeziiklmnoprstufyeijg", strict=True))
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "є": "ie"}  # noqa: RUF001 - the Cyrillic letter is meant
    | {"ђ": "dj", "ћ": "c", "љ": "lj", "њ": "nj", "џ": "dz"}
)
"""Transliteration of Greek and Cyrillic letters without accents to Latin, for ids."""
_LANGUAGE_BY_SCRIPT = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
_DRAWN_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "FEMININE", "MASCULINE")
"""First words of the Unicode names of letters without capitals that can still be drawn, such as FEMININE for ª."""


@lru_cache(maxsize=_CACHE_SIZE)
def slug(text: str) -> str:
    """Return the stable id of a name: `"St. Paul"` -> `"st-paul"`; empty if nothing is left.

    Greek and Cyrillic letters become Latin ones: `"Αθήνα"` -> `"athina"`.
    """
    latin_text = unicodedata.normalize("NFKD", text)
    if not latin_text.isascii():
        latin_text = latin_text.lower().translate(_TO_LATIN).encode("ascii", "ignore").decode("ascii")
    latin_text = latin_text.lower()
    return limit_id(_NON_WORD.sub("-", latin_text.replace("'", "")).strip("-"), LONGEST_SLUG)


def joined_id(*parts: str) -> str:
    """Join parts to one id of limited length: `"prr--altoona-pa--lewistown-pa"`."""
    return limit_id("--".join(parts), LONGEST_JOINED)


def board_stem(board: str, variants: Iterable[str]) -> str:
    """Return the stem of the names of a board's files, from its id and variant names or files: `usa+quick`."""
    names = (Path(name).stem if name.endswith(".toml") else name for name in variants)
    return limit_id("+".join((board, *names)), LONGEST_JOINED)


def limit_id(ident: str, longest: int) -> str:
    """Shorten an id over `longest` characters to its beginning and a hash of the whole, so that ids stay distinct."""
    if len(ident) <= longest:
        return ident
    digest = hashlib.sha256(ident.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{ident[: longest - _DIGEST_LENGTH - 1].rstrip('-')}-{digest}"


@lru_cache(maxsize=_CACHE_SIZE)
def undrawn_script(text: str) -> str:
    """Return the script or language of the first letter that mapkit cannot draw: `"Arabic"`; empty if it can draw all.

    Such letters have no capitals, as in scripts that run from right to left, join or stack letters, or have thousands
    of signs. The shipped fonts lack them. A few Latin, Greek and Cyrillic letters without capitals can be drawn.
    """
    if text.isascii():
        return ""
    for letter in unicodedata.normalize("NFC", text):
        if unicodedata.category(letter) == "Lo":
            script = unicodedata.name(letter, "UNKNOWN").split()[0]
            if script not in _DRAWN_SCRIPTS:
                return _LANGUAGE_BY_SCRIPT.get(script, script.capitalize())
    return ""


@lru_cache(maxsize=_CACHE_SIZE)
def fold(text: str) -> str:
    """Return `text` without case, accents, punctuation and spaces, for comparing names; `&` stays."""
    return _UNFOLDED.sub("", unicodedata.normalize("NFKD", text).casefold())


@lru_cache(maxsize=_CACHE_SIZE)
def without_state(place: str, codes: frozenset[str] = frozenset()) -> str:
    """Return `"Altoona"` for `"Altoona PA"`; a name without a state suffix stays as it is.

    Args:
        place: The full name of a place.
        codes: Codes of divisions that do not look like those of states, such as the `L` of `"Bray L"` in Ireland.
    """
    if (odd_code := _odd_code(place)) is not None:
        return place[: -len(odd_code)].rstrip() if odd_code in codes else place
    return _STATE_SUFFIX.sub("", place)


def has_odd_code(place: str) -> bool:
    """Return whether a name may end with a division code that does not look like that of a state."""
    return _odd_code(place) is not None


@lru_cache(maxsize=_CACHE_SIZE)
def _odd_code(place: str) -> str | None:
    """Return a possible division code at the end; None for two or three capitals, the form of a state code."""
    code_match = _CODE_SUFFIX.search(place)
    return code_match[1] if code_match and not _STATE_SUFFIX.search(place) else None


def near_names(name: str, known: Iterable[str], *, most: int) -> list[str]:
    """Return the known names most similar to `name` by normalized Indel similarity, ties in order of name.

    This loads RapidFuzz, so call it only after a look-up failed.
    """
    matches = heavy.process.extract(
        name, sorted(known), scorer=heavy.fuzz.ratio, limit=most, score_cutoff=_MIN_SIMILARITY
    )
    return [near for near, *_ in matches]


def edit_distance(one: str, other: str) -> int:
    """Return the optimal string alignment distance: letters to add, drop, change or swap with a neighbour.

    This loads RapidFuzz too.
    """
    return heavy.OSA.distance(one, other)
