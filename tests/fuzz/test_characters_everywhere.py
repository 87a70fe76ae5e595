"""A control character in any file that people edit: refused, dropped, or in nothing that is printed and written.

ESC begins what steers a terminal, so it stands for all characters that no text may hold.
"""

import io
import re
import zipfile
from pathlib import Path

import pytest
from sampling import is_long, sample

from fuzz.edits import Edit
from fuzz.readers import READERS, Files, Reader, files_of, put, run

pytestmark = pytest.mark.slow

ESC = "\x1b"
WRITTEN = re.compile(rb"\x1b|\\u001[bB]|&#(?:27|x1[bB]);")
NAME = re.compile(rb"(?<=[a-z])[a-z](?=[a-z]{2})")
"""A letter of a word; names of files that are compared byte by byte keep their length."""
COUNT = 12 if is_long() else 2
"""Words of each file that are tried, from its beginning to its end."""


def with_escape(data: bytes, at: int, how: bytes) -> bytes:
    return data[:at] + how + data[at + 1 :]


def edits(data: bytes, file: str) -> list[Edit]:
    """Return the file with ESC in some of its words, as it is and as JSON and XML write it."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        return [edit for name in _members(data) for edit in _in_member(data, name)]
    places = [found.start() for found in NAME.finditer(data)]
    chosen = places[:: max(1, len(places) // COUNT)][:COUNT]
    ways = [ESC.encode()]
    if file.endswith(("json", ".toml", ".tmj", ".journal")):
        ways.append(rb"\u001b")
    if file.endswith(("svg", "kml", "gml", "gexf", "graphml", "tmx")):
        ways.append(b"&#27;")
    return [Edit(f"{how!r} at {at}", with_escape(data, at, how)) for how in ways for at in chosen]


def _members(data: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [name for name in archive.namelist() if name.endswith(("kml", "sheet1.xml", "sharedStrings.xml", "dbf"))]


def _in_member(data: bytes, member: str) -> list[Edit]:
    out = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    for edit in edits(contents[member], member)[::4]:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, content in contents.items():
                archive.writestr(name, edit.data if name == member else content)
        out.append(Edit(f"{member}: {edit.says}", stream.getvalue()))
    return out


def _texts(data: bytes) -> list[bytes]:
    """Return a file, or the members of an archive, unless it is no text."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [text for name in archive.namelist() for text in _texts(archive.read(name))]
    try:
        return [data.decode("utf-8").encode()]
    except UnicodeDecodeError:
        return []


def leaks(reader: Reader, edit: Edit, command: str, folder: Path) -> str:
    """Return what is wrong after a command on an edited file; empty if nothing is."""
    files: Files = {**files_of(reader), reader.file: edit.data}
    put(folder, files)
    ended = run(folder, command.replace("{}", reader.file))
    if ended.wrong:
        return f"{ended.wrong}\n{ended.text}"
    if ESC in ended.text:
        return f"printed: {ended.text!r}"
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    written = [
        name
        for name, data in found.items()
        if not name.endswith(".damaged")
        and data not in files.values()
        and any(WRITTEN.search(text) for text in _texts(data))
    ]
    return f"written: {written}" if written else ""


@pytest.mark.parametrize("name", sample(list(READERS), 18))
def test_a_control_character_reaches_nothing(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    wrong = []
    for number, edit in enumerate(edits(files_of(reader)[reader.file], reader.file)):
        command = reader.commands[number % len(reader.commands)]
        fault = leaks(reader, edit, command, tmp_path / str(number))
        wrong += [f"{edit.says}: {command}: {fault}"] if fault else []
    assert wrong == []
