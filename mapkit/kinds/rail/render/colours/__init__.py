"""Colours: as numbers, as seen by people, and solved so that railroads can be told apart."""
