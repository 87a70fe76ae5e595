"""Computer players: against each other in pairs, and improved by play."""
