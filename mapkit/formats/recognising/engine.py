"""Text recognition in pictures with PP-OCR models on ONNX Runtime, from the extra `scan`.

`find_texts` detects and reads the lines of text of a picture; `read_lines` reads pictures of one line each. The models
are PP-OCR (Apache-2.0), included in the wheel of `rapidocr`, so nothing is downloaded.
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

_NEEDED_PACKAGES: Final = ("rapidocr", "onnxruntime", "cv2")
_LINE_HEIGHT: Final = 48
"""Pixels: the height of the lines that the model reads."""
_MIN_WIDTH: Final = 48
_MAX_WIDTH: Final = 960
_WIDTH_STEP: Final = 16
"""Lines whose widths round up to the same multiple are read together."""
_BATCH_SIZE: Final = 32
_READER_MODEL: Final = "PP-OCR*_rec_*.onnx"
_FINDER_MODEL: Final = "PP-OCR*_det_*.onnx"
_MAX_SIDE: Final = 1920
"""Pixels: a picture is made smaller until no side is longer, before text is looked for in it."""
_SIDE_STEP: Final = 32
_TEXT_THRESHOLD: Final = 0.3
_BOX_THRESHOLD: Final = 0.5
_UNCLIP_RATIO: Final = 1.6
_MIN_BOX_SIDE: Final = 3
_LAST_LATIN: Final = 0x24F
_EXTRA_SIGNS: Final = frozenset("–—−’‘“”„…€•")  # noqa: RUF001
"""Other signs of languages with Latin letters, the only ones that are read."""
_CHANNEL_MEANS: Final = np.array((0.485, 0.456, 0.406), dtype=np.float32)
_CHANNEL_SPREADS: Final = np.array((0.229, 0.224, 0.225), dtype=np.float32)


class LineRead(NamedTuple):
    """Reading of a picture of one line.

    Args:
        text: Its characters.
        confidence: The mean of how sure each character is, from 0 to 1.
        least: How sure the least sure one is.
    """

    text: str
    confidence: float
    least: float


class FoundText(NamedTuple):
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
    """Return whether the extra is installed."""
    return all(find_spec(name) is not None for name in _NEEDED_PACKAGES)


def require_recogniser(what: str) -> None:
    """Raise an error if the extra is not installed.

    Args:
        what: What it is needed for, such as `chart.png: a picture`.

    Raises:
        ChoiceError: It is not installed.
    """
    if not can_recognise():
        raise ChoiceError(f"{what}; to read it, install the reader of text in pictures: {install_command('scan')}")


def find_texts(picture: Pixels) -> list[FoundText]:
    """Return the lines of text in a picture, from top to bottom.

    Lines may be turned by up to about 45 degrees. Lone digits and letters are often missed.

    Args:
        picture: Red, green, blue; shape (height, width, 3).

    Raises:
        ChoiceError: The extra is not installed.
    """
    require_recogniser("reading text in a picture")
    quads = list(_find_quads(picture))
    quads.sort(key=lambda quad: (float(quad[:, 1].mean()), float(quad[:, 0].mean())))
    readings = read_lines([_cut_upright(picture, quad) for quad in quads])
    return [
        FoundText(reading.text, reading.confidence, quad)
        for quad, reading in zip(quads, readings, strict=True)
        if reading.text.strip()
    ]


def read_lines(lines: Sequence[Pixels], *, only: str = "") -> list[LineRead]:
    """Return the readings of pictures of one line of text each.

    Args:
        lines: Pictures that hold a line, with a little room around it, each of shape (height, width, 3).
        only: The characters that may come; Latin letters, figures and signs by default. Others count as nothing.

    Raises:
        ChoiceError: The extra is not installed.
    """
    return [reading for (reading,) in read_in_alphabets(lines, (only,))]


def read_in_alphabets(
    lines: Sequence[Pixels], alphabets: Sequence[str], said: Callable[[int, int], None] | None = None
) -> list[tuple[LineRead, ...]]:
    """Return the readings of pictures of one line of text each, once in each of several alphabets.

    Args:
        lines: As for `read_lines`.
        alphabets: The characters that may come in each, as for `read_lines`.
        said: Told how many are read, and how many there are.

    Raises:
        ChoiceError: The extra is not installed.
    """
    require_recogniser("reading text in a picture")
    reader_session = _reader_session()
    allowed_classes = [_allowed_classes(only) for only in alphabets]
    line_readings: list[tuple[LineRead, ...]] = [()] * len(lines)
    done_count = 0
    widths = [_line_width(line) for line in lines]
    width_order = sorted(range(len(lines)), key=widths.__getitem__)
    for batch in _batch_lines(width_order, widths):
        batch_width = widths[batch[-1]]
        line_stack = np.stack([_fit_line(lines[k], batch_width) for k in batch])
        answers = reader_session.run(None, {reader_session.get_inputs()[0].name: line_stack})[0]
        for k, probabilities in zip(batch, answers, strict=True):
            line_readings[k] = tuple(_decode_line(probabilities, alphabet) for alphabet in allowed_classes)
        done_count += len(batch)
        if said is not None:
            said(done_count, len(lines))
    return line_readings


def _batch_lines(order: Sequence[int], widths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for k in order:
        if batch and (len(batch) == _BATCH_SIZE or widths[k] != widths[batch[0]]):
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch


def _line_width(line: Pixels) -> int:
    line_height, line_width = line.shape[:2]
    scaled_width = min(_MAX_WIDTH, max(_MIN_WIDTH, -(-_LINE_HEIGHT * int(line_width) // max(1, int(line_height)))))
    return -(-scaled_width // _WIDTH_STEP) * _WIDTH_STEP


def _fit_line(line: Pixels, wide: int) -> Floats:
    """Return a line at the model's size, from -1 to 1, padded with its paper on the right."""
    cv2 = heavy.cv2
    line_height, line_width = line.shape[:2]
    scaled_width = min(wide, max(1, round(line_width * _LINE_HEIGHT / max(1, line_height))))
    scaled_line = cv2.resize(
        line,
        (scaled_width, _LINE_HEIGHT),
        interpolation=cv2.INTER_AREA if line_height > _LINE_HEIGHT else cv2.INTER_CUBIC,
    )
    padded_line = np.empty((_LINE_HEIGHT, wide, 3), dtype=np.float32)
    padded_line[:, :scaled_width] = scaled_line
    padded_line[:, scaled_width:] = np.median(line.reshape(-1, 3), axis=0)
    return np.ascontiguousarray((padded_line / 127.5 - 1).transpose(2, 0, 1))


def _decode_line(likely: Floats, allowed: NDArray[np.int64]) -> LineRead:
    """Return the likeliest characters: one of each run of equal steps, without blanks (CTC decoding)."""
    best_classes = allowed[likely[:, allowed].argmax(axis=1)]
    confidences = likely[np.arange(len(best_classes)), best_classes]
    is_first = np.r_[True, best_classes[1:] != best_classes[:-1]]
    kept_steps = [k for k in np.flatnonzero(is_first) if best_classes[k]]
    characters = _class_characters()
    peaks = [float(confidences[k : k + 1 + int(np.argmax(np.r_[is_first[k + 1 :], True]))].max()) for k in kept_steps]
    text = "".join(characters[best_classes[k]] for k in kept_steps)
    return LineRead(text, float(np.mean(peaks)) if peaks else 0.0, min(peaks, default=0.0))


def _find_quads(picture: Pixels) -> Iterator[Floats]:
    """Yield the corners of the lines of text in a picture (differentiable binarization)."""
    cv2 = heavy.cv2
    picture_height, picture_width = picture.shape[:2]
    scale = min(1.0, _MAX_SIDE / max(picture_height, picture_width))
    size = [max(_SIDE_STEP, round(side * scale / _SIDE_STEP) * _SIDE_STEP) for side in (picture_width, picture_height)]
    scaled_picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)[:, :, ::-1]
    finder_session = _finder_session()
    model_input = np.ascontiguousarray(
        ((scaled_picture / np.float32(255) - _CHANNEL_MEANS) / _CHANNEL_SPREADS).transpose(2, 0, 1)[None]
    )
    text_map = finder_session.run(None, {finder_session.get_inputs()[0].name: model_input.astype(np.float32)})[0][0, 0]
    outlines, _ = cv2.findContours(
        (text_map > _TEXT_THRESHOLD).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE
    )
    for outline in outlines:
        (x, y), (a, b), turn = cv2.minAreaRect(outline)
        if min(a, b) < _MIN_BOX_SIDE:
            continue
        outline_mask = np.zeros(text_map.shape, dtype=np.uint8)
        cv2.drawContours(outline_mask, [outline], -1, 1, -1)
        if float(text_map[outline_mask > 0].mean()) < _BOX_THRESHOLD:
            continue
        margin = a * b * _UNCLIP_RATIO / (2 * (a + b)) * 2
        corners = cv2.boxPoints(((x, y), (a + margin, b + margin), turn))
        yield _sort_corners(np.asarray(corners, dtype=np.float32) * (picture_width / size[0], picture_height / size[1]))


def _sort_corners(corners: NDArray[Any]) -> Floats:
    """Return corners of a box clockwise, from the top left of a line that runs to the right."""
    by_x = corners[np.argsort(corners[:, 0])]
    left_corners, right_corners = by_x[:2], by_x[2:]
    top_left, bottom_left = left_corners[np.argsort(left_corners[:, 1])]
    top_right, bottom_right = right_corners[np.argsort(right_corners[:, 1])]
    return np.array((top_left, top_right, bottom_right, bottom_left), dtype=np.float32)


def _cut_upright(picture: Pixels, quad: Floats) -> Pixels:
    """Return the content of a box, upright; a box that is much higher than wide is read from bottom to top."""
    cv2 = heavy.cv2
    quad_width = max(1, round(float(np.hypot(*(quad[1] - quad[0])))))
    quad_height = max(1, round(float(np.hypot(*(quad[3] - quad[0])))))
    target_corners = np.array(((0, 0), (quad_width, 0), (quad_width, quad_height), (0, quad_height)), dtype=np.float32)
    flat_picture = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(quad, target_corners), (quad_width, quad_height), flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    upright_picture = np.rot90(flat_picture, -1) if quad_height > 1.5 * quad_width else flat_picture
    return np.ascontiguousarray(upright_picture, dtype=np.uint8)


def _allowed_classes(only: str) -> NDArray[np.int64]:
    allowed_letters = frozenset(only)
    return np.array(
        [
            k
            for k, c in enumerate(_class_characters())
            if k == 0 or (c in allowed_letters if only else (ord(c) <= _LAST_LATIN or c in _EXTRA_SIGNS))
        ],
        dtype=np.int64,
    )


@lru_cache(maxsize=1)
def _class_characters() -> list[str]:
    """Return the character of each class of the model; the first is the blank of CTC, the last a space."""
    character_list = _reader_session().get_modelmeta().custom_metadata_map["character"]
    return ["", *character_list.split("\n"), " "]


@lru_cache(maxsize=1)
def _reader_session() -> Any:  # noqa: ANN401 - a session, which has no types
    return _open_session(_READER_MODEL)


@lru_cache(maxsize=1)
def _finder_session() -> Any:  # noqa: ANN401 - a session, which has no types
    return _open_session(_FINDER_MODEL)


def _open_session(pattern: str) -> Any:  # noqa: ANN401 - a session, which has no types
    package_spec = find_spec("rapidocr")
    folders = [
        Path(place) / "models" for place in (package_spec.submodule_search_locations if package_spec else None) or ()
    ]
    model_files = sorted(file for folder in folders for file in folder.glob(pattern))
    if not model_files:
        cure = pip_command("--force-reinstall", "--no-deps", "rapidocr")
        raise ChoiceError(f"rapidocr is installed without its models; install it again: {cure}")
    session_options = heavy.onnxruntime.SessionOptions()
    session_options.log_severity_level = 3
    session_options.add_session_config_entry(
        "session.intra_op.allow_spinning", "0"
    )  # waiting threads leave others the processor
    return heavy.onnxruntime.InferenceSession(str(model_files[-1]), session_options, providers=["CPUExecutionProvider"])
