"""Functions on arrays, compiled by Numba.

If Numba is missing or disabled, the same code runs uncompiled, about a hundred times slower.
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
_DISABLE_VARIABLE: Final = "NUMBA_DISABLE_JIT"
AVAILABLE: Final = INSTALLED and os.environ.get(_DISABLE_VARIABLE, "0") in ("", "0")
"""Whether functions are compiled; Numba's own variable switches it off."""
COMPILING: Final = "compiling (first run only)"
_KEPT_VERSIONS: Final = 3
"""How many versions of compiled code stay in the cache folder."""

_decorated_functions: Final[set[Callable[..., object]]] = set()
"""Functions that are compiled when they are first called."""

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")


def compiler(*folders: Path) -> tuple[Callable[[F], F], Callable[[F], F]]:
    """Return two decorators: one for functions called by compiled ones, one for functions also called by Python.

    Compiled code is cached for the next program. Functions that Python calls take longer to compile.

    Args:
        folders: Those of all functions that call each other; compiled code is kept by what is in their files.
    """
    if not AVAILABLE:
        return _leave_uncompiled, _leave_uncompiled
    numba = import_module("numba")  # it takes half a second, and few commands compile
    code_folder = _code_folder(folders)

    def compiled(function: F) -> F:
        _decorated_functions.add(function)
        numba.config.CACHE_DIR = str(code_folder or "")
        jit_options = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return cast("F", numba.njit(function, cache=code_folder is not None, **jit_options))

    def called(function: F) -> F:
        _decorated_functions.add(function)
        numba.config.CACHE_DIR = str(code_folder or "")
        jit_options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        return cast("F", numba.njit(function, cache=code_folder is not None, **jit_options))

    return compiled, called


def slow_reason() -> str:
    """Return why functions are not compiled, with a cure; empty if they are."""
    if AVAILABLE:
        return ""
    if INSTALLED:
        return f"slowly, because {_DISABLE_VARIABLE} is set; unset it for full speed"
    if not has_numba_wheels():
        return "slowly, because Numba has no packages for this system"
    return f"slowly, because Numba is missing; for full speed: {install_command()}"


@contextmanager
def report_compilation(progress: Progress, stage: str = "preparing") -> Iterator[None]:
    """Report the preparation of the first match: uncompiled, compiling (with a bar), or loading code.

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
            progress.show_share(len(finished & _decorated_functions) / len(_decorated_functions))

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


def _leave_uncompiled(function: F) -> F:
    return function


def packing(fields: type[T]) -> Callable[..., T]:
    """Return a function that compiled code calls to pack a named tuple: `pack(*tuple)`.

    A packed tuple has the same fields but is passed as one reference. Plain tuples are passed field by field, which
    makes code with many functions slower to run and to compile.
    """
    if not AVAILABLE:
        return fields
    types, structref = import_module("numba.core.types"), import_module("numba.experimental.structref")
    field_names = list(getattr(fields, "_fields"))  # noqa: B009 - of every named tuple, but not of every type

    def unliteral_fields(_: object, given: tuple[tuple[str, object], ...]) -> tuple[tuple[str, object], ...]:
        return tuple((name, types.unliteral(kind)) for name, kind in given)

    module = sys.modules[fields.__module__]
    class_names = {"__module__": fields.__module__}
    struct_type = type(
        f"_{fields.__name__}Type", (types.StructRef,), {"preprocess_fields": unliteral_fields, **class_names}
    )
    proxy_type = type(f"_{fields.__name__}Packed", (structref.StructRefProxy,), class_names)
    setattr(module, struct_type.__name__, struct_type)  # kept code finds it there
    setattr(module, proxy_type.__name__, proxy_type)
    structref.register(struct_type)
    structref.define_proxy(proxy_type, struct_type, field_names)
    return cast("Callable[..., T]", proxy_type)


def _code_folder(folders: tuple[Path, ...]) -> Path | None:
    """Return the cache folder for the compiled code of these files as they are; None if nothing is cached."""
    cache_root = cache_folder()
    if cache_root is None:
        return None
    source_hash = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.glob("**/*.py")):
            source_hash.update(file.read_bytes())
    code_folder = cache_root / "compiled" / source_hash.hexdigest()[:16]
    with suppress(OSError):
        code_folder.mkdir(parents=True, exist_ok=True)
        code_folder.touch()
        # only the most recently used versions stay
        versions = sorted(code_folder.parent.iterdir(), key=lambda path: -path.stat().st_mtime_ns)
        for old_version in versions[_KEPT_VERSIONS:]:
            shutil.rmtree(old_version, ignore_errors=True)
    return code_folder
