"""Referee of logs of hexagon boards, written apart from the simulator."""
