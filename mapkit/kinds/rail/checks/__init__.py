"""Checks on a board, one small module for each topic, run through one registry."""

from mapkit.kinds.rail.checks.causes import CAUSE_RULES
from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.checks.registry import CHECKS, CHECKS_WITH_AMOUNTS, find_inapplicable_letters, run_checks

__all__ = ["CAUSE_RULES", "CHECKS", "CHECKS_WITH_AMOUNTS", "Check", "find_inapplicable_letters", "run_checks"]
