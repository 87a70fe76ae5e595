"""Readers and writers of source packages."""
