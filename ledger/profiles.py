"""The profile of a subject: a view made when it is read, so that it is never stale."""

from dataclasses import replace

from ledger.masking import Reader, reader_for
from ledger.policies import current_policy
from ledger.reflection import Profile, profile
from ledger.remembering import remembered_at
from ledger.selectors import AsOf
from tenants import keys
from tenants.principals import Principal
from tenants.selectors import get_subject_named


def get_profile(principal: Principal, external_id: str, at: AsOf) -> Profile:
    """What is believed of a subject at the point, by section. Raises ScopeMissing, NotFound."""
    subject = get_subject_named(principal, external_id)
    policy, cipher = current_policy(), keys.cipher_for(subject)
    facts = remembered_at(principal, cipher, at, policy.reflection)
    made = profile(facts, at.valid_at, policy.reflection)
    return _shown(made, reader_for(principal, cipher))


def _shown(made: Profile, reader: Reader) -> Profile:
    """The profile with private values for those who may see them."""
    return Profile(
        {
            section: [replace(item, text=reader.show(item.text)) for item in items]
            for section, items in made.sections.items()
        }
    )
