"""Ctrl-C is answered at once, also while a library works for long without looking.

Python hears signals between two steps of its own, and a library or a check may swallow what it raises then. So a thread
hears them too: if the main thread has not ended a moment later, and is not exchanging files, the program ends without
it.
"""

import atexit
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

GRACE: Final = 0.08
"""Seconds in which the main thread may end by itself."""
_ENDINGS: Final = (signal.SIGINT, signal.SIGTERM)
_MARK: Final = b"\0"
"""A byte in place of a signal: whoever writes it waits until all signals before it have been looked at."""
_watchers: Final[list[tuple[socket.socket, threading.Event]]] = []


@contextmanager
def answered_at_once(last_words: Callable[[], None], code: int) -> Iterator[None]:
    """End the program at once on Ctrl-C, or on SIGTERM as on Ctrl-C, whether or not the main thread responds.

    Where Ctrl-C is ignored, or another handler answers it (files change places, a solver is to give its best), it stays
    so.

    Args:
        last_words: Said before the program ends without its main thread.
        code: Its exit code then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end_as_interrupted)
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def answer(number: int, frame: FrameType | None) -> None:
        signal.default_int_handler(number, frame)

    def watch() -> None:
        while heard := ear.recv(64):
            if ({*_ENDINGS} & {*heard}) and not ended.wait(GRACE) and signal.getsignal(signal.SIGINT) is answer:
                end_at_once(code, last_words)
            if _MARK[0] in heard:
                looked.set()

    ended, looked = threading.Event(), threading.Event()
    mouth, ear = socket.socketpair()
    mouth.setblocking(False)  # noqa: FBT003 - of the standard library
    signal.signal(signal.SIGINT, answer)
    before = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    _watchers.append((mouth, looked))
    try:
        yield
    finally:
        _watchers.pop()
        ended.set()
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        mouth.close()
        watcher.join()  # its end of the pair is closed after it has read the end of the other
        ear.close()


@contextmanager
def respond_to_first_interrupt(respond: Callable[[], None]) -> Iterator[None]:
    """Respond to the first Ctrl-C instead of ending the program at once; a second one has its usual effect.

    Where Ctrl-C is ignored, or this is not the main thread, it stays so.

    Args:
        respond: Called at the first Ctrl-C, in the main thread; may raise.
    """
    previous_handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous_handler):
        yield
        return
    interrupts: list[int] = []

    def answer_first(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        if len(interrupts) == 1:
            respond()
        else:
            signal.signal(signal.SIGINT, previous_handler)
            previous_handler(number, frame)

    signal.signal(signal.SIGINT, answer_first)
    try:
        yield
    finally:
        if interrupts:  # it stays answered until the thread that hears it too has looked
            for mouth, looked in _watchers:
                looked.clear()
                mouth.send(_MARK)
                looked.wait()
        signal.signal(signal.SIGINT, previous_handler)


def _end_as_interrupted(number: int, frame: FrameType | None) -> None:
    """Answer SIGTERM as Ctrl-C, also in the background of a shell, where Ctrl-C is ignored."""
    if callable(signal.getsignal(signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)
    else:
        signal.default_int_handler(number, frame)


def end_at_once(code: int, last_words: Callable[[], None] = lambda: None) -> NoReturn:
    """End the program, from any thread, without taking its objects apart; temporary folders go, as at every end.

    Workers are killed first: the exit functions wait for them, and a worker that nobody tells to end waits, too.
    """
    try:
        if (multiprocessing := sys.modules.get("multiprocessing")) is not None:
            for worker in multiprocessing.active_children():
                worker.kill()
        atexit._run_exitfuncs()  # noqa: SLF001 - what `os._exit` leaves out
        last_words()  # last, or what moves on the terminal would come after them
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(code)
