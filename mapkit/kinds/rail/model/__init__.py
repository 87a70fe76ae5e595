"""What things are: frozen models that pass from stage to stage."""
