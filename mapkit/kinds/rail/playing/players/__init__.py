"""The computer players that come with mapkit, a file each."""
