"""Checks on a board, one small module a topic, run through one registry."""

from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.checks.registry import CHECKS, groundless, run_checks

__all__ = ["CHECKS", "Check", "groundless", "run_checks"]
