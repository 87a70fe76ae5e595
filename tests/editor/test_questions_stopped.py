"""A question that nobody waits for any more is not worked on any more."""

import http.client
import json
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from editing import serving
from patience import HANG_S

from mapkit.core.cancellation import CancelledError, check_cancelled
from mapkit.kinds.protocol import EncodedResult
from mapkit.kinds.rail.kind import Rail


def test_a_question_ends_when_its_page_is_gone(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()
    answer = Rail.answer

    def slow(self: Any, name: str, body: bytes, asked: Any) -> EncodedResult:
        if name == "degrees":
            return answer(self, name, body, asked)
        begun.set()
        try:
            for _ in range(HANG_S * 100):
                check_cancelled()
                ended.wait(0.01)
        except CancelledError:
            ended.set()
            raise
        raise AssertionError("nobody stopped it")

    monkeypatch.setattr(Rail, "answer", slow)
    with serving(example) as served:
        host = f"127.0.0.1:{served.door.port}"
        head = {"Authorization": f"Bearer {served.door.secret}", "Origin": f"http://{host}"}

        def ask(name: str, body: object) -> http.client.HTTPConnection:
            line = http.client.HTTPConnection(host, timeout=HANG_S)
            line.request("POST", f"/api/ask/{name}", json.dumps(body), {**head, "Content-Type": "application/json"})
            return line

        line = ask("payoff-residuals", {})
        assert begun.wait(HANG_S)
        line.close()
        assert ended.wait(HANG_S)
        # and the next is answered as ever
        with closing(ask("degrees", {"points": []})) as other:
            reply = other.getresponse()
            assert (reply.status, json.loads(reply.read())["points"]) == (200, [])
