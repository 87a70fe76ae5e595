"""The game carried out: its state, what players may do, what that does, and players of ours."""
