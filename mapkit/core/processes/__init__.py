"""Other processes: forked work, worker processes, and commands that install missing parts."""
