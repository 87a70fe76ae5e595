"""Names in Greek and Cyrillic make boards; letters that mapkit cannot draw are refused with the row and the cure."""

import re
from pathlib import Path

import pytest

import mapkit
from mapkit.core.errors import SourceError
from mapkit.core.names import slug, undrawn_script
from mapkit.kinds.rail.api.loading import load_as_it_is

CURE = "letters, which mapkit cannot draw; write it in Latin, Greek or Cyrillic letters"


def renamed(example: Path, names: dict[str, str]) -> None:
    """Call cities of the example otherwise, wherever they are named."""
    for file in [example / "cities.csv", *example.glob("lines/*.csv"), *example.glob("charts/*.csv")]:
        text = file.read_text(encoding="utf-8")
        for old, new in names.items():
            text = re.sub(rf"\b{old}\b", new, text)
        file.write_text(text, encoding="utf-8")


def refused(example: Path) -> list[str]:
    return [str(problem) for problem in load_as_it_is(str(example)).problems]


@pytest.mark.parametrize(
    ("name", "ident"),
    [
        ("Αθήνα", "athina"),
        ("ΑΛΕΞΑΝΔΡΟΎΠΟΛΗ", "alexandroypoli"),
        ("Нижний Новгород", "nizhnii-novgorod"),
        ("Київ", "kiiv"),
        ("Łódź", "odz"),
        ("São Paulo", "sao-paulo"),
        ("東京", ""),
        ("東京 Tokyo", "tokyo"),
    ],
)
def test_greek_and_cyrillic_letters_become_latin_ones_in_ids(name: str, ident: str) -> None:
    assert slug(name) == ident


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("القاهرة", "Arabic"),
        ("תל אביב", "Hebrew"),
        ("東京", "Chinese"),
        ("さいたま", "Japanese"),
        ("서울", "Korean"),
        ("กรุงเทพ", "Thai"),
        ("St. 東 Paul", "Chinese"),
        ("Αθήνα", ""),
        ("Нижний Новгород", ""),
        ("1ª Vía, 2º Ramal, Łódź ½ №", ""),
    ],
)
def test_letters_that_cannot_be_drawn_are_known_by_their_script(name: str, script: str) -> None:
    assert undrawn_script(name) == script


def test_a_board_may_have_greek_and_cyrillic_names(example: Path) -> None:
    renamed(example, {"Albany": "Αλεξανδρούπολη", "Boston": "Нижний Новгород"})
    board = mapkit.load(example)
    assert {"alexandroypoli", "nizhnii-novgorod"} <= {m.id for m in board.mileposts}
    assert [f.message for f in mapkit.check(board).findings if f.code in ("S01", "R05", "N03")] == []


def test_each_name_that_cannot_be_drawn_is_refused_once_and_nothing_follows_from_it(example: Path) -> None:
    renamed(example, {"Albany": "القاهرة", "Boston": "תל אביב", "Springfield": "東京"})
    toml = example / "board.toml"
    titled = re.sub(r'^title = ".*"', 'title = "日本"', toml.read_text(encoding="utf-8"), flags=re.MULTILINE)
    toml.write_text(titled, encoding="utf-8")
    railroads = example / "railroads.csv"
    railroads.write_text(railroads.read_text(encoding="utf-8").replace("Shore Line", "東海道線"), encoding="utf-8")
    assert refused(example) == [
        f"cities.csv:2: the city 'القاهرة' has Arabic {CURE}",
        f"cities.csv:3: the city 'תל אביב' has Hebrew {CURE}",
        f"cities.csv:7: the city '東京' has Chinese {CURE}",
        f"railroads.csv:2: the railroad '東海道線' has Chinese {CURE}",
        f"board.toml:2: the title '日本' has Chinese {CURE}",
    ]
    with pytest.raises(SourceError, match=r"cities\.csv:2: the city 'القاهرة' has Arabic letters"):
        mapkit.load(example)


def test_a_stop_of_a_line_is_refused_where_it_stands(example: Path) -> None:
    (example / "places.csv").write_text("place,lon,lat\n京都 Kyoto,-72.3,41.9\n", encoding="utf-8")
    valley = example / "lines" / "valley.csv"
    valley.write_text(valley.read_text(encoding="utf-8").replace("Hartford CT", "京都 Kyoto"), encoding="utf-8")
    assert refused(example) == [f"lines/valley.csv:3: the milepost '京都 Kyoto' has Chinese {CURE}"]
