"""What the bench of scans measures with: what was drawn, how pictures are worn, and scores."""
