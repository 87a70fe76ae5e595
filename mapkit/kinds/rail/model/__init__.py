"""Frozen models that pass from stage to stage."""
