"""Options, printing and worker processes of commands. The room may import core."""
