"""What game engines load: the board file with its schema and types, and charts to look up."""
