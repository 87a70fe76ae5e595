"""Findings and drawing of an open board, updated edit by edit."""
