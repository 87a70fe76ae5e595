"""Options switch what they say, contradictions name both sides, gaps say that they are gaps."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.errors import GapError, RulesError
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.active_options import options_on, own_settings
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.diff import diff_rules
from mapkit.kinds.rail.rules.gaps import figure, gaps, net_worth_to_win
from mapkit.kinds.rail.rules.options import is_on, option_exclusions, option_values
from mapkit.kinds.rail.rules.paths import flatten_nested, get_setting, setting_paths
from mapkit.kinds.rail.rules.rules import PRESETS, Rules, half_time, preset


def flat(rules: Rules) -> dict[str, object]:
    return flatten_nested(rules.model_dump())


def needed(ident: str) -> list[str]:
    return [*book.options()[ident].needs, ident]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("ident", book.options())
def test_an_option_sets_what_it_says_and_nothing_else(name: str, ident: str) -> None:
    before = preset(name)
    after = apply_rule_changes(before, options_on=needed(ident))
    expected = {path: value for one in needed(ident) for path, value in option_values(one).items()}
    assert flat(after) == flat(before) | expected
    assert is_on(ident, flat(after))
    assert apply_rule_changes(after, options_on=needed(ident)) == after
    assert set(expected) <= set(setting_paths(Rules))


def test_options_of_the_rule_books() -> None:
    """RB-V08, RB-V11 to RB-V14, RB-T01, RB-F03, exact."""
    on = apply_rule_changes(Rules(), options_on=["half-time"])
    assert on == half_time(Rules())
    assert [on.superchief_price(n) for n in (2, 3, 4, 5, 6)] == [40_000, 40_000, 36_000, 32_000, 28_000]
    assert on.options.extra_starting_cash == 20_000
    less = apply_rule_changes(Rules(), options_on=["extra-cash=10000", "half-time"])
    assert less.options.extra_starting_cash == 10_000
    assert apply_rule_changes(Rules(), {"options.extra_starting_cash": 5}, options_on=["half-time"]) == half_time(
        Rules(), extra_cash=5
    )
    both = apply_rule_changes(Rules(), options_on=["superchief-by-players-ici"])
    assert both.options.superchief_prices.two == 40_000
    assert apply_rule_changes(both, options_on=["superchief-by-players-ah"]).options.superchief_prices.two is None
    two = apply_rule_changes(preset("ici"), options_on=["two-players", "balanced-fees"]).two_players
    assert (two.third_owner, two.first_gift_after, two.gift_every, two.fee_to_bank_percent) == (True, 4, 2, 50)


@given(
    name=st.sampled_from(PRESETS),
    idents=st.lists(st.sampled_from(sorted(book.options())), max_size=5, unique=True),
    data=st.data(),
)
def test_the_order_of_options_does_not_matter(name: str, idents: list[str], data: Any) -> None:
    other = data.draw(st.permutations(idents))

    def outcome(order: list[str]) -> Rules | set[str]:
        try:
            return apply_rule_changes(preset(name), options_on=order)
        except RulesError:
            return {"refused"}

    assert outcome(idents) == outcome(other)


def refusal(names: list[str]) -> str | None:
    try:
        apply_rule_changes(Rules(), options_on=names)
    except RulesError as error:
        return str(error)
    return None


def test_pairs_of_options_compose_or_are_refused_naming_both() -> None:
    excluded = {(one, other) for one, other, _ in option_exclusions()}
    refused = set()
    for one, other in itertools.combinations(sorted(book.options()), 2):
        names = sorted({*needed(one), *needed(other)})
        message = refusal(names)
        if message is None:
            continue
        refused.add((one, other))
        if (one, other) in excluded:
            assert one in message
            assert other in message
        else:
            assert " contradicts " in message
            assert "no source gives" in message
    # beside those that set one thing differently: net worth has no figure for two
    assert refused - excluded == {("balanced-fees", "net-worth"), ("net-worth", "two-players")}
    assert excluded <= refused
    assert ("own-track-free", "own-track-pays") in excluded
    assert len(excluded) == 24


def test_single_settings_come_last_but_may_not_contradict() -> None:
    got = apply_rule_changes(Rules(), {"fees.own": 500, "net_worth.target": {"two": 350_000}}, preset="ici")
    assert (got.fees.own, got.net_worth.target.two, got.net_worth.target.three) == (500, 350_000, 300_000)
    assert got.preset == "ici"
    assert own_settings(got) == (("fees.own", 500), ("net_worth.target", got.net_worth.target))
    with pytest.raises(
        RulesError, match=r"option own-track-free contradicts fees\.own = 500: it sets 0; leave one out"
    ):
        apply_rule_changes(Rules(), {"fees.own": 500}, options_on=["own-track-free"])
    assert apply_rule_changes(Rules(), {"fees.own": 0}, options_on=["own-track-free"]).fees.own == 0


@pytest.mark.parametrize(
    ("changes", "options", "name", "message"),
    [
        ({}, ["half-tme"], None, "no option 'half-tme' (did you mean 'half-time'?)"),
        ({}, ["half-time=3"], None, "options with an amount are extra-cash, as in extra-cash=10000"),
        ({}, ["extra-cash=-3"], None, "option 'extra-cash=-3'"),
        ({}, ["extra-cash=" + "9" * 40], None, "options.extra_starting_cash is 999999999999: write"),
        ({}, ["extra-cash=1", "extra-cash=2"], None, "option extra-cash=1 contradicts option extra-cash=2"),
        ({}, ["balanced-fees"], None, "option balanced-fees needs option two-players; add it"),
        ({"own": 3}, [], None, "no setting 'own' in the rules (did you mean 'fees.own'?)"),
        ({"fees.bnk": 3}, [], None, "(did you mean 'fees.bank'?)"),
        ({"fees.own": -1}, [], None, "fees.own is -1: write 0 or more"),
        ({"fees.sell_out": "x"}, [], None, "fees.sell_out is 'x': write 'bank-sold-out'"),
        ({"preset": "ici"}, [], None, "preset is not a single setting"),
        ({}, [], "ich", "there is no rules preset 'ich' (did you mean 'ici'?); presets are ah, ici, ah-faq"),
        (
            {"bonus.superchief": "any-double"},
            [],
            "ici",
            "bonus.superchief_timing = 'with-normal-roll' contradicts bonus.superchief = 'any-double'",
        ),
        (
            {"purchase.express_trade_in": 4_000},
            ["free-upgrade"],
            None,
            "options.free_upgrade = on contradicts purchase.express_trade_in = 4,000",
        ),
        ({"setup.min_players": 3}, ["two-players"], None, "option two-players contradicts setup.min_players = 3"),
        ({"movement.dice": 1}, [], None, "bonus.freight = 'double-six' contradicts movement.dice = 1"),
        ({"movement.die_sides": 4}, [], None, "bonus.freight = 'double-six' contradicts movement.die_sides = 4"),
        ({"group_purchase.groups": ()}, ["group-purchase"], None, "group_purchase.enabled = on contradicts"),
    ],
)
def test_bad_changes_are_refused(
    changes: dict[str, object], options: list[str], name: str | None, message: str
) -> None:
    with pytest.raises(RulesError) as caught:
        apply_rule_changes(Rules(), changes, options_on=options, preset=name)
    assert message in str(caught.value)


def test_every_relation_is_about_settings_and_holds_in_the_presets() -> None:
    for relation in book.relations():
        for condition in (*relation.when, relation.must):
            assert condition.setting in setting_paths(Rules)
        assert relation.why
    for name in PRESETS:
        preset(name)


def test_options_in_a_list_are_what_the_table_says() -> None:
    """`[rules]` of board.toml: a list of options, or the table of single ones."""
    listed = Rules.model_validate({"preset": "ici", "options": ["half-time"], "fees": {"own": 500}})
    assert listed == apply_rule_changes(preset("ici"), {"fees.own": 500}, options_on=["half-time"])
    table = Rules.model_validate({"preset": "ici", "options": {"free_upgrade": True}})
    assert table == Rules.model_validate({"preset": "ici", "options": ["free-upgrade"]})
    assert options_on(listed) == ("half-time",)
    assert own_settings(listed) == (("fees.own", 500),)


def test_options_on_of_presets_and_bundles() -> None:
    for name in PRESETS:
        assert options_on(preset(name)) == ()
        assert own_settings(preset(name)) == ()
    assert options_on(apply_rule_changes(Rules(), options_on=["rich-start", "home-swap"])) == (
        "rich-start",
        "home-swap",
    )
    less = apply_rule_changes(Rules(), options_on=["rich-start", "extra-cash=5000"])
    assert options_on(less) == ("rich-start",)
    assert own_settings(less) == (("options.extra_starting_cash", 5_000),)


def test_figures_that_no_source_gives() -> None:
    """D17, RB-V09, RB-C15."""
    none = {(name, g.about) for name in PRESETS for g in gaps(preset(name)) if g.kind == "not-given"}
    table, target = "options.superchief_prices.two", "net_worth.target.two"
    assert none == {
        ("ah", table), ("ah-faq", table),
        ("ah", target), ("ici", target), ("ah-faq", target),
        ("ici", "setup.engine_titles"),
        ("ah", "information.home"), ("ah-faq", "information.home"),
        ("ah", "information.cash_lies"), ("ah-faq", "information.cash_lies"),
    }  # fmt: skip
    for name, path in sorted(found for found in none if not found[1].startswith("information")):
        with pytest.raises(GapError, match=f"{path} has no figure under {name}: "):
            figure(preset(name), path)
    assert figure(preset("ici"), table) == 40_000
    with pytest.raises(GapError, match="no figure for 2 players: RB-V09: the table starts at three players"):
        net_worth_to_win(Rules(), 2)
    assert [net_worth_to_win(Rules(), n) for n in (3, 4, 5, 6)] == [300_000, 250_000, 225_000, 200_000]
    mine = apply_rule_changes(Rules(), {target: 350_000})
    assert net_worth_to_win(mine, 2) == figure(mine, target) == 350_000
    with pytest.raises(RulesError, match="did you mean"):
        figure(Rules(), "fees.owm")


def test_assumed_values_are_marked_until_the_author_says_otherwise() -> None:
    assumed = {g.about for g in gaps(Rules()) if g.kind == "assumed"}
    assert "auction.bankrupt_cash" in assumed
    changed = apply_rule_changes(Rules(), options_on=["bankrupt-cash-to-bank"])
    assert assumed - {g.about for g in gaps(changed)} == {"auction.bankrupt_cash"}
    assert all(g.why for g in gaps(Rules()))


def test_the_difference_of_presets_reads_like_the_table_of_disagreements() -> None:
    found = diff_rules(preset("ah"), preset("ici"), names=("ah", "ici"), symbol="$")
    rows = {(d.disagreement, d.matter): (d.a, d.b) for d in found.differences}
    assert [d.disagreement for d in found.differences] == [
        "D01", "D02", "D03", "D04", "D05", "D07", "D10", "D11", "D12", "D13", "D13", "D14", "D17", "D19", "D20", "D21",
        "D21", "", "",
    ]  # fmt: skip
    assert rows["D01", "fee for own railroads"] == ("$1,000", "none")
    assert rows["D11", "cash of a bankrupt"] == ("kept (assumed)", "to the bank")
    assert rows["D17", "table of SuperChief's price"] == ("2 players: not given", "2 players: $40,000")
    assert rows["D20", "chips at the start"] == ("both at home", "one at home, one at the destination")
    faq = diff_rules(preset("ah"), preset("ah-faq"), names=("ah", "ah-faq"))
    assert [d.disagreement for d in faq.differences] == ["D04", "D05", "D06", "D09", "D12", "D13"]
    assert diff_rules(Rules(), Rules(), names=("a", "b")).differences == ()


@given(st.sampled_from(setting_paths(Rules)))
def test_changing_nothing_changes_nothing(path: str) -> None:
    for name in PRESETS:
        rules = preset(name)
        if path != "preset":
            assert apply_rule_changes(rules, {path: get_setting(rules, path)}) == rules
