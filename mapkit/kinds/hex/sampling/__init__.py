"""Boards from geography: land, water and cities of a region sampled onto a grid, and colours solved."""
