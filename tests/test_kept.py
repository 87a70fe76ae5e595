"""What is kept of a board is taken again while nothing has changed, and never once something has."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from mapkit.core import kept
from mapkit.core.base import Frozen
from mapkit.core.kept import CACHE, OFF
from mapkit.kinds.rail.sources.table_files import TABLE_FILES

FILES = (
    "board.toml",
    *TABLE_FILES,
    "lines/shore.csv",
    "lines/mapping.csv",
    "drawings/shore.geojson",
    "drawings/map.svg",
    "drawings/picture.png",
    "journal.jsonl",
    ".hidden",
    "notes/anything.txt",
)
"""Every kind of file that a source package may hold."""


class Counted(Frozen):
    """How often it was made."""

    times: int


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE.variable, str(folder))
    return folder


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources" / "x"
    for name in FILES:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(name.encode())
    return folder


def maker() -> Callable[[Path, str], int]:
    times = 0

    def make() -> Counted:
        nonlocal times
        times += 1
        return Counted(times=times)

    def recall(folder: Path, what: str) -> int:
        return kept.recalled(what, kept.Basis((folder,)), Counted, make).times

    return recall


def entries(cache: Path) -> list[Path]:
    return sorted(cache.iterdir()) if cache.is_dir() else []


@pytest.mark.usefixtures("cache")
def test_what_has_not_changed_is_made_once(sources: Path) -> None:
    make = maker()
    assert [make(sources, "it"), make(sources, "it"), make(sources, "another"), make(sources, "it")] == [1, 1, 2, 1]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("name", FILES)
def test_a_changed_file_of_any_kind_is_seen(sources: Path, name: str) -> None:
    """Also where its size and its time are as they were."""
    make = maker()
    file = sources / name
    before = file.stat()
    assert make(sources, "it") == 1
    file.write_bytes(bytes(reversed(file.read_bytes())))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert make(sources, "it") == 2
    moved = file.rename(file.with_name("moved"))
    assert make(sources, "it") == 3
    moved.unlink()
    assert make(sources, "it") == 4
    file.write_bytes(name.encode())
    assert make(sources, "it") == 1


@pytest.mark.usefixtures("cache")
def test_another_folder_with_the_same_files_is_another_board(sources: Path) -> None:
    make = maker()
    assert make(sources, "it") == 1
    assert make(sources.rename(sources.with_name("y")), "it") == 2


@pytest.mark.usefixtures("cache")
def test_two_versions_of_mapkit_share_nothing(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither two releases, nor one whose code was changed, or written again."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "code.py").write_text("A = 1\n", encoding="utf-8")
    monkeypatch.setattr(kept, "_PACKAGE", package)
    make = maker()
    found = []
    for version, code in (("1.0", "A = 1\n"), ("1.1", "A = 1\n"), ("1.1", "A = 2\n"), ("1.0", "A = 1\n")):
        monkeypatch.setattr(kept, "__version__", version)
        (package / "code.py").write_text(code, encoding="utf-8")
        kept._surroundings.cache_clear()
        found.append(make(sources, "it"))
    kept._surroundings.cache_clear()
    assert found == [1, 2, 3, 4]


def test_what_changes_while_it_is_made_is_not_kept(cache: Path, sources: Path) -> None:
    def change() -> Counted:
        (sources / "board.toml").write_text("changed", encoding="utf-8")
        return Counted(times=1)

    assert kept.recalled("it", kept.Basis((sources,)), Counted, change).times == 1
    assert entries(cache) == []


def test_what_was_read_before_a_change_is_not_kept(cache: Path, sources: Path) -> None:
    seen = kept.Basis((sources,)).digest()
    (sources / "board.toml").write_text("changed", encoding="utf-8")
    assert kept.recalled("it", kept.Basis((sources,)), Counted, lambda: Counted(times=1), seen=seen).times == 1
    assert entries(cache) == []


@pytest.mark.parametrize("damage", [b"", b"{}", b"\0" * 100])
def test_a_damaged_entry_is_made_again(cache: Path, sources: Path, damage: bytes) -> None:
    make = maker()
    assert make(sources, "it") == 1
    (entry,) = entries(cache)
    entry.write_bytes(damage)
    assert [make(sources, "it"), make(sources, "it")] == [2, 2]


def test_the_cache_may_be_deleted_and_switched_off(cache: Path, sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = maker()
    assert make(sources, "it") == 1
    for entry in entries(cache):
        entry.unlink()
    cache.rmdir()
    assert make(sources, "it") == 2
    monkeypatch.setenv(CACHE.variable, OFF)
    assert [make(sources, "it"), make(sources, "it")] == [3, 4]


def test_the_cache_is_bounded_and_keeps_what_was_used_last(
    cache: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MAX_ENTRIES", 3)
    make = maker()
    for number in range(5):
        make(sources, f"thing {number}")
        for entry in entries(cache):
            os.utime(entry, ns=(0, entry.stat().st_mtime_ns - 10**9))
    assert len(entries(cache)) == 3
    assert make(sources, "thing 4") == 5


def test_a_folder_that_cannot_be_written_keeps_nothing(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv(CACHE.variable, str(tmp_path / "file" / "cache"))
    make = maker()
    assert [make(sources, "it"), make(sources, "it")] == [1, 2]


@pytest.mark.usefixtures("cache")
def test_values_count_as_files_do(sources: Path) -> None:
    make = maker()
    times = iter(range(1, 9))

    def recall(*values: str, options: str = "") -> int:
        basis = kept.Basis(values=values)
        return kept.recalled("it", basis, Counted, lambda: Counted(times=next(times)), options=options).times

    assert [recall("ab", "c"), recall("a", "bc"), recall("ab", "c"), recall("ab", "c", options="d")] == [1, 2, 1, 3]
    assert [make(sources, "it"), make(sources / "board.toml", "it"), make(sources, "it")] == [1, 2, 1]


@pytest.mark.usefixtures("cache")
def test_what_is_not_worth_it_is_not_kept(cache: Path) -> None:
    basis = kept.Basis(values=("a",))
    assert kept.recalled("it", basis, Counted, lambda: Counted(times=1), worth=lambda _: False).times == 1
    assert entries(cache) == []


def saying(run: Run, workspace: Path, of: str) -> Callable[..., tuple[str, bool]]:
    def said(*words: object, of: str = of) -> tuple[str, bool]:
        ran = run(*words, "--workspace", workspace)
        assert ran.code == 0, ran.err
        return ran.out, kept.UNCHANGED.format(of) in ran.err

    return said


@pytest.mark.usefixtures("cache")
def test_commands_say_the_same_of_a_kept_board_and_see_a_change(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    said = saying(run, workspace, "bundle")

    def bundle() -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in (workspace / "build" / "example").iterdir()}

    for command, of in (("build", "bundle"), ("check", "findings"), ("draw", "drawing")):
        first, was_kept = said(command, "example", "--json", of=of)
        assert not was_kept
        assert said(command, "example", "--json", of=of) == (first, True)
    made = bundle()
    (workspace / "build" / "example" / "board.svg").write_text("spoiled", encoding="utf-8")
    assert said("build", "example")[1]
    assert bundle() == made
    change = json.dumps({"kind": "edit-railroad", "id": "shore", "price": 4000})
    assert run("do", "example", change, "--workspace", workspace).code == 0
    assert not said("check", "example", of="findings")[1]
    assert not said("build", "example")[1]
    changed = bundle()
    assert changed["board.json"] != made["board.json"]
    assert said("build", "example")[1]
    assert bundle() == changed


VARIANT = """
name = "dear"
title = "Dear"

[[operations]]
op = "edit-railroad"
id = "shore"
price = {price}
reason = "A test."
"""


@pytest.mark.usefixtures("cache")
def test_commands_take_the_board_that_a_build_left_by_name_path_and_variant(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    said = saying(run, workspace, "board")
    assert not said("build", "example")[1]
    for name in ("example", str(example)):
        assert said("report", name, "--json")[1]
        assert said("route", "-b", name, "albany", "boston")[1]
        assert said("destinations", "odds", name)[1]
        assert said("export", name, "--to", "graph", "--out", workspace / "out")[1]
    file = workspace / "variants" / "dear.toml"
    file.parent.mkdir(exist_ok=True)
    answers = []
    for price in (7000, 8000, 7000):
        file.write_text(VARIANT.format(price=price), encoding="utf-8")
        answers += [said("report", "example", "--variant", "dear", "--json") for _ in range(2)]
    assert [was_kept for _, was_kept in answers] == [False, True, False, True, True, True]
    assert answers[0][0] == answers[1][0] == answers[4][0] == answers[5][0] != answers[2][0] == answers[3][0]
