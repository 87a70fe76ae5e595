"""Checks on a board, one small module a topic, run through one registry."""

from mapkit.checks.check import Check
from mapkit.checks.registry import CHECKS, run_checks

__all__ = ["CHECKS", "Check", "run_checks"]
