"""What is printed on boards and pages of any kind, in several languages: one table a language; kinds add their own."""
