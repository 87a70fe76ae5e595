"""Which operation of a variant is to blame for a finding that the board has only with the variant."""

import json
import re
from collections.abc import Collection, Sequence
from typing import Final

from mapkit.core.findings import CheckReport, Finding, Place
from mapkit.variants.applying import PlacedVariant

_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SUBJECTS: Final = {"payoff": "P", "destination": "D", "rule": "V", "option": "V", "preset": "V"}
"""What an operation's name says that it changes, and the letter of the checks that look at that."""
_OF_TRACK: Final = "NR"
"""Letters of the checks that look at no chart and no rule."""


def with_causes(found: CheckReport, known: Collection[str], variants: Sequence[PlacedVariant]) -> CheckReport:
    """Return findings of a board with variants; those that its base has not point at the variants.

    A finding on a row that an operation wrote points there already. Any other new one points at the operation that
    names elements of the finding: one that changes what the check looks at before others, then the one that names
    most, then the last; no change of a chart or rule is to blame for track or its drawing. If none names any, it is
    the last that changes what the check looks at, or the only one there is; otherwise the head of the last variant.
    Where the finding pointed before is said at its end.

    Args:
        found: What the checks say of the board with the variants.
        known: Ids of the findings of the base.
        variants: The variants, in the order in which they were applied.
    """
    if not variants:
        return found
    files = {placed.origin(-1).file for placed in variants}
    return found.model_copy(
        update={
            "findings": tuple(
                finding if finding.id in known or finding.place.file in files else _blamed(finding, variants)
                for finding in found.findings
            )
        }
    )


def _blamed(finding: Finding, variants: Sequence[PlacedVariant]) -> Finding:
    ids = _ids(" ".join(finding.elements))
    best, cause = (False, False, 0), variants[-1].origin(-1)
    alone = sum(len(placed.variant.operations) for placed in variants) == 1
    for placed in variants:
        for number, operation in enumerate(placed.variant.operations):
            shared = len(ids & _ids(json.dumps(operation.model_dump(mode="json", exclude={"reason"}))))
            fits = alone or _subject(operation.kind) == _subject_of_check(finding.code)
            score = (shared > 0, fits, shared)
            if (fits or (shared and finding.code[0] not in _OF_TRACK)) and score >= best:
                best, cause = score, placed.origin(number)
    place = finding.place.model_copy(update={"file": cause.file, "row": max(cause.row, 1), "path": None})
    before = Place(file=finding.place.file, row=finding.place.row, path=finding.place.path).text
    where = f" (see {before})" if before else ""
    return finding.model_copy(update={"place": place, "message": f"{finding.message}{where}"})


def _subject(op: str) -> str:
    return next((letter for word, letter in _SUBJECTS.items() if word in op), "N")


def _subject_of_check(code: str) -> str:
    return code[0] if code[0] in _SUBJECTS.values() else "N"


def _ids(text: str) -> set[str]:
    """Return the ids in a text; one that is made of others, as those of segments are, counts as these."""
    return set(_ID.findall(text.replace("--", " ")))
