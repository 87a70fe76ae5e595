"""Ctrl-C on a terminal, and SIGTERM, end the program with one line, also in a library that does not listen."""

import os
import signal
import subprocess
import sys

import pytest
from optional import ON_UNIX
from patience import HANG_S

if sys.platform != "win32":
    import pty

pytestmark = ON_UNIX

PROGRAM = """

import multiprocessing
import time

import mapkit.cli.app as cli

{before}

def swallow():
    while True:
        try:
            print("ready", flush=True)
            {work}
        except BaseException:
            pass

cli.app = swallow
cli.program()
"""
WORKS = {
    "a library": ("", "import hashlib; hashlib.pbkdf2_hmac('sha256', b'a', b'b', 2_000_000_000)"),
    "swallowed": ("", "time.sleep(600)"),
    "a worker that nobody ends": (
        "multiprocessing.get_context('spawn').Process(target=time.sleep, args=(600,)).start()",
        "time.sleep(600)",
    ),
}
"""What is done before, and the work that is interrupted."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_ctrl_c_on_a_terminal_ends_the_program(work: tuple[str, str], number: signal.Signals) -> None:
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(before=work[0], work=work[1])],
        stdin=side,
        stdout=side,
        stderr=side,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - a single thread
    )
    os.close(side)
    said = b""
    while b"ready" not in said:
        said += os.read(main, 1000)
    process.send_signal(number)
    try:
        assert process.wait(HANG_S) == 130
    finally:
        process.kill()
    said += _read_the_rest(main)
    os.close(main)
    assert said.count(b"mapkit: interrupted; nothing was left half-written") == 1
    assert b"Traceback" not in said


def _read_the_rest(terminal: int) -> bytes:
    """Read all that an ended program has printed: a terminal gives it in pieces, and an error at its end."""
    rest = b""
    try:
        while piece := os.read(terminal, 1000):
            rest += piece
    except OSError:
        pass
    return rest
