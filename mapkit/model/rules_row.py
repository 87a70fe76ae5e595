"""A row of the rules: what it is about, and where it lives."""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import Field

from mapkit.model.base import Frozen


class RuleRow(Frozen):
    """A rule of the game, by the id that the sources of mapkit use for it."""

    id: str = Field(pattern=r"^RB-[A-Z]\d\d$")
    title: str = Field(min_length=1, description="The rule in a few words")
    places: tuple[str, ...] = Field(
        description="Where it lives besides settings, each `kind:name`; settings name their rows themselves"
    )


PROCEDURES: Mapping[str, str] = MappingProxyType(
    {
        "setup": "before the first turn: banker, first player, homes, markers, first destinations",
        "lookup": "rolling a region and a city",
        "move": "rolling and moving the pawn from milepost to milepost",
        "bonus": "earning, rolling and moving the bonus",
        "arrive": "payoff on arrival",
        "purchase": "buying on arrival",
        "turn": "the order of all this in a turn",
        "fees": "what the turn's riding costs, and whom it is paid to",
        "raise-cash": "selling back and auctions where cash does not cover the fees",
        "bankrupt": "leaving the game, and being the last one left",
        "tell": "what players ask and must tell",
        "declare": "declaring, heading home, losing declared status",
        "rover": "catching a declared player",
        "win": "ending the game",
        "third-owner": "gifts and fees of the imaginary third owner",
    }
)
"""The procedures of play: what a simulator or a referee carries out, by name."""

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "setting": "a field of the rules",
        "board": "a part of the board file",
        "procedure": "a procedure of play, carried out by a simulator or a client",
        "check": "a check of `mapkit check`",
        "display": "something drawn or printed",
        "variant": "a change of the board",
        "target": "a published figure that play-tests are held against",
        "preset": "a preset, or a bundle of options",
    }
)
"""The kinds of places."""


def row(ident: str, title: str, *places: str) -> RuleRow:
    """Return a row; for writing many of them down."""
    return RuleRow(id=ident, title=title, places=places)
