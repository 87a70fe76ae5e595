"""Decorators of all functions that run in a match."""

from pathlib import Path

from mapkit import playing
from mapkit.playing.compiling import compiler

compiled, called = compiler(Path(playing.__file__).parent, Path(__file__).parent)
