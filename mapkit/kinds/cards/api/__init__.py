"""What the commands of card games do, as functions."""
