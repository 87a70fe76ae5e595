"""The rule sheet's second half: buying, fees, raising cash, telling, winning, two players."""

from mapkit.render.rule_sheet_play import Sheet, number


def buying(s: Sheet) -> list[str]:
    """Payoff and purchase (RB-P, RB-V01, RB-V08, RB-V11)."""
    r, o = s.rules.purchase, s.rules.options
    what = "one railroad or one engine" if r.per_payoff == 1 else f"up to {number(r.per_payoff)} railroads or engines"
    public = ""
    if s.public:
        public = " Public railroads are for sale too." if r.public_for_sale else " Public railroads are never sold."
    out = [
        "The bank pays you for the trip, from the city you left to the one you reached. Move both chips there.",
        (
            f"At each payoff you may buy {what} from the bank, with cash on hand; nothing is sold to buy. The cash may "
            "be what "
            f"you need for fees.{public} Deeds and engines lie open."
        ),
        f"Express costs {s.money(r.express_price)}. {_superchief(s)}",
    ]
    again = "You may buy another SuperChief." if r.second_superchief else "Nobody buys a second SuperChief."
    if o.free_upgrade:
        out.append(f"With Express, you may take SuperChief as your purchase at no price. {again}")
    elif r.express_trade_in:
        out.append(f"An Express given up takes {s.money(r.express_trade_in)} off the price of SuperChief. {again}")
    else:
        out.append(f"An Express is worth nothing towards SuperChief. {again}")
    if s.rules.group_purchase.enabled:
        out += _groups(s)
    return out


def _superchief(s: Sheet) -> str:
    o, usual = s.rules.options, s.money(s.rules.purchase.superchief_price)
    table = s.table(o.superchief_prices)
    if not o.superchief_by_players or not table:
        return f"SuperChief costs {usual}, from Freight and from Express."
    setup = s.rules.setup
    gap = [n for n in range(setup.min_players, setup.max_players + 1) if o.superchief_prices.at(n) is None]
    rest = f"; with {' or '.join(map(str, gap))} the usual {usual}" if gap else ""
    return f"SuperChief costs, by the number of players: {table}{rest}."


def _groups(s: Sheet) -> list[str]:
    g = s.rules.group_purchase
    short = {r.id: r.short for r in s.board.railroads} if s.board else {}
    fitting = [group for group in g.groups if s.board is None or set(group.members) <= short.keys()]
    names = "; ".join(
        f"{group.name} ({', '.join(short.get(m, m.upper()) for m in group.members)}) {s.money(group.price)}"
        for group in fitting
    )
    alone = (
        "Members may still be bought one by one." if g.single_purchases else "Their members are not sold one by one."
    )
    return [
        f"A merged group is one purchase at a fixed price, even if the bank holds only some of it: {names}. {alone}",
    ]


def fees(s: Sheet) -> list[str]:
    """What riding costs (RB-F)."""
    r = s.rules.fees
    bank, own = s.money(r.bank), s.money(r.own)
    held = "bank-held and public railroads" if s.public else "bank-held railroads"
    if r.own == r.bank and r.own:
        first = f"To the bank: {bank} in all for riding {held} or your own, or both."
    elif r.own:
        first = f"To the bank: {bank} in all for riding {held}, {own} for your own; for both, the larger of the two."
    else:
        first = f"To the bank: {bank} in all for riding {held}. Your own are free."
    trigger = (
        "as soon as the bank holds no private railroad; one sold back counts as never bought"
        if r.sell_out == "bank-sold-out"
        else "as soon as every railroad has been bought at some time"
    )
    stays = "It then stays so for good." if r.raised_fee_stays else "It falls again when the bank holds railroads."
    where = "every railroad at its milepost" if r.established_on == "all-serving" else "the railroad it came by"
    asked = (
        "Fees are due whether asked for or not." if r.compulsory else "A fee that the owner does not ask for lapses."
    )
    return [
        (
            f"Fees are paid once, at the end of the {r.per}, for normal and bonus move together, however far you rode. "
            f"{first}"
        ),
        (
            f"To each opponent whose railroads you rode: {s.money(r.opponent)}, however many. "
            f"{s.money(r.opponent_after_sell_out)} {trigger}. {stays}"
        ),
        f"The owner at the time you rode is paid. {asked}",
        (
            f"Established: when a fee rises or an owner changes, a train that stands there keeps the old fee on {where} "
            "until "
            "it rides another railroad; it is paid to the new owner. Riding another railroad of the same owner in that "
            "turn "
            "makes it one fee, the full one; of somebody else, you pay both."
        ),
    ]


def raising_cash(s: Sheet) -> list[str]:
    """Selling back, auctions, bankruptcy (RB-A)."""
    r = s.rules.auction
    what = "railroads or engines" if r.engines_for_sale else "railroads, never engines"
    back, opening = _share(r.sell_back_percent), _share(r.opening_percent)
    step = s.money(r.bid_step)
    rise = f"at least {step} more" if r.bid_rule == "at-least-step" else f"higher and in multiples of {step}"
    passing = (
        "Who has passed may bid again; it ends when all pass in a row"
        if r.passing == "may-return"
        else "Who has passed is out of this auction"
    )
    stands = "What was offered may be taken back." if r.withdrawal else "What was offered is sold."
    others = (
        "Trains of others that stand on the railroad stay established at the fee they had."
        if r.others_on_it == "former-fee"
        else "Trains of others that stand on the railroad pay the new owner the full fee of an opponent."
    )
    bank_fee = s.money(s.rules.fees.bank)
    ride = (
        "The seller's own ride on it is free this turn and while established."
        if r.seller_ride == "free"
        else f"The seller's own ride on it costs {bank_fee}: to the bank this turn, to the new owner while established."
    )
    rest = "goes to the bank" if r.bankrupt_cash == "to-bank" else "stays with the player"
    return [
        (
            f"Only if your cash does not cover the fees of your turn, sell {what}: to the bank for {back} of the list "
            "price, "
            "or by auction, until you can pay. What the bank takes back is for sale again."
        ),
        (
            f"Auction: bids go round from the seller's left, from {opening} of the list price, {rise}, and never above the "
            f"cash on hand. {passing}. Without a bid the bank buys for {back}. {stands}"
        ),
        f"{others} {ride}",
        (
            f"If you have nothing left to sell and cannot pay in full, you are out; your rest cash {rest}, and no "
            "creditor gets "
            "any. The last player left wins."
        ),
    ]


def _share(percent: int) -> str:
    return "half" if percent == 50 else f"{percent} %"  # noqa: PLR2004 - a half


def telling(s: Sheet) -> list[str]:
    """What players must tell (RB-I, RB-V10)."""
    r, net = s.rules.information, s.rules.net_worth
    level = s.money(r.announce_cash)
    when = f"reaches {level}" if r.announce_when == "reached" else f"goes over {level}"
    times = (
        f"The first time your cash {when}, say so"
        if r.announce_times == "once"
        else f"Every time your cash {when}, say so"
    )
    out = [
        (
            f"{times}. When asked, tell the exact sum if it is there, else only that it is below. Cash may be stacked, not "
            "hidden. Home cities and owners are told when asked."
        ),
    ]
    if net.enabled:
        out.append(f"Whenever your cash is over {s.money(net.announce_cash)}, tell your net worth.")
    return out


def winning(s: Sheet) -> list[str]:
    """Declaring, rover play, winning (RB-W, RB-V09)."""
    r = s.rules.winning
    goal, low = s.money(r.cash), f"your cash falls below {s.money(r.cash)}"
    out = []
    enough = f"{goal} in cash"
    if s.rules.net_worth.enabled:
        enough = "the winning net worth"
        if s.rules.net_worth.undeclared_by == "net-worth":
            low = "your net worth falls below it"
        out.append(
            "Net worth wins: cash, and railroads and engines at their prices. By the number of players: "
            f"{s.table(s.rules.net_worth.target)}."
        )
    same = (
        "If it is the city you are in, you are declared, but your turn is over."
        if r.same_alternate_loses_turn
        else "If it is the city you are in, you are declared and go on."
    )
    due = (
        "With a bonus due, fees so far are reckoned first; if you still have enough, you win and the bonus is dropped."
        if r.bonus_pending_at_home == "fees-first"
        else "A bonus that is due is moved before any fee."
    )
    again = ""
    if s.rules.movement.segment_reuse == "once-per-trip":
        which = "of this trip" if r.reuse_to_alternate == "segments-of-trip" else "used while heading home"
        again = f" It is the same trip; if there is no other way, use segments {which} again, as few as you can."
    out += [
        f"You win at home, declared, with {enough} or more after all fees. {due}",
        (
            "Declare, if you like, when you are at your destination with enough, before you roll the next one; in your "
            "home "
            f"city you then win at once. Roll an alternate destination. {same} Now head home; the alternate may be "
            "passed, and "
            "home pays only if it is the alternate too (before fees)."
        ),
        (
            "An opponent who moves onto or past your milepost while you are declared catches you: pay "
            f"{s.money(r.rover_payment)} to the first who does. They must come there by a legal move of their own turn and "
            "still be able to reach their destination; one who stands there already must leave and return. Passing others "
            "yourself is safe."
        ),
        (
            f"Caught, or if {low}, you are declared no more and go to the alternate, which pays from the city where you "
            f"declared.{again} If you are there already, you arrive at the start of your next turn. You may declare again "
            "later. Without declaring, coming home wins nothing."
        ),
    ]
    return out


def two_players(s: Sheet) -> list[str]:
    """The imaginary third owner (RB-T)."""
    r = s.rules.two_players
    if not r.third_owner:
        return []
    bank, other = r.fee_to_bank_percent, 100 - r.fee_to_bank_percent
    split = (
        "half to the bank, half to the other player"
        if bank == other
        else f"{bank} % to the bank, {other} % to the other player"
    )
    return [
        (
            "With two players an imaginary third owner is given a random deed of the bank after "
            f"{number(r.first_gift_after)} "
            f"purchases in all, then after every further {number(r.gift_every)}, until the bank has none. A sell-back "
            "takes "
            "one off the count."
        ),
        f"Riding the third owner's railroads costs the usual fee: {split}.",
    ]
