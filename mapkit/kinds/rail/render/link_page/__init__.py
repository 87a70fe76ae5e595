"""Page of doubtful links of a scan."""
