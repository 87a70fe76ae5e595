"""Play-tests of card games: sums, studies, comparisons, replays, and the commands."""

import json
from pathlib import Path

import numpy as np
import pytest
from cardgames import changed, play_game, terms
from conftest import Run

import mapkit
from mapkit.core.errors import BoardError, ChoiceError, MapkitError, RulesError
from mapkit.kinds.cards.playing.comparison import card_pair, card_pair_batch, compared_cards
from mapkit.kinds.cards.playing.log import log_lines
from mapkit.kinds.cards.playing.match import play_steps
from mapkit.kinds.cards.playing.moves import begin_game
from mapkit.kinds.cards.playing.narration import narrate_game
from mapkit.kinds.cards.playing.outcome import NOBODY, play_outcome
from mapkit.kinds.cards.playing.state import Phase, player_worth
from mapkit.kinds.cards.playing.study import CardTable, card_batch, make_study, play_outcomes
from mapkit.playing.figures import add_totals
from mapkit.playing.paired_differences import difference_p_value

GREEDY = ("greedy", "greedy")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["barons", "caminhos"])
def test_what_is_counted_is_what_the_end_of_the_game_says(name: str) -> None:
    for match in range(4):
        found = play_outcome(terms(name), GREEDY, 7, match)
        end = play_game(terms(name), GREEDY, 7, match)
        assert found.worth == tuple(player_worth(terms(name), end, seat) for seat in (0, 1))
        assert found.winner == (NOBODY if found.worth[0] == found.worth[1] else int(found.worth[1] > found.worth[0]))
        assert (found.steps, found.sequences) == (end.steps, end.sequence)
        assert found.value == [terms(name).values[line] if line >= 0 else -1 for line in end.line]
        assert found.swapped == (match % 2 == 1)


def test_income_is_what_dividends_and_tills_got() -> None:
    """What an operating holding earns is kept, or paid on the shares that are not the bank's (BA-O07)."""
    game, found = terms(), play_outcome(terms(), GREEDY, 3, 0)
    earned = [0] * game.holdings
    before = begin_game(game)
    for step, after in play_steps(game, GREEDY, 3, 0):
        if step.move.kind in ("pay", "withhold"):
            sold = sum(part[before.holding] for part in before.share) if step.move.kind == "pay" else 100
            earned[before.holding] += (before.bank - after.bank) * 100 // sold
        before = after.copy()
    assert found.income == earned


def test_sums_of_batches_add_up_to_the_sums_of_all_games() -> None:
    table = CardTable(terms("caminhos"), ("greedy", "random"), 5)
    whole = card_batch(table, 0, 12)
    parts = add_totals(card_batch(table, 0, 5), card_batch(table, 5, 7))
    assert {name: np.array_equal(whole[name], parts[name]) for name in whole} == dict.fromkeys(whole, True)


def test_every_game_is_won_by_one_player_and_one_seat_or_is_a_tie() -> None:
    table = CardTable(terms("caminhos"), ("greedy", "random"), 5)
    study = make_study(table, card_batch(table, 0, 20))
    for sides in (study.players, study.seats):
        assert sum(side.wins.share for side in sides) + study.ties.share == pytest.approx(1)
    assert study.players[0].wins.share > study.players[1].wins.share
    assert study.matches == 20
    assert [one.level for one in study.levels] == sorted({side.level for side in terms("caminhos").sides})


def test_an_investor_wins_with_who_got_it() -> None:
    table = CardTable(terms(), ("planner", "random"), 2)
    played = play_outcomes(table, 0, 6)
    study = make_study(table, card_batch(table, 0, 6))
    dearest = next(one for one in study.investors if one.face == 450)
    at = [one.id for one in terms().game.investors].index(dearest.investor)
    with_it = [one for one in played if one.backer[at] != NOBODY]
    assert dearest.wins.of == len(with_it)
    assert dearest.wins.share * len(with_it) == pytest.approx(sum(one.backer[at] == one.winner for one in with_it))
    assert dearest.price.mean == pytest.approx(sum(one.price[at] for one in with_it) / len(with_it))


def test_a_game_does_not_differ_from_itself() -> None:
    table = CardTable(terms(), GREEDY, 1)
    pair = card_pair(table, table)
    sums = card_pair_batch(pair, 0, 10)
    assert difference_p_value(sums) == 1
    assert {f.difference for f in compared_cards(pair, sums)} == {0.0}


def test_face_values_make_the_draft_cost_what_the_cards_say() -> None:
    """BA-S02: with `face` the named value is that of the card."""
    pair = card_pair(
        CardTable(changed("setup", bids="face"), ("random", "random"), 1), CardTable(terms(), ("random", "random"), 1)
    )
    found = {(f.id, f.figure): f for f in compared_cards(pair, card_pair_batch(pair, 0, 12))}
    assert found["i450", "paid in the draft"].a == 450
    assert found["i450", "paid in the draft"].b != 450


@pytest.mark.slow
def test_workers_of_their_own_processes_make_the_same_study(here: Path) -> None:
    how = {"matches": 200, "policies": ("random",), "seed": 4}
    alone = mapkit.playtest("caminhos", mapkit.CardPlayTest(workers=1, **how), workspace=here)  # type: ignore[arg-type]
    two = mapkit.playtest("caminhos", mapkit.CardPlayTest(workers=2, **how), workspace=here)  # type: ignore[arg-type]
    assert alone.study == two.study


def test_a_run_goes_on_from_its_checkpoint(here: Path) -> None:
    def study(matches: int, *, resume: bool) -> mapkit.PlayTested:
        how = mapkit.CardPlayTest(matches=matches, policies=("greedy",), checkpoint=here / "sums.json", resume=resume)
        return mapkit.playtest("caminhos", how, workspace=here)

    study(20, resume=False)
    assert study(60, resume=True).study == study(60, resume=False).study
    with pytest.raises(MapkitError, match="of another board, version, rules, players or seed"):
        mapkit.playtest("caminhos", mapkit.CardPlayTest(checkpoint=here / "sums.json", resume=True, seed=2))


def test_the_log_of_a_replay_is_the_game(here: Path) -> None:
    how = mapkit.CardPlayTest(policies=("greedy",), seed=9)
    lines = list(mapkit.replay_cards("barons", how, match=3, log=here / "game.jsonl", workspace=here))
    log = [json.loads(line) for line in (here / "game.jsonl").read_text(encoding="utf-8").splitlines()]
    assert log == list(log_lines(terms(), GREEDY, 9, 3))
    *_, (_, state) = play_steps(terms(), GREEDY, 9, 3)
    assert state.phase == Phase.OVER
    assert log[-1]["worth"] == {seat: player_worth(terms(), state, at) for at, seat in enumerate("AB")}
    assert lines[0] == f"{terms().game.title}, game 3 of seed 9: A (greedy) against B (greedy)"
    assert len([line for line in lines if line[:4].strip().isdigit()]) == state.steps
    assert lines[-1] == "\nThe end: " + ", ".join(f"{seat} has ${log[-1]['worth'][seat]:,}" for seat in "AB")


def test_a_step_is_shown_with_what_it_changes() -> None:
    lines = list(narrate_game(terms("caminhos"), ("planner", "planner"), 1, 0))
    assert "\nThe draft" in lines
    assert "   4. A takes $50; A $580 (+80), B $590 (+30)" in lines
    assert "   5. A starts Companhia do Tejo at 100; A $180 (-400), Tejo at 100" in lines
    assert "\nSequence 1, operating round 1: Companhia do Sado" in lines


@pytest.mark.parametrize(
    ("how", "error", "says"),
    [
        ({"matches": 0}, ChoiceError, "0 games; ask for 1 to 1,000,000,000"),
        ({"seed": -1}, ChoiceError, "choose a number from 0"),
        ({"until": 2.0}, ChoiceError, "cannot be reached"),
        ({"policies": ("gredy",)}, ChoiceError, "there is no player 'gredy' .did you mean 'greedy'"),
        ({"policies": ("greedy", "greedy", "greedy")}, ChoiceError, "3 players are named, and 2 play"),
        (
            {"settings": {"setup.bid": "face"}},
            RulesError,
            "--set setup.bid: .*this key is unknown.*'bids'",
        ),
        (
            {"settings": {"setup.bids": "none"}},
            RulesError,
            "--set setup.bids: .*'none': write 'free'",
        ),
        ({"settings": {"setup..bids": "face"}}, RulesError, "--set setup..bids"),
        ({"settings": {"setup.players": 3}}, BoardError, "set it to 2"),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(
    how: dict[str, object], error: type[Exception], says: str, here: Path
) -> None:
    with pytest.raises(error, match=says):
        mapkit.playtest("barons", mapkit.CardPlayTest(**how), workspace=here)  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_commands_play_tell_and_compare(here: Path, run: Run) -> None:
    played = run("playtest", "caminhos", "-n", "20", "--policy", "greedy", "--workers", "1")
    assert played.code == 0, played.err
    assert "20 games, seed 1" in played.out
    assert "Companhia do Tejo" in played.out
    as_json = run("playtest", "caminhos", "-n", "20", "--policy", "greedy", "--workers", "1", "--json")
    assert json.loads(as_json.out)["matches"] == 20
    how = ("-n", "20", "--workers", "1", "--policy", "greedy")
    compared = run("playtest", "compare", "caminhos", "caminhos", "--other-set", "rounds.operating=1", *how)
    assert compared.code == 0, compared.err
    lines = compared.out.splitlines()
    assert lines[:2] == ["A: caminhos", "B: caminhos with rounds.operating=1"]
    assert lines[2] == "20 games (greedy against greedy) of each"
    assert lines[3].startswith("different: ")
    variant = run("playtest", "compare", "barons", "barons+only-8a", "-n", "4", "--workers", "1", "--policy", "random")
    assert variant.code == 0, variant.err
    assert run("playtest", "replay", "caminhos", "--policy", "greedy").out.startswith("Caminhos, game 0 of seed 1")
    assert run("playtest", "policies", "caminhos").out.splitlines()[1].startswith("random  ")
    assert json.loads(run("playtest", "policies", "caminhos", "--json").out) == {
        name: {"about": about, "weights": {}} for name, about in mapkit.card_players().items()
    }
    assert run("playtest", "replay", "caminhos", "-o", "log.jsonl").out == "log.jsonl\n"
    assert (here / "log.jsonl").read_text(encoding="utf-8").count("\n") > 100


def test_the_commands_say_what_is_wrong(here: Path, run: Run) -> None:
    assert run("playtest", "barons", "--policy", "gredy").code == 2
    assert "did you mean 'greedy'" in run("playtest", "barons", "--policy", "gredy").err
    assert run("playtest", "barons", "--resume").code == 2
    assert run("playtest", "barons", "--until", "often").code == 2
    assert "write PATH=VALUE" in run("playtest", "barons", "--set", "bids").err
    assert "'only-8c'" in run("playtest", "compare", "barons", "only-8c").err
    assert not list(here.iterdir())
