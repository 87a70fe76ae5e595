"""VASSAL modules."""
