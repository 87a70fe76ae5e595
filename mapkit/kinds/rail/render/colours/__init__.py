"""Colours: as numbers, as people see them, and solved so that railroads can be told apart."""
