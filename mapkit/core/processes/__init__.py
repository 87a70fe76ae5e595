"""Work in other processes of the program: beside other work, and aside of a server."""
