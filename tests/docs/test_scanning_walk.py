"""From a photograph to a corrected chart: the commands of docs/how-to/scans.md print what is shown there."""

import re
import shutil
from pathlib import Path

import pytest
from conftest import REPOSITORY
from optional import recogniser
from walking import called, compare, steps

import mapkit

PAGE = REPOSITORY / "docs" / "how-to" / "scans.md"
PHOTO = REPOSITORY / "docs" / "pictures" / "chart-photo.jpg"


@pytest.mark.usefixtures("keeping")
def test_the_walk_from_a_photograph_to_a_corrected_chart(tmp_path: Path) -> None:
    recogniser()
    shutil.copy(PHOTO, tmp_path)
    walk = PAGE.read_text(encoding="utf-8").partition("### In five minutes")[2].partition("\n### ")[0]
    codes = []
    for step in steps(walk):
        if step.path:
            (tmp_path / step.path).write_text(step.text, encoding="utf-8")
            continue
        code, said = called(step.command, tmp_path)
        compare(said, step.text)
        codes.append(code)
    assert codes == [1, 0, 1, 0]
    own = mapkit.load("portugal", workspace=REPOSITORY).payoffs
    at = {city: k for k, city in enumerate(own.cities)}
    corrected = mapkit.read_payoffs(tmp_path / "corrected.csv", board="portugal", workspace=REPOSITORY).chart
    for reading in corrected.readings:
        a, b = (at[corrected.cities[k]] for k in (reading.row, reading.col))
        assert reading.value == own.thousands[a][b]
    assert (
        len(corrected.cities)
        == len(re.findall("[^,]+", (tmp_path / "corrected.csv").read_text("utf-8").split("\n")[0])) - 1
    )
