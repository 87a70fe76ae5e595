"""The languages of printed texts."""

from typing import Final, Literal, get_args

Language = Literal["en", "es", "es-MX", "pt", "pt-BR"]
"""The languages that mapkit prints in (`mapkit.drawing.words`)."""

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The usual one first."""
