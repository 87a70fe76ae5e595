"""Journals that somebody else made or damaged: a clear error or a board, never a traceback or a file elsewhere."""

import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from edited import Json, small_board
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples, sample

from mapkit.core.errors import MapkitError
from mapkit.document import journal as journal_module
from mapkit.document.document import File
from mapkit.document.journal import JournalError, encode, journal_path
from mapkit.document.session import Session
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session

LINE_STEPS = {1: 1, 2: 2, 4: 3, 5: 4}
"""Line of the journal -> its step; line 0 holds the files, and line 3 says that they were saved."""
PRICE = {"kind": "edit-city", "id": "boston", "weight": 1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A board with a journal that has an entry of every kind."""
    folder = small_board(tmp_path)
    session = open_session(folder)
    for weight in (1, 2, 3):
        session.do(PRICE | {"weight": weight})
    session.checkpoint("here")
    session.undo()
    session.save()
    table = folder / "cities.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("42.6526", "42.7"), encoding="utf-8")
    session.refresh()
    assert {entry["kind"] for entry in entries(folder)} == {"base", "do", "goto", "checkpoint", "save"}
    return folder


def entries(folder: Path) -> list[Json]:
    return [json.loads(line)["entry"] for line in journal_path(folder).read_text(encoding="utf-8").splitlines()]


def write(folder: Path, found: list[Json]) -> None:
    journal_path(folder).write_bytes(b"".join(map(encode, found)))


def paths_in(data: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [at]
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        found += paths_in(value, (*at, key))
    return found


def opened(folder: Path) -> Session[RailDocument] | str:
    """Return the session, or why there is none."""
    try:
        return open_session(folder)
    except MapkitError as error:
        return str(error)


RUBBISH = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.just(10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "boston", "../x", "do", "base", "\x00", "é" * 300, "lines", "regions/odd/7"]),
    st.builds(list),
    st.builds(dict),
    st.builds(lambda: [[["x"]]]),
)


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_entries_with_rubbish_in_them_are_taken_or_refused_with_a_reason(folder: Path, data: st.DataObject) -> None:
    whole = journal_path(folder).read_bytes()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    around = {path.name for path in folder.parent.iterdir()}
    found = entries(folder)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.sampled_from(paths_in(found)[1:]))
        into: Any = found
        for key in at[:-1]:
            into = into[key]
        into[at[-1]] = data.draw(RUBBISH)
    try:
        journal_path(folder).write_bytes(b"".join(encode(entry) for entry in found))
        session = opened(folder)
        if isinstance(session, Session):
            session.checkpoint("after")
            again = open_session(folder)
            assert (again.document, again.history()) == (session.document, session.history())
        else:
            assert "move it away" in session or "move the journal away" in session
    finally:
        journal_path(folder).write_bytes(whole)
        assert {path: path.read_bytes() for path in before} == before
        assert {path.name for path in folder.parent.iterdir() if ".damaged-" not in path.name} <= around


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bytes_that_were_changed_or_cut_lose_nothing_before_them(folder: Path, data: st.DataObject) -> None:
    whole = journal_path(folder).read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    with_rubbish = whole[:at] + data.draw(st.binary(max_size=40)) + whole[at + data.draw(st.integers(0, 60)) :]
    journal_path(folder).write_bytes(with_rubbish)
    lines = whole[:at].count(b"\n")
    try:
        session = opened(folder)
        if isinstance(session, Session):
            known = session.history()
            steps = [entry for entry in entries_of(whole)[:lines] if entry["kind"] == "do"]
            assert {one["n"] for one in [*known["steps"], *known["other"]]} >= {step["n"] for step in steps}
        else:  # another version of mapkit may have written what is not understood
            assert "move it away" in session
    finally:
        journal_path(folder).write_bytes(whole)
        journal_path(folder).with_name(f"{folder.name}.journal.damaged-1").unlink(missing_ok=True)


def entries_of(whole: bytes) -> list[Json]:
    return [json.loads(line)["entry"] for line in whole.splitlines()]


def test_a_step_that_is_its_own_parent_ends_nothing(folder: Path) -> None:
    found = entries(folder)
    for entry in found:
        if entry["kind"] == "do":
            entry["parent"] = entry["n"]
    write(folder, found)
    # it once went round for ever
    with pytest.raises(JournalError, match="an entry of the journal cannot be understood; move the journal away"):
        open_session(folder)


def deep(text: str) -> bytes:
    data = b'{"kind":"do","x":' + text.encode() + b"}"
    return b'{"crc":"' + f"{zlib.crc32(data):08x}".encode() + b'","entry":' + data + b"}\n"


@pytest.mark.parametrize("line", [deep("[" * 200_000 + "]" * 200_000), deep("NaN"), deep("-Infinity"), deep('{"a":')])
def test_a_line_that_is_no_plain_json_is_put_aside(folder: Path, line: bytes) -> None:
    whole = journal_path(folder).read_bytes()
    before = open_session(folder).document
    journal_path(folder).write_bytes(whole + line)
    session = open_session(folder)
    assert session.document == before
    session.checkpoint("after")
    assert journal_path(folder).read_bytes().startswith(whole + b" " * (len(line) - 1) + b"\n{")
    assert journal_path(folder).with_name(f"{folder.name}.journal.damaged-1").read_bytes() == whole + line


def test_a_line_without_end_is_not_read_into_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = journal_path(folder).read_bytes()
    longest = max(map(len, whole.splitlines())) + 1
    monkeypatch.setattr(journal_module, "MAX_LINE", longest)
    damaged = whole + b"x" * 3 * longest
    journal_path(folder).write_bytes(damaged)
    open_session(folder).checkpoint("after")
    assert journal_path(folder).read_bytes().startswith(whole)
    assert journal_path(folder).with_name(f"{folder.name}.journal.damaged-1").read_bytes() == damaged
    session = open_session(folder)
    monkeypatch.setattr(journal_module, "MAX_LINE", 200)
    before = session.document
    with pytest.raises(JournalError, match="more than the limit of 200 bytes; nothing was changed"):
        session.do(PRICE | {"weight": 9})
    assert session.document is before


def test_a_journal_beyond_the_limit_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "MAX_JOURNAL", 1000)
    with pytest.raises(JournalError, match="more than the limit of 1000 bytes; move it away"):
        open_session(folder)


def packed(plain: bytes) -> str:
    return base64.b64encode(zlib.compress(plain)).decode("ascii")


@pytest.mark.parametrize(
    "files",
    [
        packed(b"[" * 100_000 + b"]" * 100_000),
        packed(b"[]"),
        packed(b"{}"),
        packed(b'{"board.toml": {"text": "x = "}}'),
        packed(b'{"board.toml": {"text": 1}}'),
        None,
        7,
    ],
)
def test_a_first_entry_that_is_no_board_is_refused(folder: Path, files: str | int | None) -> None:
    found = entries(folder)
    found[0]["files"] = files
    write(folder, found)
    with pytest.raises(JournalError, match=r"move (the journal|it) away"):
        open_session(folder)


def test_files_that_unpack_without_end_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "MAX_BASE", 10_000)
    found = entries(folder)
    found[0]["files"] = packed(b" " * 1_000_000)
    write(folder, found)
    with pytest.raises(JournalError, match="more than 10000 bytes"):
        open_session(folder)


def step(table: str, key: str, after: Json) -> Callable[[int], Json]:
    def made(n: int) -> Json:
        patch = [{"table": table, "key": key, "before": None, "after": after}]
        return {"kind": "do", "n": n, "parent": 0, "label": "x", "client": "", "command": None, "patch": patch}

    return made


LINE = {"railroad": "cross", "name": "x", "stops": [["Boston", "milepost"], ["Albany", "milepost"]], "rank": 99.0}


@pytest.mark.parametrize(
    "made",
    [
        *(
            step("files", name, File(sha256="0" * 64, content="AAAA").model_dump())
            for name in (
                "../evil",
                "/evil",
                "lines/../../evil",
                "lines/a/b",
                "lines/.hidden",
                "lines\\x",
            )
        ),
    ],
)
def test_a_journal_cannot_have_files_written_elsewhere(folder: Path, made: Callable[[int], Json]) -> None:
    write(folder, [*entries(folder)[:1], made(1)])
    before = sorted(folder.parent.parent.rglob("*"))
    session = open_session(folder)
    with pytest.raises(MapkitError, match="nothing was written"):
        session.save()
    assert [path for path in sorted(folder.parent.parent.rglob("*")) if path not in before] == []


@pytest.mark.parametrize(
    "made",
    [
        step("files", "lines/\x00", File(sha256="0" * 64, content="AAAA").model_dump()),
        step("lines", "evil", LINE | {"file": "lines/..\x00.csv"}),
        step("lines", "evil", LINE | {"name": "x\x1b[31m", "file": "lines/x.csv"}),
    ],
)
def test_a_step_with_a_control_character_is_refused(folder: Path, made: Callable[[int], Json]) -> None:
    write(folder, [*entries(folder)[:1], made(1)])
    with pytest.raises(JournalError, match="cannot be understood"):
        open_session(folder)


def test_a_session_that_cannot_read_the_steps_of_others_adds_none(folder: Path) -> None:
    session = open_session(folder)
    with journal_path(folder).open("ab") as stream:
        stream.write(encode({"kind": "goto", "to": 77, "label": "", "client": ""}))
    before = journal_path(folder).read_bytes()
    for _ in range(2):
        with pytest.raises(JournalError, match="cannot be understood"):
            session.do(PRICE | {"weight": 9})
    assert journal_path(folder).read_bytes() == before


def test_text_that_is_half_a_character_is_refused_and_changes_nothing(folder: Path) -> None:
    session = open_session(folder)
    before = session.document, journal_path(folder).read_bytes()
    with pytest.raises(MapkitError, match=r"half of a surrogate pair"):
        session.do({"kind": "edit-city", "id": "boston", "name": "Bos\ud800ton"})
    assert (session.document, journal_path(folder).read_bytes()) == before


def test_every_byte_may_be_damaged_and_costs_one_step_at_most(tmp_path: Path) -> None:
    """Flip a bit of every twentieth byte, or of every byte with --long; what the files have is never lost."""
    folder = small_board(tmp_path)
    session = open_session(folder)
    for weight in (1, 2):
        session.do(PRICE | {"weight": weight})
    session.save()
    for weight in (3, 4):
        session.do(PRICE | {"weight": weight})
    path = journal_path(folder)
    whole = path.read_bytes()
    saved_document = session.saved_document
    files = PACKAGE.read_files(folder)
    for at in sample(range(len(whole)), len(whole) // 20):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        line = whole.count(b"\n", 0, at)
        again = Session(saved_document, PACKAGE, board="mymap", folder=folder, files=files)
        again._replay_news(repair=False)
        steps = {step["n"] for step in again.history()["steps"]}
        kept_steps = {1, 2, 3, 4} - {LINE_STEPS.get(line)}
        assert steps >= kept_steps
        assert again.document.cities["boston"].weight >= max(kept_steps)
        if not 0 < line <= 3:  # the files have these steps
            assert again.document_at(2).cities["boston"].weight == 2
