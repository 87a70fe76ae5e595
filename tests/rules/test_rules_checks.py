"""The checks of the rules against a board (V01 to V06)."""

import json
from collections.abc import Mapping

import pytest
from conftest import REPOSITORY
from tiny import tiny_board

import mapkit
from mapkit.core.findings import Finding
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.checks.rules import CHECKS
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.rules import Group

FACTS = REPOSITORY.parent / "shared" / "facts" / "usa_classic.json"


def ruled(board: Board, changes: Mapping[str, object], *options: str) -> Board:
    return board.model_copy(update={"rules": apply_rule_changes(board.rules, changes, options_on=options)})


def found(board: Board) -> list[tuple[str, str]]:
    return [(f.code, f.message) for f in run_checks(board, checks=CHECKS).findings]


def priced(board: Board, ident: str, price: int) -> Board:
    railroads = tuple(r.model_copy(update={"price": price}) if r.id == ident else r for r in board.railroads)
    return board.model_copy(update={"railroads": railroads})


def test_each_of_the_six_groups_costs_the_sum_of_its_members(usa: Board) -> None:
    """RB-V02 to RB-V07: exact prices; and V01 holds each of them against the board's list prices."""
    groups = {g.name: (g.members, g.price) for g in usa.rules.group_purchase.groups}
    assert groups == {
        "Penn Central": (("nyc", "nynhh", "pa"), 62_000),
        "Friendly": (("acl", "ln", "sal"), 44_000),
        "C & O": (("bo", "co"), 44_000),
        "Burlington Northern": (("cbq", "gn", "np"), 51_000),
        "Illinois Central Gulf": (("gmo", "ic"), 26_000),
        "MP and T & P": (("mp", "tp"), 31_000),
    }
    assert found(usa) == []
    for members, price in groups.values():
        for member in members:
            (old,) = [r.price for r in usa.railroads if r.id == member]
            (finding,) = run_checks(priced(usa, member, old + 1_000), checks=CHECKS).findings
            assert (finding.code, finding.severity, finding.elements) == ("V01", "warning", members)
            assert finding.data == {"price": price, "sum": price + 1_000}
            assert finding.place.file == "railroads.csv"


def test_the_groups_cost_what_the_facts_say(usa: Board) -> None:
    if not FACTS.is_file():
        pytest.skip(f"{FACTS} is not there")
    price = {r["id"]: r["price"] for r in json.loads(FACTS.read_text(encoding="utf-8"))["railroads"]}
    short = {r.id: r.short for r in usa.railroads}
    sums = [sum(price[short[m]] for m in g.members) for g in usa.rules.group_purchase.groups]
    assert sums == [62_000, 44_000, 44_000, 51_000, 26_000, 31_000]


def test_a_dearer_pennsylvania_is_reported_with_the_sum(usa: Board) -> None:
    ((code, message),) = found(priced(usa, "pa", 48_000))
    assert code == "V01"
    assert message == (
        "Penn Central costs 62,000, but its members' list prices (NYC 28,000, NYNH&H 4,000, PA 48,000) add up to "
        "80,000; correct the group or a list price, or accept this"
    )


def test_groups_of_another_board_are_passed_over_until_they_may_be_bought() -> None:
    tiny = tiny_board()
    assert found(tiny) == []
    codes = found(ruled(tiny, {}, "group-purchase"))
    assert [code for code, _ in codes] == ["V02"] * 6
    assert "Penn Central contains railroads that are not on this board: nyc, nynhh, pa; replace" in "".join(
        codes[k][1] for k in (-1, 0, 4)
    )
    own = (Group(name="Rainbow", members=("blue", "red"), price=16_000),)
    assert found(ruled(tiny, {"group_purchase.groups": own}, "group-purchase")) == []


def test_a_public_member_is_never_sold() -> None:
    tiny = tiny_board()
    railroads = tuple(r.model_copy(update={"public": r.id == "green"}) for r in tiny.railroads)
    board = tiny.model_copy(update={"railroads": railroads})
    own = (Group(name="Rainbow", members=("green", "red"), price=18_000),)
    board = ruled(board, {"group_purchase.groups": own}, "group-purchase")
    ((code, message),) = found(board)
    assert code == "V02"
    assert message.startswith("Rainbow contains public railroads, which are never sold: green;")
    assert found(ruled(board, {"purchase.public_for_sale": True})) == []


def test_homes_for_the_fewest_players() -> None:
    """Four homes on the sketch, as Fir and Gum are twins: enough for three players and a destination, not for four."""
    tiny = tiny_board()

    def codes(changes: dict[str, object], *options: str) -> list[str]:
        return [code for code, _ in found(ruled(tiny, changes, *options))]

    assert codes({"setup.min_players": 3}) == []
    four: dict[str, object] = {"setup.min_players": 4}
    assert codes(four) == ["V03", "V05"]
    assert codes(four | {"setup.twins_are_one_home": False}) == ["V05"]
    assert codes(four, "same-home-allowed") == ["V05"]
    ((_, message), _) = found(ruled(tiny, four))
    assert message.startswith("4 cities are too few for 4 players, who need 5")


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"fees.opponent": 12_000}, (), "falls from 12,000 to 10,000 when the last railroad is sold"),
        ({"setup.starting_cash": 200_000}, (), "players start with 200,000, but 200,000 already wins"),
        ({}, ("extra-cash=180000",), "players start with 200,000, but 200,000 already wins"),
        ({"information.announce_cash": 250_000}, (), "cash is announced from 250,000, but 200,000 already wins"),
        ({"two_players.first_gift_after": 4}, ("two-players",), "only 3 railroads are for sale"),
    ],
)
def test_amounts_in_an_odd_order(changes: dict[str, object], options: tuple[str, ...], message: str) -> None:
    ((_, text),) = found(ruled(tiny_board(), changes, *options))
    assert message in text


def test_net_worth_is_not_held_against_cash() -> None:
    board = ruled(tiny_board(), {"setup.starting_cash": 250_000}, "net-worth")
    assert found(board) == []


def test_a_board_of_one_region() -> None:
    tiny = tiny_board()
    one = tiny.model_copy(update={"regions": tiny.regions[:1]})
    (finding,) = run_checks(one, checks=CHECKS).findings
    assert (finding.code, finding.severity, finding.elements) == ("V06", "note", ("west",))
    assert found(ruled(one, {"destinations.choose_region_when_in_it": False})) == []


def test_a_finding_can_be_accepted(usa: Board) -> None:
    dear = priced(usa, "pa", 48_000)
    (finding,) = run_checks(dear, checks=CHECKS).findings
    assert finding.id == "V01:nyc:nynhh:pa"
    accepted = dear.provenance.model_copy(update={"accepted": {finding.id: "a fair price"}})
    (again,) = run_checks(dear.model_copy(update={"provenance": accepted}), checks=CHECKS).findings
    assert isinstance(again, Finding)
    assert again.accepted == "a fair price"


def test_the_report_on_the_rules_of_a_board() -> None:
    report = mapkit.check_rules("usa", workspace=REPOSITORY)
    assert (report.preset, report.options, report.own, report.findings, report.ok) == ("ah", (), (), (), True)
    assert {gap.about for gap in report.gaps} >= {"net_worth.target.two", "setup.reroll_ties"}
