"""What the gazetteer says of a board's names is kept, and what the board itself says goes before it."""

from pathlib import Path

import pytest

from mapkit.core.kept import CACHE
from mapkit.kinds.rail.sources import places
from mapkit.kinds.rail.sources.places import PlaceFinder

NAMES = ["Altoona PA", "Springfield", "Chicago", "@-80.5,40.25", "No Such Place", ""]
COUNTRIES = ("US",)


def finder(**own: tuple[float, float]) -> PlaceFinder:
    return PlaceFinder.of(cities=(), places=own, countries=COUNTRIES)


def test_names_found_at_once_are_those_found_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE.variable, str(tmp_path))
    one_by_one = [finder().get(name) for name in NAMES]
    assert [found is None for found in one_by_one] == [False, True, False, False, True, True]
    for _ in range(2):  # made, then taken
        together = finder()
        together.look_up_all(NAMES)
        assert [together.get(name) for name in NAMES] == one_by_one
    assert len(list(tmp_path.iterdir())) == 1


def test_the_gazetteer_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE.variable, str(tmp_path))
    finder().look_up_all(NAMES)
    monkeypatch.setattr(places, "load_gazetteer", None)
    again = finder()
    again.look_up_all(NAMES)
    assert again.get("Altoona PA") is not None


def test_a_place_of_the_board_is_never_taken_from_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE.variable, str(tmp_path))
    finder().look_up_all(NAMES)
    own = finder(**{"Altoona PA": (-78.0, 40.0)})
    own.look_up_all(NAMES)
    assert own.get("Altoona PA") == ("Altoona PA", -78.0, 40.0)
