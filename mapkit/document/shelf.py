"""Storage of things beside a board in `sources/<board>.editor/`, written atomically and found by id alone."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError, OutputError
from mapkit.core.outputs import disk
from mapkit.core.outputs.stages import open_stage, sync_folders

_ID_LENGTH = 16


def plain_name(name: str, otherwise: str) -> str:
    """Return the last part of a path as a name for display."""
    last_part = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in last_part if c.isprintable())[:120].strip() or otherwise


def digest_of(file: Path, *more: str) -> str:
    """Return the id of a file: a hash of its content and the additional words."""
    with file.open("rb") as stream:
        content_hash = hashlib.file_digest(stream, "sha256")
    for text in more:
        content_hash.update(b"\0" + text.encode())
    return content_hash.hexdigest()[:_ID_LENGTH]


class ShelfEntry(Frozen):
    """Description of a thing on a shelf."""

    id: str
    name: str


K = TypeVar("K", bound=ShelfEntry)


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
        """Return the descriptions of all things, by name."""
        descriptions: list[K] = []
        for path in sorted(self.folder.glob(f"*/{self._about_name}")):
            try:
                descriptions.append(self._model.model_validate_json(path.read_bytes()))
            except (OSError, ValueError):  # also ValidationError: a damaged file
                continue
        return tuple(sorted(descriptions, key=lambda one: (one.name, one.id)))

    def about(self, ident: str) -> K | None:
        """Return the description of a thing, or None if it does not exist."""
        about_path = self._about_file(ident)
        return None if about_path is None else self._model.model_validate_json(about_path.read_bytes())

    def put(self, ident: str, fill: Callable[[Path], K]) -> K:
        """Store a thing, and return its description.

        Args:
            ident: Its id.
            fill: Writes it into an empty folder, and returns what to say about it, under that id.

        Raises:
            OutputError: It cannot be written.
        """
        if len(self.listed()) >= self._most:
            raise self._error(f"this board has {self._most} {self._several} already; remove one first")
        try:
            with open_stage(self.folder) as stage:
                new_folder = stage / "new"
                new_folder.mkdir()
                about = fill(new_folder)
                text = json.dumps(about.model_dump(mode="json"), ensure_ascii=False, indent=1)
                disk.write_synced(new_folder / self._about_name, f"{text}\n".encode())
                for path in new_folder.rglob("*"):
                    if path.is_file():
                        with disk.open_file(path, "rb+") as stream:
                            disk.sync(stream)
                sync_folders(new_folder, (path for path in new_folder.rglob("*") if path.is_dir()))
                disk.rename(new_folder, self.folder / ident)
                disk.sync_folder(self.folder)
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        return about

    def remove(self, ident: str) -> None:
        """Remove a thing; raise the error of this shelf if it does not exist, OutputError if it cannot be removed."""
        thing_folder = self.of(ident)
        try:
            shutil.rmtree(thing_folder)
        except OSError as error:
            raise OutputError(
                f"{thing_folder}: cannot be removed: {error.strerror or error}; close it where it is open"
            ) from error

    def of(self, ident: str) -> Path:
        """Return the folder of a thing; raise the error of this shelf if it does not exist."""
        if self._about_file(ident) is None:
            raise self._error(f"there is no {self._called} {ident!r}")
        return self.folder / ident

    def _about_file(self, ident: str) -> Path | None:
        is_id = len(ident) == _ID_LENGTH and all(c in "0123456789abcdef" for c in ident)
        about_path = self.folder / ident / self._about_name
        return about_path if is_id and about_path.is_file() else None
