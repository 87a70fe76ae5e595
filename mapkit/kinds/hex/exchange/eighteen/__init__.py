"""What tools of the 18xx family take: 18xx-maker, and maps of 18xx.games."""
