"""The language model that the operator configured, if any; every feature works without one."""

from functools import lru_cache

from django.conf import settings

from ledger.language_model import LanguageModel, ModelSettings
from ledger.policy.model import Model


@lru_cache(64)
def configured_model(policy: Model) -> LanguageModel | None:
    """The model behind MEMORYHUB_MODEL_URL under a tenant's rules, or None."""
    if not settings.LANGUAGE_MODEL_URL:
        return None
    return LanguageModel(
        ModelSettings(
            url=settings.LANGUAGE_MODEL_URL,
            name=settings.LANGUAGE_MODEL,
            key=settings.LANGUAGE_MODEL_KEY,
        ),
        policy,
    )
