"""Names of checks: one each, unique, and that of the function that finds."""

from collections import Counter
from collections.abc import Sequence

import pytest

from mapkit.core.checks import AnyCheck
from mapkit.kinds.cards.checks import CHECKS as CARD_CHECKS
from mapkit.kinds.hex.checks.registry import CHECKS as HEX_CHECKS
from mapkit.kinds.rail.checks.registry import WITH_JUDGED
from mapkit.kinds.rail.render.checks import CHECKS as DRAWING_CHECKS


@pytest.mark.parametrize(
    "checks", [(*WITH_JUDGED, *DRAWING_CHECKS), HEX_CHECKS, CARD_CHECKS], ids=["rail", "hex", "cards"]
)
def test_each_check_has_a_name_of_its_own(checks: Sequence[AnyCheck]) -> None:
    names = Counter(check.name for check in checks)
    assert "" not in names
    assert {name: count for name, count in names.items() if count > 1} == {}
