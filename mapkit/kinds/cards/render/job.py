"""What cards are made from: a game, and how its cards look."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.drawing.inks import plain
from mapkit.drawing.sheet import Paper
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.drawing.words.language import Words
from mapkit.kinds.cards.game import CardGame, Holding
from mapkit.kinds.cards.render.words import card_words

SIZES: Final[Mapping[str, tuple[float, float]]] = {
    "poker": (63.5, 88.9),
    "bridge": (57.2, 88.9),
    "mini": (44.0, 68.0),
    "tarot": (70.0, 120.0),
}
"""Width and height of cards in millimetres."""
_LEAST: Final = (40.0, 60.0)
_MOST: Final = (150.0, 200.0)
_OWN: Final = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)x(\d{1,3}(?:\.\d{1,2})?)")


def card_size(name: str) -> tuple[float, float]:
    """Return width and height of cards in millimetres: of a size by name, or `60x110`.

    Raises:
        ChoiceError: There is no such size, or it is out of bounds.
    """
    wanted = name.strip().lower()
    if wanted in SIZES:
        return SIZES[wanted]
    own = _OWN.fullmatch(wanted)
    if own is None:
        hint = did_you_mean(wanted, SIZES)
        raise ChoiceError(f"card size {name!r}{hint}: write {', '.join(SIZES)}, or millimetres such as 60x110")
    size = (float(own[1]), float(own[2]))
    if not all(low <= side <= high for side, low, high in zip(size, _LEAST, _MOST, strict=True)):
        low, high = (f"{x:g} x {y:g}" for x, y in (_LEAST, _MOST))
        raise ChoiceError(f"card size {name!r}: choose from {low} to {high} mm, upright")
    return size


@dataclass(frozen=True)
class CardJob:
    """A game, and how its cards look.

    Attributes:
        game: The game.
        theme: Colours.
        size: Width and height of a card in millimetres.
        paper: The size of pages.
        language: Its tag.
    """

    game: CardGame
    theme: Theme = CLASSIC
    size: tuple[float, float] = SIZES["poker"]
    paper: Paper = "a4"
    language: str = "en"

    @property
    def title(self) -> str:
        """The game's."""
        return self.game.title

    @cached_property
    def words(self) -> Words:
        """The language."""
        return card_words(self.language)

    @cached_property
    def unit(self) -> float:
        """What a millimetre of a poker card is on a card of this size."""
        return min(self.size[0] / SIZES["poker"][0], self.size[1] / SIZES["poker"][1])

    @cached_property
    def codes(self) -> dict[str, str]:
        """Letters of each holding: the fewest that tell it from the others."""
        return letter_codes(self.game.holdings)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each holding in the order of operating, from 0."""
        return {one.id: number for number, one in enumerate(self.game.holdings)}

    def money(self, dollars: int) -> str:
        """Return an amount as cards print it."""
        return self.words.money("$", dollars)

    def colour(self, colour: str) -> str:
        """Return a colour in the style of the theme."""
        return plain(self.theme, colour)

    def name_of(self, holding: str) -> str:
        """Return the short name of a holding by its id, or the id."""
        names = {one.id: one.short or one.name for one in self.game.holdings}
        return names.get(holding, holding)


def letter_codes(holdings: tuple[Holding, ...]) -> dict[str, str]:
    """Return the letters of each holding: as few of its short name as tell it from the others; or its number."""
    names = {one.id: re.sub(r"[\W_]", "", one.short or one.name).upper() or str(at + 1)
             for at, one in enumerate(holdings)}  # fmt: skip
    out: dict[str, str] = {}
    for at, one in enumerate(holdings):
        others = [name for key, name in names.items() if key != one.id]
        own = names[one.id]
        fits = (own[:n] for n in range(1, min(3, len(own)) + 1) if not any(o.startswith(own[:n]) for o in others))
        out[one.id] = next(fits, str(at + 1))
    return out
