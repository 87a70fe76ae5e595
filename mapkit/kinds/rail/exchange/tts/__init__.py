"""Tabletop Simulator."""
