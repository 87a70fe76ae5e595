"""Atomic writing of files: all are staged, then renamed into place, and finished by the next command if interrupted."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from mapkit.core.errors import OutputError
from mapkit.core.outputs import disk
from mapkit.core.outputs.filenames import unwritable_reason
from mapkit.core.outputs.owners import claim_outputs
from mapkit.core.outputs.stages import Renames, defer_interrupt, open_stage, sync_folders

_IS_WINDOWS: Final = os.name == "nt"
LONGEST_PATH: Final = 259
"""Characters of a whole path on Windows, unless its user allows longer ones."""
_STAGE_PATH: Final = Path(".mapkit-12345678", "new")
"""Where new files are at first, as long as its name is."""


def write_files(folder: Path, files: Mapping[str, str | bytes], *, remove: Iterable[str] = ()) -> None:
    """Write all files of `folder` and remove some, or change nothing.

    The contents (texts in UTF-8) are first written to a hidden folder, and moved into place only when all are on disk.
    If that fails midway, the previous files are restored; if the program is killed midway, the next command finishes
    (`mapkit.core.outputs.stages`). Other files in the folder are not touched.

    Raises:
        OutputError: The folder is a file or may not be written to, the disk is full, another program has a file open
            (Windows), not every system can hold the names (`mapkit.core.outputs.filenames`), or a file belongs to
            another board (`mapkit.core.outputs.owners`).
    """
    files, obsolete = claim_outputs(folder, files)
    remove = [*remove, *obsolete]
    removed_names = sorted(set(remove) - set(files))
    if reason := unwritable_reason(folder, files, leaving=removed_names):
        raise OutputError(f"{reason}; nothing was written")
    new_folders = _missing_folders(folder)
    existing_path = new_folders[-1].parent if new_folders else folder
    if existing_path.is_file():
        raise OutputError(
            f"{folder}: cannot be written, because {existing_path} is a file; remove it, or name a folder"
        )
    try:
        with open_stage(folder) as stage:
            for name in sorted(files):
                disk.write_synced(stage / "new" / name, _to_bytes(files[name]))
            for new_folder in new_folders:
                disk.sync_folder(new_folder.parent)
            fresh_names = tuple(name for name in sorted(files) if not (folder / name).exists())
            renames = Renames(tuple(sorted(files)), tuple(removed_names), fresh_names)
            renames.write(folder, stage)
            with defer_interrupt():
                _exchange_files(folder, stage, renames)
    except OSError as error:
        raise OutputError(
            f"{error.filename2 or folder}: cannot be written: {error.strerror or error}; nothing was changed there. "
            f"{_writing_cure(folder, files)}"
        ) from error
    finally:
        for parent in new_folders:
            if parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()


def write_folder(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Create a folder with files; it appears with all of them, or not at all.

    Raises:
        OutputError: It cannot be written, or exists; nothing is left of it.
    """
    new_folders = _missing_folders(folder.parent)
    try:
        with open_stage(folder.parent) as stage:
            new_folder = stage / "new"
            for name in sorted(files):
                disk.write_synced(new_folder / name, _to_bytes(files[name]))
            sync_folders(new_folder, ((new_folder / name).parent for name in files))
            for missing_folder in new_folders:
                disk.sync_folder(missing_folder.parent)
            disk.rename(new_folder, folder)
            disk.sync_folder(folder.parent)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made: {error.strerror or error}; nothing is left of it") from error


def _to_bytes(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content


def _missing_folders(folder: Path) -> list[Path]:
    """Return the folders that creating `folder` would add, deepest first."""
    missing_folders: list[Path] = []
    for path in (folder, *folder.parents):
        if path.exists():
            break
        missing_folders.append(path)
    return missing_folders


def _writing_cure(folder: Path, files: Iterable[str]) -> str:
    """Return a cure for files that the system refuses to write."""
    longest_path = max((len(str(folder.absolute() / _STAGE_PATH / name)) for name in files), default=0)
    if _IS_WINDOWS and longest_path > LONGEST_PATH:
        limit = f"Its path has {longest_path} characters, and Windows allows {LONGEST_PATH}"
        return f"{limit}: choose a folder with a shorter path"
    return "Close it where it is open, free some space, or choose a folder that you may write to"


def _exchange_files(folder: Path, stage: Path, renames: Renames) -> None:
    """Carry out renames, or take all back if one fails.

    Raises:
        OutputError: Something could not come back; the text says where it is.
    """
    try:
        renames.carry_out(folder, stage)
    except OSError:
        with suppress(OSError):  # a full disk
            renames.undone().write(folder, stage)
        if stuck_files := renames.take_back(folder, stage):
            raise OutputError(
                "another program keeps files open, so that writing stopped midway; what was there before is in "
                f"{', '.join(map(str, sorted(stuck_files)))}. Close the files, and rename these back"
            ) from None
        raise
