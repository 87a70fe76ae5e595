"""Exports of card games, read by the clients' own code, schema or types; and the game in JSON, the same again."""

import csv
import io
import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import REPOSITORY, Run
from hypothesis import given
from hypothesis import strategies as st
from optional import lacking, program
from tabletop_types import check_types
from vassal_engine import answers, engine_classpath

from mapkit.core.jsontext import json_text
from mapkit.document.workspace import Workspace
from mapkit.kinds.cards.exchange import bga, card_csv, game_json, maker, tabletop, vassal
from mapkit.kinds.cards.exchange.format import CardExport
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.rules.effects import EFFECTS

pytestmark = pytest.mark.slow

GAMES: Final = ("barons", "caminhos")
AT: Final = "https://example.org/cards/"
CLIENTS: Final = REPOSITORY / "tests" / "hex" / "clients"


@cache
def game(name: str) -> CardGame:
    return CARDS.load(Workspace(REPOSITORY), name)[0].board


def asked(name: str) -> CardExport:
    return CardExport(CardJob(game(name)), base_url=AT)


@cache
def saved(name: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    files = tabletop.FORMAT.write(asked(name)).files
    return json.loads(files[f"{name}.json"]), {key: one for key, one in files.items() if isinstance(one, bytes)}


def every(things: list[Any]) -> Iterator[dict[str, Any]]:
    for thing in things:
        yield thing
        yield from every(thing.get("ContainedObjects", []))


def test_json_holds_the_whole_game() -> None:
    text = game_json.FORMAT.write(asked("barons")).files["barons.json"]
    assert CardGame.model_validate_json(text).model_dump() == game("barons").model_dump()


@pytest.mark.parametrize("name", GAMES)
def test_tabletop_simulator_has_the_types_of_the_game(name: str) -> None:
    check_types(saved(name)[0])


@pytest.mark.parametrize("name", GAMES)
def test_tabletop_simulator_has_every_card_and_token(name: str) -> None:
    save, pictures = saved(name)
    board = game(name)
    things = save["ObjectStates"]
    ids = Counter(thing["GUID"] for thing in every(things))
    assert max(ids.values()) == 1
    decks = {one["Nickname"]: len(one["DeckIDs"]) for one in things if one["Name"] == "DeckCustom"}
    assert decks["Railroads"] == sum(one.count for one in board.railroads)
    assert decks["Investors"] == len(board.investors)
    assert {one.name: decks[one.name] for one in board.holdings} == {
        one.name: len(one.certificates) for one in board.holdings
    }
    bags = [len(one["ContainedObjects"]) for one in things if one["Name"] == "Bag"]
    assert bags == [one.count for one in board.tokens]
    points = next(one for one in things if one["Name"] == "Custom_Tile")["AttachedSnapPoints"]
    assert len(points) == len(board.holdings) * sum(one.value is not None for one in board.track)
    named = {word for word in json.dumps(save).split('"') if word.startswith(AT)}
    assert {url.removeprefix(AT) for url in named} == set(pictures)


def test_cards_of_two_faces_have_backs_of_their_own() -> None:
    decks = {one["Nickname"]: one for one in saved("barons")[0]["ObjectStates"] if one["Name"] == "DeckCustom"}
    [sheet] = decks["Railroads"]["CustomDeck"].values()
    assert sheet["UniqueBack"] is True
    assert sheet["FaceURL"] != sheet["BackURL"]
    assert not any(one["UniqueBack"] for one in decks["Investors"]["CustomDeck"].values())


def test_vassal_opens_the_module_and_finds_every_card(tmp_path: Path) -> None:
    board = game("barons")
    data = vassal.FORMAT.write(asked("barons")).files["barons.vmod"]
    assert isinstance(data, bytes)
    found = answers(engine_classpath(), data, tmp_path, said={"cards": "Table"})
    piles = {name: len(held) for name, held in found["pieces"]["Table"].items()}
    assert piles == {
        "Holdings": 5,
        **{one.name: 4 for one in board.holdings},
        "Railroads": 28,
        "Investors": 5,
        "Overviews": 2,
    }
    assert found["name"] == "Barons"
    assert found["seats"][:2] == ["Player 1", "Player 2"]


@pytest.mark.parametrize("name", GAMES)
def test_php_has_the_data_of_the_game(name: str, tmp_path: Path) -> None:
    php = program("php", "apt-get install php-cli")
    files = bga.FORMAT.write(asked(name)).files
    for path in (bga.PHP, bga.TRAIT):
        tmp_path.joinpath(Path(path).name).write_text(str(files[path]), encoding="utf-8", newline="\n")
    source = """
    require $argv[2];
    class Game { use MapMaterial; function __construct(string $file) { require $file; } }
    echo json_encode(get_object_vars(new Game($argv[1])), JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
    """
    paths = [tmp_path / Path(path).name for path in (bga.PHP, bga.TRAIT)]
    done = subprocess.run(
        [php, "-n", "-r", source, "--", *paths], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    data = json.loads(str(files[bga.JSON]))
    assert found == {f"mk_{part}": value for part, value in data.items()} | {
        f"mk_{part}": [] for part, value in data.items() if not value
    }
    cells = [cell for deck in data["sprites"].values() for cell in deck["cells"]]
    assert (
        len(cells)
        == sum((len(one.certificates) for one in game(name).holdings), 0)
        + len(game(name).holdings)
        + sum(one.count for one in game(name).railroads)
        + len(game(name).investors)
        + 2
    )


@pytest.mark.parametrize("name", GAMES)
def test_18xx_maker_takes_the_game(name: str, tmp_path: Path) -> None:
    """The JSON Schema that is published with it."""
    if not (CLIENTS / "node_modules").is_dir():
        lacking("the packages of tests/hex/clients are not installed: npm ci --prefix tests/hex/clients")
    files = maker.FORMAT.write(asked(name)).files
    file = tmp_path / f"{name}.json"
    file.write_text(str(files[f"{name}.18xx-maker.json"]), encoding="utf-8")
    node = program("node", "apt-get install nodejs")
    done = subprocess.run(
        [node, CLIENTS / "read.mjs", "18xx-maker", file],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"valid": True, "errors": None}


@pytest.mark.parametrize("name", GAMES)
def test_trains_of_18xx_maker_rust_at_trains_that_exist(name: str) -> None:
    """Its page of cards crashes otherwise."""
    trains = maker.card_maker_game(asked(name).job)["trains"]
    assert {train["rust"] for train in trains if "rust" in train} <= {train["name"] for train in trains}
    if name == "barons":
        assert {train["name"]: train.get("rust") for train in trains} == {
            "2": "4", "3": "6", "4": "8a", "5": None, "6": None, "8a": None,
        }  # fmt: skip


def test_csv_has_a_row_for_each_card_and_a_picture_for_each_face() -> None:
    files = card_csv.FORMAT.write(asked("barons")).files
    rows = list(csv.DictReader(io.StringIO(str(files["barons-cards.csv"]))))
    assert sum(int(row["count"]) for row in rows) == 60
    last = next(row for row in rows if row["id"] == "railroad-ik")
    assert (last["level"], last["cost"], last["back-level"], last["back-cost"]) == ("8a", "800", "8b", "400")
    assert {row[side] for row in rows for side in ("front", "back")} == set(files) - {"barons-cards.csv"}


def test_the_program_exports_card_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("export", "caminhos", "--to", "json,18xx-maker", "--out", "x")
    assert done.code == 0
    assert "Nothing is lost in: json" in done.err
    assert json.loads(Path("x/manifest.json").read_text(encoding="utf-8"))["board"] == "caminhos"
    refused = run("export", "caminhos", "--to", "jason", "--out", "y")
    assert refused.code == 2
    assert "did you mean 'json'?" in refused.err
    assert not Path("y").exists()
    assert "18xx-maker" in run("formats", "caminhos").out


words = st.text("abc -é", max_size=12)
ids = st.text("abcdef", min_size=1, max_size=6)
amounts = st.none() | st.integers(0, 1000)
effects = st.fixed_dictionaries(
    {
        "id": ids,
        "kind": st.sampled_from(sorted(EFFECTS)),
        "amount": amounts,
        "holding": ids,
        "level": st.sampled_from(["", "2"]),
    }
)


@st.composite
def games(draw: st.DrawFn) -> CardGame:
    base = json.loads(json_text(game("barons")))
    base["title"] = draw(words)
    base["unassigned"] = draw(st.lists(effects, max_size=3))
    base["investors"] = [
        {"id": f"i{n}", "name": draw(words), "value": draw(st.integers(0, 500)), "text": draw(words), "effects": some}
        for n, some in enumerate(draw(st.lists(st.lists(effects, max_size=3), max_size=5)))
    ]
    faces = st.fixed_dictionaries(
        {"id": ids, "level": st.sampled_from(["2", "8a"]), "cost": st.integers(0, 900), "income": st.integers(0, 900),
         "gone_at": amounts}
    )  # fmt: skip
    base["railroads"] = [
        {"id": f"r{n}", "category": "A", "name": draw(words), "count": draw(st.integers(1, 9)), "faces": some}
        for n, some in enumerate(draw(st.lists(st.lists(faces, min_size=1, max_size=3), max_size=4)))
    ]
    return CardGame.model_validate(base)


@given(games())
def test_every_game_and_its_effects_are_the_same_after_json(board: CardGame) -> None:
    text = json_text(board)
    again = CardGame.model_validate_json(text)
    assert again == board
    assert json_text(again) == text
    assert [one.effects for one in again.investors] == [one.effects for one in board.investors]


def test_the_formats_say_which_are_read_back(run: Run) -> None:
    done = run("formats", "barons", "--json", "--workspace", REPOSITORY)
    assert [form["name"] for form in json.loads(done.out) if form["reads"]] == ["json"]
