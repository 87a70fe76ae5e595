"""Work beside other work, in a process of its own, where the program allows that.

A program that runs one command and ends (`mapkit build`) allows it. Such work begins at once in a copy of the process,
which sends back what came of it. Anywhere else (in the API, the editor, on systems that cannot copy a process, on one
processor) the same work is done when its result is asked for. It makes no difference to results.
"""

import gc
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final, TypeVar

T = TypeVar("T")

_PATIENCE: Final = 5
_known: set[threading.Thread] = set()
"""The threads of the program when it allowed work beside it; empty if it does not."""


def allow_beside() -> None:
    """Let work of this program be done beside it, for as long as it begins no more threads than it has now."""
    if sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1:
        _known.update(threading.enumerate())


def beside(work: Callable[[], T], *, patient: bool = False) -> Callable[[], T]:
    """Begin work that needs nothing of what is done meanwhile, and return what waits for its result, once.

    Args:
        work: A function that changes nothing which is seen elsewhere; its result can be pickled. If it raises, or its
            process ends early, it is done again by who asks for the result, and raises there.
        patient: Whether other work goes first where processors are short.
    """
    begun = _begun(work, _PATIENCE if patient else 0) if _alone() else None
    here = os.getpid()

    @cache
    def result() -> T:
        if begun is not None and os.getpid() == here:  # a copy of this process leaves the result to it
            pid, ear = begun
            with os.fdopen(ear, "rb") as stream:
                data = stream.read()
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
            with suppress(EOFError, pickle.UnpicklingError):
                found: T = pickle.loads(data)  # noqa: S301 - of this very program
                return found
        return work()

    return result


def _alone() -> bool:
    """Return whether this is the main thread of a program that allows it, and there are only threads that wait."""
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and bool(_known) and _known.issuperset(threading.enumerate())


def _begun(work: Callable[[], object], patience: int) -> tuple[int, int] | None:
    """Return the process that does the work and where it sends the result; None if the system allows no more."""
    ear, mouth = os.pipe()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the only other thread holds no lock: it waits
            pid = os.fork()
    except OSError:
        os.close(ear)
        os.close(mouth)
        return None
    if pid == 0:
        os.close(ear)  # so that writing ends where nobody reads any more
        _do(work, mouth, patience)
    os.close(mouth)
    return pid, ear


def _do(work: Callable[[], object], mouth: int, patience: int) -> None:
    """Do the work in this copy of the process and end it; nothing that the program does at its end is done here."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _known.clear()
        os.nice(patience)
        gc.disable()
        data = pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(mouth, "wb") as stream:
            stream.write(data)
    finally:
        os._exit(0)
