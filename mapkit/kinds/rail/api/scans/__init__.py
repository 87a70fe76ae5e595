"""Operations on scans of boards: placing a scan, and tracing its lines."""
