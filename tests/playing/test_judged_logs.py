"""Logs of both games that were judged by hand, where they are at hand: verdict and row of each."""

import csv
from pathlib import Path

import pytest
from conftest import REPOSITORY

import mapkit

pytestmark = pytest.mark.slow

LOGS = REPOSITORY.parent / "shared" / "cases" / "rules"


def rail_board(log: Path) -> str | None:
    """Return the small board beside the logs, unless a log is of a shipped one."""
    return str(LOGS / "tiny") if '"board": "tiny"' in log.read_text(encoding="utf-8").partition("\n")[0] else None


@pytest.mark.parametrize("game", ["rail", "cards"])
def test_logs_are_judged_as_by_hand(game: str) -> None:
    if not (LOGS / "expected.csv").is_file():
        pytest.skip(
            "the logs that were judged by hand are not here: shared/cases/rules/expected.csv beside the project"
        )
    wrong = []
    with (LOGS / "expected.csv").open(encoding="utf-8", newline="") as file:
        expected = [row for row in csv.DictReader(file) if row["log"].startswith(f"{game}/")]
    for row in expected:
        log = LOGS / row["log"]
        rail = mapkit.referee(log, board=rail_board(log)) if game == "rail" else None
        broken = rail.broken if rail is not None else mapkit.referee(log).broken
        verdict = "legal" if broken is None else "illegal"
        named = broken is None or not row["row"] or broken.rule in row["row"].split(" or ")
        if verdict != row["verdict"] or not named:
            wrong.append((row["log"], row["row"], broken))
    assert expected
    assert wrong == []
