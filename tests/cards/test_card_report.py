"""Reports on card games: against figures reckoned by hand, and by brute force."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from cardgames import changed, terms
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st

import mapkit
from mapkit.core.errors import ChoiceError
from mapkit.kinds.cards.analysis.report_builder import (
    best_incomes,
    cumulative_gains,
    fewest_rounds,
    income_for,
    make_card_report,
    pays_after,
    starting_capitals,
)
from mapkit.kinds.cards.playing.study import CardTable, play_outcomes
from mapkit.kinds.cards.playing.terms import CardTerms, Side

ROUNDS = 20


@pytest.fixture(scope="module")
def report() -> mapkit.CardReport:
    return make_card_report(CardTable(terms(), ("greedy", "greedy"), 1), ROUNDS)


def face(name: str) -> Side:
    return next(side for side in terms().sides if side.id == name)


def test_a_railroad_pays_when_it_has_earned_its_cost() -> None:
    """BA-C12 and after: 200 at 80 a round pays in the third, 600 at 230 in the third, 500 at 120 in the fifth."""
    assert [pays_after(face(name)) for name in ("b-2", "b-3", "c-3", "f-5", "h-6", "ik-8a", "ik-8b")] == [
        2, 4, 3, 5, 3, 3, 4,
    ]  # fmt: skip
    assert cumulative_gains(face("c-3"), 4) == (-120, -40, 40, 120)
    assert pays_after(Side("none", 0, 2, 100, 0, 0)) is None


def test_capital_is_ten_values_at_the_lowest_and_the_highest_start() -> None:
    """BA-B09, BA-B12: 70 to 100, ten times."""
    assert starting_capitals(terms()) == (700, 1000)


def test_the_quickest_game_waits_for_the_first_railroad_but_with_the_450_investor() -> None:
    """From 100 there are eleven lines to 350 on the example ladder; from 70 fourteen (BA-O08)."""
    values = terms().values
    up = terms().end - values.index(100)
    assert fewest_rounds(terms()) == (up, 1 + terms().end - values.index(70))
    assert fewest_rounds(terms("caminhos"))[0] == 1 + terms("caminhos").end - max(terms("caminhos").starts)
    assert fewest_rounds(changed("market", dividend_up=0)) == (0, 0)
    assert fewest_rounds(changed("disputes", end="pair"))[0] == 2 * -(-up // 2)


def test_most_that_a_holding_earns() -> None:
    """MS&C: six operators; one railroad of 300 and five in the network, 350; six of 300, 1,800 (BA-O05, BA-O06)."""
    assert best_incomes(terms(), 0) == (0, 350, 640, 930, 1220, 1510, 1800)
    assert [len(best_incomes(terms(), at)) - 1 for at in range(5)] == [6, 6, 5, 4, 4]


def by_brute_force(of: CardTerms, holding: int, money: int) -> int:
    """Return the most that railroads for so much money earn, by trying every choice of faces."""
    cards = [sides for sort, sides in enumerate(of.of_sort) for _ in range(min(3, of.game.railroads[sort].count))]
    best = 0
    for count in range(min(3, of.operators[holding]) + 1):
        for chosen in combinations(range(len(cards)), count):
            ways = [(0, 0)]
            for at in chosen:
                ways = [(c + of.sides[k].cost, i + of.sides[k].income) for c, i in ways for k in cards[at]]
            best = max([best, *(income for cost, income in ways if cost <= money)])
    return best


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 3), st.integers(0, 2))
def test_what_money_buys_is_what_brute_force_finds(hundreds: int, holding: int) -> None:
    """For at most three cards: no three railroads cost less than 300."""
    money = 100 * hundreds + 50
    assert income_for(terms("caminhos"), holding, money) == by_brute_force(terms("caminhos"), holding, money)


def test_what_a_thousand_buys() -> None:
    """Six operators: three railroads of 100 and two of 300 earn 390, so the best earns no less."""
    found = income_for(terms(), 0, 1000)
    assert found >= 50 * 3 + 120 * 2
    assert found == max(income_for(terms(), 0, money) for money in range(0, 1001, 50))
    assert income_for(terms(), 0, 50) == 0


def test_railroads_run_from_their_level_to_the_one_that_makes_them_obsolete(report: mapkit.CardReport) -> None:
    played = play_outcomes(CardTable(terms(), ("greedy", "greedy"), 1), 0, ROUNDS)
    levels = sorted({side.level for side in terms().sides})
    lives = [one.level_round[levels.index(4)] - one.level_round[levels.index(2)] for one in played]
    row = next(one for one in report.railroads if one.face == "b-2")
    assert row.life.mean == pytest.approx(sum(lives) / len(lives))
    assert row.gain == round(row.life.mean * 50 - 100)
    stays = next(one for one in report.railroads if one.face == "g-5")
    ends = [one.rounds - one.level_round[levels.index(5)] for one in played if one.level_round[levels.index(5)] >= 0]
    assert stays.life.mean == pytest.approx(sum(ends) / len(ends))
    assert all(one.life.low <= one.life.mean <= report.length.rounds.mean + 1 for one in report.railroads)


def test_who_has_the_450_investor_has_a_certificate_of_400_and_a_railroad_of_100(report: mapkit.CardReport) -> None:
    """BA-C28: the Director's certificate, 40 per cent, at 100, and a railroad of level 2."""
    row = next(one for one in report.investors if one.investor == "i450")
    assert (row.face, row.at_once) == (450, 500)
    assert row.wins.of == row.ahead.of > 0
    i30 = next(one for one in report.investors if one.investor == "i30")
    assert (i30.at_once, i30.each_round, i30.each_railroad, i30.discount) == (0, 0, 0, 0)


def test_listed_abilities_have_their_figures() -> None:
    """D49, as listed: $10 for each railroad, $20 once, a fifth off new railroads."""
    rows = make_card_report(CardTable(changed("disputes", abilities="listed"), ("random", "random"), 1), 1).investors
    assert sorted((one.each_railroad, one.each_round, one.discount) for one in rows)[-3:] == [
        (0, 0, 20), (0, 20, 0), (10, 0, 0),
    ]  # fmt: skip


def test_the_command_reports(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("report", "caminhos", "--games", "4")
    assert found.code == 0, found.err
    assert "by play: 4 games of two greedy players, seed 1" in found.out
    assert "Companhia do Douro" in found.out
    data = json.loads(run("report", "caminhos", "--games", "4", "--json").out)
    assert data == json.loads(mapkit.card_report("caminhos", games=4).model_dump_json())
    assert [row["pays_after"] for row in data["railroads"][:4]] == [2, 2, 2, 3]
    assert "did you mean 'planner'" in run("report", "barons", "--policy", "planer").err
    with pytest.raises(ChoiceError, match="0 games"):
        mapkit.card_report("barons", games=0)
    assert not list(tmp_path.iterdir())
