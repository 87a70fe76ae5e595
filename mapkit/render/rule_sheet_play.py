"""The rule sheet's first half: setting up, rolling a city, the turn, moving, the bonus."""

from dataclasses import dataclass

from mapkit.model.board import Board
from mapkit.model.rules import PlayersTable, Rules

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ENGINE_NAMES = {"freight": "Freight", "express": "Express", "superchief": "SuperChief"}


@dataclass(frozen=True)
class Sheet:
    """What the sections are written from."""

    rules: Rules
    board: Board | None = None

    @property
    def symbol(self) -> str:
        """The currency sign; the game's own dollars without a board."""
        return self.board.units.symbol if self.board else "$"

    def money(self, amount: int) -> str:
        """Return an amount in whole currency units as players read it."""
        return f"{self.symbol}{amount:,}"

    def table(self, table: PlayersTable) -> str:
        """Return the cells of a table for the numbers of players that may play, or an empty string."""
        setup = self.rules.setup
        cells = [(n, table.at(n)) for n in range(setup.min_players, setup.max_players + 1)]
        return ", ".join(f"{n} players {self.money(v)}" for n, v in cells if v is not None)

    @property
    def public(self) -> bool:
        """Whether public railroads need saying: the board has some, or there is no board."""
        return self.board is None or any(r.public for r in self.board.railroads)


def number(count: int) -> str:
    """Return a count in words up to ten: `two`, `11`."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def dice(count: int, kind: str) -> str:
    """Return so many dice in words: `the coloured die`, `two white dice`."""
    return f"the {kind} die" if count == 1 else f"{number(count)} {kind} dice"


def setting_up(s: Sheet) -> list[str]:
    """Who plays, with what, from where (RB-S, RB-C15 to RB-C20)."""
    r, o = s.rules.setup, s.rules.options
    players = f"{r.min_players} to {r.max_players}" if r.min_players < r.max_players else f"{r.max_players}"
    cash = s.money(r.starting_cash + o.extra_starting_cash)
    extra = f" ({s.money(r.starting_cash)} and {s.money(o.extra_starting_cash)} extra)" if o.extra_starting_cash else ""
    card = f" with its {ENGINE_NAMES[r.starting_engine]} card" if r.freight_card else ""
    start = (
        "pawn and both chips on it"
        if r.markers == "both-chips-at-home"
        else "pawn and one chip on it; your other chip marks your destination"
    )
    out = [
        f"{players} players. One of you keeps the bank: its money, deeds and engines are apart from your own.",
        f"Each starts with {cash}{extra}, a {ENGINE_NAMES[r.starting_engine]} engine{card}, a pawn and two chips.",
    ]
    if r.engine_titles is not None:
        out.append(f"The bank has {number(r.engine_titles)} cards each of Express and SuperChief.")
    first = (
        "Each rolls three dice; the highest goes first"
        if r.first_player == "three-dice"
        else "Each rolls, with as many dice as you agree on; the highest goes first"
    )
    ties = "ties roll again" if r.reroll_ties else "settle ties as you like"
    out.append(f"{first}, {ties}. Turns go round to the left.")
    out.append(f"In turn order, each rolls a home city (below; no choice of region yet). Put your {start}. {_homes(s)}")
    if o.opening_auctions:
        out.append(
            "Then draw a random deed for each player, one after the other, and auction it (see Raising cash, but "
            "nobody "
            "sells). Deeds without a bid lie aside and go back to the bank after the last auction."
        )
    out.append("First destinations are rolled when all homes are known, each when the player's first trip begins.")
    if r.home_swap:
        out.append(
            "Once, before your first movement roll, you may exchange your home and your first destination. Your train "
            "then starts at the new home and is established (see Fees) on every railroad there."
        )
    return out


def _homes(s: Sheet) -> str:
    r = s.rules.setup
    if r.same_home == "allowed":
        return "Several players may have the same home."
    twins = " Twin cities count as one home." if r.twins_are_one_home else " Twin cities are two homes."
    return f"If somebody lives there already, roll region and city again.{twins}"


def cities(s: Sheet) -> list[str]:
    """How a home or destination is rolled (RB-D)."""
    r, o = s.rules, s.rules.options
    out = ["Let the software roll destinations and look up payoffs, in the same way:"] if o.software_lookup else []
    out.append(
        "Roll two white dice and the coloured die: odd or even on the coloured die picks the column, the white sum the "
        "row. Roll once on the chart of regions, then again on the chart of that region."
    )
    if r.destinations.choose_region_when_in_it:
        out.append(
            "If you roll the region your train is in, choose any region, also this one. Say which before you roll the "
            "city; it stands."
        )
    else:
        out.append("If you roll the region your train is in, it stands.")
    out.append("If you roll the city your train is in, your turn is over.")
    return out


def turn(s: Sheet) -> list[str]:
    """The order of a turn (RB-P13)."""
    r = s.rules
    times = number(r.bonus.rolls_per_turn)
    return [
        "If you have no destination, roll one.",
        "Roll and move.",
        "If you arrive: take the payoff, then buy if you like.",
        (
            f"If your engine has earned a bonus, roll and move it ({times} a turn at most). If you have arrived, "
            "roll the "
            "next destination first; the bonus is the start of that trip."
        ),
        "If you arrive by the bonus: take the payoff, then buy if you like.",
        "Pay all fees of the turn at once.",
    ]


def moving(s: Sheet) -> list[str]:
    """How a pawn moves (RB-M)."""
    r = s.rules.movement
    faces = "" if r.die_sides == 6 else f" ({r.die_sides}-sided)"  # noqa: PLR2004 - dice as everyone knows them
    roll = f"Roll {dice(r.dice, 'white')}{faces}"
    out = [
        (
            f"{roll}: your move in mileposts. Cities and dots count one each. Move all of it, until you arrive; what "
            "is "
            "left "
            "over then is lost."
        ),
        (
            "Move along the segments of any railroad, and say which where several run side by side. Change railroads "
            "only "
            "at a milepost that both serve. Any route will do."
        ),
    ]
    if r.segment_reuse == "once-per-trip":
        out.append(
            "Use each segment only once a trip, in either direction; arriving clears the count. Mileposts may be "
            "passed "
            "again. You may not make a move after which your destination cannot be reached any more."
        )
    else:
        out.append("Segments and mileposts may be used again as often as you like.")
    out.append(
        {
            "allowed": "Think after your roll as long as you need.",
            "forbidden": "Move at once after your roll: count and plan in the turns of the others.",
            "not-enforced": "Better plan in the turns of the others, but thinking after the roll is not punished.",
        }.get(r.thinking, "")
    )
    out.append(
        {
            "never": "Once your pawn has moved, it does not go back.",
            "until-fees": "You may redo your move until you begin to pay fees.",
            "until-pawn-lifted": "Once you lift your pawn, move it to the end without a stop.",
        }.get(r.take_back, "")
    )
    return out


_TRIGGER = {"double-six": "on a double six", "any-double": "on any double", "always": "on every turn"}


def bonus(s: Sheet) -> list[str]:
    """What earns a bonus, and how it is moved (RB-B)."""
    r = s.rules.bonus
    earns = f"Freight {_TRIGGER[r.freight]}, Express {_TRIGGER[r.express]}, SuperChief {_TRIGGER[r.superchief]}"
    timing = {
        "with-normal-roll": "SuperChief rolls it together with the white dice",
        "after-normal-move": "SuperChief too rolls it after the normal move",
        "either": "SuperChief may roll it together with the white dice or after the normal move",
    }[r.superchief_timing]
    return [
        f"A bonus is {dice(r.dice, 'coloured')}. {earns}. The engine you owned when you rolled counts.",
        f"Freight and Express roll it after the normal move; thrown too early, it is thrown again. {timing}.",
        "A bonus must be moved in full. If you arrive with it, your movement ends, and what is left over is lost.",
    ]
