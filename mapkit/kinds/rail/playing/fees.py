"""Use fees: what a ride costs, whom it is owed to, and who is established (RB-F)."""

from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.state import BANK, FEES_EARNED, FEES_PAID, NONE, RAISED, State, copy_numbers, tell
from mapkit.kinds.rail.playing.terms import BANK_FEE, FREE, OWN_FEE, Terms
from mapkit.kinds.rail.playing.track import TrackArrays
from mapkit.kinds.rail.playing.wealth import announce


@compiled
def full_fee(state: State, terms: Terms, player: int, railroad: int) -> int:
    """Return what a turn on a railroad costs a player who is not established there (RB-F02 to RB-F05)."""
    owner = state.owner[railroad]
    if owner == BANK:
        return int(terms.bank_fee)
    if owner == player:
        return int(terms.own_fee)
    return int(terms.raised_fee if state.game[RAISED] else terms.fee)


@compiled
def fee_on(state: State, terms: Terms, player: int, railroad: int) -> int:
    """Return what a turn on a railroad costs a player, established or not (RB-F11)."""
    full = full_fee(state, terms, player, railroad)
    kept = state.kept_fee[player, railroad]
    return int(kept) if kept != NONE and kept < full else full


@compiled
def ride(state: State, terms: Terms, player: int, railroad: int) -> int:
    """Owe for a step on a railroad, and return its fee; the owner of now is owed (RB-F09, RB-F14).

    Whoever moves stays established on the railroad that is ridden only (RB-F12, RB-F13).
    """
    kept = state.kept_fee[player, railroad]
    state.kept_fee[player, :] = NONE
    state.kept_fee[player, railroad] = kept
    state.line[player] = railroad
    fee = fee_on(state, terms, player, railroad)
    owner = state.owner[railroad]
    if owner == player:
        state.own_due[railroad] = 1
    elif owner == BANK:
        state.bank_due[0] = max(state.bank_due[0], fee)
    elif fee > state.fee_due[owner]:  # one fee to each owner, the larger (RB-F04, RB-F15)
        state.fee_due[owner] = fee
        state.due_for[owner] = railroad
    return fee


@compiled
def owed_to_bank(state: State, terms: Terms) -> int:
    """Return what the turn's rides owe the bank: bank-held and own railroads in one sum, the larger (RB-F03)."""
    owed = state.bank_due[0]
    if state.own_due.any():
        owed = max(owed, terms.own_fee)
    return int(owed)


@compiled
def owed(state: State, terms: Terms) -> int:
    """Return what the turn's rides owe to all."""
    return owed_to_bank(state, terms) + int(state.fee_due.sum())


@compiled
def pay_fees(track: TrackArrays, state: State, terms: Terms, player: int) -> None:
    """Pay what the turn's rides owe; the cash is there, and who is paid may have to announce (RB-I01)."""
    to_bank = owed_to_bank(state, terms)
    if to_bank > 0:
        state.cash[player] -= to_bank
        tell(state, events.PAYS_BANK, player, to_bank, 0, 0)
    for owner in range(terms.players + 1):
        fee = state.fee_due[owner]
        if fee == 0:
            continue
        state.cash[player] -= fee
        state.tally[player, FEES_PAID] += fee
        state.income[state.due_for[owner]] += fee
        tell(state, events.PAYS_FEE, player, fee, owner, 0)
        if owner < terms.players:
            state.cash[owner] += fee
            state.tally[owner, FEES_EARNED] += fee
            announce(track, state, terms, owner)
        else:  # the third owner's goes to the bank and the other player (RB-T06)
            other = 1 - player
            rest = fee - fee * terms.gift_to_bank // 100
            state.cash[other] += rest
            state.tally[other, FEES_EARNED] += rest
            tell(state, events.GETS_SHARE, other, rest, 0, 0)
            announce(track, state, terms, other)
    state.bank_due[0] = 0
    state.own_due[:] = 0
    state.fee_due[:] = 0


@compiled
def establish(state: State, player: int, railroad: int, fee: int, full: int) -> None:
    """Let a standing train keep an old fee, if it is lower than the full one."""
    state.kept_fee[player, railroad] = fee if fee < full else NONE
    if fee < full:
        tell(state, events.ESTABLISHED, player, railroad, fee, 0)


@compiled
def stands_on(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int) -> bool:
    """Return whether a train stands where it could be established on a railroad (RB-F11, RB-F12)."""
    if state.playing[player] == 0 or state.at[player] == NONE:
        return False
    if terms.line_in_use:
        return bool(state.line[player] == railroad)
    return bool(track.serves[railroad, state.at[player]])


@compiled
def hand_over(track: TrackArrays, state: State, terms: Terms, railroad: int, owner: int) -> None:
    """Give a railroad to an owner or the bank; trains that stand on it keep their fee (RB-F11, RB-F17)."""
    was = [fee_on(state, terms, p, railroad) for p in range(terms.players)]
    state.owner[railroad] = owner
    for p in range(terms.players):
        full = full_fee(state, terms, p, railroad)
        stands = p != owner and stands_on(track, state, terms, p, railroad)
        establish(state, p, railroad, was[p] if stands else full, full)
    set_raised(track, state, terms)


@compiled
def hand_over_auctioned(track: TrackArrays, state: State, terms: Terms, seller: int, railroad: int, owner: int) -> None:
    """Give a railroad to its buyer in the seller's turn; what his ride on it costs may change (RB-A13, RB-A14)."""
    before = [fee_on(state, terms, p, railroad) for p in range(terms.players)]
    state.owner[railroad] = owner
    for p in range(terms.players):
        full = full_fee(state, terms, p, railroad)
        fee = full
        if p != owner and stands_on(track, state, terms, p, railroad):
            if p == seller:
                fee = 0 if terms.seller_ride == FREE else terms.own_fee
                fee = terms.bank_fee if terms.seller_ride == BANK_FEE else fee
            elif terms.former_fee:
                fee = before[p]
        establish(state, p, railroad, fee, full)
    if state.own_due[railroad] and terms.seller_ride != OWN_FEE:
        state.own_due[railroad] = 0
        if terms.seller_ride == BANK_FEE:
            state.bank_due[0] = max(state.bank_due[0], terms.bank_fee)
    set_raised(track, state, terms)


@compiled
def sold_out(state: State, terms: Terms) -> bool:
    """Return whether nothing is left to buy first, by the trigger of the rules (RB-F06)."""
    for railroad in range(len(state.owner)):
        if terms.for_sale[railroad] == 0:
            continue
        if terms.all_bought_once and state.bought[railroad] == 0:
            return False
        if not terms.all_bought_once and state.owner[railroad] == BANK:
            return False
    return True


@compiled
def set_raised(track: TrackArrays, state: State, terms: Terms) -> None:
    """Raise the fee to opponents at sell-out, and lower it again where the rules say so (RB-F05 to RB-F07)."""
    raised = sold_out(state, terms)
    if raised == bool(state.game[RAISED]) or (not raised and terms.raised_stays):
        return
    for p in range(terms.players):
        for railroad in range(len(state.owner)):
            owner = state.owner[railroad]
            if owner in (BANK, p) or not stands_on(track, state, terms, p, railroad):
                continue
            before = fee_on(state, terms, p, railroad)
            establish(state, p, railroad, before, terms.raised_fee if raised else terms.fee)
    state.game[RAISED] = 1 if raised else 0
    if raised:
        copy_numbers(state.owner, state.sold_out_owner, len(state.owner))
    tell(state, events.FEES_RISE if raised else events.FEES_FALL, NONE, 0, 0, 0)
