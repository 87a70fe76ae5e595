"""Files that were compiled once in a run are not compiled again; imported before what it wraps is imported elsewhere.

Hundreds of tests load the same few boards, each in a second of the processor. Reading a package and compiling its
document are pure functions, so the newest results are taken again: by the content of the files, then by the document
itself. Not while a test has changed a part of mapkit that compiles (by `monkeypatch`), and not where `MAPKIT_CACHE`
names a folder, for then that is what the test tries.
"""

import os
import weakref
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from inspect import getmodule, isclass
from types import ModuleType
from typing import Any

import pytest

from mapkit.kinds.rail.reading import package
from mapkit.kinds.rail.reading.files import Folder

NEWEST = 24
"""How many results are held."""
AFTER = (
    "mapkit.api", "mapkit.cli", "mapkit.console", "mapkit.editor", "mapkit.exchange", "mapkit.formats.pdf",
    "mapkit.formats.recognising", "mapkit.kinds.rail.api", "mapkit.kinds.rail.cli", "mapkit.kinds.rail.exchange",
    "mapkit.kinds.rail.playing", "mapkit.kinds.rail.render", "mapkit.kinds.rail.scanning", "mapkit.kinds.rail.serving",
    "mapkit.playing", "mapkit.press",
)  # fmt: skip
"""Parts of mapkit that nothing which compiles imports."""
_patches: "weakref.WeakSet[pytest.MonkeyPatch]" = weakref.WeakSet()
_init = pytest.MonkeyPatch.__init__


def _register(self: pytest.MonkeyPatch) -> None:
    _init(self)
    _patches.add(self)


pytest.MonkeyPatch.__init__ = _register  # type: ignore[method-assign]


def _may_change_compiling(target: object) -> bool:
    owner = target if isinstance(target, ModuleType) or isclass(target) else type(target)
    module = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    return module.partition(".")[0] == "mapkit" and not f"{module}.".startswith(tuple(f"{part}." for part in AFTER))


def as_shipped() -> bool:
    """Return whether mapkit compiles as it does outside this test."""
    return os.environ.get("MAPKIT_CACHE") == "off" and not any(
        patch._setitem or any(_may_change_compiling(target) for target, _, _ in patch._setattr) for patch in [*_patches]
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


def _of_files(folder: Folder) -> object:
    return tuple(folder.files.items()), folder.problems


def _of_document(document: object, *, board_id: str, files: Any = None, stored: bool = False, **more: Any) -> object:
    if any(value is not None and value != () for value in more.values()):
        return None
    return id(document), board_id, stored, None if files is None else tuple(map(repr, files))


once(package, "read_package", _of_files)

from mapkit.kinds.rail.compiler import compile as compiling  # noqa: E402 - it imports `read_package`

once(compiling, "compile_document", _of_document)
