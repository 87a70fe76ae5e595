"""All cards of a game: which faces there are, and the cards as sheets to print, a sheet a copy."""

from collections.abc import Iterator
from typing import Final

from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.render.face import CardFace, back_face, face_svg
from mapkit.kinds.cards.render.holdings import certificate_faces, holding_faces
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.others import investor_faces, overview_face
from mapkit.kinds.cards.render.railroads import railroad_faces

KINDS: Final = ("holding", "certificate", "railroad", "investor", "overview")
"""The sorts of cards, in the order of printing."""


def all_faces(job: CardJob) -> list[CardFace]:
    """Return every face that differs from the others, without backs."""
    railroads = [face for faces in railroad_faces(job) for face in faces]
    return [*holding_faces(job), *certificate_faces(job), *railroads, *investor_faces(job), overview_face(job)]


def cut_texts(job: CardJob) -> list[tuple[str, str]]:
    """Return the texts that do not fit their cards, each with the id of its face."""
    return [(face.id, text) for face in all_faces(job) for text in face_svg(job, face)[1]]


def card_sheets(job: CardJob) -> list[Sheet]:
    """Return every card as often as there is one, with its back; a second face is the back (BA-C25)."""
    return [sheet for _, sheets in card_groups(job) for sheet in sheets]


def card_groups(job: CardJob) -> list[tuple[str, list[Sheet]]]:
    """Return the cards by sort."""
    backs = {kind: face_svg(job, back_face(job, kind))[0] for kind in KINDS}
    made: dict[str, list[Sheet]] = {kind: [] for kind in KINDS}
    for ident, faces, count in card_plans(job):
        kind = faces[0].kind
        front = face_svg(job, faces[0])[0]
        back = face_svg(job, faces[1])[0] if len(faces) > 1 else backs[kind]
        for number in range(1, count + 1):
            name = f"{ident}-{number}" if count > 1 else ident
            made[kind].append(Sheet(name, faces[0].title, front, *job.size, "card", back))
    return [(kind, sheets) for kind, sheets in made.items() if sheets]


def card_plans(job: CardJob) -> Iterator[tuple[str, list[CardFace], int]]:
    """Yield id, faces and number of the cards that look alike."""
    for face in (*holding_faces(job), *certificate_faces(job)):
        yield face.id, [face], 1
    for one, faces in zip(job.game.railroads, railroad_faces(job), strict=True):
        yield f"railroad-{one.id}", faces, one.count
    for face in investor_faces(job):
        yield face.id, [face], 1
    yield "overview", [overview_face(job)], overview_count(job)


def overview_count(job: CardJob) -> int:
    """Return how many overview cards there are: as the decks say, or one for each player (BA-S07)."""
    counts = [one.count for one in job.game.decks if one.cards == "overviews" and one.count is not None]
    return counts[0] if counts else job.game.rules.setup.players
