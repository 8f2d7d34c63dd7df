"""What survives when processes are killed."""
