"""Shared parts of exports of every kind: plans of files, card pictures, VASSAL modules, Tabletop Simulator saves."""
