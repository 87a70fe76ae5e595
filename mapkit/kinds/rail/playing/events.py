"""Events of a match as numbers: a code, a player and three more with a meaning for each code."""

(
    DIE,  # pips, WHITE or COLOURED; of the event that follows
    ROLLS_FIRST,  # sum
    FIRST_PLAYER,
    HOME_TAKEN,  # city that another has, so it is rolled again
    HOME,  # city
    SWAPS_HOME,  # new home, new destination
    REGION,  # region, 1 if the player picked it
    DESTINATION,  # city, 1 if it is an alternate
    LOSES_TURN,
    TURN,
    ROLLS,  # sum, 1 if it earns a bonus
    BONUS,  # sum
    RIDES,  # segment, milepost, fee of a turn on it
    ARRIVES,  # city, payoff
    BUYS,  # railroad, price, group or -1
    ENGINE,  # engine, price
    SELLS_BACK,  # railroad, amount
    BIDS,  # railroad, amount
    PASSES,  # railroad
    AUCTIONED,  # railroad, amount, buyer; of the seller, -1 for the bank
    NO_BID,  # railroad
    GIVEN,  # railroad; to the third owner
    FEES_RISE,
    FEES_FALL,
    ESTABLISHED,  # railroad, fee
    PAYS_BANK,  # amount
    PAYS_FEE,  # amount, to
    GETS_SHARE,  # amount; of the third owner's fee
    SELLS_ENGINE,  # engine, amount
    BANKRUPT,  # rest cash
    ANNOUNCES,  # cash, or net worth
    DECLARES,
    UNDECLARED,
    CATCHES,  # whom, amount
    WINS,  # cash
) = range(35)

WHITE, COLOURED = 0, 1
