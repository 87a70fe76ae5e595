"""Log of a match for players, engines and referees, one event a line."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen, Slug
from mapkit.kinds.rail.rules.rules import Rules


class MatchHead(Frozen):
    """The first line of a log."""

    format: Literal["mapkit/match"] = "mapkit/match"
    version: Literal[1] = 1
    board: Slug
    variants: tuple[str, ...] = ()
    board_hash: str = Field(description="SHA-256 of what the match was played on; another board has another one")
    rules: Rules
    players: tuple[str, ...] = Field(min_length=2, max_length=6, description="Name of each player, or of the policy")
    seed: int | None = Field(default=None, description="Of the random numbers, where mapkit rolled")
    match: int | None = Field(default=None, description="Which of the matches of that seed")


Does = Literal[
    "rolls-first",
    "first",
    "home-taken",
    "home",
    "swaps-home",
    "region",
    "destination",
    "loses-turn",
    "turn",
    "rolls",
    "bonus",
    "rides",
    "arrives",
    "buys",
    "engine",
    "sells-back",
    "bids",
    "passes",
    "auctioned",
    "no-bid",
    "given",
    "fees-rise",
    "fees-fall",
    "established",
    "pays-bank",
    "pays-fee",
    "gets-share",
    "sells-engine",
    "bankrupt",
    "announces",
    "declares",
    "undeclared",
    "catches",
    "wins",
]
"""What happens, in the order of `mapkit.kinds.rail.playing.events` from ROLLS_FIRST on."""


class MatchEvent(Frozen):
    """A line of a log after the first; what does not apply is left out. Players are numbered from 1."""

    does: Does
    player: int | None = Field(default=None, ge=1, le=7, description="The third owner has the number after the last")
    dice: tuple[int, ...] | None = Field(default=None, description="Pips of white dice")
    coloured: tuple[int, ...] | None = Field(default=None, description="Pips of coloured dice")
    total: int | None = Field(default=None, description="Mileposts")
    bonus: bool | None = Field(default=None, description="Whether a roll earns a bonus")
    region: Slug | None = None
    picked: bool | None = Field(default=None, description="Whether the player picked the region")
    city: Slug | None = None
    alternate: bool | None = Field(default=None, description="Whether the city is an alternate destination")
    segment: Slug | None = None
    milepost: Slug | None = None
    railroad: Slug | None = None
    route: tuple[Slug, ...] | None = Field(
        default=None, description="Railroads and mileposts in order, for lenient referees in place of segments"
    )
    group: str | None = None
    engine: Literal["freight", "express", "superchief"] | None = None
    amount: int | None = Field(default=None, description="Currency units")
    other: int | None = Field(default=None, description="Another player: who is paid, who buys, who is caught")
    cash: int | None = Field(default=None, description="What the player has after it, currency units")
