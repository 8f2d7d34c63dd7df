"""What recall computes with: arrays of numpy. Whoever makes one says its shape and its type."""

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
