"""One room at a time against the real stores."""
