"""Rules of play: setting up, rolling a city, moving, announcing and winning.

Each field names its rows of the rules, such as `RB-S01`; its default is the Avalon Hill (AH) rule.
"""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.base import Frozen

Money = Annotated[int, Field(ge=0, le=1_000_000_000)]
"""An amount in whole currency units of the board (its `units.currency`), not in payoff units."""

Count = Annotated[int, Field(ge=1, le=100)]
"""How many there are, at least one."""

Players = Annotated[int, Field(ge=2, le=6)]
"""A number of players."""

Percent = Annotated[int, Field(ge=0, le=100)]
"""A share of a hundred."""

Engine = Literal["freight", "express", "superchief"]
"""An engine, slowest first."""

Trigger = Literal["double-six", "any-double", "always"]
"""Which roll of the white dice earns a bonus roll."""


class Setup(Frozen):
    """Players, their starting equipment, and homes (RB-S)."""

    min_players: Players = Field(
        default=2, description="RB-C20: fewest players; two need `two_players` under the AH rules (G03)"
    )
    max_players: Players = Field(default=6, description="RB-C17, RB-C20: most players, one token set each")
    starting_cash: Money = Field(default=20_000, description="RB-S01: cash of each player, currency units")
    starting_engine: Engine = Field(default="freight", description="RB-S02, RB-C15: engine of each player")
    freight_card: bool = Field(
        default=False,
        description="RB-C15, RB-S02: whether the freight engine has a card of its own (ICI: yes)",
    )
    engine_titles: Count | None = Field(
        default=6,
        description="RB-C15: titles each of Express and SuperChief; None: no figure given (ICI)",
    )
    first_player: Literal["three-dice", "high-roll"] = Field(
        default="high-roll",
        description="RB-S04: highest of three dice (ICI), or a high roll of dice that are not named (AH)",
    )
    reroll_ties: bool = Field(
        default=True, description="RB-S04: ties for first player roll again; no source says, so assumed (G02)"
    )
    same_home: Literal["allowed", "reroll"] = Field(
        default="reroll",
        description="RB-S07: players of one home city; reroll: the later rolls region and city again",
    )
    twins_are_one_home: bool = Field(
        default=True,
        description="RB-S08: twin cities count as the same home; matters only when `same_home` is reroll",
    )
    markers: Literal["both-chips-at-home", "chip-at-home-and-destination"] = Field(
        default="both-chips-at-home", description="RB-S09: where a player's two chips stand at the start"
    )
    home_swap: bool = Field(
        default=False,
        description="RB-S11: home and first destination may be exchanged before the first movement roll",
    )


class Destinations(Frozen):
    """Rolling a destination (RB-D)."""

    choose_region_when_in_it: bool = Field(
        default=True,
        description="RB-D04: the rolled region is the train's own, so the player picks any, the same one too",
    )


class Movement(Frozen):
    """Moving from milepost to milepost (RB-M)."""

    dice: Count = Field(default=2, description="RB-M01, RB-C18: white dice; their sum is the move in mileposts")
    die_sides: int = Field(default=6, ge=2, le=100, description="RB-C18: sides of every die, numbered from 1")
    thinking: Literal["allowed", "forbidden", "not-enforced"] = Field(
        default="forbidden", description="RB-M02: planning after the roll, before the first step"
    )
    take_back: Literal["never", "until-fees", "until-pawn-lifted"] = Field(
        default="never",
        description="RB-M03: how long a move may be redone: never once the pawn moved, until fees are "
        "being paid, or (the compromise) with no stop once the pawn is lifted",
    )
    segment_reuse: Literal["once-per-trip", "unlimited"] = Field(
        default="once-per-trip",
        description="RB-M07, RB-V17: a player's use of one segment in one trip, in either direction; "
        "unlimited is the Boxcars rule",
    )


class Bonus(Frozen):
    """The bonus roll (RB-B)."""

    freight: Trigger = Field(default="double-six", description="RB-B01: roll that earns Freight a bonus")
    express: Trigger = Field(default="any-double", description="RB-B02: roll that earns Express a bonus")
    superchief: Trigger = Field(default="always", description="RB-B03: roll that earns SuperChief a bonus")
    dice: Count = Field(default=1, description="RB-B04, RB-C18: coloured dice; their sum is the bonus in mileposts")
    superchief_timing: Literal["with-normal-roll", "after-normal-move", "either"] = Field(
        default="after-normal-move",
        description="RB-B05: when SuperChief rolls its bonus; either: the player chooses",
    )
    rolls_per_turn: Count = Field(default=1, description="RB-B07: most bonus rolls in a turn")


class Information(Frozen):
    """Information that players must share (RB-I)."""

    announce_cash: Money = Field(default=150_000, description="RB-I01: cash to be announced, currency units")
    announce_when: Literal["reached", "exceeded"] = Field(
        default="exceeded",
        description="RB-I01: told on reaching `announce_cash` (ICI), or only above it (AH)",
    )
    announce_times: Literal["once", "whenever"] = Field(
        default="whenever",
        description="RB-I02: told at the first crossing only, or whenever cash is at that level",
    )
    home: Literal["told", "secret", "unstated"] = Field(
        default="unstated",
        description="RB-I04: whether a player who is asked must tell the home city (ICI: yes; AH does not say)",
    )
    cash_lies: Literal["in-view", "hidden", "unstated"] = Field(
        default="unstated",
        description="RB-I05: whether cash lies where all see it, stacked or not (ICI: yes; AH does not say)",
    )


class Winning(Frozen):
    """Declaring, rover play and winning (RB-W)."""

    cash: Money = Field(
        default=200_000,
        description="RB-W01: least cash to declare and, at home after all fees, to win, currency units",
    )
    rover_payment: Money = Field(
        default=50_000,
        description="RB-W14: paid by a declared player to the first that catches, currency units",
    )
    same_alternate_loses_turn: bool = Field(
        default=True,
        description="RB-W06: an alternate equal to the current city still declares but loses the turn "
        "(D15, D35: the AH text can be read both ways)",
    )
    bonus_pending_at_home: Literal["fees-first", "bonus-first"] = Field(
        default="fees-first",
        description="RB-W10, RB-B13: home reached with a bonus due: fees-first calculates the fees so far, and "
        "a win that stands drops the bonus; bonus-first moves it before any fee (D16: unclear in AH)",
    )
    reuse_to_alternate: Literal["segments-of-trip", "segments-heading-home"] = Field(
        default="segments-heading-home",
        description="RB-W21: which used segments a caught player may use again, as few as needed",
    )
