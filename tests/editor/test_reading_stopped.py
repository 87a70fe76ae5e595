"""A PDF that is read for a page is not read on when nobody waits for it: its own process ends with the job."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from doors import door, let_in
from patience import HANG_S
from scans.chart_pages import LAYOUTS, Chart
from starlette.testclient import TestClient

from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.registry import open_session

DOOR = door(8129)
HOST = "http://127.0.0.1:8129"
SLOW = """
import sys

if "mapkit.formats.pdf.child" in sys.orig_argv:
    import socket
    import time

    from mapkit.formats.pdf import glyphs

    def slowly(data, chosen):
        line = socket.create_connection(("127.0.0.1", {port}))
        line.sendall(b"reading")
        time.sleep({long})

    glyphs.read_pages = slowly
"""
"""What Python runs first in each process: the one that reads a PDF says so, and does not come to an end."""


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as ear:
        ear.settimeout(HANG_S)
        folder = tmp_path / "first"
        folder.mkdir()
        text = SLOW.format(port=ear.getsockname()[1], long=2 * HANG_S)
        (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", ""))).rstrip(":;"))
        yield ear


def test_stop_ends_the_process_that_reads_a_pdf(example: Path, tmp_path: Path, reader: socket.socket) -> None:
    data = LAYOUTS["square_with_standing_names"](Chart(("Albany", "Boston"), ((0.0, 2.5), (2.5, 0.0))))
    asked = {"what": "payoffs", "files": [{"name": "chart.pdf", "bytes": len(data)}]}
    app = make_app(Hub(open_session(example)), DOOR, static=tmp_path)
    with TestClient(app, base_url=HOST, headers={"origin": HOST}) as client:
        let_in(client, DOOR)
        begun = client.post("/api/chart-scans", params={"asked": json.dumps(asked)}, content=data).json()
        line, _ = reader.accept()
        with line:
            line.settimeout(HANG_S)
            assert line.recv(16) == b"reading"
            stopped = client.delete(f"/api/jobs/{begun['id']}")
            assert stopped.json()["state"] == "stopped"
            assert line.recv(16) == b""  # its end is gone, long before it is done
