"""Checks on a board, one small module for each topic, run through one registry."""

from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.checks.registry import CHECKS, WITH_JUDGED, groundless, run_checks

__all__ = ["CHECKS", "WITH_JUDGED", "Check", "groundless", "run_checks"]
