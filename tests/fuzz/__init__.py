"""Fuzzing of everything that reads what others wrote: targets, a corpus of small files, a runner."""
