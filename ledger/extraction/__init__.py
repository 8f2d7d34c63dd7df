"""From one message of a person to drafts of memories, by rules and prototypes, without a model.

Pure. `sentences` cuts the text for admission; `extract` makes the drafts of what was admitted.
"""

from ledger.extraction.extracting import extract
from ledger.extraction.splitting import sentences

__all__ = ["extract", "sentences"]
