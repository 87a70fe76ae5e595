"""The operations that lead from one board to another."""
