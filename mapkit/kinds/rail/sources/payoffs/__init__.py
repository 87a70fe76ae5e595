"""Payoff charts in files of many layouts."""
