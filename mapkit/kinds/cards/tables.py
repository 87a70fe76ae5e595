"""Tables of a card game, a row model for each file `NAME.csv`."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from mapkit.core.base import Colour
from mapkit.document import document as frame
from mapkit.document.document import Accepted, Row, Schema, Setting

Money = Annotated[int, Field(ge=0, le=10_000_000)]
Title = Annotated[str, Field(min_length=1, max_length=200)]
Level = Annotated[str, Field(pattern=r"^[1-9]\d?[a-z]?$")]
"""A level, with a letter where two faces share it: `8a`, `8b`."""
Zone = Literal["add", "keep", "network", "cash"]
Pile = Literal["railroads", "investors", "certificates", "holdings", "overviews"]


class HoldingRow(Row):
    """A row of `holdings.csv`: a holding. Holdings operate in the order of the rows."""

    noun: ClassVar[str] = "holding"
    in_order: ClassVar[bool] = True
    name: Title
    short: str = Field(default="", max_length=20)
    colour: Colour
    operators: int = Field(ge=0, le=100)


class CertificateRow(Row):
    """A row of `certificates.csv`: a share of a holding."""

    noun: ClassVar[str] = "certificate"
    holding: str = Field(max_length=200)
    percent: int = Field(ge=1, le=100)
    director: bool = False


class CardRailroadRow(Row):
    """A row of `railroads.csv`: railroads of one category. The stack has them in the order of the rows."""

    noun: ClassVar[str] = "railroad"
    in_order: ClassVar[bool] = True
    category: str = Field(pattern=r"^[A-Z](/[A-Z])?$")
    name: str = Field(default="", max_length=200, description="Empty: the source gives none")
    count: int = Field(default=1, ge=1, le=1000)


class FaceRow(Row):
    """A row of `faces.csv`: a face of a railroad card."""

    noun: ClassVar[str] = "face"
    railroad: str = Field(max_length=200)
    level: Level
    cost: Money
    income: Money
    gone_at: int | None = Field(
        default=None, ge=1, le=99, description="The first level that makes it obsolete; empty: never"
    )


class InvestorRow(Row):
    """A row of `investors.csv`: an investor."""

    noun: ClassVar[str] = "investor"
    name: str = Field(default="", max_length=200)
    value: Money
    text: str = Field(default="", max_length=500)


class EffectRow(Row):
    """Row of `effects.csv`: an effect of an investor."""

    noun: ClassVar[str] = "effect"
    investor: str = Field(default="", max_length=200, description="Empty: the source does not say whose it is")
    effect: str = Field(min_length=1, max_length=40)
    amount: int | None = Field(default=None, ge=0, le=10_000_000)
    holding: str = Field(default="", max_length=200)
    level: str = Field(default="", max_length=3)


class ShareSpaceRow(Row):
    """A row of `track.csv`: a space of the track of share values; each row is a line above the one before."""

    noun: ClassVar[str] = "space"
    in_order: ClassVar[bool] = True
    value: int | None = Field(default=None, ge=1, le=1_000_000, description="Empty: the source gives none")
    start: bool = Field(default=False, description="Whether a holding may start here")
    end: bool = Field(default=False, description="Whether the game ends here")


class TokenRow(Row):
    """A row of `tokens.csv`: wooden tokens of one colour and use."""

    noun: ClassVar[str] = "token"
    holding: str = Field(max_length=200)
    use: Literal["operator", "marker", "surplus"]
    count: int = Field(ge=0, le=1000)


class ZoneRow(Row):
    """Row of `zones.csv`: a place of a holding's card, and the meaning of tokens there."""

    noun: ClassVar[str] = "zone"
    meaning: Zone
    text: str = Field(default="", max_length=500)


class DeckRow(Row):
    """A row of `decks.csv`: cards that lie together."""

    noun: ClassVar[str] = "deck"
    cards: Pile
    count: int | None = Field(default=None, ge=0, le=10_000, description="How many; empty: not checked")
    order: Literal["stacked", "open", "each"] = Field(default="open", description="`each`: one for each player")


class NoteRow(Row):
    """Row of `money.csv`: notes or coins of one denomination, the key of the row."""

    noun: ClassVar[str] = "denomination"
    count: int | None = Field(default=None, ge=0, le=10_000, description="Empty: not known")


class CardDocument(frame.Document):
    """The document of a card game."""

    schema: ClassVar[Schema] = Schema(
        {
            "settings": Setting,
            "accepted": Accepted,
            "holdings": HoldingRow,
            "certificates": CertificateRow,
            "railroads": CardRailroadRow,
            "faces": FaceRow,
            "investors": InvestorRow,
            "effects": EffectRow,
            "track": ShareSpaceRow,
            "tokens": TokenRow,
            "zones": ZoneRow,
            "decks": DeckRow,
            "money": NoteRow,
        }
    )


REFERS: Final[Mapping[tuple[str, str], str]] = {
    ("certificates", "holding"): "holdings",
    ("faces", "railroad"): "railroads",
    ("effects", "investor"): "investors",
    ("effects", "holding"): "holdings",
    ("tokens", "holding"): "holdings",
}
"""Table and column -> the table whose ids stand in that column."""


def refers_of(table: str) -> dict[str, str]:
    """Return the columns of a table that name rows of others -> those tables."""
    return {column: other_table for (own_table, column), other_table in REFERS.items() if own_table == table}
