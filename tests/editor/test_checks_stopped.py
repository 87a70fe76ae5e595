"""All checks at once take long: a page can stop them, and they end before the next one."""

import threading
from pathlib import Path
from typing import Any

import pytest
from doors import door, let_in, line
from patience import HANG_S
from starlette.testclient import TestClient

from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.rail.kind import Rail
from mapkit.kinds.registry import open_session

DOOR = door(8125)


def test_checks_that_are_stopped_end_before_the_next_one(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_go_on, went_on = threading.Event(), threading.Event(), threading.Event()

    def slow(self: Any, compiled: Any, progress: Any) -> Any:
        progress(0, 2, "the first")
        begun.set()
        assert may_go_on.wait(HANG_S)
        progress(1, 2, "the second")
        went_on.set()
        return self.findings(compiled)

    monkeypatch.setattr(Rail, "all_findings", slow)
    app = make_app(Hub(open_session(example)), DOOR, static=example)
    with TestClient(app, base_url=f"http://127.0.0.1:{DOOR.port}") as client:
        let_in(client, DOOR)
        with line(client, DOOR) as page:

            def heard(kind: str) -> dict[str, Any]:
                while (said := page.receive_json())["type"] != kind:
                    pass
                return dict(said)

            page.send_json({"type": "check", "id": "1"})
            assert heard("checking")["what"] == "the first"
            assert begun.wait(HANG_S)
            page.send_json({"type": "check", "id": "2", "stop": True})
            while heard("done")["id"] != "2":
                pass
            may_go_on.set()
            assert heard("checking") == {"type": "checking", "done": 0, "of": 0, "what": ""}
            assert not went_on.is_set()
            # and they can be run again, to their end
            page.send_json({"type": "check", "id": "3"})
            assert heard("checking")["what"] == "the first"
            assert heard("checking")["what"] == "the second"
            assert heard("findings")["drawing"] is True
    assert went_on.is_set()
