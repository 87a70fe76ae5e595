"""Writing: all files or none."""

import errno
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.errors import OutputError
from mapkit.core.jsontext import json_text
from mapkit.core.output import write_files


def content(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in folder.rglob("*") if p.is_file()}


def test_files_are_written_and_others_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    write_files(tmp_path, {"b.txt": "b\n", "deep/a.txt": "ä\n"})
    write_files(tmp_path, {"b.txt": "c\n"})
    assert content(tmp_path) == {"mine.txt": "mine", "b.txt": "c\n", "deep/a.txt": "ä\n"}
    assert (tmp_path / "deep" / "a.txt").read_bytes() == b"\xc3\xa4\n"


def test_a_failure_while_files_change_places_brings_the_old_ones_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"a.txt": "old a", "b.txt": "old b"})
    real = Path.replace

    def fail_for_b(self: Path, target: Path) -> Path:
        if self.parent.name == "new" and self.name == "b.txt":
            raise OSError(errno.EIO, "I/O error")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", fail_for_b)
    with pytest.raises(OutputError, match="I/O error; nothing was changed there"):
        write_files(tmp_path, {"a.txt": "new a", "b.txt": "new b", "c.txt": "new c"})
    assert content(tmp_path) == {"a.txt": "old a", "b.txt": "old b"}


def test_a_failure_leaves_no_empty_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OutputError, match="No space left on device"):
        write_files(tmp_path / "build" / "x", {"a.txt": "a"})
    assert list(tmp_path.iterdir()) == []


class Windows:
    """Windows as far as renaming goes: nothing takes the place of a file that a program has open.

    Args:
        monkeypatch: Puts `Path.replace` back.
        opens: A file that a program opens as soon as another has arrived: this one, then that one.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *opens: tuple[Path, Path]) -> None:
        self.open: set[Path] = set()
        self.tries: Counter[Path] = Counter()
        self.naps: list[float] = []
        real = Path.replace

        def replace(path: Path, target: Path) -> Path:
            self.tries[target] += 1
            if target in self.open:
                raise PermissionError(errno.EACCES, "Access is denied", str(path), 5, str(target))
            done = real(path, target)
            self.open |= {after for before, after in opens if before == target}
            return done

        monkeypatch.setattr(Path, "replace", replace)
        monkeypatch.setattr("mapkit.core.outputs.disk._IS_WINDOWS", True)
        monkeypatch.setattr("time.sleep", self.naps.append)


def test_a_file_that_is_open_on_windows_is_named_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"a.txt": "old a", "b.txt": "old b"})
    windows = Windows(monkeypatch)
    windows.open = {tmp_path / "b.txt"}
    with pytest.raises(OutputError, match=r"b.txt: cannot be written: Access is denied; .* Close it where it is open"):
        write_files(tmp_path, {"a.txt": "new a", "b.txt": "new b"})
    assert content(tmp_path) == {"a.txt": "old a", "b.txt": "old b"}
    assert windows.tries[tmp_path / "b.txt"] == len(windows.naps) + 1 == 5
    assert sum(windows.naps) < 1


def test_what_cannot_come_back_on_windows_lies_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"a.txt": "old a", "b.txt": "old b"})
    windows = Windows(monkeypatch, (tmp_path / "a.txt", tmp_path / "a.txt"))
    windows.open = {tmp_path / "b.txt"}
    with pytest.raises(OutputError, match=r"what was there before is in \S*a.txt.old. Close the files"):
        write_files(tmp_path, {"a.txt": "new a", "b.txt": "new b"})
    assert content(tmp_path) == {"a.txt": "new a", "a.txt.old": "old a", "b.txt": "old b"}


def test_a_path_that_is_too_long_for_windows_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr("mapkit.core.output._IS_WINDOWS", True)
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OutputError, match="Windows allows 259: choose a folder with a shorter path"):
        write_files(tmp_path / ("x" * 200), {f"{'a' * 60}.txt": "a"})
    assert list(tmp_path.iterdir()) == []


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_json_text_reads_back(value: object) -> None:

    assert json.loads(json_text(value)) == value


def test_json_text_has_an_element_a_line() -> None:
    assert (
        json_text({"a": [{"x": 1.0}, {"x": 2.5}], "b": [1, 2]}) == '{\n"a": [\n{"x":1},\n{"x":2.5}\n],\n"b": [1,2]\n}\n'
    )
