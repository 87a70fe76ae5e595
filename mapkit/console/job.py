"""A command of mapkit that another program began: `python -m mapkit.console.job COMMAND ...`.

Its standard input is the line to that program. The word `stop` ends the command as Ctrl-C does; a command that keeps
what is done after Ctrl-C keeps it. When that program ends, whatever ended it, the line is cut, and the command ends.
"""

import _thread
import os
import runpy
import signal
import sys
import threading
from typing import Final

from mapkit.console.interrupts import end_at_once
from mapkit.console.printing import always_tell_stages

STOP: Final = b"stop\n"
ENDED: Final = 130
"""The exit code of a command that ended before it had done anything; as after Ctrl-C."""

NICE: Final = 5
"""How far a command steps back for other programs, as `nice` counts it: the editor stays quick."""


def _listen() -> None:
    while heard := os.read(0, len(STOP)):
        if heard.strip() == STOP.strip():
            if sys.platform == "win32":
                _thread.interrupt_main()
            else:
                os.kill(os.getpid(), signal.SIGINT)  # of the process, so that it wakes a main thread that waits
    end_at_once(ENDED)


def main() -> None:
    """Run the command, and listen meanwhile; whoever began it goes first."""
    if sys.platform != "win32":
        os.nice(NICE)
    always_tell_stages()
    # ignored in the background of a script, where the editor may have been started
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_listen, daemon=True).start()
    runpy.run_module("mapkit", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
