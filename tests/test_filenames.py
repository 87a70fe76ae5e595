"""Names of files that every system can hold."""

import warnings
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.errors import OutputError, WorkspaceError
from mapkit.core.output import write_files
from mapkit.core.outputs.filenames import (
    case_key,
    exists_as_spelled,
    find_existing,
    invalid_id_reason,
    invalid_reason,
    is_there,
    station_file,
)
from mapkit.document.workspace import Workspace
from mapkit.kinds.starting import new_board

DEVICES = ("CON", "prn", "Aux", "nul", "COM1", "com9", "LPT1", "lpt9", "CONIN$", "conout$", "com¹")
NFC, NFD = "Zürich", "Zu\u0308rich"

NAMES = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.builds(
        lambda stem, end: stem + end,
        st.sampled_from(DEVICES),
        st.sampled_from(["", ".csv", " .csv", ".tar.gz", "s", ":", " ", "."]),
    ),
)


@given(NAMES)
def test_a_name_without_trouble_is_one_name_on_windows(name: str) -> None:
    if invalid_reason(name) is None:
        path = PureWindowsPath("maps") / name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            assert not path.is_reserved()
        assert path.name == name
        assert path.parent == PureWindowsPath("maps")
        assert not set(name) & set('<>:"/\\|?*')
        assert name == name.rstrip(". ")


@given(NAMES, NAMES)
def test_names_that_windows_takes_for_one_are_one(name: str, other: str) -> None:
    if (
        PureWindowsPath(name) == PureWindowsPath(other)
        and invalid_reason(name) is None
        and invalid_reason(other) is None
    ):
        assert case_key(name) == case_key(other)


@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("end", ["", ".csv", ".journal.lock", " .x"])
def test_devices_of_windows_are_refused_with_any_ending(name: str, end: str) -> None:
    assert invalid_reason(name + end) == f"Windows keeps the name {name} for a device"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "it is not a name"),
        ("..", "it is not a name"),
        ("12:30", "Windows allows no : in a name"),
        ("a/b", "Windows allows no / in a name"),
        ("a\\b", "Windows allows no \\ in a name"),
        ("tab\t", "Windows allows no control characters in a name"),
        ("etc.", "Windows drops the dot at its end"),
        ("map ", "Windows drops the space at its end"),
        ("\udcff", "it holds bytes that are no text"),
        ("ä" * 128, "it has 256 bytes, and most systems hold 255"),
    ],
)
def test_other_names_are_refused_with_the_reason(name: str, why: str) -> None:
    assert invalid_reason(name) == why


@pytest.mark.parametrize(
    "name", ["board.svg", "console", "com", "com10", "auxiliary.csv", ".hidden", "Zürich №1", "a b", " a"]
)
def test_ordinary_names_are_not(name: str) -> None:
    assert invalid_reason(name) is None


def test_the_station_lists_of_railroads_have_a_file_each() -> None:
    assert station_file("prr") == "lines/prr.csv"
    assert station_file("con") == "lines/con_.csv"
    assert station_file("com1") == "lines/com1_.csv"
    assert invalid_reason("con_.csv") is None


def test_a_board_is_not_called_after_a_device_or_like_another(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    for name in ("con", "aux", "lpt1"):
        with pytest.raises(WorkspaceError, match=f"'{name}' is not a name for a board: Windows keeps the name {name}"):
            new_board(space, name)
    assert (
        invalid_id_reason("Con", "a board") == "'Con' is not a name for a board: use small letters, digits and hyphens"
    )
    assert (invalid_id_reason("My Map", "a board") or "").endswith("try 'my-map'")
    (tmp_path / "sources" / "Lake").mkdir(parents=True)
    with pytest.raises(WorkspaceError, match="Lake already exists"):
        new_board(space, "lake")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (["aux.csv"], "Windows keeps the name aux for a device"),
        (["lines/nul.csv"], "Windows keeps the name nul for a device"),
        (["drawings/..\\..\\x.svg"], r"Windows allows no \\ in a name"),
        (["../x.svg"], "lies outside its folder"),
        (["/x.svg"], "lies outside its folder"),
        (["Lines/a.csv", "lines/b.csv"], "would be one on Windows and macOS"),
        (["lines/BM.csv", "lines/bm.csv"], "would be one on Windows and macOS"),
        ([f"{NFC}.csv", f"{NFD}.csv"], "would be one on Windows and macOS"),
        (["Old.txt"], "old.txt is there, and Windows and macOS take both for one"),
        (["LINES./a.csv"], "Windows drops the dot"),
    ],
)
def test_what_some_system_cannot_hold_is_written_on_none(tmp_path: Path, files: list[str], why: str) -> None:
    (tmp_path / "old.txt").write_text("old", encoding="utf-8")
    with pytest.raises(OutputError, match=f"{why}.*nothing was written"):
        write_files(tmp_path, dict.fromkeys(files, "new"))
    assert [path.name for path in tmp_path.iterdir()] == ["old.txt"]


def test_a_new_folder_is_not_called_so_either(tmp_path: Path) -> None:
    with pytest.raises(
        OutputError, match=r"what\?' cannot be the name of a file on every system: Windows allows no \?"
    ):
        write_files(tmp_path / "what?" / "deep", {"a.txt": "a"})
    assert not list(tmp_path.iterdir())


def test_what_is_there_already_keeps_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "what: ever"
    (folder / "lines").mkdir(parents=True)
    (folder / "lines" / "aux.csv").write_text("old", encoding="utf-8")
    write_files(folder, {"lines/aux.csv": "new"})
    assert (folder / "lines" / "aux.csv").read_text(encoding="utf-8") == "new"


def test_a_file_in_other_capitals_is_named(tmp_path: Path) -> None:
    (tmp_path / "Board.toml").write_text("", encoding="utf-8")
    (tmp_path / NFD).mkdir()
    assert not is_there(tmp_path / "cities.csv")
    assert not exists_as_spelled(tmp_path / "board.toml")
    assert find_existing(tmp_path / "board.toml") == tmp_path / "Board.toml"
    with pytest.raises(WorkspaceError, match=r"Board.toml: mapkit looks for board.toml.* rename it"):
        is_there(tmp_path / "board.toml")
    assert is_there(tmp_path / NFC)
