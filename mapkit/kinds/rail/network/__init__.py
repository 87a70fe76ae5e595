"""Queries on the compiled graph: distances, routes, chances, service, access, monopoly, spurs."""
