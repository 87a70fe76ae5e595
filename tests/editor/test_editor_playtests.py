"""Play-tests of the open board: begun by the page, played in a process of their own, and kept by the server."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from doors import door, let_in, line
from patience import HANG_S, poll
from starlette.testclient import TestClient

from mapkit.api.playtesting import playtest
from mapkit.console.jobs import Job, Jobs
from mapkit.core.base import Frozen
from mapkit.document.session import Session
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.rail.api.playtesting import PlayTest
from mapkit.kinds.rail.model.comparison import Comparison
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.queries.playtesting import known_policies
from mapkit.kinds.rail.queries.versions import workspace_of
from mapkit.kinds.rail.serving import playtesting as serving
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session

pytestmark = pytest.mark.slow

DOOR = door(8127)
HOST = "http://127.0.0.1:8127"
Json = dict[str, Any]


@pytest.fixture
def session(example: Path) -> Session[RailDocument]:
    return open_session(example)


@pytest.fixture
def client(session: Session[RailDocument], tmp_path: Path) -> Iterator[TestClient]:
    app = make_app(Hub(session), DOOR, static=tmp_path)
    with TestClient(app, base_url=HOST, headers={"origin": HOST}) as client:
        let_in(client, DOOR)
        yield client


def begun(client: TestClient, **what: object) -> Json:
    answer = client.post("/api/playtests", json=what)
    assert answer.status_code == 201, answer.text
    return exactly(serving.PlayTestState, answer.json())


def exactly(model: type[Frozen], found: Json) -> Json:
    """Return JSON that is what a model gives, no more and no less; so the types of the page are true."""
    assert model.model_validate(found).model_dump(mode="json") == found
    return found


def newest(client: TestClient) -> Json:
    return exactly(serving.PlayTestState, client.get("/api/playtests").json()["tests"][0])


def until(client: TestClient, holds: Callable[[Json], bool]) -> Json:
    return poll(lambda: newest(client), holds)


def over(test: Json) -> bool:
    return test["job"]["state"] in ("done", "failed", "stopped")


def test_a_study_is_of_the_board_as_it_was_when_it_began(client: TestClient, session: Session[RailDocument]) -> None:
    railroad = min(session.document.railroads)
    session.do({"kind": "edit-railroad", "id": railroad, "price": 7_000})
    test = begun(client, matches=3, players=3, policies=["balanced", "naive", "random"], seed=5)
    session.do({"kind": "edit-railroad", "id": railroad, "price": 9_000})
    assert (test["revision"], session.revision) == (1, 2)
    done = until(client, over)
    names = ["example-study.html", "example-study.json"]
    assert (done["job"]["state"], [file["name"] for file in done["job"]["files"]]) == ("done", names)
    address = f"/api/playtests/{done['job']['id']}"
    study = Study.model_validate(exactly(Study, client.get(f"{address}/study").json()))
    assert (study.matches, [p.policy for p in study.players]) == (3, ["balanced", "naive", "random"])
    assert {r.railroad: r.price for r in study.railroads}[railroad] == 7_000
    assert client.get(f"{address}/comparison").status_code == 400
    page = client.get(f"/api/jobs/{done['job']['id']}/files/example-study.html?download")
    assert page.headers["content-disposition"] == 'attachment; filename="example-study.html"'
    # what the command says of the same board
    session.undo()
    session.save()
    root = workspace_of(session.folder).root
    same = playtest(
        "example", PlayTest(matches=3, players=3, policies=done["asked"]["policies"], seed=5), workspace=root
    )
    assert same.study == study


def test_an_edit_is_compared_with_the_saved_board(client: TestClient, session: Session[RailDocument]) -> None:
    nothing = client.post("/api/playtests", json={"what": "comparison"})
    assert (nothing.status_code, nothing.json()["message"]) == (
        400,
        "both boards mean the same, so play on them cannot differ; edit something, or choose others",
    )
    session.do({"kind": "edit-railroad", "id": min(session.document.railroads), "price": 1_000})
    begun(client, what="comparison", matches=12, players=2)
    busy = client.post("/api/playtests", json={})
    assert (busy.status_code, busy.json()["message"]) == (
        400,
        "a play-test is running; stop it first, or wait until it is done",
    )
    done = until(client, over)
    answer = client.get(f"/api/playtests/{done['job']['id']}/comparison").json()
    found = Comparison.model_validate(exactly(Comparison, answer))
    assert (found.matches, found.a.board, found.b.board) == (12, "example", "example")
    assert any(figure.difference for figure in found.figures)
    # of two versions, one with a variant on top
    root = workspace_of(session.folder).root
    (root / "variants").mkdir()
    (root / "variants" / "rich.toml").write_text(
        'name = "rich"\n[[operations]]\nop = "set-rule"\npath = "setup.starting_cash"\nvalue = 50000\nreason = "why"\n',
        encoding="utf-8",
    )
    begun(client, what="comparison", against="now", variants=["rich"], matches=3, players=2)
    done = until(client, over)
    found = Comparison.model_validate_json(client.get(f"/api/playtests/{done['job']['id']}/comparison").content)
    assert (found.a.variants, found.b.variants) == ((), ("rich",))


def test_a_run_that_cannot_be_played_says_why(client: TestClient, session: Session[RailDocument]) -> None:
    for wrong, says in (
        ({"players": 7}, "players is 7: write 6 or less"),
        ({"policies": ["balanced", "naive"]}, "2 policies for 4 players; give one for all, or one for each"),
        ({"policies": ["../x.toml"]}, "there is no computer player '../x.toml'; choose one of the list"),
    ):
        answer = client.post("/api/playtests", json=wrong)
        assert (answer.status_code, answer.json()["message"]) == (400, says)
    session.do({"kind": "change-rules", "on": ["net-worth"]})
    begun(client, matches=2, players=2)
    gap = until(client, over)
    assert (gap["job"]["state"], gap["job"]["said"]) == (
        "failed",
        ["net_worth.target has no figure for 2 players: RB-V09: the table starts at three players"],
    )
    session.undo()
    a, b = min(session.document.payoffs).split("|")
    session.do({"kind": "set-payoff", "a": a, "b": b, "thousands": None})
    begun(client, matches=2)
    refused = until(client, over)
    assert refused["job"]["said"][0] == ("example: errors found: 1; correct them, or play all the same with --anyway")
    assert ": P02 " in refused["job"]["said"][1]
    assert client.get(f"/api/playtests/{refused['job']['id']}/study").status_code == 400
    assert client.get("/api/playtests/none/study").json()["message"].startswith("this play-test was discarded")


def test_a_stopped_run_keeps_what_is_played(client: TestClient, session: Session[RailDocument]) -> None:
    session.do({"kind": "change-rules", "values": {"winning.cash": 50_000}})  # so that a match ends soon
    begun(client, matches=1_000_000, players=2, policies=["never-buys"])
    running = until(client, lambda test: test["far"] is not None or over(test))
    assert running["far"]["end"] == 1_000_000, running
    assert client.post("/api/playtests", json={"players": 2}).status_code == 400
    stopping = exactly(serving.PlayTestState, client.delete(f"/api/playtests/{running['job']['id']}").json())
    assert stopping["stopping"] is True
    done = until(client, over)
    assert (done["job"]["state"], done["stopping"], done["early"]) == ("done", False, True)
    study = Study.model_validate_json(client.get(f"/api/playtests/{done['job']['id']}/study").content)
    assert 100 <= study.matches < 1_000_000
    assert done["job"]["said"][0].endswith(f"stopped after {study.matches:,} matches")


def test_a_run_ends_when_nobody_looks(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    end = asyncio.Event()

    async def work(_self: Jobs, job: Job) -> None:  # in place of a process that plays
        await end.wait()
        job.state = "stopped"

    async def finish(_self: Jobs, ident: str) -> None:
        told.append(ident)
        end.set()

    monkeypatch.setattr(Jobs, "_work", work)
    monkeypatch.setattr(Jobs, "finish", finish)
    monkeypatch.setattr(serving, "LOOK", 0.01)
    monkeypatch.setattr(serving, "ALONE", 0.05)
    with line(client, DOOR) as page:
        page.receive_json()
        test = begun(client)
        time.sleep(0.3)
        assert told == []
    until(client, over)
    assert told == [test["job"]["id"]]


def test_a_job_ends_with_the_program_that_began_it(tmp_path: Path, example: Path) -> None:
    command = ["playtest", str(example), "--matches", "1000000", "--workspace", str(tmp_path)]
    job = subprocess.Popen(
        [sys.executable, "-P", "-m", "mapkit.console.job", *command],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=os.environ,
    )
    assert job.stdin is not None
    assert job.stderr is not None
    while b"checking" not in job.stderr.readline():
        pass
    job.stdin.close()  # as when the server is killed
    assert job.wait(HANG_S) == 130
    job.stderr.close()


def test_the_authors_own_players_are_found(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('about = "Mine."\nbased_on = "naive"\n', encoding="utf-8")
    (tmp_path / "wrong.toml").write_text("[purchase]\nprise = 1\n", encoding="utf-8")
    (tmp_path / "other.toml").write_text("[tool]\nname = 1\n", encoding="utf-8")
    (tmp_path / "broken.toml").write_text("[purchase", encoding="utf-8")
    own = [policy for policy in known_policies(tmp_path) if policy.own]
    assert [(policy.name, policy.about) for policy in own] == [("mine.toml", "Mine."), ("wrong.toml", "")]
    assert own[0].error is None
    assert "purchase.prise" in (own[1].error or "")
    assert "balanced" in {policy.name for policy in known_policies(None)}
