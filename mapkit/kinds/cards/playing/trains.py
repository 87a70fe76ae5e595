"""Railroads of holdings: what they bring, how they come, how they go (BA-O, BA-X)."""

from mapkit.kinds.cards.playing.state import AT_HOLDING, GameState
from mapkit.kinds.cards.playing.terms import CardTerms


def revenue(terms: CardTerms, state: GameState, holding: int) -> int:
    """Return what a holding earns: railroads, network, investors; nothing without a railroad (BA-O05, BA-O06)."""
    own = state.rails[holding]
    if not own:
        return 0
    sides = terms.sides
    total = state.net[holding] * terms.game.rules.operating.network_income
    for one in own:
        total += sides[one].income
    for investor in terms.earning:
        if state.backer[investor] == AT_HOLDING + holding:
            total += terms.once[investor] + terms.each[investor] * len(own)
    return total


def cost(terms: CardTerms, state: GameState, holding: int, side: int) -> int:
    """Return what a holding pays the bank for a face: its cost, less what its investors take off (BA-C29)."""
    return _reduced(terms, state, holding, terms.sides[side].cost)


def cheapest(terms: CardTerms, state: GameState, holding: int) -> int | None:
    """Return what the cheaper face of the card on top of the stack costs a holding; None if the stack is empty."""
    return _reduced(terms, state, holding, terms.least[state.stack[0]]) if state.stack else None


def _reduced(terms: CardTerms, state: GameState, holding: int, whole: int) -> int:
    at = AT_HOLDING + holding
    if at not in state.backer:
        return whole
    off = sum(terms.rebate[one] for one in terms.saving if state.backer[one] == at)
    return whole * max(0, 100 - off) // 100


def on_top(terms: CardTerms, state: GameState) -> tuple[int, ...]:
    """Return the faces of the card on top of the stack; none if the stack is empty (BA-O11, BA-C25)."""
    return terms.of_sort[state.stack[0]] if state.stack else ()


def helped(terms: CardTerms, state: GameState, holding: int, side: int) -> int:
    """Return what its Director must add so that a holding can buy a face: 0 if nothing, -1 if that is not allowed.

    Only a holding without a railroad is helped, and by exactly the difference (BA-O15, D48).
    """
    short = cost(terms, state, holding, side) - state.till[holding]
    if short <= 0:
        return 0
    allowed = not state.rails[holding] and (state.plus > 0 or not terms.game.rules.disputes.help_needs_operator)
    return short if allowed and state.cash[state.boss[holding]] >= short else -1


def acquire(terms: CardTerms, state: GameState, holding: int, side: int) -> None:
    """Buy the top card of the stack for a holding, with this face up; its Director helps where need be."""
    paid = cost(terms, state, holding, side)
    extra = max(0, paid - state.till[holding])
    state.cash[state.boss[holding]] -= extra
    state.till[holding] += extra - paid
    state.bank += paid
    state.stack.pop(0)
    state.rails[holding].append(side)
    arrived(terms, state, terms.sides[side].level)


def arrived(terms: CardTerms, state: GameState, level: int) -> None:
    """Take away what a level makes obsolete when its first card comes (BA-X01 to BA-X06)."""
    if level <= state.reached:
        return
    state.reached = level
    sides = terms.sides
    for holding, own in enumerate(state.rails):
        if any(0 < sides[one].gone_at <= level for one in own):
            state.rails[holding] = [one for one in own if not 0 < sides[one].gone_at <= level]


def remove_top(terms: CardTerms, state: GameState) -> None:
    """Take the top card off the stack; it counts as a purchase at its lower level, or its higher (BA-R02, D45)."""
    if state.stack:
        levels = [terms.sides[side].level for side in terms.of_sort[state.stack.pop(0)]]
        lower = terms.game.rules.disputes.removed == "lower"
        arrived(terms, state, min(levels) if lower else max(levels))


def gift(terms: CardTerms, state: GameState, holding: int, level: int) -> None:
    """Give a holding the first card of the stack that has a face of a level (BA-C30)."""
    for place, sort in enumerate(state.stack):
        for side in terms.of_sort[sort]:
            if terms.sides[side].level == level:
                del state.stack[place]
                state.rails[holding].append(side)
                return
