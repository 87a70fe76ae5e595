"""Attribution of new findings on a board with variants to the operations that caused them."""

import json
import re
from collections.abc import Collection, Sequence
from typing import Final

from mapkit.core.findings import CheckReport, Finding, Place
from mapkit.variants.applying import PlacedVariant

_ID_PATTERN: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CHECK_LETTER_BY_WORD: Final = {"payoff": "P", "destination": "D", "rule": "V", "option": "V", "preset": "V"}
"""What an operation's name says that it changes, and the letter of the checks that look at that."""
_TRACK_CHECK_LETTERS: Final = "NR"
"""Letters of the checks that look at no chart and no rule."""


def place_at_causes(found: CheckReport, known: Collection[str], variants: Sequence[PlacedVariant]) -> CheckReport:
    """Return findings of a board with variants, new ones placed at the operations that caused them.

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
    variant_files = {placed.origin(-1).file for placed in variants}
    return found.model_copy(
        update={
            "findings": tuple(
                finding
                if finding.id in known or finding.place.file in variant_files
                else _place_at_cause(finding, variants)
                for finding in found.findings
            )
        }
    )


def _place_at_cause(finding: Finding, variants: Sequence[PlacedVariant]) -> Finding:
    finding_ids = _find_ids(" ".join(finding.elements))
    best_score, cause = (False, False, 0), variants[-1].origin(-1)
    is_only_operation = sum(len(placed.variant.operations) for placed in variants) == 1
    for placed in variants:
        for number, operation in enumerate(placed.variant.operations):
            shared_ids = len(finding_ids & _find_ids(json.dumps(operation.model_dump(mode="json", exclude={"reason"}))))
            fits_subject = is_only_operation or next(
                (letter for word, letter in _CHECK_LETTER_BY_WORD.items() if word in operation.kind), "N"
            ) == (finding.code[0] if finding.code[0] in _CHECK_LETTER_BY_WORD.values() else "N")
            score = (shared_ids > 0, fits_subject, shared_ids)
            if (fits_subject or (shared_ids and finding.code[0] not in _TRACK_CHECK_LETTERS)) and score >= best_score:
                best_score, cause = score, placed.origin(number)
    place = finding.place.model_copy(update={"file": cause.file, "row": max(cause.row, 1), "path": None})
    old_place = Place(file=finding.place.file, row=finding.place.row, path=finding.place.path).text
    old_place_text = f" (see {old_place})" if old_place else ""
    return finding.model_copy(update={"place": place, "message": f"{finding.message}{old_place_text}"})


def _find_ids(text: str) -> set[str]:
    """Return the ids in a text; a compound id, as of a segment, counts as its parts."""
    return set(_ID_PATTERN.findall(text.replace("--", " ")))
