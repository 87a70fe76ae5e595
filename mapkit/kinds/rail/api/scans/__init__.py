"""What commands on scans of boards do: placing a scan, and tracing the lines that it shows."""
