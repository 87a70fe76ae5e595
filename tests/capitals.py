"""A fake of file systems that take names for one which differ only in capitals or in how accents are written.

Only what Python itself asks of the system goes through it, not what GDAL or other libraries open by themselves.
"""

import builtins
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapkit.core.outputs.filenames import case_key

_ONE_PATH = (
    *("access", "chmod", "listdir", "lstat", "mkdir", "open"),
    *("remove", "rmdir", "scandir", "stat", "unlink", "utime"),
)


class NoCapitals:
    """A folder like one of Windows or macOS, as far as capitals go: `Board.toml` is found as `board.toml`.

    A file keeps the spelling that it was made with; a file that is renamed onto another takes its place, in its own
    spelling.

    Args:
        root: The folder.
        monkeypatch: Puts everything back.
    """

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._root = root
        self._listdir, self._unlink, link = os.listdir, os.unlink, os.link
        for name in _ONE_PATH:
            monkeypatch.setattr(os, name, self._with_known_path(getattr(os, name)))
        for name in ("rename", "replace"):
            monkeypatch.setattr(os, name, self._renaming(getattr(os, name)))
        monkeypatch.setattr(os, "link", lambda a, b, **named: link(self.known(a), self.known(b), **named))
        opened = self._with_known_path(io.open)
        monkeypatch.setattr(io, "open", opened)
        monkeypatch.setattr(builtins, "open", opened)

    def known(self, path: Any) -> Any:
        """Return a path as its parts are spelled in the folder; what is not in it stays."""
        text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
        given = Path(os.path.abspath(text)) if isinstance(text, str) else None  # noqa: PTH100 - links stay
        if given is None or not given.is_relative_to(self._root):
            return path
        at = self._root
        for part in given.relative_to(self._root).parts:
            at /= next((name for name in self._names(at) if case_key(name) == case_key(part)), part)
        return str(at)

    def _names(self, folder: Path) -> list[str]:
        try:
            return sorted(self._listdir(folder))
        except OSError:
            return []

    def _with_known_path(self, real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda path=".", *more, **named: real(self.known(path), *more, **named)

    def _renaming(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def rename(path: Any, target: Any, **named: Any) -> None:
            there = Path(self.known(target))
            as_given = there.with_name(Path(target).name)
            if there not in (as_given, Path(self.known(path))) and there.is_file():
                self._unlink(there)
            real(self.known(path), as_given, **named)

        return rename
