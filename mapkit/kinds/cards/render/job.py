"""Inputs of drawings of cards: a game, and the look of its cards."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.drawing.inks import theme_colour
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
_SMALLEST_SIZE: Final = (40.0, 60.0)
_LARGEST_SIZE: Final = (150.0, 200.0)
_SIZE_PATTERN: Final = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)x(\d{1,3}(?:\.\d{1,2})?)")


def card_size(name: str) -> tuple[float, float]:
    """Return width and height of cards in millimetres, from a size by name, or `60x110`.

    Raises:
        ChoiceError: There is no such size, or it is out of bounds.
    """
    size_name = name.strip().lower()
    if size_name in SIZES:
        return SIZES[size_name]
    size_match = _SIZE_PATTERN.fullmatch(size_name)
    if size_match is None:
        hint = did_you_mean(size_name, SIZES)
        raise ChoiceError(f"card size {name!r}{hint}: write {', '.join(SIZES)}, or millimetres such as 60x110")
    size = (float(size_match[1]), float(size_match[2]))
    if not all(low <= side <= high for side, low, high in zip(size, _SMALLEST_SIZE, _LARGEST_SIZE, strict=True)):
        smallest, largest = (f"{x:g} x {y:g}" for x, y in (_SMALLEST_SIZE, _LARGEST_SIZE))
        raise ChoiceError(f"card size {name!r}: choose from {smallest} to {largest} mm, upright")
    return size


@dataclass(frozen=True)
class CardJob:
    """Game, and the look of its cards.

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
        """Return the title of the game."""
        return self.game.title

    @cached_property
    def words(self) -> Words:
        """Return the words of the language."""
        return card_words(self.language)

    @cached_property
    def unit(self) -> float:
        """Return the scale of a card of this size against a poker card."""
        return min(self.size[0] / SIZES["poker"][0], self.size[1] / SIZES["poker"][1])

    @cached_property
    def codes(self) -> dict[str, str]:
        """Return the letters of each holding: the fewest that are unique."""
        return letter_codes(self.game.holdings)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Return the number of each holding in the order of operating, from 0."""
        return {one.id: number for number, one in enumerate(self.game.holdings)}

    def money(self, dollars: int) -> str:
        """Return an amount as printed on cards."""
        return self.words.money("$", dollars)

    def colour(self, colour: str) -> str:
        """Return a colour in the style of the theme."""
        return theme_colour(self.theme, colour)

    def name_of(self, holding: str) -> str:
        """Return the short name of a holding by its id, or the id."""
        name_by_id = {row.id: row.short or row.name for row in self.game.holdings}
        return name_by_id.get(holding, holding)


def letter_codes(holdings: tuple[Holding, ...]) -> dict[str, str]:
    """Return the letters of each holding: the fewest letters of its short name that are unique; or its number."""
    name_by_id = {holding.id: re.sub(r"[\W_]", "", holding.short or holding.name).upper() or str(at + 1)
             for at, holding in enumerate(holdings)}  # fmt: skip
    code_by_id: dict[str, str] = {}
    for at, holding in enumerate(holdings):
        other_names = [name for key, name in name_by_id.items() if key != holding.id]
        own_name = name_by_id[holding.id]
        unique_codes = (
            own_name[:n]
            for n in range(1, min(3, len(own_name)) + 1)
            if not any(o.startswith(own_name[:n]) for o in other_names)
        )
        code_by_id[holding.id] = next(unique_codes, str(at + 1))
    return code_by_id
