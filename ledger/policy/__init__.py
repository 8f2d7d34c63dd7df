"""The policy of a tenant: every number that rules writing and recall, with its default.

Version 0 is the built-in policy, which rules while a tenant has written none of its own. A section
is a module of this package.
"""

from ledger.policy.privacy import Privacy
from ledger.policy.recall import Context, Ranking
from ledger.policy.section import Section
from ledger.policy.storage import Attributes, Retention
from ledger.policy.writing import Admission, Extraction, Merging, Reflection


class Policy(Section):
    """One version of a tenant's rules."""

    version: int = 0
    privacy: Privacy = Privacy()
    admission: Admission = Admission()
    extraction: Extraction = Extraction()
    merging: Merging = Merging()
    reflection: Reflection = Reflection()
    attributes: Attributes = Attributes()
    ranking: Ranking = Ranking()
    context: Context = Context()
    retention: Retention = Retention()
