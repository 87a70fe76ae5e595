"""Use fees: costs of rides, their recipients, and established trains (RB-F)."""

from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.state import (
    BANK,
    FEES_EARNED,
    FEES_PAID,
    NONE,
    RAISED,
    State,
    copy_numbers,
    record_event,
)
from mapkit.kinds.rail.playing.terms import BANK_FEE, FREE, OWN_FEE, Terms
from mapkit.kinds.rail.playing.track import TrackArrays
from mapkit.kinds.rail.playing.wealth import announce_cash


@compiled
def full_fee(state: State, terms: Terms, player: int, railroad: int) -> int:
    """Return the fee of a turn on a railroad for a player who is not established there (RB-F02 to RB-F05)."""
    owner = state.owner[railroad]
    if owner == BANK:
        return int(terms.bank_fee)
    if owner == player:
        return int(terms.own_fee)
    return int(terms.raised_fee if state.game[RAISED] else terms.fee)


@compiled
def fee_on(state: State, terms: Terms, player: int, railroad: int) -> int:
    """Return the fee of a turn on a railroad for a player, established or not (RB-F11)."""
    fee_in_full = full_fee(state, terms, player, railroad)
    established_fee = state.kept_fee[player, railroad]
    return int(established_fee) if established_fee != NONE and established_fee < fee_in_full else fee_in_full


@compiled
def ride_railroad(state: State, terms: Terms, player: int, railroad: int) -> int:
    """Record the debt for a step on a railroad, and return its fee; the current owner is owed (RB-F09, RB-F14).

    Whoever moves stays established on the railroad that is ridden only (RB-F12, RB-F13).
    """
    established_fee = state.kept_fee[player, railroad]
    state.kept_fee[player, :] = NONE
    state.kept_fee[player, railroad] = established_fee
    state.line[player] = railroad
    ride_fee = fee_on(state, terms, player, railroad)
    owner = state.owner[railroad]
    if owner == player:
        state.own_due[railroad] = 1
    elif owner == BANK:
        state.bank_due[0] = max(state.bank_due[0], ride_fee)
    elif ride_fee > state.fee_due[owner]:  # one fee to each owner, the larger (RB-F04, RB-F15)
        state.fee_due[owner] = ride_fee
        state.due_for[owner] = railroad
    return ride_fee


@compiled
def debt_to_bank(state: State, terms: Terms) -> int:
    """Return the debt of the turn's rides to the bank: bank-held and own railroads in one sum, the larger (RB-F03)."""
    bank_debt = state.bank_due[0]
    if state.own_due.any():
        bank_debt = max(bank_debt, terms.own_fee)
    return int(bank_debt)


@compiled
def total_debt(state: State, terms: Terms) -> int:
    """Return the total debt of the turn's rides."""
    return debt_to_bank(state, terms) + int(state.fee_due.sum())


@compiled
def pay_fees(track: TrackArrays, state: State, terms: Terms, player: int) -> None:
    """Pay the debt of the turn's rides from sufficient cash; paid players may have to announce (RB-I01)."""
    bank_debt = debt_to_bank(state, terms)
    if bank_debt > 0:
        state.cash[player] -= bank_debt
        record_event(state, events.PAYS_BANK, player, bank_debt, 0, 0)
    for owner in range(terms.players + 1):
        fee_owed = state.fee_due[owner]
        if fee_owed == 0:
            continue
        state.cash[player] -= fee_owed
        state.tally[player, FEES_PAID] += fee_owed
        state.income[state.due_for[owner]] += fee_owed
        record_event(state, events.PAYS_FEE, player, fee_owed, owner, 0)
        if owner < terms.players:
            state.cash[owner] += fee_owed
            state.tally[owner, FEES_EARNED] += fee_owed
            announce_cash(track, state, terms, owner)
        else:  # the third owner's goes to the bank and the other player (RB-T06)
            other_player = 1 - player
            player_share = fee_owed - fee_owed * terms.gift_to_bank // 100
            state.cash[other_player] += player_share
            state.tally[other_player, FEES_EARNED] += player_share
            record_event(state, events.GETS_SHARE, other_player, player_share, 0, 0)
            announce_cash(track, state, terms, other_player)
    state.bank_due[0] = 0
    state.own_due[:] = 0
    state.fee_due[:] = 0


@compiled
def keep_established_fee(state: State, player: int, railroad: int, fee: int, full: int) -> None:
    """Let a standing train keep an old fee, if it is lower than the full one."""
    state.kept_fee[player, railroad] = fee if fee < full else NONE
    if fee < full:
        record_event(state, events.ESTABLISHED, player, railroad, fee, 0)


@compiled
def is_standing_on(track: TrackArrays, state: State, terms: Terms, player: int, railroad: int) -> bool:
    """Return whether a train is at a place where it could be established on a railroad (RB-F11, RB-F12)."""
    if state.playing[player] == 0 or state.at[player] == NONE:
        return False
    if terms.line_in_use:
        return bool(state.line[player] == railroad)
    return bool(track.serves[railroad, state.at[player]])


@compiled
def hand_over(track: TrackArrays, state: State, terms: Terms, railroad: int, owner: int) -> None:
    """Give a railroad to an owner or the bank; trains that stand on it keep their fee (RB-F11, RB-F17)."""
    fees_before = [fee_on(state, terms, p, railroad) for p in range(terms.players)]
    state.owner[railroad] = owner
    for p in range(terms.players):
        fee_in_full = full_fee(state, terms, p, railroad)
        is_standing = p != owner and is_standing_on(track, state, terms, p, railroad)
        keep_established_fee(state, p, railroad, fees_before[p] if is_standing else fee_in_full, fee_in_full)
    update_raised_fee(track, state, terms)


@compiled
def hand_over_auctioned(track: TrackArrays, state: State, terms: Terms, seller: int, railroad: int, owner: int) -> None:
    """Give a railroad to its buyer in the seller's turn; the fee of the seller's ride may change (RB-A13, RB-A14)."""
    fees_before = [fee_on(state, terms, p, railroad) for p in range(terms.players)]
    state.owner[railroad] = owner
    for p in range(terms.players):
        fee_in_full = full_fee(state, terms, p, railroad)
        new_fee = fee_in_full
        if p != owner and is_standing_on(track, state, terms, p, railroad):
            if p == seller:
                new_fee = 0 if terms.seller_ride == FREE else terms.own_fee
                new_fee = terms.bank_fee if terms.seller_ride == BANK_FEE else new_fee
            elif terms.former_fee:
                new_fee = fees_before[p]
        keep_established_fee(state, p, railroad, new_fee, fee_in_full)
    if state.own_due[railroad] and terms.seller_ride != OWN_FEE:
        state.own_due[railroad] = 0
        if terms.seller_ride == BANK_FEE:
            state.bank_due[0] = max(state.bank_due[0], terms.bank_fee)
    update_raised_fee(track, state, terms)


@compiled
def is_sold_out(state: State, terms: Terms) -> bool:
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
def update_raised_fee(track: TrackArrays, state: State, terms: Terms) -> None:
    """Raise the fee to opponents at sell-out, and lower it again if the rules say so (RB-F05 to RB-F07)."""
    is_raised = is_sold_out(state, terms)
    if is_raised == bool(state.game[RAISED]) or (not is_raised and terms.raised_stays):
        return
    for p in range(terms.players):
        for railroad in range(len(state.owner)):
            owner = state.owner[railroad]
            if owner in (BANK, p) or not is_standing_on(track, state, terms, p, railroad):
                continue
            fee_before = fee_on(state, terms, p, railroad)
            keep_established_fee(state, p, railroad, fee_before, terms.raised_fee if is_raised else terms.fee)
    state.game[RAISED] = 1 if is_raised else 0
    if is_raised:
        copy_numbers(state.owner, state.sold_out_owner, len(state.owner))
    record_event(state, events.FEES_RISE if is_raised else events.FEES_FALL, NONE, 0, 0, 0)
