"""Settings of the rules. Amounts are whole dollars; descriptions begin with the rows of the rules.

A value that no source gives is None; `gaps.toml` says why. Values of public descriptions beyond the rules are marked
there too.
"""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.hex.rules.colours import Goods

Money = Annotated[int, Field(ge=0, le=10_000_000)]
Count = Annotated[int, Field(ge=0, le=1000)]
BiddingStyle = Literal["traditional", "first-to-pass", "worst-is-first"]
Style = Annotated[int, Field(ge=1, le=6)]


class PlayerRules(Frozen):
    """Number of players."""

    least: int = Field(default=2, ge=1, le=6, description="G18: players at least")
    most: int = Field(default=6, ge=1, le=6, description="G18: players at most")


class HexAuctionRules(Frozen):
    """Auction of the first place."""

    style: BiddingStyle = Field(default="traditional", description="RW-O02, RW-A03 to RW-A10: how it is bid for")
    minimum_bid: Money = Field(default=1000, description="RW-A01: the least bid")
    passer_pays_percent: int = Field(
        default=50, ge=0, le=100, description="RW-A05: first to pass: what each passer pays of the own bid, rounded up"
    )


class TurnRules(Frozen):
    """The course of a turn."""

    action_rounds: int = Field(default=3, ge=1, le=20, description="RW-T02: rounds of one action each")
    repeat_actions: bool = Field(default=True, description="RW-T04: the same action again in a turn")


class TrackRules(Frozen):
    """Building track."""

    least_tiles: int = Field(default=1, ge=1, le=100, description="RW-B01: tiles in an action, at least")
    most_tiles: int = Field(default=4, ge=1, le=100, description="RW-B01: tiles in an action, at most")
    plains: Money = Field(default=2000, description="RW-B03: a tile on plains")
    water: Money = Field(default=3000, description="RW-B04: a tile on water")
    mountain: Money = Field(default=4000, description="RW-B05: a tile on mountains")
    ridge: Money = Field(default=4000, description="RW-B06: crossing a ridge, more")


class UrbanizeRules(Frozen):
    """New cities."""

    price: Money = Field(default=10_000, description="RW-E01: a New City tile on a gray city")
    cubes: Count = Field(default=2, description="RW-E01: random cubes that come with it")


class EngineRules(Frozen):
    """Engines."""

    first_level: int = Field(default=1, ge=1, le=20, description="RW-E02: the level at the start")
    prices: tuple[Money, ...] = Field(
        default=(5000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000),
        max_length=20,
        description="RW-E02, G11: the price of each next level",
    )

    @property
    def levels(self) -> range:
        """Return all levels."""
        return range(self.first_level, self.first_level + len(self.prices) + 1)


class DeliveryRules(Frozen):
    """Delivering a cube."""

    points_per_link: Count = Field(default=1, description="RW-D06: for the owner of each link that is used")
    first_link_own: bool = Field(default=True, description="RW-D05: the first link belongs to the player")
    links_of_others: bool = Field(default=True, description="RW-D07: links of others may follow")
    pass_own_colour: bool = Field(default=False, description="RW-D04: passing a city of the cube's colour")


class HexIncomeRules(Frozen):
    """Income and bonds."""

    bond_value: Money = Field(default=5000, description="RW-I03, G13: what a bond brings")
    dividend: Money = Field(default=1000, description="RW-I02: paid for each bond, each turn")
    bonds_compulsory: bool = Field(default=True, description="RW-I03: bonds cover every lack of cash")
    bonds_repaid: bool = Field(default=False, description="RW-I03, G13: bonds can be paid back")


class MarkerCounts(Frozen):
    """Empty city markers by number of players."""

    two: Count | None = Field(default=None, description="G14: with two players")
    three: Count | None = Field(default=None, description="G14: with three players")
    four: Count | None = Field(default=None, description="G14: with four players")
    five: Count | None = Field(default=None, description="G14: with five players")
    six: Count | None = Field(default=None, description="G14: with six players")

    def of(self, players: int) -> int | None:
        """Return the number for so many players, or None if it is not known."""
        count_by_players = {2: self.two, 3: self.three, 4: self.four, 5: self.five, 6: self.six}
        return count_by_players.get(players)


class EndRules(Frozen):
    """The end of the game."""

    markers: MarkerCounts = Field(default=MarkerCounts(), description="RW-Z02, G14: empty city markers in the game")
    fewer_markers: bool = Field(default=False, description="RW-O05: faster games with fewer markers")
    markers_less: Count | None = Field(default=None, description="RW-O05, G14: how many fewer")
    turns_after: Count = Field(default=1, description="RW-Z03: whole turns after the one that triggers the end")
    trigger_undone: bool = Field(default=False, description="RW-Z05: markers that come off take the end back")
    bond_points: int = Field(default=-1, ge=-100, le=0, description="RW-Z06: points for each bond at the end")

    def markers_for(self, players: int) -> int | None:
        """Return the number of markers for so many players; None if it is not given."""
        number = self.markers.of(players)
        if number is None or not self.fewer_markers:
            return number
        return None if self.markers_less is None else max(0, number - self.markers_less)


class RotorRules(Frozen):
    """City rotors."""

    enabled: bool = Field(default=False, description="RW-O03: city rotors")
    wheel: tuple[Goods, ...] | None = Field(
        default=None, max_length=5, description="RW-R04, G15: the order of colours on the wheel"
    )


class MineRules(Frozen):
    """Mines."""

    enabled: bool = Field(default=False, description="RW-O04: mines")
    uses: Count = Field(default=2, description="RW-M01: mines that a player may place in a game")
    price: Money = Field(default=10_000, description="RW-M02: the price of a mine")
    per_city: Count = Field(default=1, description="RW-M03: mines at one gray city in a game")
    most_draws: Count = Field(default=5, description="RW-M04, D65: cubes drawn at most")


class DisplayRules(Frozen):
    """How a client shows the board. The six styles go from dull (1) to bright (6); the drawing uses them too."""

    track_style: Style = Field(default=3, description="RW-U01: brightness and contrast of track")
    cube_style: Style = Field(default=3, description="RW-U02: brightness and contrast of cubes")
    construction_aid: bool = Field(default=True, description="RW-U03: track under construction stands out")
    letters_on_cubes: bool = Field(default=True, description="RW-U04: letters on cubes and cities")
    colour_names: bool = Field(default=True, description="RW-U05: the name of the colour at each city")
    names_on_links: bool = Field(default=False, description="RW-U06: link tokens say the player's colour")


class HexRules(Frozen):
    """All settings, by group."""

    players: PlayerRules = PlayerRules()
    auction: HexAuctionRules = HexAuctionRules()
    turn: TurnRules = TurnRules()
    track: TrackRules = TrackRules()
    urbanize: UrbanizeRules = UrbanizeRules()
    engine: EngineRules = EngineRules()
    delivery: DeliveryRules = DeliveryRules()
    income: HexIncomeRules = HexIncomeRules()
    end: EndRules = EndRules()
    rotors: RotorRules = RotorRules()
    mines: MineRules = MineRules()
    display: DisplayRules = DisplayRules()
