"""Frozen model of a card game, compiled from its tables."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Colour, Frozen
from mapkit.kinds.cards.rules.settings import CardRules


class CardPart(Frozen):
    """Element with an id, and its place in the source."""

    id: str
    file: str = Field(default="", exclude=True)
    row: int | None = Field(default=None, exclude=True)


class Certificate(CardPart):
    """A share of a holding."""

    percent: int
    director: bool


class Holding(CardPart):
    """A holding with its certificates, in the order of operating."""

    name: str
    short: str
    colour: Colour
    operators: int
    certificates: tuple[Certificate, ...]


class Face(CardPart):
    """A face of a railroad card."""

    level: str
    cost: int
    income: int
    gone_at: int | None

    @property
    def number(self) -> int:
        """Return its level without the letter: 8 for `8a` (BA-X03)."""
        return int(self.level.rstrip("abcdefghijklmnopqrstuvwxyz"))


class CardRailroad(CardPart):
    """Railroads of one category, in the order of the stack."""

    category: str
    name: str = Field(description="Empty: the source gives none")
    count: int
    faces: tuple[Face, ...]


class Effect(CardPart):
    """Effect of an investor; `kind` is a word of the vocabulary, or an unknown one that the checks report."""

    kind: str
    amount: int | None
    holding: str
    level: str


class Investor(CardPart):
    """An investor."""

    name: str
    value: int
    text: str
    effects: tuple[Effect, ...]


class ShareSpace(CardPart):
    """A line of the track of share values, lowest first; without a value it is a gap."""

    value: int | None
    start: bool
    end: bool


class Tokens(CardPart):
    """Tokens of one holding and use."""

    holding: str
    use: Literal["operator", "marker", "surplus"]
    count: int


class CardZone(CardPart):
    """A place of a holding's card."""

    meaning: Literal["add", "keep", "network", "cash"]
    text: str


class Deck(CardPart):
    """Cards that lie together."""

    cards: Literal["railroads", "investors", "certificates", "holdings", "overviews"]
    count: int | None
    order: Literal["stacked", "open", "each"]


class Denomination(CardPart):
    """Notes or coins of one denomination."""

    count: int | None


class CardGame(Frozen):
    """A card game."""

    id: str
    kind: Literal["cards"] = "cards"
    title: str
    description: str
    track_is_example: bool
    rules: CardRules
    holdings: tuple[Holding, ...]
    railroads: tuple[CardRailroad, ...]
    investors: tuple[Investor, ...]
    unassigned: tuple[Effect, ...] = Field(description="Effects of investors that the source does not name")
    track: tuple[ShareSpace, ...]
    tokens: tuple[Tokens, ...]
    zones: tuple[CardZone, ...]
    decks: tuple[Deck, ...]
    money: tuple[Denomination, ...]
