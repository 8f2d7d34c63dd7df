"""The wall: nothing crosses it, and its absence is noticed."""
