"""What is kept beside a board in `sources/<board>.editor/`: whole or not at all, and found by id alone."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError, OutputError

_ID = 16


def plain_name(name: str, otherwise: str) -> str:
    """Return the last part of a path as a name to show."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in last if c.isprintable())[:120].strip() or otherwise


def digest_of(file: Path, *more: str) -> str:
    """Return the id of a file: the same content, with the same words to it, has the same id."""
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256")
    for text in more:
        found.update(b"\0" + text.encode())
    return found.hexdigest()[:_ID]


class Kept(Frozen):
    """What is known about a thing on a shelf."""

    id: str
    name: str


K = TypeVar("K", bound=Kept)


class Shelf(Generic[K]):
    """Things of one sort, each in a folder named by its id, with a JSON file that describes it.

    Args:
        folder: Where they are kept; made when the first one comes.
        model: What is known about one.
        called: What one is called, and several; the file that describes one is named after it (`picture.json`).
        most: How many there may be.
        error: What is raised where there is none of an id, or too many.
    """

    def __init__(
        self, folder: Path, model: type[K], *, called: tuple[str, str], most: int, error: type[MapkitError]
    ) -> None:
        self.folder = folder
        self._model = model
        self._called, self._several = called
        self._about_name = f"{self._called.replace(' ', '-')}.json"
        self._most = most
        self._error = error

    def listed(self) -> tuple[K, ...]:
        """Return what is known about each, by name."""
        found: list[K] = []
        for path in sorted(self.folder.glob(f"*/{self._about_name}")):
            try:
                found.append(self._model.model_validate_json(path.read_bytes()))
            except (OSError, ValueError):  # also ValidationError: a damaged file
                continue
        return tuple(sorted(found, key=lambda one: (one.name, one.id)))

    def about(self, ident: str) -> K | None:
        """Return what is known about one, or None if it is not there."""
        there = self._about_file(ident)
        return None if there is None else self._model.model_validate_json(there.read_bytes())

    def put(self, ident: str, fill: Callable[[Path], K]) -> K:
        """Keep a thing, and return what is known about it.

        Args:
            ident: Its id.
            fill: Writes it into an empty folder, and returns what to say about it, under that id.

        Raises:
            OutputError: It cannot be written.
        """
        if len(self.listed()) >= self._most:
            raise self._error(f"this board has {self._most} {self._several} already; remove one first")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            stage = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        try:
            about = fill(stage)
            text = json.dumps(about.model_dump(mode="json"), ensure_ascii=False, indent=1)
            (stage / self._about_name).write_text(text + "\n", encoding="utf-8", newline="\n")
            stage.chmod(0o755)
            stage.rename(self.folder / ident)
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        return about

    def remove(self, ident: str) -> None:
        """Remove one; raises the error of this shelf if it is not there, OutputError if it cannot be removed."""
        folder = self.of(ident)
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise OutputError(
                f"{folder}: cannot be removed: {error.strerror or error}; close it where it is open"
            ) from error

    def of(self, ident: str) -> Path:
        """Return the folder of one; raises the error of this shelf if it is not there."""
        if self._about_file(ident) is None:
            raise self._error(f"there is no {self._called} {ident!r}")
        return self.folder / ident

    def _about_file(self, ident: str) -> Path | None:
        known = len(ident) == _ID and all(c in "0123456789abcdef" for c in ident)
        file = self.folder / ident / self._about_name
        return file if known and file.is_file() else None
