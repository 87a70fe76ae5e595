"""Formats of the 18xx family: 18xx-maker, and maps of 18xx.games."""
