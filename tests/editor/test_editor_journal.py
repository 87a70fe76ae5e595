"""Nothing that was acknowledged is lost: kills, torn lines, full disks, other writers."""

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from board_helpers import open_folder
from edited import ROOT, Json, small_board
from patience import HANG_S
from sampling import sample

from mapkit.core.errors import OutputError
from mapkit.document.command import CommandError
from mapkit.document.document import sort_rows
from mapkit.document.journal import JournalError, decode, encode, journal_path, pack_files, unpack_files
from mapkit.document.session import ConflictError, Session
from mapkit.kinds.rail.tables import RailDocument, ranked
from mapkit.kinds.registry import open_session

pytestmark = pytest.mark.slow

WRITER = """
import sys
from pathlib import Path
from mapkit.kinds.registry import open_session
session = open_session(Path(sys.argv[1]))
name, count = sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
for n in range(count):
    done = session.do({"kind": "edit-city", "id": name, "weight": session.revision + 1}, client=name)
    print(done.position, int(session.document.cities[name].weight), flush=True)
    if n % 7 == 6:
        session.save()
"""


def writer(folder: Path, city: str, count: int) -> "subprocess.Popen[str]":
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), city, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env=env,
        encoding="utf-8",
    )


def edited(folder: Path, *weights: int) -> Session[RailDocument]:
    session = open_session(folder)
    for weight in weights:
        session.do({"kind": "edit-city", "id": "boston", "weight": weight})
    return session


def test_entries_come_back_and_damage_is_seen() -> None:
    entry = {"kind": "do", "n": 3, "label": 'Møve "x"\n', "patch": [1.5, None]}
    line = encode(entry)
    assert line.count(b"\n") == 1
    assert decode(line) == entry
    for at in range(0, len(line) - 1, 3):
        assert decode(line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]) is None


def test_files_come_back_from_the_first_entry_and_rubbish_is_refused() -> None:
    files: dict[str, str | bytes] = {"a.csv": "é,1\n", "lines/x.svgz": b"\x00\xff"}
    assert unpack_files(pack_files(files), board="usa") == files
    for packed in ("", "????", pack_files(files)[:-9]):
        with pytest.raises(JournalError, match="move the journal away"):
            unpack_files(packed, board="usa")


def test_opening_leaves_no_trace(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = open_session(folder)
    session.refresh()
    assert session.save() == ()
    assert [path.name for path in folder.parent.iterdir() if path.suffix == ".journal"] == []


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9, 0.999])
def test_a_torn_last_line_is_cut_away(tmp_path: Path, share: float) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 1, 2, 3)
    path = journal_path(folder)
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(whole[: last + max(1, int((len(whole) - last - 1) * share))])
    again = open_session(folder)
    assert (again.position, again.document.cities["boston"].weight) == (2, 2)
    again.do({"kind": "edit-city", "id": "boston", "weight": 9})
    assert path.read_bytes().startswith(whole[:last])
    assert all(map(decode, path.read_bytes().splitlines(keepends=True)))
    assert open_session(folder).document == again.document
    assert session.document.cities["boston"].weight == 3


def test_a_damaged_line_costs_one_step_and_the_next_step_repairs_it(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    edited(folder, 1, 2, 3)
    path = journal_path(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"n":2', b'"n":7')
    path.write_bytes(damaged := b"".join(lines))
    again = open_session(folder)
    assert (again.position, again.document.cities["boston"].weight) == (3, 3)
    assert [step["label"] for step in again.history()["steps"]][2] == "Lost by damage"
    assert path.read_bytes() == damaged  # reading never writes
    heard: list[Any] = []
    again.subscribe(heard.append)
    again.subscribe(heard.append)
    (told,) = heard  # what was found at opening is told once, to who listens first
    assert re.match(r"mymap\.journal is damaged at byte \d+; the other steps are kept. The next", told["message"])
    for number in (1, 2):
        again.do({"kind": "edit-city", "id": "boston", "weight": 5})
        assert open_session(folder).document.cities["boston"].weight == 5
        assert path.with_name(f"mymap.journal.damaged-{number}").read_bytes() == damaged
        damaged = path.read_bytes()
        damaged = damaged[:-20] + b"\xff" + damaged[-19:]
        path.write_bytes(damaged)
        again = open_session(folder)
        assert again.document.cities["boston"].weight == 3


def test_a_compacted_journal_begins_at_the_saved_board_and_the_old_one_is_kept(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 1, 2, 3)
    other = open_session(folder)
    with pytest.raises(CommandError, match="not saved; save them first"):
        session.compact()
    session.save()
    whole = journal_path(folder).read_bytes()
    first_lines = {whole.split(b"\n")[0]}
    for number in (1, 2):
        old_path = session.compact()
        assert old_path.name == f"mymap.journal.old-{number}"
        first_lines.add(journal_path(folder).read_bytes().split(b"\n")[0])
        assert open_session(folder).document == session.document
        assert (session.position, session.unsaved, session.damages()) == (0, False, ())
    assert old_path.with_name("mymap.journal.old-1").read_bytes() == whole
    assert len(first_lines) == 3  # a file system may give the number of a file again: the first lines tell them apart
    for weight in range(1, 9):  # as long as the old one, which others may still have open
        session.do({"kind": "edit-city", "id": "boston", "weight": weight})
    with pytest.raises(JournalError, match="open the board again"):
        other.do({"kind": "edit-city", "id": "boston", "weight": 2})
    session.undo()
    assert open_session(folder).document.cities["boston"].weight == 7


def test_a_journal_that_goes_away_is_reported(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 1)
    journal_path(folder).unlink()
    with pytest.raises(JournalError, match="removed or shortened"):
        session.do({"kind": "edit-city", "id": "boston", "weight": 2})
    assert session.document.cities["boston"].weight == 1


@pytest.mark.parametrize("seed", sample(range(8), 3))
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path: Path, seed: int) -> None:
    folder = small_board(tmp_path)
    process = writer(folder, "boston", 100_000)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    chance = random.Random(seed)  # noqa: S311 - no secret
    acknowledged = [process.stdout.readline() for _ in range(chance.randint(1, 25))]
    time.sleep(chance.random() * 0.02)
    process.kill()
    acknowledged += [line for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    process.wait()
    process.stdout.close()
    position, weight = map(int, acknowledged[-1].split())
    session = open_session(folder)
    assert session.position in (position, position + 1)  # one more may be on disk, but not acknowledged
    assert session.document_at(position).cities["boston"].weight == weight
    session.save()
    assert open_folder(folder) == ranked(session.document)
    session.goto(0)
    assert ranked(session.document) == ranked(open_folder(small_board(tmp_path / "fresh")))


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    one, other = writer(folder, "boston", 15), writer(folder, "albany", 15)
    outputs = [process.communicate(timeout=HANG_S)[0].splitlines()[1:] for process in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0)
    session = open_session(folder)
    steps = {int(line.split()[0]): int(line.split()[1]) for lines in outputs for line in lines}
    assert len(steps) == session.position == 30
    for city, lines in zip(("boston", "albany"), outputs, strict=True):
        assert session.document.cities[city].weight == int(lines[-1].split()[1])


def test_two_sessions_see_each_other_merge_and_conflict(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    one, other = open_session(folder), open_session(folder)
    events: list[Any] = []
    other.subscribe(events.append)
    one.do({"kind": "edit-city", "id": "boston", "weight": 1}, client="one", seen=0)
    other.do({"kind": "edit-city", "id": "albany", "weight": 2}, client="other", seen=0)  # another row: merges
    assert [(e["client"], e["label"], e["revision"]) for e in events] == [
        ("one", "Set weight of Boston to 1", 1),
        ("other", "Set weight of Albany to 2", 2),
    ]
    stale = {"kind": "edit-city", "id": "boston", "weight": 7}
    with pytest.raises(ConflictError, match="boston") as caught:
        other.do(stale, client="other", seen=0)
    (conflict,) = caught.value.conflicts
    assert (conflict.mine or {})["weight"] == 7
    assert (conflict.theirs or {})["weight"] == 1
    other.do({"kind": "edit-city", "id": "boston", "weight": 1}, client="other", seen=0)  # to the same: no conflict
    other.do(stale, client="other", seen=0, force=True)
    one.refresh()
    assert one.document == other.document
    assert one.document.cities["boston"].weight == 7
    assert one.history() == other.history()


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of file size stands for a full disk")
def test_a_full_disk_is_reported_at_once_and_loses_nothing(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    edited(folder, 1, 2)
    before = journal_path(folder).read_bytes()
    code = f"""
import signal, resource
from pathlib import Path
from mapkit.kinds.registry import open_session
from mapkit.core.errors import OutputError
session = open_session(Path({str(folder)!r}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before)} + 40, {len(before)} + 40))
for ask in (lambda: session.do({{"kind": "edit-city", "id": "boston", "weight": 3}}), session.undo):
    try:
        ask()
    except OutputError as error:
        print(error)
print(session.position, session.document.cities["boston"].weight)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        encoding="utf-8",
    )
    *errors, state = done.stdout.splitlines()
    assert len(errors) == 2
    assert all("nothing was changed" in error for error in errors)
    assert state == "2 2.0"
    assert journal_path(folder).read_bytes() == before
    assert open_session(folder).document.cities["boston"].weight == 2


def test_files_that_cannot_be_written_leave_the_work_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 4)
    before = {path: path.read_bytes() for path in folder.rglob("*.csv")}

    def refuse(*_args: object, **_more: object) -> str:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr("mapkit.core.outputs.stages.tempfile.mkdtemp", refuse)
        with pytest.raises(OutputError, match="Read-only file system; nothing was changed"):
            session.save()
    assert {path: path.read_bytes() for path in before} == before
    assert session.unsaved
    assert open_session(folder).unsaved
    assert session.save() == ("cities.csv",)


def test_the_history_is_a_tree_and_nothing_is_dropped(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 1, 2, 3)
    session.checkpoint("before the idea")
    session.goto(1)
    session.do({"kind": "edit-city", "id": "albany", "weight": 9})
    for one in (session, open_session(folder)):
        listed = one.history()
        assert [step["n"] for step in listed["steps"]] == [0, 1, 4]
        assert [step["n"] for step in listed["other"]] == [2, 3]
        assert listed["steps"][1]["branches"] == [2]
        assert listed["other"][1]["checkpoints"] == ["before the idea"]
        assert one.document_at(3).cities["boston"].weight == 3
    session.goto(3)
    assert session.document.cities["albany"].weight is None
    session.undo()
    assert [step["done"] for step in session.history()["steps"]] == [True, True, True, False]
    assert session.redo().label == "Redo: Set weight of Boston to 3"


def test_changes_on_disk_are_taken_in_or_asked_about(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 4)
    events: list[Any] = []
    session.subscribe(events.append)
    table = folder / "cities.csv"
    _swap(table, "albany,Albany,inland,-73.7562,42.6526,,", "albany,Albany,inland,-73.8,42.6526,,3")
    session.refresh()
    assert events[-1]["label"] == "Changes on disk: cities.csv"
    assert [change["key"] for change in events[-1]["changes"]] == ["albany"]
    assert session.document.cities["albany"].lon == -73.8
    session.undo()
    assert session.document.cities["albany"].lon == -73.7562
    session.redo()

    _swap(table, "boston,Boston,coast,-71.0598,42.3584,,", "boston,Boston,coast,-71.0598,42.3584,,6")
    session.refresh()
    session.refresh()
    (asked,) = [event for event in events if event["type"] == "disk"]
    assert (asked["files"], asked["conflicts"][0]["key"]) == (["cities.csv"], "boston")
    with pytest.raises(ConflictError, match="choose which to keep"):
        session.save()
    again = open_session(folder)  # the question stays open after a restart
    heard: list[Any] = []
    again.subscribe(heard.append)
    assert [(event["type"], event["files"]) for event in heard] == [("disk", ["cities.csv"])]
    assert again.settle_disk("disk").label == "Take from disk: cities.csv"
    assert again.document.cities["boston"].weight == 6
    assert not again.unsaved
    session.refresh()
    session.undo()
    assert session.document.cities["boston"].weight == 4


def test_mine_can_be_kept_against_the_disk(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 4)
    _swap(folder / "cities.csv", "boston,Boston,coast,-71.0598,42.3584,,", "boston,Boston,inland,-71,42.3584,,6")
    session.refresh()
    assert session.settle_disk("mine").label == "Keep mine against cities.csv"
    assert session.save() == ("cities.csv",)
    city = open_folder(folder).cities["boston"]
    assert (city.region, city.lon, city.weight) == ("coast", -71.0598, 4)


def test_a_row_put_in_on_disk_moves_no_other(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 4)
    _swap(folder / "cities.csv", "boston,Boston", "salem,Salem,coast,-70.9,42.5,,\nboston,Boston")
    session.refresh()
    changed = session.history()["steps"][-1]
    assert changed["label"] == "Changes on disk: cities.csv"
    patch = [entry for entry in _entries(folder) if entry["kind"] == "do"][-1]["patch"]
    assert [(row["table"], row["key"]) for row in patch] == [("cities", "salem")]
    session.save()
    assert [key for key, _ in sort_rows(open_folder(folder).cities)][:3] == ["albany", "salem", "boston"]


def test_a_broken_file_on_disk_is_reported_once_and_fixed_later(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    session = edited(folder, 4)
    events: list[Any] = []
    session.subscribe(events.append)
    _swap(folder / "cities.csv", "42.3584", "north")
    session.refresh()
    session.refresh()
    assert [(event["type"], event["level"]) for event in events] == [("notice", "error")]
    assert "cities.csv:3" in events[0]["message"]
    session.do({"kind": "edit-city", "id": "albany", "weight": 1})  # work goes on
    _swap(folder / "cities.csv", "north", "42.3584")
    assert session.save() == ("cities.csv",)


def _swap(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def _entries(folder: Path) -> list[Json]:
    return [json.loads(line)["entry"] for line in journal_path(folder).read_text(encoding="utf-8").splitlines()]


def test_a_listener_of_notices_does_without_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each step of a long list of commands would list all steps before it."""
    session = open_session(small_board(tmp_path))
    events: list[object] = []
    session.subscribe(events.append, notices_only=True)
    monkeypatch.setattr("mapkit.document.history.History.listed", lambda _: pytest.fail("the history was listed"))
    session.do({"kind": "edit-city", "id": "boston", "weight": 1})
    session.undo()
    assert events == []
