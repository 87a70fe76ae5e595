"""Storage of things beside a board in `sources/<board>.editor/`, written atomically and found by id alone."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError, OutputError

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


class Kept(Frozen):
    """Description of a thing on a shelf."""

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
            self.folder.mkdir(parents=True, exist_ok=True)
            staging_folder = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        try:
            about = fill(staging_folder)
            text = json.dumps(about.model_dump(mode="json"), ensure_ascii=False, indent=1)
            (staging_folder / self._about_name).write_text(text + "\n", encoding="utf-8", newline="\n")
            staging_folder.chmod(0o755)
            staging_folder.rename(self.folder / ident)
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        finally:
            shutil.rmtree(staging_folder, ignore_errors=True)
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
