"""Railroads of holdings: income, purchase and obsolescence (BA-O, BA-X)."""

from mapkit.kinds.cards.playing.state import AT_HOLDING, GameState
from mapkit.kinds.cards.playing.terms import CardTerms


def holding_revenue(terms: CardTerms, state: GameState, holding: int) -> int:
    """Return the income of a holding: railroads, network, investors; 0 without a railroad (BA-O05, BA-O06)."""
    own_railroads = state.rails[holding]
    if not own_railroads:
        return 0
    sides = terms.sides
    total_income = state.net[holding] * terms.game.rules.operating.network_income
    for side in own_railroads:
        total_income += sides[side].income
    for investor in terms.earning:
        if state.backer[investor] == AT_HOLDING + holding:
            total_income += terms.once[investor] + terms.each[investor] * len(own_railroads)
    return total_income


def railroad_price(terms: CardTerms, state: GameState, holding: int, side: int) -> int:
    """Return the price of a face for a holding: its cost, less discounts of the holding's investors (BA-C29)."""
    return _discounted_price(terms, state, holding, terms.sides[side].cost)


def cheapest_price(terms: CardTerms, state: GameState, holding: int) -> int | None:
    """Return the price of the cheaper face of the top card for a holding; None if the stack is empty."""
    return _discounted_price(terms, state, holding, terms.least[state.stack[0]]) if state.stack else None


def _discounted_price(terms: CardTerms, state: GameState, holding: int, whole: int) -> int:
    investor_place = AT_HOLDING + holding
    if investor_place not in state.backer:
        return whole
    discount_percent = sum(
        terms.rebate[investor] for investor in terms.saving if state.backer[investor] == investor_place
    )
    return whole * max(0, 100 - discount_percent) // 100


def top_faces(terms: CardTerms, state: GameState) -> tuple[int, ...]:
    """Return the faces of the card on top of the stack; none if the stack is empty (BA-O11, BA-C25)."""
    return terms.of_sort[state.stack[0]] if state.stack else ()


def director_contribution(terms: CardTerms, state: GameState, holding: int, side: int) -> int:
    """Return the Director's contribution to a purchase of a face: 0 if none is needed, -1 if not allowed.

    Only a holding without a railroad is helped, and by exactly the difference (BA-O15, D48).
    """
    missing_cash = railroad_price(terms, state, holding, side) - state.till[holding]
    if missing_cash <= 0:
        return 0
    is_allowed = not state.rails[holding] and (state.plus > 0 or not terms.game.rules.disputes.help_needs_operator)
    return missing_cash if is_allowed and state.cash[state.boss[holding]] >= missing_cash else -1


def buy_railroad(terms: CardTerms, state: GameState, holding: int, side: int) -> None:
    """Buy the top card of the stack for a holding, with this face up, with the Director's help if needed."""
    paid_price = railroad_price(terms, state, holding, side)
    director_share = max(0, paid_price - state.till[holding])
    state.cash[state.boss[holding]] -= director_share
    state.till[holding] += director_share - paid_price
    state.bank += paid_price
    state.stack.pop(0)
    state.rails[holding].append(side)
    remove_obsolete(terms, state, terms.sides[side].level)


def remove_obsolete(terms: CardTerms, state: GameState, level: int) -> None:
    """Remove the railroads that a level makes obsolete when its first card comes (BA-X01 to BA-X06)."""
    if level <= state.reached:
        return
    state.reached = level
    sides = terms.sides
    for holding, own_railroads in enumerate(state.rails):
        if any(0 < sides[side].gone_at <= level for side in own_railroads):
            state.rails[holding] = [side for side in own_railroads if not 0 < sides[side].gone_at <= level]


def remove_top(terms: CardTerms, state: GameState) -> None:
    """Remove the top card of the stack, as a purchase at its lower level, or its higher (BA-R02, D45)."""
    if state.stack:
        card_levels = [terms.sides[side].level for side in terms.of_sort[state.stack.pop(0)]]
        counts_as_lower = terms.game.rules.disputes.removed == "lower"
        remove_obsolete(terms, state, min(card_levels) if counts_as_lower else max(card_levels))


def give_railroad(terms: CardTerms, state: GameState, holding: int, level: int) -> None:
    """Give a holding the first card of the stack that has a face of a level (BA-C30)."""
    for place, sort in enumerate(state.stack):
        for side in terms.of_sort[sort]:
            if terms.sides[side].level == level:
                del state.stack[place]
                state.rails[holding].append(side)
                return
