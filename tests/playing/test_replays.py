"""A match shown: its moments, sentences, picture, page and files."""

import json
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from conftest import Run
from hypothesis import given
from hypothesis import strategies as st
from matches import board_with, log_of, quick

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.playing.log import log_text
from mapkit.kinds.rail.playing.moments import MatchMoment, moment_at
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.match_page import narrate_match, render_match_page, render_moment
from mapkit.kinds.rail.render.words import words_in

SVG = "{http://www.w3.org/2000/svg}"


@cache
def match(seed: int = 1) -> tuple[Board, MatchHead, tuple[MatchEvent, ...]]:
    board = board_with(quick(options={"opening_auctions": True}))
    head, events = log_of(board, players=2 + seed % 3, seed=seed)
    return board, head, tuple(events)


@given(st.integers(1, 30))
def test_moments_have_the_cash_and_places_that_the_log_says(seed: int) -> None:
    board, head, events = match(seed)
    moment = MatchMoment(board, head)
    for event in events:
        moment.take(event)
        if event.player is not None and event.player <= len(head.players):
            standing = moment.standings[event.player - 1]
            assert event.cash in (None, standing.cash), event
            assert event.milepost in (None, standing.at), event
        if event.does == "arrives":
            places = {city.id: city.milepost for city in board.cities}
            assert standing.at == places[event.city or ""]
            assert standing.goal == ""
    assert moment.turns == sum(event.does == "turn" for event in events)
    assert moment.standings[(events[-1].player or 0) - 1].cash == events[-1].amount


def test_railroads_belong_to_who_got_them_last() -> None:
    board, head, events = match(2)
    owners: dict[str, int] = {}
    for event in events:
        if event.does in ("buys", "auctioned"):
            owners[event.railroad or ""] = (event.player if event.does == "buys" else event.other) or 0
        elif event.does == "sells-back":
            del owners[event.railroad or ""]
    assert moment_at(board, head, events).owner == owners
    assert owners


def test_a_moment_is_drawn_with_trains_homes_and_the_trip() -> None:
    board, head, events = match()
    at = next(k for k, event in enumerate(events) if event.does == "rides") + 1
    moment = moment_at(board, head, events[:at])
    layout = lay_out(board)
    root = ET.fromstring(render_moment(layout, head, events[:at]))  # noqa: S314 - our own
    group = next(g for g in root.iter(f"{SVG}g") if g.get("id") == "match")
    circles = {c.get("class"): c for c in group.iter(f"{SVG}circle")}
    for number, standing in enumerate(moment.standings, start=1):
        alone = [s.at for s in moment.standings].count(standing.at) == 1
        train, home = circles[f"train-of-{number}"], circles[f"home-of-{number}"]
        if alone:
            x, y = layout.spots[standing.at]
            assert (float(train.get("cx", "")), float(train.get("cy", ""))) == pytest.approx((x, y), abs=0.01)
        assert (float(home.get("cx", "")), float(home.get("cy", ""))) == pytest.approx(
            layout.squares[standing.home], abs=0.01
        )
    assert len(list(group.iter(f"{SVG}path"))) == 2
    assert group.get("data-turn") == "1"


def test_the_page_has_every_event_and_loads_nothing() -> None:
    board, head, events = match()
    page = render_match_page(board, head, events)
    found = re.search(r'<script type="application/json" id="ui-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert len(data["steps"]) == len(events)
    assert data["steps"][-1]["text"] == f"Player {events[-1].player} (balanced) wins with ${events[-1].amount:,}"
    assert re.findall(r"(?:src|href)=\"(?!#)", page) == []
    assert render_match_page(board, head, events) == page


def test_sentences_are_in_the_language() -> None:
    board, head, events = match()
    spoken = {language: list(narrate_match(board, head, events, words_in(language))) for language in ("en", "es", "pt")}
    assert {len(lines) for lines in spoken.values()} == {len(spoken["en"])}
    lasts = [lines[-1].split(" (")[0] for lines in spoken.values()]
    assert lasts == [f"{who} {events[-1].player}" for who in ("Player", "Jugador", "Jogador")]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replays")
    board, head, events = match()
    (folder / "board.json").write_text(board.model_dump_json(), encoding="utf-8")
    (folder / "match.jsonl").write_text(log_text(head, events), encoding="utf-8")
    return folder


def test_a_log_is_shown_in_words_and_files(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game)
    done = run("playtest", "replay", "board.json", "--log", "match.jsonl")
    board, head, events = match()
    assert done.out.splitlines() == list(narrate_match(board, head, events, words_in("en")))
    files = ("--html", "m.html", "--svg", "m.svg", "--at", 20, "--out", "again.jsonl")
    done = run("playtest", "replay", "board.json", "--log", "match.jsonl", *files)
    assert (done.code, done.out.split()) == (0, ["again.jsonl", "m.html", "m.svg"])
    assert (game / "again.jsonl").read_bytes() == (game / "match.jsonl").read_bytes()
    assert (game / "m.svg").read_text(encoding="utf-8") == render_moment(lay_out(board), head, events[:19])


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("--at", 5), 2, "a line of the log is for the picture; name its file too"),
        (("--at", 0, "--svg", "x.svg"), 2, "line 0; lines of a log are numbered from 1 on"),
        (("--at", 99_999, "--svg", "x.svg"), 2, "line 99,999: the log has "),
        (("--svg", "x.png"), 1, "x.png: give a name that ends in .svg"),
        (("--html", "x.pdf"), 1, "x.pdf: give a name that ends in .html"),
        (("--log", "none.jsonl"), 1, "none.jsonl: cannot be read"),
        (("--language", "xx"), 2, "no language is named 'xx'"),
    ],
)
def test_wrong_wishes_are_refused(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[object, ...], code: int, says: str
) -> None:
    monkeypatch.chdir(game)
    done = run("playtest", "replay", "board.json", *(() if "--log" in options else ("--log", "match.jsonl")), *options)
    assert (done.code, says in done.err) == (code, True), done.err
    assert not list(game.glob("x.*"))
