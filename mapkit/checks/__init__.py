"""Checks on a board, one small module a topic, run through one registry."""

from mapkit.checks.registry import CHECKS, Check, run_checks

__all__ = ["CHECKS", "Check", "run_checks"]
