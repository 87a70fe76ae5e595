"""The page of a match: steps, turns, playing, and where trains stand."""

from pathlib import Path

import pytest
from browsing import Opened
from playwright.sync_api import expect
from tiny import tiny_board

import mapkit
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.playing.moments import moment_at
from mapkit.kinds.rail.rules.rules import Rules

RULES = Rules.model_validate({"setup": {"same_home": "allowed"}, "winning": {"cash": 60_000}})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[mapkit.MatchLog, Path]:
    folder = tmp_path_factory.mktemp("match")
    board: Board = tiny_board().model_copy(update={"rules": RULES})
    (folder / "board.json").write_text(board.model_dump_json(), encoding="utf-8")
    page = folder / "match.html"
    return mapkit.replay(folder / "board.json", mapkit.PlayTest(players=3), show=mapkit.Shown(html=page)), page


def test_steps_and_turns_show_players_trains_and_words(opened: Opened, played: tuple[mapkit.MatchLog, Path]) -> None:
    log, path = played
    turns = [k + 1 for k, event in enumerate(log.events) if event.does == "turn"]
    with opened(path) as page:
        assert page.inner_text("#ui-turn") == "Before the first turn"
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#ui-step") == f"Player 1 (balanced) rolls {log.events[0].total} for the first turn"
        assert page.inner_text("#ui-said") == page.inner_text("#ui-step")
        page.keyboard.press("Shift+ArrowRight")
        page.get_by_role("button", name="Next turn").click()
        assert page.inner_text("#ui-turn").startswith("Turn 2: player ")
        assert page.inner_text("#ui-line") == f"Line {turns[1] + 1} of {len(log.events) + 1}"
        page.get_by_role("button", name="Turn back").click()
        assert page.inner_text("#ui-turn").startswith("Turn 1: player ")
        page.keyboard.press("End")
        assert page.inner_text("#ui-step").endswith(f" wins with ${log.events[-1].amount:,}")
        page.keyboard.press("ArrowLeft")
        at = len(log.events) - 1
        moment = moment_at(log.board, log.head, log.events[:at])
        shorts = {r.id: r.short for r in log.board.railroads}
        for number, standing in enumerate(moment.standings, start=1):
            row = page.locator(f"#ui-player-{number}")
            assert row.locator('[data-of="cash"]').inner_text() == f"${standing.cash:,}"
            owned = {shorts[r] for r, owner in moment.owner.items() if owner == number}
            assert set(row.locator('[data-of="owns"]').inner_text().split(", ")[1:]) == owned
        assert page.locator(".ui-trains g").count() == sum(not s.out for s in moment.standings)
        page.keyboard.press("Home")
        assert page.locator(".ui-trains g").count() == 0


def test_it_plays_and_stops(opened: Opened, played: tuple[mapkit.MatchLog, Path]) -> None:
    log, path = played
    with opened(path) as page:
        page.select_option("#ui-speed", "40")
        page.locator("#ui-at").fill(str(len(log.events) - 3))
        page.get_by_role("button", name="Play").click()
        expect(page.locator("#ui-step")).to_contain_text("wins with")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        page.locator("#ui-at").fill("5")
        page.locator("#ui-map").focus()
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
