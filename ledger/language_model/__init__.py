"""The model path of the write path: statements and summaries by a language model, each checked.

Nothing that the text does not say gets through, and every failure is a stable code, so that the
rules can take over.
"""

from ledger.language_model.extraction import Dropped, Extracted, LanguageModel, Reason
from ledger.language_model.settings import Failure, ModelSettings

__all__ = ["Dropped", "Extracted", "Failure", "LanguageModel", "ModelSettings", "Reason"]
