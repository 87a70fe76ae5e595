"""VASSAL's own engine opens our modules, and finds in them what the boards say.

It needs Java, Xvfb, libraries and the engine's jar: `tests/exchange/vassal/get_engine.sh` gets them.
"""

import json
import os
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY
from PIL import Image
from tiny import tiny_board
from vassal_engine import answers, driven, engine_classpath
from vassal_modules import NAMES, hostile, piece_called, read_module

import mapkit
from mapkit.exchange.vassal.pieces import encode_sequence
from mapkit.kinds.rail.exchange.vassal.format import board_dpi, module_bytes
from mapkit.kinds.rail.exchange.vassal.lookups import lookup_name
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.sheets.tokens import list_player_names
from mapkit.kinds.rail.render.words import words_of


@pytest.fixture(scope="session")
def classpath() -> str:
    return engine_classpath()


def asked(classpath: str, board: mapkit.Board, data: bytes, folder: Path, **questions: Any) -> dict[str, Any]:
    """Return the engine's answers about the module of a board."""
    words = words_of(board)
    start, end = questions.get("trip") or ("", "")
    said = {"cards": words("module.cards"), "look_up": words("module.look_up")}
    said["pays"] = words("module.pays", amount="", **{"from": start, "to": end}).strip()
    return answers(classpath, data, folder, said=said, **questions)


@cache
def shipped(name: str) -> tuple[mapkit.Board, bytes]:
    """Return a shipped board and its module."""
    board = mapkit.load(REPOSITORY / "build" / name / "board.json")
    return board, module_bytes(board)


def points_of(board: mapkit.Board, module: bytes) -> dict[str, tuple[int, int]]:
    """Return milepost -> its pixel in the module's picture, calculated again."""
    scale = board_dpi(board) / 25.4
    with Image.open(BytesIO(read_module(module).parts["images/board.png"])) as picture:
        assert picture.width == pytest.approx(board.page.width * scale, abs=1)
    spots = lay_out(board).spots
    return {m.id: (round(spots[m.id][0] * scale), round(spots[m.id][1] * scale)) for m in board.mileposts}


def called(board: mapkit.Board) -> dict[str, str]:
    """Return milepost -> what the engine should call a place there."""
    cities: dict[str, list[str]] = {}
    for city in board.cities:
        cities.setdefault(city.milepost, []).append(city.name)
    regions, own, twins = {r.id: r.name for r in board.regions}, find_regions(board), words_of(board)("payoffs.and")
    return {m.id: f"{twins.join(cities.get(m.id, [m.id]))} ({regions[own[m.id]]})" for m in board.mileposts}


def travelled(points: dict[str, tuple[int, int]]) -> list[str]:
    """Return some mileposts of a board that a pawn visits."""
    ids = sorted(points)
    return ids[:: len(ids) // 6]


def beside(board: mapkit.Board, points: dict[str, tuple[int, int]]) -> dict[str, list[Any]]:
    """Return questions about places beside each point."""
    words = words_of(board)
    pawn = words("module.pawn", colour=list_player_names(words)[0])
    on = words("printout.board")
    return {
        "drops": [[on, points[i][0] + 2, points[i][1] - 2] for i in sorted(points)],
        "moves": [[pawn, on, points[i][0] - 3, points[i][1] + 2] for i in travelled(points)],
    }


def check_places(board: mapkit.Board, module: bytes, found: dict[str, Any]) -> None:
    """Compare where the engine puts what lies beside each point, and what it calls the place, with the board."""
    points, names = points_of(board, module), called(board)
    regions, own = {r.id: r.name for r in board.regions}, find_regions(board)
    visited = travelled(points)
    assert found["drops"] == [[*points[i], names[i], regions[own[i]]] for i in sorted(points)]
    assert found["moves"][: len(visited)] == [
        [*points[i], words_of(board)("printout.board"), names[i], regions[own[i]]] for i in visited
    ]


def test_the_engine_finds_every_point_region_and_piece(classpath: str, tmp_path: Path) -> None:
    board, module = shipped("portugal")
    found = asked(
        classpath, board, module, tmp_path, trip=["Lisboa", "Porto"], **beside(board, points_of(board, module))
    )
    check_places(board, module, found)
    check_pieces(board, found)
    check_chat(board, found["chat"])


def test_the_engine_finds_all_and_paints_board_and_cards(classpath: str, tmp_path: Path) -> None:
    """The engine's own picture has our board in it, and a pawn on a point.

    With `MAPKIT_VASSAL_PICTURES=write` it makes the pictures of docs/how-to/clients.md.
    """
    board, module = shipped("usa")
    points = points_of(board, module)
    spots = {"Red pawn": "indianapolis", "Red departure chip": "chicago", "Blue pawn": "st-louis"}
    moves = [[name, "Board", *points[ident]] for name, ident in spots.items()]
    moves += [[name, "Cards", 300, 860] for name in ("Great Northern", "Union Pacific", "Western Pacific")]
    questions = beside(board, points)
    visits = questions["moves"]
    found = asked(
        classpath, board, module, tmp_path, drops=questions["drops"], moves=visits + moves, shots=str(tmp_path)
    )
    check_places(board, module, found)
    check_pieces(board, found)
    assert found["moves"][len(visits) + 3][2:] == ["Cards", "Red", "Red"]
    ours = Image.open(BytesIO(read_module(module).parts["images/board.png"]))
    painted = Image.open(tmp_path / "Board.bmp").convert("RGB")
    zoom = painted.width / ours.width
    assert 0.69 < zoom < 0.71
    small = np.asarray(ours.convert("RGB").resize(painted.size), dtype=np.int16)
    drawn = np.asarray(painted, dtype=np.int16)
    assert np.abs(small - drawn).mean() < 8
    for name, colour in (("Red pawn", (200, 50, 31)), ("Blue pawn", (28, 95, 168))):
        x, y = (round(v * zoom) for v in points[spots[name]])
        at = (slice(y - 12, y + 12), slice(x - 12, x + 12))
        own = [(np.abs(picture[at] - colour).max(axis=2) < 24).mean() for picture in (drawn, small)]
        assert own[0] > 0.4 > own[1] + 0.3, name
    if os.environ.get("MAPKIT_VASSAL_PICTURES") == "write":
        middle = points["indianapolis"]
        left, top = (round(v * zoom - half) for v, half in zip(middle, (420, 260), strict=True))
        crops = {"board": (painted, (left, top, left + 840, top + 520))}
        crops["cards"] = (Image.open(tmp_path / "Cards.bmp").convert("RGB"), (0, 0, 983, 560))
        for name, (picture, box) in crops.items():
            kept = picture.crop(box).quantize(160, dither=Image.Dither.NONE)
            kept.save(REPOSITORY / "docs" / "pictures" / f"vassal-{name}.png", optimize=True)


def check_chat(board: mapkit.Board, lines: list[str]) -> None:
    """Compare what the chat says of every roll, and of the payoff from Lisboa to Porto, with the charts."""
    names = {region.id: region.name for region in board.regions} | {city.id: city.name for city in board.cities}
    charts = {"Região": "regions"} | {f"Cidade: {region.name}": region.id for region in board.regions}
    roll = re.compile(r"\*+ (.+): (ímpar|par) (\d+) \((\d) e (\d)\), (.+) \*\*\* <.+>")
    rolled = [found.groups() for line in lines if (found := roll.fullmatch(line))]
    assert [row[0] for row in rolled] == list(charts)
    for name, parity, total, one, two, said in rolled:
        chart = board.destinations[charts[name]]
        cell = (chart.odd if parity == "ímpar" else chart.even)[total]
        assert int(total) == int(one) + int(two)
        assert cell is not None
        assert said == names[cell]
    at = {city: number for number, city in enumerate(board.payoffs.cities)}
    amount = board.payoffs.thousands[at["lisboa"]][at["porto"]]
    assert amount is not None
    assert any(f"Lisboa a Porto: paga {amount:.0f}.000 $ " in line for line in lines), lines


def check_pieces(board: mapkit.Board, found: dict[str, Any]) -> None:
    """Compare counts, names, prices and places of all pieces with the board."""
    titles = board.rules.setup.engine_titles or 0
    words = words_of(board)
    players = list_player_names(words)[: board.rules.setup.max_players]
    assert found["name"] == board.title
    assert found["seats"] == list(players)
    assert found["pieces"][words("printout.board")] == {}
    cards = found["pieces"][words("module.cards")]
    # what the engine writes into saved games it reads again
    assert found["saved"] == [name for rows in cards.values() for name, _ in rows]
    assert sorted(cards.pop(words("module.deeds"))) == sorted(
        [piece_called(railroad.name), words("module.bank")] for railroad in board.railroads
    )
    express = words("engine.express")
    assert cards.pop(express) == [[express, words("module.bank")]] * titles
    assert cards.pop("SuperChief") == [["SuperChief", words("module.bank")]] * titles
    kinds = ("pawn", "departure", "destination")
    called = {(player, kind): words(f"module.{kind}", colour=player) for player in players for kind in kinds}
    assert cards.pop("") == [[name, player] for (player, _), name in called.items()]
    assert cards == {}
    held: dict[tuple[str, str], list[Any]] = {}
    for kind, holder, _gpid, *what in found["slots"]:
        held.setdefault((kind, holder), []).append(what)
    deeds = [[piece_called(r.name), str(r.price), 273, 381] for r in board.railroads]
    assert sorted(held.pop(("DrawPile", words("module.deeds")))) == sorted(deeds)
    for name, price in ((express, board.rules.purchase.express_price), ("SuperChief", 40_000)):
        assert held.pop(("DrawPile", name)) == [[name, str(price), 273, 381]] * titles
    for player in players:
        sizes = {kind: 42 if kind == "pawn" else 36 for kind in kinds}
        own = [[called[player, kind], "None", side, side] for kind, side in sizes.items()]
        assert held.pop(("ListWidget", player)) == own
        assert [held.pop(("SetupStack", called[player, kind])) for kind in kinds] == [[piece] for piece in own]
    assert held == {}
    assert [int(slot[2]) for slot in found["slots"]] == list(range(1, len(found["slots"]) + 1))
    widgets = found["widgets"]
    assert widgets["module.ChartWindow"] == [
        words(f"{name}.title") for name in ("destinations", "payoffs", "reference")
    ]
    assert len(widgets["widget.Chart"]) >= len(widgets["module.ChartWindow"])
    assert widgets["module.DiceButton"] == [words("module.white_dice"), words("module.bonus_die")]
    rolls = [words("module.city_of", region=lookup_name(region.name)) for region in board.regions]
    assert widgets["module.SpecialDiceButton"] == [words("module.region"), *rolls]
    assert len(widgets["module.ToolbarMenu"]) == 1
    assert widgets["module.documentation.HelpFile"] == [words("rules.title")]
    assert widgets["module.PrototypeDefinition"] == ["Pawn", "Chip"]
    assert len(widgets["module.PieceWindow"]) == len(widgets["module.NotesWindow"]) == 1


def test_the_engine_reads_hostile_names(classpath: str, tmp_path: Path) -> None:
    board = hostile(tiny_board())
    module = module_bytes(board)
    points, names = points_of(board, module), called(board)
    lists = [(delimiter, list(NAMES[k:])) for delimiter in ";/\t" for k in range(len(NAMES))]
    plain = [(d, kept) for d, tokens in lists if (kept := [t for t in tokens if not t.endswith("\\")])]
    found = asked(
        classpath,
        board,
        module,
        tmp_path,
        drops=[["Board", *points[i]] for i in sorted(points)],
        joined=[[d, encode_sequence(tokens, d)] for d, tokens in lists],
        tokens=plain,
    )
    assert [row[2] for row in found["drops"]] == [names[i] for i in sorted(points)]
    assert found["joined"] == [tokens for _, tokens in lists]
    # what ends in a backslash the engine writes so that it cannot read it; all else as we do
    assert found["tokens"] == [encode_sequence(tokens, d) for d, tokens in plain]
    slots = [e for e in read_module(module).tree.iter() if "gpid" in e.attrib]
    assert [slot[2:4] for slot in found["slots"]] == [[e.get("gpid"), e.get("entryName")] for e in slots]
    check_pieces(board, found)


def test_the_driver_reports_what_is_wrong_with_a_module(classpath: str, tmp_path: Path) -> None:
    """An engine that cannot open a module must fail, or the tests above prove nothing."""
    module = tmp_path / "bad.vmod"
    module.write_bytes(b"no archive")
    (tmp_path / "q.json").write_text(json.dumps({"drops": []}), encoding="utf-8")
    done = driven(classpath, tmp_path, module, tmp_path / "q.json")
    assert done.returncode == 1
    assert "ZipException" in done.stderr or "IOException" in done.stderr
    assert "ANSWERS" not in done.stdout
