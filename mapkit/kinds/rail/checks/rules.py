"""Checks of the rules against the board (V01 ...)."""

from collections.abc import Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import counted
from mapkit.kinds.rail.checks.check import Checked, listed

_CONFIG = Place(file="board.toml")
"""Where an author writes the rules of a board."""


def _group_price(c: Checked) -> Iterator[Found]:
    """A merged group whose price is not the sum of its members' list prices (RB-V01 to RB-V07, RB-C12).

    A group is one purchase at a fixed price, without discount. Usually a list price or the group's price is mistyped;
    if the difference is intended, accept the finding. Groups with a member that the board lacks are skipped.
    """
    price = {r.id: r.price for r in c.board.railroads}
    for group in c.board.rules.group_purchase.groups:
        if not set(group.members) <= price.keys():
            continue
        total = sum(price[member] for member in group.members)
        if total != group.price:
            members = ", ".join(f"{c.short[m]} {price[m]:,}" for m in group.members)
            yield Found(
                f"{group.name} costs {group.price:,}, but its members' list prices ({members}) add up to {total:,}; "
                "correct the group or a list price, or accept this",
                tuple(group.members),
                c.place("railroads", group.members[0]),
                data={"price": group.price, "sum": total},
            )


def _groups_on_board(c: Checked) -> Iterator[Found]:
    """A merged group that is switched on, but cannot be bought on this board (RB-V01).

    The default groups are those of the classic United States; a board with other railroads needs its own, as
    `[[rules.group_purchase.groups]]` in `board.toml`.
    """
    rules = c.board.rules.group_purchase
    if not rules.enabled:
        return
    known = {r.id for r in c.board.railroads}
    sold = {r.id for r in c.board.railroads if not r.public or c.board.rules.purchase.public_for_sale}
    for group in rules.groups:
        missing = sorted(set(group.members) - known)
        public = sorted(set(group.members) & known - sold)
        if missing:
            yield Found(
                f"{group.name} contains {', '.join(missing)}, which is not on this board; write a group of railroads "
                "of the board, or remove this one",
                tuple(missing),
                _CONFIG,
            )
        elif public:
            yield Found(
                f"{group.name} contains {', '.join(public)}, which is public and never sold; remove it from the group",
                tuple(public),
                c.place("railroads", public[0]),
            )


def _homes(c: Checked) -> Iterator[Found]:
    """Too few cities even for the smallest number of players (RB-S07, RB-S08).

    If no two players may share a home, each needs one, and there must be one more to travel to. Twin cities count
    once if the rules say so.
    """
    setup = c.board.rules.setup
    twins_once = setup.same_home == "reroll" and setup.twins_are_one_home
    homes = {city.milepost if twins_once else city.id for city in c.board.cities}
    needed = setup.min_players + 1 if setup.same_home == "reroll" else 2
    if len(homes) < needed:
        yield Found(
            f"{len(homes)} cities are too few for {setup.min_players} players, who need {needed}; add cities, or lower "
            "rules.setup.min_players",
            tuple(sorted(homes)),
            _CONFIG,
        )


def _amounts(c: Checked) -> Iterator[Found]:
    """Amounts in the rules that contradict each other (RB-S01, RB-F04, RB-F05, RB-I01, RB-W01, RB-V12).

    The fee falls when the last railroad is sold, players could declare from the start, or cash is announced only above
    the amount that wins.
    """
    rules = c.board.rules
    start = rules.setup.starting_cash + rules.options.extra_starting_cash
    fees, goal = rules.fees, rules.winning.cash
    if fees.opponent_after_sell_out < fees.opponent:
        yield Found(
            f"the fee to opponents falls from {fees.opponent:,} to {fees.opponent_after_sell_out:,} when the last "
            "railroad is sold; swap fees.opponent and fees.opponent_after_sell_out, or accept this",
            ("fees.opponent", "fees.opponent_after_sell_out"),
            _CONFIG,
        )
    if not rules.net_worth.enabled and start >= goal:
        yield Found(
            f"players start with {start:,}, but {goal:,} already wins; lower setup.starting_cash, or raise "
            "winning.cash",
            ("setup.starting_cash", "winning.cash"),
            _CONFIG,
        )
    if not rules.net_worth.enabled and rules.information.announce_cash > goal:
        yield Found(
            f"cash is announced from {rules.information.announce_cash:,}, but {goal:,} already wins; lower "
            "information.announce_cash",
            ("information.announce_cash", "winning.cash"),
            _CONFIG,
        )


def _for_sale(c: Checked) -> Iterator[Found]:
    """Too few railroads to buy (RB-C02, RB-C11, RB-F06, RB-T02).

    If no railroad is for sale, all are sold before the game begins, and fees are high from the first turn. If there are
    fewer than players, somebody never owns one. A third owner needs some that are left at the first gift.
    """
    rules = c.board.rules
    sold = [r.id for r in c.board.railroads if not r.public or rules.purchase.public_for_sale]
    players, first = rules.setup.min_players, rules.two_players.first_gift_after
    if len(sold) < players:
        yield Found(
            f"only {counted(len(sold), 'railroad is', 'railroads are')} for sale to {players} players; "
            "make fewer railroads public, or lower rules.setup.min_players",
            tuple(sorted(sold)) or ("none",),
            _CONFIG,
        )
    elif rules.two_players.third_owner and len(sold) <= first:
        yield Found(
            f"the third owner's first gift comes after {counted(first, 'purchase')}, but only "
            f"{counted(len(sold), 'railroad is', 'railroads are')} for sale; "
            "lower rules.two_players.first_gift_after",
            ("two_players.first_gift_after",),
            _CONFIG,
        )


def _one_region(c: Checked) -> Iterator[Found]:
    """A board with one region, on which a rule about regions has no effect (RB-D04).

    Every roll then gives the train's own region, so players never choose one.
    """
    if len(c.board.regions) == 1 and c.board.rules.destinations.choose_region_when_in_it:
        yield Found(
            "the board has only one region, so players never choose one; add regions, or set "
            "rules.destinations.choose_region_when_in_it = false",
            (c.board.regions[0].id,),
            _CONFIG,
        )


CHECKS = (
    listed("V01", _group_price),
    listed("V02", _groups_on_board),
    listed("V03", _homes),
    listed("V04", _amounts),
    listed("V05", _for_sale),
    listed("V06", _one_region),
)
