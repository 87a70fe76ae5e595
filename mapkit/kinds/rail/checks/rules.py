"""Checks of the rules against the board (V01 ...)."""

from collections.abc import Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check

_CONFIG_PLACE = Place(file="board.toml")
"""Where an author writes the rules of a board."""


def _find_merged_group_price(c: CheckedRails) -> Iterator[Found]:
    """A merged group with a price that is not the sum of its members' list prices (RB-V01 to RB-V07, RB-C12).

    A group is one purchase at a fixed price, without discount. Usually a list price or the group's price is mistyped;
    if the difference is intended, accept the finding. Groups with a member that the board lacks are skipped.
    """
    price_of = {r.id: r.price for r in c.board.railroads}
    for group in c.board.rules.group_purchase.groups:
        if not set(group.members) <= price_of.keys():
            continue
        members_price = sum(price_of[member] for member in group.members)
        if members_price != group.price:
            members_text = ", ".join(f"{c.short[m]} {price_of[m]:,}" for m in group.members)
            yield Found(
                f"{group.name} costs {group.price:,}, but its members' list prices ({members_text}) add up to "
                f"{members_price:,}; correct the group or a list price, or accept this",
                tuple(group.members),
                c.place("railroads", group.members[0]),
                data={"price": group.price, "sum": members_price},
            )


def _find_merged_group_incomplete(c: CheckedRails) -> Iterator[Found]:
    """A merged group that is switched on, but cannot be bought on this board (RB-V01).

    The default groups are those of the classic United States; a board with other railroads needs its own, as
    `[[rules.group_purchase.groups]]` in `board.toml`.
    """
    group_rules = c.board.rules.group_purchase
    if not group_rules.enabled:
        return
    board_railroads = {r.id for r in c.board.railroads}
    sold_railroads = {r.id for r in c.board.railroads if not r.public or c.board.rules.purchase.public_for_sale}
    for group in group_rules.groups:
        missing_members = sorted(set(group.members) - board_railroads)
        public_members = sorted(set(group.members) & board_railroads - sold_railroads)
        if missing_members:
            yield Found(
                f"{group.name} contains railroads that are not on this board: {', '.join(missing_members)}; replace "
                "it by a group of this board, or set rules.group_purchase.enabled = false",
                tuple(missing_members),
                _CONFIG_PLACE,
            )
        elif public_members:
            yield Found(
                f"{group.name} contains public railroads, which are never sold: {', '.join(public_members)}; remove "
                "them from the group",
                tuple(public_members),
                c.place("railroads", public_members[0]),
            )


def _find_too_few_cities(c: CheckedRails) -> Iterator[Found]:
    """Too few cities even for the smallest number of players (RB-S07, RB-S08).

    If no two players may share a home, each needs one, and there must be one more to travel to. Twin cities count
    once if the rules say so.
    """
    setup_rules = c.board.rules.setup
    twins_once = setup_rules.same_home == "reroll" and setup_rules.twins_are_one_home
    home_ids = {city.milepost if twins_once else city.id for city in c.board.cities}
    needed_homes = setup_rules.min_players + 1 if setup_rules.same_home == "reroll" else 2
    if len(home_ids) < needed_homes:
        yield Found(
            f"{len(home_ids)} cities are too few for {setup_rules.min_players} players, who need {needed_homes}; add "
            "cities, or lower rules.setup.min_players",
            tuple(sorted(home_ids)),
            _CONFIG_PLACE,
        )


def _find_inconsistent_rule_amounts(c: CheckedRails) -> Iterator[Found]:
    """Amounts in the rules that contradict each other (RB-S01, RB-F04, RB-F05, RB-I01, RB-W01, RB-V12).

    The fee falls when the last railroad is sold, players could declare from the start, or cash is announced only above
    the amount that wins.
    """
    board_rules = c.board.rules
    starting_cash = board_rules.setup.starting_cash + board_rules.options.extra_starting_cash
    fee_rules, winning_cash = board_rules.fees, board_rules.winning.cash
    if fee_rules.opponent_after_sell_out < fee_rules.opponent:
        yield Found(
            f"the fee to opponents falls from {fee_rules.opponent:,} to {fee_rules.opponent_after_sell_out:,} when the "
            "last railroad is sold; swap fees.opponent and fees.opponent_after_sell_out, or accept this",
            ("fees.opponent", "fees.opponent_after_sell_out"),
            _CONFIG_PLACE,
        )
    if not board_rules.net_worth.enabled and starting_cash >= winning_cash:
        yield Found(
            f"players start with {starting_cash:,}, but {winning_cash:,} already wins; lower setup.starting_cash, or "
            "raise winning.cash",
            ("setup.starting_cash", "winning.cash"),
            _CONFIG_PLACE,
        )
    if not board_rules.net_worth.enabled and board_rules.information.announce_cash > winning_cash:
        yield Found(
            f"cash is announced from {board_rules.information.announce_cash:,}, but {winning_cash:,} already wins; "
            "lower information.announce_cash",
            ("information.announce_cash", "winning.cash"),
            _CONFIG_PLACE,
        )


def _find_too_few_railroads(c: CheckedRails) -> Iterator[Found]:
    """Too few railroads to buy (RB-C02, RB-C11, RB-F06, RB-T02).

    If no railroad is for sale, all are sold before the game begins, and fees are high from the first turn. If there are
    fewer than players, somebody never owns one. A third owner needs some that are left at the first gift.
    """
    board_rules = c.board.rules
    sold_railroads = [r.id for r in c.board.railroads if not r.public or board_rules.purchase.public_for_sale]
    player_count, first_gift = board_rules.setup.min_players, board_rules.two_players.first_gift_after
    if len(sold_railroads) < player_count:
        yield Found(
            f"only {count_noun(len(sold_railroads), 'railroad is', 'railroads are')} for sale to "
            f"{player_count} players; make fewer railroads public, or lower rules.setup.min_players",
            tuple(sorted(sold_railroads)) or ("none",),
            _CONFIG_PLACE,
        )
    elif board_rules.two_players.third_owner and len(sold_railroads) <= first_gift:
        yield Found(
            f"the third owner's first gift comes after {count_noun(first_gift, 'purchase')}, but only "
            f"{count_noun(len(sold_railroads), 'railroad is', 'railroads are')} for sale; "
            "lower rules.two_players.first_gift_after",
            ("two_players.first_gift_after",),
            _CONFIG_PLACE,
        )


def _find_region_rule_without_effect(c: CheckedRails) -> Iterator[Found]:
    """A board with one region, where a rule about regions has no effect (RB-D04).

    Every roll then gives the train's own region, so players never choose one.
    """
    if len(c.board.regions) == 1 and c.board.rules.destinations.choose_region_when_in_it:
        yield Found(
            "the board has only one region, so players never choose one; add regions, or set "
            "rules.destinations.choose_region_when_in_it = false",
            (c.board.regions[0].id,),
            _CONFIG_PLACE,
        )


CHECKS = (
    make_listed_check("V01", _find_merged_group_price),
    make_listed_check("V02", _find_merged_group_incomplete),
    make_listed_check("V03", _find_too_few_cities),
    make_listed_check("V04", _find_inconsistent_rule_amounts),
    make_listed_check("V05", _find_too_few_railroads),
    make_listed_check("V06", _find_region_rule_without_effect),
)
