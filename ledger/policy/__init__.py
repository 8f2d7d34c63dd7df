"""The policy of a tenant: every number that rules writing and recall, with its default.

Version 0 is the built-in policy, which rules while a tenant has written none of its own. A module
of this package holds one section, or a few about one matter.
"""

from ledger.policy.admission import Admission
from ledger.policy.extraction import Extraction
from ledger.policy.merging import Merging
from ledger.policy.model import Model
from ledger.policy.privacy import Privacy
from ledger.policy.recall import Cache, Context, Ranking, Sensitive
from ledger.policy.reflection import Reflection
from ledger.policy.section import Section
from ledger.policy.storage import Attributes, Jobs, Retention, Sessions
from ledger.policy.working import Working


class Policy(Section):
    """One version of a tenant's rules."""

    version: int = 0
    privacy: Privacy = Privacy()
    admission: Admission = Admission()
    extraction: Extraction = Extraction()
    model: Model = Model()
    merging: Merging = Merging()
    reflection: Reflection = Reflection()
    attributes: Attributes = Attributes()
    ranking: Ranking = Ranking()
    sensitive: Sensitive = Sensitive()
    context: Context = Context()
    cache: Cache = Cache()
    retention: Retention = Retention()
    sessions: Sessions = Sessions()
    working: Working = Working()
    jobs: Jobs = Jobs()
