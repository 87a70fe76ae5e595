"""Examples in `--help` that need no file of the author work as they are written."""

import shlex
import tomllib
from pathlib import Path

import pytest
from conftest import Run

FILE = Path(__file__).resolve().parents[2] / "mapkit" / "console" / "examples.toml"
PLAIN = {
    "colours", "destinations odds", "list checks", "list commands", "list formats", "list themes", "place",
    "playtest policies", "report", "route", "rules check", "rules diff", "rules options", "rules sheet", "rules show",
    "schema", "variant apply", "variant check", "variant list", "variant show",
}  # fmt: skip
EXAMPLES = [
    example
    for command, examples in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
    if command in PLAIN
    for example in examples
]


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_works(example: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(example)
    ran = run(*words)
    assert (program, ran.code) == ("mapkit", 0), ran
