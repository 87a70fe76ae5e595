"""Other processes: work beside other work and aside of a server, and commands that install what is missing."""
