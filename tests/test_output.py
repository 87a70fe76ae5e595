"""Writing: all files or none."""

import errno
import json
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
