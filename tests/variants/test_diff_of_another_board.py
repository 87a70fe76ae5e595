"""The board of somebody else who called and placed its mileposts otherwise: gaps come first, renames are summed up."""

import random
from collections import Counter

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.board_diff import diff_boards


def drawn_by_another(board: Board, gone: set[str]) -> Board:
    """Three of four dots get other names, mileposts lie some miles off, lines are straight; some links are missing."""
    chance = random.Random(3)  # noqa: S311
    names = {
        m.id: f"place-{n}" if m.kind == "dot" and chance.random() < 0.75 else m.id
        for n, m in enumerate(board.mileposts)
    }
    mileposts = tuple(
        m.model_copy(
            update={
                "id": names[m.id],
                "name": m.name if names[m.id] == m.id else names[m.id].title(),
                "lon": m.lon + chance.gauss(0, 0.06),
                "lat": m.lat + chance.gauss(0, 0.05),
            }
        )
        for m in board.mileposts
    )
    ends = {**names, **{j.id: j.id for j in board.junctions}}
    pieces = tuple(
        p.model_copy(
            update={"id": f"x-{p.id}", "a": ends[p.a], "b": ends[p.b], "line": (p.line[0], p.line[-1]), "miles": 1.0}
        )
        for p in board.pieces
    )
    segments = tuple(
        s.model_copy(
            update={
                "id": f"{s.railroad}--{names[s.a]}--{names[s.b]}",
                "a": names[s.a],
                "b": names[s.b],
                "pieces": tuple(f"x-{piece}" for piece in s.pieces),
                "miles": 1.0,
            }
        )
        for s in board.segments
        if s.id not in gone
    )
    return board.model_copy(update={"mileposts": mileposts, "pieces": pieces, "segments": segments})


def test_ten_gaps_among_hundreds_of_renames(usa: Board) -> None:
    """They were 11 of 539 lines, and the difference took 14 seconds."""
    links = [s.id for s in usa.segments if len(s.pieces) == 1]
    gone = set(random.Random(5).sample(links, 10))  # noqa: S311
    found = diff_boards(usa, drawn_by_another(usa, gone))
    kinds = [step.kind for step in found.story]
    assert Counter(kinds)["milepost renamed"] == Counter(kinds)["milepost moved"] == 1
    assert set(kinds[:-2]) == {"line removed"}
    named = {element.removeprefix("segment:") for step in found.story[:-2] for element in step.elements}
    assert named == gone
    assert found.story[-2].text.startswith("3")
    assert " mileposts have other names, " in found.story[-2].text
    assert sum(change.how != "changed" for change in found.elements) == 10
