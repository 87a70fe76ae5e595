"""Memo of pure functions for a run of the tests; imported before what it wraps is imported elsewhere.

Hundreds of tests load the same few boards, each in a second of the processor. Reading a package and compiling its
document are pure functions, so the newest results are taken again: by the content of the files, then by the document
itself. Rasters of drawings and words of scanned pages take seconds too; they are shared by the workers of a run, in
files. Not while a test has changed a part of mapkit that the result follows from (by `monkeypatch`), and not where
`MAPKIT_CACHE` names a folder, for then that is what the test tries.
"""

import hashlib
import os
import pickle
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import getmodule, isclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mapkit.formats.recognising import page as recognised_page
from mapkit.kinds.rail.reading import package
from mapkit.kinds.rail.reading.files import Folder
from mapkit.press import raster

NEWEST = 24
"""How many results are held."""
AFTER = (
    "mapkit.api", "mapkit.cli", "mapkit.console", "mapkit.editor", "mapkit.exchange", "mapkit.formats.pdf",
    "mapkit.formats.recognising", "mapkit.kinds.rail.api", "mapkit.kinds.rail.cli", "mapkit.kinds.rail.exchange",
    "mapkit.kinds.rail.playing", "mapkit.kinds.rail.render", "mapkit.kinds.rail.scanning", "mapkit.kinds.rail.serving",
    "mapkit.playing", "mapkit.press",
)  # fmt: skip
"""Parts of mapkit that nothing which compiles imports."""
WORTH_S = 0.05
"""Of the processor: what took less is not shared."""
SHARED: Path | None = None
"""The folder of results that workers share; None until a run has one."""
_patches: "weakref.WeakSet[pytest.MonkeyPatch]" = weakref.WeakSet()
_init = pytest.MonkeyPatch.__init__


def _register(self: pytest.MonkeyPatch) -> None:
    _init(self)
    _patches.add(self)


pytest.MonkeyPatch.__init__ = _register  # type: ignore[method-assign]


def _module_of(target: object) -> str:
    owner = target if isinstance(target, ModuleType) or isclass(target) else type(target)
    return f"{owner.__name__ if isinstance(owner, ModuleType) else owner.__module__}."


def _may_change_compiling(target: object) -> bool:
    module = _module_of(target)
    return module.startswith("mapkit.") and not module.startswith(tuple(f"{part}." for part in AFTER))


def as_shipped() -> bool:
    """Return whether mapkit compiles as it does outside this test."""
    return os.environ.get("MAPKIT_CACHE") == "off" and not any(
        patch._setitem or any(_may_change_compiling(target) for target, _, _ in patch._setattr) for patch in [*_patches]
    )


def unchanged(parts: Sequence[str]) -> bool:
    """Return whether this test has left these parts of mapkit as they are."""
    modules = tuple(f"{part}." for part in parts)
    return os.environ.get("MAPKIT_CACHE") == "off" and not any(
        _module_of(target).startswith(modules) for patch in [*_patches] for target, _, _ in patch._setattr
    )


def once(module: ModuleType, name: str, key: Callable[..., object]) -> None:
    """Let a function of a module return what it returned for the same arguments.

    Args:
        module: The module.
        name: The function.
        key: Returns what the result follows from; the arguments are held, so that ids in it stay theirs. None if the
            result is not to be taken again.
    """
    make = getattr(module, name)
    made: OrderedDict[object, tuple[object, Any]] = OrderedDict()

    @wraps(make)
    def call(*arguments: Any, **named: Any) -> Any:
        ground = key(*arguments, **named) if as_shipped() else None
        if ground is None:
            return make(*arguments, **named)
        if ground not in made:
            made[ground] = ((arguments, named), make(*arguments, **named))
            while len(made) > NEWEST:
                made.popitem(last=False)
        made.move_to_end(ground)
        return made[ground][1]

    assert getmodule(make) is module
    setattr(module, name, call)


def once_among_workers(
    module: ModuleType, name: str, parts: Sequence[str], key: Callable[..., Sequence[bytes | str]]
) -> None:
    """Let a function of a module return what it returned for the same arguments to any worker of this run.

    Args:
        module: The module.
        name: The function.
        parts: Modules and packages that the result follows from.
        key: Returns what else it follows from.
    """
    make = getattr(module, name)

    @wraps(make)
    def call(*arguments: Any, **named: Any) -> Any:
        if SHARED is None or not unchanged(parts):
            return make(*arguments, **named)
        ground = hashlib.sha256(name.encode())
        for part in key(*arguments, **named):
            data = part.encode() if isinstance(part, str) else part
            ground.update(len(data).to_bytes(8, "little") + data)
        file = SHARED / ground.hexdigest()
        if file.is_file():
            return pickle.loads(file.read_bytes())  # noqa: S301 - our own file
        start = time.process_time()
        made = make(*arguments, **named)
        if time.process_time() - start < WORTH_S:
            return made
        own = file.with_name(f"{file.name}-{os.getpid()}-{id(made)}")
        own.write_bytes(pickle.dumps(made))
        own.replace(file)  # another worker may read it at any time
        return made

    assert getmodule(make) is module
    setattr(module, name, call)


def _of_drawing(svg: str, dpi: float = 300.0, *, width: int | None = None, name: str = "the picture") -> list[str]:
    return [svg, repr((dpi, width, name))]


def _of_scan(picture: Any, number: int = 1, _: object = None) -> list[bytes | str]:
    return [picture.tobytes(), repr((picture.shape, number))]


def _of_files(folder: Folder) -> object:
    return tuple(folder.files.items()), folder.problems


def _of_document(document: object, *, board_id: str, files: Any = None, stored: bool = False, **more: Any) -> object:
    if any(value is not None and value != () for value in more.values()):
        return None
    return id(document), board_id, stored, None if files is None else tuple(map(repr, files))


once(package, "read_package", _of_files)

from mapkit.kinds.rail.compiler import compile as compiling  # noqa: E402 - it imports `read_package`

once(compiling, "compile_document", _of_document)
once_among_workers(raster, "svg_to_png", ("mapkit.core", "mapkit.drawing", "mapkit.press"), _of_drawing)
once_among_workers(recognised_page, "read_picture_page", ("mapkit.core", "mapkit.formats"), _of_scan)
