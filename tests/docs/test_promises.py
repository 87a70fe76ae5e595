"""Every promise names tests that exist."""

import re

from conftest import REPOSITORY

PROMISES = REPOSITORY / "docs" / "promises.md"


def test_each_promise_has_a_test_and_a_figure() -> None:
    rows = [
        line.strip("|").split("|") for line in PROMISES.read_text(encoding="utf-8").splitlines() if line[:2] == "| "
    ]
    assert len(rows) > 15
    for promise, tests, figure in rows[2:]:
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", tests)
        assert named, promise
        assert figure.strip(), promise
        for path, name in named:
            assert f"def {name}" in (REPOSITORY / path).read_text(encoding="utf-8"), name
