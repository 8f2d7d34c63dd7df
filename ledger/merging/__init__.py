"""How a new statement and one that is believed already stand to each other, pure."""

from ledger.merging.confirming import strengthened
from ledger.merging.judging import compare
from ledger.merging.types import Compared, Judgement, Reason, Relation

__all__ = ["Compared", "Judgement", "Reason", "Relation", "compare", "strengthened"]
