"""Names and ids: slugs, and the folding under which two spellings are one name."""

import re
import unicodedata
from functools import lru_cache

_NOT_WORD = re.compile(r"[^a-z0-9]+")
_REMEMBERED = 50_000  # names: an editor asks for the same ones after every edit
_STATE_SUFFIX = re.compile(r"\s+([A-Z]{2,3})$")
_CODE_SUFFIX = re.compile(r"\s+([A-Z0-9]{1,3})$")


@lru_cache(maxsize=_REMEMBERED)
def slug(text: str) -> str:
    """Return the stable id of a name: `"St. Paul"` -> `"st-paul"`; empty if nothing is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return _NOT_WORD.sub("-", plain.replace("'", "")).strip("-")


@lru_cache(maxsize=_REMEMBERED)
def fold(text: str) -> str:
    """Return `text` without case, accents, punctuation and spaces, for comparing names; `&` stays."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(ch for ch in plain if ch.isalnum() or ch == "&")


@lru_cache(maxsize=_REMEMBERED)
def without_state(place: str, codes: frozenset[str] = frozenset()) -> str:
    """Return `"Altoona"` for `"Altoona PA"`; a name without a state suffix stays as it is.

    Args:
        place: The full name of a place.
        codes: Codes of divisions that do not look like those of states, such as the `L` of `"Bray L"` in Ireland.
    """
    if (own := _odd_code(place)) is not None:
        return place[: -len(own)].rstrip() if own in codes else place
    return _STATE_SUFFIX.sub("", place)


def has_odd_code(place: str) -> bool:
    """Return whether a name may end with the code of a division that does not look like that of a state."""
    return _odd_code(place) is not None


@lru_cache(maxsize=_REMEMBERED)
def _odd_code(place: str) -> str | None:
    """Return what may be the code of a division, unless it looks like that of a state: two or three capitals."""
    found = _CODE_SUFFIX.search(place)
    return found[1] if found and not _STATE_SUFFIX.search(place) else None


def station_file(railroad: str) -> str:
    """Return the file of a railroad's station list by its id; `lines/mapping.csv` once said whose drawings are."""
    return "lines/mapping-lines.csv" if railroad == "mapping" else f"lines/{railroad}.csv"
