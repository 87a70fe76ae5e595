"""Functions on arrays, compiled by Numba.

Where Numba is missing or switched off, the same code runs as it is written, some hundred times slower.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from mapkit.core.kept import cache_folder
from mapkit.core.processes.installing import has_numba_wheels, install_command
from mapkit.core.progress import Progress, ProgressBar

INSTALLED: Final = find_spec("numba") is not None
_SWITCH: Final = "NUMBA_DISABLE_JIT"
AVAILABLE: Final = INSTALLED and os.environ.get(_SWITCH, "0") in ("", "0")
"""Whether functions are compiled; Numba's own variable switches it off."""
COMPILING: Final = "compiling (first run only)"
_KEPT: Final = 3
"""How many versions of compiled code stay in the cache folder."""

_decorated: Final[set[Callable[..., object]]] = set()
"""Functions that are compiled when they are first called."""

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")


def compiler(*folders: Path) -> tuple[Callable[[F], F], Callable[[F], F]]:
    """Return two decorators: one for functions that others compiled ones call, one for those that Python calls too.

    What they compile is kept for the next program. What Python calls takes longer to compile.

    Args:
        folders: Those of all functions that call each other; compiled code is kept by what is in their files.
    """
    if not AVAILABLE:
        return _as_it_is, _as_it_is
    numba = import_module("numba")  # it takes half a second, and few commands compile
    place = _place(folders)

    def compiled(function: F) -> F:
        _decorated.add(function)
        numba.config.CACHE_DIR = str(place or "")
        options = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return cast("F", numba.njit(function, cache=place is not None, **options))

    def called(function: F) -> F:
        _decorated.add(function)
        numba.config.CACHE_DIR = str(place or "")
        options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        return cast("F", numba.njit(function, cache=place is not None, **options))

    return compiled, called


def slow_reason() -> str:
    """Return why nothing is compiled, and the cure; empty if functions are compiled."""
    if AVAILABLE:
        return ""
    if INSTALLED:
        return f"slowly, because {_SWITCH} is set; unset it for full speed"
    if not has_numba_wheels():
        return "slowly, because Numba has no packages for this system"
    return f"slowly, because Numba is missing; for full speed: {install_command()}"


@contextmanager
def report_compilation(progress: Progress, stage: str = "preparing") -> Iterator[None]:
    """Say what is done before the first match: nothing is compiled, or code is compiled now, with a bar, or loaded.

    Args:
        progress: Told the stage; a `ProgressBar` also that code is compiled, with the share that is.
        stage: What is done besides.
    """
    if not AVAILABLE:
        progress(f"{stage}; {slow_reason()}")
        yield
        return
    progress(stage)
    if not isinstance(progress, ProgressBar):
        yield
        return
    event = import_module("numba.core.event")
    started: set[Callable[..., object]] = set()
    finished: set[Callable[..., object]] = set()

    class Listener(event.Listener):  # type: ignore[misc, name-defined] # Numba has no types
        def on_start(self, found: Any) -> None:  # noqa: ANN401 - as above
            if not started:
                progress(COMPILING)
            started.add(found.data["dispatcher"].py_func)

        def on_end(self, found: Any) -> None:  # noqa: ANN401 - as above
            finished.add(found.data["dispatcher"].py_func)
            progress.show_share(len(finished & _decorated) / len(_decorated))

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


def _as_it_is(function: F) -> F:
    return function


def packing(fields: type[T]) -> Callable[..., T]:
    """Return a function that compiled code calls to pack a named tuple: `pack(*tuple)`.

    What is packed has the same fields, and is passed on as one reference. A tuple is passed on field by field, which
    makes code with many functions slow, and slower to compile.
    """
    if not AVAILABLE:
        return fields
    types, structref = import_module("numba.core.types"), import_module("numba.experimental.structref")
    names = list(getattr(fields, "_fields"))  # noqa: B009 - of every named tuple, but not of every type

    def plain(_: object, given: tuple[tuple[str, object], ...]) -> tuple[tuple[str, object], ...]:
        return tuple((name, types.unliteral(kind)) for name, kind in given)

    module = sys.modules[fields.__module__]
    place = {"__module__": fields.__module__}
    kind = type(f"_{fields.__name__}Type", (types.StructRef,), {"preprocess_fields": plain, **place})
    proxy = type(f"_{fields.__name__}Packed", (structref.StructRefProxy,), place)
    setattr(module, kind.__name__, kind)  # kept code finds it there
    setattr(module, proxy.__name__, proxy)
    structref.register(kind)
    structref.define_proxy(proxy, kind, names)
    return cast("Callable[..., T]", proxy)


def _place(folders: tuple[Path, ...]) -> Path | None:
    """Return the folder for compiled code of these files as they are; None if nothing is to be kept."""
    kept = cache_folder()
    if kept is None:
        return None
    whole = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.glob("**/*.py")):
            whole.update(file.read_bytes())
    place = kept / "compiled" / whole.hexdigest()[:16]
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        place.touch()
        _make_room(place.parent)
    return place


def _make_room(folder: Path) -> None:
    """Delete the code of versions that were not used for longest."""
    versions = sorted(folder.iterdir(), key=lambda path: -path.stat().st_mtime_ns)
    for old in versions[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
