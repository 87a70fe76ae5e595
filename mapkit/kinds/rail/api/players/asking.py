"""Calls of code that may crash or hang, in threads of their own."""

import ctypes
from collections.abc import Callable
from threading import Thread
from traceback import extract_tb
from typing import Final, TypeVar

T = TypeVar("T")
LIMIT_S: Final = 10.0
"""Longest time of a decision, seconds."""


class BrokenPlayerError(Exception):
    """Failure of a player: `kind` is crashes, cheats or hangs."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def ask_in_time(call: Callable[[], T]) -> T:
    """Return the result of a call.

    A call that hangs is stopped by an exception in its thread, which code in C only sees when it returns.

    Raises:
        BrokenPlayerError: It raises, or takes longer than the limit.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - also SystemExit: the run goes on
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    if thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
        raise BrokenPlayerError("hangs", f"no answer in {LIMIT_S:g} seconds")
    if errors:
        frames = extract_tb(errors[0].__traceback__)
        raise BrokenPlayerError(
            "crashes", f"{type(errors[0]).__name__}: {errors[0]} (line {frames[-1].lineno} of {frames[-1].name})"
        )
    return results[0]
