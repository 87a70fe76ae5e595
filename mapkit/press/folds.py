"""Folds of a board in panels, moved a little so that they miss names and the marks of cities."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from mapkit.core.base import Area
from mapkit.drawing.svg_file import SVG, Picture, read_picture
from mapkit.press.placed_texts import list_placed_texts

PANELS: Final[Mapping[int, tuple[int, int]]] = {2: (2, 1), 4: (2, 2), 6: (3, 2)}
"""Number of panels -> along the longer and the shorter side."""
_MOST_SHIFT_SHARE: Final = 0.1
"""How far a fold may move, as a share of a panel: panels stay about equal, and lie flat on each other."""
_STEP_MM: Final = 0.5
_CLEAR_MM: Final = 1.0
"""Between a fold and a name or square."""


@dataclass(frozen=True)
class Fold:
    """A fold across a picture.

    Attributes:
        axis: The side that it divides: folds across `x` are upright.
        at: Its place in millimetres from the left or top edge of the picture.
        moved: How far it lies from where panels are equal.
        crossed: Names and cities on it, sorted.
    """

    axis: Literal["x", "y"]
    at: float
    moved: float
    crossed: tuple[str, ...]


def plan_folds(svg: str, panels: int) -> tuple[Fold, ...]:
    """Return the folds of a picture, in millimetres of its size.

    Each lies where it crosses fewest marks and names of cities, then fewest of all, then moves least.
    """
    picture = read_picture(svg, "the board")
    # names along curves are set letter by letter, and a fold through one letter hides none
    texts = [text for text in list_placed_texts(picture) if text.of or len(text.text.strip()) > 1]
    marks = _list_city_marks(picture)
    obstacles = [*marks, *((text.box, text.text.strip()) for text in texts)]
    of_cities = {name for _, name in marks} | {text.text.strip() for text in texts if text.of.startswith("c-")}
    left, top, box_width, box_height = picture.box
    sides: tuple[tuple[Literal["x", "y"], float, float, float], ...] = (
        ("x", picture.width, left, picture.width / box_width),
        ("y", picture.height, top, picture.height / box_height),
    )
    counts = PANELS[panels] if picture.width >= picture.height else PANELS[panels][::-1]
    folds: list[Fold] = []
    for (axis, length, origin, scale), count in zip(sides, counts, strict=True):
        start, end = (0, 2) if axis == "x" else (1, 3)
        spans = [((box[start] - origin) * scale, (box[end] - origin) * scale, name) for box, name in obstacles]
        steps = int(_MOST_SHIFT_SHARE * length / count / _STEP_MM)
        shifts = sorted((step * _STEP_MM for step in range(-steps, steps + 1)), key=lambda shift: (abs(shift), shift))
        for number in range(1, count):
            middle = length * number / count
            choices = [(_find_crossed(spans, middle + shift), shift) for shift in shifts]
            crossed, shift = min(choices, key=lambda choice: (len(of_cities & {*choice[0]}), len(choice[0])))
            folds.append(Fold(axis, middle + shift, shift, crossed))
    return tuple(folds)


def _list_city_marks(picture: Picture) -> list[tuple[Area, str]]:
    """Return the boxes around the marks of cities, which are squares or circles by the theme, and their names."""
    marks: list[tuple[Area, str]] = []
    for mark in picture.root.iter():
        if mark.get("class") != "city" or not (name := mark.get("data-name")):
            continue
        if mark.tag == f"{SVG}circle":
            x, y, radius = (float(mark.get(key, 0)) for key in ("cx", "cy", "r"))
            marks.append(((x - radius, y - radius, x + radius, y + radius), f"circle of {name}"))
        else:
            x, y, width, height = (float(mark.get(key, 0)) for key in ("x", "y", "width", "height"))
            marks.append(((x, y, x + width, y + height), f"square of {name}"))
    return marks


def _find_crossed(spans: list[tuple[float, float, str]], at: float) -> tuple[str, ...]:
    """Return the names of what lies at a place or closer than `_CLEAR_MM` to it."""
    return tuple(sorted({name for start, end, name in spans if start - _CLEAR_MM < at < end + _CLEAR_MM}))


def describe_fold(fold: Fold, factor: float) -> str:
    """Return a line for a report: where a fold lies, how far it was moved, and what it crosses."""
    side = "left" if fold.axis == "x" else "top"
    moved = f", moved by {fold.moved * factor:+.1f} mm" if fold.moved else ""
    return f"fold: {fold.at * factor:.1f} mm from the {side}{moved}; it crosses {', '.join(fold.crossed) or 'no name'}"
