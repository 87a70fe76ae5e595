"""What a board is: frozen models without behaviour of their own."""
