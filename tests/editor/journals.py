"""Random journals with the names and keys of earlier versions, each step beside what it means today."""

import random
from collections.abc import Callable

from edited import Json, keys

from mapkit.document.document import sort_rows
from mapkit.document.session import Session
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.tables import RailDocument

STEPS = 14
WORDS = ("Salem", "North Fork", "St. Anne", "Junction 4", "Boston", "Rutland VT", "x1")
COLOURS = ("#aabb00", "#123456", "#00aa00")
Pair = tuple[Json, Json]
"""A former command and the one of today."""


class Author:
    """A random author at work on a board.

    Args:
        document: The document.
        rng: Draws what is done.
    """

    def __init__(self, document: RailDocument, rng: random.Random) -> None:
        self.document, self.rng = document, rng
        self.board: Board = compile_document(document, board_id="x").board

    def some(self, table: str) -> str:
        return self.rng.choice([*keys(self.document, table), "nothing"])

    def segment(self) -> str:
        return self.rng.choice([segment.id for segment in self.board.segments] or ["nothing"])

    def piece(self) -> str:
        return self.rng.choice([piece.id for piece in self.board.pieces] or ["nothing"])

    def milepost(self) -> str:
        return self.rng.choice([milepost.id for milepost in self.board.mileposts] or ["nothing"])

    def line(self) -> tuple[str, int, str]:
        """Return a line, and the number and name of a place of it."""
        if not self.document.lines:
            return "nothing", 1, "nowhere"
        key, line = self.rng.choice([*sort_rows(self.document.lines)])
        at = self.rng.randrange(len(line.stops))
        return key, at, line.stops[at][0]

    def word(self) -> str:
        return self.rng.choice(WORDS)

    def ident(self) -> str:
        return self.rng.choice(("aa", "bb", "cc"))

    def point(self) -> tuple[float, float]:
        return round(self.rng.uniform(-74, -70), 5), round(self.rng.uniform(41, 45), 5)

    def amount(self) -> float | None:
        return self.rng.choice((None, 1.5, 4, 12))

    def cell(self) -> tuple[str, int]:
        return self.rng.choice(("odd", "even")), self.rng.randint(2, 12)


def on_railroads(a: Author) -> list[Pair]:
    """Return steps on railroads and regions."""
    new = {
        "id": a.ident(),
        "name": a.word(),
        "short": a.ident().upper(),
        "price": 5000,
        "colour": a.rng.choice(COLOURS),
    }
    place = {"id": a.ident(), "name": a.word(), "short": "R", "colour": a.rng.choice(COLOURS)}
    price, railroad, region = {"price": a.rng.randint(1, 99)}, a.some("railroads"), a.some("regions")
    return [
        ({"kind": "start-railroad", **new}, {"kind": "add-railroad", **new}),
        ({"kind": "change-railroad", "id": railroad, **price}, {"kind": "edit-railroad", "id": railroad, **price}),
        (
            {"kind": "make-public", "id": railroad},
            {"kind": "edit-railroad", "id": railroad, "public": True, "was": {"public": False}},
        ),
        ({"kind": "remove-railroad", "id": railroad}, {"kind": "delete-railroad", "id": railroad}),
        ({"kind": "start-region", **place}, {"kind": "add-region", **place}),
        ({"kind": "change-region", "id": region, "short": "Z"}, {"kind": "edit-region", "id": region, "short": "Z"}),
        ({"kind": "remove-region", "id": region}, {"kind": "delete-region", "id": region}),
    ]


def on_cities(a: Author) -> list[Pair]:
    """Return steps on cities and charts."""
    city, other, region, amount = a.some("cities"), a.some("cities"), a.some("regions"), a.amount()
    was = a.document.cities[city].region if city in a.document.cities else "nothing"
    lon, lat = a.point()
    first, second = a.cell(), a.cell()
    chart = a.some("regions")
    cell = {"chart": chart, "parity": first[0], "total": first[1]}
    new = {"id": a.ident(), "name": a.word(), "region": region, "milepost": a.milepost()}
    pairs = [[city, other], [city, city]]
    moved = {"id": city, "region": region, "was": {"region": was}, "charts": "cities"}
    return [
        ({"kind": "make-city", **new}, {"kind": "add-city", **new}),
        ({"kind": "change-city", "id": city, "weight": 3}, {"kind": "edit-city", "id": city, "weight": 3}),
        (
            {"kind": "move-city", "id": city, "lon": lon, "lat": lat},
            {"kind": "edit-city", "id": city, "lon": lon, "lat": lat},
        ),
        ({"kind": "move-city", "city": city, "region": region, "was": was}, {"kind": "edit-city", **moved}),
        ({"kind": "move-city-to-region", "city": city, "region": region, "was": was}, {"kind": "edit-city", **moved}),
        ({"kind": "untwin-city", "id": city}, {"kind": "edit-city", "id": city, "milepost": ""}),
        ({"kind": "remove-city", "id": city}, {"kind": "delete-city", "id": city, "charts": "solve"}),
        (
            {"kind": "set-region-of-cities", "cities": [city, other], "region": region},
            {
                "kind": "batch",
                "label": "Regions",
                "commands": [{"kind": "edit-city", "id": one, "region": region} for one in (city, other)],
            },
        ),
        ({"kind": "set-cell", **cell, "item": city}, {"kind": "set-destination", **cell, "item": city}),
        ({"kind": "set-destination", **cell, "value": city}, {"kind": "set-destination", **cell, "item": city}),
        (
            {"kind": "swap-cells", "chart": chart, "a": first, "b": second},
            {"kind": "swap-destinations", "chart": chart, "a": first, "b": second},
        ),
        (
            {
                "kind": "swap-destinations",
                "chart": chart,
                "first": {"parity": first[0], "total": first[1]},
                "second": {"parity": second[0], "total": second[1]},
            },
            {"kind": "swap-destinations", "chart": chart, "a": first, "b": second},
        ),
        (
            {"kind": "change-payoff", "a": city, "b": other, "value": amount},
            {"kind": "set-payoff", "a": city, "b": other, "thousands": amount},
        ),
        (
            {"kind": "set-payoff", "a": city, "b": other, "value": amount},
            {"kind": "set-payoff", "a": city, "b": other, "thousands": amount},
        ),
        (
            {"kind": "fill-payoffs", "pairs": pairs, "thousands": amount},
            {"kind": "set-payoffs", "cells": [[city, other, amount]] if city != other else []},
        ),
        (
            {"kind": "round-payoffs", "pairs": [[city, other]]},
            {"kind": "scale-payoffs", "pairs": [[city, other]]},
        ),
        ({"kind": "scale-payoff-chart", "factor": 1.5}, {"kind": "scale-payoffs", "factor": 1.5}),
    ]


def on_lines(a: Author) -> list[Pair]:
    """Return steps on lines and places."""
    key, at, place = a.line()
    railroad, word, (lon, lat) = a.some("railroads"), a.word(), a.point()
    here = next(((p.lon, p.lat) for k, p in a.document.places.items() if k == place), None)
    stop = {"lon": lon, "lat": lat, "kind": a.rng.choice(("milepost", "via"))}
    keep = a.rng.random() < 0.5
    move, noted = {"place": place, "lon": lon, "lat": lat}, {"place": place, "note": word}
    owned = {"lines": [key], "railroad": railroad}
    return [
        (
            {"kind": "delete-section", "line": key, "start": at, "end": at + 1},
            {"kind": "delete-line", "lines": [key], "start": at, "end": at + 1},
        ),
        ({"kind": "move-line", **owned}, {"kind": "edit-line", **owned}),
        ({"kind": "rename-line", "line": key, "name": word}, {"kind": "edit-line", "lines": [key], "name": word}),
        ({"kind": "reverse-line", "line": key}, {"kind": "edit-line", "lines": [key], "reverse": True}),
        (
            {"kind": "move-stop", "line": key, "index": at, "stop": stop},
            {"kind": "reshape-line", "line": key, "start": at, "end": at, "stops": [stop]},
        ),
        (
            {"kind": "move-place", **move, **({} if here is None else {"was": list(here)})},
            {"kind": "edit-place", **move, **({} if here is None else {"was": {"lon": here[0], "lat": here[1]}})},
        ),
        (
            {"kind": "rename-place", "place": place, "name": word, "was": place},
            {"kind": "edit-place", "place": place, "name": word, "was": {"name": place}},
        ),
        ({"kind": "set-place-note", **noted}, {"kind": "edit-place", **noted}),
        (
            {"kind": "delete-place", "place": place, "keep_shape": keep},
            {"kind": "delete-place", "place": place, "track": "join" if keep else "straight"},
        ),
    ]


def on_track(a: Author) -> list[Pair]:
    """Return steps on rows of track."""
    railroad, segment, piece, word = a.some("railroads"), a.segment(), a.piece(), a.word()
    one, other, (lon, lat) = a.milepost(), a.milepost(), a.point()
    cut = {"id": a.ident(), "name": word, "segments": [segment]}
    laid = {"railroad": railroad, "stops": [one, other], "along": "*"}
    ends = {"railroad": railroad, "a": one, "b": other}
    junction = next((junction.id for junction in a.board.junctions), "nothing")
    return [
        ({"kind": "add-line", "railroad": railroad, "mileposts": [one, other]}, {"kind": "add-line", **laid}),
        ({"kind": "lay-line", "railroad": railroad, "mileposts": [one, other]}, {"kind": "add-line", **laid}),
        ({"kind": "add-segment", **ends}, {"kind": "add-piece", **ends}),
        ({"kind": "insert-milepost", **cut}, {"kind": "add-milepost", **cut}),
        (
            {"kind": "move-milepost", "id": one, "lon": lon, "lat": lat},
            {"kind": "edit-place", "place": one, "lon": lon, "lat": lat},
        ),
        ({"kind": "rename-milepost", "id": one, "name": word}, {"kind": "edit-place", "place": one, "name": word}),
        ({"kind": "remove-milepost", "id": one}, {"kind": "delete-place", "place": one, "track": "join"}),
        *(
            ({"kind": kind, "id": junction}, {"kind": "delete-place", "place": junction})
            for kind in ("remove-junction", "delete-junction")
        ),
        ({"kind": "remove-piece", "id": piece}, {"kind": "delete-piece", "id": piece}),
        ({"kind": "remove-segments", "segments": [segment]}, {"kind": "delete-segments", "segments": [segment]}),
    ]


def on_settings(a: Author) -> list[Pair]:
    """Return steps on settings and rules."""
    title, width = a.word(), a.rng.randint(300, 900)
    rows = {"label": "Take back", "rows": [{"table": "settings", "key": "spacing.gap_mi", "row": {"value": width}}]}
    return [
        ({"kind": "change-board", "title": title}, {"kind": "edit-board", "title": title}),
        ({"kind": "change-rules", "on": ["half-time"]}, {"kind": "edit-rules", "on": ["half-time"]}),
        ({"kind": "remove-house-rule", "title": title}, {"kind": "delete-house-rule", "title": title}),
        (
            {"kind": "set-rules", "preset": "ici", "options": ["half-time"]},
            {"kind": "set-settings", "values": {"rules.preset": "ici", "rules.options": ["half-time"]}},
        ),
        (
            {"kind": "set-setting", "key": "page.width", "value": width},
            {"kind": "set-settings", "values": {"page.width": width}},
        ),
        ({"kind": "restore-rows", **rows}, {"kind": "set-rows", **rows}),
    ]


TOPICS: tuple[Callable[[Author], list[Pair]], ...] = (
    on_railroads,
    on_cities,
    on_lines,
    on_lines,
    on_track,
    on_settings,
)


def write_journal(session: Session[RailDocument], seed: int, do: Callable[[Session[RailDocument], Pair], bool]) -> int:
    """Do random steps in a session until enough of them fit; return the number tried.

    Args:
        session: The session.
        seed: Of all that is random.
        do: Does one step, and returns whether it fits.
    """
    rng, fitting, tried = random.Random(seed), 0, 0  # noqa: S311 - the same again
    while fitting < STEPS and tried < 6 * STEPS:
        author = Author(session.document, rng)
        fitting += do(session, rng.choice(rng.choice(TOPICS)(author)))
        tried += 1
    return tried
