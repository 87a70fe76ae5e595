"""Options of the rules as data: what each switches, what it needs, and what contradicts what."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from mapkit.errors import RulesError, did_you_mean
from mapkit.model.base import Frozen, Slug

Value = bool | int | str | None
"""The value of a single setting."""

Row = Annotated[str, Field(pattern=r"^(RB-[A-Z]|D|G)\d\d$")]
"""The id of a rule, of a disagreement (D) or of a gap (G)."""


class Option(Frozen):
    """Something that can be switched on, by one name."""

    id: Slug
    title: str = Field(description="What it does, in a few words")
    rows: tuple[Row, ...] = Field(min_length=1)
    settings: tuple[tuple[str, Value], ...] = Field(default=(), description="Setting -> value")
    includes: tuple[Slug, ...] = Field(default=(), description="Options that it switches on too; then it is a bundle")
    needs: tuple[Slug, ...] = Field(default=(), description="Options without which it means nothing")
    amount: str | None = Field(
        default=None, description="A setting of `settings` whose value may be given: `extra-cash=10000`"
    )


class Condition(Frozen):
    """Something that holds of one setting."""

    setting: str
    test: Literal["is", "is-not", "at-least", "at-most"]
    value: Value

    def holds(self, found: object) -> bool:
        """Return whether it holds where the setting is `found`."""
        match self.test:
            case "is":
                return found == self.value
            case "is-not":
                return found != self.value
            case "at-least":
                return isinstance(found, int) and isinstance(self.value, int) and found >= self.value
            case "at-most":
                return isinstance(found, int) and isinstance(self.value, int) and found <= self.value


class Relation(Frozen):
    """A dependency, or an exclusion, between settings: where all of `when` hold, `must` has to."""

    rows: tuple[Row, ...] = Field(min_length=1)
    when: tuple[Condition, ...] = Field(min_length=1)
    must: Condition
    why: str


def _option(ident: str, title: str, rows: str, *settings: tuple[str, Value], **more: object) -> Option:
    return Option.model_validate(
        {"id": ident, "title": title, "rows": tuple(rows.split()), "settings": settings} | more
    )


_TABLE = "options.superchief_prices"

_LIST: tuple[Option, ...] = (
    # Options that the rule books offer as such.
    _option(
        "half-time",
        "half-time play: software lookup, SuperChief by players, free upgrade, rich start",
        "RB-V14 RB-X06 D32",
        includes=("software-lookup", "superchief-by-players", "free-upgrade", "rich-start"),
    ),
    _option(
        "rich-start",
        "extra cash at the start, spent at auctions of random railroads",
        "RB-V12 RB-V13 RB-V14",
        includes=("extra-cash", "opening-auctions"),
    ),
    _option(
        "software-lookup",
        "destinations and payoffs are looked up by software",
        "RB-D08 RB-V14",
        ("options.software_lookup", True),
    ),
    _option(
        "superchief-by-players",
        "SuperChief costs less with more players, by the table of the rules in use",
        "RB-V08 RB-V14",
        ("options.superchief_by_players", True),
    ),
    _option(
        "superchief-by-players-ah",
        "SuperChief by players, from three players on (Avalon Hill)",
        "RB-V08 D17",
        ("options.superchief_by_players", True),
        (f"{_TABLE}.two", None),
        (f"{_TABLE}.three", 40_000),
        (f"{_TABLE}.four", 36_000),
        (f"{_TABLE}.five", 32_000),
        (f"{_TABLE}.six", 28_000),
    ),
    _option(
        "superchief-by-players-ici",
        "SuperChief by players, from two players on (Intersystem Concepts)",
        "RB-V08 D17",
        ("options.superchief_by_players", True),
        (f"{_TABLE}.two", 40_000),
        (f"{_TABLE}.three", 40_000),
        (f"{_TABLE}.four", 36_000),
        (f"{_TABLE}.five", 32_000),
        (f"{_TABLE}.six", 28_000),
    ),
    _option("free-upgrade", "Express becomes SuperChief at no price", "RB-V11 D18", ("options.free_upgrade", True)),
    _option(
        "extra-cash",
        "extra starting cash, as agreed",
        "RB-V12",
        ("options.extra_starting_cash", 20_000),
        amount="options.extra_starting_cash",
    ),
    _option(
        "opening-auctions",
        "a random railroad is auctioned for each player before the first trip",
        "RB-V13",
        ("options.opening_auctions", True),
    ),
    _option("group-purchase", "merged railroads may be bought together", "RB-V01", ("group_purchase.enabled", True)),
    _option("net-worth", "net worth wins in place of cash", "RB-V09 RB-V10", ("net_worth.enabled", True)),
    _option(
        "two-players",
        "an imaginary third owner joins two players",
        "RB-T01 RB-C20 G03",
        ("two_players.third_owner", True),
        ("setup.min_players", 2),
    ),
    _option(
        "balanced-fees",
        "the third owner's fees are split evenly between the bank and the other player",
        "RB-T06",
        ("two_players.fee_to_bank_percent", 50),
        needs=("two-players",),
    ),
    _option(
        "unlimited-reuse",
        "track may be used again without limit",
        "RB-M07 RB-V17",
        ("movement.segment_reuse", "unlimited"),
    ),
    # Choices in which the rule sets differ: each side can be had under any of them.
    _option("own-track-free", "riding one's own railroads is free", "RB-F03 RB-V16 D01", ("fees.own", 0)),
    _option("own-track-pays", "riding one's own railroads costs the bank fee", "RB-F03 D01", ("fees.own", 1_000)),
    _option(
        "same-home-allowed", "several players may have one home city", "RB-S07 D02", ("setup.same_home", "allowed")
    ),
    _option(
        "same-home-reroll",
        "a home city that is taken is rolled again",
        "RB-S07 RB-S08 D02",
        ("setup.same_home", "reroll"),
    ),
    _option("home-swap", "home and first destination may be exchanged", "RB-S11 RB-S12 D03", ("setup.home_swap", True)),
    _option("no-home-swap", "home and first destination stay as rolled", "RB-S11 D03", ("setup.home_swap", False)),
    _option(
        "bonus-with-roll",
        "SuperChief's bonus die is rolled with the others",
        "RB-B05 D04",
        ("bonus.superchief_timing", "with-normal-roll"),
    ),
    _option(
        "bonus-after-move",
        "SuperChief's bonus die is rolled after the move",
        "RB-B05 D04",
        ("bonus.superchief_timing", "after-normal-move"),
    ),
    _option(
        "bonus-either-way",
        "SuperChief's owner chooses when to roll the bonus die",
        "RB-B05 D04",
        ("bonus.superchief_timing", "either"),
    ),
    _option("thinking-allowed", "a player may think after the roll", "RB-M02 D05", ("movement.thinking", "allowed")),
    _option("no-thinking", "a player moves at once after the roll", "RB-M02 D05", ("movement.thinking", "forbidden")),
    _option(
        "thinking-not-enforced",
        "moving at once is asked for, not enforced",
        "RB-M02 D05",
        ("movement.thinking", "not-enforced"),
    ),
    _option("no-take-back", "a move stands once the pawn moved", "RB-M03 D06", ("movement.take_back", "never")),
    _option(
        "take-back", "a move may be redone until fees are paid", "RB-M03 D06", ("movement.take_back", "until-fees")
    ),
    _option(
        "take-back-until-lifted",
        "a move may be planned until the pawn is lifted, then goes on without a stop",
        "RB-M03 D06",
        ("movement.take_back", "until-pawn-lifted"),
    ),
    _option(
        "bids-raise-by-step", "a bid is higher by the step or more", "RB-A06 D07", ("auction.bid_rule", "at-least-step")
    ),
    _option(
        "bids-in-multiples",
        "a bid is higher and a multiple of the step",
        "RB-A06 D07",
        ("auction.bid_rule", "multiple-of-step"),
    ),
    _option("pass-may-return", "who passed may bid again", "RB-A08 D08", ("auction.passing", "may-return")),
    _option(
        "auctioned-old-fee",
        "trains on an auctioned railroad keep the old fee",
        "RB-A13 D09",
        ("auction.others_on_it", "former-fee"),
    ),
    _option(
        "auctioned-full-fee",
        "trains on an auctioned railroad pay the full fee",
        "RB-A13 D09",
        ("auction.others_on_it", "full-fee"),
    ),
    _option("seller-rides-free", "the seller's ride on it is free", "RB-A14 D10", ("auction.seller_ride", "free")),
    _option(
        "seller-pays-bank-fee",
        "the seller's ride on it costs the bank fee",
        "RB-A14 D10",
        ("auction.seller_ride", "bank-fee"),
    ),
    _option(
        "bankrupt-cash-to-bank",
        "a bankrupt's rest cash goes to the bank",
        "RB-A16 D11",
        ("auction.bankrupt_cash", "to-bank"),
    ),
    _option("bankrupt-keeps-cash", "a bankrupt keeps the rest cash", "RB-A16 D11", ("auction.bankrupt_cash", "kept")),
    _option(
        "sell-out-by-bank",
        "fees rise when the bank holds no private railroad",
        "RB-F06 D12",
        ("fees.sell_out", "bank-sold-out"),
    ),
    _option(
        "sell-out-all-bought",
        "fees rise when each railroad was bought at some time",
        "RB-F06 D12",
        ("fees.sell_out", "all-bought-once"),
    ),
    _option(
        "announce-on-reaching",
        "cash is announced on reaching the level",
        "RB-I01 D13",
        ("information.announce_when", "reached"),
    ),
    _option(
        "announce-above",
        "cash is announced only above the level",
        "RB-I01 D13",
        ("information.announce_when", "exceeded"),
    ),
    _option(
        "announce-once",
        "cash is announced at the first crossing only",
        "RB-I02 D13",
        ("information.announce_times", "once"),
    ),
    _option(
        "announce-always",
        "cash is announced whenever it is at the level",
        "RB-I02 D13",
        ("information.announce_times", "whenever"),
    ),
    _option(
        "reuse-whole-trip",
        "a caught player may reuse any segments of the trip",
        "RB-W21 D14",
        ("winning.reuse_to_alternate", "segments-of-trip"),
    ),
    _option(
        "reuse-heading-home",
        "a caught player may reuse only segments used while heading home",
        "RB-W21 D14",
        ("winning.reuse_to_alternate", "segments-heading-home"),
    ),
    _option(
        "same-alternate-loses-turn",
        "an alternate equal to the current city loses the turn",
        "RB-W06 D15",
        ("winning.same_alternate_loses_turn", True),
    ),
    _option(
        "fees-before-home-bonus",
        "fees are reckoned before a bonus that is due at home",
        "RB-W10 RB-B13 D16",
        ("winning.bonus_pending_at_home", "fees-first"),
    ),
    _option(
        "home-bonus-before-fees",
        "a bonus that is due at home is moved before any fee",
        "RB-W10 D16",
        ("winning.bonus_pending_at_home", "bonus-first"),
    ),
    _option(
        "three-dice-start", "the highest of three dice goes first", "RB-S04 D19", ("setup.first_player", "three-dice")
    ),
    _option("high-roll-start", "the highest roll goes first", "RB-S04 D19", ("setup.first_player", "high-roll")),
    _option(
        "chip-at-destination",
        "one chip stands at home, one at the destination",
        "RB-S09 D20",
        ("setup.markers", "chip-at-home-and-destination"),
    ),
    _option("both-chips-at-home", "both chips stand at home", "RB-S09 D20", ("setup.markers", "both-chips-at-home")),
    _option("freight-card", "Freight has a card of its own", "RB-C15 RB-S02 D21", ("setup.freight_card", True)),
)

OPTIONS: Mapping[str, Option] = {option.id: option for option in _LIST}
"""Every option by id; those that the rule books offer as options first, then sides of their disagreements."""


def _when(setting: str, value: Value, test: Literal["is", "is-not", "at-least", "at-most"] = "is") -> Condition:
    return Condition(setting=setting, test=test, value=value)


RELATIONS: tuple[Relation, ...] = (
    Relation(
        rows=("RB-P06", "RB-V11", "D18"),
        when=(_when("options.free_upgrade", value=True),),
        must=_when("purchase.express_trade_in", 0),
        why="an upgrade at no price leaves nothing to take off the price",
    ),
    Relation(
        rows=("RB-T01", "RB-C20"),
        when=(_when("two_players.third_owner", value=True),),
        must=_when("setup.min_players", 2),
        why="the third owner is for games of two",
    ),
    Relation(
        rows=("RB-V09", "RB-T01"),
        when=(_when("net_worth.enabled", value=True), _when("two_players.third_owner", value=True)),
        must=_when("net_worth.target.two", None, "is-not"),
        why="no source gives the net worth that wins with two players; set it, or leave out one of the two",
    ),
    Relation(
        rows=("RB-V09", "RB-V10"),
        when=(_when("net_worth.enabled", value=True), _when("setup.max_players", 2)),
        must=_when("net_worth.target.two", None, "is-not"),
        why="no source gives the net worth that wins with two players",
    ),
    Relation(
        rows=("RB-V01",),
        when=(_when("group_purchase.enabled", value=True),),
        must=_when("group_purchase.groups", None, "is-not"),
        why="there must be a group to buy",
    ),
    Relation(
        rows=("RB-B03", "RB-B05", "D04"),
        when=(_when("bonus.superchief_timing", "after-normal-move", "is-not"),),
        must=_when("bonus.superchief", "always"),
        why="a bonus die can be rolled with the others only where it is earned on every turn",
    ),
    Relation(
        rows=("RB-B01", "RB-M01"),
        when=(_when("bonus.freight", "always", "is-not"),),
        must=_when("movement.dice", 2, "at-least"),
        why="a double needs two dice",
    ),
    Relation(
        rows=("RB-B02", "RB-M01"),
        when=(_when("bonus.express", "always", "is-not"),),
        must=_when("movement.dice", 2, "at-least"),
        why="a double needs two dice",
    ),
    Relation(
        rows=("RB-B01", "RB-C18"),
        when=(_when("bonus.freight", "double-six"),),
        must=_when("movement.die_sides", 6, "at-least"),
        why="a double six needs dice with a six",
    ),
)
"""What must hold between settings; anything else contradicts itself."""


def contradictions(settings: Mapping[str, object]) -> list[str]:
    """Return what contradicts itself in settings (dotted path -> value); each message names both sides."""
    out = []
    for relation in RELATIONS:
        sides = [*relation.when, relation.must]
        if all(c.holds(settings.get(c.setting)) for c in relation.when) and not relation.must.holds(
            settings.get(relation.must.setting)
        ):
            shown = [f"{c.setting} = {shown_value(settings.get(c.setting))}" for c in sides]
            out.append(
                f"{' with '.join(shown[:-1])} contradicts {shown[-1]}: {relation.why} ({', '.join(relation.rows)})"
            )
    return out


def option_settings(names: Iterable[str], *, given: Mapping[str, object]) -> dict[str, Value]:
    """Return the settings that options switch, dotted path -> value.

    Args:
        names: Option ids, some with an amount: `extra-cash=10000`.
        given: Single settings that are given beside the options.

    Raises:
        RulesError: An option is unknown, an amount is no number, or two of them, or an option and a given
            setting, want different values of one setting.
    """
    wanted: dict[str, tuple[Value, str]] = {}
    usual: dict[str, Value] = {}
    problems: list[str] = []
    for name in names:
        ident, _, amount = str(name).partition("=")
        if ident not in OPTIONS:
            problems.append(f"no option {ident!r}{did_you_mean(ident, OPTIONS) or '; mapkit rules show lists them'}")
            continue
        if "=" in str(name) and (OPTIONS[ident].amount is None or not amount.isdecimal() or not amount.isascii()):
            with_amount = ", ".join(o.id for o in OPTIONS.values() if o.amount)
            problems.append(f"option {name!r}: options with an amount are {with_amount}, as in extra-cash=10000")
            continue
        for path, value, own_amount in _expanded(ident, amount):
            if own_amount:
                usual.setdefault(path, value)
            elif path in wanted and wanted[path][0] != value:
                problems.append(
                    f"option {wanted[path][1]} contradicts option {name}: {path} would be "
                    f"{shown_value(wanted[path][0])} and {shown_value(value)}; leave one out"
                )
            elif path in given and given[path] != value:
                problems.append(
                    f"option {name} contradicts {path} = {shown_value(given[path])}: it sets {shown_value(value)}; "
                    "leave one out"
                )
            else:
                wanted.setdefault(path, (value, str(name)))
    if problems:
        raise RulesError(problems)
    agreed = {path: value for path, value in usual.items() if path not in wanted and path not in given}
    return dict(sorted((agreed | {path: value for path, (value, _) in wanted.items()}).items()))


def _expanded(ident: str, amount: str = "") -> Iterable[tuple[str, Value, bool]]:
    """Yield setting, value, and whether the value is only the usual amount, of an option and those it includes."""
    option = OPTIONS[ident]
    for path, value in option.settings:
        if path == option.amount and amount:
            yield path, int(amount[:12]), False
        else:
            yield path, value, path == option.amount
    for inner in option.includes:
        yield from _expanded(inner)


def missing_needs(names: Iterable[str], settings: Mapping[str, object]) -> list[str]:
    """Return a message for each option that needs another one which is not on in the resulting `settings`."""
    idents = [str(name).partition("=")[0] for name in names]
    return [
        f"option {ident} needs option {needed}; add it, or leave {ident} out"
        for ident in idents
        for needed in OPTIONS[ident].needs
        if not is_on(needed, settings)
    ]


def is_on(ident: str, settings: Mapping[str, object]) -> bool:
    """Return whether all that an option switches is so in `settings`; any amount but zero counts."""
    return all(
        bool(settings.get(path)) if usual else settings.get(path) == value for path, value, usual in _expanded(ident)
    )


def switches(ident: str) -> dict[str, Value]:
    """Return the settings that an option switches -> the value; of an amount its usual one."""
    return {path: value for path, value, _ in _expanded(ident)}


def option_exclusions() -> tuple[tuple[str, str, str], ...]:
    """Return the pairs of options that contradict each other, with the setting that both want."""
    ids = sorted(OPTIONS)
    out = []
    for i, one in enumerate(ids):
        mine = {path: value for path, value, usual in _expanded(one) if not usual}
        for other in ids[i + 1 :]:
            theirs = {path: value for path, value, usual in _expanded(other) if not usual}
            clash = sorted(path for path in mine.keys() & theirs.keys() if mine[path] != theirs[path])
            if clash:
                out.append((one, other, clash[0]))
    return tuple(out)


def shown_value(value: object) -> str:
    """Return a value as messages show it: `1,000`, `on`, `'free'`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "not given"
    return f"{value:,}" if isinstance(value, int) else repr(value)
