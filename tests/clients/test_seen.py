"""What was seen of exports in other programs belongs to the steps that `run.py` takes today, and is compared."""

import json
from pathlib import Path

import pytest
from conftest import REPOSITORY
from PIL import Image

from clients import run as bench

SEEN = json.loads(bench.SEEN.read_text(encoding="utf-8"))


def test_each_program_was_seen_with_the_steps_of_today() -> None:
    assert [*SEEN] == [*bench.CLIENTS]
    for name, program in bench.CLIENTS.items():
        assert (SEEN[name]["exports"], SEEN[name]["steps"]) == (program.exports, program.steps), f"{name}: run it again"
        assert SEEN[name]["figures"], name


def test_the_tests_that_drive_programs_exist() -> None:
    text = Path(__file__).with_name("run.py").read_text(encoding="utf-8")
    named = [
        line.strip('", ') for part in text.split('"tests/')[1:] for line in [part.partition('"')[0]] if "::" in line
    ]
    assert named
    for name in named:
        path, _, test = name.partition("::")
        assert f"def {test}(" in (REPOSITORY / "tests" / path).read_text(encoding="utf-8"), name


def test_a_changed_count_fails_and_a_changed_picture_of_the_same_version() -> None:
    last = {"version": "1.0", "figures": {"cities": 36, "picture": "0" * 64}}

    def seen(version: str, cities: int, picture: str) -> list[str]:
        figures = {"cities": cities, "picture": picture}
        return bench.compare(last, {"version": version, "figures": figures})

    assert seen("1.0", 36, "0" * 64) == seen("2.0", 36, "f" * 64) == []
    assert seen("2.0", 35, "0" * 64) == ["cities: 35, last time 36"]
    assert seen("1.0", 36, "f" * 64) == ["picture: 256 of 256 signs differ, 25 may"]


def test_the_hash_of_a_picture_tells_drawings_apart(tmp_path: Path) -> None:
    """A shifted pattern differs in more than the allowed signs, a slightly darker picture does not."""
    width = 170
    shades = [(x * 7 + y * 3) % 256 for y in range(width) for x in range(width)]
    hashes = []
    for at, pixels in enumerate((shades, [max(0, shade - 2) for shade in shades], shades[::-1])):
        picture = Image.new("L", (width, width))
        picture.putdata(pixels)
        picture.save(tmp_path / f"{at}.png")
        hashes.append(int(bench.picture_hash(tmp_path / f"{at}.png"), 16))
    same, other = ((hashes[0] ^ each).bit_count() for each in hashes[1:])
    assert same <= bench.MOST_SIGNS < other


def test_a_missing_program_is_skipped_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result, reason, seen = bench.see("Tiled", bench.Exports(tmp_path, tmp_path), {})
    assert (result, reason, seen) == ("skip", "not here: tiled", None)
