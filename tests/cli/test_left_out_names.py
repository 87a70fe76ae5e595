"""Names that are not on the board may be left out, and are listed with those that are near."""

import json
from pathlib import Path

from conftest import Run

CHART = "city,Albany,Bostun,Hartford\nAlbany,0,7.5,4.5\nBostun,7.5,0,4\nHartford,4.5,4,0\n"
DICE = "chart,sum,odd,even\ncoast,2,Boston,Bostun\ncoast,3,Harbour,Boston\n"


def test_a_payoff_chart_without_them(example: Path, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "chart.csv"
    path.write_text(CHART + "Boston,7.5,,\n", encoding="utf-8")
    args = ("payoffs", "read", path, "--board", "example", "--workspace", example.parents[1])
    asked = run(*args, "--out", tmp_path / "out.csv")
    assert asked.code == 1
    assert asked.err == (
        f"The chart is {tmp_path / 'out.csv'}\n2 names fit nothing on the board: 'Bostun', 'Hartford'; say what each "
        "is: --accept Bostun=boston, or leave it out: --accept Bostun=-\n"
    )
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "city,Albany,Boston\nAlbany,0,7.5\nBoston,7.5,0\n"
    answered = run(*args, "--accept", "Bostun=-", "--accept", "Hartford=-")
    assert (answered.code, answered.err) == (0, "")
    left = run(*args, "--leave-out")
    assert left.code == 0
    assert left.out.splitlines()[left.out.splitlines().index("names left out, which fit no city of the board: 2") :][
        :4
    ] == [
        "names left out, which fit no city of the board: 2",
        "typed     near    where",
        f"Bostun    boston  {path}:1:3",
        f"Hartford          {path}:1:4",
    ]
    found = json.loads(run(*args, "--leave-out", "--json").out)
    assert [name["near"] for name in found["left_out"]] == [["boston"], []]
    assert found["chart"]["cities"] == ["albany", "boston"]


def test_destination_charts_without_them(example: Path, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dice.csv"
    path.write_text(DICE, encoding="utf-8")
    args = ("destinations", "read", path, "--board", "example", "--workspace", example.parents[1])
    asked = run(*args)
    assert asked.code == 1
    assert asked.err == (
        "2 names fit nothing on the board: 'Bostun', 'Harbour'; say what each is: --accept Bostun=boston, or leave it "
        "out: --accept Bostun=-\n"
    )
    left = run(*args, "--leave-out")
    assert (left.code, left.err) == (0, "")
    assert [line.split() for line in left.out.splitlines()[-4:]] == [
        ["names", "left", "out,", "which", "the", "board", "has", "not:", "2"],
        ["typed", "near", "where"],
        ["Bostun", "boston", f"{path}:2:4"],
        ["Harbour", f"{path}:3:3"],
    ]
    assert "Boston" in left.out.splitlines()[1]
    found = json.loads(run(*args, "--leave-out", "--json").out)
    chart = found["charts"]["coast"]
    assert (chart["odd"]["2"], chart["even"]["2"], chart["odd"]["3"]) == ("boston", None, None)
