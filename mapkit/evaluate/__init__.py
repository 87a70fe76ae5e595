"""Evaluator of pure functions of a document: results are reused while nothing that they read has changed."""

from mapkit.evaluate.engine import Evaluator, Reader, changed_keys, tracked

__all__ = ["Evaluator", "Reader", "changed_keys", "tracked"]
