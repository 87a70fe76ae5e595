"""Pipes, devices, folders and links in place of each file of source packages of all kinds: named, and never read.

The normal run takes a sample; `--long` tries every file in every way.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from sampling import sample

from fuzz.readers import READERS, Files, files_of, put, run
from mapkit.kinds.registry import get_kind

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes and devices in folders")

OUTSIDE = "secret.csv"
"""A file beside the source packages, with one word."""
SECONDS = 60
"""A command that takes longer waits for a pipe."""
COMMANDS = ("check example", 'do example {"kind":"set-setting","key":"title","value":"New"}', "build example")


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


REPLACEMENTS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "device": link_to("/dev/zero"),
    "folder": Path.mkdir,
    "link out": lambda path: path.symlink_to(
        next(each / OUTSIDE for each in path.parents if (each / OUTSIDE).exists())
    ),
    "broken link": link_to("nothing"),
    "link to itself": lambda path: path.symlink_to(path),
}


@cache
def package(kind: str) -> Files:
    """Return the files of a board of a kind; one of railroads also has drawings and a journal."""
    files = {f"sources/example/{name}": data for name, data in get_kind(kind).new_files(example=True).items()}
    if kind == "rail":
        for reader in ("board.toml", "mapping.csv", "journal"):
            files |= files_of(READERS[reader])
    return {name: data for name, data in files.items() if name.startswith("sources/")}


@contextmanager
def time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError

    former = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


CASES = [
    (kind, name, replacement)
    for kind in ("rail", "hex", "cards")
    for name in sorted(package(kind))
    for replacement in REPLACEMENTS
]


@pytest.mark.parametrize(("kind", "name", "replacement"), sample(CASES, 12))
def test_a_replaced_file_is_named_and_not_read(kind: str, name: str, replacement: str, tmp_path: Path) -> None:
    put(tmp_path, package(kind) | {OUTSIDE: b"swordfish\n"})
    path = tmp_path / name
    path.unlink()
    REPLACEMENTS[replacement](path)
    for command in COMMANDS[1:2] if name.endswith(".journal") else COMMANDS:
        with time_limit():
            ended = run(tmp_path, command, (path.name,))
        assert ended.wrong == "", ended
        assert path.name in ended.text, ended
        assert "swordfish" not in ended.text
