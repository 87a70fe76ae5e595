"""Prices of railroads read from a file."""

from pydantic import Field

from mapkit.core.base import Frozen


class ListedPrice(Frozen):
    """Price of one railroad."""

    railroad: str = Field(description="Its id on the board")
    name: str
    typed: str = Field(description="How the file names it")
    text: str = Field(description="The price as it stands there")
    price: int = Field(description="Currency units")
    board: int = Field(description="Its price on the board, currency units")
    where: str
    doubt: str = Field(default="", description="Why a picture leaves it in doubt; empty if it does not")
    candidates: tuple[str, ...] = Field(default=(), description="What it may say where that is in doubt")


class PriceList(Frozen):
    """The prices in a file, in the order of the board's railroads."""

    file: str
    kind: str
    unit: int = Field(description="Currency units that 1 in the file stands for")
    unit_why: str
    prices: tuple[ListedPrice, ...]
    lacking: tuple[str, ...] = Field(description="Names of the board's railroads that the file has not")
    notes: tuple[str, ...] = ()

    @property
    def differing(self) -> tuple[ListedPrice, ...]:
        """Return the prices that differ from those of the board."""
        return tuple(one for one in self.prices if one.price != one.board)

    @property
    def in_doubt(self) -> tuple[ListedPrice, ...]:
        """Return the prices with an unclear reading in a picture."""
        return tuple(one for one in self.prices if one.doubt)

    @property
    def exit_code(self) -> int:
        """Return 1 if a price is in doubt."""
        return int(bool(self.in_doubt))
