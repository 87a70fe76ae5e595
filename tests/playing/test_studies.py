"""Studies: what the command prints and writes, and what it refuses."""

import hashlib
import json
from collections import Counter
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run
from matches import board_with, log_of, quick

from mapkit.formats.parquet import write_parquet
from mapkit.kinds.rail.api.playtesting import read_policy, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.playing.batch import play_batch, play_matches
from mapkit.kinds.rail.playing.figure_table import figure_rows
from mapkit.kinds.rail.playing.study import make_study
from mapkit.kinds.rail.render.study_page import render_study_page

pytestmark = pytest.mark.slow

MATCHES = 30
DECIDED = 11
"""Parts of the record that follow from decisions."""


@pytest.fixture(scope="module")
def board() -> Board:
    return board_with()


@pytest.fixture(scope="module")
def study(board: Board) -> Study:
    totals = play_batch(table_of(board, [read_policy("balanced")] * 3, 3, 1), 0, MATCHES)
    return make_study(board, totals, ["balanced"] * 3, seed=1)


def write(folder: Path, board: Board) -> Path:
    file = folder / "tiny.json"
    file.write_text(board.model_dump_json(), encoding="utf-8")
    return file


def test_a_study_counts_what_the_logs_tell(board: Board, study: Study) -> None:
    wins: Counter[int | None] = Counter()
    rides: Counter[str | None] = Counter()
    visits: Counter[str | None] = Counter()
    turns = fees = 0
    for number in range(MATCHES):
        _, events = log_of(board, players=3, match=number)
        for event in events:
            rides[event.segment] += event.does == "rides"
            visits[event.city] += event.does == "arrives"
            fees += (event.amount or 0) * (event.does == "pays-fee")
            turns += event.does == "turn"
        wins[events[-1].player] += 1
    assert [round(p.wins.share * MATCHES) for p in study.players] == [wins[1], wins[2], wins[3]]
    assert study.rounds.mean == pytest.approx(turns / 3 / MATCHES)
    assert {u.id: round(u.times * MATCHES) for u in study.segments} == {s.id: rides[s.id] for s in board.segments}
    assert {u.id: round(u.times * MATCHES) for u in study.cities} == {c.id: visits[c.id] for c in board.cities}
    assert sum(r.income.mean for r in study.railroads) * MATCHES == pytest.approx(fees)
    assert sum(p.fees_paid.mean for p in study.players) * MATCHES == pytest.approx(fees)


def test_players_decide_as_they_did(board: Board) -> None:
    """Faster code plays the same matches; a change of rules or players changes this, and the studies in the docs."""
    played = play_matches(table_of(board, [read_policy("balanced")] * 3, 3, 1), 0, MATCHES)
    digest = hashlib.sha256(b"".join(np.asarray(part, np.float64).tobytes() for part in played[:DECIDED]))
    assert digest.hexdigest()[:16] == "9c46b564c187d0f1"


def test_the_table_of_figures_has_each_figure_once(study: Study) -> None:
    rows = list(figure_rows(study))
    assert len({(row.part, row.id, row.figure) for row in rows}) == len(rows)
    known = {(row.part, row.id, row.figure): row for row in rows}
    wins = known["player", "2", "wins"]
    assert (wins.value, wins.low, wins.high, wins.trials) == (
        study.players[1].wins.share,
        study.players[1].wins.low,
        study.players[1].wins.high,
        MATCHES,
    )
    assert known["match", "", "rounds"].value == study.rounds.mean
    assert isnan(known["segment", study.segments[0].id, "times a match"].low)


def test_a_parquet_file_is_the_one_that_other_programs_read() -> None:
    """PyArrow 22 and DuckDB 1.4 read this table from these bytes."""
    found = write_parquet({"part": ["a", "b\u00e9"] * 20, "n": [1, -2] * 20, "x": [0.5, float("nan")] * 20})
    assert (found[:4], found[-4:], len(found)) == (b"PAR1", b"PAR1", PARQUET[0])
    assert hashlib.sha256(found).hexdigest() == PARQUET[1]


PARQUET = (1098, "0f7b0d3fc953707307c05ba2cdf4ef6c7c42367d59afbebde25ab93072f5e325")


def test_the_page_shows_the_figures_and_loads_nothing(board: Board, study: Study) -> None:
    page = render_study_page(board, study)
    assert render_study_page(board, study) == page
    for outside in ("http:", "src=", "url(", "<script"):
        assert outside not in page.replace("http://www.w3.org/", "").replace("url(data:", "")
    assert f"{MATCHES} matches of 3 players (balanced)" in page
    for railroad in study.railroads:
        assert f'<th scope="row">{railroad.short}</th>' in page
    used = max(study.segments, key=lambda use: (use.times, use.id))
    assert f": {used.times:.2f} times a match</title>" in page


def test_the_command_prints_a_study_and_writes_its_files(run: Run, tmp_path: Path, board: Board) -> None:
    file = write(tmp_path, board)
    given = ("playtest", file, "-n", "20", "-p", "3", "--anyway", "--workers", "1")
    page, table = tmp_path / "page.html", tmp_path / "table.parquet"
    ran = run(*given, "--html", page, "--parquet", table)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("20 matches of 3 players, seed 1, rules ah with same-home-allowed\npanel of 5 styles: ")
    assert "most used, times a match: " in ran.out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert table.read_bytes()[:4] == b"PAR1"
    found = json.loads(run(*given, "--json").out)
    assert found["matches"] == 20


def test_a_checkpoint_goes_on_and_refuses_another_run(run: Run, tmp_path: Path, board: Board) -> None:
    file, kept = write(tmp_path, board), tmp_path / "run.json"
    given = ("playtest", file, "-p", "3", "--anyway", "--workers", "1", "--json", "--checkpoint", kept)
    whole = json.loads(run(*given, "-n", "120").out)
    kept.unlink()
    run(*given, "-n", "100")
    assert json.loads(run(*given, "-n", "120", "--resume").out) == whole
    other = run(*given, "-n", "120", "--resume", "--seed", "2")
    assert other.code == 1
    assert "of another board, version, rules, players or seed; leave out --resume to start again" in other.err


REFUSED: list[tuple[dict[str, Any], tuple[str, ...], int, str]] = [
    ({}, ("-p", "1"), 1, "1 players: these rules are for 2 to 6"),
    ({}, ("-p", "7"), 1, "7 players: these rules are for 2 to 6"),
    ({"preset": "ici", "purchase": {"second_superchief": True}}, ("-p", "2"), 1, "setup.engine_titles"),
    (
        {"winning": {"cash": 10**9}},
        ("-p", "3", "-n", "1", "--policy", "never-declares"),
        1,
        "match 0 of seed 1 does not end",
    ),
    ({}, ("--html", "page.png"), 2, "page.png: the page is HTML; give a name that ends in .html"),
    ({}, ("--parquet", "table.csv"), 2, "table.csv: the table is Parquet; give a name that ends in .parquet"),
    ({}, ("--until", "much"), 2, "'much' is not a percentage; write it as 0.5%"),
    ({}, ("--until", "0%"), 2, "a precision of 0.00% cannot be reached"),
    ({}, ("-n", "0"), 2, "0 games; ask for 1 to 1,000,000,000"),
    ({}, ("--resume",), 2, "say from which file: --checkpoint FILE"),
    ({}, ("--seed", "-1"), 2, "the seed is -1"),
]


@pytest.mark.parametrize(("rules", "given", "code", "says"), REFUSED, ids=[case[3][:30] for case in REFUSED])
def test_what_cannot_be_played_is_refused(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rules: dict[str, Any],
    given: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    monkeypatch.setattr("mapkit.kinds.rail.playing.match.MOST_TURNS", 5)
    ran = run("playtest", write(tmp_path, board_with(quick(**rules))), "--anyway", "--workers", "1", *given)
    assert (ran.code, ran.out) == (code, "")
    assert says in " ".join(ran.err.split()), ran.err


def test_a_board_with_errors_is_played_only_when_asked(run: Run, tmp_path: Path, board: Board) -> None:
    amounts = [list(row) for row in board.payoffs.thousands]
    amounts[0][1] = 77.0
    payoffs = board.payoffs.model_copy(update={"thousands": tuple(map(tuple, amounts))})
    file = write(tmp_path, board.model_copy(update={"payoffs": payoffs}))
    ran = run("playtest", file, "-n", "5", "-p", "2")
    assert ran.code == 1
    assert "errors found: 1; " in ran.err
    assert "P03 the payoff Ash - Dale is 77" in ran.err
    assert "correct them, or play all the same with --anyway" in ran.err
    assert run("playtest", file, "-n", "5", "-p", "2", "--anyway").code == 0
