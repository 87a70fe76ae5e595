"""The recogniser of text in pictures: models that run on ONNX Runtime, from the extra `scan`.

`find_texts` finds and reads the lines of text of a picture. `read_lines` reads pictures of one line each, and tells how
likely other readings are. The models are PP-OCR (Apache-2.0); they come in the wheel of `rapidocr`, and nothing is
fetched when a picture is read.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.core.errors import ChoiceError
from mapkit.core.processes.installing import install_command, pip_command
from mapkit.formats.pixels import Pixels

Floats = NDArray[np.float32]

_NEEDED: Final = ("rapidocr", "onnxruntime", "cv2")
_HIGH: Final = 48
"""Pixels: the height of the lines that the model reads."""
_NARROWEST: Final = 48
_WIDEST: Final = 960
_STEP: Final = 16
"""Lines whose widths round up to the same multiple are read together."""
_BATCH: Final = 32
_READS: Final = "PP-OCR*_rec_*.onnx"
_FINDS: Final = "PP-OCR*_det_*.onnx"
_LONGEST: Final = 1920
"""Pixels: a picture is made smaller until no side is longer, before text is looked for in it."""
_GRID: Final = 32
_INK: Final = 0.3
_SURE: Final = 0.5
_GROWN: Final = 1.6
_SMALLEST: Final = 3
_LAST_LATIN: Final = 0x24F
_SIGNS: Final = frozenset("–—−’‘“”„…€•")  # noqa: RUF001
"""What is written besides in languages with Latin letters, the only ones that are read."""
_MEAN: Final = np.array((0.485, 0.456, 0.406), dtype=np.float32)
_SPREAD: Final = np.array((0.229, 0.224, 0.225), dtype=np.float32)


class LineRead(NamedTuple):
    """What a picture of one line says.

    Args:
        text: Its characters.
        confidence: The mean of how sure each character is, from 0 to 1.
        least: How sure the least sure one is.
    """

    text: str
    confidence: float
    least: float


class TextFound(NamedTuple):
    """A line of text in a picture.

    Args:
        text: What it says.
        confidence: How sure that is, from 0 to 1.
        corners: Where it stands, four points in pixels: the text's top left corner, then clockwise, shape (4, 2).
    """

    text: str
    confidence: float
    corners: Floats


def can_recognise() -> bool:
    """Say whether the extra is installed."""
    return all(find_spec(name) is not None for name in _NEEDED)


def need_recogniser(what: str) -> None:
    """Refuse to go on without the extra.

    Args:
        what: What it is needed for, such as `chart.png: a picture`.

    Raises:
        ChoiceError: It is not installed.
    """
    if not can_recognise():
        raise ChoiceError(f"{what}; to read it, install the reader of text in pictures: {install_command('scan')}")


def find_texts(picture: Pixels) -> list[TextFound]:
    """Return the lines of text in a picture, from top to bottom.

    Lines may be turned by up to about 45 degrees. Lone digits and letters are often missed.

    Args:
        picture: Red, green, blue; shape (height, width, 3).

    Raises:
        ChoiceError: The extra is not installed.
    """
    need_recogniser("reading text in a picture")
    quads = list(_quads(picture))
    quads.sort(key=lambda quad: (float(quad[:, 1].mean()), float(quad[:, 0].mean())))
    readings = read_lines([_upright(picture, quad) for quad in quads])
    return [
        TextFound(reading.text, reading.confidence, quad)
        for quad, reading in zip(quads, readings, strict=True)
        if reading.text.strip()
    ]


def read_lines(lines: Sequence[Pixels], *, only: str = "") -> list[LineRead]:
    """Return what pictures of one line of text each say.

    Args:
        lines: Pictures that hold a line, with a little room around it, each of shape (height, width, 3).
        only: The characters that may come; Latin letters, figures and signs by default. Others count as nothing.

    Raises:
        ChoiceError: The extra is not installed.
    """
    return [reading for (reading,) in read_both(lines, (only,))]


def read_both(
    lines: Sequence[Pixels], alphabets: Sequence[str], said: Callable[[int, int], None] | None = None
) -> list[tuple[LineRead, ...]]:
    """Return what pictures of one line of text each say, once in each of several alphabets.

    Args:
        lines: As for `read_lines`.
        alphabets: The characters that may come in each, as for `read_lines`.
        said: Told how many are read, and how many there are.

    Raises:
        ChoiceError: The extra is not installed.
    """
    need_recogniser("reading text in a picture")
    reader = _reader()
    allowed = [_allowed(only) for only in alphabets]
    out: list[tuple[LineRead, ...]] = [()] * len(lines)
    done = 0
    widths = [_width(line) for line in lines]
    order = sorted(range(len(lines)), key=widths.__getitem__)
    for batch in _batches(order, widths):
        wide = widths[batch[-1]]
        stack = np.stack([_fitted(lines[k], wide) for k in batch])
        answers = reader.run(None, {reader.get_inputs()[0].name: stack})[0]
        for k, likely in zip(batch, answers, strict=True):
            out[k] = tuple(_decoded(likely, those) for those in allowed)
        done += len(batch)
        if said is not None:
            said(done, len(lines))
    return out


def _batches(order: Sequence[int], widths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for k in order:
        if batch and (len(batch) == _BATCH or widths[k] != widths[batch[0]]):
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch


def _width(line: Pixels) -> int:
    high, wide = line.shape[:2]
    exact = min(_WIDEST, max(_NARROWEST, -(-_HIGH * int(wide) // max(1, int(high)))))
    return -(-exact // _STEP) * _STEP


def _fitted(line: Pixels, wide: int) -> Floats:
    """Return a line at the model's size, from -1 to 1, filled up with its paper on the right."""
    cv2 = heavy.cv2
    high, own = line.shape[:2]
    inner = min(wide, max(1, round(own * _HIGH / max(1, high))))
    small = cv2.resize(line, (inner, _HIGH), interpolation=cv2.INTER_AREA if high > _HIGH else cv2.INTER_CUBIC)
    out = np.empty((_HIGH, wide, 3), dtype=np.float32)
    out[:, :inner] = small
    out[:, inner:] = np.median(line.reshape(-1, 3), axis=0)
    return np.ascontiguousarray((out / 127.5 - 1).transpose(2, 0, 1))


def _decoded(likely: Floats, allowed: NDArray[np.int64]) -> LineRead:
    """Return the likeliest characters: one of each run of steps that agree, without those that say nothing."""
    best = allowed[likely[:, allowed].argmax(axis=1)]
    sure = likely[np.arange(len(best)), best]
    first = np.r_[True, best[1:] != best[:-1]]
    kept = [k for k in np.flatnonzero(first) if best[k]]
    characters = _characters()
    peaks = [float(sure[k : k + 1 + int(np.argmax(np.r_[first[k + 1 :], True]))].max()) for k in kept]
    text = "".join(characters[best[k]] for k in kept)
    return LineRead(text, float(np.mean(peaks)) if peaks else 0.0, min(peaks, default=0.0))


def _quads(picture: Pixels) -> Iterator[Floats]:
    """Yield the corners of the lines of text in a picture (differentiable binarization)."""
    cv2 = heavy.cv2
    high, wide = picture.shape[:2]
    scale = min(1.0, _LONGEST / max(high, wide))
    size = [max(_GRID, round(side * scale / _GRID) * _GRID) for side in (wide, high)]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)[:, :, ::-1]
    finder = _finder()
    fed = np.ascontiguousarray(((small / np.float32(255) - _MEAN) / _SPREAD).transpose(2, 0, 1)[None])
    ink = finder.run(None, {finder.get_inputs()[0].name: fed.astype(np.float32)})[0][0, 0]
    outlines, _ = cv2.findContours((ink > _INK).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        (x, y), (a, b), turn = cv2.minAreaRect(outline)
        if min(a, b) < _SMALLEST:
            continue
        inside = np.zeros(ink.shape, dtype=np.uint8)
        cv2.drawContours(inside, [outline], -1, 1, -1)
        if float(ink[inside > 0].mean()) < _SURE:
            continue
        grow = a * b * _GROWN / (2 * (a + b)) * 2
        corners = cv2.boxPoints(((x, y), (a + grow, b + grow), turn))
        yield _from_top_left(np.asarray(corners, dtype=np.float32) * (wide / size[0], high / size[1]))


def _from_top_left(corners: NDArray[Any]) -> Floats:
    """Return corners of a box clockwise, from the top left of a line that runs to the right."""
    order = corners[np.argsort(corners[:, 0])]
    left, right = order[:2], order[2:]
    top_left, bottom_left = left[np.argsort(left[:, 1])]
    top_right, bottom_right = right[np.argsort(right[:, 1])]
    return np.array((top_left, top_right, bottom_right, bottom_left), dtype=np.float32)


def _upright(picture: Pixels, quad: Floats) -> Pixels:
    """Return what stands in a box, upright; a box that is much higher than wide is read from bottom to top."""
    cv2 = heavy.cv2
    wide = max(1, round(float(np.hypot(*(quad[1] - quad[0])))))
    high = max(1, round(float(np.hypot(*(quad[3] - quad[0])))))
    to = np.array(((0, 0), (wide, 0), (wide, high), (0, high)), dtype=np.float32)
    out = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(quad, to), (wide, high), flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    turned = np.rot90(out, -1) if high > 1.5 * wide else out
    return np.ascontiguousarray(turned, dtype=np.uint8)


def _allowed(only: str) -> NDArray[np.int64]:
    those = frozenset(only)
    return np.array(
        [k for k, c in enumerate(_characters()) if k == 0 or (c in those if only else _is_latin(c))], dtype=np.int64
    )


def _is_latin(character: str) -> bool:
    return ord(character) <= _LAST_LATIN or character in _SIGNS


@lru_cache(maxsize=1)
def _characters() -> list[str]:
    """Return what each figure of the model stands for; the first says nothing, the last is a blank."""
    listed = _reader().get_modelmeta().custom_metadata_map["character"]
    return ["", *listed.split("\n"), " "]


@lru_cache(maxsize=1)
def _reader() -> Any:  # noqa: ANN401 - a session, which has no types
    return _session(_READS)


@lru_cache(maxsize=1)
def _finder() -> Any:  # noqa: ANN401 - a session, which has no types
    return _session(_FINDS)


def _session(pattern: str) -> Any:  # noqa: ANN401 - a session, which has no types
    found = find_spec("rapidocr")
    folders = [Path(place) / "models" for place in (found.submodule_search_locations if found else None) or ()]
    files = sorted(file for folder in folders for file in folder.glob(pattern))
    if not files:
        cure = pip_command("--force-reinstall", "--no-deps", "rapidocr")
        raise ChoiceError(f"rapidocr is installed without its models; install it again: {cure}")
    options = heavy.onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry(
        "session.intra_op.allow_spinning", "0"
    )  # waiting threads leave others the processor
    return heavy.onnxruntime.InferenceSession(str(files[-1]), options, providers=["CPUExecutionProvider"])
