"""Names of checks: one each, unique, and that of the function that finds."""

from collections import Counter
from collections.abc import Sequence

import pytest

from mapkit.core.checks import AnyCheck
from mapkit.kinds.cards.checks import CHECKS as CARD_CHECKS
from mapkit.kinds.hex.checks.registry import CHECKS as HEX_CHECKS
from mapkit.kinds.rail.checks.registry import CHECKS_WITH_AMOUNTS
from mapkit.kinds.rail.render.checks import CHECKS as DRAWING_CHECKS


@pytest.mark.parametrize(
    "checks", [(*CHECKS_WITH_AMOUNTS, *DRAWING_CHECKS), HEX_CHECKS, CARD_CHECKS], ids=["rail", "hex", "cards"]
)
def test_each_check_has_a_name_of_its_own(checks: Sequence[AnyCheck]) -> None:
    names = Counter(check.name for check in checks)
    assert "" not in names
    assert {name: count for name, count in names.items() if count > 1} == {}


def test_the_function_of_a_railroad_check_has_its_name() -> None:
    named = {c.name: c.find.__name__ for c in (*CHECKS_WITH_AMOUNTS, *DRAWING_CHECKS) if c.find.__name__ != "find"}
    assert len(named) > 50
    assert named == {name: f"_find_{name.replace('-', '_')}" for name in named}
