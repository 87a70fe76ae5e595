"""Checks of how a board will play: odds, the length of a game, prices against access; damped weights."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.kinds.rail.checks.play import FEWEST_TRIPS, MOST_OF_A_CITY, MOST_TRIPS, TIMES_EVEN_REGION
from mapkit.kinds.rail.model.board import REGIONS, Board, DestinationChart
from mapkit.kinds.rail.network.destination_chances import WHOLE, calculate_city_chances, count_chart_weights
from mapkit.kinds.rail.network.trips import calculate_mean_payoff, estimate_game_length

PLAY = ("V07", "V08", "V09")


def played(board: Board) -> list[tuple[str, tuple[str, ...]]]:
    return [(f.code, f.elements) for f in mapkit.check(board, drawing=False).findings if f.code in PLAY]


def with_chart(board: Board, name: str, old: str, new: str, cells: int) -> Board:
    """Return the board with so many cells of a chart given from one to another."""
    chart = board.destinations[name]
    columns = {"odd": dict(chart.odd), "even": dict(chart.even)}
    own = [(p, t) for p, column in columns.items() for t, item in column.items() if item == old]
    for parity, total in own[:cells]:
        columns[parity][total] = new
    changed = DestinationChart(odd=columns["odd"], even=columns["even"])
    return board.model_copy(update={"destinations": {**board.destinations, name: changed}})


def ruled(board: Board, **values: dict[str, object]) -> Board:
    rules = board.rules.model_copy(update={k: getattr(board.rules, k).model_copy(update=v) for k, v in values.items()})
    return board.model_copy(update={"rules": rules})


@pytest.mark.parametrize(("name", "trips"), [("usa", 21.29), ("mexico", 29.09), ("portugal", 21.49)])
def test_the_shipped_boards_give_the_limits(name: str, trips: float) -> None:
    """The figures in the docstrings of the checks."""
    board = mapkit.load(name, workspace=REPOSITORY)
    length = estimate_game_length(board)
    assert length is not None
    assert (length.players, round(length.trips, 2)) == (4, trips)
    assert FEWEST_TRIPS <= 21.3 * 3 / 4 + 0.5
    assert MOST_TRIPS <= 29.1 * 5 / 4
    assert max(calculate_city_chances(board).values()) < MOST_OF_A_CITY
    likeliest = max(count_chart_weights(board.destinations[REGIONS]).values()) / WHOLE
    assert likeliest * len(board.regions) < 1.46 < TIMES_EVEN_REGION
    assert not played(board)


def test_one_city_that_takes_a_tenth_of_all_destinations(usa: Board) -> None:
    """The Northeast is 15/72; New York alone in its chart would be 20.8 %."""
    board = usa
    for city in ("boston", "philadelphia", "washington-dc", "buffalo", "pittsburgh", "baltimore"):
        board = with_chart(board, "northeast", city, "new-york", 22)
    found = [f for f in mapkit.check(board, drawing=False).findings if f.code == "V07"]
    assert [f.elements for f in found] == [("new-york",)]
    assert found[0].data["chance"] == pytest.approx(float(calculate_city_chances(board)["new-york"]), abs=1e-6)
    assert "--damping 0.5" in found[0].message
    assert "above 10.0%" in found[0].message


def test_one_region_that_takes_half_of_all_rolls(usa: Board) -> None:
    board = with_chart(usa, REGIONS, "southeast", "northeast", 22)
    rolled = count_chart_weights(board.destinations[REGIONS])["northeast"] / WHOLE
    assert rolled * 7 > TIMES_EVEN_REGION
    assert ("V07", ("northeast",)) in played(board)


def test_a_small_board_may_have_a_likelier_city(example: Path) -> None:
    board = mapkit.load(example)
    assert max(calculate_city_chances(board).values()) > MOST_OF_A_CITY
    assert not played(board)


@pytest.mark.parametrize(("cash", "said"), [(600_000, "lower the cash"), (60_000, "raise the cash")])
def test_a_game_too_long_or_too_short(usa: Board, cash: int, said: str) -> None:
    board = ruled(usa, winning={"cash": cash}, information={"announce_cash": 0})
    (found,) = (f for f in mapkit.check(board, drawing=False).findings if f.code == "V08")
    assert found.data["trips"] == pytest.approx((cash - 20_000 + 128_500) / 14_489, abs=0.1)
    assert said in found.message
    assert found.place.file == "board.toml"


def test_the_advised_average_gives_the_usual_length(example: Path, run: Run) -> None:
    space = example.parents[1]
    config = example / "board.toml"
    config.write_text(config.read_text(encoding="utf-8") + "\n[rules]\nwinning.cash = 600_000\n", encoding="utf-8")
    found = json.loads(run("check", "example", "-w", space, "--json").out)["findings"]
    (slow,) = (f["message"] for f in found if f["code"] == "V08")
    mean = slow.partition("--mean ")[2].split()[0]
    assert run("payoffs", "compute", "example", "-w", space, "--mean", mean, "--into", "table").code == 0
    length = estimate_game_length(mapkit.load("example", workspace=space))
    assert length is not None
    assert length.trips == pytest.approx(24, abs=0.5)


def test_net_worth_is_not_estimated(usa: Board) -> None:
    assert estimate_game_length(ruled(usa, net_worth={"enabled": True})) is None


def test_a_price_far_from_its_access(usa: Board) -> None:
    """The Norfolk & Western is the dearest for its access: 12,000 for 3.97 %."""
    dear = tuple(r.model_copy(update={"price": 30_000}) if r.id == "nw" else r for r in usa.railroads)
    found = [
        f for f in mapkit.check(usa.model_copy(update={"railroads": dear}), drawing=False).findings if f.code == "V09"
    ]
    assert [(f.elements, f.severity) for f in found] == [(("nw",), "note")]
    assert found[0].data["access"] == pytest.approx(0.0397, abs=1e-4)
    times = found[0].data["times"]
    assert isinstance(times, float)
    assert times > 4
    cheap = tuple(r.model_copy(update={"price": 4_000}) if r.id == "pa" else r for r in usa.railroads)
    assert played(usa.model_copy(update={"railroads": cheap})) == [("V09", ("pa",))]


def test_an_average_trip_by_hand() -> None:
    """Two cities at odds 1/2 and 1/4 each, a third at 1/4: pairs weigh 1/8, 1/8, 1/16, both ways."""
    chances = {"a": Fraction(1, 2), "b": Fraction(1, 4), "c": Fraction(1, 4)}
    chart = ((0.0, 4.0, 8.0), (4.0, 0.0, None), (8.0, None, 0.0))
    assert calculate_mean_payoff(chances, ("a", "b", "c"), chart) == pytest.approx(6)
    assert calculate_mean_payoff({}, ("a", "b", "c"), chart) is None
    assert calculate_mean_payoff(chances, (), ()) is None


def wanted(run: Run, space: Path, *options: str) -> dict[str, float]:
    ran = run("destinations", "solve", "example", "-w", space, "--weights", "population", "--json", *options)
    charts = json.loads(ran.out)["charts"]
    return {item["item"]: item["wanted"] for item in charts["coast"]["items"]}


@pytest.mark.slow
def test_damping_takes_roots_of_populations(example: Path, run: Run) -> None:
    space = example.parents[1]
    plain, roots, even = (wanted(run, space, "--damping", d) for d in ("0", "0.5", "1"))
    assert plain == wanted(run, space)
    assert roots["boston"] / roots["portland"] == pytest.approx((plain["boston"] / plain["portland"]) ** 0.5, rel=1e-3)
    assert even["boston"] == pytest.approx(even["portland"])
    config = example / "board.toml"
    said = '\n[destinations]\nweights = "population"\ndamping = 0.5\n'
    config.write_text(config.read_text(encoding="utf-8") + said, encoding="utf-8")
    assert wanted(run, space) == roots


def test_damping_is_for_populations(example: Path, run: Run) -> None:
    ran = run("destinations", "solve", "example", "-w", example.parents[1], "--damping", "0.5")
    assert ran.code == 1
    assert "--weights population" in ran.err
