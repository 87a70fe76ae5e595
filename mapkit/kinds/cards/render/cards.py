"""All cards of a game: their faces, and sheets to print, a sheet for each copy."""

from collections.abc import Iterator
from typing import Final

from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.render.face import CardFace, back_face, face_svg
from mapkit.kinds.cards.render.holdings import certificate_faces, holding_faces
from mapkit.kinds.cards.render.investors import investor_faces, overview_face
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.railroads import railroad_faces

KINDS: Final = ("holding", "certificate", "railroad", "investor", "overview")
"""The sorts of cards, in the order of printing."""


def all_faces(job: CardJob) -> list[CardFace]:
    """Return all distinct faces, without backs."""
    railroad_sides = [face for faces in railroad_faces(job) for face in faces]
    return [*holding_faces(job), *certificate_faces(job), *railroad_sides, *investor_faces(job), overview_face(job)]


def cut_texts(job: CardJob) -> list[tuple[str, str]]:
    """Return the texts that do not fit their cards, each with the id of its face."""
    return [(face.id, text) for face in all_faces(job) for text in face_svg(job, face)[1]]


def card_sheets(job: CardJob) -> list[Sheet]:
    """Return every copy of every card, with its back; a second face is the back (BA-C25)."""
    return [sheet for _, sheets in card_groups(job) for sheet in sheets]


def card_groups(job: CardJob) -> list[tuple[str, list[Sheet]]]:
    """Return the cards by sort."""
    back_by_kind = {kind: face_svg(job, back_face(job, kind))[0] for kind in KINDS}
    sheets_by_kind: dict[str, list[Sheet]] = {kind: [] for kind in KINDS}
    for ident, faces, count in card_plans(job):
        kind = faces[0].kind
        front_svg = face_svg(job, faces[0])[0]
        back_svg = face_svg(job, faces[1])[0] if len(faces) > 1 else back_by_kind[kind]
        for number in range(1, count + 1):
            sheet_id = f"{ident}-{number}" if count > 1 else ident
            sheets_by_kind[kind].append(Sheet(sheet_id, faces[0].title, front_svg, *job.size, "card", back_svg))
    return [(kind, sheets) for kind, sheets in sheets_by_kind.items() if sheets]


def card_plans(job: CardJob) -> Iterator[tuple[str, list[CardFace], int]]:
    """Yield id, faces and number of copies of each distinct card."""
    for face in (*holding_faces(job), *certificate_faces(job)):
        yield face.id, [face], 1
    for railroad, faces in zip(job.game.railroads, railroad_faces(job), strict=True):
        yield f"railroad-{railroad.id}", faces, railroad.count
    for face in investor_faces(job):
        yield face.id, [face], 1
    yield "overview", [overview_face(job)], overview_count(job)


def overview_count(job: CardJob) -> int:
    """Return the number of overview cards: that of the decks, or one for each player (BA-S07)."""
    deck_counts = [deck.count for deck in job.game.decks if deck.cards == "overviews" and deck.count is not None]
    return deck_counts[0] if deck_counts else job.game.rules.setup.players
