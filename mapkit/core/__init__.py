"""Foundations of every other room: errors, ids and names, reproducible text, atomic writing, checks."""
