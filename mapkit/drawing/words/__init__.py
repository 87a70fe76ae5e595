"""Printed texts of boards and pages of any kind in several languages, one table each; kinds add their own."""
