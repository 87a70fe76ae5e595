"""Prices by play: trials by lot, the search, and what the command prints and writes."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from matches import board_with

from mapkit.core.arrays import Floats, Ints
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.api.playtesting import read_policy, table_of
from mapkit.kinds.rail.api.pricing import price_variant
from mapkit.kinds.rail.model.pricing import Estimate, Pricing, RailroadPrice
from mapkit.kinds.rail.playing import pricing
from mapkit.kinds.rail.playing.trials import Effects, estimate_effects, play_trial_batch
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.kinds.rail.variants.variant import parse_variant
from mapkit.variants.writing import variant_text

PRINTED = np.array([10_000, 20_000, 30_000, 8_000], np.int64)
WORTH = np.array([14_000.0, 15_000.0, 31_000.0, 8_000.0])
ALL = np.ones(4, np.uint8)
MONEY = 1.2e-5


def effects(gain: Floats, *, error: float = 0.001, money: float = MONEY) -> Effects:
    return Effects(10_000, np.ones(4), gain, np.full(4, error), gain, np.full(4, error), money, 1e-7)


def test_effects_are_those_that_the_lot_shows() -> None:
    """Made up: of 3 players, who buys railroad 0 wins 8 points more often, railroad 1 is worth its price."""
    dice = np.random.default_rng(5)
    matches, players, rebate = 200_000, 3, 4_000
    decliner = dice.integers(0, players, (matches, 2))
    favoured = dice.integers(0, players, (matches, 2))
    buyer = (decliner + 1 + dice.integers(0, players - 1, (matches, 2))) % players
    strength = np.zeros((matches, players))
    rows = np.arange(matches)
    strength[rows, buyer[:, 0]] += 0.08
    for railroad in range(2):
        strength[rows, favoured[:, railroad]] += np.where(buyer[:, railroad] == favoured[:, railroad], 0.05, 0)
    chance = 1 / players + strength - strength.mean(axis=1, keepdims=True)
    winner = (dice.random(matches)[:, None] > chance.cumsum(axis=1)).sum(axis=1)
    won = (favoured == winner[:, None]).sum(axis=1)
    found = estimate_effects(
        {
            "matches": np.array([float(matches)]),
            "bought": np.full(2, float(matches)),
            "decliner won": (decliner == winner[:, None]).sum(axis=0, dtype=np.float64),
            "favoured bought": np.array([float((buyer == favoured).sum())]),
            "favoured won": np.array([won.sum(), (won**2).sum()], np.float64),
        },
        players,
        rebate,
    )
    assert found.gain == pytest.approx([0.08, 0.0], abs=3 * found.error.max())
    assert found.error.max() < 0.004
    assert found.right == pytest.approx(found.gain)  # each was bought in each match
    assert found.money == pytest.approx(0.05 / rebate, abs=3 * found.money_error)


def test_the_search_finds_what_railroads_are_worth() -> None:
    """What buying adds need not fall evenly with the price: the second step comes nearer."""

    def measure(prices: Ints, _step: int) -> Effects:
        beyond = MONEY * (WORTH - prices)
        return effects(beyond * (1 + np.abs(beyond)))

    found = pricing.search_prices(measure, PRINTED, ALL, "worth", steps=2, unit=500)
    assert found.prices == pytest.approx(WORTH, abs=300)
    assert found.errors == pytest.approx([83.3] * 4, rel=0.1)
    one = np.array([0, 1, 0, 0], np.uint8)
    asked: list[list[int]] = []

    def noting(prices: Ints, step: int) -> Effects:
        asked.append(prices.tolist())
        return measure(prices, step)

    pricing.search_prices(noting, PRINTED, one, "worth", steps=2, unit=500)
    assert asked == [PRINTED.tolist(), [10_000, 14_500, 30_000, 8_000]]


def test_even_prices_are_found_together() -> None:
    """What one railroad adds depends on the price of the next."""

    def measure(prices: Ints, _step: int) -> Effects:
        return effects(np.asarray(0.05 + MONEY * (WORTH - prices + 0.3 * (np.roll(prices, 1) - np.roll(WORTH, 1)))))

    found = pricing.search_prices(measure, PRINTED, ALL, "even", steps=12, unit=500)
    assert found.prices == pytest.approx(WORTH, abs=400)
    assert found.prices.sum() == pytest.approx(PRINTED.sum())
    assert found.near.tolist() == [14_000, 15_000, 31_000, 8_000]
    free = pricing.search_prices(measure, PRINTED, ALL, "even", steps=30, unit=500, keep_sum=False)
    assert measure(free.near, 0).gain == pytest.approx([0] * 4, abs=0.01)


def test_an_even_price_is_found_where_what_buying_adds_drops_at_once() -> None:
    """As just above the cash that all begin with."""

    def measure(prices: Ints, _step: int) -> Effects:
        return effects(np.where(prices < WORTH, 0.2, -0.3))

    found = pricing.search_prices(measure, PRINTED, ALL, "even", steps=30, unit=500)
    assert found.prices == pytest.approx(WORTH, rel=0.12)


def test_what_is_too_dear_for_anybody_becomes_cheaper_and_does_not_count() -> None:
    def measure(prices: Ints, _step: int) -> Effects:
        gain = np.asarray(MONEY * (WORTH - prices))
        bought = np.where(np.arange(4) == 2, prices < 20_000, 1.0)
        return effects(np.where(bought > 0, gain, np.nan))._replace(bought=bought)

    found = pricing.search_prices(measure, PRINTED, ALL, "even", steps=12, unit=500)
    assert 15_000 < found.prices[2] < 26_000
    dear = np.array([14_000, 15_000, 30_000, 8_000], np.int64)
    judged = pricing.judge_prices(measure(dear, 0), list("ABCD"), ALL, prices="found", policies=("naive",))
    assert judged.rare == ("C",)
    assert judged.spread.value == pytest.approx(0.0, abs=1e-9)


def test_too_few_matches_say_nothing() -> None:
    def measure(_prices: Ints, _step: int) -> Effects:
        return effects(np.zeros(4), money=2e-7)

    with pytest.raises(MapkitError, match="10,000 matches are too few to say what money is worth here"):
        pricing.search_prices(measure, PRINTED, ALL, "worth", steps=1, unit=500)


def test_prices_can_be_paid_and_what_nobody_buys_keeps_its_price() -> None:
    found = pricing.round_prices(np.array([-900.0, 15_249.0, np.nan, 15_251.0]), PRINTED, 500)
    assert found.tolist() == [500, 15_000, 30_000, 15_500]


def test_a_spread_is_what_chance_does_not_make() -> None:
    names = [f"R{k}" for k in range(400)]
    dice = np.random.default_rng(8)
    for true in (0.0, 0.02):
        gain = dice.normal(0, true, 400) + dice.normal(0, 0.01, 400)
        error = np.full(400, 0.01)
        found = Effects(1_000, np.ones(400), gain, error, gain / 2, error / 2, MONEY, 1e-7)
        judged = pricing.judge_prices(found, names, np.ones(400, np.uint8), prices="found", policies=("naive",))
        assert judged.spread.low <= true + 1e-4 <= judged.spread.high + 1e-4
        assert judged.spread.value == pytest.approx(true, abs=0.004)
        assert judged.rights.value == pytest.approx(judged.spread.value / 2)


@pytest.mark.slow
def test_in_a_trial_the_decliner_never_buys_and_the_lot_is_even() -> None:
    board = board_with()
    table = table_of(board, [read_policy("balanced")] * 3, 3, 1)
    one = play_trial_batch(table, 4_000, 0, 0, 40)
    both = play_trial_batch(table, 4_000, 40, 0, 40)
    assert {name: values.tolist() for name, values in play_trial_batch(table, 4_000, 0, 40, 40).items()} == {
        name: values.tolist() for name, values in both.items()
    }
    assert one["matches"] == [40]
    assert 0 < one["favoured bought"][0] < 40 * 3
    assert all(one["decliner won"] < 40 / 2)


def test_prices_become_a_variant_with_the_prices_of_groups() -> None:
    board = board_with()
    red, other = board.railroads[0], board.railroads[1]
    groups = {"groups": [{"name": "Both", "members": [red.id, other.id], "price": red.price + other.price}]}
    rules = type(board.rules).model_validate({"group_purchase": groups})
    board = board.model_copy(update={"rules": rules})
    worth = Estimate(value=7_400, low=-100, high=9_000)
    row = RailroadPrice(
        railroad=red.id, short=red.short, printed=red.price, gain=None, bought=1, worth=worth, price=7_500
    )
    kept = [
        RailroadPrice(railroad=r.id, short=r.short, printed=r.price, gain=None, bought=1, worth=None, price=r.price)
        for r in board.railroads[1:]
    ]
    found = Pricing(
        board=board.id,
        variants=(),
        preset="ah",
        options=(),
        goal="worth",
        policies=("balanced",) * 4,
        seed=1,
        matches=10,
        steps=2,
        rebate=4_000,
        money=worth,
        railroads=(row, *kept),
    )
    text = variant_text(price_variant(board, found, "dearer"))
    placed = parse_variant(text, file="dearer.toml")
    changed = apply_variants(board, [placed])
    assert [r.price for r in changed.railroads] == [7_500, *(r.price for r in board.railroads[1:])]
    assert changed.rules.group_purchase.groups[0].price == 7_500 + other.price
    assert "to $9,000" in text


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.json"
    file.write_text(board_with().model_dump_json(), encoding="utf-8")
    return file


@pytest.mark.slow
def test_the_command_says_what_railroads_are_worth(
    run: Run, board_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing, "_MIN_Z_SCORE", -1e9)  # so few matches say nothing, but quickly
    given = ("playtest", "price", board_file, "-n", "20", "-p", "3", "--anyway", "--workers", "1", "-w", tmp_path)
    ran = run(*given, "--goal", "even", "--steps", "1", "--as-variant", "even", "--judge", "naive")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("1 times 20 matches of 3 players (balanced), seed 1, rules ah")
    assert "by access  naive" in ran.out
    assert (tmp_path / "variants" / "even.toml").exists()
    again = run(*given, "--as-variant", "even")
    assert (again.code, again.out) == (1, "")
    assert "already exists; choose another name" in again.err
    one = json.loads(run(*given, "--railroad", "red", "--json").out)
    assert [row["railroad"] for row in one["railroads"] if row["worth"]] == ["red"]
    assert one == json.loads(run(*given, "--railroad", "red", "--json").out)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--goal", "cheap"), "'cheap' is not one of worth, even"),
        (("--railroad", "rde"), "no railroad 'rde' (did you mean 'RED'?); there are BLUE, GREEN, RED"),
        (("--railroad", "red", "--goal", "even"), "name several, or leave out --railroad"),
        (("--steps", "0"), "0 steps; choose 1 to 100"),
        (("--as-variant", "Not An Id!"), "Not An Id!"),
        (("-n", "3"), "3 matches are too few to say what money is worth here"),
    ],
)
def test_what_cannot_be_priced_is_refused(run: Run, board_file: Path, given: tuple[str, ...], says: str) -> None:
    ran = run("playtest", "price", board_file, "-p", "3", "--anyway", "--workers", "1", *given)
    assert ran.code in (1, 2)
    assert ran.out == ""
    assert says in " ".join(ran.err.split()), ran.err
