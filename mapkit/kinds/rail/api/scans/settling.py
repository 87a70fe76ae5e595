"""Answers of the author on doubtful links of a scan: right as followed, not there, or of another railroad."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.kinds.rail.checks.scanned_links import list_link_ids
from mapkit.kinds.rail.scanning.scan import ScannedBoard, ScannedLine, ScannedLink
from mapkit.kinds.rail.sources.payoffs.typed_options import expand_files

RIGHT: Final = "+"
NOT_THERE: Final = "-"


def parse_link_answers(items: Iterable[str]) -> dict[str, str]:
    """Return the answer on each link by the id of its finding; the lines of a file stand for `@FILE`.

    Raises:
        ValueError: An item is not `FINDING=ANSWER`, or a file cannot be read.
    """
    answers: dict[str, str] = {}
    for item in expand_files(items):
        finding, sign, answer = (part.strip() for part in item.rpartition("="))
        if not (finding and sign and answer):
            raise ValueError(f"{item!r} is not FINDING=ANSWER, such as T01:albany:boston:nyc=+")
        answers[finding] = answer
    return answers


def check_link_answers(answers: Mapping[str, str], railroads: Collection[str]) -> None:
    """Check answers as far as that can be done before a scan is read.

    Raises:
        ChoiceError: An answer names no railroad.
    """
    for finding, answer in answers.items():
        if answer not in (RIGHT, NOT_THERE) and answer not in railroads:
            hint = (
                did_you_mean(answer, railroads) or f"; say {RIGHT} (right), {NOT_THERE} (not there) or a railroad's id"
            )
            raise ChoiceError(f"--accept {finding}={answer}: there is no railroad {answer!r}{hint}")


def settle_links(board: ScannedBoard, names: Sequence[str], answers: Mapping[str, str]) -> ScannedBoard:
    """Return a scanned board with the author's answers in it.

    Links that are not there lose their own line; a stretch shared with other links stays.

    Args:
        board: The board as it was read.
        names: The name of each of its symbols.
        answers: By the id of a link's finding: `+` if it is right, `-` if it is not there, or the id of its railroad.

    Raises:
        ChoiceError: An answer is for no link of the scan.
    """
    ids = list_link_ids((link.railroad, names[link.a], names[link.b]) for link in board.links)
    for finding, answer in answers.items():
        if finding not in ids:
            hint = did_you_mean(finding, ids) or "; answers fit the scan that they were given for"
            raise ChoiceError(f"--accept {finding}={answer}: the scan has no such link{hint}")
    links: list[ScannedLink] = []
    lines = list(board.lines)
    for link, finding in zip(board.links, ids, strict=True):
        if finding not in answers:
            links.append(link)
            continue
        answer = answers[finding]
        lines = [line for line in lines if not _draws_only(line, link)]
        if answer != NOT_THERE:
            railroad = link.railroad if answer == RIGHT else answer
            links.append(replace(link, railroad=railroad, confidence=1.0))
            lines.append(ScannedLine(railroad, link.a, link.b, 1.0, link.line))
    return replace(board, links=tuple(links), lines=tuple(lines))


def _draws_only(line: ScannedLine, link: ScannedLink) -> bool:
    """Return whether a line draws a link and no other one."""
    is_between_same = (line.railroad, line.a, line.b) == (link.railroad, link.a, link.b)
    return is_between_same and np.array_equal(line.line, link.line)
