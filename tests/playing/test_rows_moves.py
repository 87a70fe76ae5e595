"""Moving and bonus rolls, row by row (RB-M, RB-B)."""

import pytest
from matches import board_with, log_of
from positions import ASH, DALE, ELM, FIR, SPENDS, Position, Will, kinds, only

from mapkit.kinds.rail.playing.deciding import count_reuse, ridden_track
from mapkit.kinds.rail.playing.moving import roll_whites
from mapkit.kinds.rail.playing.state import NONE, State


def use(position: Position, player: int, *segments: tuple[str, str, str]) -> None:
    pieces = [p.id for p in position.board.pieces]
    for ids in segments:
        for piece in position.board.segments[position.segment(*ids)].pieces:
            position.state.used[player, pieces.index(piece)] = 1


def test_s05_turns_go_round() -> None:
    _, events = log_of(board_with(), players=3, seed=1)
    first = next(event.player for event in events if event.does == "first")
    out = next((k for k, event in enumerate(events) if event.does == "bankrupt"), len(events))
    order = [event.player for event in events[:out] if event.does == "turn"]
    assert first is not None
    assert order == [(first - 1 + turn) % 3 + 1 for turn in range(len(order))]


def test_m01_m04_m11_the_sum_of_two_dice_is_moved_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale")
    noted = position.turn(0, 1, 1)
    assert only(noted, "rolls")[0].one == 2
    assert len(only(noted, "rides")) == 2
    assert position.state.goal[0] == position.city("dale")


def test_m12_p01_arriving_ends_the_move_and_the_rest_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale")
    noted = position.turn(0, 5, 6)
    assert len(only(noted, "rides")) == 3
    assert kinds(noted) == ["rolls", "arrives", "pays-bank"]
    assert position.cash(0) == 20_000 + 4_500 - 1_000
    assert (position.at(0), position.state.city[0], position.state.goal[0]) == ("dale", position.city("dale"), NONE)


def test_m05_m06_c05_railroads_are_changed_at_mileposts_on_any_way(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "elm", "dale")
    use(position, 0, ("green", "elm", "hill"))
    noted = position.turn(0, 6, 6, *ELM, 1)  # by Ash, a city, which is a step like any milepost
    assert len(only(noted, "rides")) == 5
    by = [position.track.railroad[e.one] for e in only(noted, "rides")][:4]
    assert by[0] == position.railroad("green")
    assert by[1:3] == [position.railroad("red")] * 2


def test_m07_c09_c10_track_is_used_once_a_trip_in_either_direction_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale")
    use(position, 0, ("blue", "cedar", "fir-gum"))

    def times(where: Position, *ids: str) -> int:
        return count_reuse(ridden_track(where.track, where.state, where.terms, 0), where.segment(*ids))

    assert times(position, "blue", "fir-gum", "cedar") == -1, "in either direction"
    assert times(position, "blue", "cedar", "hill") == -1, "it shares the piece from Cedar to the junction"
    assert times(position, "blue", "cedar", "dale") == 0
    assert times(position, "green", "fir-gum", "hill") == 0, "a parallel line is other track"
    boxcars = Position(monkeypatch, {"movement": {"segment_reuse": "unlimited"}})
    use(boxcars, 0, ("blue", "cedar", "fir-gum"))
    assert times(boxcars, "blue", "fir-gum", "cedar") == 0


def test_v17_without_a_limit_a_train_turns_back_on_its_track(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for reuse in ("once-per-trip", "unlimited"):
        position = Position(monkeypatch, {"movement": {"segment_reuse": reuse}})
        position.put(0, "ash", "elm", at="birch")
        use(position, 0, ("red", "ash", "birch"), ("green", "birch", "hill"))
        noted = position.turn(0, 1, 2)
        assert "arrives" in kinds(noted)
        found.append(len(only(noted, "rides")))
    assert found == [3, 2]


def test_m08_use_is_each_players_own_and_is_cleared_for_the_next_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale")
    position.put(1, "ash", "dale")
    position.turn(0, 1, 2)
    assert position.state.used[0].sum() == 3
    assert position.state.used[1].sum() == 0
    position.turn(0, *ASH, 1, 1)
    assert position.state.used[0].sum() == 2, "those of the new trip"


def test_m09_mileposts_may_be_passed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "elm", at="cedar")
    use(position, 0, ("red", "ash", "birch"), ("green", "birch", "hill"), ("blue", "cedar", "hill"))
    noted = position.turn(0, 1, 3)
    assert [position.board.mileposts[e.two].id for e in only(noted, "rides")] == ["dale", "fir-gum", "hill", "elm"]


def test_m10_no_move_leaves_the_train_without_a_way_to_its_city(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "dale", "ash", at="hill")
    use(position, 0, ("green", "birch", "hill"), ("red", "ash", "birch"))
    # Cedar and Birch are free to go to, but Ash can be reached over Elm only
    noted = position.turn(0, 1, 2)
    assert [position.board.mileposts[e.two].id for e in only(noted, "rides")] == ["elm", "ash"]


@pytest.mark.parametrize(
    ("engine", "dice", "earned"),
    [
        (0, (6, 6), True),
        (0, (5, 5), False),
        (1, (5, 5), True),
        (1, (5, 6), False),
        (2, (5, 6), True),
    ],
)
def test_b01_b02_b03_what_earns_a_bonus(
    monkeypatch: pytest.MonkeyPatch,
    engine: int,
    dice: tuple[int, int],
    earned: bool,  # noqa: FBT001 - a case
) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale")
    position.state.engine[0] = engine
    position.will_roll(*dice)
    assert roll_whites(position.state, position.terms, 0) == (sum(dice), earned)


def test_b04_b06_b07_b08_one_coloured_die_is_rolled_after_the_move_and_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "fir")
    position.state.engine[0] = 1
    position.track.payoff[:] = 0
    position.put(0, "elm", "dale", at="ash")
    noted = position.turn(0, 1, 1, 1)
    assert [e.does for e in noted if e.does != "die"] == [
        "rolls",
        "rides",
        "rides",
        "bonus",
        "rides",
        "arrives",
        "pays-bank",
    ]
    assert only(noted, "bonus")[0].one == 1


@pytest.mark.parametrize(
    ("timing", "order"),
    [
        ("with-normal-roll", ["rolls", "bonus", "rides", "rides"]),
        ("after-normal-move", ["rolls", "rides", "rides", "bonus"]),
    ],
)
def test_b05_when_superchief_rolls_its_bonus(monkeypatch: pytest.MonkeyPatch, timing: str, order: list[str]) -> None:
    position = Position(monkeypatch, {"bonus": {"superchief_timing": timing}})
    position.put(0, "ash", "dale")
    position.state.engine[0] = 2
    noted = position.turn(0, 1, 1, 4)
    assert [e.does for e in noted if e.does != "die"][:4] == order
    assert position.at(0) == "dale"


def test_b09_the_engine_owned_at_the_roll_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, Will(buys="superchief"))
    position.put(0, "ash", "dale")
    position.state.cash[0] = 60_000
    noted = position.turn(0, 1, 2)
    assert kinds(noted) == ["rolls", "arrives", "engine", "pays-bank"]
    assert position.state.engine[0] == 2


def test_b10_b11_b12_bouncing_out_and_arriving_again_by_the_bonus(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, SPENDS)
    position.state.cash[0] = 100_000
    position.put(0, "ash", "dale")
    position.state.engine[0] = 1
    noted = position.turn(0, 2, 2, *FIR, 6)
    assert kinds(noted) == [
        "rolls", "arrives", "buys", "region", "destination", "bonus", "arrives", "buys", "pays-bank",
    ]  # fmt: skip
    assert [e.two for e in only(noted, "arrives")] == [4_500, 1_500]
    assert position.state.goal[0] == NONE, "the next destination is rolled next turn, and no second bonus"


def test_b10_a_bonus_that_does_not_arrive_is_moved_in_full_on_the_new_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale")
    position.state.engine[0] = 1
    noted = position.turn(0, 2, 2, *ASH, 2)
    assert len(only(noted, "rides")) == 3 + 2
    assert position.state.goal[0] == position.city("ash")


def test_b10_the_die_that_superchief_rolled_before_is_moved_on_the_new_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"preset": "ici"})
    position.put(0, "ash", "dale")
    position.state.engine[0] = 2
    noted = position.turn(0, 2, 2, 2, *ASH)
    assert len(only(noted, "rides")) == 3 + 2
    assert len(only(noted, "bonus")) == 1


def test_p13_turns_are_played_in_the_order_of_the_thirteen_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, SPENDS)
    position.state.cash[0] = 100_000
    position.put(0, "ash", "dale")
    position.state.engine[0] = 1
    noted = position.turn(0, 3, 3, *DALE[:3], 1, 1, 2, 3)
    assert kinds(noted) == [
        "rolls", "arrives", "buys", "region", "destination", "bonus", "arrives", "buys", "pays-bank",
    ]  # fmt: skip
    state: State = position.state
    assert state.bank_due[0] == state.fee_due.sum() == 0
