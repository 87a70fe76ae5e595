"""Commands run on a terminal: a pseudo-terminal, as Unix has it."""

import os
import sys
from pathlib import Path
from typing import NamedTuple


class TerminalRun(NamedTuple):
    """What a command printed on a terminal, messages and results together, and its exit code."""

    code: int
    text: str


def run_on_terminal(arguments: list[str], folder: Path) -> TerminalRun:
    """Run Python with some arguments on a pseudo-terminal."""
    import pty  # noqa: PLC0415 - Unix alone has it

    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - our own arguments
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so at the end
            break
        if not part:
            break
        parts.append(part)
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    return TerminalRun(os.waitstatus_to_exitcode(status), b"".join(parts).decode())
